"""Making interleaved contexts: planned, worded, and left out with a reason where a dialogue is missing (C3, C4)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import (
    CaptionSample,
    ConceptDialoguePlan,
    ContextEntry,
    LibraryImage,
    Rejection,
    SceneImage,
    ScenePlan,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.contexts.nearest import NearestPictures
from lifeloom.synthesis.contexts.planning import PlannedContext, plan_context
from lifeloom.synthesis.contexts.words import write_concept_dialogue

__all__ = ["ContextOrder", "MadeContext", "make_contexts"]


@dataclass(frozen=True)
class ContextOrder:
    """How contexts are to be."""

    release_id: str
    """Shard or date."""
    negatives: int
    """For each concept of a query picture."""
    ends_on: dt.date
    """The last day that dialogues tell of."""


@dataclass(frozen=True)
class MadeContext:
    """A query picture with its context, or the reasons why there is none."""

    sample: CaptionSample | None
    plans: tuple[ConceptDialoguePlan, ...] = ()
    rejections: tuple[Rejection, ...] = ()


def make_contexts(
    scenes: Iterable[tuple[ScenePlan, SceneImage]],
    pool: Sequence[LibraryImage],
    nearest: NearestPictures,
    writer: LanguageModel,
    order: ContextOrder,
    streams: Streams,
    *,
    stage: str,
    callers: int = 1,
) -> Iterator[MadeContext]:
    """Yield the context of each query picture, in order.

    Args:
        scenes: query pictures that passed the filter, with their plans.
        pool: pictures of the library that contexts may show.
        nearest: the same pictures by their vectors.
        writer: words dialogues.
        order: how contexts are to be.
        streams: the profile's.
        stage: whose rejections these are.
        callers: contexts worded at once.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the writer stopped answering.
    """
    by_id = {one.image_id: one for one in pool}

    def made(scene: tuple[ScenePlan, SceneImage]) -> MadeContext:
        plan, image = scene
        planned = plan_context(
            plan, by_id, nearest, streams, negatives=order.negatives, ends_on=order.ends_on, stage=stage
        )
        if isinstance(planned, Rejection):
            return MadeContext(None, rejections=(planned,))
        return _worded(planned, image, writer, order, stage)

    yield from ordered_map(made, scenes, workers=callers)


def _worded(
    planned: PlannedContext, image: SceneImage, writer: LanguageModel, order: ContextOrder, stage: str
) -> MadeContext:
    entries, provenance = [], writer.identity.provenance()
    for one in planned.entries:
        written = write_concept_dialogue(writer, one.plan, one.image, stage=stage)
        if isinstance(written, Rejection):
            lost = Rejection(
                stage=stage, item=planned.scene.scene_id, reason="dialogue_missing", detail=one.plan.dialogue_id
            )
            return MadeContext(None, rejections=(written, lost))
        turns, provenance = written
        entries.append(
            ContextEntry(
                image_id=one.image.image_id,
                identity=one.image.identity,
                picture=one.image.picture,
                dialogue_id=one.plan.dialogue_id,
                turns=turns,
                positive=one.positive,
            )
        )
    sample = CaptionSample(
        sample_id=planned.scene.scene_id,
        release_id=order.release_id,
        split=planned.scene.split,
        query=image.picture,
        entries=tuple(entries),
        made_by=provenance,
    )
    return MadeContext(sample, tuple(one.plan for one in planned.entries))
