"""Answers against the thoughts before them: agreement with labels, and what decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.models.builtin.reader.consistency_judging import judge_consistency
from lifeloom.tasks import ConsistencyInput, OptionText
from tests.rewarding import labelled_thoughts

OPTIONS = (
    OptionText(letter="a", text="A novel"),
    OptionText(letter="b", text="A drum kit"),
    OptionText(letter="c", text="A teapot"),
)


def verdict(answer: str, *thoughts: str, options: tuple[OptionText, ...] = (), graded: bool = False) -> str:
    asked = ConsistencyInput(
        question="Which gift suits me?", options=options, thoughts=thoughts, answer=answer, graded=graded
    )
    return judge_consistency(asked).verdict


@pytest.mark.parametrize("held_out", [False, True])
def test_verdicts_agree_with_the_labels(held_out: bool) -> None:
    rows = list(labelled_thoughts(held_out=held_out))
    agreed = [(judge_consistency(asked).verdict == "Consistent") == right for asked, _, right in rows]
    assert len(rows) >= (40 if held_out else 35)
    assert sum(agreed) / len(rows) >= 0.9


@pytest.mark.parametrize("held_out", [False, True])
def test_labels_hold_enough_of_both_verdicts_for_one_alone_to_fail(held_out: bool) -> None:
    rights = [right for _, _, right in labelled_thoughts(held_out=held_out)]
    assert 0.3 <= sum(rights) / len(rights) <= 0.7


def test_the_last_thought_decides_over_an_earlier_one() -> None:
    thoughts = ("It looks like (a).", "No: they love tea, so it is (c).")
    assert verdict("(c) A teapot", *thoughts, options=OPTIONS) == "Consistent"
    assert verdict("(a) A novel", *thoughts, options=OPTIONS) == "Inconsistent"


def test_a_letter_that_is_ruled_out_is_not_arrived_at() -> None:
    assert verdict("c", "Not (b), so (c).", options=OPTIONS) == "Consistent"
    assert verdict("b", "Not (b), so (c).", options=OPTIONS) == "Inconsistent"


def test_two_letters_at_the_end_lead_to_neither() -> None:
    assert verdict("c", "Both (a) and (c) suit them.", options=OPTIONS) == "Inconsistent"


def test_a_thought_that_names_no_option_leads_to_none() -> None:
    assert verdict("c", "I know enough to answer.", options=OPTIONS) == "Inconsistent"
    assert verdict("a teapot or a novel", "A teapot it is.", options=OPTIONS) == "Inconsistent"


def test_no_thought_before_the_answer_is_inconsistent_whatever_was_thought_earlier() -> None:
    assert verdict("A teapot", "A teapot suits them.", "") == "Inconsistent"
    assert verdict("A teapot") == "Inconsistent"


def test_a_value_thought_earlier_supports_an_answer_unless_it_is_ruled_out_later() -> None:
    assert verdict("A red teapot.", "They want a red teapot.", "The memories agree, a teapot.") == "Consistent"
    assert verdict("A red teapot.", "They want a red teapot.", "But no longer a teapot: a kite.") == "Inconsistent"


def test_grades_are_the_ends_of_the_scale() -> None:
    assert verdict("A teapot", "A teapot.", graded=True) == "10"
    assert verdict("A kite", "A teapot.", graded=True) == "0"


@given(st.text(max_size=80), st.lists(st.text(max_size=120), max_size=3), st.booleans(), st.booleans())
def test_any_texts_get_a_verdict_in_the_form_asked_for(
    answer: str, thoughts: list[str], choice: bool, graded: bool
) -> None:
    said = verdict(answer, *thoughts, options=OPTIONS if choice else (), graded=graded)
    assert said in (("0", "10") if graded else ("Consistent", "Inconsistent"))
