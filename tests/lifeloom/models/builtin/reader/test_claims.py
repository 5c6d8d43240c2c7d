"""A text is taken apart into what it says and what it says is not so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.models.builtin.reader.claims import claims_of, told, unknowing


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 14 March 2025", {"2025-03-14"}),
        ("March 14th, 2025", {"2025-03-14"}),
        ("2025-03-14 and 15.3.2025", {"2025-03-14", "2025-03-15"}),
        ("the 5th of June", {"06-05"}),
        ("June 5", {"06-05"}),
        ("30 February 2025", set()),
        ("You may buy 5 apples", set()),
        ("since March", set()),
    ],
)
def test_days_are_read_in_every_form(text: str, days: set[str]) -> None:
    assert claims_of(text).days == days


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("seven or 17", {"7", "17"}),
        ("at 7:30 and 8.15", {"7h30", "8h15"}),
        ("on 14 March 2025", set()),
        ("a cat and no dog", set()),
    ],
)
def test_numbers_are_the_same_in_digits_and_words_and_no_part_of_days(text: str, numbers: set[str]) -> None:
    assert claims_of(text).numbers == numbers


@pytest.mark.parametrize(
    ("text", "said", "denied"),
    [
        ("not Pietro but Marta", "marta", "pietro"),
        ("You used to like red, now it is green", "green", "red"),
        ("tea instead of cocoa", "tea", "cocoa"),
        ("Beef is therefore out and the risotto remains", "risotto", "beef"),
        ("You don't like cocoa. You like tea.", "tea", "cocoa"),
    ],
)
def test_what_is_denied_is_told_apart_from_what_is_said(text: str, said: str, denied: str) -> None:
    claims = claims_of(text)
    assert told(said, claims.affirmed)
    assert told(denied, claims.denied)
    assert not told(denied, claims.affirmed)
    assert not told(said, claims.denied)


def test_a_month_is_a_word_and_may_is_one_only_as_a_month() -> None:
    assert "march" in claims_of("since March").stems
    assert "may" in claims_of("since May").stems
    assert "may" not in claims_of("You may come. May I?").stems


def test_a_name_has_a_capital_within_a_sentence() -> None:
    assert claims_of("Grandfathers like Joaquim. Tea is good.").names == {"joaquim"}


@pytest.mark.parametrize(
    ("text", "knows_not"),
    [
        ("I do not know.", True),
        ("You haven't told me that.", True),
        ("None of the memories speaks of it", True),
        ("Nothing beats a lemon tart.", False),
        ("You do not eat meat.", False),
        ("You told me in May.", False),
    ],
)
def test_not_knowing_is_told_apart_from_a_denial(text: str, knows_not: bool) -> None:
    assert unknowing(text) == knows_not


@given(st.text(max_size=200))
def test_any_text_can_be_taken_apart(text: str) -> None:
    claims = claims_of(text)
    assert claims.affirmed | claims.denied == claims.stems
    assert not claims.affirmed & claims.denied
