"""The stages of synthesis as plain calls: what the graph's assets run, and what a person runs by hand.

Each ``make_*`` writes the tables of one data set through a ``DatasetWriter`` and returns what it
counted: ``in = out + rejected``.
"""

from __future__ import annotations

import collections
import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import (
    BenchmarkCase,
    CaptionSeed,
    ConversationPlan,
    Edition,
    Persona,
    PersonaSeed,
    Picture,
    Rejection,
    ReviewItem,
    Session,
    Setting,
    Turn,
)
from lifeloom.store import DatasetWriter
from lifeloom.streams import Streams
from lifeloom.synthesis.case_review import apply_case_answers, case_review_items
from lifeloom.synthesis.dialogues import Conversation, write_conversation
from lifeloom.synthesis.illustrating import Illustrated, Illustrator
from lifeloom.synthesis.persona_mme import make_release_cases
from lifeloom.synthesis.personas import enrich_persona
from lifeloom.synthesis.planning.shapes import ConversationShape
from lifeloom.synthesis.plans import plan_conversation
from lifeloom.synthesis.review import ReviewAnswers
from lifeloom.synthesis.validation import Validated, Validator

__all__ = ["CaseReview", "ConversationOrder", "StageCounts", "make_cases", "make_dialogues", "make_personas"]

Progress = Callable[[int], None]


@dataclass(frozen=True)
class StageCounts:
    """What a stage took in and gave out."""

    taken: int
    kept: int
    rejected: Mapping[str, int]
    """Number of rejected items by reason."""
    repaired: Mapping[str, int] = field(default_factory=dict)
    """Number of repairs by kind; repaired items are among the kept or the rejected."""

    def __post_init__(self) -> None:
        """Hold every stage to ``in = out + rejected``."""
        if self.taken != self.kept + sum(self.rejected.values()):
            raise AssertionError(
                f"{self.taken} in, {self.kept} out, rejected {dict(self.rejected)}: rows have vanished"
            )


@dataclass(frozen=True)
class ConversationOrder:
    """One conversation to make."""

    persona: Persona
    setting: Setting
    shape: ConversationShape
    captions: tuple[CaptionSeed, ...]


@dataclass(frozen=True)
class CaseReview:
    """How people judge the cases of a release."""

    key: str
    """Of the data set, for the queue."""
    answers: ReviewAnswers
    turns_of: Callable[[str], Iterable[Turn]]
    """Gives a persona's conversation: the evidence that people read."""


def make_personas(
    writer: DatasetWriter,
    seeds: Sequence[PersonaSeed],
    *,
    edition: Edition,
    model: LanguageModel,
    streams: Streams,
    workers: int = 1,
    progress: Progress = lambda done: None,
) -> StageCounts:
    """Enrich ``seeds`` into the tables ``personas`` and ``rejections``.

    Raises:
        ModelUnavailable, ModelRefusesKey: the model stopped answering.
    """

    def enrich(seed: PersonaSeed) -> Persona | Rejection:
        try:
            return enrich_persona(seed, edition=edition, model=model, streams=streams)
        except GenerationRejected as error:
            detail = f"{error.detail} raw: {error.raw}".strip()
            return Rejection(stage="personas", item=seed.seed_id, reason=error.reason, detail=detail[:500])

    reasons: collections.Counter[str] = collections.Counter()
    kept = 0
    writer.write("personas", Persona, ())
    writer.write("rejections", Rejection, ())
    for done, result in enumerate(ordered_map(enrich, seeds, workers=workers), start=1):
        if isinstance(result, Persona):
            writer.write("personas", Persona, [result])
            kept += 1
        else:
            writer.write("rejections", Rejection, [result])
            reasons[result.reason] += 1
        progress(done)
    return StageCounts(len(seeds), kept, reasons)


