"""Questions beside Persona-MME that count what was told over time."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, Record, UtcTime
from lifeloom.records.benchmark import Letter
from lifeloom.records.plan import Setting

__all__ = ["COUNTED", "Counted", "CountingQuestion"]

Counted = Literal["times", "days", "values"]
"""times: turns in which something was told. days: days on which it was. values: how many different things it has
been, one after the other."""
COUNTED: tuple[Counted, ...] = ("times", "days", "values")


class CountingQuestion(Record):
    """A four-option question whose answer is a number, asked after the whole conversation."""

    KIND: ClassVar[str] = "counting_question"

    question_id: Identifier
    persona_id: Identifier
    setting: Setting
    counted: Counted
    asked_at: UtcTime
    """A moment after the last turn."""
    offset_minutes: int
    history_turns: int = Field(ge=1)
    query: str
    options: tuple[str, ...] = Field(min_length=4, max_length=4)
    """Numbers in figures, ascending, next to each other."""
    answer: Letter
    evidence_turns: tuple[int, ...]
    """The turns that count."""
    attribute: Identifier
