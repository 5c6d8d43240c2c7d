"""Eyes that see what a test says, and the pictures that belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import ModelIdentity, PictureSource
from lifeloom.records import PictureReference

__all__ = ["ScriptedEyes", "SeenPerson", "SeenThing", "Sight", "face_of", "sight"]


@dataclass(frozen=True)
class SeenPerson:
    face: npt.NDArray[np.float32]


@dataclass(frozen=True)
class SeenThing:
    kind: str
    name: str
    colour: str = "black"


@dataclass(frozen=True)
class Sight:
    people: tuple[SeenPerson, ...] = ()
    things: tuple[SeenThing, ...] = ()
    place: str = ""
    time_of_day: str = "day"


def face_of(person: str, shot: int = 0) -> npt.NDArray[np.float32]:
    """Return a face: shots of a person are alike (cosine about 0.9), people are not (about 0)."""
    rng = np.random.default_rng([sum(person.encode()) * 7 + len(person), *person.encode()])
    own = rng.standard_normal(64)
    noise = np.random.default_rng([shot, *person.encode()]).standard_normal(64)
    face = own / np.linalg.norm(own) + 0.33 * noise / np.linalg.norm(noise)
    return np.asarray(face / np.linalg.norm(face), dtype=np.float32)


def sight(text: str, shot: int = 0) -> Sight:
    """Return a sight from words: ``"Priya, Tom; 2 red balloon, dog; beach, night"``."""
    people, things, where = (part.strip() for part in (*text.split(";"), "", "", "")[:3])
    seen: list[SeenThing] = []
    colours = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black")
    for item in filter(None, (part.strip() for part in things.split(","))):
        words = item.split()
        count = int(words.pop(0)) if words[0].isdecimal() else 1
        colour = words.pop(0) if words[0] in colours else "black"
        name = " ".join(words)
        kind = "animal" if name in ("dog", "cat", "horse", "owl", "goat", "duck", "rabbit") else "object"
        seen += [SeenThing(kind, name, colour)] * count
    place, _, time = (part.strip() for part in where.partition(","))
    faces = tuple(SeenPerson(face_of(name.strip(), shot)) for name in people.split(",") if name.strip())
    return Sight(faces, tuple(seen), place, time or "day")


@dataclass
class ScriptedEyes:
    """A looker; ``add`` makes a picture that shows a sight."""

    person_threshold: float = 0.6
    sights: dict[str, Sight] = field(default_factory=dict)
    looked: list[str] = field(default_factory=list)

    identity = ModelIdentity("test", "scripted-eyes-1")

    def add(self, text: str) -> PictureReference:
        """Return a picture that shows ``text``, put as ``sight`` reads it."""
        number = len(self.sights) + 1
        name = f"{number:064x}"
        self.sights[name] = sight(text, number)
        return PictureReference(content_hash=name, width=512, height=512)

    def look(self, pictures: Sequence[PictureReference], source: PictureSource) -> list[Sight]:
        self.looked += [picture.content_hash for picture in pictures]
        return [self.sights[picture.content_hash] for picture in pictures]
