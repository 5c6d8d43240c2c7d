"""The project's own image library: people, objects and animals, drawn one picture an identity (S3).

The paper's library holds 188 pictures of as many identities: 123 people, 34 objects, 31 pets; and, for the diagnostic
tasks, 50 people with four pictures each (CoViP Appendix D). Shares and numbers here are those. The paper says that no
identity occurs twice in its library, and not whether training and test draw on the same identities. Here an identity is
for training or for benchmarks, about two to one within each category, since a captioner that has been trained on the
very people that it is asked about shows its memory of them and not that it can read a context.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.painter import TooAlike, WantedPerson, draw_people
from lifeloom.models.builtin.painter.vocabulary import ANIMALS, COATS, COLOURS, OBJECTS
from lifeloom.models.protocol import PictureNotDrawn
from lifeloom.records import (
    Age,
    Appearance,
    IdentityLook,
    LibraryCategory,
    LibraryImage,
    LibraryUse,
    PicturePlan,
    PictureReference,
    PictureSubject,
    Provenance,
    Rejection,
    Split,
    TimeOfDay,
)
from lifeloom.streams import Streams, stable_hash
from lifeloom.synthesis.illustrating import DrawMany
from lifeloom.synthesis.seeds import SeedError

__all__ = [
    "LICENCE",
    "PAPER_IDENTITIES",
    "PICTURES_A_PERSON",
    "STAGE",
    "DrawnLibraryImage",
    "LibraryOrder",
    "PlannedLibraryImage",
    "TooManyIdentities",
    "draw_library",
    "plan_library",
]

STAGE = "seeds/image_library"
PAPER_IDENTITIES: dict[LibraryCategory, int] = {"human": 123, "object": 34, "animal": 31}
"""Identities of the paper's library by category (Appendix D)."""
PICTURES_A_PERSON = 4
"""Of a diagnostic person: one is asked about, three are in the context."""
LICENCE = "people: avataaars, free for personal and commercial use; animals and objects: OpenMoji, CC BY-SA 4.0"
_TRAINING_SHARE = 2 / 3
"""Of the identities; the paper has 2.8k and 1.3k query pictures."""
_COLOURED_SHARE = 0.6
"""Of the objects: things that come in colours, several colours of one thing being look-alikes."""
_LOOK_ALIKES = 3
"""Colours in which one thing comes."""
_AGES: tuple[Age, ...] = ("grown", "grown", "grown", "young", "old")
_PEOPLE_APART = 2.0
_TIMES: tuple[TimeOfDay, ...] = ("day", "morning", "sunset", "night")
_PLACES = ("park", "beach", "street", "living room", "kitchen", "library", "cafe", "garden", "office", "museum", "lake")
"""Where diagnostic people are shown beside plain grounds."""


class TooManyIdentities(SeedError):
    """The built-in image maker cannot draw so many people or things that can be told apart."""

    def __init__(self, category: LibraryCategory, wanted: int, most: int) -> None:
        super().__init__(
            f"the built-in library can hold {most} identities of the category {category!r}, not {wanted}: lower "
            "captions.identities or captions.diagnostic_people, or bring a library of your own (captions.library)"
        )


@dataclass(frozen=True)
class LibraryOrder:
    """What the library is to hold."""

    identities: int = sum(PAPER_IDENTITIES.values())
    """With one picture each, by category in the paper's shares."""
    diagnostic_people: int = 50
    """With four pictures each."""


@dataclass(frozen=True)
class PlannedLibraryImage:
    """One picture of the library before it is drawn."""

    image_id: str
    identity: str
    category: LibraryCategory
    noun: str
    use: LibraryUse
    split: Split
    subject: PictureSubject
    picture: PicturePlan


@dataclass(frozen=True)
class DrawnLibraryImage:
    """A picture of the library, or the reason why there is none."""

    image: LibraryImage | None
    look: IdentityLook
    rejection: Rejection | None = None


def plan_library(order: LibraryOrder, streams: Streams) -> tuple[PlannedLibraryImage, ...]:
    """Plan the pictures: those for captioning by category, then those of the diagnostic people.

    The same order and seed give the same plans.

    Raises:
        TooManyIdentities: there are not as many people, objects or animals that can be told apart.
    """
    counts = shares(order.identities)
    rng = streams.rng("image_library", "people")
    ages = [WantedPerson(age=rng.choice(_AGES)) for _ in range(counts["human"] + order.diagnostic_people)]
    try:
        people = draw_people(rng, ages, min_distance=_PEOPLE_APART)
    except TooAlike as error:
        raise TooManyIdentities("human", len(ages), error.found) from error
    looks: dict[LibraryCategory, list[tuple[str, PictureSubject]]] = {
        "human": [
            ("person", _person(_identity("human", number), one)) for number, one in enumerate(people[: counts["human"]])
        ],
        "object": _things("object", counts["object"], streams.rng("image_library", "objects")),
        "animal": _things("animal", counts["animal"], streams.rng("image_library", "animals")),
    }
    planned = [one for category, own in looks.items() for one in _portraits(category, own, streams)]
    for number, appearance in enumerate(people[counts["human"] :]):
        identity = f"lib-diagnostic-{number:02d}"
        subject = _person(identity, appearance)
        planned += _looks_of_one(identity, subject, streams)
    return tuple(planned)


