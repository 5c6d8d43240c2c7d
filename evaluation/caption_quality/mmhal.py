"""MMHal-Bench: answers rated by a judge, overall and by kind of question (CoViP Table 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.caption_quality.files import MmhalRow, parse_rating
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.scoring.unanswered import UNANSWERED
from lifeloom.tasks import MMHAL_JUDGEMENT, MmhalJudgementInput

__all__ = ["HALLUCINATED_BELOW", "MmhalScores", "rate_answers"]

HALLUCINATED_BELOW = 3
"""Ratings below are of answers with hallucination."""


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
    """Ratings that could not be read."""


def rate_answers(rows: Sequence[MmhalRow], judge: LanguageModel, *, callers: int = 1) -> MmhalScores:
    """Have every answer rated.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
        ValueError: there are no rows.
    """
    if not rows:
        raise ValueError("there are no answers to be rated")

    def rated(row: MmhalRow) -> int | None:
        asked = MmhalJudgementInput(
            contents=row.image_content, question=row.question, standard=row.gt_answer, answer=row.model_answer
        )
        try:
            return parse_rating(judge.run(MMHAL_JUDGEMENT, asked).output.text)
        except UNANSWERED:
            return None

    ratings = list(ordered_map(rated, rows, workers=callers))
    by_type: dict[str, list[int]] = {}
    for row, rating in zip(rows, ratings, strict=True):
        by_type.setdefault(row.question_type, []).append(rating or 0)
    values = [rating or 0 for rating in ratings]
    return MmhalScores(
        questions=len(rows),
        overall=sum(values) / len(values),
        hallucination=sum(value < HALLUCINATED_BELOW for value in values) / len(values),
        by_type={name: sum(own) / len(own) for name, own in sorted(by_type.items())},
        unreadable=sum(rating is None for rating in ratings),
    )
