"""The captioner's rewards are CoViP's Eqs. 4 to 6 and Algorithm 1, counted by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.scoring.capeval import ProbeCounts
from lifeloom.scoring.degeneration import degeneration
from lifeloom.scoring.rewards import (
    QuestionCounts,
    caption_reward,
    caption_rewards,
    combined_reward,
    combined_rewards,
    visual_reward,
    visual_rewards,
)

TWO_CONCEPTS = QuestionCounts(positive=6, positive_right=4, negative=12, negative_right=9)
"""Two concepts and two negatives each, three questions a dialogue: 4 of 6 right, 3 of 12 not answered D."""


@pytest.mark.parametrize(
    ("form", "alpha", "reward"),
    [
        ("share", 1.0, 4 / 6 - 3 / 12),
        ("share", 0.5, 4 / 6 - 0.5 * 3 / 12),
        ("share", 0.0, 4 / 6),
        ("sum", 1.0, 4 - 3),
        ("sum", 2.0, 4 - 6),
        ("release", 1.0, 4 / 3 - 3 / 12),
    ],
)
def test_a_caption_has_its_right_questions_less_what_it_says_of_others(form: Any, alpha: float, reward: float) -> None:
    assert caption_reward(TWO_CONCEPTS, False, alpha=alpha, form=form) == pytest.approx(reward)


def test_the_default_is_algorithm_1_with_alpha_1() -> None:
    assert caption_reward(TWO_CONCEPTS, False) == pytest.approx(5 / 12)


@pytest.mark.parametrize("form", ["share", "sum", "release"])
def test_a_degenerate_caption_has_minus_one_whatever_it_says(form: Any) -> None:
    perfect = QuestionCounts(6, 6, 12, 12)
    assert caption_reward(perfect, True, alpha=3.0, form=form) == -1.0
    assert caption_reward(QuestionCounts(0, 0, 0, 0), True, form=form) == -1.0


def test_a_completion_cut_at_its_limit_is_degenerate() -> None:
    counts, text = QuestionCounts(3, 3, 6, 6), "Ana with her mug at the lake."
    assert caption_reward(counts, degeneration(text, tokens=511).degenerate) == 1.0
    assert caption_reward(counts, degeneration(text, tokens=511, cut=True).degenerate) == -1.0
    assert caption_reward(counts, degeneration(text, tokens=512).degenerate) == -1.0


@pytest.mark.parametrize(
    ("counts", "reward"),
    [
        (QuestionCounts(0, 0, 6, 3), -0.5),
        (QuestionCounts(0, 0, 6, 6), 0.0),
        (QuestionCounts(3, 3, 0, 0), 1.0),
        (QuestionCounts(3, 0, 0, 0), 0.0),
        (QuestionCounts(0, 0, 0, 0), 0.0),
    ],
)
def test_a_part_without_questions_is_zero(counts: QuestionCounts, reward: float) -> None:
    assert caption_reward(counts, False) == reward


def test_counts_of_the_benchmark_are_taken_as_they_are() -> None:
    counts = ProbeCounts(concepts=2, positive=6, positive_right=4, negative=12, negative_right=9)
    assert caption_reward(counts, False) == caption_reward(TWO_CONCEPTS, False)
    assert caption_reward(counts, False) == counts.positive_accuracy - counts.committed


def test_a_caption_that_says_nothing_beats_one_that_only_tells_of_others() -> None:
    silent, wrong = QuestionCounts(3, 0, 6, 6), QuestionCounts(3, 0, 6, 0)
    assert caption_reward(wrong, False) == -1.0 < caption_reward(silent, False) == 0.0


@pytest.mark.parametrize("numbers", [(3, 4, 0, 0), (3, -1, 0, 0), (0, 0, 2, 3), (-1, -1, 0, 0)])
def test_more_right_than_asked_is_refused(numbers: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="right <= asked"):
        QuestionCounts(*numbers)
    positive, positive_right, negative, negative_right = numbers
    counts = ProbeCounts(1, positive, positive_right, negative, negative_right)
    with pytest.raises(ValueError, match="right <= asked"):
        caption_reward(counts, False)


@pytest.mark.parametrize("alpha", [-0.1, math.nan, math.inf])
def test_a_penalty_that_rewards_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        caption_reward(TWO_CONCEPTS, False, alpha=alpha)


@st.composite
def counts(draw: st.DrawFn) -> QuestionCounts:
    positive, negative = draw(st.integers(0, 12)), draw(st.integers(0, 24))
    return QuestionCounts(positive, draw(st.integers(0, positive)), negative, draw(st.integers(0, negative)))


forms = st.sampled_from(["share", "sum", "release"])


@given(counts(), st.floats(0, 5), st.booleans())
def test_shares_stay_within_their_range(one: QuestionCounts, alpha: float, bad: bool) -> None:
    assert -max(1.0, alpha) <= caption_reward(one, bad, alpha=alpha) <= 1.0


@given(counts(), st.floats(0, 5), st.floats(0, 5), forms)
def test_one_more_right_answer_never_costs_and_a_stronger_penalty_never_pays(
    one: QuestionCounts, alpha: float, more: float, form: Any
) -> None:
    reward = caption_reward(one, False, alpha=alpha, form=form)
    assert caption_reward(one, False, alpha=alpha + more, form=form) <= reward
    if one.positive_right < one.positive:
        better = QuestionCounts(one.positive, one.positive_right + 1, one.negative, one.negative_right)
        assert caption_reward(better, False, alpha=alpha, form=form) > reward
    if one.negative_right < one.negative:
        quieter = QuestionCounts(one.positive, one.positive_right, one.negative, one.negative_right + 1)
        assert caption_reward(quieter, False, alpha=alpha, form=form) >= reward


@pytest.mark.parametrize(
    ("text", "truth", "reward"),
    [
        (r"Answer: \boxed{[0,1,3]}", {0, 1, 3}, 1.0),
        (r"\boxed{[0,1]}", {0, 1, 3}, 0.8),  # 2 * 2 / (2 + 3)
        (r"\boxed{[0,1,3,4,5]}", {0, 1, 3}, 0.75),  # 2 * 3 / (5 + 3)
        (r"\boxed{[0]} and then \boxed{[3]}", {3}, 1.0),
        (r"\boxed{[0,0,1]}", {0, 1}, 1.0),
        (r"\boxed{[7]}", {0}, 0.0),
        (r"\boxed{[]}", set(), 1.0),
        (r"\boxed{[]}", {0}, 0.0),
        ("0, 1 and 3", {0, 1, 3}, 0.0),
        ("nothing", set(), 0.0),
    ],
)
def test_recognition_is_the_f1_of_the_last_box(text: str, truth: set[int], reward: float) -> None:
    assert visual_reward(text, truth) == pytest.approx(reward)


indices = st.frozensets(st.integers(0, 9))


@given(indices, indices)
def test_recognition_is_one_only_for_the_very_set(named: frozenset[int], truth: frozenset[int]) -> None:
    reward = visual_reward(rf"\boxed{{{sorted(named)}}}", truth)
    assert 0.0 <= reward <= 1.0
    assert (reward == 1.0) == (named == truth)


def test_both_parts_add_up() -> None:
    assert combined_reward(0.8, caption_reward(TWO_CONCEPTS, False)) == pytest.approx(0.8 + 5 / 12)
    assert combined_reward(1.0, -1.0) == 0.0
    with pytest.raises(ValueError, match="r_vis"):
        combined_reward(1.2, 0.0)


def test_batches_leave_out_what_does_not_apply() -> None:
    none = QuestionCounts(0, 0, 0, 0)
    seen = visual_rewards([r"\boxed{[0]}", "A caption."], [{0}, None])
    told = caption_rewards([None, TWO_CONCEPTS], [False, False])
    assert seen == [1.0, None]
    assert told == [None, pytest.approx(5 / 12)]
    assert combined_rewards(seen, told) == [1.0, pytest.approx(5 / 12)]
    assert combined_rewards([None, 0.5], [None, -1.0]) == [None, -0.5]
    assert caption_rewards([none, none], [False, True]) == [None, -1.0]
    assert caption_rewards([TWO_CONCEPTS], [False], alpha=2.0, form="sum") == [-2.0]
    with pytest.raises(ValueError, match="zip"):
        caption_rewards([TWO_CONCEPTS], [])
