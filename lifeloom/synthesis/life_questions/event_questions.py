"""Scene & Activity, Direct and Relational Person-Centric, Fine-Grained Scene: what happened on one day.

Answers say two things at once wherever one alone could be guessed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from lifeloom.models.builtin.painter.vocabulary import thing
from lifeloom.records import Edition, PlannedConcept, PlannedEvent, PlannedShot, PlannedThing
from lifeloom.synthesis.life_questions.drafts import Draft, date_phrase, stem
from lifeloom.synthesis.life_questions.truth import (
    LifeWorld,
    listed,
    place_phrase,
    there_is,
    thing_phrase,
    things_phrase,
)

__all__ = ["fine_grained_scene", "person_centric", "scene_and_activity"]


def _events(world: LifeWorld) -> Iterator[PlannedEvent]:
    """Yield the events that a date alone tells apart."""
    return (event for event in world.events if event.date in world.days_of_one_event)


def _truth(world: LifeWorld, event: PlannedEvent) -> tuple[str, ...]:
    """Return an event in sentences."""
    lines = [
        f"On {event.date.isoformat()}: {world.gerund(event)}, {place_phrase(event.place)}. "
        f"There: {listed(world.names(event.attendees))}."
    ]
    for number, shot in enumerate(event.shots, start=1):
        names = [world.concepts[one.identity].name for one in world.people_left_to_right(shot.image_id)]
        lines.append(
            f"Photo {number} of {event.date.isoformat()} shows, from left to right, {', '.join(names) or 'nobody'}, "
            f"with {things_phrase(shot.things)}."
        )
    return tuple(lines)


def scene_and_activity(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield what an event was about and what its pictures show (Table 7: text, open)."""
    for event in _events(world):
        refs, truth = (world.plan.concepts[0].concept_id,), _truth(world, event)
        day = date_phrase(event.date, rng)

        def draft(
            template: str,
            answer: str,
            kind: str,
            *,
            event: PlannedEvent = event,
            day: str = day,
            truth: tuple[str, ...] = truth,
            refs: tuple[str, ...] = refs,
            **fields: str,
        ) -> Draft:
            return Draft(
                task="scene_and_activity",
                difficulty="medium",
                template=template,
                question=stem(template, edition, rng, date=day, **fields),
                answer=answer,
                kind=kind,
                event_ids=(event.event_id,),
                concept_ids=refs,
                truth=truth,
            )

        where = place_phrase(event.place)
        yield draft("scene_activity", f"It was {world.gerund(event)}, {where}.", f"{event.activity} {event.place}")
        for number, shot in enumerate(event.shots, start=1):
            shown = things_phrase(shot.things)
            yield draft("scene_things", f"It shows {shown}.", shown, number=str(number))
        for name, colours in _colours(event).items():
            if len(colours) >= 2:
                plural = thing(name).plural
                answer = f"The {plural} are {listed(sorted(colours))}."
                yield draft("scene_colours", answer, answer, things=plural)


def _colours(event: PlannedEvent) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for shot in event.shots:
        for one in shot.things:
            if one.colour:
                found.setdefault(one.name, set()).add(one.colour)
    return found


