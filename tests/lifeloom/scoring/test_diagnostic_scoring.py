"""Scores of the diagnostic tasks, by hand: word F1 of places, keywords as words, verdicts read strictly."""

from __future__ import annotations

from typing import Any

import pytest

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, ModelUnavailable, Usage
from lifeloom.records import BY_CODE
from lifeloom.scoring.diagnostic_scoring import judge_action, parse_verdict, score_keyword, score_place
from lifeloom.tasks import ActionJudgementOutput

PLACE = "Lake Francesborough"


@pytest.mark.parametrize(
    ("answer", "multiset", "distinct"),
    [
        ("Lake Francesborough", 1.0, 1.0),
        ("lake francesborough!", 1.0, 1.0),
        ("You last saw John at Lake Francesborough.", 4 / 9, 4 / 9),  # 2 of 7 words, 2 of 2: 2 * 2 / (7 + 2)
        ("Lake Lake Francesborough", 0.8, 1.0),  # 2 of 3 words: 2 * 2 / (3 + 2); as a set it is the place
        ("the lake, the lake by Francesborough", 0.5, 2 / 3),  # 2 of 6: 4 / 8; as a set 2 of 4: 4 / 6
        ("Lake Ellenview", 0.5, 0.5),  # 1 of 2 and 1 of 2
        ("Port Ellenview", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_word_f1_of_a_place(answer: str, multiset: float, distinct: float) -> None:
    score = score_place(answer, PLACE)
    assert (score.multiset, score.distinct) == (pytest.approx(multiset), pytest.approx(distinct))


def test_a_word_said_twice_in_the_place_must_be_said_twice() -> None:
    score = score_place("Baden", "Baden-Baden")
    assert score.multiset == pytest.approx(2 / 3)  # 1 of 1 word, 1 of 2
    assert score.distinct == 1.0


@pytest.mark.parametrize(
    ("answer", "triggered", "false_trigger", "correct"),
    [
        ("SKS! You saw them at the lake.", True, False, True),
        ("At the lake (SKS).", True, False, True),
        ("At the lake.", False, False, False),
        ("sks, at the lake.", False, False, False),
        ("At SKSBURY.", False, False, False),
        ("QZT! At the lake.", False, True, False),
        ("SKS QZT", True, True, False),
    ],
)
def test_a_keyword_that_is_due_counts_as_a_word_of_its_own(
    answer: str, triggered: bool, false_trigger: bool, correct: bool
) -> None:
    score = score_keyword(answer, "SKS", ["QZT", "SKS"])
    assert (score.triggered, score.false_trigger, score.correct) == (triggered, false_trigger, correct)


@pytest.mark.parametrize(("answer", "correct"), [("At the lake.", True), ("QZT! At the lake.", False)])
def test_without_an_instruction_any_keyword_is_a_false_trigger(answer: str, correct: bool) -> None:
    score = score_keyword(answer, "", ["QZT"])
    assert (score.triggered, score.false_trigger, score.correct) == (False, not correct, correct)


@pytest.mark.parametrize(
    "text",
    ["incorrect", "Incorrect", "Correct.", "correct", " Correct", "Correct or Wrong", "CorrectWrong", "Correct Wrong",
     "The answer is Correct", "**Correct**", "Not Correct", "yes", ""],
)  # fmt: skip
def test_what_is_not_exactly_a_verdict_is_none(text: str) -> None:
    assert parse_verdict(text) is None


def test_the_two_verdicts_are_read() -> None:
    assert parse_verdict("Correct") is True
    assert parse_verdict("Wrong") is False


class Judge:
    """Gives one verdict, or an error."""

    identity = ModelIdentity("test", "judge-1")
    window_tokens = 8192
    takes_pictures = False

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    def run(self, task: Any, task_input: Any, *_: Any, **more: Any) -> Generation[Any]:
        self.asked.append(task_input)
        if isinstance(self.answer, Exception):
            raise self.answer
        return Generation(ActionJudgementOutput(verdict=self.answer), Usage(1, 1), BY_CODE)


def judged(answer: str | Exception, said: str = "Paying the bill.") -> tuple[bool | None, str]:
    verdict = judge_action(Judge(answer), "pay the bill", said)  # type: ignore[arg-type]
    return verdict.correct, verdict.failure


def test_a_judge_that_does_not_say_one_of_two_words_is_unreadable() -> None:
    assert judged("Correct") == (True, "")
    assert judged("Wrong") == (False, "")
    assert judged("incorrect") == (None, "unreadable")
    assert judged(GenerationRejected("action_judgement", "bad_json", "I would say so")) == (None, "unreadable")
    assert judged(GenerationRejected("action_judgement", "wrong_schema", "{}")) == (None, "unreadable")
    assert judged(GenerationRejected("action_judgement", "refusal", "no")) == (None, "refusal")


def test_a_judge_that_is_away_stops_it_all() -> None:
    with pytest.raises(ModelUnavailable):
        judged(ModelUnavailable("gone"))


def test_a_judge_sees_action_and_answer_and_no_empty_answer() -> None:
    judge = Judge("Correct")
    assert judge_action(judge, "pay the bill", " ").correct is False  # type: ignore[arg-type]
    assert judge.asked == []
    judge_action(judge, "pay the bill", "Paying.")  # type: ignore[arg-type]
    assert judge.asked[0].model_dump() == {"action": "pay the bill", "answer": "Paying."}
