"""Pictures made by hand, as the eyes see them."""

from dataclasses import dataclass

import numpy as np

from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.looking import LookedAt, looked_at

THRESHOLD = 0.8
FACES = {name: np.eye(6, dtype=np.float32)[number] for number, name in enumerate(("Ana", "Rui", "Eva", "stranger"))}
TRAITS = {
    "Ana": PersonTraits("long hair", "red", "glasses", "none", "light"),
    "Rui": PersonTraits("short hair", "black", "none", "beard", "dark"),
    "Eva": PersonTraits("a hijab", "blue", "none", "none", "medium"),
    "stranger": PersonTraits("curly hair", "brown", "none", "none", "light"),
}


@dataclass(frozen=True)
class Person:
    face: np.ndarray
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Thing:
    kind: str
    name: str
    colour: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Sight:
    people: tuple[Person, ...]
    things: tuple[Thing, ...]
    place: str = ""
    time_of_day: str = "day"
    width: int = 100
    height: int = 100


def box(across: float, down: float = 50) -> tuple[float, float, float, float]:
    return (across - 4, down - 4, across + 4, down + 4)


def picture(
    people: dict[str, float], things: list[tuple[str, str, float]], place: str = "", time_of_day: str = "day"
) -> tuple[LookedAt, tuple[PersonTraits, ...]]:
    """People by where they stand across (0..100), things as name, colour, and where; as seen, with the looks."""
    seen = Sight(
        tuple(Person(FACES[name], box(across)) for name, across in people.items()),
        tuple(Thing("object", name, colour, box(across)) for name, colour, across in things),
        place,
        time_of_day,
    )
    return looked_at(seen), tuple(TRAITS[name] for name in people)
