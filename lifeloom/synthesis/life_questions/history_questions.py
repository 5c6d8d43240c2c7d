"""Preference & Persona, Frequency & Counting, Relational Temporal Reasoning: what only the whole history tells."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from lifeloom.records import Edition, LifeTask, PlannedConcept, PlannedEvent
from lifeloom.synthesis.life_questions.drafts import Draft, date_phrase, stem
from lifeloom.synthesis.life_questions.truth import LifeWorld, listed, place_phrase

__all__ = ["counting", "preference", "temporal"]

_MOST_COUNTED = 25


def _ways(world: LifeWorld, concept: PlannedConcept) -> list[str]:
    return [concept.name, *world.relational(concept)]


def _of(world: LifeWorld, concept: PlannedConcept) -> list[PlannedEvent]:
    return [event for event in world.events if concept.concept_id in event.attendees]


def _days(events: Sequence[PlannedEvent]) -> int:
    return len({event.date for event in events})


def preference(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield what somebody does and likes most (Table 7: text, open): two things at once, so that no one day tells."""
    for concept in world.asked:
        own = _of(world, concept)
        for template, key in (("favourite_activities", world.family), ("favourite_places", _place)):
            top = _two_most(own, key)
            if top is not None:
                first, second = (place_phrase(one) if key is _place else one for one in top)
                decisive = [event for event in own if key(event) in top]
                for name in _ways(world, concept):
                    yield _draft(
                        world,
                        "preference_and_persona",
                        template,
                        stem(template, edition, rng, name=name),
                        f"Most often {first}, then {second}.",
                        decisive,
                        concept,
                    )
        most = _most(own, world.family)
        if concept.career and most is not None:
            for name in _ways(world, concept):
                yield _draft(
                    world,
                    "preference_and_persona",
                    "favourite_work",
                    stem("favourite_work", edition, rng, name=name),
                    f"{concept.name} is {concept.career}; most often {most}.",
                    [event for event in own if world.family(event) == most],
                    concept,
                )
        if len(concept.tastes) >= 2:
            for name in _ways(world, concept):
                yield _draft(
                    world,
                    "preference_and_persona",
                    "favourite_tastes",
                    stem("favourite_tastes", edition, rng, name=name),
                    f"{concept.name} likes {listed(concept.tastes[:2])}.",
                    (),
                    concept,
                )


def _place(event: PlannedEvent) -> str:
    return event.place


def _most(events: Sequence[PlannedEvent], key: Callable[[PlannedEvent], str]) -> str | None:
    """Return the most frequent value by distinct days; None where two are."""
    ranked = _ranked(events, key)
    return ranked[0][0] if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]) else None


def _ranked(events: Sequence[PlannedEvent], key: Callable[[PlannedEvent], str]) -> list[tuple[str, int]]:
    days: dict[str, set[dt.date]] = {}
    for event in events:
        days.setdefault(key(event), set()).add(event.date)
    return Counter({value: len(own) for value, own in days.items()}).most_common(3)


def _two_most(events: Sequence[PlannedEvent], key: Callable[[PlannedEvent], str]) -> tuple[str, str] | None:
    """Return the two most frequent values by distinct days, where their ranks are beyond doubt."""
    ranked = _ranked(events, key)
    if len(ranked) < 2 or ranked[0][1] == ranked[1][1] or (len(ranked) > 2 and ranked[1][1] == ranked[2][1]):
        return None
    return ranked[0][0], ranked[1][0]


