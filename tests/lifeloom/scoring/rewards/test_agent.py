"""The agent's reward is Eq. 3 of PersonaVLM, and its verifiable parts need no judge."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.scoring.rewards import (
    AgentReward,
    agent_reward,
    agent_rewards,
    binary_accuracy,
    choice_accuracy,
    format_reward,
)
from lifeloom.tasks import OptionText

OPTIONS = tuple(
    OptionText.model_validate({"letter": letter, "text": text})
    for letter, text in zip("abcd", ("Cocoa", "Peppermint tea", "Ginger beer", "Mate"), strict=True)
)
unit = st.floats(0, 1)


@pytest.mark.parametrize(
    ("accuracy", "consistency", "form", "total"),
    [
        (1, 1, 1, 1.5),
        (1, 1, 0, 1.0),
        (1, 0, 1, 0.5),  # right by chance, after other thoughts: only the format is worth something
        (0, 1, 1, 0.5),
        (0, 0, 0, 0.0),
        (0.5, 0.8, 0.5, 0.65),  # 0.4 + 0.25
    ],
)
def test_it_is_accuracy_times_consistency_and_half_the_format(
    accuracy: float, consistency: float, form: float, total: float
) -> None:
    assert agent_reward(accuracy, consistency, form) == AgentReward(accuracy, consistency, form, pytest.approx(total))


@pytest.mark.parametrize("wrong", [-0.01, 1.01, math.nan, math.inf, 10])
@pytest.mark.parametrize("place", range(3))
def test_a_part_out_of_range_is_refused_by_name(wrong: float, place: int) -> None:
    parts = [0.5, 0.5, 0.5]
    parts[place] = wrong
    with pytest.raises(ValueError, match=("accuracy", "consistency", "format")[place]):
        agent_reward(*parts)


@given(unit, unit, unit, unit)
def test_it_never_falls_when_a_part_rises_and_stays_within_its_range(a: float, b: float, c: float, more: float) -> None:
    total = agent_reward(a, b, c).total
    assert 0.0 <= total <= 1.5
    for part in range(3):
        raised = [a, b, c]
        raised[part] = max(raised[part], more)
        assert agent_reward(*raised).total >= total


def test_a_batch_keeps_its_order_and_leaves_out_what_does_not_apply() -> None:
    assert agent_rewards([1, None, 0], [1, 1, 1], [0, 1, 1]) == [1.0, None, 0.5]
    assert agent_rewards([1], [None], [1]) == [None]
    assert agent_rewards([1], [1], [None]) == [None]
    assert agent_rewards([], [], []) == []
    with pytest.raises(ValueError, match="zip"):
        agent_rewards([1], [1, 1], [1])


@pytest.mark.parametrize(
    ("steps", "whole", "mean"),
    [
        ([True, True, True], 1.0, 1.0),
        ([True, False, True, True], 0.0, 0.75),
        ([False], 0.0, 0.0),
        ([], 0.0, 0.0),
    ],
)
def test_the_format_counts_only_where_every_step_keeps_it(steps: list[bool], whole: float, mean: float) -> None:
    assert format_reward(steps) == whole
    assert format_reward(steps, per_step_mean=True) == mean


@given(st.lists(st.booleans()))
def test_the_mean_over_steps_is_at_least_the_whole(steps: list[bool]) -> None:
    assert 0.0 <= format_reward(steps) <= format_reward(steps, per_step_mean=True) <= 1.0


@pytest.mark.parametrize(
    ("answer", "as_persona_mme", "as_life_bench"),
    [
        ("(b) Peppermint tea", 1, 1),
        ("b", 1, 1),
        ("B) because you said so", 1, 1),
        ("Answer: B", 0, 1),
        ("Peppermint tea", 0, 1),
        ("(a) Cocoa", 0, 0),
        ("(a) or (b)", 0, 0),
        ("(b) or (a)", 1, 0),
        ("", 0, 0),
        ("e", 0, 0),
    ],
)
def test_a_letter_is_right_where_the_benchmark_reads_it_so(
    answer: str, as_persona_mme: int, as_life_bench: int
) -> None:
    assert choice_accuracy(answer, "b", OPTIONS) == as_persona_mme
    assert choice_accuracy(answer, "b", OPTIONS, reading="life_bench") == as_life_bench


def test_the_right_letter_may_be_written_as_the_published_files_have_it() -> None:
    assert choice_accuracy("(b)", "(b)", OPTIONS) == choice_accuracy("(b)", "B", OPTIONS) == 1.0


def test_a_right_letter_that_no_option_has_is_refused() -> None:
    with pytest.raises(ValueError, match="'e'"):
        choice_accuracy("e", "e", OPTIONS)


def test_the_release_gives_nothing_for_a_choice_before_the_first_retrieval() -> None:
    assert choice_accuracy("(b)", "b", OPTIONS, rules="release", retrievals=0) == 0.0
    assert choice_accuracy("(b)", "b", OPTIONS, rules="release", retrievals=1) == 1.0
    assert choice_accuracy("(b)", "b", OPTIONS, retrievals=0) == 1.0
    with pytest.raises(ValueError, match="retrievals"):
        choice_accuracy("(b)", "b", OPTIONS, rules="release")


@pytest.mark.parametrize(
    ("answer", "as_persona_mme", "as_life_bench"),
    [("Yes.", 1, 1), ("yes, it does", 1, 1), ("It does: yes", 0, 1), ("no", 0, 0), ("yes and no", 1, 0), ("", 0, 0)],
)
def test_yes_is_right_where_the_benchmark_reads_it_so(answer: str, as_persona_mme: int, as_life_bench: int) -> None:
    assert binary_accuracy(answer, "yes") == as_persona_mme
    assert binary_accuracy(answer, "yes", reading="life_bench") == as_life_bench


def test_no_is_right_where_it_is_right() -> None:
    assert binary_accuracy("No.", "no") == 1.0
    assert binary_accuracy("Yes.", "no") == 0.0
    with pytest.raises(ValueError, match="maybe"):
        binary_accuracy("no", "maybe")  # type: ignore[arg-type]
