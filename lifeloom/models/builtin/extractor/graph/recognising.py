"""What a picture of the history shows once the people of the scaffold are known: who, and which things beside whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lifeloom.models.builtin.reader.kinship import relation_of
from lifeloom.models.builtin.reader.life.faces import name_faces
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.tasks import ScaffoldLine

__all__ = ["Recogniser", "Scene", "SceneThing", "Somebody"]

_BESIDE = 0.3
"""Share of the picture's width within which somebody stands beside a thing."""
_COLOURED = 0.7
"""Certainty of a colour below which a thing is as it comes (a ladder, a clock): its colour says nothing."""


@dataclass(frozen=True)
class Somebody:
    """A person or pet in a picture."""

    name: str
    """Empty: nobody of the scaffold."""
    middle: float
    """0..1 from left to right."""


@dataclass(frozen=True)
class SceneThing:
    """Equal things of a picture."""

    name: str
    colour: str
    count: int
    beside: tuple[str, ...]
    """Who is nearest, of those who are known."""


@dataclass(frozen=True)
class Scene:
    """A picture of the history."""

    image_id: str
    people: tuple[Somebody, ...]
    things: tuple[SceneThing, ...]
    place: str
    time_of_day: str


class Recogniser:
    """Tells the people and pets of a scaffold by their portraits; pets by what kind of animal they are.

    Args:
        scaffold: who is known.
        portraits: of each; None where there is none.
        threshold: cosine from which two faces are one person's.
    """

    def __init__(
        self, scaffold: Sequence[ScaffoldLine], portraits: Sequence[LookedAt | None], threshold: float
    ) -> None:
        self._threshold = threshold
        self._names: list[str] = []
        faces = []
        self._pets: dict[str, str] = {}
        for line, look in zip(scaffold, portraits, strict=True):
            if look is not None and len(look.faces) == 1:
                self._names.append(line.name)
                faces.append(look.faces[0])
            else:
                animals = [] if look is None else [one.name for one in look.sight.things if one.kind == "animal"]
                self._pets.setdefault(animals[0] if animals else relation_of(line.role), line.name)
        self._faces = np.stack(faces) if faces else np.zeros((0, 1), dtype=np.float32)

    def scene(self, image_id: str, look: LookedAt) -> Scene:
        """Return what a picture shows."""
        sight = look.sight
        width = max(1.0, float(getattr(sight, "width", 512)))
        named = name_faces(look.faces, self._faces, self._names, self._threshold)
        people = [
            Somebody(name, (one.box[0] + one.box[2]) / 2 / width) for one, name in zip(sight.people, named, strict=True)
        ]
        groups: dict[tuple[str, str], list[float]] = {}
        for one in sight.things:
            middle = (one.box[0] + one.box[2]) / 2 / width
            if one.name in self._pets:
                people.append(Somebody(self._pets[one.name], middle))
            else:
                colour = one.colour if one.colour_score >= _COLOURED else ""
                groups.setdefault((one.name, colour), []).append(middle)
        people.sort(key=lambda one: one.middle)
        things = tuple(
            SceneThing(name, colour, len(middles), self._beside(middles, people))
            for (name, colour), middles in groups.items()
        )
        return Scene(image_id, tuple(people), things, sight.place, sight.time_of_day)

    def _beside(self, middles: Sequence[float], people: Sequence[Somebody]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for middle in middles:
            nearest = min(people, key=lambda one: abs(one.middle - middle), default=None)
            if nearest is not None and nearest.name and abs(nearest.middle - middle) <= _BESIDE:
                found[nearest.name] = None
        return tuple(found)
