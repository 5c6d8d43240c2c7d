"""Counting questions, asked and scored."""

from __future__ import annotations

import datetime as dt
import itertools

import pytest

from evaluation.memory_counting import CountingAnswer, ask_counting, counting_table, score_counting
from lifeloom.records import Counted, CountingQuestion
from lifeloom.scoring.policy import Answer, CaseQuestion, HistoryView
from tests.remembering import MONDAY, OFFSET, written


class Guesser:
    """Answers one letter, and keeps what it was asked."""

    name = "guesser"
    fingerprint = "g-1"

    def __init__(self, letter: str) -> None:
        self.letter = letter
        self.asked: list[tuple[CaseQuestion, int]] = []

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        self.asked.append((question, history.turns))
        return Answer(self.letter, 90, 10, failure="" if self.letter else "no_letter")

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        raise NotImplementedError


def question(number: int, counted: Counted, answer: str) -> CountingQuestion:
    return CountingQuestion.model_validate(
        {
            "question_id": f"counting-{number}",
            "persona_id": "persona-1",
            "setting": "32k",
            "counted": counted,
            "asked_at": MONDAY + dt.timedelta(minutes=5),
            "offset_minutes": OFFSET,
            "history_turns": 2,
            "query": "How many times have I told you about my tea so far?",
            "options": ("1", "2", "3", "4"),
            "answer": answer,
            "evidence_turns": (0, 1),
            "attribute": "tea",
        }
    )


QUESTIONS = [question(1, "times", "b"), question(2, "times", "b"), question(3, "days", "a")]
TURNS = written("My tea is green.", "My tea is black.")


def test_a_question_is_asked_a_day_later_and_shows_no_answer():
    guesser = Guesser("b")
    answers, seconds = ask_counting(guesser, QUESTIONS, lambda user: TURNS, itertools.count().__next__)
    assert [one.correct for one in answers] == [True, True, False]
    assert seconds == 1.0
    (asked, turns) = guesser.asked[0]
    assert (asked.asked_at, turns) == ("2026-01-06 10:05", 2)
    assert [(option.letter, option.text) for option in asked.options] == [*zip("abcd", "1234", strict=True)]


def test_scores_are_by_what_is_counted_and_over_all():
    answers, seconds = ask_counting(Guesser("b"), QUESTIONS, lambda user: TURNS, itertools.count().__next__)
    scores = score_counting(answers, {"guesser": seconds}, seed=1, bootstrap_samples=100)
    assert {one.counted: (one.value, one.questions) for one in scores} == {
        "all": (pytest.approx(2 / 3), 3),
        "times": (1.0, 2),
        "days": (0.0, 1),
    }
    table = counting_table(scores)
    assert "| guesser | 100.0 [100, 100] of 2 | 0.0 [0, 0] of 1 | - | 66.7 " in table
    assert table.endswith("| 100 | 1.000 |")


def test_a_question_without_an_answer_is_wrong_and_its_reason_kept():
    answers, _ = ask_counting(Guesser(""), QUESTIONS[:1], lambda user: TURNS)
    assert [(one.correct, one.failure) for one in answers] == [(False, "no_letter")]
    assert isinstance(answers[0], CountingAnswer)


def test_nothing_asked_is_nothing_scored():
    assert ask_counting(Guesser("a"), [], lambda user: TURNS) == ([], 0.0)
    assert score_counting([], seed=1, bootstrap_samples=10) == []
