"""Diagnostic tasks of contextualised visual personalisation: LSD, LAR and ITR (CoViP Section 4, Appendix D)."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar, Literal, get_args

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record
from lifeloom.records.captioning import DialogueTurn
from lifeloom.records.conversation import PictureReference
from lifeloom.records.provenance import Provenance

__all__ = [
    "DIAGNOSTIC_TASKS",
    "DiagnosticAnswer",
    "DiagnosticCase",
    "DiagnosticEntry",
    "DiagnosticMode",
    "DiagnosticTask",
]

DiagnosticTask = Literal["lsd", "lar", "itr"]
DIAGNOSTIC_TASKS: tuple[DiagnosticTask, ...] = get_args(DiagnosticTask)
"""Last-seen detection, last-action recall, instruction-triggered recall."""

DiagnosticMode = Literal["direct", "cag"]
"""Asked at once, or with the policy's own caption in the prompt (C9)."""


class DiagnosticEntry(Part):
    """A picture of somebody with the dialogue about a meeting. Identity, date and place are the truth, not shown."""

    picture: PictureReference
    identity: str = ""
    """Empty where it was imported and is not known."""
    dialogue_id: Identifier
    met_on: dt.date | None = None
    location: str = ""
    turns: tuple[DialogueTurn, ...] = Field(min_length=1)


class DiagnosticCase(Record):
    """A query picture of somebody with ten dialogues, three of them about the same person; all three tasks share it."""

    KIND: ClassVar[str] = "diagnostic_case"

    case_id: Identifier
    """``<partition>-d<number>``."""
    release_id: str
    query: PictureReference
    identity: str = ""
    """Empty where it was imported and is not known."""
    entries: tuple[DiagnosticEntry, ...] = Field(min_length=1)
    """Shuffled: a dialogue's place says nothing of its date."""
    location: str = Field(min_length=1)
    """LSD: where the person was met last."""
    action: str = Field(min_length=1)
    """LAR: what the user had to do when the person was last talked of."""
    keyword: str = ""
    """ITR: what an answer must hold; empty: the user left no instruction about this person, and every keyword is a
    false trigger."""
    keywords: tuple[str, ...] = ()
    """All keywords of the context."""
    made_by: Provenance


class DiagnosticAnswer(Record):
    """What a policy answered to one task of a case, with its score."""

    KIND: ClassVar[str] = "diagnostic_answer"

    case_id: Identifier
    task: DiagnosticTask
    mode: DiagnosticMode
    policy: Identifier
    fingerprint: str
    text: str
    caption: str = ""
    """The policy's own caption; empty where asked directly."""
    score: float = Field(ge=0, le=1)
    """LSD: F1 over the multiset of tokens. LAR: 1 where the judge says Correct. ITR: 1 where the right keyword, and no
    other, is there; without an instruction 1 where no keyword is."""
    set_score: float | None = Field(default=None, ge=0, le=1)
    """LSD: F1 over the set of tokens, as the public release counts."""
    false_trigger: bool = False
    """ITR: a keyword that was not due."""
    failure: str = ""
    """Why there is no answer or no verdict; such a case is wrong."""
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)
    made_by: Provenance