def shares(identities: int) -> dict[LibraryCategory, int]:
    """Return how many identities of each category ``identities`` are, in the paper's shares, by largest remainder."""
    total = sum(PAPER_IDENTITIES.values())
    exact = {category: identities * count / total for category, count in PAPER_IDENTITIES.items()}
    found = {category: int(count) for category, count in exact.items()}
    by_rest = sorted(exact, key=lambda category: (found[category] - exact[category], category))
    for category in by_rest[: identities - sum(found.values())]:
        found[category] += 1
    return found


def draw_library(
    planned: Sequence[PlannedLibraryImage], draw_many: DrawMany, put: Callable[[bytes], str], made_by: Provenance
) -> Iterator[DrawnLibraryImage]:
    """Draw every picture, in order.

    Args:
        planned: what to draw.
        draw_many: the image maker, several plans at once.
        put: keeps a file and returns its SHA-256.
        made_by: the image maker.
    """
    for one, given in zip(planned, draw_many(plan.picture for plan in planned), strict=True):
        look = IdentityLook(identity=one.identity, subject=one.subject)
        if isinstance(given, PictureNotDrawn):
            rejection = Rejection(stage=STAGE, item=one.image_id, reason="picture_not_drawn", detail=given.reason[:500])
            yield DrawnLibraryImage(None, look, rejection)
            continue
        image = LibraryImage(
            image_id=one.image_id,
            identity=one.identity,
            category=one.category,
            noun=one.noun,
            use=one.use,
            split=one.split,
            picture=PictureReference(content_hash=put(given.data), width=given.width, height=given.height),
            licence=LICENCE,
            source="builtin",
            made_by=made_by,
        )
        yield DrawnLibraryImage(image, look)


def _identity(category: LibraryCategory, number: int) -> str:
    return f"lib-{category}-{number:03d}"


def _person(identity: str, appearance: Appearance) -> PictureSubject:
    return PictureSubject(kind="person", name="person", identity=identity, appearance=appearance)


def _things(kind: LibraryCategory, count: int, rng: random.Random) -> list[tuple[str, PictureSubject]]:
    """Return ``count`` different animals or objects: look-alikes in other colours among them."""
    choices = _animals(rng) if kind == "animal" else _objects(rng, count)
    if count > len(choices):
        raise TooManyIdentities(kind, count, len(choices))
    found = []
    for number, (name, colour) in enumerate(choices[:count]):
        subject = PictureSubject(
            kind="animal" if kind == "animal" else "object", name=name, colour=colour, identity=_identity(kind, number)
        )
        found.append((f"{colour} {name}".strip(), subject))
    return found


def _animals(rng: random.Random) -> list[tuple[str, str]]:
    choices = [(one.name, coat) for one in ANIMALS for coat in ("", *COATS.get(one.name, ()))]
    rng.shuffle(choices)
    # Look-alikes first, so that a small library has some too; those whose usual coat is named beside them.
    pairs = [one for one in choices if one[0] in COATS]
    others = [one for one in choices if one[0] not in COATS]
    mixed = []
    while pairs or others:
        mixed += [pairs.pop()] if pairs else []
        mixed += [others.pop() for _ in range(2) if others]
    return mixed


def _objects(rng: random.Random, count: int) -> list[tuple[str, str]]:
    plain = [(one.name, "") for one in OBJECTS if not one.coloured]
    kinds = [one.name for one in OBJECTS if one.coloured]
    rng.shuffle(plain)
    rng.shuffle(kinds)
    coloured = [(name, colour) for name in kinds for colour in rng.sample(COLOURS, _LOOK_ALIKES)]
    taken = min(len(coloured), max(round(_COLOURED_SHARE * count), count - len(plain)))
    found = coloured[:taken] + plain[: count - taken]
    rng.shuffle(found)
    return found


def _portraits(
    category: LibraryCategory, looks: Sequence[tuple[str, PictureSubject]], streams: Streams
) -> Iterator[PlannedLibraryImage]:
    """Yield one picture of each identity of a category, two thirds of them for training."""
    identities = [subject.identity for _, subject in looks]
    ranked = sorted(identities, key=lambda one: stable_hash("image_library", streams.seed, one))
    training = min(max(1, round(_TRAINING_SHARE * len(ranked))), max(1, len(ranked) - 1))
    train = frozenset(ranked[:training])
    for noun, subject in looks:
        rng = streams.rng("image_library", subject.identity)
        yield PlannedLibraryImage(
            image_id=subject.identity,
            identity=subject.identity,
            category=category,
            noun=noun,
            use="captioning",
            split="train" if subject.identity in train else "benchmark",
            subject=subject,
            picture=PicturePlan(
                picture_id=subject.identity, kind="portrait", subjects=(subject,), seed=rng.randrange(2**31)
            ),
        )


def _looks_of_one(identity: str, subject: PictureSubject, streams: Streams) -> Iterator[PlannedLibraryImage]:
    """Yield four pictures of one person: other moods, clothes, light and grounds."""
    rng = streams.rng("image_library", identity)
    places = ["", *rng.sample(_PLACES, PICTURES_A_PERSON - 1)]
    rng.shuffle(places)
    times = rng.sample(_TIMES, PICTURES_A_PERSON)
    for number, (place, time) in enumerate(zip(places, times, strict=True)):
        image_id = f"{identity}-{number}"
        yield PlannedLibraryImage(
            image_id=image_id,
            identity=identity,
            category="human",
            noun="person",
            use="diagnostic",
            split="benchmark",
            subject=subject,
            picture=PicturePlan(
                picture_id=image_id,
                kind="scene" if place else "portrait",
                place=place,
                time_of_day=time,
                subjects=(subject,),
                seed=rng.randrange(2**31),
            ),
        )
