"""Making the Vaccounts of a release: outlines, plans, words, pictures. What the graph runs, as plain calls.

Each Vaccount depends on the seed, its number and the captions alone, so one can be made again without the others.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.painter.people import TooAlike
from lifeloom.models.builtin.painter.vocabulary import thing
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import (
    CaptionSeed,
    Concept,
    ConceptDescription,
    Edition,
    EventStory,
    LifeImage,
    PictureReference,
    PlannedShot,
    Rejection,
    Split,
    VaccountPlan,
    VaccountSeed,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions.truth import thing_phrase
from lifeloom.synthesis.occasion_seeds import account_split
from lifeloom.synthesis.vaccounts.caption_seeds import CaptionSplit, split_captions
from lifeloom.synthesis.vaccounts.drawing import DrawnResult, LifeIllustrator, PictureOrder, shown_people
from lifeloom.synthesis.vaccounts.outlines import VaccountOutline, draw_outline, slug
from lifeloom.synthesis.vaccounts.planning import plan_vaccount
from lifeloom.synthesis.vaccounts.shape import LifeShape
from lifeloom.synthesis.vaccounts.similarity import PictureIndex
from lifeloom.synthesis.vaccounts.words import shot_caption, write_concepts, write_event, write_seed

__all__ = [
    "LifeOrder",
    "MadeVaccount",
    "draw_history",
    "draw_portraits",
    "make_seeds",
    "plan_release",
    "release_captions",
    "word_concepts",
    "word_events",
]

STAGE = "vaccounts"


@dataclass(frozen=True)
class LifeOrder:
    """What a release's Vaccounts are to be."""

    release_id: str
    edition: Edition
    split: Split
    ends_on: dt.date
    """Last day of the histories."""
    vaccounts: int
    seeds: int
    """Outlines that are written; the first ones become Vaccounts."""
    shape: LifeShape


@dataclass(frozen=True)
class MadeVaccount:
    """One Vaccount on its way."""

    seed: VaccountSeed
    plan: VaccountPlan


def release_captions(captions: Iterable[CaptionSeed], order: LifeOrder) -> CaptionSplit:
    """Return the captions of the order's split of accounts, as concept and event seeds."""
    return split_captions(one for one in captions if account_split(one.account_id) == order.split)


def make_seeds(model: LanguageModel, order: LifeOrder, streams: Streams) -> tuple[list[VaccountSeed], list[Rejection]]:
    """Draw outlines and have their life stories written; no two owners share a name.

    Raises:
        ValueError: there are not so many names.
    """
    taken: set[str] = set()
    seeds: list[VaccountSeed] = []
    rejections: list[Rejection] = []
    for number in range(order.seeds):
        outline = _outline(order, streams, number, taken)
        taken.add(outline.vaccount_id)
        written = write_seed(
            model, outline, seed_id=f"vaccount-seed-{number:03d}", split=order.split, edition=order.edition
        )
        if isinstance(written, Rejection):
            rejections.append(written)
        else:
            seeds.append(written)
    return seeds, rejections


def _outline(order: LifeOrder, streams: Streams, number: int, taken: set[str]) -> VaccountOutline:
    return draw_outline(_of_release(order, streams), number, concepts=order.shape.concepts, taken=taken)


def _of_release(order: LifeOrder, streams: Streams) -> Streams:
    """Return the streams of this release: other releases have other lives."""
    return Streams(streams.rng("lives", order.release_id).randrange(2**53))


def plan_release(
    seeds: Sequence[VaccountSeed], captions: CaptionSplit, order: LifeOrder, streams: Streams
) -> Iterator[MadeVaccount | Rejection]:
    """Yield the plans of the first ``order.vaccounts`` seeds; event seeds are shared out, each used once."""
    own = _of_release(order, streams)
    events = own.rng("event seeds").sample(captions.events, len(captions.events))
    concepts = own.rng("concept seeds").sample(captions.concepts, len(captions.concepts))
    chosen = list(seeds[: order.vaccounts])
    for number, seed in enumerate(chosen):
        try:
            plan = plan_vaccount(
                seed,
                order.shape,
                own,
                edition=order.edition,
                ends_on=order.ends_on,
                concept_seeds=concepts[number :: len(chosen)],
                event_seeds=events[number :: len(chosen)],
            )
        except TooAlike as error:
            yield Rejection(stage=STAGE, item=slug(seed.name), reason="people_too_alike", detail=str(error))
            continue
        yield MadeVaccount(seed, plan)


