"""The built-in judge of actions: by meaning, not by the words of the dialogues' writer."""

from __future__ import annotations

import pytest

from evaluation.diagnostics.action_labels import action_labels
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.scoring.diagnostic_scoring import judge_action

MODEL = BuiltinModel()


def judged(action: str, answer: str) -> bool | None:
    return judge_action(MODEL, action, answer).correct


@pytest.mark.parametrize("held_out", [False, True])
def test_it_agrees_with_labelled_answers_among_those_it_was_not_made_on_too(held_out: bool) -> None:
    own = [one for one in action_labels() if one.held_out == held_out]
    wrong = [one for one in own if judged(one.action, one.answer) is not one.correct]
    assert len(own) >= 60
    assert len(wrong) <= 0.05 * len(own), wrong


@pytest.mark.parametrize(
    ("answer", "correct"),
    [
        ("SKS! You have to return the ladder to Paul.", True),
        ("You last saw Nadia at Upper Maddoxmouth on 2025-10-17. You needed to return the ladder to a friend.", True),
        ("Bringing the ladder back to a friend.", True),
        ("You had to bring the piano back to a friend.", False),
        ("return the ladder, feed the rabbits, order a pizza", False),
        ("You had to return the ladder, feed the rabbits and order a pizza.", False),
        ("You were holding a ladder.", False),
        ("", False),
    ],
)
def test_names_days_and_keywords_around_an_action_make_no_difference_and_other_actions_do(
    answer: str, correct: bool
) -> None:
    assert judged("return the ladder to a friend", answer) is correct


def test_another_number_is_another_action() -> None:
    assert judged("iron five shirts", "You had to iron 5 shirts.") is True
    assert judged("iron five shirts", "You had to iron six shirts.") is False


def test_a_long_answer_is_judged_in_time_proportional_to_its_length() -> None:
    assert judged("pay the bill", "take " * 20_000 + "back pick " * 20_000) is False
