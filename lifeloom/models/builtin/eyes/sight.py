"""What the eyes make of a picture, and its form in a cache."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lifeloom.records import SubjectKind

__all__ = ["FACE_DIMENSIONS", "SeenPerson", "SeenThing", "Sight", "pack", "unpack"]

FACE_DIMENSIONS = 64

Box = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class SeenPerson:
    """A person in a picture."""

    box: Box
    """Pixels ``(left, top, right, bottom)`` of the upright picture."""
    score: float
    """How sure the detector is, 0..1."""
    face: npt.NDArray[np.float32]
    """Unit vector, (64,): the cosine of two says whether they are the same person."""
    size: float
    """Share of the picture's area that the box covers, 0..1."""


@dataclass(frozen=True)
class SeenThing:
    """An animal or object in a picture; several equal ones have an entry each."""

    kind: SubjectKind
    """``animal`` or ``object``: that of ``name``."""
    box: Box
    """Pixels ``(left, top, right, bottom)`` of the upright picture."""
    score: float
    """How sure the detector is, 0..1."""
    name: str
    """Singular, without an article; the nearest of those that the eyes know."""
    name_score: float
    """Cosine with what the name usually looks like, -1..1; right names mostly have 0.5 or more."""
    colour: str
    """The nearest of the colour names that the eyes know, also for things that do not come in colours."""
    colour_score: float
    """Cosine with that colour, -1..1."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What the eyes make of one picture."""

    width: int
    height: int
    people: tuple[SeenPerson, ...]
    """From left to right."""
    things: tuple[SeenThing, ...]
    """From left to right."""
    place: str
    """The nearest of the places that the eyes know; empty for a plain ground (a portrait)."""
    place_score: float
    """Cosine with that place, -1..1."""
    time_of_day: str
    """``morning``, ``day``, ``sunset`` or ``night``; empty for a plain ground."""


def pack(sight: Sight) -> bytes:
    """Return ``sight`` as bytes: a line of JSON, then the faces as little-endian floats."""
    about = {
        "size": [sight.width, sight.height],
        "people": [[*one.box, one.score, one.size] for one in sight.people],
        "things": [
            [one.kind, *one.box, one.score, one.name, one.name_score, one.colour, one.colour_score]
            for one in sight.things
        ],
        "place": [sight.place, sight.place_score, sight.time_of_day],
    }
    faces = b"".join(one.face.astype("<f4").tobytes() for one in sight.people)
    return json.dumps(about, separators=(",", ":")).encode("ascii") + b"\n" + faces


def unpack(data: bytes) -> Sight | None:
    """Return what ``pack`` was given, bit for bit; None when ``data`` is torn or foreign."""
    line, _, rest = data.partition(b"\n")
    try:
        about = json.loads(line)
        faces = np.frombuffer(rest, dtype="<f4").astype(np.float32).reshape(len(about["people"]), FACE_DIMENSIONS)
        faces.flags.writeable = False
        width, height = about["size"]
        place, place_score, time_of_day = about["place"]
        return Sight(
            width=width,
            height=height,
            people=tuple(
                SeenPerson((left, top, right, bottom), score, face, size)
                for (left, top, right, bottom, score, size), face in zip(about["people"], faces, strict=True)
            ),
            things=tuple(
                SeenThing(kind, (left, top, right, bottom), score, name, name_score, colour, colour_score)
                for kind, left, top, right, bottom, score, name, name_score, colour, colour_score in about["things"]
            ),
            place=place,
            place_score=place_score,
            time_of_day=time_of_day,
        )
    except (ValueError, KeyError, TypeError):
        return None