def person_centric(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield what somebody did at an event: by name (direct) and by relation (relational; Table 7: text, open)."""
    for event in _events(world):
        for concept in world.asked:
            if concept.concept_id not in event.attendees:
                continue
            for answer, template, kind in _of_person(world, event, concept):
                for direct in (True, False):
                    names = [concept.name] if direct else world.relational(concept)
                    if not names:
                        continue
                    name = rng.choice(names)
                    day = date_phrase(event.date, rng)
                    yield Draft(
                        task="direct_person_centric" if direct else "relational_person_centric",
                        difficulty="medium",
                        template=template,
                        question=stem(template, edition, rng, name=name, date=day),
                        answer=answer,
                        kind=kind,
                        event_ids=(event.event_id,),
                        concept_ids=(concept.concept_id,),
                        truth=_truth(world, event),
                    )


def _of_person(world: LifeWorld, event: PlannedEvent, concept: PlannedConcept) -> Iterator[tuple[str, str, str]]:
    """Yield answer, template and what is balanced."""
    where = place_phrase(event.place)
    company = [one for one in event.attendees if one != concept.concept_id]
    gerund = world.gerund(event)
    who = listed(world.names(company)) if company else "nobody"
    yield f"With {concept.name}: {who}; it was {gerund}.", "person_company", f"{who} {event.activity}"
    shots = [shot for shot in event.shots if concept.concept_id in shot.who]
    alone = [shot for shot in shots if shot.who == (concept.concept_id,)]
    if alone and len(alone) <= 2:
        merged = _merged([one for shot in alone for one in shot.things])
        things = things_phrase(merged)
        yield f"There {there_is(merged)} {things}.", "person_alone", things
    first = shots[0]
    if len(shots) >= 2 and first not in alone and first.things:
        things = things_phrase(first.things)
        yield f"There {there_is(first.things)} {things}.", "person_first", things
    count = f"{len(shots)} photo{'s' if len(shots) > 1 else ''}"
    yield f"{count}, taken {where}.", "person_count", f"{len(shots)} {event.place}"


def _merged(things: list[PlannedThing]) -> list[PlannedThing]:
    """Return things, equal ones once."""
    return list({(one.name, one.colour, one.count): one for one in things}.values())


def fine_grained_scene(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield what a picture shows that is told apart by a thing in it (Table 7: text, open)."""
    for event in _events(world):
        equal = Counter((one.name, one.colour, one.count) for shot in event.shots for one in shot.things)
        alike = Counter((one.name, one.colour) for shot in event.shots for one in shot.things)
        groups = Counter(frozenset(shot.who) for shot in event.shots)
        for shot in event.shots:
            told = groups[frozenset(shot.who)] == 1 and all(world.concepts[one] in world.asked for one in shot.who)
            if len(shot.who) >= 2 and told and shot.things:
                yield _together(world, event, shot, edition, rng)
            for one in shot.things:
                # "the blue hat" is not told apart from two blue hats in another photo, "the two blue hats" are
                if equal[one.name, one.colour, one.count] > 1 or (one.count == 1 and alike[one.name, one.colour] > 1):
                    continue
                there = f"the {_definite(one)}"
                others = [other for other in shot.things if other.name != one.name]
                people = [
                    world.concepts[who.identity].name
                    for who in world.people_left_to_right(shot.image_id)
                    if who.identity in world.concepts
                ]
                found: list[tuple[str, str, str]] = []
                if others:
                    seen = things_phrase(others)
                    found.append(("fine_other", f"There {there_is(others)} also {seen}.", seen))
                if len(people) >= 2:
                    order = ", ".join(people)
                    found.append(("fine_people", f"From left to right: {order}.", order))
                near = _nearest_person(world, shot.image_id, one.name)
                if near is not None:
                    where = place_phrase(event.place)
                    found.append(("fine_nearest", f"{near} is nearest to it, {where}.", f"{near} {event.place}"))
                for template, answer, kind in found:
                    yield Draft(
                        task="fine_grained_scene",
                        difficulty="medium",
                        template=template,
                        question=stem(template, edition, rng, date=date_phrase(event.date, rng), thing=there),
                        answer=answer,
                        kind=kind,
                        event_ids=(event.event_id,),
                        concept_ids=shot.who,
                        truth=(
                            *_truth(world, event),
                            *([f"The {one.name} in that photo is nearest to {near}."] if near is not None else []),
                        ),
                    )


def _together(world: LifeWorld, event: PlannedEvent, shot: PlannedShot, edition: Edition, rng: random.Random) -> Draft:
    """Return what is in the one photo of an event that shows just these people."""
    names = listed(world.names(shot.who))
    things = things_phrase(shot.things)
    return Draft(
        task="fine_grained_scene",
        difficulty="medium",
        template="fine_together",
        question=stem("fine_together", edition, rng, date=date_phrase(event.date, rng), names=names),
        answer=f"There {there_is(shot.things)} {things}.",
        kind=things,
        event_ids=(event.event_id,),
        concept_ids=shot.who,
        truth=_truth(world, event),
    )


def _definite(one: PlannedThing) -> str:
    phrase = thing_phrase(one)
    return phrase.split(" ", 1)[1] if one.count == 1 else phrase


def _nearest_person(world: LifeWorld, image_id: str, name: str) -> str | None:
    """Return who stands clearly nearest to a thing, across; None where two are about as near, or one is alone."""
    things = [one for one in world.drawn[image_id].drawn if one.kind == "object" and one.name == name]
    people = world.people_left_to_right(image_id)
    if len(things) != 1 or len(people) < 2:
        return None
    middle = things[0].box.left + things[0].box.right
    ranked = sorted(people, key=lambda one: abs(one.box.left + one.box.right - middle))
    gaps = [abs(one.box.left + one.box.right - middle) for one in ranked]
    return world.concepts[ranked[0].identity].name if gaps[1] > 1.5 * gaps[0] + 20 else None
