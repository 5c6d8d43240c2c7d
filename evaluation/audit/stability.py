"""Whether a score stays where it is when only what must not matter is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, TypeVar

from evaluation.audit.perturbations import PERTURBATIONS, Perturbation, Perturbed, Release, trimmed
from evaluation.audit.questions import AuditAnswer, AuditedBenchmark
from evaluation.audit.verdicts import Verdict, binomial_interval
from lifeloom.models.protocol import PictureSource
from lifeloom.records import Record
from lifeloom.records.base import Identifier
from lifeloom.scoring.policy import Policy
from lifeloom.streams import Streams

__all__ = ["TOLERANCE_POINTS", "StabilityRow", "measure_stability", "stability"]

CaseT = TypeVar("CaseT")

TOLERANCE_POINTS = 2.0
"""By how many points of accuracy a perturbation may move a score."""


class StabilityRow(Record):
    """What one perturbation did to one policy's accuracy."""

    KIND: ClassVar[str] = "stability_row"

    release_id: Identifier
    policy: Identifier
    perturbation: Identifier
    questions: int
    correct_before: int
    correct_after: int
    difference: float
    """Accuracy after minus before, in points."""
    interval_low: float
    interval_high: float
    """95 % interval of the difference, in points; see ``stability``."""
    changed: int
    """Questions with another answer, right or wrong."""
    lost: int
    """Right before, wrong after."""
    gained: int
    """Wrong before, right after."""
    tolerance: float
    """Points."""
    verdict: Verdict

    @property
    def accuracy_before(self) -> float:
        """Accuracy on the release as it is, 0..1."""
        return self.correct_before / self.questions

    @property
    def accuracy_after(self) -> float:
        """Accuracy on the perturbed release, 0..1."""
        return self.correct_after / self.questions

    def sentence(self) -> str:
        """Return the finding in words."""
        return (
            f"{self.perturbation}: {self.policy} goes from {self.accuracy_before:.1%} to {self.accuracy_after:.1%} of "
            f"{self.questions} questions ({self.changed} answers changed; difference {self.difference:+.1f} points, "
            f"95 % interval {self.interval_low:+.1f} to {self.interval_high:+.1f}): {self.verdict}"
        )


def stability(
    release_id: str,
    perturbation: str,
    before: Sequence[AuditAnswer],
    after: Sequence[AuditAnswer],
    *,
    case_ids: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[int]] | None = None,
    tolerance: float = TOLERANCE_POINTS,
) -> StabilityRow:
    """Compare a policy's answers to the same questions before and after a perturbation.

    Passed: the accuracy moved by at most ``tolerance`` points. Otherwise the exact 95 % interval of the difference
    decides: failed when all of it lies beyond the tolerance, inconclusive when it reaches within, as on few questions.
    The interval is that behind McNemar's exact test: of the questions whose rightness changed, the share that was
    gained has a Clopper-Pearson interval; the difference is (2 x share - 1) x changed / questions.

    Args:
        release_id: the release.
        perturbation: its name.
        before: answers of one policy.
        after: its answers to the perturbed questions.
        case_ids: perturbed case id to the one before, where they differ.
        orders: by case id before, the earlier place of each option, where they moved.
        tolerance: in points.

    Raises:
        ValueError: no answers, answers of several policies, or not the same questions.
    """
    policies = {answer.policy for answer in (*before, *after)}
    first = {(answer.case_id, answer.kind): answer for answer in before}
    second = {((case_ids or {}).get(answer.case_id, answer.case_id), answer.kind): answer for answer in after}
    if len(policies) != 1 or len(first) < len(before) or len(second) < len(after) or first.keys() != second.keys():
        raise ValueError(f"{perturbation}: needs one policy's answers to the same questions before and after, once")
    lost = sum(1 for key in first if first[key].correct and not second[key].correct)
    gained = sum(1 for key in first if second[key].correct and not first[key].correct)
    changed = sum(1 for key in first if not _same(first[key], second[key], (orders or {}).get(key[0])))
    questions, moved = len(first), lost + gained
    difference = 100 * (gained - lost) / questions
    share = binomial_interval(gained, moved) if moved else (0.5, 0.5)
    low, high = (100 * (2 * end - 1) * moved / questions for end in share)
    beyond = low > tolerance or high < -tolerance
    verdict: Verdict = "passed" if abs(difference) <= tolerance else "failed" if beyond else "inconclusive"
    return StabilityRow(
        release_id=release_id,
        policy=policies.pop(),
        perturbation=perturbation,
        questions=questions,
        correct_before=sum(answer.correct for answer in before),
        correct_after=sum(answer.correct for answer in after),
        difference=difference,
        interval_low=low,
        interval_high=high,
        changed=changed,
        lost=lost,
        gained=gained,
        tolerance=tolerance,
        verdict=verdict,
    )


def measure_stability(
    policy_of: Callable[[PictureSource], Policy],
    benchmark: AuditedBenchmark[CaseT],
    release: Release[CaseT],
    release_id: str,
    streams: Streams,
    *,
    perturbations: Iterable[Perturbation] = PERTURBATIONS,
    tolerance: float = TOLERANCE_POINTS,
    progress: Callable[[int], None] = lambda done: None,
) -> list[StabilityRow]:
    """Ask a policy the release as it is and under every perturbation.

    Args:
        policy_of: makes the policy, given where its reader gets pictures; asked anew for every perturbation.
        benchmark: adapter of the cases.
        release: the cases asked, with their histories.
        release_id: its id.
        streams: behind the perturbations.
        perturbations: which.
        tolerance: in points.
        progress: told how often the release has been asked.

    Raises:
        ValueError: no cases.
        ModelUnavailable, ModelRefusesKey: the policy's model stopped answering.
        PictureRejected, MediaMissing, MediaCorrupt: a picture cannot be changed because it cannot be read.
    """
    part = trimmed(release, benchmark)
    before = benchmark.ask(policy_of(part.pictures), part.cases, part.turns.__getitem__)
    progress(1)
    rows: list[StabilityRow] = []
    for perturbation in perturbations:
        changed: Perturbed[CaseT] = perturbation.apply(part, benchmark, streams)
        put = changed.release
        after = benchmark.ask(policy_of(put.pictures), put.cases, put.turns.__getitem__)
        rows.append(
            stability(
                release_id,
                perturbation.name,
                before,
                after,
                case_ids=changed.case_ids,
                orders=changed.orders,
                tolerance=tolerance,
            )
        )
        progress(len(rows) + 1)
    return rows


def _same(before: AuditAnswer, after: AuditAnswer, order: Sequence[int] | None) -> bool:
    if before.place is None or after.place is None:
        return before.place == after.place and before.answer == after.answer
    return before.place == (after.place if order is None else order[after.place])
