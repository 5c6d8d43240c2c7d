"""Lives in words: the writer is asked, and rules hold what it wrote to the plan (Life-Bench Section 3.2).

Every item is asked for once more when a rule refuses it, then left out with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from lifeloom.models.builtin.painter.vocabulary import place
from lifeloom.models.gemini.caption import person_words, sky_phrase, time_phrase
from lifeloom.models.protocol import Generation, GenerationRejected, LanguageModel
from lifeloom.records import (
    CaptionSeed,
    Concept,
    EventStory,
    PictureReference,
    PlannedConcept,
    PlannedEvent,
    PlannedShot,
    Rejection,
    Split,
    VaccountPlan,
    VaccountSeed,
)
from lifeloom.synthesis.catalogue.life_activities import activity
from lifeloom.synthesis.life_questions.truth import listed, thing_phrase
from lifeloom.synthesis.vaccounts.mentions import ways_to_call
from lifeloom.synthesis.vaccounts.outlines import VaccountOutline
from lifeloom.synthesis.vaccounts.word_rules import concept_problem, event_problem, look_problem, story_problem
from lifeloom.tasks import (
    CONCEPT_REFINEMENT,
    CONCEPT_WRITING,
    EVENT_STORY_WRITING,
    EVENT_WRITING,
    LIFE_STORY_WRITING,
    ConceptLook,
    ConceptRefinementInput,
    ConceptRefinementOutput,
    ConceptWritingInput,
    ConceptWritingOutput,
    EventPerson,
    EventStoryInput,
    EventWritingInput,
    LifeStoryInput,
    ShotBrief,
    TaskOutput,
)

__all__ = [
    "STAGE",
    "WordedConcept",
    "WordedEvent",
    "shot_caption",
    "write_concepts",
    "write_event",
    "write_seed",
]

STAGE = "life_words"
_ATTEMPTS = 2
OutputT = TypeVar("OutputT", bound=TaskOutput)


@dataclass(frozen=True)
class WordedConcept:
    """A concept with its visual description."""

    concept: Concept
    visual_description: str


@dataclass(frozen=True)
class WordedEvent:
    """An event in words, or none; and what was left out on the way, with reasons."""

    story: EventStory | None
    rejections: tuple[Rejection, ...] = ()


def write_seed(
    model: LanguageModel, outline: VaccountOutline, *, seed_id: str, split: Split, edition: str
) -> VaccountSeed | Rejection:
    """Return an outline with its life story, or why there is none.

    The story must name its person, say the work, and name nobody but those of the outline.
    """
    asked = LifeStoryInput(
        name=outline.name,
        age=outline.age,
        career=outline.career,
        relatives=tuple(f"{one.name}, {one.relation}, {one.age}" for one in outline.relatives),
        edition=edition,
    )

    given = _asked(
        lambda sample: model.run(LIFE_STORY_WRITING, asked, sample=sample),
        lambda output: story_problem(output.life_story, outline),
        seed_id,
    )
    if isinstance(given, Rejection):
        return given
    return VaccountSeed(
        seed_id=seed_id,
        name=outline.name,
        age=outline.age,
        career=outline.career,
        relatives=outline.relatives,
        life_story=given.output.life_story,
        split=split,
        made_by=given.provenance,
    )


def write_concepts(
    model: LanguageModel, plan: VaccountPlan, seed: VaccountSeed, portraits: Mapping[str, PictureReference]
) -> tuple[list[WordedConcept], list[Rejection]]:
    """Return the concepts of a Vaccount in words, refined for consistency among kin, and what was left out.

    Args:
        model: the writer.
        plan: the Vaccount.
        seed: what it was planned from.
        portraits: by concept id.
    """
    written: list[tuple[PlannedConcept, Generation[ConceptWritingOutput]]] = []
    rejections: list[Rejection] = []
    for planned in plan.concepts:
        given = _concept(model, plan, planned, seed.life_story if planned is plan.concepts[0] else "")
        if isinstance(given, Rejection):
            rejections.append(given)
        else:
            written.append((planned, given))
    looks = [given.output.visual_description for _, given in written]
    if written:
        refined = _refined(model, plan, [planned for planned, _ in written], looks)
        if isinstance(refined, Rejection):  # the descriptions stay as they were
            rejections.append(refined)
        else:
            looks = list(refined)
    return [
        WordedConcept(_concept_record(plan, planned, given, portraits), look)
        for (planned, given), look in zip(written, looks, strict=True)
    ], rejections


def _concept(
    model: LanguageModel, plan: VaccountPlan, planned: PlannedConcept, life_story: str
) -> Generation[ConceptWritingOutput] | Rejection:
    asked = ConceptWritingInput(
        name=planned.name,
        role=planned.role,
        kind=planned.kind,
        species=planned.species,
        age=planned.age,
        career=planned.career,
        tastes=planned.tastes,
        traits=planned.traits,
        seed_caption=_one_line(planned.seed_caption),
        life_story=life_story,
        edition=plan.edition,
    )
    return _asked(
        lambda sample: model.run(CONCEPT_WRITING, asked, sample=sample),
        lambda output: concept_problem(output, planned, plan.concepts),
        planned.concept_id,
    )


def _concept_record(
    plan: VaccountPlan,
    planned: PlannedConcept,
    given: Generation[ConceptWritingOutput],
    portraits: Mapping[str, PictureReference],
) -> Concept:
    return Concept(
        concept_id=planned.concept_id,
        vaccount_id=plan.vaccount_id,
        name=planned.name,
        role=planned.role,
        kind=planned.kind,
        persona=given.output.persona,
        portrait=portraits.get(planned.concept_id),
        made_by=given.provenance,
    )


def _refined(
    model: LanguageModel, plan: VaccountPlan, concepts: Sequence[PlannedConcept], looks: Sequence[str]
) -> tuple[str, ...] | Rejection:
    """Return the descriptions made consistent, one for each concept and with every trait, or why there are none."""
    asked = ConceptRefinementInput(
        concepts=tuple(
            ConceptLook(
                name=planned.name,
                role=planned.role,
                visual_description=look,
                traits=planned.traits,
                kin_traits=planned.kin_traits,
            )
            for planned, look in zip(concepts, looks, strict=True)
        ),
        edition=plan.edition,
    )

    def problem(output: ConceptRefinementOutput) -> str:
        if len(output.visual_descriptions) != len(concepts):
            return f"{len(output.visual_descriptions)} descriptions for {len(concepts)} concepts"
        found = map(look_problem, output.visual_descriptions, concepts)
        return next((one for one in found if one), "")

    given = _asked(
        lambda sample: model.run(CONCEPT_REFINEMENT, asked, sample=sample), problem, f"{plan.vaccount_id} refinement"
    )
    return given if isinstance(given, Rejection) else given.output.visual_descriptions


def write_event(
    model: LanguageModel, plan: VaccountPlan, event: PlannedEvent, captions: Sequence[CaptionSeed] = ()
) -> WordedEvent:
    """Put an event into words; an event whose words are refused twice is left out whole.

    Args:
        model: the writer.
        plan: the Vaccount.
        event: one of its events.
        captions: of the event seed; none, or a story of them that is refused: the event is told without.
    """
    rejections: list[Rejection] = []
    story = ""
    if captions:
        told = _told(model, event, captions)
        if isinstance(told, Rejection):
            rejections.append(told)
        else:
            story = told
    asked = _brief(plan, event, story)
    given = _asked(
        lambda sample: model.run(EVENT_WRITING, asked, sample=sample),
        lambda output: event_problem(output, plan, event),
        event.event_id,
    )
    if isinstance(given, Rejection):
        return WordedEvent(None, (*rejections, given))
    words = EventStory(
        event_id=event.event_id,
        vaccount_id=plan.vaccount_id,
        seed_story=story,
        narrative=given.output.narrative,
        description=given.output.description,
        captions=given.output.captions,
        made_by=given.provenance,
    )
    return WordedEvent(words, tuple(rejections))


def _told(model: LanguageModel, event: PlannedEvent, captions: Sequence[CaptionSeed]) -> str | Rejection:
    """Return the captions of an event seed, told as one event, or why they are not."""
    day = captions[0].taken_at
    asked = EventStoryInput(
        day="" if day is None else day.date().isoformat(), captions=tuple(_one_line(one.caption) for one in captions)
    )
    given = _asked(
        lambda sample: model.run(EVENT_STORY_WRITING, asked, sample=sample),
        lambda output: "",
        f"{event.event_id} event seed",
    )
    return given if isinstance(given, Rejection) else given.output.story


def _brief(plan: VaccountPlan, event: PlannedEvent, story: str) -> EventWritingInput:
    concepts = {one.concept_id: one for one in plan.concepts}
    words = activity(event.activity).words_for(plan.edition)
    where = place(event.place)
    return EventWritingInput(
        owner=plan.concepts[0].name,
        activity=words[0],
        activity_words=words,
        place=where.phrase,
        says_place=event.says_place,
        title=event.title,
        date=event.date.isoformat(),
        people=tuple(
            EventPerson(
                name=concepts[one].name,
                role=concepts[one].role,
                called=ways_to_call(concepts[one], plan.concepts),
                named=one in event.named,
            )
            for one in event.attendees
        ),
        seed_story=_one_line(story),
        shots=tuple(
            ShotBrief(
                who=tuple(concepts[one].name for one in shot.who),
                things=tuple(thing_phrase(one) for one in shot.things),
                place=where.phrase,
                time_of_day=time_phrase(shot.picture.time_of_day),
                weather=sky_phrase(shot.picture.weather, where.outdoor),
            )
            for shot in event.shots
        ),
        edition=plan.edition,
    )


def shot_caption(shot: PlannedShot, names: Mapping[str, str]) -> str:
    """Return what a question's picture shows, in words, for an image maker that reads.

    Args:
        shot: as planned.
        names: by concept id; whoever is in the picture and has none is described by looks.
    """
    where = place(shot.picture.place)
    shown = [names[one] for one in shot.who]
    shown += [person_words(one) for one in shot.picture.subjects if one.kind == "person" and one.identity not in names]
    shown += [thing_phrase(one) for one in shot.things]
    when = time_phrase(shot.picture.time_of_day)
    return f"{listed(shown)} {where.phrase} {when}, {sky_phrase(shot.picture.weather, where.outdoor)}."


def _one_line(text: str) -> str:
    """Return a text of others without line breaks, so that nothing in it looks like a line of a prompt."""
    return " ".join(text.split())


def _asked(
    ask: Callable[[int], Generation[OutputT]], problem: Callable[[OutputT], str], item: str
) -> Generation[OutputT] | Rejection:
    """Ask, once more where a rule refuses the answer, and return it or the last reason."""
    reason, detail = "refused", ""
    for sample in range(_ATTEMPTS):
        try:
            given = ask(sample)
        except GenerationRejected as error:
            reason, detail = error.reason, str(error)
            continue
        found = problem(given.output)
        if not found:
            return given
        reason, detail = "departs_from_plan", found
    return Rejection(stage=STAGE, item=item, reason=reason, detail=detail[:500])
