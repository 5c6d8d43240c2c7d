"""Life-Bench (L9): asking a policy the questions of a release, and judging what it answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.life_bench.matching import match_answer
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import BY_CODE, Life, LifePrediction, LifeQuestion, Provenance, Record
from lifeloom.records.base import Identifier
from lifeloom.scoring.life_policy import AskedQuestion, LifeAnswer, LifePolicy
from lifeloom.tasks import LIFE_JUDGEMENT, LifeJudgementInput, OptionText

__all__ = [
    "BENCHMARK",
    "BENCHMARK_VERSION",
    "LifeRun",
    "LifeTiming",
    "LifeTrace",
    "Verdict",
    "asked_of",
    "judge_open",
    "run_life_policy",
]

BENCHMARK = "life_bench"
BENCHMARK_VERSION = "1"


class LifeTrace(Record):
    """How a policy that takes steps came to an answer."""

    KIND = "life_trace"

    question_id: Identifier
    policy: Identifier
    policy_fingerprint: str
    trace: str
    """JSON."""


class LifeTiming(Record):
    """How long a policy took for one question. Measured, so it is kept apart from the predictions."""

    KIND = "life_timing"

    question_id: Identifier
    policy: Identifier
    seconds: float


@dataclass(frozen=True)
class LifeRun:
    """All predictions of one policy, in the order of the questions."""

    predictions: list[LifePrediction]
    traces: list[LifeTrace]
    timings: list[LifeTiming]


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and who said so."""

    correct: bool
    reason: str
    failure: str = ""
    made_by: Provenance = BY_CODE


def asked_of(question: LifeQuestion) -> AskedQuestion:
    """Return what a policy may see of a question."""
    return AskedQuestion(
        question=question.question,
        options=tuple(OptionText(letter=one.letter, text=one.text) for one in question.options),
        answer_type=question.answer_type,
        picture=question.picture,
    )


def judge_open(question: LifeQuestion, answer: str, judge: LanguageModel) -> Verdict:
    """Return whether an open answer is right; an answer that the judge cannot judge is wrong and counted apart.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """
    if not answer.strip():
        return Verdict(False, "no answer", "no_answer")
    task_input = LifeJudgementInput(question=question.question, truth=question.answer, answer=answer)
    try:
        given = judge.run(LIFE_JUDGEMENT, task_input)
    except GenerationRejected as error:
        return Verdict(False, str(error), f"judge_{error.reason}", judge.identity.provenance(LIFE_JUDGEMENT))
    return Verdict(given.output.verdict == "Correct", given.output.reason, "", given.provenance)


def run_life_policy(
    policy: LifePolicy,
    questions: Sequence[LifeQuestion],
    lives: Mapping[str, Life],
    judge: LanguageModel,
    progress: Callable[[int], None] = lambda done: None,
    workers: int = 1,
) -> LifeRun:
    """Ask ``policy`` all ``questions``, life by life, and judge its answers.

    Args:
        policy: who answers.
        questions: of one release, in any order.
        lives: by Vaccount.
        judge: decides open answers.
        progress: told the number of questions that are done.
        workers: questions asked at once, by threads; 1: none.

    Raises:
        KeyError: a question is about a Vaccount that is not among ``lives``.
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: a model stopped answering.
    """
    ordered = sorted(questions, key=lambda one: (one.vaccount_id, one.question_id))

    def asked() -> Iterator[tuple[LifeQuestion, Life]]:
        for question in ordered:
            yield question, lives[question.vaccount_id]

    def ask(one: tuple[LifeQuestion, Life]) -> tuple[LifeQuestion, LifeAnswer, Verdict, float]:
        question, life = one
        started = time.perf_counter()
        answer = policy.answer(asked_of(question), life)
        seconds = time.perf_counter() - started
        return question, answer, _verdict(question, answer, judge), seconds

    run = LifeRun([], [], [])
    for question, answer, verdict, seconds in ordered_map(ask, asked(), workers=workers):
        run.predictions.append(_prediction(policy, question, answer, verdict))
        if answer.trace:
            run.traces.append(
                LifeTrace(
                    question_id=question.question_id,
                    policy=policy.name,
                    policy_fingerprint=policy.fingerprint,
                    trace=answer.trace,
                )
            )
        run.timings.append(LifeTiming(question_id=question.question_id, policy=policy.name, seconds=seconds))
        progress(len(run.predictions))
    return run


def _verdict(question: LifeQuestion, answer: LifeAnswer, judge: LanguageModel) -> Verdict:
    if question.answer_type == "open_generation":
        return judge_open(question, answer.text, judge)
    matched = match_answer(question, answer.text)
    return Verdict(matched.correct, matched.reason, matched.unreadable)


def _prediction(policy: LifePolicy, question: LifeQuestion, answer: LifeAnswer, verdict: Verdict) -> LifePrediction:
    return LifePrediction(
        question_id=question.question_id,
        release_id=question.release_id,
        policy=policy.name,
        policy_fingerprint=policy.fingerprint,
        answer=answer.text,
        correct=verdict.correct,
        reason=verdict.reason,
        failure=answer.failure or verdict.failure,
        retrieved_ids=answer.retrieved_ids,
        rounds=answer.rounds,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        made_by=answer.made_by,
        judged_by=verdict.made_by,
    )
