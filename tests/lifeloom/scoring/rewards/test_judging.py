"""A judge's verdicts become rewards, and whatever it could not say is counted."""

from __future__ import annotations

from typing import Any

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.protocol import ModelUnavailable
from lifeloom.scoring.rewards import (
    count_failures,
    judge_many,
    judge_reward,
    parse_reward_grade,
    parse_reward_verdict,
)
from lifeloom.tasks import AnswerRewardInput, ConsistencyInput
from tests.rewarding import SaysVerdicts, labelled_answers, labelled_thoughts


def answer(text: str = "Tea.") -> AnswerRewardInput:
    return AnswerRewardInput(question="What do I drink?", right="Peppermint tea.", answer=text)


def consistency(*thoughts: str, text: str = "Tea.") -> ConsistencyInput:
    return ConsistencyInput(question="What do I drink?", thoughts=thoughts, answer=text)


@pytest.mark.parametrize(
    ("verdict", "value"),
    [("Correct", 1.0), ("Wrong", 0.0)]
    + [(text, None) for text in ("Incorrect", "correct", "Correct.", " Correct", "Correct Wrong", "", "10")],
)
def test_only_the_whole_word_is_a_verdict(verdict: str, value: float | None) -> None:
    assert parse_reward_verdict(answer(), verdict) == value


def test_each_question_has_its_own_two_words() -> None:
    assert parse_reward_verdict(consistency("x"), "Consistent") == 1.0
    assert parse_reward_verdict(consistency("x"), "Inconsistent") == 0.0
    assert parse_reward_verdict(consistency("x"), "Correct") is None
    assert parse_reward_verdict(answer(), "Consistent") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0.0), ("7", 0.7), ("10", 1.0)]
    + [(one, None) for one in ("11", "-1", "7.5", "07", "7/10", " 7", "7\n", "seven", "", "٧")],
)
def test_a_grade_is_a_whole_number_from_0_to_10(text: str, value: float | None) -> None:
    assert parse_reward_grade(text) == value


def test_by_the_papers_rules_a_verdict_is_one_or_zero_and_one_question_is_put() -> None:
    judge = SaysVerdicts("Correct")
    judged = judge_reward(judge, answer())
    assert (judged.value, judged.failure, judged.tries) == (1.0, "", 1)
    assert judge.asked == [("answer_reward_judgement", answer(), 0)]
    assert judge_reward(SaysVerdicts("Inconsistent"), consistency("Beer.")).value == 0.0


@pytest.mark.parametrize(
    ("said", "failure"),
    [("Perhaps", "unreadable"), ("!bad_json", "unreadable"), ("!empty", "unreadable"), ("!refusal", "refusal")],
)
def test_by_the_papers_rules_what_cannot_be_read_is_zero_with_its_reason(said: str, failure: str) -> None:
    judged = judge_reward(SaysVerdicts(said), answer())
    assert (judged.value, judged.failure, judged.tries) == (0.0, failure, 1)
    assert judged.made_by.backend == "code"


def test_the_release_asks_for_a_grade_and_tries_again_with_another_sample() -> None:
    judge = SaysVerdicts("Correct", "!bad_json", "7")
    judged = judge_reward(judge, answer(), rules="release")
    assert (judged.value, judged.failure, judged.tries, judged.made_by.model) == (0.7, "", 3, "try 2")
    assert [sample for _, _, sample in judge.asked] == [0, 1, 2]
    assert all(asked.graded for _, asked, _ in judge.asked)


def test_the_release_takes_a_half_after_three_tries_and_counts_it() -> None:
    judge = SaysVerdicts("good")
    judged = judge_reward(judge, consistency("Tea."), rules="release")
    assert (judged.value, judged.failure, judged.tries, len(judge.asked)) == (0.5, "unreadable", 3, 3)


@pytest.mark.parametrize("rules", ["paper", "release"])
@pytest.mark.parametrize(
    ("asked", "failure"),
    [
        (answer(" \n"), "no_answer"),
        (consistency("Tea.", text=""), "no_answer"),
        (consistency(), "no_thought"),
        (consistency("Tea.", " "), "no_thought"),
    ],
)
def test_no_answer_and_no_thought_are_zero_and_put_to_nobody(asked: Any, failure: str, rules: Any) -> None:
    judge = SaysVerdicts("Correct")
    judged = judge_reward(judge, asked, rules=rules)
    assert (judged.value, judged.failure, judged.tries, judge.asked) == (0.0, failure, 0, [])


@pytest.mark.parametrize("workers", [1, 4])
def test_a_batch_keeps_its_order_and_puts_equal_questions_once(workers: int) -> None:
    class Knows(SaysVerdicts):
        def run(self, task: Any, task_input: Any, images: Any = (), *, sample: int = 0, **_: Any) -> Any:
            self.asked.append((task.name, task_input, sample))
            said = SaysVerdicts("Correct" if task_input.answer == "Tea." else "Wrong")
            return said.run(task, task_input, sample=sample)

    judge = Knows("")
    batch = [answer("Tea."), None, answer("Beer."), answer("Tea."), answer("")]
    judged = judge_many(judge, batch, workers)
    assert [None if one is None else one.value for one in judged] == [1.0, None, 0.0, 1.0, 0.0]
    assert len(judge.asked) == 2
    assert count_failures(judged) == {"no_answer": 1}


def test_an_answer_and_its_consistency_are_two_questions_of_one_batch() -> None:
    judge = SaysVerdicts("Correct", "Consistent")
    judged = judge_many(judge, [answer(), consistency("Tea."), answer()])
    assert [one.value for one in judged if one] == [1.0, 1.0, 1.0]
    assert [name for name, _, _ in judge.asked] == ["answer_reward_judgement", "consistency_judgement"]


def test_a_judge_that_stops_answering_ends_the_batch() -> None:
    class Gone(SaysVerdicts):
        def run(self, *_: Any, **__: Any) -> Any:
            raise ModelUnavailable("gone")

    with pytest.raises(ModelUnavailable):
        judge_many(Gone(""), [answer()])


def test_failures_are_counted_by_reason() -> None:
    judged = judge_many(SaysVerdicts("Correct", "!refusal", "maybe"), [answer(one) for one in ("1", "2", "3", "", "4")])
    assert count_failures(judged) == {"refusal": 1, "unreadable": 2, "no_answer": 1}


def test_the_built_in_model_judges_labelled_answers_and_thoughts_through_the_same_door() -> None:
    labelled = [*labelled_answers(held_out=True), *labelled_thoughts(held_out=True)]
    judged = judge_many(BuiltinModel(), [asked for asked, _, _ in labelled], 2)
    agreed = [one is not None and one.value == right for one, (_, _, right) in zip(judged, labelled, strict=True)]
    assert sum(agreed) >= 0.9 * len(labelled)
    assert set(count_failures(judged)) <= {"no_thought"}
