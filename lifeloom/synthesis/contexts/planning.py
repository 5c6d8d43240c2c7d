"""Planning interleaved contexts: which pictures go with a query picture, and what the user tells of each (C4, C3)."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.records import (
    DIALOGUE_FACTS,
    ConceptDialoguePlan,
    DialogueFact,
    DialogueFactKind,
    Edition,
    LibraryImage,
    Rejection,
    ScenePlan,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import GIVEN_NAMES
from lifeloom.synthesis.catalogue.dialogue_facts import PET_NAMES, draw_value, free_handles
from lifeloom.synthesis.contexts.nearest import NearestPictures

__all__ = ["OPTIONS", "TOO_FEW_NEGATIVES", "PlannedContext", "PlannedEntry", "plan_context"]

TOO_FEW_NEGATIVES = "too_few_negatives"
"""Reason of a rejection: the library does not have enough pictures of others."""

OPTIONS = 2
"""Wrong options of a question (Appendix B)."""
_TRIES = 200
"""Draws of a value that nothing in the context says yet."""
_SPREADS = ((2, 2, 1), (2, 1, 2), (1, 2, 2))
"""Facts that each of the three turns states."""
_AHEAD = 8
"""Pictures looked up beyond those needed, since some show an identity that is there already."""


class _ValuesUsedUp(Exception):
    """Every value of a kind is told in the context already, or names what is shown."""


@dataclass(frozen=True)
class PlannedEntry:
    """A picture of a context, and what the user tells of it."""

    image: LibraryImage
    positive: bool
    plan: ConceptDialoguePlan


@dataclass(frozen=True)
class PlannedContext:
    """A query picture's context, shuffled."""

    scene: ScenePlan
    entries: tuple[PlannedEntry, ...]


def plan_context(
    scene: ScenePlan,
    pool: Mapping[str, LibraryImage],
    nearest: NearestPictures,
    streams: Streams,
    *,
    negatives: int,
    ends_on: dt.date,
    stage: str,
) -> PlannedContext | Rejection:
    """Plan the context of a query picture: its concepts and, for each, the nearest pictures of others.

    A negative is never of an identity that the query picture shows, nor of one that is there already. Every entry gets
    a dialogue with a handle and five facts of its own; wrong options are values of the same kind, one of them told of
    another entry, so that a caption which tells the wrong dialogue is caught. No value and no option names anything
    that a picture shows, so that pictures alone speak for none of them.

    Args:
        scene: the query picture.
        pool: pictures that may be in the context, by id.
        nearest: the same pictures by their vectors.
        streams: the profile's.
        negatives: for each concept.
        ends_on: the last day that dialogues tell of.
        stage: whose rejection it is.
    """
    if any(one not in pool for one in scene.image_ids):
        strange = ", ".join(one for one in scene.image_ids if one not in pool)
        return Rejection(stage=stage, item=scene.scene_id, reason="concept_not_in_library", detail=strange[:500])
    shown = {*scene.identities, *(pool[one].identity for one in scene.image_ids)}
    chosen: list[tuple[LibraryImage, bool]] = [(pool[one], True) for one in scene.image_ids]
    for image_id in scene.image_ids:
        own = _look_alikes(image_id, pool, nearest, shown, negatives)
        if len(own) < negatives:
            detail = f"{image_id} has {len(own)} possible negatives of {negatives}: the library is too small"
            return Rejection(stage=stage, item=scene.scene_id, reason=TOO_FEW_NEGATIVES, detail=detail)
        shown.update(one.identity for one in own)
        chosen += [(one, False) for one in own]
    rng = streams.rng("context", scene.scene_id)
    rng.shuffle(chosen)
    try:
        plans = _dialogues(scene, [image for image, _ in chosen], rng, ends_on)
    except _ValuesUsedUp as error:
        return Rejection(stage=stage, item=scene.scene_id, reason="values_used_up", detail=str(error))
    entries = tuple(PlannedEntry(image, positive, plan) for (image, positive), plan in zip(chosen, plans, strict=True))
    return PlannedContext(scene, entries)


def _look_alikes(
    image_id: str, pool: Mapping[str, LibraryImage], nearest: NearestPictures, shown: Collection[str], count: int
) -> list[LibraryImage]:
    """Return the ``count`` nearest pictures of different identities, none of ``shown``; all where there are fewer."""
    asked = count + len(shown) + _AHEAD
    while True:
        ids = nearest.of(image_id, asked)
        found: dict[str, LibraryImage] = {}
        for one in (pool[name] for name in ids):
            if one.identity not in shown:
                found.setdefault(one.identity, one)
        if len(found) >= count or len(ids) < asked:
            return list(found.values())[:count]
        asked *= 4


