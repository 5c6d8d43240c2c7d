"""What the pictures of a conversation show, and which words go with them.

The draw, so that nothing about a picture tells of another and no count over pictures finds an answer:

- who is in an album picture: one, two or three (weights 6, 3, 1) of those introduced by a portrait, each as likely;
- things of an album picture: one, two or three (weights 3, 4, 3; with people five subjects at most, which makes eight
  figures at most). Half of the pictures have one coloured object; half of those with another thing have one of these
  two to four times. Things, colours, counts and places
  are dealt from shuffled decks, each used up before it is dealt again: every one comes equally often, and the
  pictures of a conversation show different ones;
- no album picture has things that people may wear or that belong to its place anyway (``WORN``, ``SCENERY``): one
  could not say for sure whether they are there;
- time of day and weather: each as likely, whatever the place;
- a picture of a fact shows the value and, beside things and places, nobody (weight 6) or one person introduced before
  (weight 4), whoever they are, nobody beside things to wear; where it does not matter the place is any in which no
  things belong, each as likely.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Generic, TypeVar, get_args

from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS, thing
from lifeloom.records import (
    Acquaintance,
    PersonLook,
    PicturePlan,
    PictureSubject,
    PlannedPicture,
    TimeOfDay,
    Weather,
)
from lifeloom.records.base import make_id
from lifeloom.synthesis.catalogue import Attribute
from lifeloom.synthesis.planning.board import FactDraft
from lifeloom.synthesis.probes.visual import SCENERY, WORN

__all__ = ["Album"]

_T = TypeVar("_T")
_PEOPLE = ((1, 2, 3), (6, 3, 1))
_THINGS = ((1, 2, 3), (3, 4, 3))
_COUNTS = (2, 3, 4)
_MOST_SUBJECTS = 5
_HALF = 0.5
_SOMEBODY = 0.4
_TIMES: tuple[TimeOfDay, ...] = get_args(TimeOfDay)
_PLAIN_PLACES = tuple(place.name for place in PLACES if place.name not in SCENERY)
_WEATHERS: tuple[Weather, ...] = get_args(Weather)


class _Deck(Generic[_T]):
    """Deals items in random order, all of them before any again."""

    def __init__(self, rng: random.Random, items: Sequence[_T]) -> None:
        self._rng = rng
        self._items = tuple(items)
        self._left: list[_T] = []

    def deal(self, apart_from: Collection[_T] = ()) -> _T:
        """Return the next item that is not one of ``apart_from``; those stay for later."""
        if not self._left:
            self._left = self._rng.sample(self._items, len(self._items))
        place = next((index for index, item in enumerate(self._left) if item not in apart_from), None)
        if place is None:
            self._left += self._rng.sample(self._items, len(self._items))
            return self.deal(apart_from)
        return self._left.pop(place)


class Album:
    """Plans the pictures of one conversation, from its first to its last."""

    def __init__(
        self, rng: random.Random, plan_id: str, looks: Mapping[str, PersonLook], handles: Sequence[str]
    ) -> None:
        """Shuffle all decks.

        Args:
            rng: the stream to draw from.
            plan_id: id of the plan, part of the pictures' ids.
            looks: by person id, of everyone who may appear.
            handles: names of events, as many as there will be album pictures or more.
        """
        self._rng = rng
        self._plan_id = plan_id
        self._looks = looks
        self._handles = _Deck(rng, handles)
        names = {coloured: [t.name for t in THINGS if t.coloured == coloured] for coloured in (False, True)}
        self._plain = _Deck(rng, [name for name in names[False] if name not in WORN])
        self._coloured = _Deck(rng, [name for name in names[True] if name not in WORN])
        self._colours = _Deck(rng, COLOURS)
        self._counts = _Deck(rng, _COUNTS)
        self._places = _Deck(rng, [item.name for item in PLACES])

    def portrait(self, turn: int, person: Acquaintance) -> PlannedPicture:
        """Plan the picture that introduces ``person``."""
        picture = PicturePlan(
            picture_id=self._id(turn), kind="portrait", subjects=(self._person(person),), seed=self._seed()
        )
        return PlannedPicture(role="portrait", picture=picture, person_id=person.person_id)

    def event(self, turn: int, known: Sequence[Acquaintance]) -> PlannedPicture:
        """Plan a picture from an event, with some of the people ``known`` by their portraits."""
        people = self._rng.sample(known, min(len(known), self._weighted(_PEOPLE)))
        place = self._places.deal()
        subjects = [*(self._person(person) for person in people), *self._things(len(people), place)]
        picture = self._scene(turn, subjects, place)
        return PlannedPicture(role="album", picture=picture, handle=self._handles.deal())

    def of_fact(
        self, turn: int, fact: FactDraft, attribute: Attribute, known: Sequence[Acquaintance]
    ) -> PlannedPicture:
        """Plan the picture that shows the value of ``fact``, a pictured one.

        Args:
            turn: where it stands.
            fact: whose value is shown.
            attribute: of the fact, as the plan uses it.
            known: people introduced by portraits before ``turn``; for bonds the one meant is among them.
        """
        place = self._rng.choice(_PLAIN_PLACES)
        subjects: list[PictureSubject] = []
        with_people = attribute.pictured in ("thing", "place") and fact.value not in WORN
        if with_people and known and self._rng.random() < _SOMEBODY:
            subjects.append(self._person(self._rng.choice(known)))
        if attribute.pictured == "thing":
            colour = self._rng.choice(COLOURS) if thing(fact.value).coloured else ""
            subjects.append(_thing(fact.value, colour))
        elif attribute.pictured == "colour":
            subjects.append(_thing(self._rng.choice(attribute.thing), fact.value))
        elif attribute.pictured == "place":
            place = fact.value
        else:
            subjects.append(self._person(next(person for person in known if person.name == fact.value)))
        picture = self._scene(turn, subjects, place)
        return PlannedPicture(role="statement", picture=picture, fact_id=fact.fact_id)

    def _things(self, people: int, place: str) -> list[PictureSubject]:
        barred = SCENERY.get(place, frozenset())
        wanted = min(self._weighted(_THINGS), _MOST_SUBJECTS - people)
        things = []
        if self._rng.random() < _HALF:
            things.append(_thing(self._coloured.deal(barred), self._colours.deal()))
        names: list[str] = []
        while len(things) + len(names) < wanted:
            names.append(self._plain.deal({*barred, *names}))
        counts = [1] * len(names)
        if names and self._rng.random() < _HALF:
            counts[0] = self._counts.deal()
        things += [_thing(name, "", count) for name, count in zip(names, counts, strict=True)]
        self._rng.shuffle(things)
        return things

    def _scene(self, turn: int, subjects: Sequence[PictureSubject], place: str) -> PicturePlan:
        return PicturePlan(
            picture_id=self._id(turn),
            kind="scene",
            place=place,
            time_of_day=self._rng.choice(_TIMES),
            weather=self._rng.choice(_WEATHERS),
            subjects=tuple(subjects),
            seed=self._seed(),
        )

    def _person(self, person: Acquaintance) -> PictureSubject:
        return PictureSubject(
            kind="person",
            name=person.name,
            identity=person.person_id,
            appearance=self._looks[person.person_id].appearance,
        )

    def _weighted(self, choice: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
        return self._rng.choices(*choice)[0]

    def _id(self, turn: int) -> str:
        return make_id("picture", self._plan_id, turn)

    def _seed(self) -> int:
        return self._rng.getrandbits(32)


def _thing(name: str, colour: str = "", count: int = 1) -> PictureSubject:
    return PictureSubject(kind=thing(name).kind, name=name, colour=colour, count=count)
