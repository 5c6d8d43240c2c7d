"""Letters and yes or no are read as each benchmark reads them."""

from __future__ import annotations

import pytest

from lifeloom.scoring.answer_reading import leading_letter, leading_verdict, read_letter, read_verdict
from lifeloom.tasks import OptionText

OPTIONS = (OptionText(letter="a", text="Cocoa"), OptionText(letter="b", text="Peppermint tea"))


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("(b) Peppermint tea", "b"),
        ("b", "b"),
        (" B ) because of March", "b"),
        ("((a)", "a"),
        ("c) Beer", ""),
        ("Answer: b", ""),
        ("Peppermint tea", ""),
        ("I think (b)", ""),
        ("", ""),
    ],
)
def test_a_leading_letter_is_what_stands_before_the_first_bracket(answer: str, read: str) -> None:
    assert leading_letter(answer, OPTIONS) == read


@pytest.mark.parametrize(
    ("answer", "read"),
    [("Yes.", "yes"), ("**no**, too loud", "no"), ("It is yes", ""), ("nope", ""), ("", ""), ("  ", "")],
)
def test_a_leading_verdict_is_the_first_word(answer: str, read: str) -> None:
    assert leading_verdict(answer) == read


@pytest.mark.parametrize(
    ("answer", "read"), [("Answer: B", ("b",)), ("peppermint tea", ("b",)), ("(a) or (b)", ("a", "b")), ("beer", ())]
)
def test_a_letter_is_read_in_other_forms_too(answer: str, read: tuple[str, ...]) -> None:
    assert read_letter(answer, OPTIONS) == read


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("**Answer:** Yes", "yes"),
        ("No.", "no"),
        ("Final Answer: No", "no"),
        ("True", "yes"),
        ("Yes, although no dog is there", "yes"),
        ("She is in the picture: yes", "yes"),
        ("It is not correct", "no"),
        ("Yes and no", None),
        ("yes/no", None),
        ("I cannot tell", None),
    ],
)
def test_yes_and_no_are_read_and_both_are_neither(answer, read):
    assert read_verdict(answer) == read
