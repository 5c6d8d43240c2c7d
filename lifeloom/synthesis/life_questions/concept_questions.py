"""Text Concept QA, Visual Concept Recognition and Concept VQA: who somebody is, and whether a picture shows them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from lifeloom.models.builtin.painter.vocabulary import OBJECTS, PLACES
from lifeloom.records import Appearance, Difficulty, DrawnSubject, Edition, PlannedConcept, PlannedShot
from lifeloom.synthesis.catalogue.life_people import CAREERS, TASTES
from lifeloom.synthesis.life_questions.drafts import NOT_IN_IMAGE, Draft, stem
from lifeloom.synthesis.life_questions.truth import LifeWorld, place_phrase, things_phrase
from lifeloom.synthesis.vaccounts.looks import beard_of, glasses_of, hair_colour_of, hair_of

__all__ = ["THERE_TO_ABSENT", "concept_vqa", "recognition", "text_concept_qa"]

_COLOURS = ("black", "brown", "sandy", "blond", "red", "pink", "blue", "green", "purple", "grey", "white")
_HAIR = (
    "short hair",
    "chin-length hair",
    "long hair",
    "curly hair",
    "shaggy hair",
    "hair in a bun",
    "dreadlocks",
    "pinned-up hair",
    "a hijab",
    "a turban",
)
_FACES = (
    "glasses and no beard",
    "a beard and no glasses",
    "glasses and a beard",
    "a moustache and no glasses",
    "glasses and a moustache",
    "neither glasses nor a beard",
)
_WRONG = 2
"""Options beside the right one and "Not in image." """
THERE_TO_ABSENT = 3
"""Questions about somebody who is there to one about somebody who is not: each letter is right equally often."""
_NEAREST_MARGIN = 1.35
"""How much further away the second nearest thing must be."""


def _ways(world: LifeWorld, concept: PlannedConcept) -> Iterator[tuple[str, Difficulty]]:
    """Yield ways to mean a concept: by name (easy), by relations (medium)."""
    yield concept.name, "easy"
    for phrase in world.relational(concept):
        yield phrase, "medium"


def text_concept_qa(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield questions about what concepts look like and who they are (Table 7: text, multiple choice)."""
    for concept in world.asked:
        for template, value, pool in _attributes(concept):
            others = [
                other
                for one in world.plan.concepts
                for name, other, _ in _attributes(one)
                if name == template and other != value and other not in concept.tastes
            ]
            wrong = _wrong(value, others, pool, rng)
            for name, difficulty in _ways(world, concept):
                yield Draft(
                    task="text_concept_qa",
                    difficulty=difficulty,
                    template=template,
                    question=stem(template, edition, rng, name=name),
                    answer=value,
                    wrong=wrong,
                    kind=f"{concept.concept_id} {template}",
                    concept_ids=_named(world, concept, difficulty),
                    truth=(f"{concept.name}: {_saying(template, value)}",),
                )


def _attributes(concept: PlannedConcept) -> list[tuple[str, str, Sequence[str]]]:
    """Return template, value and other possible values of what is known of a concept."""
    found: list[tuple[str, str, Sequence[str]]] = []
    if concept.appearance is not None:
        look = concept.appearance
        found += [
            ("concept_hair", hair_of(look), _HAIR),
            ("concept_hair_colour", hair_colour_of(look), _COLOURS),
            ("concept_face", _face(look), _FACES),
        ]
    if concept.career:
        found.append(("concept_career", concept.career, CAREERS))
    if concept.tastes:
        found.append(("concept_taste", concept.tastes[0], [one for one in TASTES if one not in concept.tastes]))
    return found


def _face(look: Appearance) -> str:
    glasses, beard = glasses_of(look) == "glasses", beard_of(look)
    if beard == "no beard":
        return "glasses and no beard" if glasses else "neither glasses nor a beard"
    return f"glasses and {beard}" if glasses else f"{beard} and no glasses"


def _saying(template: str, value: str) -> str:
    return f"{template.removeprefix('concept_').replace('_', ' ')} is {value}."


