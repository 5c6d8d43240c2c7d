"""What goes into a user's memory and what comes out of it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from lifeloom.records import (
    BY_CODE,
    CoreBlock,
    Memory,
    MemoryKind,
    PersonalityPoint,
    PictureReference,
    Provenance,
    SemanticKind,
)

__all__ = [
    "Change",
    "DialogueTurn",
    "EpisodeDraft",
    "Hit",
    "Operation",
    "Origin",
    "Period",
    "RejectedUpdate",
    "RemoveValue",
    "SemanticDraft",
    "SetPersonality",
    "SetValue",
    "Vector",
]

Vector: TypeAlias = npt.NDArray[np.float32]
"""A unit vector, (dimensions,)."""


@dataclass(frozen=True)
class DialogueTurn:
    """One turn as it was said. Raw dialogue is always kept."""

    index: int
    """From 0, without gaps."""
    session: int
    """From 0; a new one begins when an hour or more has passed."""
    at: dt.datetime
    """With a zone; not before the turn before it."""
    offset_minutes: int
    """The user's zone at the time, minutes east of UTC."""
    user: str
    assistant: str
    """May be empty where the assistant has not answered yet, or failed to."""
    pictures: tuple[PictureReference, ...] = ()
    """One for each ``<img>`` of the user's text, in order."""


@dataclass(frozen=True)
class Period:
    """A stretch of time, both ends included; None: open."""

    start: dt.datetime | None = None
    end: dt.datetime | None = None


@dataclass(frozen=True)
class SemanticDraft:
    """Knowledge to add."""

    label: SemanticKind
    content: str
    keywords: tuple[str, ...]
    source_turns: tuple[int, ...]
    vector: Vector | None = None
    """Of ``content``."""
    crop: PictureReference | None = None
    """visual_concept: the picture cut out; its file must have been put into the media."""
    crop_vector: Vector | None = None


@dataclass(frozen=True)
class EpisodeDraft:
    """A topic of a session to add."""

    summary: str
    keywords: tuple[str, ...]
    source_turns: tuple[int, ...]
    vector: Vector | None = None


@dataclass(frozen=True)
class SetValue:
    """Make or replace a core or procedural value; the version before stays in the history."""

    kind: MemoryKind
    """``core`` or ``procedural``."""
    key: str
    content: str
    source_turns: tuple[int, ...]
    block: CoreBlock | None = None
    """core: which block."""
    keywords: tuple[str, ...] = ()
    vector: Vector | None = None
    """procedural: of the content."""


@dataclass(frozen=True)
class RemoveValue:
    """Say that a core or procedural value holds no longer; it stays in the history."""

    kind: MemoryKind
    key: str
    source_turns: tuple[int, ...]
    block: CoreBlock | None = None


@dataclass(frozen=True)
class SetPersonality:
    """Add the point of a turn to the personality curve."""

    point: PersonalityPoint


Operation: TypeAlias = SemanticDraft | EpisodeDraft | SetValue | RemoveValue | SetPersonality
"""A typed change of a user's memory."""


class Change(NamedTuple):
    """What an operation did, or, in a dry run, would do."""

    operation: Operation
    action: str
    """``added``, ``replaced``, ``ended``, ``unchanged`` (the value is that already, or was not there to be ended)."""
    before: Memory | None = None
    """What it replaced or ended."""
    after: Memory | None = None
    """What there is now."""


@dataclass(frozen=True)
class RejectedUpdate:
    """An update that could not be made."""

    job: str
    reason: str
    """Short and machine-readable."""
    detail: str
    """What a person needs to understand it."""


class Hit(NamedTuple):
    """A memory that a search found."""

    memory: Memory
    score: float
    """Higher is nearer; the same scale within one search."""
    similarity: float
    """Cosine of the contents, -1..1."""
    lexical: float = 0.0
    """Share of the query's keywords that match, weighted by rarity, 0..1."""


@dataclass(frozen=True)
class Origin:
    """Who made the changes of a job, and from when on they are known."""

    known_at: dt.datetime
    known_turns: int
    made_by: Provenance = field(default=BY_CODE)
