"""Planning a Vaccount: concepts, events and pictures with known truth (Life-Bench Section 3.2).

Everything is drawn from streams that are named by the Vaccount, so one alone comes out the same whatever others are
made.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence

from lifeloom.models.builtin.painter.people import WantedPerson, draw_people
from lifeloom.records import (
    OWNER_ROLE,
    Age,
    Appearance,
    CaptionSeed,
    Edition,
    PicturePlan,
    PictureSubject,
    PlannedConcept,
    VaccountPlan,
    VaccountSeed,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.life_people import CAREERS, TASTES, relation
from lifeloom.synthesis.vaccounts.caption_seeds import EventSeed
from lifeloom.synthesis.vaccounts.events import plan_events
from lifeloom.synthesis.vaccounts.looks import traits_of
from lifeloom.synthesis.vaccounts.outlines import slug
from lifeloom.synthesis.vaccounts.shape import LifeShape
from lifeloom.synthesis.vaccounts.shots import question_shots

__all__ = ["plan_vaccount"]

_STRANGERS = 3
_WORKING = range(20, 68)
_PORTRAIT_PLACE = "garden"


def plan_vaccount(
    seed: VaccountSeed,
    shape: LifeShape,
    streams: Streams,
    *,
    edition: Edition,
    ends_on: dt.date,
    concept_seeds: Sequence[CaptionSeed] = (),
    event_seeds: Sequence[EventSeed] = (),
) -> VaccountPlan:
    """Plan the whole life of one Vaccount.

    Args:
        seed: owner and relatives; names may repeat, relatives may be missing.
        shape: how large it is.
        streams: the seed's random streams.
        edition: some activities and words are a release's alone.
        ends_on: last day of the history.
        concept_seeds: captions of one subject, to colour personas; may be fewer than the concepts.
        event_seeds: captions of a day, to colour events, each used at most once; may be fewer than the events.

    Raises:
        TooAlike: there is no room for so many people that look different.
    """
    vaccount_id = slug(seed.name)
    looks, strangers = _looks(seed, streams.rng("vaccount", vaccount_id, "looks"))
    concepts = _concepts(seed, vaccount_id, looks, concept_seeds, streams)
    events = plan_events(vaccount_id, concepts, shape, streams, edition=edition, ends_on=ends_on, seeds=event_seeds)
    return VaccountPlan(
        vaccount_id=vaccount_id,
        seed_id=seed.seed_id,
        edition=edition,
        concepts=concepts,
        events=events,
        question_shots=question_shots(vaccount_id, concepts, events, strangers, shape, streams),
    )


def _looks(seed: VaccountSeed, rng: random.Random) -> tuple[list[Appearance], tuple[Appearance, ...]]:
    """Return the appearances of the owner and of each person among the relatives, and of strangers."""
    people = [one for one in seed.relatives if one.kind == "person"]
    wanted = [WantedPerson(_age_group(seed.age))]
    for one in people:
        kin = relation(one.relation)
        wanted.append(WantedPerson(_age_group(one.age), kin_of=0 if kin is not None and kin.blood else None))
    wanted += [WantedPerson()] * _STRANGERS
    drawn = draw_people(rng, wanted)
    return list(drawn[: 1 + len(people)]), drawn[1 + len(people) :]


def _age_group(age: int) -> Age:
    return "young" if age < 16 else "old" if age >= 62 else "grown"


def _concepts(
    seed: VaccountSeed,
    vaccount_id: str,
    looks: Sequence[Appearance],
    captions: Sequence[CaptionSeed],
    streams: Streams,
) -> tuple[PlannedConcept, ...]:
    rng = streams.rng("vaccount", vaccount_id, "concepts")
    tastes = rng.sample(TASTES, min(len(TASTES), 2 * (1 + len(seed.relatives))))
    careers = [one for one in CAREERS if one != seed.career]
    rng.shuffle(careers)
    chosen = rng.sample(list(captions), min(len(captions), 1 + len(seed.relatives)))
    ids: set[str] = set()
    remaining = list(looks)
    shared = set(traits_of(looks[0]))
    found: list[PlannedConcept] = []
    for number, (name, kinship, kind, age) in enumerate(
        [(seed.name, "owner", "person", seed.age), *((r.name, r.relation, r.kind, r.age) for r in seed.relatives)]
    ):
        concept_id = _unused(f"{vaccount_id}-c-{slug(name)}", ids)
        appearance = remaining.pop(0) if kind == "person" else None
        kin = relation(kinship)
        traits = () if appearance is None else traits_of(appearance)
        picture = PictureSubject(kind="person", name=name, identity=concept_id, appearance=appearance, mood="happy")
        if appearance is None:
            picture = PictureSubject(kind="animal", name=kinship, identity=concept_id)
        career = (
            seed.career
            if kinship == "owner"
            else careers.pop()
            if kind == "person" and age in _WORKING and careers
            else ""
        )
        caption = chosen[number] if number < len(chosen) else None
        found.append(
            PlannedConcept(
                concept_id=concept_id,
                name=name,
                kind="person" if kind == "person" else "animal",
                relation=kinship,
                role=OWNER_ROLE if kinship == "owner" else f"Owner's {kinship.title()}",
                nicknames=() if kin is None else kin.nicknames,
                age=age,
                career=career,
                species=kinship if appearance is None else "",
                tastes=tuple(tastes[2 * number : 2 * number + 2]) if appearance is not None else (),
                appearance=appearance,
                traits=traits,
                kin_traits=tuple(one for one in traits if kin is not None and kin.blood and one in shared),
                seed_caption_id="" if caption is None else caption.caption_id,
                seed_caption="" if caption is None else caption.caption,
                portrait=PicturePlan(
                    picture_id=f"{concept_id}-portrait",
                    kind="portrait" if appearance is not None else "scene",
                    place="" if appearance is not None else _PORTRAIT_PLACE,
                    subjects=(picture,),
                    seed=rng.randrange(2**53),
                ),
            )
        )
    return tuple(found)


def _unused(concept_id: str, ids: set[str]) -> str:
    """Return an id that is not there yet: two relatives may have one name."""
    number = 2
    free = concept_id
    while free in ids:
        free = f"{concept_id}-{number}"
        number += 1
    ids.add(free)
    return free
