"""Planning query pictures: who is in them, where, doing what (C1, CoViP Section 3.2.1).

Every scene depends on the library, the seed, the partition and its number alone, so that one can be made again without
the others. Identities are dealt like cards, round after round, so that nobody is in many more scenes than others.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.painter.vocabulary import THINGS, place, thing
from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.records import (
    Edition,
    IdentityLook,
    LibraryImage,
    PicturePlan,
    PictureSubject,
    ScenePlan,
    Split,
    TimeOfDay,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.scenarios import SCENARIOS, Scenario
from lifeloom.synthesis.seeds import SeedError

__all__ = ["MOST_CONCEPTS", "LibraryUnfit", "SceneOrder", "concept_phrase", "plan_scenes", "pool_of"]

MOST_CONCEPTS = 4
"""Concepts of a query picture (Section 3.2.1)."""
_FURTHER_SHARE = 0.5
"""Of the scenes that get one thing more, which is no concept."""
_TIME_WORDS: Mapping[TimeOfDay, str] = {
    "day": "in daylight", "morning": "in the morning", "sunset": "at sunset", "night": "at night",
}  # fmt: skip


class LibraryUnfit(SeedError):
    """No query picture can be made from the library. The message says why and what to do."""


@dataclass(frozen=True)
class SceneOrder:
    """How many query pictures of whom."""

    partition: str
    """Shard or date: first part of their ids."""
    edition: Edition
    split: Split
    wanted: int
    """After the filter."""
    spare: float = 0.15
    """Scenes planned beyond those wanted, as a share of them."""
    disjoint: bool = True
    """Whether only identities of ``split`` are in them."""

    @property
    def planned(self) -> int:
        """Scenes to be planned."""
        return math.ceil(self.wanted * (1 + self.spare))


def pool_of(library: Sequence[LibraryImage], split: Split, *, disjoint: bool) -> list[LibraryImage]:
    """Return the pictures that query pictures and contexts of ``split`` may use, by id."""
    own = [one for one in library if one.use == "captioning" and (one.split == split or not disjoint)]
    return sorted(own, key=lambda one: one.image_id)


def plan_scenes(
    order: SceneOrder, library: Sequence[LibraryImage], looks: Mapping[str, IdentityLook], streams: Streams
) -> list[ScenePlan]:
    """Plan query pictures with one to four concepts, as many of each.

    Args:
        order: how many, of whom.
        library: all of it.
        looks: identity to how the built-in image maker draws it; identities without any need a maker of captions.
        streams: the profile's.

    Raises:
        LibraryUnfit: the library has no picture of the split.
    """
    pool = pool_of(library, order.split, disjoint=order.disjoint)
    if not order.wanted:
        return []
    if not pool:
        raise LibraryUnfit(
            f"the image library has no picture for captioning of the split {order.split!r}, so no query picture can "
            'be made: add identities, or set captions.identity_split = "shared"'
        )
    pictures: dict[str, list[LibraryImage]] = defaultdict(list)
    for one in pool:
        pictures[one.identity].append(one)
    elsewhere = {one.noun.split()[-1] for one in library if one.use == "captioning"}
    further = [one.name for one in THINGS if one.name.split()[-1] not in elsewhere]
    plans = []
    for number in range(order.planned):
        scene_id = f"{order.partition}-s{number:04d}"
        rng = streams.rng("scene", scene_id)
        chosen = [rng.choice(pictures[one]) for one in _dealt(list(pictures), number, order.partition, streams)]
        plans.append(_plan(scene_id, order, chosen, further, looks, rng))
    return plans


def _dealt(identities: Sequence[str], number: int, partition: str, streams: Streams) -> list[str]:
    """Return who is in scene ``number``.

    A block of four scenes has one with each number of concepts, in an order of its own. Identities are dealt from all
    of them shuffled, then from all of them shuffled anew, and so on.
    """
    block = list(range(1, MOST_CONCEPTS + 1))
    streams.rng("scene_concepts", partition, number // MOST_CONCEPTS).shuffle(block)
    sizes = [min(concepts, len(identities)) for concepts in block]
    before, wanted = sum(sizes[: number % MOST_CONCEPTS]), sizes[number % MOST_CONCEPTS]
    turn, place = divmod(number // MOST_CONCEPTS * sum(sizes) + before, len(identities))
    dealt: list[str] = []
    while len(dealt) < wanted:
        cards = list(identities)
        streams.rng("scene_identities", partition, turn).shuffle(cards)
        # Whoever is dealt twice to one scene, at the end of a round and in the next, sits out.
        dealt += [one for one in cards[place:] if one not in dealt][: wanted - len(dealt)]
        turn, place = turn + 1, 0
    return dealt


def concept_phrase(noun: str, number: int) -> str:
    """Return how an instruction speaks of a concept: ``the person of picture 1``."""
    return f"the {noun} of picture {number}"


def _plan(
    scene_id: str,
    order: SceneOrder,
    chosen: Sequence[LibraryImage],
    others: Sequence[str],
    looks: Mapping[str, IdentityLook],
    rng: random.Random,
) -> ScenePlan:
    scenario = rng.choice(for_edition(SCENARIOS, order.edition))
    where, time = rng.choice(scenario.places), rng.choice(scenario.times)
    further = rng.choice(others) if others and rng.random() < _FURTHER_SHARE else ""
    subjects = [looks[one.identity].subject for one in chosen if one.identity in looks]
    picture = None
    if len(subjects) == len(chosen):
        picture = PicturePlan(
            picture_id=scene_id,
            kind="scene",
            place=where,
            time_of_day=time,
            subjects=(*subjects, *([PictureSubject(kind=thing(further).kind, name=further)] if further else [])),
            seed=rng.randrange(2**31),
        )
    return ScenePlan(
        scene_id=scene_id,
        split=order.split,
        edition=order.edition,
        scenario=scenario.name,
        instruction=_instruction(scenario, where, time, chosen, further),
        image_ids=tuple(one.image_id for one in chosen),
        identities=tuple(one.identity for one in chosen),
        place=where,
        further=further,
        picture=picture,
    )


def _instruction(scenario: Scenario, where: str, time: TimeOfDay, chosen: Sequence[LibraryImage], further: str) -> str:
    """Put a scene into words."""
    named = [(one, concept_phrase(one.noun, number)) for number, one in enumerate(chosen, start=1)]
    people = [phrase for one, phrase in named if one.category == "human"]
    others = [phrase for one, phrase in named if one.category != "human"]
    moment = f"{place(where).phrase}, {_TIME_WORDS[time]}"
    if people:
        said = f"{_joined(people)} {'is' if len(people) == 1 else 'are'} {scenario.people} {moment}"
        said += f", with {_joined(others)} beside them" if others else ""
    else:
        said = f"{_joined(others)} {'is' if len(others) == 1 else 'are'} {scenario.others} {moment}"
    also = f" There is also {thing(further).with_article}." if further else ""
    return f"{said[0].upper()}{said[1:]}.{also}"


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