def _dialogues(
    scene: ScenePlan, images: Sequence[LibraryImage], rng: random.Random, ends_on: dt.date
) -> list[ConceptDialoguePlan]:
    edition = scene.edition
    handles = _handles(images, edition, rng)
    avoid = _words([*handles, *(one.noun for one in images), scene.place, scene.further])
    values: dict[DialogueFactKind, list[str]] = {
        kind: _different(kind, len(images), edition, ends_on, rng, avoid) for kind in DIALOGUE_FACTS
    }
    plans = []
    for index, (image, handle) in enumerate(zip(images, handles, strict=True)):
        kinds = list(DIALOGUE_FACTS)
        rng.shuffle(kinds)
        turns = [turn for turn, count in enumerate(rng.choice(_SPREADS)) for _ in range(count)]
        facts = []
        for kind, turn in zip(kinds, turns, strict=True):
            own = values[kind][index]
            facts.append(
                DialogueFact(
                    kind=kind,
                    value=own,
                    options=_options(kind, own, values[kind], edition, ends_on, rng, avoid),
                    turn=turn,
                )
            )
        plans.append(
            ConceptDialoguePlan(
                dialogue_id=f"{scene.scene_id}-c{index}",
                sample_id=scene.scene_id,
                image_id=image.image_id,
                handle=handle,
                edition=edition,
                facts=tuple(facts),
            )
        )
    return plans


def _handles(images: Sequence[LibraryImage], edition: Edition, rng: random.Random) -> list[str]:
    """Return what the user calls each picture's concept, all different: names, or whose gift a thing was."""
    people = free_handles(GIVEN_NAMES, (), edition)
    pets = free_handles(PET_NAMES, people, edition)
    rng.shuffle(people)
    rng.shuffle(pets)
    found = []
    for image in images:
        if image.category == "human":
            found.append(people.pop())
        elif image.category == "animal":
            found.append(pets.pop() if pets else people.pop())
        else:
            found.append(f"the {image.noun.split()[-1]} from {people.pop()}")
    return found


def _words(names: Iterable[str]) -> frozenset[str]:
    """Return the words of names, each also as the plural that values have it in; "the" and "from" are none."""
    words = {word for name in names for word in name.lower().split()} - {"the", "from"}
    return frozenset(words | {f"{word}s" for word in words})


def _different(
    kind: DialogueFactKind, count: int, edition: Edition, ends_on: dt.date, rng: random.Random, avoid: Collection[str]
) -> list[str]:
    """Draw values that differ from each other in what tells them apart, none with a word of ``avoid``."""
    found: list[str] = []
    for _ in range(count):
        found.append(_one_more(kind, found, edition, ends_on, rng, avoid))
    return found


def _one_more(
    kind: DialogueFactKind,
    there: Sequence[str],
    edition: Edition,
    ends_on: dt.date,
    rng: random.Random,
    avoid: Collection[str],
) -> str:
    for _ in range(_TRIES):
        value = draw_value(kind, edition, ends_on, rng)
        if not any(word in avoid for word in value.lower().split()) and not any(
            _alike(kind, value, one) for one in there
        ):
            return value
    raise _ValuesUsedUp(f"no {kind} is left after {len(there)}: ask for fewer negatives")


def _alike(kind: DialogueFactKind, one: str, other: str) -> bool:
    """Return whether two values could be taken for each other: the same day, person, thing or place's name."""
    if kind == "time":
        return one.split(" at ", maxsplit=1)[0] == other.split(" at ", maxsplit=1)[0]
    if kind == "companion":
        return one.rsplit(maxsplit=1)[-1] == other.rsplit(maxsplit=1)[-1]
    if kind == "object":
        return one == other
    return one.lower() == other.lower()


def _options(
    kind: DialogueFactKind,
    own: str,
    told: Sequence[str],
    edition: Edition,
    ends_on: dt.date,
    rng: random.Random,
    avoid: Collection[str],
) -> tuple[str, ...]:
    """Return wrong options: one told of another entry where there is one, the others told nowhere in the context."""
    others = [one for one in told if one != own]
    found = [rng.choice(others)] if others else []
    while len(found) < OPTIONS:
        found.append(_one_more(kind, [*told, *found], edition, ends_on, rng, avoid))
    rng.shuffle(found)
    if kind == "time":  # all with the time of day, or all without, so that its shape gives none away
        found = [_shaped(one, own, rng) for one in found]
    return tuple(found)


def _shaped(option: str, like: str, rng: random.Random) -> str:
    day, _, clock = option.partition(" at ")
    if " at " not in like:
        return day
    return f"{day} at {clock or f'{rng.randrange(7, 23)}:' + rng.choice(('00', '15', '30', '45'))}"
