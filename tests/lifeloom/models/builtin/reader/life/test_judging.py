"""Open answers against the ground truth: agreement with labels, and what decides."""

import json
from pathlib import Path

import pytest

from lifeloom.models.builtin.reader.life import judge_answer
from lifeloom.tasks import LifeJudgementInput

LABELLED = Path(__file__).parents[6] / "evaluation" / "life_bench" / "data" / "life_judgements.jsonl"


def verdict(question: str, truth: str, answer: str) -> str:
    return judge_answer(LifeJudgementInput(question=question, truth=truth, answer=answer)).verdict


def labelled(part: str) -> list[dict[str, str]]:
    rows = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    return [row for row in rows if row["part"] == part]


@pytest.mark.parametrize("part", ["tune", "held"])
def test_verdicts_agree_with_the_labels(part: str) -> None:
    rows = labelled(part)
    agreed = [verdict(row["question"], row["truth"], row["answer"]) == row["verdict"] for row in rows]
    assert len(rows) == 120
    assert sum(agreed) / len(rows) >= 0.95


@pytest.mark.parametrize("part", ["tune", "held"])
def test_labels_are_balanced_and_every_open_task_is_among_them(part: str) -> None:
    rows = labelled(part)
    assert sum(row["verdict"] == "Correct" for row in rows) == 60
    assert len({row["task"] for row in rows}) == 7


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Zosime and Rex.", "Correct"),
        ("Rex and Zosime were with David.", "Correct"),
        ("Zosime.", "Wrong"),
        ("Zosime, Rex and Ana.", "Wrong"),
        ("Zosime came, but Rex did not.", "Wrong"),
        ("I do not know.", "Wrong"),
        ("", "Wrong"),
        ("Nobody.", "Wrong"),
    ],
)
def test_the_same_people_must_be_named_and_nobody_else(answer: str, right: str) -> None:
    assert verdict("Who was with David on 2011-04-15?", "Zosime and Rex were with David.", answer) == right


@pytest.mark.parametrize("answer", ["8", "Eight.", "On 8 different days.", "8 different days."])
def test_numbers_are_the_same_in_digits_and_words(answer: str) -> None:
    assert verdict("How many different days show fishing?", "8", answer) == "Correct"


@pytest.mark.parametrize("answer", ["7", "18", "8 or 9", "At least 8, at most 10 days."])
def test_another_number_or_several_are_wrong(answer: str) -> None:
    assert verdict("How many different days show fishing?", "8", answer) == "Wrong"


@pytest.mark.parametrize("answer", ["2011-04-15", "April 15, 2011", "15 April 2011", "On the 15th of April 2011."])
def test_days_are_the_same_in_every_form(answer: str) -> None:
    assert verdict("When was the last day of fishing?", "On 15 April 2011.", answer) == "Correct"
    assert verdict("When was the last day of fishing?", "On 16 April 2011.", answer) == "Wrong"


def test_what_the_question_says_need_not_be_said_again() -> None:
    truth = "David and Zosime attended the event on 2011-04-15."
    assert verdict("Who attended the event on 2011-04-15?", truth, "David and Zosime.") == "Correct"
    assert verdict("Who was with David on 2011-04-15?", truth, "Zosime.") == "Correct"


def test_people_by_whom_an_event_is_told_apart_must_be_named_again() -> None:
    question = "What came right after the day of cooking with Ana and Bo, and who was there?"
    assert verdict(question, "Fishing, with Ana.", "Fishing, with Ana.") == "Correct"
    assert verdict(question, "Fishing, with Ana.", "Fishing, with Bo.") == "Wrong"
    assert verdict(question, "Fishing, with Ana.", "Fishing, with Ana and Bo.") == "Wrong"


def test_yes_and_no_decide_whatever_else_is_said() -> None:
    question, truth = "Is David's mother there?", "Yes, David's mother, Zosime, is present in the photos."
    assert verdict(question, truth, "Yes.") == "Correct"
    assert verdict(question, truth, "Zosime can be seen in two of them.") == "Correct"
    assert verdict(question, truth, "No, Zosime was not there.") == "Wrong"
    assert verdict(question, truth, "Yes, Ottokar is there.") == "Wrong"


def test_the_order_counts_where_it_is_asked_for() -> None:
    question = "Who stands from left to right?"
    assert verdict(question, "From left to right: Ana, Bo.", "Ana, Bo.") == "Correct"
    assert verdict(question, "From left to right: Ana, Bo.", "Bo, Ana.") == "Wrong"
    assert verdict(question, "From left to right: Ana, Bo.", "Bo is on the right and Ana on the left.") == "Correct"


def test_things_have_their_number_and_colour() -> None:
    question, truth = "Which objects can be seen?", "There are two red balloons and a cake."
    assert verdict(question, truth, "A cake and two red balloons.") == "Correct"
    for answer in ("A cake and a red balloon.", "A cake and two blue balloons.", "Two red balloons.", "A cake."):
        assert verdict(question, truth, answer) == "Wrong"


def test_a_general_word_stands_for_a_narrow_one_but_not_for_a_sister() -> None:
    question = "What was the main activity?"
    assert verdict(question, "It was ice fishing.", "Fishing.") == "Correct"
    assert verdict(question, "It was a birthday party.", "It was a wedding.") == "Wrong"


def test_the_reason_says_what_is_missing() -> None:
    asked = LifeJudgementInput(question="Who was there?", truth="Ana and Bo were there.", answer="Ana was there.")
    assert judge_answer(asked).reason == "The candidate does not name Bo."
