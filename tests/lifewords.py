"""A small life by hand with good words for it, and a writer and an image maker that do as they are told."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PIL import Image

from lifeloom.models.protocol import (
    CapabilityMissing,
    DrawnPicture,
    Generation,
    GenerationRejected,
    ModelIdentity,
    PictureNotDrawn,
    Usage,
)
from lifeloom.records import (
    Appearance,
    PicturePlan,
    PictureReference,
    PictureSubject,
    PlannedConcept,
    PlannedEvent,
    PlannedShot,
    PlannedThing,
    VaccountPlan,
)
from lifeloom.tasks import CANDIDATE_VOTE, EVENT_WRITING, CandidateVoteOutput, EventWritingOutput, TaskOutput
from lifeloom.tasks.candidate_vote import CandidateProblem

LOOK = Appearance(hair="shortFlat", hair_colour="#c93f12", skin="#edb98a", brows="DefaultNatural")


def concept(
    name: str,
    relation: str,
    role: str,
    *,
    concept_id: str = "",
    nicknames: Sequence[str] = (),
    species: str = "",
    **more: Any,
) -> PlannedConcept:
    """A person, or a pet where a species is given."""
    own = concept_id or f"yara-c-{name.lower()}"
    look = None if species else LOOK
    subject = PictureSubject(
        kind="animal" if species else "person", name=species or name, identity=own, appearance=look
    )
    return PlannedConcept(
        concept_id=own,
        name=name,
        kind="animal" if species else "person",
        relation=relation,
        role=role,
        nicknames=tuple(nicknames),
        age=40,
        species=species,
        appearance=look,
        portrait=PicturePlan(picture_id=f"{own}-portrait", kind="portrait", subjects=(subject,), seed=1),
        **more,
    )


YARA = concept(
    "Yara",
    "owner",
    "Account Owner",
    career="a geologist",
    tastes=("old maps", "opera"),
    traits=("red short hair", "glasses"),
)
MINA = concept("Mina", "mother", "Owner's Mother", nicknames=("Mom", "Mum"))
SAM_AUNT = concept("Sam", "aunt", "Owner's Aunt", concept_id="yara-c-sam")
SAM_COUSIN = concept("Sam", "cousin", "Owner's Cousin", concept_id="yara-c-sam-2")
REX = concept("Rex", "dog", "Owner's Dog", species="dog")
FAMILY = (YARA, MINA, SAM_AUNT, SAM_COUSIN, REX)


def shot(image_id: str, who: Sequence[PlannedConcept], seed: int = 1) -> PlannedShot:
    """A picture by the lake with a red hat."""
    people = tuple(one.portrait.subjects[0] for one in who)
    hat = PictureSubject(kind="object", name="hat", colour="red")
    return PlannedShot(
        image_id=image_id,
        who=tuple(one.concept_id for one in who),
        things=(PlannedThing(name="hat", colour="red"),),
        picture=PicturePlan(
            picture_id=image_id, kind="scene", place="lake", subjects=(*people, hat), seed=seed, size=64
        ),
    )


EVENT = PlannedEvent(
    event_id="yara-e-0",
    number=0,
    date=dt.date(2024, 1, 6),
    activity="ice-fishing",
    activity_family="fishing",
    title="the ice fishing (lake)",
    place="lake",
    attendees=("yara-c-yara", "yara-c-mina", "yara-c-rex"),
    named=("yara-c-mina",),
    says_place=True,
    shots=(shot("yara-e-0-0", (YARA, MINA)), shot("yara-e-0-1", (MINA, REX), seed=2)),
)
LIFE = VaccountPlan(
    vaccount_id="yara",
    seed_id="seed-1",
    edition="corpus",
    concepts=FAMILY,
    events=(EVENT,),
    question_shots=(shot("yara-s-0", (YARA,), seed=3),),
)
GOOD = EventWritingOutput(
    narrative="Yara and Mina sat by the hole, and Rex slept.",
    description="Ice fishing with Mom by the lake. Cold feet, warm tea!",
    captions=("Yara and Mina by the lake with a red hat.", "Mina and Rex by the lake with a red hat."),
)


class Writer:
    """Answers tasks by name with what it is given, sample by sample; an error among the answers is raised."""

    identity = ModelIdentity("fake", "writer-1")
    window_tokens = 1000
    scores_options = False
    takes_pictures = True

    def __init__(self, answers: Mapping[str, Sequence[TaskOutput | Exception]]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, Any, int]] = []
        self.images: list[tuple[PictureReference, ...]] = []

    def run(self, task: Any, task_input: Any, images: Any = (), *, sample: int = 0, listener: Any = None) -> Any:
        self.asked.append((task.name, task_input, sample))
        self.images.append(tuple(images))
        given = self.answers[task.name]
        answer = given[min(sample, len(given) - 1)]
        if isinstance(answer, Exception):
            raise answer
        return Generation(answer, Usage(1, 1), self.identity.provenance(task))

    def score_options(self, task: Any, task_input: Any, options: Any, images: Any = ()) -> Any:
        raise CapabilityMissing("no scores")

    def check(self) -> str:
        return "a fake"


def event_writer(*outputs: EventWritingOutput | Exception) -> Writer:
    """A writer of one event."""
    return Writer({EVENT_WRITING.name: outputs})


def unreadable(task_name: str) -> GenerationRejected:
    """What a model raises whose answer is no JSON."""
    return GenerationRejected(task_name, "bad_json", "sorry", "no JSON")


def voter(*best: int | Exception, problems: Sequence[tuple[int, str]] = ()) -> Writer:
    """A critic whose samples vote for these candidates, from 1; 0: for none."""
    said = tuple(CandidateProblem(candidate=number, problem=text) for number, text in problems)
    votes = [one if isinstance(one, Exception) else CandidateVoteOutput(best=one, problems=said) for one in best]
    return Writer({CANDIDATE_VOTE.name: votes})


def png(colour: tuple[int, int, int], side: int = 16) -> bytes:
    """A file of one colour."""
    out = io.BytesIO()
    Image.new("RGB", (side, side), colour).save(out, "PNG")
    return out.getvalue()


class Crayon:
    """An image maker whose picture is a colour of the plan's seed; ids that begin with ``broken`` cannot be drawn."""

    identity = ModelIdentity("code", "crayon-1")

    def __init__(self, refuse: Callable[[PicturePlan], bool] = lambda plan: False) -> None:
        self.refuse = refuse
        self.drawn: list[PicturePlan] = []

    def draw(self, plan: PicturePlan) -> DrawnPicture:
        self.drawn.append(plan)
        if plan.picture_id.startswith("broken") or self.refuse(plan):
            raise PictureNotDrawn(plan.picture_id, "no such thing")
        colour = (plan.seed % 251, plan.seed // 251 % 251, plan.seed // 63001 % 251)
        return DrawnPicture(png(colour), 16, 16, ())

    def draw_many(self, plans: Any) -> Any:
        for plan in plans:
            try:
                yield self.draw(plan)
            except PictureNotDrawn as error:
                yield error

    def check(self) -> str:
        return "a crayon"
