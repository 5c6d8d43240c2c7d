"""Persona-MME (P17): asking a policy the cases of a release, and the published accuracy.

Protocol (release of PersonaVLM): the history is replayed up to the moment of the case, the question
is asked, a letter is right or wrong. A case with an alignment pair is asked twice more (chosen: yes is
right; rejected: no is right). Overall is the micro accuracy over all questions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.tokens import count_many
from lifeloom.records import BenchmarkCase, Prediction, Question, Record, Score, Turn, local_time
from lifeloom.records.base import Identifier
from lifeloom.scoring.metrics import bootstrap_accuracy
from lifeloom.scoring.policy import Answer, CaseQuestion, History, Policy
from lifeloom.streams import Streams
from lifeloom.tasks import OptionText

__all__ = [
    "BENCHMARK",
    "BENCHMARK_VERSION",
    "CHOICE_CHANCE",
    "PAIR_CHANCE",
    "CaseTiming",
    "CaseTrace",
    "PolicyRun",
    "expected_answer",
    "questions_of",
    "run_policy",
    "score_predictions",
]

BENCHMARK = "persona_mme"
BENCHMARK_VERSION = "1"
CHOICE_CHANCE = 0.25
PAIR_CHANCE = 0.5


class CaseTiming(Record):
    """How long a policy took for one case. Measured, so it is kept apart from the predictions."""

    KIND = "case_timing"

    case_id: Identifier
    policy: Identifier
    seconds: float


class CaseTrace(Record):
    """How a policy that takes steps came to an answer: what it thought, looked up and found."""

    KIND = "case_trace"

    case_id: Identifier
    policy: Identifier
    policy_fingerprint: str
    question: Question
    trace: str
    """JSON of ``lifeloom.assistant.Trace``."""


@dataclass(frozen=True)
class PolicyRun:
    """All predictions of one policy on one release, how it came to them, and the seconds each case took."""

    predictions: list[Prediction]
    traces: list[CaseTrace]
    """Of policies that take steps."""
    timings: list[CaseTiming]


def questions_of(case: BenchmarkCase) -> tuple[Question, ...]:
    """Return the questions that a case asks: the options, and the alignment pair where it has one."""
    if case.alignment is None:
        return ("choice",)
    return ("choice", "alignment_chosen", "alignment_rejected")


def expected_answer(case: BenchmarkCase, question: Question) -> str:
    """Return the right answer."""
    if question == "choice":
        return case.answer
    return "yes" if question == "alignment_chosen" else "no"


def run_policy(
    policy: Policy,
    cases: Sequence[BenchmarkCase],
    turns_of: Callable[[str], Iterable[Turn]],
    progress: Callable[[int], None] = lambda done: None,
    workers: int = 1,
) -> PolicyRun:
    """Ask ``policy`` every question of ``cases``, user by user; predictions come in that order whatever is asked first.

    Args:
        policy: who answers.
        cases: cases of one release, in any order.
        turns_of: gives the whole conversation of a persona; read once a persona.
        progress: told the number of cases that are done.
        workers: cases asked at once, by threads; 1: none.

    Raises:
        ValueError: a history has gaps or is shorter than a case needs.
        ModelUnavailable, ModelRefusesKey: the policy's model stopped answering.
    """
    by_persona: dict[str, list[BenchmarkCase]] = {}
    for case in cases:
        by_persona.setdefault(case.persona_id, []).append(case)

    def asked() -> Iterator[_Asked]:
        for persona_id in sorted(by_persona):
            history = History(turns_of(persona_id))
            for case, question in _questions(sorted(by_persona[persona_id], key=lambda case: case.case_id)):
                yield _Asked(case, question, history)

    def ask(one: _Asked) -> tuple[list[tuple[Question, Answer]], _Asked, CaseTiming]:
        started = time.perf_counter()
        given = list(_ask(policy, one.case, one.question, one.history))
        timing = CaseTiming(case_id=one.case.case_id, policy=policy.name, seconds=time.perf_counter() - started)
        return given, one, timing

    run = PolicyRun([], [], [])
    for given, one, timing in ordered_map(ask, asked(), workers=workers):
        for kind, answer in given:
            run.predictions.append(_prediction(policy, one.case, kind, answer))
            if answer.trace:
                run.traces.append(_trace(policy, one.case, kind, answer))
        run.timings.append(timing)
        progress(len(run.timings))
    return run


@dataclass(frozen=True)
class _Asked:
    """A case as it is asked."""

    case: BenchmarkCase
    question: CaseQuestion
    history: History


def _questions(cases: Sequence[BenchmarkCase]) -> Iterator[tuple[BenchmarkCase, CaseQuestion]]:
    queries = count_many([case.query for case in cases])
    options = count_many(["\n".join(option.text for option in case.options) for case in cases])
    for case, query_tokens, option_tokens in zip(cases, queries, options, strict=True):
        yield (
            case,
            CaseQuestion(
                asked_at=local_time(case.asked_at, case.offset_minutes).isoformat(" ", "minutes"),
                query=case.query,
                options=tuple(OptionText(letter=option.letter, text=option.text) for option in case.options),
                tokens=query_tokens + option_tokens,
                query_tokens=query_tokens,
            ),
        )


def _ask(
    policy: Policy, case: BenchmarkCase, question: CaseQuestion, history: History
) -> Iterator[tuple[Question, Answer]]:
    try:
        view = history.before(case.history_turns)
    except ValueError as error:
        raise ValueError(f"{case.case_id} of {case.persona_id}: {error}") from error
    for kind in questions_of(case):
        if kind == "choice":
            answer = policy.choose(question, view)
        else:
            assert case.alignment is not None  # noqa: S101 - questions_of asks for a pair only where there is one
            response = case.alignment.chosen if kind == "alignment_chosen" else case.alignment.rejected
            answer = policy.judge(question, response, view)
        yield kind, answer


def _prediction(policy: Policy, case: BenchmarkCase, kind: Question, answer: Answer) -> Prediction:
    return Prediction(
        case_id=case.case_id,
        release_id=case.release_id,
        policy=policy.name,
        policy_fingerprint=policy.fingerprint,
        question=kind,
        answer=answer.text,
        option_scores=answer.option_scores,
        correct=answer.text == expected_answer(case, kind),
        failure=answer.failure,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        made_by=answer.made_by,
    )


def _trace(policy: Policy, case: BenchmarkCase, kind: Question, answer: Answer) -> CaseTrace:
    return CaseTrace(
        case_id=case.case_id,
        policy=policy.name,
        policy_fingerprint=policy.fingerprint,
        question=kind,
        trace=answer.trace,
    )


@dataclass(frozen=True)
class _Part:
    """What belongs to one task of one case: its choice, or its alignment pair, as asked and answered."""

    case: int
    """Number of the case within the release."""
    setting: str
    aspect: str
    task: str
    questions: int
    correct: int
    missing: int
    chance: float
    """Right answers expected by chance."""
    prompt_tokens: int
    completion_tokens: int


def score_predictions(
    cases: Sequence[BenchmarkCase],
    predictions: Sequence[Prediction],
    *,
    backend: str,
    model: str,
    code_revision: str,
    seed: int,
    bootstrap_samples: int,
) -> list[Score]:
    """Return accuracies of one policy by setting, aspect and task, and over everything.

    A question without a prediction, without an answer, or with a failed one is wrong and counted as missing.
    Tokens a case are those of the predictions that there are.

    Raises:
        ValueError: no cases, a case twice, cases of several releases, predictions of several policies, of unknown
            cases, or two for one question.
    """
    policy, fingerprint = _the_policy(predictions)
    answers = _by_question(cases, predictions)
    parts = [part for number, case in enumerate(cases) for part in _parts(number, case, answers)]
    scores = []
    for setting, aspect, task in _groups(parts):
        members = [
            part
            for part in parts
            if setting in ("all", part.setting) and aspect in ("all", part.aspect) and task in ("all", part.task)
        ]
        correct: dict[int, int] = {}
        questions: dict[int, int] = {}
        for part in members:
            correct[part.case] = correct.get(part.case, 0) + part.correct
            questions[part.case] = questions.get(part.case, 0) + part.questions
        accuracy = bootstrap_accuracy(
            list(correct.values()),
            list(questions.values()),
            samples=bootstrap_samples,
            seed=Streams(seed).numpy_seed("bootstrap", policy, setting, aspect, task),
        )
        scores.append(
            Score(
                benchmark=BENCHMARK,
                benchmark_version=BENCHMARK_VERSION,
                release_id=cases[0].release_id,
                policy=policy,
                policy_fingerprint=fingerprint,
                backend=backend,
                model=model,
                setting=setting,
                aspect=aspect,
                task=task,
                value=accuracy.value,
                interval_low=accuracy.low,
                interval_high=accuracy.high,
                questions=accuracy.questions,
                correct=accuracy.correct,
                missing=sum(part.missing for part in members),
                chance=sum(part.chance for part in members) / accuracy.questions,
                prompt_tokens_per_case=sum(part.prompt_tokens for part in members) / len(questions),
                completion_tokens_per_case=sum(part.completion_tokens for part in members) / len(questions),
                code_revision=code_revision,
                seed=seed,
            )
        )
    return scores


def _the_policy(predictions: Sequence[Prediction]) -> tuple[str, str]:
    policies = {(prediction.policy, prediction.policy_fingerprint) for prediction in predictions}
    if len(policies) != 1:
        raise ValueError(f"predictions of one policy at a time, not of {sorted(policies)}")
    return policies.pop()


def _by_question(
    cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction]
) -> dict[tuple[str, Question], Prediction]:
    """Return the predictions by what was asked, once sure that cases and predictions belong together."""
    if not cases:
        raise ValueError("a score needs cases")
    if len({case.release_id for case in cases}) > 1:
        raise ValueError(f"cases of one release at a time, not of {sorted({case.release_id for case in cases})}")
    if len({case.case_id for case in cases}) < len(cases):
        raise ValueError("a case is there twice")
    answers = {(prediction.case_id, prediction.question): prediction for prediction in predictions}
    if len(answers) < len(predictions):
        raise ValueError("a question is answered twice")
    known = {(case.case_id, question) for case in cases for question in questions_of(case)}
    if not answers.keys() <= known:
        raise ValueError(f"predictions of unknown questions: {sorted(answers.keys() - known)[:3]}")
    return answers


def _parts(number: int, case: BenchmarkCase, answers: Mapping[tuple[str, Question], Prediction]) -> Iterator[_Part]:
    yield _part(number, case, case.aspect, case.task, ("choice",), CHOICE_CHANCE, answers)
    if case.alignment is not None:
        pair: tuple[Question, ...] = ("alignment_chosen", "alignment_rejected")
        yield _part(number, case, "Alignment", "PA", pair, PAIR_CHANCE, answers)


def _part(
    number: int,
    case: BenchmarkCase,
    aspect: str,
    task: str,
    questions: tuple[Question, ...],
    chance: float,
    answers: Mapping[tuple[str, Question], Prediction],
) -> _Part:
    found = [answers.get((case.case_id, question)) for question in questions]
    given = [prediction for prediction in found if prediction is not None]
    return _Part(
        case=number,
        setting=case.setting,
        aspect=aspect,
        task=task,
        questions=len(questions),
        correct=sum(prediction.correct for prediction in given),
        missing=len(found) - sum(1 for prediction in given if prediction.answer and not prediction.failure),
        chance=chance * len(questions),
        prompt_tokens=sum(prediction.prompt_tokens for prediction in given),
        completion_tokens=sum(prediction.completion_tokens for prediction in given),
    )


def _groups(parts: Sequence[_Part]) -> Iterator[tuple[str, str, str]]:
    """Yield (setting, aspect, task): everything, by aspect, by task; over all settings, then a setting at a time."""
    for setting in ("all", *sorted({part.setting for part in parts}, reverse=True)):
        pairs = {(part.aspect, part.task) for part in parts if setting in ("all", part.setting)}
        yield setting, "all", "all"
        for aspect in sorted({aspect for aspect, _ in pairs}):
            yield setting, aspect, "all"
        for aspect, task in sorted(pairs):
            yield setting, aspect, task