def draw_portraits(plan: VaccountPlan, illustrator: LifeIllustrator) -> Iterator[DrawnResult]:
    """Yield the portraits of a Vaccount's concepts: somebody, or some animal, whom the critic does not know yet."""
    return illustrator.draw(
        PictureOrder(
            one.concept_id,
            plan.vaccount_id,
            "portrait",
            one.portrait,
            caption=f"a portrait: {', '.join(one.traits or [one.species])}",
            strangers=0 if one.appearance is None else 1,
            things=(thing(one.species).with_article,) if one.appearance is None else (),
        )
        for one in plan.concepts
    )


def word_concepts(
    model: LanguageModel, made: MadeVaccount, portraits: Mapping[str, PictureReference]
) -> tuple[list[Concept], list[ConceptDescription], list[Rejection]]:
    """Return the concepts in words, their descriptions, and what was left out."""
    worded, rejections = write_concepts(model, made.plan, made.seed, dict(portraits))
    descriptions = [
        ConceptDescription(
            concept_id=one.concept.concept_id,
            vaccount_id=made.plan.vaccount_id,
            visual_description=one.visual_description,
            made_by=one.concept.made_by,
        )
        for one in worded
    ]
    return [one.concept for one in worded], descriptions, rejections


def word_events(
    model: LanguageModel, plan: VaccountPlan, captions: Mapping[str, CaptionSeed]
) -> Iterator[EventStory | Rejection]:
    """Yield the events of a Vaccount in words, or why one is left out whole; and why an event seed was not told."""
    for event in plan.events:
        worded = write_event(model, plan, event, [captions[one] for one in event.seed_caption_ids if one in captions])
        yield from worded.rejections
        if worded.story is not None:
            yield worded.story


def draw_history(
    plan: VaccountPlan,
    stories: Mapping[str, EventStory],
    portraits: Mapping[str, PictureReference],
    illustrator: LifeIllustrator,
) -> Iterator[tuple[DrawnResult, LifeImage | None]]:
    """Yield the pictures of events that have words, then those of questions; with the row of the history, if any.

    A candidate of a question's picture that is like one of the history is refused, whatever it shows.
    """
    names = {one.concept_id: one.name for one in plan.concepts}

    def order(shot: PlannedShot, use: str, caption: str) -> PictureOrder:
        persons = [one.identity for one in shot.picture.subjects if one.kind == "person"]
        return PictureOrder(
            image_id=shot.image_id,
            vaccount_id=plan.vaccount_id,
            use=use,
            plan=shot.picture,
            caption=caption,
            people=shown_people(shot.who, names, portraits),
            strangers=sum(one not in portraits for one in persons),
            things=tuple(thing_phrase(one) for one in shot.things),
        )

    planned = [
        (event, shot, caption)
        for event in plan.events
        if event.event_id in stories
        for shot, caption in zip(event.shots, stories[event.event_id].captions, strict=True)
    ]
    known = PictureIndex()
    history = illustrator.draw(order(shot, "history", caption) for _, shot, caption in planned)
    for (event, shot, _), result in zip(planned, history, strict=True):
        if result.picture is None:
            yield result, None
            continue
        known.add(shot.image_id, result.picture.picture, result.data)
        image = LifeImage(
            image_id=shot.image_id,
            vaccount_id=plan.vaccount_id,
            event_id=event.event_id,
            event_description=stories[event.event_id].description,
            event_date=event.date,
            picture=result.picture.picture,
        )
        yield result, image
    questions = (order(shot, "question", shot_caption(shot, names)) for shot in plan.question_shots)
    for result in illustrator.draw(questions, unfit=known.like):
        yield result, None
