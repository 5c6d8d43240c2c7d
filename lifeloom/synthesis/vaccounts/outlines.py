"""Outlines of Vaccounts: who the owner is and who belongs to them (Life-Bench Section 3.2, "Seeds Preparation")."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lifeloom.records import RelativeSeed
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import GIVEN_NAMES
from lifeloom.synthesis.catalogue.life_people import CAREERS, PET_NAMES, PETS, RELATIONS_OF_LIVES, KinRelation

__all__ = ["VaccountOutline", "draw_outline", "slug"]

_OWNER_AGES = (24, 72)
_PET_CHANCE = 0.5
_OLDEST = 96
_ID_LENGTH = 24
"""Two names and a number fit into an id."""
_ELDERS = {
    **dict.fromkeys(("mother", "father", "aunt", "uncle"), ("grandmother", "grandfather")),
    **dict.fromkeys(("sister", "brother"), ("mother", "father")),
    **dict.fromkeys(("grandson", "granddaughter"), ("son", "daughter")),
}
"""Whose child somebody is, or may be, among the owner's relatives."""
_GENERATION = 18
"""Least years between parent and child."""


@dataclass(frozen=True)
class VaccountOutline:
    """A Vaccount before a word is written."""

    name: str
    age: int
    career: str
    relatives: tuple[RelativeSeed, ...]

    @property
    def vaccount_id(self) -> str:
        """The owner's name as an id."""
        return slug(self.name)


def slug(name: str) -> str:
    """Return a name as an id of at most 24 characters: ASCII letters and digits, the rest as hyphens.

    ``x`` where nothing is left.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).lstrip("-")[:_ID_LENGTH].rstrip("-") or "x"


def draw_outline(
    streams: Streams, number: int, *, concepts: tuple[int, int] = (3, 5), taken: Collection[str] = ()
) -> VaccountOutline:
    """Draw the owner and the relatives of Vaccount ``number``; ages fit the relations.

    Args:
        streams: the seed's random streams.
        number: which Vaccount; it depends on nothing but the seed, this number and ``taken``.
        concepts: least and most concepts, the owner included.
        taken: ids of Vaccounts that there are; their owners' names are not drawn.

    Raises:
        ValueError: all names are taken, or more relatives are asked for than there are kinds of.
    """
    rng = streams.rng("vaccount outline", number)
    free = [name for name in GIVEN_NAMES if slug(name) not in taken]
    if not free:
        raise ValueError(f"all {len(GIVEN_NAMES)} names of owners are taken: make fewer Vaccounts")
    name = rng.choice(free)
    age = rng.randint(*_OWNER_AGES)
    wanted = rng.randint(*concepts) - 1
    names = {name}
    relatives: list[RelativeSeed] = []
    if wanted > 1 and rng.random() < _PET_CHANCE:
        species = rng.choice(PETS)
        relatives.append(
            RelativeSeed(name=_name(rng, PET_NAMES, names), relation=species, kind="animal", age=rng.randint(1, 12))
        )
    used: dict[str, int] = {}
    while len(relatives) < wanted:
        fitting = [one for one in RELATIONS_OF_LIVES if one.name not in used and _ages(one, age, used)]
        if not fitting:
            raise ValueError(f"an owner of {age} has no {wanted} relatives of different kinds: ask for fewer concepts")
        kin = rng.choice(fitting)
        ages = _ages(kin, age, used)
        used[kin.name] = rng.randint(ages[0], ages[-1])
        relatives.append(
            RelativeSeed(name=_name(rng, GIVEN_NAMES, names), relation=kin.name, kind="person", age=used[kin.name])
        )
    relatives.sort(key=lambda one: one.kind == "animal")
    return VaccountOutline(name, age, rng.choice(CAREERS), tuple(relatives))


def _ages(kin: KinRelation, owner: int, others: Mapping[str, int]) -> range:
    """Return the ages that such a relative of an owner of age ``owner`` can have beside the other relatives."""
    low, high = max(owner + kin.ages[0], 2), min(owner + kin.ages[1], _OLDEST)
    for name, age in others.items():
        if name in _ELDERS.get(kin.name, ()):
            high = min(high, age - _GENERATION)
        if kin.name in _ELDERS.get(name, ()):
            low = max(low, age + _GENERATION)
    return range(low, high + 1)


def _name(rng: random.Random, names: Collection[str], used: set[str]) -> str:
    """Return a name that begins like none of those used: a slip of the pen must not turn one into another."""
    initials = {name[:2] for name in used}
    name = rng.choice([one for one in names if one[:2] not in initials])
    used.add(name)
    return name
