"""Letters, lengths and repetitions of a release, counted by hand."""

from __future__ import annotations

import pytest

from evaluation.audit import ChoiceExample, task_shapes


def choice(task: str, options: tuple[str, ...], right: int, query: str = "Which of them is it, then?") -> ChoiceExample:
    return ChoiceExample(task, query, options, right)


def test_letters_and_lengths_are_counted_by_task_and_over_all() -> None:
    shapes = {
        row.task: row
        for row in task_shapes(
            "r",
            [
                choice("A", ("ab", "abcd", "abc", "abc"), 1, "What is the longest?"),  # right 4, wrong 2, 3, 3
                choice("A", ("ab", "abcd", "abc", "abc"), 0, "Who came to the party?"),  # right 2, wrong 4, 3, 3
                choice("B", ("ab", "ab", "ab", "abc"), 2, "When did the music stop?"),  # right 2, wrong 2, 2, 3
            ],
        )
    }
    a, b, every = shapes["A"], shapes["B"], shapes["all"]
    assert (a.cases, a.right_places, a.right_length, a.wrong_length) == (2, (1, 1, 0, 0), 3.0, 3.0)
    assert (a.longest, a.shortest) == (0.5, 0.5)
    assert (b.right_places, b.right_length, b.longest, b.shortest) == ((0, 0, 1, 0), 2.0, 0.0, 0.0)
    assert b.wrong_length == pytest.approx(7 / 3)
    assert (every.cases, every.right_places) == (3, (1, 1, 1, 0))
    assert (every.right_length, every.wrong_length) == (pytest.approx(8 / 3), pytest.approx(25 / 9))


def test_near_duplicates_are_counted_where_they_repeat_an_earlier_one() -> None:
    words = "the quick brown fox jumps over the lazy dog while seven old sailors sing about the stormy northern sea"
    options = ("a cold morning", "a warm evening", "a long night", "a short noon")
    shapes = task_shapes(
        "r", [choice("A", options, 0, words), choice("B", options, 0, words), choice("B", options, 1, "Who sang?")]
    )
    assert {row.task: row.near_duplicates for row in shapes} == {"A": 0, "B": 1, "all": 1}


def test_no_options_have_no_shape() -> None:
    with pytest.raises(ValueError, match="no shape"):
        task_shapes("r", [])
