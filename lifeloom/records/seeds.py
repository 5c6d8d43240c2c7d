"""Seeds: base personas (PersonaHub) and captions (YFCC100M)."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, LocalTime, Record

__all__ = ["CaptionSeed", "PersonaSeed", "Split"]

Split = Literal["train", "benchmark"]


class PersonaSeed(Record):
    """One base persona of PersonaHub with the split that its near-duplicate cluster belongs to."""

    KIND: ClassVar[str] = "persona_seed"

    seed_id: Identifier
    text: str = Field(min_length=1)
    source: str
    """``builtin`` or the name of the file it was read from (no folder)."""
    line: int = Field(ge=1)
    """Line in that file, from 1."""
    cluster_id: Identifier
    """Near-duplicate cluster: the id of its first member."""
    split: Split
    """Train or benchmark, by a stable hash of the cluster (5:2, PersonaVLM Appendix C)."""


class CaptionSeed(Record):
    """One photo of YFCC100M, as text: a caption with account and date. No picture is ever used."""

    KIND: ClassVar[str] = "caption_seed"

    caption_id: Identifier
    account_id: Identifier
    title: str
    description: str
    caption: str = Field(min_length=1)
    """Title and description, cleaned of markup and escapes, as one text."""
    taken_at: LocalTime | None
    """Wall-clock time of the photo; None where the dump's date is impossible."""
    tags: tuple[str, ...] = ()
    licence: str
    line: int = Field(ge=1)
    use: Literal["event", "concept"]
    """Event seeds have a date; the others serve as concept seeds only."""
