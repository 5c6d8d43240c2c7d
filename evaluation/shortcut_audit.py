"""The shortcut audit (N3): does a policy that sees no history beat chance?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from evaluation.persona_mme import CHOICE_CHANCE, PAIR_CHANCE, questions_of
from lifeloom.records import BenchmarkCase, Prediction, Question, Record
from lifeloom.records.base import Identifier
from lifeloom.scoring.metrics import binomial_lower_bound

__all__ = ["CONFIDENCE", "AuditRow", "Verdict", "audit"]

CONFIDENCE = 0.95

Verdict = Literal["passed", "failed", "inconclusive"]


class AuditRow(Record):
    """The verdict on one task, on the pool of small tasks (``pooled``), or on the whole release (``all``)."""

    KIND: ClassVar[str] = "audit_row"

    release_id: Identifier
    task: str
    policy: str
    """The blind policy that did best there."""
    questions: int
    correct: int
    accuracy: float
    lower_bound: float
    """One-sided lower bound of the accuracy, Bonferroni-corrected over the tasks."""
    chance: float
    limit: float
    """Chance plus margin: a lower bound above it fails."""
    verdict: Verdict

    def sentence(self) -> str:
        """Return the finding in words."""
        return (
            f"{self.task}: {self.policy} answers {self.accuracy:.1%} of {self.questions} questions blind; "
            f"the lower bound {self.lower_bound:.1%} {'is above' if self.lower_bound > self.limit else 'is not above'} "
            f"{self.limit:.1%}: {self.verdict}"
        )


def audit(
    cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction], *, margin: float, minimum_cases: int
) -> list[AuditRow]:
    """Hold the best blind accuracy of every task against chance plus ``margin``.

    A task fails when the one-sided 95 % lower bound (Clopper-Pearson, Bonferroni over the tasks) of the best blind
    policy lies above the limit. Tasks with fewer than ``minimum_cases`` cases get no verdict of their own: they are
    inconclusive, never passed, and pooled, so that a shortcut that they share is still found; PA, whose chance is
    another, is pooled with none. The row ``all`` comes last: its numbers are those of the best blind policy over
    every question (chance is then the mean chance), its verdict is ``failed`` when any row or those numbers fail,
    ``passed`` only when every task passes.

    The bound takes questions as independent. The two of an alignment pair are not: a policy that is right or wrong
    on both at once fails a little too easily, which errs to the strict side.

    Args:
        cases: the release.
        predictions: of all blind policies, one for every question of every case.
        margin: allowed above chance, 0..1.
        minimum_cases: cases a task needs for a verdict of its own.

    Raises:
        ValueError: no cases or no predictions, or a policy has left a question out or answered one twice.
    """
    if not cases or not predictions:
        raise ValueError("an audit needs cases and blind predictions")
    tallies = _tally(cases, predictions)
    sizes = Counter[str](case.task for case in cases)
    sizes["PA"] = sum(case.alignment is not None for case in cases)
    confidence = 1 - (1 - CONFIDENCE) / len(tallies)
    release = cases[0].release_id
    small = [task for task in sorted(tallies) if sizes[task] < minimum_cases]
    rows = [
        _row(release, task, tallies[task], _chance(task), margin, confidence, conclusive=task not in small)
        for task in sorted(tallies)
    ]
    choices = [task for task in small if task != "PA"]
    if choices:
        pooled = _sum(tallies[task] for task in choices)
        row = _row(release, "pooled", pooled, CHOICE_CHANCE, margin, confidence)
        rows.append(row if row.verdict == "failed" else row.model_copy(update={"verdict": "inconclusive"}))
    everything = _sum(tallies.values())
    asked = {task: next(iter(own.values())).questions for task, own in tallies.items()}
    chance = sum(_chance(task) * count for task, count in asked.items()) / sum(asked.values())
    whole = _row(release, "all", everything, chance, margin, confidence)
    verdicts = {whole.verdict, *(row.verdict for row in rows)}
    worst: Verdict = "failed" if "failed" in verdicts else "inconclusive" if "inconclusive" in verdicts else "passed"
    return [*rows, whole.model_copy(update={"verdict": worst})]


@dataclass(frozen=True)
class _Tally:
    questions: int
    correct: int


_Tallies = dict[str, _Tally]
"""By policy."""


def _tally(cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction]) -> dict[str, _Tallies]:
    """Return tallies by task and policy, once sure that every policy has answered every question once."""
    expected = {(case.case_id, question) for case in cases for question in questions_of(case)}
    task_of = {case.case_id: case.task for case in cases}
    answered: dict[str, dict[tuple[str, Question], Prediction]] = {}
    for prediction in predictions:
        own = answered.setdefault(prediction.policy, {})
        if (prediction.case_id, prediction.question) in own:
            raise ValueError(f"{prediction.policy} answers {prediction.question} of {prediction.case_id} twice")
        own[prediction.case_id, prediction.question] = prediction
    tallies: dict[str, _Tallies] = {}
    for policy in sorted(answered):
        if answered[policy].keys() != expected:
            raise ValueError(
                f"{policy} has answered {len(answered[policy])} questions, the release asks {len(expected)} others"
                if len(answered[policy]) == len(expected)
                else f"{policy} has answered {len(answered[policy])} of {len(expected)} questions"
            )
        counts: dict[str, list[bool]] = {}
        for (case_id, question), prediction in answered[policy].items():
            task: str = task_of[case_id] if question == "choice" else "PA"
            counts.setdefault(task, []).append(prediction.correct)
        for task, correct in counts.items():
            tallies.setdefault(task, {})[policy] = _Tally(len(correct), sum(correct))
    return tallies


def _sum(tallies: Iterable[_Tallies]) -> _Tallies:
    total: _Tallies = {}
    for own in tallies:
        for policy, tally in own.items():
            before = total.get(policy, _Tally(0, 0))
            total[policy] = _Tally(before.questions + tally.questions, before.correct + tally.correct)
    return total


def _chance(task: str) -> float:
    return PAIR_CHANCE if task == "PA" else CHOICE_CHANCE


def _row(
    release: str,
    task: str,
    tallies: _Tallies,
    chance: float,
    margin: float,
    confidence: float,
    *,
    conclusive: bool = True,
) -> AuditRow:
    policy = max(sorted(tallies), key=lambda name: tallies[name].correct)  # all have answered the same questions
    tally = tallies[policy]
    bound = binomial_lower_bound(tally.correct, tally.questions, confidence=confidence)
    verdict: Verdict = "failed" if bound > chance + margin else "passed"
    return AuditRow(
        release_id=release,
        task=task,
        policy=policy,
        questions=tally.questions,
        correct=tally.correct,
        accuracy=tally.correct / tally.questions,
        lower_bound=bound,
        chance=chance,
        limit=chance + margin,
        verdict=verdict if conclusive else "inconclusive",
    )
