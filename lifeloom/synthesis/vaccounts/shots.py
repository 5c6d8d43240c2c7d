"""Pictures of a life as planned: who is in them and with which things; and new ones for questions alone."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Collection, Sequence

from lifeloom.models.builtin.painter.vocabulary import COLOURS, OBJECTS, PLACES, thing
from lifeloom.records import (
    Appearance,
    PicturePlan,
    PictureSubject,
    PlannedConcept,
    PlannedEvent,
    PlannedShot,
    PlannedThing,
    TimeOfDay,
    Weather,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.life_activities import LifeActivity
from lifeloom.synthesis.vaccounts.shape import LifeShape

__all__ = ["STRANGER", "content_of", "event_shots", "question_shots"]

STRANGER = "stranger"
"""Beginning of the identities of people whom nobody knows."""
_MOST_PEOPLE = 3
_WINTER = (12, 1, 2)
_SKIES: tuple[Weather, ...] = ("clear", "clear", "clouds", "rain")


def event_shots(
    event_id: str,
    attendees: Sequence[PlannedConcept],
    activity: LifeActivity,
    place: str,
    day: dt.date,
    size: int,
    rng: random.Random,
) -> tuple[PlannedShot, ...]:
    """Plan the ``size`` pictures of an event; the first ones together show everybody, as far as there is room."""
    time: TimeOfDay = rng.choice(("morning", "day", "day", "sunset", "night"))
    skies: tuple[Weather, ...] = ("snow", "clouds", "clear") if day.month in _WINTER else _SKIES
    weather = rng.choice(skies)
    missing = list(attendees)
    taken: set[tuple[str, str, int]] = set()
    shots = []
    for number in range(size):
        who = _group(attendees, missing, rng)
        missing = [one for one in missing if one not in who]
        things = _things(activity.things, taken, rng)
        ids = [one.concept_id for one in who]
        people = [_subject(one) for one in who]
        shots.append(_shot(f"{event_id}-{number}", people, ids, things, place, time, weather, rng))
    return tuple(shots)


def question_shots(
    vaccount_id: str,
    concepts: Sequence[PlannedConcept],
    events: Sequence[PlannedEvent],
    strangers: Sequence[Appearance],
    shape: LifeShape,
    streams: Streams,
) -> tuple[PlannedShot, ...]:
    """Plan new pictures of the same people, equal to none of the history; some show strangers, some nobody known."""
    rng = streams.rng("vaccount", vaccount_id, "questions")
    known = {content_of(shot) for event in events for shot in event.shots}
    shots: list[PlannedShot] = []
    while len(shots) < shape.question_pictures:
        number = len(shots)
        count = rng.choices((0, 1, 2, 3), (1, 4, 4, 2))[0]
        chosen = rng.sample(list(concepts), min(count, len(concepts)))
        who = [one for one in concepts if one in chosen]
        extra = 1 if count == 0 else rng.choices((0, 1), (3, 1))[0]
        people = [_subject(one) for one in who]
        for look in rng.sample(range(len(strangers)), min(extra, len(strangers), _MOST_PEOPLE - len(who))):
            identity = f"{STRANGER}-{vaccount_id}-{look}"
            people.append(PictureSubject(kind="person", name=STRANGER, identity=identity, appearance=strangers[look]))
        rng.shuffle(people)
        things = _things([one.name for one in OBJECTS], set(), rng)
        place = rng.choice(PLACES).name
        ids = [one.concept_id for one in who]
        if _content(ids, things, place) in known:
            continue
        known.add(_content(ids, things, place))
        time: TimeOfDay = rng.choice(("morning", "day", "day", "sunset"))
        shots.append(_shot(f"{vaccount_id}-s-{number}", people, ids, things, place, time, "clear", rng))
    return tuple(shots)


def content_of(shot: PlannedShot) -> tuple[object, ...]:
    """Return what a picture shows: two that are equal in it may not be told apart."""
    return _content(shot.who, shot.things, shot.picture.place)


def _content(who: Collection[str], things: Sequence[PlannedThing], place: str) -> tuple[object, ...]:
    return (frozenset(who), frozenset((one.name, one.colour, one.count) for one in things), place)


def _group(
    attendees: Sequence[PlannedConcept], missing: Sequence[PlannedConcept], rng: random.Random
) -> list[PlannedConcept]:
    """Return who is in a picture: those first who were in none yet."""
    most = min(_MOST_PEOPLE, len(attendees))
    count = rng.randint(1, most)
    first = rng.sample(list(missing), min(len(missing), count))
    others = [one for one in attendees if one not in first]
    chosen = first + rng.sample(others, min(len(others), count - len(first)))
    return [one for one in attendees if one in chosen]


def _things(names: Sequence[str], taken: set[tuple[str, str, int]], rng: random.Random) -> list[PlannedThing]:
    """Return one or two kinds of things, not in the same number and colour as in the pictures before."""
    found: list[PlannedThing] = []
    for name in rng.sample(list(names), min(len(names), rng.choice((1, 1, 2)))):
        for _ in range(12):
            colour = rng.choice(COLOURS) if thing(name).coloured else ""
            count = rng.choices((1, 2, 3), (6, 2, 1))[0]
            if (name, colour, count) not in taken:
                break
        taken.add((name, colour, count))
        found.append(PlannedThing(name=name, colour=colour, count=count))
    return found


def _subject(concept: PlannedConcept) -> PictureSubject:
    if concept.appearance is None:
        return PictureSubject(kind="animal", name=concept.species, identity=concept.concept_id)
    return PictureSubject(kind="person", name=concept.name, identity=concept.concept_id, appearance=concept.appearance)


def _shot(
    image_id: str,
    people: Sequence[PictureSubject],
    who: Sequence[str],
    things: Sequence[PlannedThing],
    place: str,
    time: TimeOfDay,
    weather: Weather,
    rng: random.Random,
) -> PlannedShot:
    subjects = [
        *people,
        *(PictureSubject(kind="object", name=one.name, colour=one.colour, count=one.count) for one in things),
    ]
    return PlannedShot(
        image_id=image_id,
        who=tuple(who),
        things=tuple(things),
        picture=PicturePlan(
            picture_id=image_id,
            kind="scene",
            place=place,
            time_of_day=time,
            weather=weather,
            subjects=tuple(subjects),
            seed=rng.randrange(2**53),
        ),
    )
