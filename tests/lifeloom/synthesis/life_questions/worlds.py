"""Lives written out by hand, photo by photo, and planned ones whose pictures are only boxes."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.records import (
    BY_CODE,
    OWNER_ROLE,
    Appearance,
    Box,
    Concept,
    DrawnLifePicture,
    DrawnSubject,
    Edition,
    Life,
    LifeImage,
    PicturePlan,
    PictureReference,
    PictureSubject,
    PlannedConcept,
    PlannedEvent,
    PlannedShot,
    PlannedThing,
    VaccountPlan,
    VaccountSeed,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.life_activities import activity
from lifeloom.synthesis.life_questions import LifeWorld
from lifeloom.synthesis.vaccounts.outlines import draw_outline
from lifeloom.synthesis.vaccounts.planning import plan_vaccount
from lifeloom.synthesis.vaccounts.shape import LifeShape

PETS = ("dog", "cat")
HAIRS = ("bob", "straight01", "shaggy", "bun", "dreads", "frida")
COLOURS = ("#211c1e", "#54362a", "#efd68a", "#c93f12", "#85898f", "#f3f1ec")


@dataclass(frozen=True)
class Photo:
    """Who is in it, from left to right, and which things, from left to right between them."""

    who: str
    """First letters of names: ``ab``."""
    things: str
    """``red balloon, 2 blue hat``."""


def things_of(text: str) -> tuple[PlannedThing, ...]:
    found = []
    for part in filter(None, text.split(", ")):
        words = part.split()
        count = int(words.pop(0)) if words[0].isdigit() else 1
        found.append(PlannedThing(name=words[-1], colour=words[0] if len(words) == 2 else "", count=count))
    return tuple(found)


def reference(text: str) -> PictureReference:
    return PictureReference(content_hash=hashlib.sha256(text.encode()).hexdigest(), width=512, height=512)


def world(
    people: Sequence[tuple[str, str]],
    events: Sequence[tuple[str, str, str, Sequence[Photo]]],
    asked: Sequence[tuple[str, Photo]] = (),
) -> LifeWorld:
    """Return the life of the first of ``people``.

    Args:
        people: name and relation; a pet's relation is its species.
        events: day, activity, place and photos.
        asked: place and content of the pictures that only questions show.
    """
    account = people[0][0].lower()
    concepts = [concept(account, number, *one) for number, one in enumerate(people)]
    planned = []
    for number, (day, doing, place, photos) in enumerate(events):
        shots = tuple(shot(f"{account}-e-{number}-{n}", one, place, concepts) for n, one in enumerate(photos))
        there = {who for one in shots for who in one.who}
        planned.append(
            PlannedEvent(
                event_id=f"{account}-e-{number}",
                number=number,
                date=dt.date.fromisoformat(day),
                activity=doing,
                activity_family=activity(doing).family,
                title=f"event {number}",
                place=place,
                attendees=tuple(one.concept_id for one in concepts if one.concept_id in there),
                shots=shots,
            )
        )
    shots = tuple(shot(f"{account}-s-{n}", photo, place, concepts) for n, (place, photo) in enumerate(asked))
    plan = VaccountPlan(
        vaccount_id=account,
        seed_id="seed-1",
        edition="corpus",
        concepts=tuple(concepts),
        events=tuple(planned),
        question_shots=shots,
    )
    return boxed(plan)


def concept(account: str, number: int, name: str, relation: str) -> PlannedConcept:
    pet = relation in PETS
    concept_id = f"{account}-c-{number}-{name.lower()}"
    look = Appearance(hair=HAIRS[number], hair_colour=COLOURS[number], skin="#ffdbb4", brows="flat")
    subject = PictureSubject(
        kind="animal" if pet else "person",
        name=relation if pet else name,
        identity=concept_id,
        appearance=None if pet else look,
    )
    return PlannedConcept(
        concept_id=concept_id,
        name=name,
        kind="animal" if pet else "person",
        relation=relation,
        role=OWNER_ROLE if relation == "owner" else f"Owner's {relation.title()}",
        age=40,
        career="" if pet else ("a vet", "a baker", "a tailor", "a nurse", "a florist", "a midwife")[number],
        species=relation if pet else "",
        tastes=() if pet else (f"taste {number}", f"liking {number}"),
        appearance=None if pet else look,
        portrait=PicturePlan(picture_id=f"{concept_id}-p", kind="portrait", subjects=(subject,), seed=1),
    )


def shot(image_id: str, photo: Photo, place: str, concepts: Sequence[PlannedConcept]) -> PlannedShot:
    who = [next(one for one in concepts if one.name.lower().startswith(letter)) for letter in photo.who]
    things = things_of(photo.things)
    subjects = [
        *(one.portrait.subjects[0] for one in who),
        *(PictureSubject(kind="object", name=one.name, colour=one.colour, count=one.count) for one in things),
    ]
    return PlannedShot(
        image_id=image_id,
        who=tuple(one.concept_id for one in concepts if one in who),
        things=things,
        picture=PicturePlan(picture_id=image_id, kind="scene", place=place, subjects=tuple(subjects), seed=1),
    )


def boxed(plan: VaccountPlan, left_out: Sequence[str] = ()) -> LifeWorld:
    """Return the world of a plan: people 100 pixels apart, each thing 10 pixels right of a person in its turn."""
    pictures = [
        *((one.portrait, one.concept_id, "portrait") for one in plan.concepts),
        *((one.picture, one.image_id, "history") for event in plan.events for one in event.shots),
        *((one.picture, one.image_id, "question") for one in plan.question_shots),
    ]
    drawn = {
        image_id: DrawnLifePicture(
            image_id=image_id,
            vaccount_id=plan.vaccount_id,
            use=use,
            picture=reference(image_id),
            plan=picture,
            drawn=tuple(boxes(picture)),
            made_by=BY_CODE,
        )
        for picture, image_id, use in pictures
        if image_id not in left_out
    }
    concepts = [
        Concept(
            concept_id=one.concept_id,
            vaccount_id=plan.vaccount_id,
            name=one.name,
            role=one.role,
            kind=one.kind,
            portrait=reference(one.concept_id),
            made_by=BY_CODE,
        )
        for one in plan.concepts
    ]
    images = [
        LifeImage(
            image_id=one.image_id,
            vaccount_id=plan.vaccount_id,
            event_id=event.event_id,
            event_description="A day.",
            event_date=event.date,
            picture=reference(one.image_id),
        )
        for event in plan.events
        for one in event.shots
        if one.image_id in drawn
    ]
    return LifeWorld(plan, Life.of(plan.vaccount_id, concepts, images), {}, drawn)


def boxes(picture: PicturePlan) -> list[DrawnSubject]:
    found = []
    people = things = 0
    for subject in picture.subjects:
        for copy in range(subject.count):
            left = 100 * things + 60 + 2 * copy if subject.kind == "object" else 100 * people
            found.append(
                DrawnSubject(
                    kind=subject.kind,
                    name=subject.name,
                    identity=subject.identity,
                    colour=subject.colour,
                    box=Box(left=left, top=100, right=left + 40, bottom=200),
                    visible=1,
                )
            )
        if subject.kind == "object":
            things += 1
        else:
            people += 1
    return found


def planned(seed: int, number: int = 0, *, edition: Edition = "corpus", pictures: int = 250) -> LifeWorld:
    """Return a life as the planner makes it, drawn as boxes."""
    streams = Streams(seed)
    outline = draw_outline(streams, number)
    vaccount = VaccountSeed(
        seed_id=f"v-{number}",
        name=outline.name,
        age=outline.age,
        career=outline.career,
        relatives=outline.relatives,
        life_story="A life.",
        split="train",
        made_by=BY_CODE,
    )
    plan = plan_vaccount(
        vaccount, LifeShape(pictures=pictures), streams, edition=edition, ends_on=dt.date(2025, 12, 31)
    )
    return boxed(plan)
