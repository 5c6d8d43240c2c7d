"""Pictures as the eyes would see them, without eyes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lifeloom.models.builtin.eyes import SeenPerson, SeenThing, Sight
from lifeloom.models.builtin.reader.looking import LookedAt, looked_at
from lifeloom.records import SubjectKind

WIDTH = 500
THRESHOLD = 0.77


def person(name: str, left: float = 200) -> SeenPerson:
    """Somebody whose face follows from the name and is like nobody else's."""
    face = np.zeros(64, dtype=np.float32)
    face[sum(ord(char) for char in name) % 64] = 1.0
    return SeenPerson((left, 100, left + 80, 400), 0.9, face, 0.1)


def thing(
    name: str, left: float = 200, colour: str = "red", *, certain: float = 0.9, kind: SubjectKind = "object"
) -> SeenThing:
    """A thing, 40 pixels wide."""
    return SeenThing(kind, (left, 300, left + 40, 400), 0.9, name, 0.8, colour, certain)


def sight(
    people: Sequence[SeenPerson] = (), things: Sequence[SeenThing] = (), place: str = "park", time: str = "day"
) -> LookedAt:
    """What the eyes make of a picture of 500 x 500 pixels."""
    return looked_at(Sight(WIDTH, WIDTH, tuple(people), tuple(things), place, 0.9, time))


def portrait(name: str) -> LookedAt:
    """A portrait: one face, plain ground."""
    return sight([person(name)], place="", time="")


def pet(species: str) -> LookedAt:
    """The portrait of a pet."""
    return sight(things=[thing(species, kind="animal", certain=0.3)], place="", time="")
