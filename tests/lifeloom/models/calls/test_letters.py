"""Choices by the likelihood of letters: what is asked, and what the scores are."""

from __future__ import annotations

import math

import pytest

from lifeloom.models import CapabilityMissing
from lifeloom.models.calls.letters import letter_scores, letters_of, letters_prompt
from lifeloom.models.calls.wire import ShownOption

SHOWN = (ShownOption("c", "green"), ShownOption("a", "black"))


def test_options_keep_the_letters_of_the_prompt_and_else_get_them_in_order() -> None:
    assert letters_of(["green", "black"], SHOWN) == ("c", "a")
    assert letters_of(["green", "black"], ()) == ("a", "b")
    assert letters_of(["x"] * 20, ())[-1] == "t"


def test_more_options_than_a_server_tells_of_are_declined() -> None:
    with pytest.raises(CapabilityMissing, match="21 options"):
        letters_of(["x"] * 21, ())


def test_a_prompt_that_shows_the_options_is_only_asked_to_be_brief() -> None:
    asked = letters_prompt("Which?\n(c) green\n(a) black\n", ["green", "black"], SHOWN)
    assert asked == "Which?\n(c) green\n(a) black\n\nAnswer with the letter of one option and nothing else."


def test_a_prompt_that_does_not_show_them_gets_a_list() -> None:
    asked = letters_prompt("Which?", ["green", "black"], ())
    assert asked == "Which?\n\n(a) green\n(b) black\n\nAnswer with the letter of one option and nothing else."


def test_the_spellings_of_a_letter_are_added_up_in_probability() -> None:
    told = [(token, math.log(0.1)) for token in ("b", " b", "B", "(b", '"b"', "▁b", "Ġb", "b.")]
    (score,) = letter_scores([*told, ("black", math.log(0.15))], "b")
    assert score == pytest.approx(math.log(0.8))


def test_a_letter_that_is_not_told_of_is_less_likely_than_all_that_are() -> None:
    assert letter_scores([("a", -0.1), ("the", -4.0)], "ab") == pytest.approx((-0.1, -5.0))


def test_where_no_letter_is_told_of_there_are_no_scores() -> None:
    assert letter_scores([("the", -0.1), ("black", -4.0)], "ab") == ()
    assert letter_scores([], "ab") == ()


def test_impossible_tokens_have_finite_scores() -> None:
    scores = letter_scores([("a", -math.inf), ("b", -0.5)], "ab")
    assert all(map(math.isfinite, scores))
    assert scores[0] < scores[1]


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_nothing_is_made_of_what_is_no_log_probability(broken: float) -> None:
    for told in ([("a", broken), ("b", -0.5)], [("b", -0.5), ("a", broken)], [("a", -1.0), ("the", broken)]):
        assert all(map(math.isnan, letter_scores(told, "ab")))
