"""Lives for tests: outlines and plans, and a life made from a plan without a word asked or a picture drawn."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from lifeloom.records import (
    BY_CODE,
    Concept,
    ConceptKind,
    Edition,
    LifeImage,
    PictureReference,
    RelativeSeed,
    VaccountPlan,
    VaccountSeed,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.vaccounts.outlines import draw_outline
from lifeloom.synthesis.vaccounts.planning import plan_vaccount
from lifeloom.synthesis.vaccounts.shape import LifeShape

LAST_DAY = dt.date(2025, 12, 31)
SMALL = LifeShape(pictures=24, question_pictures=6)


def relative(name: str, relation: str, age: int, kind: ConceptKind = "person") -> RelativeSeed:
    """A relative, or a pet with ``kind="animal"``."""
    return RelativeSeed(name=name, relation=relation, kind=kind, age=age)


def vaccount_seed(
    *relatives: RelativeSeed, name: str = "Ana", age: int = 40, career: str = "a carpenter"
) -> VaccountSeed:
    """The seed of a Vaccount with exactly these relatives."""
    return VaccountSeed(
        seed_id="seed-1",
        name=name,
        age=age,
        career=career,
        relatives=relatives,
        life_story=f"{name} is {career}.",
        split="train",
        made_by=BY_CODE,
    )


def drawn_seed(seed: int, number: int = 0) -> VaccountSeed:
    """The seed of a Vaccount whose outline is drawn."""
    outline = draw_outline(Streams(seed), number)
    return vaccount_seed(*outline.relatives, name=outline.name, age=outline.age, career=outline.career)


def life_plan(
    outline: VaccountSeed | None = None,
    shape: LifeShape = SMALL,
    *,
    seed: int = 1,
    edition: Edition = "corpus",
) -> VaccountPlan:
    """A plan; without an outline, of a drawn one."""
    return plan_vaccount(
        drawn_seed(seed) if outline is None else outline, shape, Streams(seed), edition=edition, ends_on=LAST_DAY
    )


def picture_of(image_id: str) -> PictureReference:
    """A reference of its own for each id; there is no file behind it."""
    return PictureReference(content_hash=image_id.encode().hex().ljust(64, "0")[-64:], width=512, height=512)


def made(plan: VaccountPlan) -> tuple[Sequence[Concept], Sequence[LifeImage]]:
    """Concepts and pictures exactly as planned."""
    concepts = [
        Concept(
            concept_id=one.concept_id,
            vaccount_id=plan.vaccount_id,
            name=one.name,
            role=one.role,
            kind=one.kind,
            persona=f"{one.name} is fond of tea.",
            portrait=picture_of(one.concept_id),
            made_by=BY_CODE,
        )
        for one in plan.concepts
    ]
    images = [
        LifeImage(
            image_id=shot.image_id,
            vaccount_id=plan.vaccount_id,
            event_id=event.event_id,
            event_description=f"What a day of {event.activity}",
            event_date=event.date,
            picture=picture_of(shot.image_id),
        )
        for event in plan.events
        for shot in event.shots
    ]
    return concepts, images