def counting(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield how many different days fit a condition (Table 7: text, open, hard)."""

    def draft(template: str, events: Sequence[PlannedEvent], concept: PlannedConcept, **fields: str) -> Draft:
        number = str(_days(events))
        return _draft(
            world,
            "frequency_and_counting",
            template,
            stem(template, edition, rng, **fields),
            number,
            events,
            concept,
        )

    families = sorted({world.family(event) for event in world.events})
    years = sorted({event.date.year for event in world.events})
    for family in families:
        events = [event for event in world.events if world.family(event) == family]
        yield draft("count_activity", events, world.owner, activity=family)
    for concept in world.asked:
        own = _of(world, concept)
        for family in families:
            events = [event for event in own if world.family(event) == family]
            for name in _ways(world, concept)[:2]:
                yield draft("count_activity_with", events, concept, name=name, activity=family)
        for place in sorted({event.place for event in own}):
            events = [event for event in own if event.place == place]
            yield draft(
                "count_place", events, concept, name=rng.choice(_ways(world, concept)), place=place_phrase(place)
            )
        for other in world.asked:
            if other.concept_id > concept.concept_id:
                events = [event for event in own if other.concept_id in event.attendees]
                yield draft("count_together", events, concept, name=rng.choice(_ways(world, concept)), other=other.name)
        for year in years:
            events = [event for event in own if event.date.year == year]
            yield draft("count_year", events, concept, name=rng.choice(_ways(world, concept)), year=str(year))


def temporal(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield what came before and after an event that its content tells apart, and first and last times (hard)."""
    events = world.events
    alike: dict[tuple[str, str], list[PlannedEvent]] = {}
    for event in events:
        alike.setdefault((event.activity_family, event.place), []).append(event)
    following = {concept.concept_id: _following(events, concept) for concept in world.asked}
    # Of events on one day nobody can say which came first.
    told_apart = [event.date in world.days_of_one_event for event in events]
    for number, event in enumerate(events):
        anchor = _anchor(world, event, alike[event.activity_family, event.place])
        if anchor is None or not told_apart[number]:
            continue
        for template, step in (("next_event", 1), ("previous_event", -1)):
            if 0 <= number + step < len(events) and told_apart[number + step]:
                other = events[number + step]
                answer = f"{world.gerund(other)}, with {listed(world.names(other.attendees))}."
                question = stem(template, edition, rng, anchor=anchor)
                yield _temporal(world, template, question, answer[0].upper() + answer[1:], [event, other])
        for concept in world.asked:
            later = following[concept.concept_id][number]
            if later is not None and told_apart[later]:
                other = events[later]
                name = rng.choice(_ways(world, concept))
                answer = f"{world.gerund(other)}, {place_phrase(other.place)}."
                question = stem("next_with", edition, rng, anchor=anchor, name=name)
                yield _temporal(world, "next_with", question, answer[0].upper() + answer[1:], [event, other], concept)
    for concept in world.asked:
        own = _of(world, concept)
        for family in sorted({world.family(event) for event in own}):
            same = [event for event in own if world.family(event) == family]
            if len(same) < 2:
                continue
            for template, event in (("first_time", same[0]), ("last_time", same[-1])):
                name = rng.choice(_ways(world, concept))
                question = stem(template, edition, rng, name=name, activity=family)
                yield _temporal(world, template, question, f"On {date_phrase(event.date, rng)}.", [event], concept)


def _following(events: Sequence[PlannedEvent], concept: PlannedConcept) -> list[int | None]:
    """Return for each event the place of the next one that somebody attended; None where there is none."""
    found: list[int | None] = [None] * len(events)
    for number in range(len(events) - 2, -1, -1):
        there = concept.concept_id in events[number + 1].attendees
        found[number] = number + 1 if there else found[number + 1]
    return found


def _anchor(world: LifeWorld, event: PlannedEvent, alike: Sequence[PlannedEvent]) -> str | None:
    """Return an event by what it was, where and who was there; None where that fits another one as well.

    Args:
        world: its life.
        event: is told by family of activity, place and people.
        alike: events of that family and place, itself too.
    """
    there = set(event.attendees)
    fitting = [one for one in alike if there <= set(one.attendees)]
    if len(fitting) > 1 or not all(world.concepts[one] in world.asked for one in event.attendees):
        return None
    return f"the day of {world.family(event)} {place_phrase(event.place)} with {listed(world.names(event.attendees))}"


def _temporal(
    world: LifeWorld,
    template: str,
    question: str,
    answer: str,
    events: Sequence[PlannedEvent],
    concept: PlannedConcept | None = None,
) -> Draft:
    return _draft(world, "relational_temporal_reasoning", template, question, answer, events, concept or world.owner)


def _draft(
    world: LifeWorld,
    task: LifeTask,
    template: str,
    question: str,
    answer: str,
    events: Sequence[PlannedEvent],
    concept: PlannedConcept,
) -> Draft:
    return Draft(
        task=task,
        difficulty="medium" if task == "preference_and_persona" else "hard",
        template=template,
        question=question,
        answer=answer,
        event_ids=tuple(event.event_id for event in events[:_MOST_COUNTED]),
        concept_ids=(concept.concept_id,),
        truth=(
            *((f"{concept.name} likes {listed(concept.tastes[:2])}.",) if template == "favourite_tastes" else ()),
            *((f"{concept.name} is {concept.career}.",) if template == "favourite_work" else ()),
            *world.told,
        ),
    )
