"""Ratings of MMHal-Bench's answers."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.caption_quality.files import MmhalRow
from evaluation.caption_quality.mmhal import MmhalRating, mmhal_scores, rate_answers
from tests.evaluation.caption_quality.known import speaking


def row(kind: str, answer: str) -> MmhalRow:
    return MmhalRow(question_type=kind, image_id="a", question="What is it?", gt_answer="A dog.", model_answer=answer)


def test_scores_are_means_by_kind_and_a_missing_rating_counts_as_nothing() -> None:
    rated = [
        MmhalRating("attribute", 6),
        MmhalRating("attribute", 3),
        MmhalRating("counting", 2),
        MmhalRating("counting", None, "unreadable"),
    ]
    scores = mmhal_scores(rated)
    assert scores.overall == pytest.approx(11 / 4)
    assert scores.hallucination == pytest.approx(2 / 4)  # below 3: 2 and none
    assert scores.by_type == {"attribute": 4.5, "counting": 1.0}
    assert scores.unreadable == 1


def test_the_judge_sees_the_answer_and_its_bad_answers_keep_their_reason() -> None:
    said = {"a dog": "Fine.\nRating: 5", "a cat": "bad", "a cow": "reject:bad_json"}

    def say(asked: Any) -> str:
        assert (asked.question, asked.standard) == ("What is it?", "A dog.")
        return said[asked.answer]

    given = rate_answers([row("other", answer) for answer in said], speaking(say))
    assert given == [
        MmhalRating("other", 5),
        MmhalRating("other", None, "unreadable"),
        MmhalRating("other", None, "bad_json"),
    ]


def test_there_are_no_scores_of_nothing() -> None:
    with pytest.raises(ValueError, match="no ratings"):
        mmhal_scores([])
