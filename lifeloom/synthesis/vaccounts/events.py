"""Events of a life: when, what, where and with whom, with favourites that show in the numbers."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Sequence

from lifeloom.records import Edition, PlannedConcept, PlannedEvent
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.life_activities import LifeActivity, activities_for
from lifeloom.synthesis.vaccounts.caption_seeds import EventSeed
from lifeloom.synthesis.vaccounts.shape import LifeShape
from lifeloom.synthesis.vaccounts.shots import event_shots

__all__ = ["plan_events"]

_OWNER_THERE = 0.85
_REPERTOIRE = 12
"""Activities that one Vaccount does."""
_FAVOURITE_WEIGHTS = (5.0, 3.0, 2.0)
_MOST_TOGETHER = 4


def plan_events(
    vaccount_id: str,
    concepts: Sequence[PlannedConcept],
    shape: LifeShape,
    streams: Streams,
    *,
    edition: Edition,
    ends_on: dt.date,
    seeds: Sequence[EventSeed] = (),
) -> tuple[PlannedEvent, ...]:
    """Plan the history of a Vaccount, events by date on distinct days, ``shape.pictures`` pictures in all.

    Everybody is in at least one event where there are more events than concepts and the pictures have room.
    """
    rng = streams.rng("vaccount", vaccount_id, "events")
    sizes = _sizes(shape, rng)
    days = _days(len(sizes), shape, ends_on, rng)
    known = list(activities_for(edition))
    repertoire = rng.sample(known, min(_REPERTOIRE, len(known)))
    weights = [*_FAVOURITE_WEIGHTS, *[1.0] * len(repertoire)][: len(repertoire)]
    nearest = rng.sample(concepts[1:], len(concepts) - 1)
    closeness = {one.concept_id: 2.0**-number for number, one in enumerate(nearest)}
    habits = {one.activity_id: rng.choice(one.places) for one in repertoire}
    stories = list(seeds)
    rng.shuffle(stories)
    events: list[PlannedEvent] = []
    titles: Counter[str] = Counter()
    unseen = [one.concept_id for one in concepts]
    for number, (day, size) in enumerate(zip(days, sizes, strict=True)):
        activity = _activity(repertoire, weights, day, rng)
        overdue = unseen[: max(0, len(unseen) - max(0, len(sizes) - number - 2))]
        attendees = _attendees(concepts, closeness, rng, overdue[:_MOST_TOGETHER])
        place = habits[activity.activity_id] if rng.random() < 0.6 else rng.choice(activity.places)
        event_id = f"{vaccount_id}-e-{number}"
        shots = event_shots(event_id, attendees, activity, place, day, size, rng)
        there = {who for shot in shots for who in shot.who}
        unseen = [one for one in unseen if one not in there]
        attendees = [one for one in attendees if one.concept_id in there]
        named = [one.concept_id for one in attendees if one.relation != "owner" and rng.random() < 0.5]
        title = f"the {activity.activity_id.replace('-', ' ')} ({place})"
        titles[title] += 1
        seed = stories.pop() if stories else None
        events.append(
            PlannedEvent(
                event_id=event_id,
                number=number,
                date=day,
                activity=activity.activity_id,
                activity_family=_family_id(activity),
                title=title if titles[title] == 1 else f"{title}, time {titles[title]}",
                place=place,
                attendees=tuple(one.concept_id for one in attendees),
                named=tuple(named),
                says_place=rng.random() < 0.5,
                seed_event_id="" if seed is None else seed.seed_id,
                seed_caption_ids=() if seed is None else tuple(one.caption_id for one in seed.captions),
                shots=shots,
            )
        )
    return tuple(events)


def _family_id(activity: LifeActivity) -> str:
    return activity.family.replace(" ", "-")


def _sizes(shape: LifeShape, rng: random.Random) -> list[int]:
    """Return how many pictures each event has; together exactly ``shape.pictures``."""
    sizes: list[int] = []
    left = shape.pictures
    while left > 0:
        size = min(rng.randint(*shape.pictures_an_event), left)
        sizes.append(size)
        left -= size
    return sizes


def _days(count: int, shape: LifeShape, ends_on: dt.date, rng: random.Random) -> list[dt.date]:
    """Return so many distinct days up to ``ends_on``, ascending; more years where they do not hold as many."""
    span = max(365 * shape.years, 2 * count)
    return [ends_on - dt.timedelta(days=back) for back in sorted(rng.sample(range(span), count), reverse=True)]


def _activity(
    repertoire: Sequence[LifeActivity], weights: Sequence[float], day: dt.date, rng: random.Random
) -> LifeActivity:
    fit = [number for number, one in enumerate(repertoire) if not one.months or day.month in one.months]
    number = rng.choices(fit, [weights[one] for one in fit])[0] if fit else rng.randrange(len(repertoire))
    return repertoire[number]


def _attendees(
    concepts: Sequence[PlannedConcept], closeness: dict[str, float], rng: random.Random, overdue: Sequence[str]
) -> list[PlannedConcept]:
    """Return who is there, those overdue among them, one or more, in the order of ``concepts``."""
    owner, others = concepts[0], list(concepts[1:])
    chosen = {owner.concept_id} if rng.random() < _OWNER_THERE or not others else set()
    chosen.update(overdue)
    chosen = set(overdue) if len(chosen) > _MOST_TOGETHER else chosen
    count = min(rng.choices((0, 1, 2, 3), (2, 4, 3, 1))[0], len(others), _MOST_TOGETHER - len(chosen))
    count = max(count, 0 if chosen else 1)
    while len(chosen & closeness.keys()) < count:
        left = [one for one in others if one.concept_id not in chosen]
        chosen.add(rng.choices(left, [closeness[one.concept_id] for one in left])[0].concept_id)
    return [one for one in concepts if one.concept_id in chosen]
