"""Looking at pictures: what the reader needs of eyes, and what it makes of what they see.

The reader puts a picture into words: names of things, their colours and numbers, the place, the light. Who the people
in it are, only a conversation can tell (``album``).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.models.protocol import ModelIdentity, PictureSource
from lifeloom.records import PictureReference

__all__ = ["LookedAt", "Looker", "SeenPerson", "SeenThing", "Sight", "looked_at", "looks", "time_words"]


class SeenPerson(Protocol):
    """A person in a picture."""

    @property
    def face(self) -> npt.NDArray[np.float32]:
        """Unit vector; that of the same person has a high cosine with it."""
        ...


class SeenThing(Protocol):
    """An animal or object in a picture."""

    @property
    def kind(self) -> str:
        """``animal`` or ``object``."""
        ...

    @property
    def name(self) -> str:
        """Plain English, singular."""
        ...

    @property
    def colour(self) -> str:
        """Nearest colour name."""
        ...


class Sight(Protocol):
    """What is seen in a picture."""

    @property
    def people(self) -> Sequence[Any]:
        """``SeenPerson``, each with a face."""
        ...

    @property
    def things(self) -> Sequence[Any]:
        """``SeenThing``, one for each."""
        ...

    @property
    def place(self) -> str:
        """Plain English; empty where none is recognised."""
        ...

    @property
    def time_of_day(self) -> str:
        """``morning``, ``day``, ``sunset`` or ``night``."""
        ...


class Looker(Protocol):
    """Eyes, as the reader uses them."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        ...

    @property
    def person_threshold(self) -> float:
        """Cosine from which two faces are taken for one person's."""
        ...

    def look(self, pictures: Sequence[PictureReference], source: PictureSource) -> Sequence[Sight]:
        """Return what each of ``pictures`` shows."""
        ...


# What else everyday English calls a thing or place, or says of it.
_OTHER_WORDS: Final = {
    "bicycle": "bike cycle cycling",
    "telephone": "phone mobile smartphone",
    "television": "tv telly",
    "laptop": "computer notebook",
    "teddy bear": "teddy plush toy",
    "football": "soccer ball",
    "basketball": "ball",
    "clock": "alarm",
    "skateboard": "skating board",
    "dog": "puppy pup",
    "cat": "kitten kitty",
    "rabbit": "bunny hare",
    "horse": "pony foal",
    "chipmunk": "squirrel",
    "rooster": "cockerel chicken hen cock",
    "cow": "cattle calf",
    "pig": "piglet",
    "sheep": "lamb",
    "snail": "snails",
    "crab": "shellfish",
    "turtle": "tortoise",
    "parrot": "budgie bird",
    "owl": "bird",
    "duck": "duckling bird",
    "swan": "bird",
    "flamingo": "bird",
    "penguin": "bird",
    "mug": "cup",
    "gift": "present parcel",
    "car": "automobile",
    "backpack": "rucksack bag",
    "hat": "cap",
    "teapot": "kettle pot",
    "umbrella": "brolly",
    "drum": "drums",
    "violin": "fiddle",
    "beach": "seaside shore sand sea",
    "park": "parkland",
    "street": "town road city",
    "forest": "woods woodland",
    "mountains": "snow snowy mountain peaks slopes",
    "farm": "farmyard",
    "lake": "lakeside",
    "market": "stalls",
    "harbour": "harbor port docks marina quay",
    "playground": "swings slide",
    "campsite": "camp camping tents",
    "vineyard": "vines vine",
    "platform": "station railway train",
    "pool": "swimming swim",
    "waterfall": "falls",
    "stadium": "arena",
    "living room": "lounge sitting",
    "cafe": "café coffee shop",
    "classroom": "class school",
    "gym": "gymnasium fitness",
    "museum": "gallery exhibition",
    "workshop": "shed",
    "restaurant": "dining",
    "theatre": "theater stage",
    "supermarket": "grocery shop",
    "airport": "terminal",
    "office": "desk",
    "library": "bookshelves",
}
_TIMES: Final = {
    "morning": "morning dawn sunrise",
    "day": "day daytime",
    "sunset": "sunset dusk evening",
    "night": "night dark",
}


@functools.lru_cache(maxsize=2_000)
def _stems_of(words: str) -> frozenset[str]:
    return frozenset(content_stems(words))


def looks(name: str) -> frozenset[str]:
    """Return the stems that may name what is called ``name``, a thing or a place."""
    return _stems_of(f"{name} {_OTHER_WORDS.get(name, '')}")


@dataclass(frozen=True, slots=True, eq=False)
class LookedAt:
    """A picture in words, people aside. Compared by identity."""

    sight: Sight
    stems: frozenset[str]
    """Stems of all words that fit something in it."""
    thing_stems: frozenset[str]
    """The same for animals and objects alone, with their colours."""
    faces: npt.NDArray[np.float32]
    """Shape (people, dimensions); unit vectors."""

    def count_of(self, name: str) -> int:
        """Return how many things called ``name`` there are."""
        return sum(thing.name == name for thing in self.sight.things)


def looked_at(sight: Sight) -> LookedAt:
    """Return ``sight`` in words."""
    stems: set[str] = set()
    for thing in sight.things:
        stems |= looks(thing.name)
        stems |= _stems_of(thing.colour)
    things = frozenset(stems)
    if sight.place:
        stems |= looks(sight.place)
    faces = [np.asarray(person.face, dtype=np.float32) for person in sight.people]
    return LookedAt(
        sight,
        frozenset(stems),
        things,
        np.stack(faces) if faces else np.zeros((0, 1), dtype=np.float32),
    )


def time_words(sight: Sight) -> frozenset[str]:
    """Return the stems that name the light of ``sight``."""
    return frozenset(content_stems(_TIMES.get(sight.time_of_day, sight.time_of_day)))
