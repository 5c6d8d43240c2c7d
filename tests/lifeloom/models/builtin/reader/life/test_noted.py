"""Answers from what a graph's tools counted and put in order."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.reader.kinship import Person
from lifeloom.models.builtin.reader.life.asking import understand
from lifeloom.models.builtin.reader.life.noted import answer_from_notes

PEOPLE = (Person("David", "Account Owner"), Person("Rylen", "Owner's Grandson"))
NEXT = (
    "The event right after the anchor, Ice fishing (2011-01-02), that matches (with Rylen) is on 2011-05-02: A long "
    "walk; activity: hiking; people: David, Rylen; place: forest."
)
LAST = "The last day that matches (fishing) is 2011-04-15: Out fishing; activity: fishing; people: Rylen; place: lake."
MOST = "Most frequent kinds of activity (with Rylen), by days: fishing (8 days), cooking (5 days), chess (1 days)."
PLACES = "Most frequent places (anything), by days: lake (8 days), park (5 days)."


def _answer(question: str, *notes: str) -> str | None:
    return answer_from_notes(understand(question, PEOPLE, "David"), notes, lambda place: f"at the {place}")


@pytest.mark.parametrize(
    ("question", "note", "answer"),
    [
        ("How many days of fishing?", "0 different days match (fishing): none.", "0 different days."),
        ("How many days?", "1 different days match (a): 2011-04-15.", "1 different day."),
        ("How many days?", "7 different days match (a): 2011-04-15, 2012-01-01.", "7 different days."),
        ("What came after it, and who was there?", NEXT, "hiking, with David, Rylen."),
        ("What did Rylen do next, and where?", NEXT, "hiking, at the forest."),
        ("Where was Rylen right after it?", NEXT, "at the forest."),
        ("When did Rylen go fishing for the last time?", LAST, "On 2011-04-15."),
        ("Which kind of activity does Rylen take part in most often?", MOST, "Most often fishing."),
        ("Which two kinds of activity are most frequent?", MOST, "Most often fishing, then cooking."),
        ("At which two places is Rylen most often?", PLACES, "Most often at the lake, then at the park."),
        ("On which days?", "Days that match (fishing): 2011-04-15, 2012-01-01.", "On 2011-04-15, 2012-01-01."),
    ],
)
def test_a_note_is_read_for_what_the_question_asks(question: str, note: str, answer: str) -> None:
    assert _answer(question, note) == answer


def test_notes_that_say_nothing_to_the_question_answer_nothing() -> None:
    assert _answer("How many days?", "No event matches (chess).") is None
    assert _answer("How many days?") is None
