"""Conversations: sessions and turns as written."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record, UtcTime
from lifeloom.records.plan import Setting
from lifeloom.records.provenance import Provenance

__all__ = ["PictureReference", "Session", "Turn"]


class PictureReference(Part):
    """A picture in the media store, by content."""

    content_hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of the file's bytes, hexadecimal."""
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    """Pixels, upright."""


class Turn(Record):
    """One turn: what the user said and what the assistant answered."""

    KIND: ClassVar[str] = "turn"

    turn_id: Identifier
    persona_id: Identifier
    session_id: Identifier
    turn_index: int = Field(ge=0)
    """From 0 over the whole conversation."""
    at: UtcTime
    offset_minutes: int
    user: str = Field(min_length=1)
    assistant: str = Field(min_length=1)
    pictures: tuple[PictureReference, ...] = ()
    """One per ``<img>`` in the user's text, in order."""


class Session(Record):
    """One sitting of a conversation, with who wrote it."""

    KIND: ClassVar[str] = "session"

    session_id: Identifier
    persona_id: Identifier
    session_index: int = Field(ge=0)
    setting: Setting
    started_at: UtcTime
    ended_at: UtcTime
    offset_minutes: int
    first_turn: int = Field(ge=0)
    last_turn: int = Field(ge=0)
    made_by: Provenance
