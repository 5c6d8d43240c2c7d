"""MMHal-Bench: answers rated by a judge, overall and by kind of question (CoViP Table 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.caption_quality.files import MmhalRow, parse_rating
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import MMHAL_JUDGEMENT, MmhalJudgementInput

__all__ = ["HALLUCINATED_BELOW", "MMHAL_TYPES", "MmhalRating", "MmhalScores", "mmhal_scores", "rate_answers"]

HALLUCINATED_BELOW = 3
"""Ratings below are of answers with hallucination."""
MMHAL_TYPES = ("attribute", "adversarial", "comparison", "counting", "relation", "environment", "holistic", "other")
"""Kinds of questions, in the order of Table 5."""


@dataclass(frozen=True)
class MmhalRating:
    """What a judge said of one answer."""

    question_type: str
    rating: int | None
    """0..6; None: there is none that can be read."""
    failure: str = ""
    """Why there is none: ``unreadable``, or why the judge did not answer."""


@dataclass(frozen=True)
class MmhalScores:
    """Of one model's answers."""

    questions: int
    overall: float
    """Mean rating, 0..6; an answer that could not be rated counts 0."""
    hallucination: float
    """Share of answers rated below 3, 0..1."""
    by_type: dict[str, float]
    """Mean rating by kind of question."""
    unreadable: int
    """Answers without a rating."""


def rate_answers(rows: Sequence[MmhalRow], judge: LanguageModel, *, callers: int = 1) -> list[MmhalRating]:
    """Have every answer rated, in order.

    Args:
        rows: with answers; an empty one is rated too.
        judge: sees question, contents, standard answer and answer, no picture.
        callers: answers rated at the same time.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """

    def rated(row: MmhalRow) -> MmhalRating:
        asked = MmhalJudgementInput(
            contents=row.image_content, question=row.question, standard=row.gt_answer, answer=row.model_answer
        )
        try:
            rating = parse_rating(judge.run(MMHAL_JUDGEMENT, asked).output.text)
        except UNANSWERED as error:
            return MmhalRating(row.question_type, None, failure_of(error))
        return MmhalRating(row.question_type, rating, "" if rating is not None else "unreadable")

    return list(ordered_map(rated, rows, workers=callers))


def mmhal_scores(ratings: Sequence[MmhalRating]) -> MmhalScores:
    """Return mean ratings and the share of answers with hallucination.

    Raises:
        ValueError: there are no ratings.
    """
    if not ratings:
        raise ValueError("there are no ratings")
    by_type: dict[str, list[int]] = {}
    for one in ratings:
        by_type.setdefault(one.question_type, []).append(one.rating or 0)
    values = [one.rating or 0 for one in ratings]
    return MmhalScores(
        questions=len(ratings),
        overall=sum(values) / len(values),
        hallucination=sum(value < HALLUCINATED_BELOW for value in values) / len(values),
        by_type={name: sum(own) / len(own) for name, own in sorted(by_type.items())},
        unreadable=sum(one.rating is None for one in ratings),
    )
