"""What a check found in a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "Reason"]

Reason = Literal[
    "sessions_not_of_plan",
    "turns_lost",
    "turns_unknown",
    "turns_not_ordered",
    "times_not_of_plan",
    "wrong_ids",
    "text_length",
    "value_not_worded",
    "value_given_away",
    "holder_not_named",
    "date_not_worded",
    "contradicted_fact",
    "picture_marks",
    "picture_described",
    "unsafe_text",
    "contradiction",
    "incoherent",
    "wrong_date",
    "no_critique",
]
"""Structure: the first six. Rules on words: ``text_length`` to ``contradicted_fact``. Rules on pictures:
``picture_marks``, ``picture_described``. The rest is the critic's."""


@dataclass(frozen=True)
class Finding:
    """One problem: what, where, and whether a rule or the critic's word alone stands behind it."""

    reason: Reason
    detail: str
    """A sentence that also tells a writer what to do better."""
    session_index: int | None = None
    """None: it is the conversation as a whole."""
    turn_index: int | None = None
    certain: bool = True
    """False: a person should look at it before anything is lost."""
