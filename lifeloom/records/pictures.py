"""Pictures: the plan of what to draw, and what a drawn picture is known to hold.

Both are ground truth: contents, boxes, identities, colours and counts by construction. Nothing on the
understanding side reads these records; it gets the pictures themselves.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record
from lifeloom.records.provenance import Provenance

__all__ = [
    "Age",
    "Appearance",
    "Box",
    "DrawnSubject",
    "Picture",
    "PicturePlan",
    "PictureSubject",
    "SubjectKind",
    "TimeOfDay",
    "Weather",
]

SubjectKind = Literal["person", "animal", "object"]
TimeOfDay = Literal["morning", "day", "sunset", "night"]
Weather = Literal["clear", "clouds", "rain", "snow", "fog"]
Age = Literal["young", "grown", "old"]


class Box(Part):
    """A rectangle in pixels within a picture; right and bottom exclusive."""

    left: int = Field(ge=0)
    top: int = Field(ge=0)
    right: int
    bottom: int


class Appearance(Part):
    """What stays the same about a person in every picture. Names are those of the image maker that drew it."""

    hair: str
    """Shape of the hair or head cover."""
    hair_colour: str
    """Colour of the hair, or of the head cover where it hides the hair; ``#rrggbb``."""
    skin: str
    """``#rrggbb``."""
    brows: str
    glasses: str = ""
    """Empty: none."""
    rim_colour: str = ""
    """``#rrggbb``; empty without glasses."""
    beard: str = ""
    """Empty: none."""
    age: Age = "grown"


class PictureSubject(Part):
    """One person, or one or several equal things, to be drawn."""

    kind: SubjectKind
    name: str
    """Person: how the plan calls them. Animal or object: word of the image maker's vocabulary."""
    identity: str = ""
    """Person: id that is the same in every picture of them. Empty for things."""
    appearance: Appearance | None = None
    """Persons only; the same in every picture of one identity."""
    colour: str = ""
    """Objects that come in colours, animals that come in coats: one of the vocabulary's names. Empty: as it comes."""
    count: int = Field(default=1, ge=1, le=5)
    """How many of them; 1 for persons."""
    mood: str = ""
    """Persons: an expression that the image maker knows; empty: any pleasant one."""


class PicturePlan(Part):
    """What a picture must show. Everything else (poses, clothes, positions, clutter) is drawn from ``seed``."""

    picture_id: Identifier
    kind: Literal["portrait", "scene"]
    """portrait: one person, animal or object on a plain ground. scene: a place with up to 5 subjects (things with a
    count are one)."""
    place: str = ""
    """A place of the image maker's vocabulary; empty for portraits."""
    time_of_day: TimeOfDay = "day"
    weather: Weather = "clear"
    """Shows outdoors and through windows."""
    subjects: tuple[PictureSubject, ...] = Field(max_length=5)
    size: int = Field(default=512, ge=64, le=2048)
    """Side in pixels; pictures are square."""
    seed: int = Field(ge=0)


class DrawnSubject(Part):
    """One thing or person as it stands in the picture; things with a count have an entry each."""

    kind: SubjectKind
    name: str
    identity: str = ""
    colour: str = ""
    box: Box
    """Bounds of the visible pixels."""
    visible: float = Field(ge=0, le=1)
    """Share of its pixels that nothing hides."""


class Picture(Record):
    """A drawn picture: its plan, its file and what stands where in it."""

    KIND: ClassVar[str] = "picture"

    picture_id: Identifier
    persona_id: Identifier
    """Whose conversation or account it belongs to."""
    content_hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of the file in the media store."""
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    plan: PicturePlan
    drawn: tuple[DrawnSubject, ...]
    """From back to front."""
    made_by: Provenance