def make_dialogues(
    writer: DatasetWriter,
    orders: Sequence[ConversationOrder],
    *,
    ends_on: dt.date,
    model: LanguageModel,
    validator: Validator,
    illustrator: Illustrator,
    streams: Streams,
    workers: int = 1,
    progress: Progress = lambda done: None,
) -> StageCounts:
    """Plan, illustrate, write and validate conversations.

    Tables: ``plans``, ``pictures``, ``sessions``, ``turns``, ``rejections``, ``review``; the pictures' files go to the
    media store. A few conversations are held at a time (``2 * workers`` and what the illustrator draws ahead), so
    memory does not grow with their number.

    Raises:
        ScheduleError: an order's turns do not fit into its days.
        ModelUnavailable, ModelRefusesKey: a model stopped answering.
    """

    def plan(order: ConversationOrder) -> ConversationPlan:
        return plan_conversation(
            order.persona,
            setting=order.setting,
            ends_on=ends_on,
            captions=order.captions,
            shape=order.shape,
            streams=streams,
        )

    def write(item: tuple[ConversationOrder, Illustrated]) -> tuple[Illustrated, Conversation, Validated | None]:
        order, illustrated = item
        if illustrated.rejection is not None:
            refused = (illustrated.rejection,)
            return illustrated, Conversation(illustrated.plan.plan_id, order.persona.persona_id, (), (), refused), None
        conversation = write_conversation(illustrated.plan, order.persona, model, illustrated.references)
        if not conversation.turns:
            return illustrated, conversation, None
        return illustrated, conversation, validator.validate(illustrated.plan, order.persona, conversation, model)

    reasons: collections.Counter[str] = collections.Counter()
    repaired: collections.Counter[str] = collections.Counter()
    kept = 0
    for table, kind in (
        ("plans", ConversationPlan),
        ("pictures", Picture),
        ("sessions", Session),
        ("turns", Turn),
        ("rejections", Rejection),
        ("review", ReviewItem),
    ):
        writer.write(table, kind, ())
    items = zip(orders, illustrator.illustrate(map(plan, orders)), strict=True)
    for done, (illustrated, conversation, validated) in enumerate(ordered_map(write, items, workers=workers), start=1):
        rejections = conversation.rejections if validated is None else validated.rejections
        accepted = None if validated is None else validated.conversation
        repaired.update(() if validated is None else (repair.kind for repair in validated.repairs))
        writer.write("rejections", Rejection, rejections)
        writer.write("review", ReviewItem, () if validated is None else validated.review)
        if accepted is None:
            reasons[rejections[0].reason] += 1
        else:
            for data in (illustrated.files or {}).values():
                writer.put_media(data)
            if illustrated.redrawn:
                repaired["redrawn"] += illustrated.redrawn
            writer.write("review", ReviewItem, illustrated.review)
            writer.write("pictures", Picture, illustrated.pictures)
            writer.write("plans", ConversationPlan, [illustrated.plan])
            writer.write("sessions", Session, accepted.sessions)
            writer.write("turns", Turn, accepted.turns)
            kept += 1
        progress(done)
    return StageCounts(len(orders), kept, reasons, repaired)


def make_cases(
    writer: DatasetWriter,
    pairs: Iterable[tuple[Persona, ConversationPlan]],
    *,
    release_id: str,
    model: LanguageModel,
    cases_per_persona: int,
    streams: Streams,
    review: CaseReview | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[BenchmarkCase]:
    """Make the cases of a release into the tables ``cases``, ``rejections`` and ``review``, and return the cases.

    Args:
        writer: takes the tables.
        pairs: personas with their plans.
        release_id: the release that the cases belong to.
        model: writes the alignment pairs.
        cases_per_persona: cases wanted of each conversation.
        streams: the seed's random streams.
        review: cases that a person rejected are left out, all others wait in the queue; None: nobody reviews.
        workers: alignment pairs asked for at once.
        progress: told the number of alignment pairs that are done, and of all.

    Raises:
        ModelUnavailable, ModelRefusesKey: the model stopped answering.
    """
    making = make_release_cases(
        pairs,
        release_id=release_id,
        model=model,
        cases_per_persona=cases_per_persona,
        streams=streams,
        workers=workers,
        progress=progress,
    )
    cases, taken_out = apply_case_answers(making.cases, ReviewAnswers() if review is None else review.answers)
    waiting = [] if review is None else case_review_items(cases, review.turns_of, key=review.key)
    writer.write("cases", BenchmarkCase, cases)
    writer.write("rejections", Rejection, (*making.rejections, *taken_out))
    writer.write("review", ReviewItem, waiting)
    return cases
