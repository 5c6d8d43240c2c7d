"""How true memories are, and how much of what was said they hold: against plans, and on messages written by hand."""

from evaluation.memory_quality.measuring import EpisodeQuality, MemoryQuality, QualityRow, measure
from evaluation.memory_quality.planned import Truth, truth_of
from evaluation.memory_quality.tables import quality_markdown, written_markdown
from evaluation.memory_quality.written import WrittenRow, WrittenStatement, read_written, score_written

__all__ = [
    "EpisodeQuality",
    "MemoryQuality",
    "QualityRow",
    "Truth",
    "WrittenRow",
    "WrittenStatement",
    "measure",
    "quality_markdown",
    "read_written",
    "score_written",
    "truth_of",
    "written_markdown",
]
