"""Tables of what is measured, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.memory_quality.measuring import MemoryQuality, QualityRow
from evaluation.memory_quality.written import WrittenRow
from evaluation.memory_tables import markdown_table

__all__ = ["quality_markdown", "written_markdown"]

_TITLES = (
    ("recall", "all", "What was said and is remembered"),
    ("recall", "statement", "By kind of statement"),
    ("recall", "fact", "By kind of fact"),
    ("precision", "all", "What is remembered and was said"),
    ("precision", "act", "By act of the turn"),
    ("precision", "label", "By label of the memory"),
    ("goals_recall", "all", "Goals and habits that hold at the end and are remembered"),
    ("goals_recall", "fact", "By kind of fact"),
    ("goals_precision", "all", "Goals and habits remembered that hold at the end"),
)


def quality_markdown(quality: MemoryQuality) -> str:
    """Return all tables, with counts, 95 % intervals over users, and what went wrong."""
    parts = [
        f"{quality.users} users, {quality.turns} turns, {quality.memories} memories. "
        "Shares with 95 % intervals over users."
    ]
    for measured, by, title in _TITLES:
        rows = [row for row in quality.rows if (row.measure, row.by) == (measured, by)]
        if rows:
            table = markdown_table(("", "of", "share", "interval", "otherwise"), [_line(row) for row in rows])
            parts.append(f"**{title}**\n\n{table}")
    found = quality.episodes
    parts.append(
        "**Episodes**\n\n"
        + markdown_table(
            ("turns", "covered", "in two", "episodes", "purity", "kept together"),
            [
                (
                    str(found.turns),
                    str(found.covered),
                    str(found.repeated),
                    str(found.episodes),
                    f"{found.purity:.3f}",
                    f"{found.kept_together:.3f}",
                )
            ],
        )
    )
    return "\n\n".join(parts)


def _line(row: QualityRow) -> tuple[str, ...]:
    faults = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in row.faults.items())
    return (row.name, str(row.count), f"{row.value:.3f}", f"{row.low:.3f} to {row.high:.3f}", faults or "-")


def written_markdown(rows: Sequence[WrittenRow]) -> str:
    """Return how the messages written by hand are met, by kind."""
    lines = [
        (row.kind, str(row.messages), str(row.met), f"{row.met / row.messages:.3f}", str(row.contradicted))
        for row in rows
    ]
    return markdown_table(("kind", "messages", "met", "share", "contradicted"), lines)
