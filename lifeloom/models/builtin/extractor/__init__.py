"""The built-in extractor: answers the update tasks from ordinary first-person English, by rules.

It shares the reader's analysis of sentences and knows nothing of any writer of dialogues. Every answer follows from
the typed input alone.
"""

from lifeloom.models.builtin.extractor.core import core_text
from lifeloom.models.builtin.extractor.episodic import episodic_text
from lifeloom.models.builtin.extractor.personality import infer_personality
from lifeloom.models.builtin.extractor.procedural import procedural_text
from lifeloom.models.builtin.extractor.semantic import semantic_text

__all__ = ["core_text", "episodic_text", "infer_personality", "procedural_text", "semantic_text"]
