"""What the built-in backend answers about personalised captioning: scenes, dialogues, captions, probes, diagnostics."""

from __future__ import annotations

from collections.abc import Mapping

from lifeloom.models.builtin.life import SeeingAnswer, Senses, TextAnswer

__all__ = ["seeing_tasks", "text_tasks"]


def text_tasks(senses: Senses) -> Mapping[str, TextAnswer]:
    """Return by name what answers the tasks that come without pictures."""
    return {}


def seeing_tasks(senses: Senses) -> Mapping[str, SeeingAnswer]:
    """Return by name what answers the tasks that may come with pictures."""
    return {}
