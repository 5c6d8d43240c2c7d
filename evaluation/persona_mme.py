"""Persona-MME (P17): asking a policy the cases of a release, and the published accuracy.

Protocol (release of PersonaVLM): the history is replayed up to the moment of the case, the question
is asked, a letter is right or wrong. A case with an alignment pair is asked twice more (chosen: yes is
right; rejected: no is right). Overall is the micro accuracy over all questions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class PolicyRun:
    """All predictions of one policy on one release, and the seconds each case took."""

    predictions: list[Prediction]
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
) -> PolicyRun:
    """Ask ``policy`` every question of ``cases``, user by user.

    Args:
        policy: who answers.
        cases: cases of one release, in any order.
        turns_of: gives the whole conversation of a persona; read once a persona.
        progress: told the number of cases that are done.

    Raises:
        ValueError: a history is missing or shorter than a case needs.
        ModelUnavailable, ModelRefusesKey: the policy's model stopped answering.
    """
    by_persona: dict[str, list[BenchmarkCase]] = {}
    for case in cases:
        by_persona.setdefault(case.persona_id, []).append(case)
    predictions: list[Prediction] = []
    timings: list[CaseTiming] = []
    for persona_id in sorted(by_persona):
        history = History(turns_of(persona_id))
        for case, question in _questions(sorted(by_persona[persona_id], key=lambda case: case.case_id)):
            started = time.perf_counter()
            predictions.extend(_ask(policy, case, question, history))
            timings.append(CaseTiming(case_id=case.case_id, policy=policy.name, seconds=time.perf_counter() - started))
            progress(len(timings))
    return PolicyRun(predictions, timings)


def _questions(cases: Sequence[BenchmarkCase]) -> Iterator[tuple[BenchmarkCase, CaseQuestion]]:
    texts = ["\n".join([case.query, *(option.text for option in case.options)]) for case in cases]
    for case, tokens in zip(cases, count_many(texts), strict=True):
        yield (
            case,
            CaseQuestion(
                asked_at=local_time(case.asked_at, case.offset_minutes).strftime("%Y-%m-%d %H:%M"),
                query=case.query,
                options=tuple(OptionText(letter=option.letter, text=option.text) for option in case.options),
                tokens=tokens,
            ),
        )


def _ask(policy: Policy, case: BenchmarkCase, question: CaseQuestion, history: History) -> Iterator[Prediction]:
    view = history.before(case.history_turns)
    for kind in questions_of(case):
        if kind == "choice":
            answer = policy.choose(question, view)
        else:
            assert case.alignment is not None  # noqa: S101 - questions_of asks for a pair only where there is one
            response = case.alignment.chosen if kind == "alignment_chosen" else case.alignment.rejected
            answer = policy.judge(question, response, view)
        yield _prediction(policy, case, kind, answer)


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
    )


@dataclass(frozen=True)
class _Tally:
    """One case within a group: questions asked and answered right, and what they cost."""

    questions: int
    correct: int
    missing: int
    chance: float
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

    A question without a prediction, or with a failed one, is wrong and counted as missing.

    Raises:
        ValueError: no cases, predictions of several policies, or predictions of unknown cases.
    """
    if not cases:
        raise ValueError("a score needs cases")
    asked = {(p.case_id, p.question): p for p in predictions}
    policies = {(p.policy, p.policy_fingerprint) for p in predictions}
    known = {(case.case_id, question) for case in cases for question in questions_of(case)}
    if len(policies) != 1:
        raise ValueError(f"predictions of one policy at a time, not of {sorted(policies)}")
    if not asked.keys() <= known:
        raise ValueError(f"predictions of unknown questions: {sorted(asked.keys() - known)[:3]}")
    ((policy, fingerprint),) = policies
    scores = []
    for setting, aspect, task in _groups(cases):
        members = [(case, _tally(case, asked, aspect, task)) for case in cases if setting in ("all", case.setting)]
        tallies = [(case, tally) for case, tally in members if tally.questions]
        if not tallies:
            continue
        accuracy = bootstrap_accuracy(
            [tally.correct for _, tally in tallies],
            [tally.questions for _, tally in tallies],
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
                missing=sum(tally.missing for _, tally in tallies),
                chance=sum(tally.chance for _, tally in tallies) / accuracy.questions,
                prompt_tokens_per_case=sum(tally.prompt_tokens for _, tally in tallies) / len(tallies),
                completion_tokens_per_case=sum(tally.completion_tokens for _, tally in tallies) / len(tallies),
                code_revision=code_revision,
                seed=seed,
            )
        )
    return scores


def _groups(cases: Sequence[BenchmarkCase]) -> Iterator[tuple[str, str, str]]:
    """Yield (setting, aspect, task): everything, by aspect, by task, each over all settings and a setting."""
    pairs = {(case.aspect, case.task) for case in cases}
    if any(case.alignment for case in cases):
        pairs.add(("Alignment", "PA"))
    for setting in ("all", *sorted({case.setting for case in cases}, reverse=True)):
        yield setting, "all", "all"
        for aspect in sorted({aspect for aspect, _ in pairs}):
            yield setting, aspect, "all"
        for aspect, task in sorted(pairs):
            yield setting, aspect, task


def _tally(case: BenchmarkCase, asked: dict[tuple[str, Question], Prediction], aspect: str, task: str) -> _Tally:
    """Return what of ``case`` counts for a group: its choice, its alignment pair, both or nothing."""
    kinds: list[Question] = []
    if (task in ("all", case.task)) and aspect in ("all", case.aspect):
        kinds.append("choice")
    if case.alignment is not None and task in ("all", "PA") and aspect in ("all", "Alignment"):
        kinds += ["alignment_chosen", "alignment_rejected"]
    found = [asked.get((case.case_id, kind)) for kind in kinds]
    return _Tally(
        questions=len(kinds),
        correct=sum(1 for prediction in found if prediction is not None and prediction.correct),
        missing=sum(1 for prediction in found if prediction is None or prediction.failure),
        chance=sum(CHOICE_CHANCE if kind == "choice" else PAIR_CHANCE for kind in kinds),
        prompt_tokens=sum(prediction.prompt_tokens for prediction in found if prediction is not None),
        completion_tokens=sum(prediction.completion_tokens for prediction in found if prediction is not None),
    )
