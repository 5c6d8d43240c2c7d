"""Asking a policy: what it sees, who judges, what is kept of a failure, and the same result by several threads."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from evaluation.life_bench import run_life_policy
from evaluation.life_bench.running import asked_of
from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, ModelUnavailable, Usage
from lifeloom.records import Life, LifeQuestion, PictureReference
from lifeloom.scoring.life_policy import AskedQuestion, LifeAnswer
from lifeloom.tasks import LIFE_JUDGEMENT, LifeJudgementInput, LifeJudgementOutput
from tests.evaluation.life_bench.asked import life, question

LIVES = {"ana": life("ana"), "bo": life("bo")}


class Judge:
    """Calls an answer correct that is the truth; will not judge some."""

    identity = ModelIdentity("fake", "judge")

    def __init__(self) -> None:
        self.asked: list[LifeJudgementInput] = []

    def run(self, task: Any, task_input: LifeJudgementInput, images=(), *, sample=0, listener=None) -> Any:
        assert task is LIFE_JUDGEMENT
        self.asked.append(task_input)
        if task_input.answer == "mumble":
            raise GenerationRejected(task.name, "not_json", "?")
        verdict = "Correct" if task_input.answer == task_input.truth else "Wrong"
        return Generation(
            LifeJudgementOutput(verdict=verdict, reason=f"{verdict}, says the judge"),
            Usage(prompt_tokens=1, completion_tokens=1),
            self.identity.provenance(task),
        )


class Policy:
    """Answers as it is told to, by question."""

    name = "told"
    fingerprint = "f1"

    def __init__(self, **answers: LifeAnswer | str) -> None:
        self.answers = answers
        self.seen: list[tuple[AskedQuestion, Life]] = []

    def answer(self, asked: AskedQuestion, life: Life) -> LifeAnswer:
        self.seen.append((asked, life))
        given = self.answers[asked.question.removeprefix("What about ").rstrip("?")]
        return given if isinstance(given, LifeAnswer) else LifeAnswer(text=given)


def _run(questions: list[LifeQuestion], policy: Any, judge: Any = None, **settings: Any) -> Any:
    return run_life_policy(policy, questions, LIVES, judge or Judge(), **settings)


def test_a_policy_sees_the_question_and_neither_answer_nor_ids_nor_where_an_option_comes_from():
    shown = PictureReference(content_hash="a" * 64, width=64, height=64)
    asked = asked_of(question("q1", "concept_vqa", picture=shown, has_picture=True))
    assert {one.name for one in dataclasses.fields(asked)} == {"question", "options", "answer_type", "picture"}
    assert set(type(asked.options[0]).model_fields) == {"letter", "text"}
    assert asked.picture == shown


def test_open_answers_go_to_the_judge_and_the_others_are_matched():
    questions = [
        question("open"),
        question("wrong"),
        question("choice", "text_concept_qa"),
        question("binary", "visual_concept_recognition"),
    ]
    judge = Judge()
    run = _run(questions, Policy(open="fishing", wrong="baking", choice="(B)", binary="No."), judge)
    given = {one.question_id: one for one in run.predictions}
    assert {name: one.correct for name, one in given.items()} == {
        "open": True,
        "wrong": False,
        "choice": True,
        "binary": False,
    }
    assert [(one.truth, one.answer) for one in judge.asked] == [("fishing", "fishing"), ("fishing", "baking")]
    assert given["wrong"].reason == "Wrong, says the judge"
    assert given["open"].judged_by.backend == "fake"
    assert given["choice"].judged_by.backend == "code"
    assert not any(one.failure for one in given.values())


def test_what_a_failure_was_is_kept_and_the_answer_is_wrong():
    questions = [question("empty"), question("mumble"), question("failed"), question("unread", "text_concept_qa")]
    failed = LifeAnswer(text="", failure="not_json", prompt_tokens=40)
    judge = Judge()
    run = _run(questions, Policy(empty=" ", mumble="mumble", failed=failed, unread="all of them"), judge)
    given = {one.question_id: one for one in run.predictions}
    assert {name: one.failure for name, one in given.items()} == {
        "empty": "no_answer",
        "mumble": "judge_not_json",
        "failed": "not_json",
        "unread": "no_letter",
    }
    assert not any(one.correct for one in given.values())
    assert given["failed"].prompt_tokens == 40
    assert [one.answer for one in judge.asked] == ["mumble"]  # nobody is asked to judge what was not said


def test_each_question_is_asked_of_its_own_life_and_lives_come_one_after_the_other():
    questions = [question("q1"), question("q2", vaccount_id="bo"), question("q3")]
    policy = Policy(q1="x", q2="x", q3="x")
    run = _run(questions, policy)
    assert [one.vaccount_id for _, one in policy.seen] == ["ana", "ana", "bo"]
    assert [one.question_id for one in run.predictions] == ["q1", "q3", "q2"]


def test_what_was_looked_up_its_cost_and_its_trace_are_kept():
    told = LifeAnswer(
        text="fishing", retrieved_ids=("ana-e-1-0",), rounds=2, prompt_tokens=7, completion_tokens=3, trace='{"a": 1}'
    )
    run = _run([question("q1"), question("q2")], Policy(q1=told, q2="fishing"))
    first = run.predictions[0]
    assert (first.retrieved_ids, first.rounds, first.prompt_tokens, first.completion_tokens) == (
        ("ana-e-1-0",),
        2,
        7,
        3,
    )
    assert [(one.question_id, one.policy_fingerprint, one.trace) for one in run.traces] == [("q1", "f1", '{"a": 1}')]
    assert [one.question_id for one in run.timings] == ["q1", "q2"]
    assert all(one.seconds >= 0 for one in run.timings)


def test_several_threads_give_the_same_predictions_in_the_same_order():
    questions = [question(f"q{number:02}", vaccount_id="ana" if number % 2 else "bo") for number in range(40)]
    answers = {one.question_id: "fishing" if number % 3 else "baking" for number, one in enumerate(questions)}
    done: list[int] = []
    alone = _run(questions, Policy(**answers))
    together = _run(questions[::-1], Policy(**answers), workers=4, progress=done.append)
    assert together.predictions == alone.predictions
    assert done == list(range(1, 41))


def test_a_question_about_nobody_and_a_judge_that_is_gone_end_the_run():
    with pytest.raises(KeyError, match="cleo"):
        _run([question("q1", vaccount_id="cleo")], Policy(q1="x"))

    class Gone(Judge):
        def run(self, task: Any, task_input: Any, images=(), *, sample=0, listener=None) -> Any:
            raise ModelUnavailable("nobody answers")

    with pytest.raises(ModelUnavailable):
        _run([question("q1")], Policy(q1="x"), Gone())