def recognition(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield whether a new picture shows a concept (Table 7: text and image, binary)."""
    for shot in world.plan.question_shots:
        if shot.image_id not in world.drawn:
            continue
        for concept in world.asked:
            there = concept.concept_id in shot.who
            for name, difficulty in _ways(world, concept):
                yield Draft(
                    task="visual_concept_recognition",
                    difficulty=difficulty,
                    template="recognition",
                    question=stem("recognition", edition, rng, name=name),
                    answer="yes" if there else "no",
                    shot=shot,
                    concept_ids=_named(world, concept, difficulty),
                    truth=_shown(world, shot),
                )


def concept_vqa(world: LifeWorld, edition: Edition, rng: random.Random) -> Iterator[Draft]:
    """Yield what a new picture shows of a concept, or that they are not in it (Table 7: multiple choice)."""
    for shot in world.plan.question_shots:
        if shot.image_id not in world.drawn:
            continue
        for concept in world.asked:
            for template, value, pool, fields in _asked_of(world, shot, concept, rng):
                there = concept.concept_id in shot.who
                if len(pool) < _WRONG:
                    continue
                wrong = [(one, "catalogue") for one in rng.sample(pool, _WRONG)]
                # Whoever does not see that they are not there finds what the picture shows among the options.
                wrong.append((NOT_IN_IMAGE, "not_in_image") if there else (value, "another_concept"))
                for name, difficulty in _ways(world, concept):
                    yield Draft(
                        task="concept_vqa",
                        difficulty=difficulty,
                        template=template,
                        question=stem(template, edition, rng, name=name, **fields),
                        answer=value if there else NOT_IN_IMAGE,
                        wrong=tuple(wrong),
                        kind=f"there {rng.randrange(THERE_TO_ABSENT)}" if there else "not there",
                        shot=shot,
                        concept_ids=_named(world, concept, difficulty),
                        truth=_shown(world, shot),
                    )


def _asked_of(
    world: LifeWorld, shot: PlannedShot, concept: PlannedConcept, rng: random.Random
) -> Iterator[tuple[str, str, list[str], dict[str, str]]]:
    """Yield template, right value, wrong values and fields; of somebody absent the value is the picture's."""
    places = [place_phrase(one.name) for one in PLACES if one.name != shot.picture.place]
    yield "vqa_place", place_phrase(shot.picture.place), places, {}
    # Lists of as many things, so that the right one is not the longest more often than the others.
    others = [
        things_phrase(other.things)
        for other in world.plan.question_shots
        if other is not shot and len(other.things) == len(shot.things)
    ]
    alike = {one.name for one in shot.things}
    objects = sorted({one.name for one in OBJECTS} - alike)
    yield "vqa_things", things_phrase(shot.things), sorted({one for one in others if not _same(one, alike)}), {}
    if concept.appearance is not None:
        value = hair_of(concept.appearance)
        yield "vqa_hair", value, [one for one in _HAIR if one != value], {}
    if concept.concept_id not in shot.who:
        if shot.things:
            yield "vqa_nearest", shot.things[0].name, objects, {}
        return
    nearest = _nearest(world, shot, concept)
    if nearest is not None and len(shot.things) > 1:
        second = [one.name for one in shot.things if one.name != nearest]
        yield "vqa_nearest", nearest, [*second, *rng.sample(objects, 2)], {}
    people = world.people_left_to_right(shot.image_id)
    place = next((number for number, one in enumerate(people) if one.identity == concept.concept_id), None)
    for side, step in (("left", -1), ("right", 1)):
        if place is None or not 0 <= place + step < len(people):
            continue
        other = world.concepts.get(people[place + step].identity)
        if other in world.asked and other is not None and other is not concept:
            names = [one.name for one in world.asked if one not in (other, concept)]
            if len(names) >= 2:
                yield "vqa_neighbour", other.name, names, {"side": side}


def _same(phrase: str, names: set[str]) -> bool:
    return any(name in phrase for name in names)


def _nearest(world: LifeWorld, shot: PlannedShot, concept: PlannedConcept) -> str | None:
    """Return the name of the thing that stands clearly nearest to somebody, by the middles of boxes."""
    drawn = world.drawn[shot.image_id].drawn
    me = next((one for one in drawn if one.identity == concept.concept_id), None)
    if me is None:
        return None
    gaps: dict[str, float] = {}
    for one in drawn:
        if one.kind == "object":
            gaps[one.name] = min(gaps.get(one.name, float("inf")), _gap(me, one))
    ranked = sorted(gaps, key=gaps.__getitem__)
    if not ranked or (len(ranked) > 1 and gaps[ranked[1]] < _NEAREST_MARGIN * gaps[ranked[0]]):
        return None
    return ranked[0]


def _gap(one: DrawnSubject, other: DrawnSubject) -> float:
    across = (one.box.left + one.box.right - other.box.left - other.box.right) / 2
    down = (one.box.top + one.box.bottom - other.box.top - other.box.bottom) / 2
    return float((across**2 + down**2) ** 0.5)


def _shown(world: LifeWorld, shot: PlannedShot) -> tuple[str, ...]:
    """Return what a question picture shows, in sentences."""
    people = [
        world.concepts[one.identity].name if one.identity in world.concepts else "somebody unknown"
        for one in world.people_left_to_right(shot.image_id)
    ]
    looks = [
        f"{one.name}: hair is {hair_of(one.appearance)}."
        for one in world.plan.concepts
        if one.concept_id in shot.who and one.appearance is not None
    ]
    nearest = [
        f"The object nearest to {one.name} is the {near}."
        for one in world.plan.concepts
        if one.concept_id in shot.who and (near := _nearest(world, shot, one)) is not None
    ]
    return (
        f"The picture shows, from left to right: {', '.join(people)}.",
        f"Its objects: {things_phrase(shot.things)}." if shot.things else "It has no objects.",
        f"It was taken {place_phrase(shot.picture.place)}.",
        *looks,
        *nearest,
    )


def _wrong(value: str, others: Sequence[str], pool: Sequence[str], rng: random.Random) -> tuple[tuple[str, str], ...]:
    """Return other options: those that are true of others in the same life first."""
    found = [(one, "another_concept") for one in dict.fromkeys(others)]
    rng.shuffle(found)
    rest = [one for one in pool if one != value and one not in others]
    return (*found[:3], *((one, "catalogue") for one in rng.sample(rest, min(3, len(rest)))))


def _named(world: LifeWorld, concept: PlannedConcept, difficulty: Difficulty) -> tuple[str, ...]:
    if difficulty == "easy" or concept is world.owner:
        return (concept.concept_id,)
    return (world.owner.concept_id, concept.concept_id)
