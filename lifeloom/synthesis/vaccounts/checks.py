"""Checks of a Vaccount before it is published: the plan in itself, and what was made against the plan."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from lifeloom.models.builtin.painter.people import too_alike
from lifeloom.models.builtin.painter.vocabulary import ANIMALS, PLACES
from lifeloom.records import (
    OWNER_ROLE,
    Appearance,
    Concept,
    LifeImage,
    PlannedConcept,
    PlannedEvent,
    PlannedShot,
    VaccountPlan,
)
from lifeloom.synthesis.catalogue.life_activities import activities_for
from lifeloom.synthesis.catalogue.life_people import relation
from lifeloom.synthesis.vaccounts.shots import STRANGER, content_of

__all__ = ["life_problems", "plan_problems"]

_LEAST_DISTANCE = 2.0
_SPECIES = frozenset(one.name for one in ANIMALS)
_PLACES = frozenset(one.name for one in PLACES)


def plan_problems(plan: VaccountPlan) -> list[str]:
    """Return what is wrong with a plan, one line a problem; empty for a good one.

    Covered are ids, dates, who is where, pets, looks (within a Vaccount everybody can be told from everybody, kin
    look like kin), that pictures show exactly what the plan says of them, and that no question's picture is in the
    history.
    """
    return [
        *_concept_problems(plan),
        *_look_problems(plan),
        *_event_problems(plan),
        *(problem for event in plan.events for problem in _problems_of_event(event, plan)),
        *_question_problems(plan),
    ]


def life_problems(
    plan: VaccountPlan,
    concepts: Iterable[Concept],
    images: Iterable[LifeImage],
    *,
    left_out: Collection[str] = (),
) -> list[str]:
    """Return what is wrong with a life as made, one line a problem: in = out + left out.

    Args:
        plan: the Vaccount's.
        concepts: as made; those of other Vaccounts do not count.
        images: as made; those of other Vaccounts do not count.
        left_out: ids of pictures, events and concepts that were rejected with a reason; an event stands for its
            pictures, a concept for its portrait.
    """
    out = frozenset(left_out)
    own = [one for one in concepts if one.vaccount_id == plan.vaccount_id]
    pictures = [one for one in images if one.vaccount_id == plan.vaccount_id]
    return [*_made_concept_problems(plan, own, out), *_image_problems(plan, pictures, out)]


def _concept_problems(plan: VaccountPlan) -> Iterator[str]:
    owners = [one.concept_id for one in plan.concepts if one.role == OWNER_ROLE]
    if owners != [plan.concepts[0].concept_id]:
        yield f"{plan.vaccount_id}: {len(owners)} concepts are the owner; the first one must be, and no other"
    yield from _repeated((one.concept_id for one in plan.concepts), f"{plan.vaccount_id}: concept")
    yield from _repeated((one.species for one in plan.concepts if one.species), f"{plan.vaccount_id}: a pet that is a")
    for one in plan.concepts:
        if not one.concept_id.startswith(f"{plan.vaccount_id}-c-"):
            yield f"{one.concept_id}: the id does not begin with {plan.vaccount_id}-c-"
        if one.kind == "person" and (one.appearance is None or not one.traits):
            yield f"{one.concept_id}: a person without a look"
        if one.kind == "animal" and (one.appearance is not None or one.species not in _SPECIES):
            yield f"{one.concept_id}: an animal needs a species that can be drawn, not {one.species!r}"
        if [subject.identity for subject in one.portrait.subjects] != [one.concept_id]:
            yield f"{one.concept_id}: the portrait does not show this concept alone"
        elif one.portrait.subjects[0].appearance != one.appearance:
            yield f"{one.concept_id}: the portrait shows another look"


def _look_problems(plan: VaccountPlan) -> Iterator[str]:
    looks: dict[str, Appearance] = {
        one.concept_id: one.appearance for one in plan.concepts if one.appearance is not None
    }
    for shot in plan.question_shots:
        for subject in shot.picture.subjects:
            if subject.appearance is not None and subject.identity not in looks:
                looks[subject.identity] = subject.appearance
    names = list(looks)
    for first, second, gap in too_alike(list(looks.values()), _LEAST_DISTANCE):
        yield f"{names[first]} and {names[second]} look too much alike: {gap:g} of {_LEAST_DISTANCE:g}"
    kin = [one for one in plan.concepts if one.relation == "owner" or _is_blood(one)]
    for one in plan.concepts:
        if not set(one.kin_traits) <= set(one.traits):
            yield f"{one.concept_id}: traits of kin that are none of its own"
        elif {trait for trait in one.kin_traits if not any(trait in other.traits for other in kin if other != one)}:
            yield f"{one.concept_id}: traits of kin that no blood relative has"
    owner = plan.concepts[0].appearance
    for one in kin:
        if owner is not None and one.appearance is not None and one.appearance.skin != owner.skin:
            yield f"{one.concept_id}: a blood relative of another skin"


def _is_blood(concept: PlannedConcept) -> bool:
    kin = relation(concept.relation)
    return kin is not None and kin.blood


def _event_problems(plan: VaccountPlan) -> Iterator[str]:
    yield from _repeated((one.event_id for one in plan.events), f"{plan.vaccount_id}: event")
    yield from _repeated((one.title for one in plan.events), f"{plan.vaccount_id}: the title")
    yield from _repeated((one.seed_event_id for one in plan.events if one.seed_event_id), "event seed")
    shots = [shot.image_id for event in plan.events for shot in event.shots]
    yield from _repeated([*shots, *(shot.image_id for shot in plan.question_shots)], f"{plan.vaccount_id}: picture")
    for before, event in zip(plan.events, plan.events[1:], strict=False):
        if event.date <= before.date:
            yield f"{event.event_id}: on {event.date}, not after {before.event_id} on {before.date}"
    for number, event in enumerate(plan.events):
        if event.number != number:
            yield f"{event.event_id}: has number {event.number} and place {number}"
        if not event.event_id.startswith(f"{plan.vaccount_id}-e-"):
            yield f"{event.event_id}: the id does not begin with {plan.vaccount_id}-e-"


def _problems_of_event(event: PlannedEvent, plan: VaccountPlan) -> Iterator[str]:
    known = {one.activity_id: one.family.replace(" ", "-") for one in activities_for(plan.edition)}
    if known.get(event.activity) != event.activity_family:
        yield (
            f"{event.event_id}: {event.activity!r} of {event.activity_family!r} is no activity of the {plan.edition} "
            "edition"
        )
    if event.place not in _PLACES:
        yield f"{event.event_id}: {event.place!r} is no place that can be drawn"
    there = {who for shot in event.shots for who in shot.who}
    expected = tuple(one.concept_id for one in plan.concepts if one.concept_id in there)
    if event.attendees != expected:
        yield f"{event.event_id}: attended by {list(event.attendees)}, but its pictures show {list(expected)}"
    if not set(event.named) <= set(event.attendees):
        yield f"{event.event_id}: the description is to name somebody who is not there"
    for number, shot in enumerate(event.shots):
        if shot.image_id != f"{event.event_id}-{number}":
            yield f"{shot.image_id}: is picture {number} of {event.event_id}"
        if shot.picture.place != event.place:
            yield f"{shot.image_id}: is at {shot.picture.place!r}, the event at {event.place!r}"
        if not shot.who:
            yield f"{shot.image_id}: shows nobody"
        if any(one.identity.startswith(STRANGER) for one in shot.picture.subjects):
            yield f"{shot.image_id}: a stranger in the history"
        yield from _shot_problems(shot, plan)


def _question_problems(plan: VaccountPlan) -> Iterator[str]:
    known = {content_of(shot): shot.image_id for event in plan.events for shot in event.shots}
    for number, shot in enumerate(plan.question_shots):
        if shot.image_id != f"{plan.vaccount_id}-s-{number}":
            yield f"{shot.image_id}: is picture {number} of the questions"
        if content_of(shot) in known:
            yield f"{shot.image_id}: shows the same as {known[content_of(shot)]} of the history"
        yield from _shot_problems(shot, plan)


def _shot_problems(shot: PlannedShot, plan: VaccountPlan) -> Iterator[str]:
    """Yield where a picture is not what its plan says: who, things, looks, animals taken for a pet."""
    if shot.picture.picture_id != shot.image_id:
        yield f"{shot.image_id}: drawn as {shot.picture.picture_id}"
    concepts = {one.concept_id: one for one in plan.concepts}
    if not set(shot.who) <= concepts.keys():
        yield f"{shot.image_id}: shows somebody unknown"
        return
    shown = [one for one in shot.picture.subjects if one.identity in concepts]
    if sorted(one.identity for one in shown) != sorted(shot.who):
        yield f"{shot.image_id}: others are drawn than the plan says"
    if any(one.appearance != concepts[one.identity].appearance for one in shown):
        yield f"{shot.image_id}: somebody has another look than elsewhere"
    drawn = Counter((one.name, one.colour, one.count) for one in shot.picture.subjects if one.kind == "object")
    if drawn != Counter((one.name, one.colour, one.count) for one in shot.things):
        yield f"{shot.image_id}: other things are drawn than the plan says"
    pets = {one.species: one.concept_id for one in plan.concepts if one.species}
    for subject in shot.picture.subjects:
        if subject.kind == "animal" and subject.name in pets and subject.identity != pets[subject.name]:
            yield f"{shot.image_id}: a {subject.name} that is not {pets[subject.name]}"


def _made_concept_problems(plan: VaccountPlan, concepts: Sequence[Concept], out: Collection[str]) -> Iterator[str]:
    yield from _repeated((one.concept_id for one in concepts), f"{plan.vaccount_id}: concept")
    planned = {one.concept_id: one for one in plan.concepts}
    for one in concepts:
        want = planned.get(one.concept_id)
        if want is None:
            yield f"{one.concept_id}: a concept that nobody planned"
            continue
        if (one.name, one.role, one.kind) != (want.name, want.role, want.kind):
            yield f"{one.concept_id}: {one.name}, {one.role}, {one.kind} is not what was planned"
        if not one.persona.strip():
            yield f"{one.concept_id}: no persona"
        if one.portrait is None and one.concept_id not in out:
            yield f"{one.concept_id}: no portrait, and no reason why"
    made = {one.concept_id for one in concepts}
    yield from (f"{name}: planned, but not there" for name in planned if name not in made)


def _image_problems(plan: VaccountPlan, images: Sequence[LifeImage], out: Collection[str]) -> Iterator[str]:
    yield from _repeated((one.image_id for one in images), f"{plan.vaccount_id}: picture")
    event_of = {shot.image_id: event for event in plan.events for shot in event.shots}
    questions = {shot.image_id for shot in plan.question_shots}
    descriptions: defaultdict[str, set[str]] = defaultdict(set)
    for one in images:
        event = event_of.get(one.image_id)
        if event is None:
            reason = "a question's picture in the history" if one.image_id in questions else "nobody planned it"
            yield f"{one.image_id}: {reason}"
            continue
        descriptions[event.event_id].add(one.event_description)
        if one.event_id != event.event_id:
            yield f"{one.image_id}: is of {event.event_id}, not of {one.event_id}"
        if one.event_date != event.date:
            yield f"{one.image_id}: dated {one.event_date}, planned on {event.date}"
        if one.picture is None:
            yield f"{one.image_id}: no picture"
        if one.image_id in out or event.event_id in out:
            yield f"{one.image_id}: there and left out"
    for event_id, said in descriptions.items():
        if len(said) > 1:
            yield f"{event_id}: its pictures have {len(said)} descriptions"
        if not all(text.strip() for text in said):
            yield f"{event_id}: no description"
    made = {one.image_id for one in images}
    for image_id, event in event_of.items():
        if image_id not in made and image_id not in out and event.event_id not in out:
            yield f"{image_id}: planned, but neither there nor left out with a reason"


def _repeated(names: Iterable[str], what: str) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what} {name!r} is there {count} times"
