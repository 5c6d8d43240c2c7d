"""What an assistant remembers of a user: memories, their vectors, the personality curve, and how all of it was made.

PersonaVLM Section 3.1 and Appendix A. Semantic and episodic memories are only ever added; core and procedural values
have a latest version, and every earlier one says what replaced it, when, and from which turn.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, Record, UtcTime
from lifeloom.records.conversation import PictureReference
from lifeloom.records.persona import BigFiveProfile
from lifeloom.records.provenance import Provenance

__all__ = [
    "ADDITIVE",
    "LATEST_ONLY",
    "CoreBlock",
    "Memory",
    "MemoryKind",
    "MemoryOperation",
    "MemoryVector",
    "Moment",
    "OperationKind",
    "PersonalityPoint",
    "SemanticKind",
    "VectorSpace",
]

MemoryKind = Literal["core", "semantic", "episodic", "procedural"]
ADDITIVE: tuple[MemoryKind, ...] = ("semantic", "episodic")
"""Kinds of which every entry holds for ever (PersonaVLM Appendix A.3)."""
LATEST_ONLY: tuple[MemoryKind, ...] = ("core", "procedural")
"""Kinds of which only the latest version of a key is read; the others are its history."""

SemanticKind = Literal["directive", "fact", "preference", "visual_concept"]
"""Explicit directive, core fact, preference or habit, visual concept (PersonaVLM Appendix A.1)."""

CoreBlock = Literal["human", "persona"]

VectorSpace = Literal["text", "image"]
"""``text``: of the content. ``image``: of the crop of a visual concept."""

OperationKind = Literal["response", "personality", "semantic", "core", "procedural", "episodic"]


@dataclass(frozen=True, order=True)
class Moment:
    """A point of a user's history, as every read takes it (``as_of``).

    A memory is known at a moment when it was known at or before ``at`` and, where ``turns`` is given, followed from
    the first ``turns`` turns alone. Several turns may share a time: ``turns`` then tells before from after.
    """

    at: dt.datetime
    """With a zone."""
    turns: int | None = None
    """Turns that had been said; None: whatever was said by then."""


class Memory(Record):
    """One memory, or one version of a core or procedural value."""

    KIND: ClassVar[str] = "memory"

    user_id: str
    memory_id: Identifier
    """Follows from the user, the job that made it and its place there, so that a job done twice adds
    nothing."""
    kind: MemoryKind
    label: str = ""
    """semantic: a ``SemanticKind``. core: a ``CoreBlock``. Empty for the others."""
    key: str = ""
    """core, procedural: what the value is of (``name``, ``morning run``), at most one current value a key (and block).
    Empty for the others."""
    content: str = Field(min_length=1)
    """semantic: the knowledge. episodic: the topic's summary. core, procedural: the value."""
    keywords: tuple[str, ...] = ()
    source_turns: tuple[int, ...] = ()
    """The turns that it follows from, ascending; empty only for what the user did not say (a name given at the
    start)."""
    happened_from: UtcTime
    happened_to: UtcTime
    """Times of its first and last source turn: what a retrieval's period is matched with."""
    known_at: UtcTime
    """From when on it is known. semantic: time of its turn. The others: when their session was closed."""
    known_turns: int = Field(ge=0)
    """Turns that had been said when it became known."""
    replaces: str = ""
    """core, procedural: the version before; empty for the first."""
    replaced_by: str = ""
    """core, procedural: the version after; empty while current, or where the value was taken back."""
    ended_at: UtcTime | None = None
    """core, procedural: when it stopped to be current."""
    ended_turns: int | None = None
    ended_by_turns: tuple[int, ...] = ()
    """The turns from which it followed that it is over."""
    crop: PictureReference | None = None
    """semantic, visual concept: the picture cut out, in the user's media."""
    made_by: Provenance


class MemoryVector(Record):
    """A vector of a memory."""

    KIND: ClassVar[str] = "memory_vector"

    user_id: str
    memory_id: Identifier
    space: VectorSpace
    encoder: str
    """``backend/model`` of what made it."""
    values: str
    """Little-endian 32-bit floats, base64: exact."""


class PersonalityPoint(Record):
    """The personality profile after one turn (PersonaVLM Appendix A.1, PEM)."""

    KIND: ClassVar[str] = "personality_point"

    user_id: str
    turn_index: int = Field(ge=0)
    at: UtcTime
    inferred: tuple[int, ...] = ()
    """Scores inferred from the turn, in the order of ``TRAITS``, each 1..5; empty where the inference was rejected."""
    applied: bool
    """Whether the profile moved."""
    skipped: Literal["", "neutral", "rejected"] = ""
    """neutral: all five were 3. rejected: no valid inference."""
    smoothing: float
    """Lambda of this turn, 0.5..0.9."""
    profile: BigFiveProfile
    made_by: Provenance


class MemoryOperation(Record):
    """One question put to a model while memories were made or used, with its answer: supervision for training (P3)."""

    KIND: ClassVar[str] = "memory_operation"

    user_id: str
    operation_id: Identifier
    kind: OperationKind
    step: int = Field(ge=0)
    """response: number of the step in its trajectory, from 0; else 0."""
    first_turn: int = Field(ge=0)
    last_turn: int = Field(ge=0)
    """The turns that it is about, inclusive; for a response, the turn that it answers."""
    instructions: str
    prompt: str
    pictures: tuple[PictureReference, ...] = ()
    """One for each ``<img>`` of the prompt, in order."""
    output: str
    """The model's answer as text."""
    outcome: Literal["applied", "nothing", "rejected"]
    """nothing: a valid answer that asked for no change."""
    reason: str = ""
    """Why it was rejected, or what was repaired."""
    memory_ids: tuple[str, ...] = ()
    """Memories that it made, changed or ended; for a step of a response, those that it found."""
    made_by: Provenance
