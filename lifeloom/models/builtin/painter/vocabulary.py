"""What the built-in image maker can draw: things, colours and places, by plain English names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

__all__ = ["ANIMALS", "COATS", "COLOURS", "OBJECTS", "PLACES", "THINGS", "Place", "Thing", "place", "thing"]

COLOURS: tuple[str, ...] = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black")
"""Colours of things that come in colours; far enough apart to be told in every light."""


COATS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "dog": ("black", "grey"),
        "cat": ("black", "grey"),
        "rabbit": ("brown",),
        "horse": ("black", "grey"),
        "goat": ("black", "brown"),
        "duck": ("brown",),
    }
)
"""Coats of animals beside the one that they come in."""


@dataclass(frozen=True)
class Thing:
    """An animal or object."""

    name: str
    """Singular, without an article: ``bicycle``."""
    plural: str
    kind: Literal["animal", "object"]
    coloured: bool = False
    """Whether it comes in every one of ``COLOURS``."""

    @property
    def with_article(self) -> str:
        """``a bicycle``, ``an owl``."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"


@dataclass(frozen=True)
class Place:
    """Where a scene is set."""

    name: str
    """Id and word: ``beach``, ``living room``."""
    phrase: str
    """How one says to be there: ``at the beach``."""
    outdoor: bool


def _things(kind: Literal["animal", "object"], names: str, coloured: bool = False) -> list[Thing]:
    found = []
    for entry in names.split():
        singular, _, plural = entry.replace("_", " ").partition("/")
        found.append(Thing(singular, plural or f"{singular}s", kind, coloured))
    return found


ANIMALS: tuple[Thing, ...] = tuple(
    _things(
        "animal",
        "dog cat horse cow pig sheep/sheep goat rabbit mouse/mice elephant giraffe tiger monkey snake turtle snail "
        "rooster duck owl penguin parrot flamingo hedgehog chipmunk camel "
        "kangaroo crab butterfly/butterflies swan crocodile",
    )
)
OBJECTS: tuple[Thing, ...] = (
    *_things(
        "object",
        "guitar violin trumpet drum bicycle football basketball book laptop telephone camera television clock cake "
        "pizza apple banana key skateboard ladder broom teddy_bear",
    ),
    *_things("object", "umbrella balloon backpack hat kite gift teapot chair tent car mug scarf/scarves", True),
)
THINGS: tuple[Thing, ...] = (*ANIMALS, *OBJECTS)


def _places(outdoor: bool, lines: str) -> list[Place]:
    return [
        Place(name.strip(), phrase.strip(), outdoor)
        for name, phrase in (line.split("=") for line in lines.strip().splitlines())
    ]


PLACES: tuple[Place, ...] = (
    *_places(
        True,
        """
            park = in the park
            beach = at the beach
            street = in a street in town
            forest = in the forest
            mountains = in the snowy mountains
            farm = on a farm
            lake = by the lake
            desert = in the desert
            garden = in a garden
            market = at the market
            harbour = in the harbour
            playground = at the playground
            campsite = at the campsite
            vineyard = in a vineyard
            platform = on a station platform
            pool = at the swimming pool
            waterfall = by the waterfall
            stadium = in the stadium
            """,
    ),
    *_places(
        False,
        """
            living room = in a living room
            kitchen = in a kitchen
            classroom = in a classroom
            library = in the library
            office = in an office
            cafe = in a cafe
            gym = in the gym
            bedroom = in a bedroom
            museum = in the museum
            workshop = in a workshop
            restaurant = in a restaurant
            theatre = in the theatre
            supermarket = in the supermarket
            airport = at the airport
            """,
    ),
)


def thing(name: str) -> Thing:
    """Return the thing called ``name``.

    Raises:
        KeyError: there is no such thing.
    """
    return _THING_BY_NAME[name]


def place(name: str) -> Place:
    """Return the place called ``name``.

    Raises:
        KeyError: there is no such place.
    """
    return _PLACE_BY_NAME[name]


_THING_BY_NAME = {item.name: item for item in THINGS}
_PLACE_BY_NAME = {item.name: item for item in PLACES}
