"""How well a judge of open answers agrees with people's verdicts on a labelled set (Life-Bench Section 5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Literal

import numpy as np
from pydantic import TypeAdapter

from evaluation.intervals import Estimate, Numbers, estimate, ratio
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import LIFE_TASKS
from lifeloom.records.base import Part
from lifeloom.tasks import LIFE_JUDGEMENT, LifeJudgementInput

__all__ = ["Agreement", "LabelledAnswer", "agreement_table", "judge_agreement", "labelled_answers"]

Result = Literal["Correct", "Wrong"]
ALL = "all"


class LabelledAnswer(Part):
    """An answer with the right verdict on it."""

    id: str
    part: Literal["tune", "held"]
    """Whether a judge may be worked on with it."""
    task: str
    kind: str
    """What the answer was written as: ``exact``, ``paraphrase``, ``near_miss``, ``contradiction``, ..."""
    question: str
    truth: str
    answer: str
    verdict: Result


@dataclass(frozen=True)
class Agreement:
    """How a judge agrees with the labels of one task, or of all."""

    task: str
    """A task, or ``all``."""
    answers: int
    failures: int
    """The judge gave no verdict; counted as disagreement."""
    accuracy: Estimate
    """Share of answers judged as labelled."""
    kappa: Estimate
    """Cohen's kappa; NaN where judge and labels know one verdict only."""
    too_kind: int
    """Wrong answers that the judge calls correct."""
    too_strict: int
    """Correct answers that the judge does not call correct."""


def labelled_answers(part: Literal["tune", "held"] | None = None) -> list[LabelledAnswer]:
    """Return the labelled set, or one part of it: report on ``held``, work on a judge with ``tune``."""
    text = resources.files("evaluation").joinpath("life_bench/data/life_judgements.jsonl").read_text("utf-8")
    rows = [TypeAdapter(LabelledAnswer).validate_json(line) for line in text.splitlines() if line.strip()]
    return [one for one in rows if part is None or one.part == part]


def judge_agreement(
    answers: Sequence[LabelledAnswer], judge: LanguageModel, *, samples: int = 2_000, seed: int = 0
) -> list[Agreement]:
    """Judge labelled answers and return the agreement by task, and over all as the last.

    Args:
        answers: with their right verdicts.
        judge: gets question, truth and answer.
        samples: resamples of an interval, over answers.
        seed: of the resampling.

    Raises:
        ValueError: no answers.
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """
    if not answers:
        raise ValueError("agreement needs labelled answers")
    given = {one.id: _asked(one, judge) for one in answers}
    tasks = [task for task in LIFE_TASKS if any(one.task == task for one in answers)]
    groups: Mapping[str, Sequence[LabelledAnswer]] = {
        **{task: [one for one in answers if one.task == task] for task in tasks},
        ALL: answers,
    }
    return [_agreement(task, own, given, samples, seed) for task, own in groups.items()]


def agreement_table(rows: Sequence[Agreement]) -> str:
    """Return agreement by task as Markdown."""
    lines = ["| task | answers | agreement | kappa | too kind | too strict | no verdict |", "|---" * 7 + "|"]
    lines += [
        f"| {one.task.replace('_', ' ')} | {one.answers} | {_told(one.accuracy)} | {_told(one.kappa)} "
        f"| {one.too_kind} | {one.too_strict} | {one.failures} |"
        for one in rows
    ]
    return "\n".join(lines)


def _asked(one: LabelledAnswer, judge: LanguageModel) -> Result | None:
    try:
        told = judge.run(LIFE_JUDGEMENT, LifeJudgementInput(question=one.question, truth=one.truth, answer=one.answer))
    except GenerationRejected:
        return None  # counted by who asks
    return told.output.verdict


def _agreement(
    task: str, own: Sequence[LabelledAnswer], given: Mapping[str, Result | None], samples: int, seed: int
) -> Agreement:
    right = np.array([one.verdict == "Correct" for one in own])
    # Like in the scores, an answer without a verdict is wrong; it never agrees.
    said = np.array([given[one.id] == "Correct" for one in own])
    failed = np.array([given[one.id] is None for one in own])
    agrees = (right == said) & ~failed
    members = np.column_stack([np.ones(len(own)), agrees, right, said]).astype(np.float64)
    return Agreement(
        task=task,
        answers=len(own),
        failures=int(failed.sum()),
        accuracy=estimate(members, lambda sums: ratio(sums[:, 1], sums[:, 0]), samples=samples, seed=seed),
        kappa=estimate(members, _kappa, samples=samples, seed=seed),
        too_kind=int((said & ~right).sum()),
        too_strict=int((right & ~said).sum()),
    )


def _kappa(sums: Numbers) -> Numbers:
    """Return Cohen's kappa from the columns count, agreeing, labelled correct, judged correct."""
    count, agreeing, labelled, judged = sums.T
    observed = ratio(agreeing, count)
    by_chance = ratio(labelled * judged + (count - labelled) * (count - judged), count * count)
    return ratio(observed - by_chance, 1 - by_chance)


def _told(one: Estimate) -> str:
    return "-" if np.isnan(one.value) else f"{one.value:.3f} [{one.low:.2f}, {one.high:.2f}]"
