"""Plans of pictures to fit and to measure on: every content, place, light and crowd that a data set may ask for."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, get_args

from lifeloom.models.builtin.painter.people import WantedPerson, draw_people
from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS
from lifeloom.records import Age, Appearance, PicturePlan, PictureSubject, TimeOfDay, Weather
from lifeloom.streams import Streams

_T = TypeVar("_T")

__all__ = ["HELD_PLACES", "HELD_TIME", "Mix", "fitted_places", "fitted_times", "library", "plan_pictures"]

HELD_PLACES: tuple[str, ...] = ("lake", "vineyard", "stadium", "bedroom", "supermarket", "theatre")
"""Places in which the detector is measured and on which it is never fitted."""
HELD_TIME: TimeOfDay = "sunset"
"""The light in which the detector is measured and on which it is never fitted."""

_AGES: tuple[Age, ...] = ("grown", "grown", "grown", "grown", "young", "old")
_PEOPLE_IN_A_SCENE = (0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4)
_THINGS_IN_A_SCENE = (0, 1, 1, 1, 2, 2, 3)
_COPIES = (1, 1, 1, 1, 1, 1, 2, 3, 4, 5)
_MOST_STANDING = 9  # subjects with all their copies; a crowd beyond that hides itself


def fitted_places() -> tuple[str, ...]:
    """Return the places that the detector is fitted on."""
    return tuple(place.name for place in PLACES if place.name not in HELD_PLACES)


def fitted_times() -> tuple[TimeOfDay, ...]:
    """Return the times of day that the detector is fitted on."""
    return tuple(time for time in get_args(TimeOfDay) if time != HELD_TIME)


def library(streams: Streams, name: str, count: int, min_distance: float = 2.0) -> tuple[Appearance, ...]:
    """Draw ``count`` people, ``min_distance`` or more apart, from the stream ``name``."""
    rng = streams.rng("seeing", "people", name)
    return draw_people(rng, [WantedPerson(rng.choice(_AGES)) for _ in range(count)], min_distance=min_distance)


@dataclass(frozen=True)
class Mix:
    """What pictures are made of."""

    places: tuple[str, ...] = tuple(place.name for place in PLACES)
    times: tuple[TimeOfDay, ...] = get_args(TimeOfDay)
    weathers: tuple[Weather, ...] = get_args(Weather)
    portraits: float = 0.1
    """Share of pictures that are portraits."""
    people: Sequence[int] = field(default=_PEOPLE_IN_A_SCENE)
    """How many people a scene may hold; drawn evenly."""
    things: Sequence[int] = field(default=_THINGS_IN_A_SCENE)
    """How many sorts of things a scene may hold; drawn evenly."""


def plan_pictures(
    streams: Streams, name: str, people: Sequence[Appearance], count: int, mix: Mix | None = None
) -> Iterator[PicturePlan]:
    """Yield ``count`` plans with people of ``people``, whose identity is their index.

    People, things, colours, places and lights come in shuffled rounds, so that each occurs as often as the others.
    """
    mix = mix or Mix()
    rng = streams.rng("seeing", "plans", name)
    next_person = _rounds(rng, range(len(people)))
    next_place, next_time = _rounds(rng, mix.places), _rounds(rng, mix.times)
    next_weather = _rounds(rng, mix.weathers)
    next_plain = _rounds(rng, [thing for thing in THINGS if not thing.coloured])
    next_coloured = _rounds(rng, [(thing, colour) for thing in THINGS if thing.coloured for colour in COLOURS])
    for number in range(count):
        portrait = rng.random() < mix.portraits
        faces = 1 if portrait else rng.choice(mix.people)
        sorts = 0 if portrait else max(rng.choice(mix.things), 1 - faces)
        chosen: list[int] = []
        while len(chosen) < min(faces, len(people)):
            one = next_person()
            if one not in chosen:
                chosen.append(one)
        subjects = [
            PictureSubject(kind="person", name=f"person {one}", identity=f"{one}", appearance=people[one])
            for one in chosen
        ]
        room, taken = _MOST_STANDING - len(chosen), set[str]()
        for _ in range(min(sorts, 5 - len(chosen))):
            thing, colour = next_coloured() if rng.random() < 0.5 else (next_plain(), "")
            copies = min(rng.choice(_COPIES), room)
            if thing.name in taken or copies < 1:
                continue
            taken.add(thing.name)
            room -= copies
            subjects.append(PictureSubject(kind=thing.kind, name=thing.name, colour=colour, count=copies))
        yield PicturePlan(
            picture_id=f"seeing-{name}-{number}",
            kind="portrait" if portrait else "scene",
            place="" if portrait else next_place(),
            time_of_day="day" if portrait else next_time(),
            weather="clear" if portrait else next_weather(),
            subjects=tuple(subjects),
            seed=rng.randrange(2**32),
        )


def _rounds(rng: random.Random, items: Sequence[_T]) -> Callable[[], _T]:
    left: list[_T] = []

    def draw() -> _T:
        if not left:
            left.extend(items)
            rng.shuffle(left)
        return left.pop()

    return draw
