"""Answers to choices and yes-no questions are read as a person would read them, and not guessed at."""

from __future__ import annotations

import pytest

from evaluation.life_bench.matching import match_answer
from tests.evaluation.life_bench.asked import question


@pytest.mark.parametrize(
    "answer",
    [
        "b",
        "B.",
        "(B)",
        "Answer: B",
        "**Answer:** B",
        "Final Answer: (B)",
        "The correct answer is **B**.",
        "B) A blue jacket",
        "a blue jacket",
        "A person in the picture wears a blue jacket.",
        "The picture shows A blue jacket.\nAnswer: B",
        "\\boxed{B}",
    ],
)
def test_the_right_option_is_read_in_any_of_these_forms(answer):
    assert match_answer(question("q", "concept_vqa"), answer).correct


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("A or B", "two_letters"),
        ("(A) and (B)", "two_letters"),
        ("", "no_answer"),
        ("I am not sure", "no_letter"),
        ("A", ""),
        ("Answer: C", ""),
    ],
)
def test_another_option_two_or_none_are_wrong_and_told_apart(answer, why):
    matched = match_answer(question("q", "text_concept_qa"), answer)

    assert not matched.correct
    assert matched.unreadable == why


def test_an_open_question_is_not_matched():
    with pytest.raises(ValueError, match="judge"):
        match_answer(question("q"), "fishing")
