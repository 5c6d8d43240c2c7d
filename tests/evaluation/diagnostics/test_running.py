"""Asking policies the diagnostic questions: what they see, what is scored, and what a failure costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from evaluation.diagnostics.running import ASKED_ACTION, ASKED_PLACE, diagnostic_fingerprint, run_diagnostics
from lifeloom.models.protocol import Generation, ModelIdentity, ModelUnavailable, Usage
from lifeloom.records import BY_CODE, DiagnosticAnswer, DiagnosticCase
from lifeloom.scoring.caption_policy import ContextView, Told
from lifeloom.tasks import ActionJudgementOutput
from tests.diagnosing import cases_of

CASES, _ = cases_of(12)
DUE = next(one for one in CASES if one.keyword)
FREE = next(one for one in CASES if not one.keyword)


class Judge:
    """Correct where the answer is the action."""

    takes_pictures = False
    window_tokens = 8192

    def __init__(self, model: str = "judge-1", verdict: str = "") -> None:
        self.identity = ModelIdentity("test", model)
        self.verdict = verdict

    def run(self, task: Any, asked: Any, *_: Any, **more: Any) -> Generation[Any]:
        verdict = self.verdict or ("Correct" if asked.answer == asked.action else "Wrong")
        return Generation(ActionJudgementOutput(verdict=verdict), Usage(1, 1), BY_CODE)


class Policy:
    """Says what it is told to say, and notes what it is asked."""

    name = "says"
    fingerprint = "f1"

    def __init__(self, place: str = "", action: str = "", caption: str = "A caption.", failure: str = "") -> None:
        self.said = {ASKED_PLACE: place, ASKED_ACTION: action}
        self.own, self.failure = caption, failure
        self.asked: list[tuple[str, str]] = []
        self.captioned = 0
        self.prepared = 0

    def prepare(self, views: Sequence[ContextView]) -> None:
        self.prepared += len(views)

    def caption(self, view: ContextView) -> Told:
        self.captioned += 1
        return Told(text=self.own, prompt_tokens=50, completion_tokens=20, failure="" if self.own else "refusal")

    def answer(self, view: ContextView, question: str, caption: str = "") -> Told:
        assert not hasattr(view, "identity")
        self.asked.append((question, caption))
        if self.failure:
            return Told(text="", failure=self.failure)
        return Told(text=self.said[question], prompt_tokens=10, completion_tokens=5)


def run(
    policy: Policy, case: DiagnosticCase, judge: Any = None, **more: Any
) -> dict[tuple[str, str], DiagnosticAnswer]:
    given = run_diagnostics(policy, [case], judge or Judge(), **more)  # type: ignore[arg-type]
    return {(one.mode, one.task): one for one in given}


def test_the_right_answers_score_fully_in_both_modes() -> None:
    answers = run(Policy(f"{DUE.keyword}! {DUE.location}", DUE.action), DUE)
    assert list(answers) == [(mode, task) for mode in ("direct", "cag") for task in ("lsd", "lar", "itr")]
    assert {one.score for one in answers.values()} == {1.0}
    assert not any(one.false_trigger for one in answers.values())


def test_a_caption_is_made_once_a_case_and_is_in_both_prompts() -> None:
    policy = Policy("x", "y")
    answers = run(policy, DUE)
    assert policy.asked == [
        (ASKED_PLACE, ""), (ASKED_ACTION, ""), (ASKED_PLACE, "A caption."), (ASKED_ACTION, "A caption."),
    ]  # fmt: skip
    assert policy.captioned == 1
    assert answers["direct", "lsd"].caption == ""
    assert answers["cag", "lsd"].caption == "A caption."
    assert answers["direct", "lar"].prompt_tokens == 10
    assert answers["cag", "lar"].prompt_tokens == 60


def test_one_mode_alone_can_be_asked_for() -> None:
    policy = Policy("x", "y")
    assert {mode for mode, _ in run(policy, DUE, modes=("direct",))} == {"direct"}
    assert policy.captioned == 0


def test_a_keyword_that_is_due_does_not_count_against_the_place_but_another_one_does() -> None:
    other = "ZZTOP"
    assert run(Policy(f"{DUE.keyword} {DUE.location}"), DUE)["direct", "lsd"].score == 1.0
    assert run(Policy(f"{other} {DUE.location}"), DUE)["direct", "lsd"].score == pytest.approx(0.8)  # 4 / (3 + 2)


def test_a_keyword_that_is_not_due_is_a_false_trigger() -> None:
    said = run(Policy(f"{FREE.keywords[0]}! {FREE.location}"), FREE)["direct", "itr"]
    assert (said.score, said.false_trigger) == (0.0, True)
    kept = run(Policy(FREE.location), FREE)["direct", "itr"]
    assert (kept.score, kept.false_trigger) == (1.0, False)


def test_without_a_caption_there_is_no_answer_with_it() -> None:
    answers = run(Policy(FREE.location, FREE.action, caption=""), FREE)
    assert {task: answers["cag", task].score for task in ("lsd", "lar", "itr")} == {"lsd": 0, "lar": 0, "itr": 0}
    assert {answers["cag", task].failure for task in ("lsd", "lar", "itr")} == {"refusal"}
    assert answers["direct", "itr"].score == 1.0


def test_no_answer_is_wrong_even_where_silence_would_be_right() -> None:
    answers = run(Policy(failure="truncated"), FREE)
    assert all((one.score, one.failure) == (0.0, "truncated") for one in answers.values())


@pytest.mark.parametrize("verdict", ["incorrect", "Correct.", "Correct or Wrong", "The answer is Correct"])
def test_an_unreadable_verdict_is_wrong_and_counted(verdict: str) -> None:
    answer = run(Policy("x", DUE.action), DUE, Judge(verdict=verdict))["direct", "lar"]
    assert (answer.score, answer.failure, answer.text) == (0.0, "unreadable", DUE.action)


def test_answers_come_in_the_order_of_the_cases_and_pictures_are_looked_at_before() -> None:
    policy = Policy("x", "y")
    seen: list[int] = []
    given = list(run_diagnostics(policy, CASES, Judge(), workers=3, progress=seen.append))  # type: ignore[arg-type]
    assert [one.case_id for one in given] == [case.case_id for case in CASES for _ in range(6)]
    assert seen == list(range(1, 13))
    assert policy.prepared == 12


def test_a_model_that_is_away_ends_it() -> None:
    class Gone(Policy):
        def answer(self, view: ContextView, question: str, caption: str = "") -> Told:
            raise ModelUnavailable("gone")

    with pytest.raises(ModelUnavailable):
        run(Gone(), DUE)


def test_the_fingerprint_is_of_policy_and_judge() -> None:
    one = diagnostic_fingerprint(Policy(), Judge())  # type: ignore[arg-type]
    assert one == diagnostic_fingerprint(Policy("other words"), Judge())  # type: ignore[arg-type]
    assert one != diagnostic_fingerprint(Policy(), Judge("judge-2"))  # type: ignore[arg-type]
    changed = Policy()
    changed.fingerprint = "f2"
    assert one != diagnostic_fingerprint(changed, Judge())  # type: ignore[arg-type]
