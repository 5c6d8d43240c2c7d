"""The degeneration filter at its borders; every ratio is counted by hand (CoViP Eqs. S.6 and S.7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.scoring.degeneration import PAPER_LIMITS, DegenerationLimits, degeneration


def words(first: int, count: int) -> str:
    """Return ``count`` different words, the first of them numbered ``first``."""
    return " ".join(f"w{number}" for number in range(first, first + count))


def test_the_limits_are_the_papers() -> None:
    assert DegenerationLimits(sentence=0.3, ngram=0.3, chunk=0.2, tokens=511) == PAPER_LIMITS


@pytest.mark.parametrize(
    ("sentences", "ratio", "degenerate"),
    [
        (["a b", "a b", "a b"], 0.0, False),  # three sentences: the check begins at four
        (["a b", "a b", "c d", "e f"], 0.25, False),  # (4 - 3) / 4
        (["a b", "a b", "a b", "c d", "e f", "g h", "i j", "k l", "m n", "a b"], 0.3, True),  # (10 - 7) / 10
        (["a b", "a b", "a b", "c d"], 0.5, True),
    ],
)
def test_sentences_count_from_four_on(sentences: list[str], ratio: float, degenerate: bool) -> None:
    found = degeneration(". ".join(sentences) + ".")
    assert found.sentence == pytest.approx(ratio)
    assert found.repeats is degenerate


def test_case_spaces_and_kinds_of_stops_do_not_tell_sentences_apart() -> None:
    assert degeneration("Go  home! go home? GO home. Stay.").sentence == pytest.approx(0.5)


def test_five_grams_count_from_twenty_words_on() -> None:
    half = words(0, 9)
    assert degeneration(f"{half} {half}").ngram == 0.0  # 18 words
    # 20 words, ten of them twice: 16 five-grams; those at 0 to 5 come again at 10 to 15.
    ten = words(0, 10)
    assert degeneration(f"{ten} {ten}").ngram == pytest.approx(6 / 16)


def test_a_share_of_five_grams_at_the_limit_is_degenerate_and_just_below_is_not() -> None:
    # 44 words make 40 five-grams. A run of 4 + n words said again repeats n of them.
    at = f"{words(0, 16)} {words(100, 12)} {words(0, 16)}"  # 12 of 40
    assert degeneration(at).ngram == pytest.approx(0.3)
    assert degeneration(at, limits=DegenerationLimits(chunk=2)).repeats
    below = f"{words(0, 15)} {words(100, 14)} {words(0, 15)}"  # 11 of 40
    assert degeneration(below).ngram == pytest.approx(11 / 40)
    assert not degeneration(below, limits=DegenerationLimits(chunk=2)).repeats


def test_chunks_count_every_window_that_comes_more_than_once() -> None:
    # 50 words make 41 windows of ten. A run of 13 words said again gives 4 windows that come twice: 8 of 41.
    below = f"{words(0, 13)} {words(100, 24)} {words(0, 13)}"
    assert degeneration(below).chunk == pytest.approx(8 / 41)
    assert not degeneration(below).repeats
    # 49 words make 40 windows; 8 of 40 is the limit.
    at = f"{words(0, 13)} {words(100, 23)} {words(0, 13)}"
    assert degeneration(at).chunk == pytest.approx(0.2)
    assert degeneration(at).repeats


def test_chunks_of_ten_begin_at_twenty_words() -> None:
    nineteen = f"{words(0, 10)} {words(0, 9)}"
    assert degeneration(nineteen).chunk == 0.0
    assert degeneration(f"{words(0, 10)} {words(0, 10)}").chunk == pytest.approx(2 / 11)


def test_a_caption_is_too_long_above_the_limit_or_when_it_was_cut() -> None:
    assert not degeneration("Short.", tokens=511).degenerate
    assert degeneration("Short.", tokens=512).too_long
    assert degeneration("Short.", tokens=511, cut=True).degenerate
    assert not degeneration("Short.").too_long


def test_text_without_spaces_is_cut_by_characters() -> None:
    once = "公园里有一个戴红帽子的人站在湖边看书"
    assert degeneration(once).ngram == 0.0
    assert degeneration(once * 3).repeats
    assert degeneration("你好。你好。你好。再见。").sentence == pytest.approx(0.5)


def test_an_empty_caption_repeats_nothing() -> None:
    assert not degeneration("").degenerate


@given(st.lists(st.text(st.characters(categories=["Ll"], codec="ascii"), min_size=1), max_size=60))
def test_ratios_are_shares(parts: list[str]) -> None:
    found = degeneration(" ".join(parts))
    assert 0 <= found.sentence <= 1
    assert 0 <= found.ngram <= 1
    assert 0 <= found.chunk <= 1


@given(st.integers(1, 4), st.integers(25, 60))
def test_what_is_said_twice_in_full_is_degenerate(times: int, length: int) -> None:
    text = " ".join([words(0, length)] * (times + 1))
    assert degeneration(text).repeats
