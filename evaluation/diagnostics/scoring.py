"""Scores of diagnostics with intervals: LSD, LAR and ITR by mode (CoViP Table 3, Appendix D)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from pydantic import Field

from evaluation.intervals import Estimate, Numbers, estimate, ratio
from lifeloom.records import (
    DIAGNOSTIC_TASKS,
    DiagnosticAnswer,
    DiagnosticCase,
    DiagnosticMode,
    DiagnosticTask,
    Record,
)
from lifeloom.records.base import Identifier
from lifeloom.scoring.diagnostic_scoring import UNREADABLE_VERDICT, plain_words, score_keyword

__all__ = ["DiagnosticScore", "DiagnosticScoredBy", "names_place", "score_diagnostics"]


@dataclass(frozen=True)
class DiagnosticScoredBy:
    """What scores were made with."""

    release_id: str
    judge: str
    code_revision: str
    seed: int
    bootstrap_samples: int


class DiagnosticScore(Record):
    """One policy on one task in one mode. Shares and F1 are in 0..1, intervals 95 %, bootstrap over cases."""

    KIND: ClassVar[str] = "diagnostic_score"

    release_id: Identifier
    policy: Identifier
    fingerprint: str
    judge: str
    """``backend/model``; of LAR alone."""
    task: DiagnosticTask
    mode: DiagnosticMode
    cases: int = Field(ge=0)
    score: float
    """LSD: mean F1 over the multiset of words. LAR: share that the judge calls Correct. ITR: balanced accuracy, the
    mean of the shares that are right where a keyword is due and where none is; of one kind alone where there is no
    other."""
    low: float
    high: float
    set_score: float | None = None
    """LSD: F1 over the set of words, as the public release counts."""
    named: float | None = None
    """LSD: share of answers that name the whole place and no other place of the context, in however many words."""
    named_low: float | None = None
    named_high: float | None = None
    due: int | None = None
    """ITR: cases in which a keyword is due."""
    recall: float | None = None
    """ITR: share of those whose answer says it, the paper's trigger success rate; None: there are none."""
    recall_low: float | None = None
    recall_high: float | None = None
    false_triggers: float | None = None
    """ITR: share of the cases in which none is due whose answer says one; None: there are none."""
    false_triggers_low: float | None = None
    false_triggers_high: float | None = None
    missing: int = Field(ge=0)
    """Cases without an answer; wrong."""
    unreadable: int = Field(ge=0)
    """LAR: verdicts that are neither Correct nor Wrong; wrong."""
    prompt_tokens: float
    """Mean of an answer, its caption included."""
    completion_tokens: float
    code_revision: str
    seed: int


def names_place(answer: str, case: DiagnosticCase) -> bool:
    """Return whether ``answer`` names the place of the last meeting whole, and no other place of the context."""
    others = [one.location for one in case.entries if one.location and one.location != case.location]
    return _says(answer, case.location) and not any(_says(answer, one) for one in others)


def score_diagnostics(
    cases: Sequence[DiagnosticCase], answers: Sequence[DiagnosticAnswer], by: DiagnosticScoredBy
) -> list[DiagnosticScore]:
    """Return one policy's scores by task and mode.

    Args:
        cases: all that were asked about; one without an answer is wrong.
        answers: of the one policy.
        by: what the scores are made with.

    Raises:
        ValueError: there is no answer, or answers of two policies.
    """
    policies = {(one.policy, one.fingerprint) for one in answers}
    if len(policies) != 1:
        raise ValueError(f"answers of one policy are scored together, not of {len(policies)}")
    modes = dict.fromkeys(one.mode for one in answers)
    by_key = {(one.task, one.mode, one.case_id): one for one in answers}
    return [
        _score(task, mode, cases, {case: one for (t, m, case), one in by_key.items() if (t, m) == (task, mode)}, by)
        for task in DIAGNOSTIC_TASKS
        for mode in modes
    ]


def _score(
    task: DiagnosticTask,
    mode: DiagnosticMode,
    cases: Sequence[DiagnosticCase],
    answers: Mapping[str, DiagnosticAnswer],
    by: DiagnosticScoredBy,
) -> DiagnosticScore:
    given = [answers.get(one.case_id) for one in cases]
    scores = [0.0 if one is None else one.score for one in given]
    whole = _mean(scores, by) if task != "itr" else _balanced(cases, scores, by)
    first = next(iter(answers.values()))
    further: dict[str, float | int | None] = {}
    if task == "lsd":
        named = _mean([float(a is not None and names_place(a.text, c)) for c, a in zip(cases, given, strict=True)], by)
        sets = [0.0 if one is None else one.set_score or 0.0 for one in given]
        further = {
            "set_score": float(np.mean(sets)),
            "named": named.value,
            "named_low": named.low,
            "named_high": named.high,
        }
    elif task == "itr":
        further = _triggers(cases, given, by)
    there = [one for one in given if one is not None]
    return DiagnosticScore.model_validate(
        {
            "release_id": by.release_id,
            "policy": first.policy,
            "fingerprint": first.fingerprint,
            "judge": by.judge if task == "lar" else "",
            "task": task,
            "mode": mode,
            "cases": len(cases),
            "score": whole.value,
            "low": whole.low,
            "high": whole.high,
            **further,
            "missing": sum(one is None or (bool(one.failure) and not one.text) for one in given),
            "unreadable": sum(one.failure == UNREADABLE_VERDICT for one in there),
            "prompt_tokens": float(np.mean([one.prompt_tokens for one in there])),
            "completion_tokens": float(np.mean([one.completion_tokens for one in there])),
            "code_revision": by.code_revision,
            "seed": by.seed,
        }
    )


def _triggers(
    cases: Sequence[DiagnosticCase], given: Sequence[DiagnosticAnswer | None], by: DiagnosticScoredBy
) -> dict[str, float | int | None]:
    said, wrongly = [], []
    for case, answer in zip(cases, given, strict=True):
        found = score_keyword("" if answer is None else answer.text, case.keyword, case.keywords)
        if case.keyword:
            said.append(float(found.triggered))
        else:
            wrongly.append(float(found.false_trigger))
    values: dict[str, float | int | None] = {"due": len(said)}
    for name, rows in (("recall", said), ("false_triggers", wrongly)):
        if rows:
            one = _mean(rows, by)
            values |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
    return values


def _balanced(cases: Sequence[DiagnosticCase], scores: Sequence[float], by: DiagnosticScoredBy) -> Estimate:
    rows = np.array(
        [(score * bool(case.keyword), bool(case.keyword), score * (not case.keyword), not case.keyword)
         for case, score in zip(cases, scores, strict=True)],
        dtype=np.float64,
    )  # fmt: skip

    def balanced(sums: Numbers) -> Numbers:
        both = np.stack([ratio(sums[:, 0], sums[:, 1]), ratio(sums[:, 2], sums[:, 3])])
        there = np.isfinite(both)
        return ratio(np.where(there, both, 0.0).sum(axis=0), there.sum(axis=0).astype(np.float64))

    return estimate(rows, balanced, samples=by.bootstrap_samples, seed=by.seed)


def _mean(values: Sequence[float], by: DiagnosticScoredBy) -> Estimate:
    rows = np.array([(value, 1.0) for value in values], dtype=np.float64)
    return estimate(rows, lambda sums: ratio(sums[:, 0], sums[:, 1]), samples=by.bootstrap_samples, seed=by.seed)


def _says(answer: str, place: str) -> bool:
    wanted, words = plain_words(place), plain_words(answer)
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1))
