"""Accuracy and its intervals, against hand calculations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.scoring import binomial_lower_bound, bootstrap_accuracy


def test_accuracy_is_micro_over_questions_not_the_mean_over_cases() -> None:
    # Two cases: 1 of 1 right, 0 of 3 right. Micro: 1/4; the mean over cases would be 1/2.
    accuracy = bootstrap_accuracy([1, 0], [1, 3], samples=200, seed=1)
    assert accuracy.value == 0.25
    assert (accuracy.questions, accuracy.correct) == (4, 1)


def test_the_bootstrap_interval_of_a_fair_coin_is_close_to_the_normal_one() -> None:
    # 400 cases, half right: standard error sqrt(.25/400) = 0.025, so the interval is 0.5 +- 0.049.
    accuracy = bootstrap_accuracy([1, 0] * 200, [1] * 400, samples=4000, seed=3)
    assert accuracy.low == pytest.approx(0.451, abs=0.006)
    assert accuracy.high == pytest.approx(0.549, abs=0.006)


def test_cases_are_resampled_whole_so_that_questions_of_a_case_move_together() -> None:
    # 100 cases of 4 questions, all right or all wrong: the error is that of 100 coins, not of 400.
    accuracy = bootstrap_accuracy([4, 0] * 50, [4] * 100, samples=4000, seed=3)
    assert accuracy.high - accuracy.low == pytest.approx(2 * 1.96 * 0.05, abs=0.02)


def test_all_right_has_no_spread() -> None:
    accuracy = bootstrap_accuracy([1, 1, 1], [1, 1, 1], samples=100, seed=0)
    assert (accuracy.value, accuracy.low, accuracy.high) == (1.0, 1.0, 1.0)


def test_the_same_seed_gives_the_same_interval() -> None:
    cases = [1, 0, 1, 1, 0, 1, 0, 0]
    first = bootstrap_accuracy(cases, [1] * 8, samples=300, seed=5)
    assert first == bootstrap_accuracy(cases, [1] * 8, samples=300, seed=5)


@pytest.mark.parametrize(("correct", "questions"), [([], []), ([1], [1, 1]), ([0], [0])])
def test_no_questions_is_an_error(correct: list[int], questions: list[int]) -> None:
    with pytest.raises(ValueError, match="question"):
        bootstrap_accuracy(correct, questions, samples=100, seed=0)


def test_the_binomial_bound_matches_the_closed_form_at_the_edges() -> None:
    # All n right: the bound solves p^n = alpha, so p = alpha^(1/n). None right: 0.
    assert binomial_lower_bound(20, 20, confidence=0.95) == pytest.approx(0.05 ** (1 / 20))
    assert binomial_lower_bound(0, 20, confidence=0.95) == 0.0


def test_the_binomial_bound_matches_a_published_value() -> None:
    # Clopper-Pearson 95 % two-sided for 15 of 50 is (0.1786, 0.4461); its lower end is one-sided at 97.5 %.
    assert binomial_lower_bound(15, 50, confidence=0.975) == pytest.approx(0.1786, abs=1e-4)


@given(st.integers(1, 200), st.data())
def test_the_bound_lies_below_the_rate_and_falls_with_confidence(questions: int, data: st.DataObject) -> None:
    correct = data.draw(st.integers(0, questions))
    loose = binomial_lower_bound(correct, questions, confidence=0.9)
    strict = binomial_lower_bound(correct, questions, confidence=0.999)
    assert 0 <= strict <= loose <= correct / questions
