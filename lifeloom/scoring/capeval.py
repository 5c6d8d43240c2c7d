"""CapEval-QAs: positive and negative accuracy of captions (CoViP Section 3.2.2, Appendix B, Eqs. S.1 and S.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lifeloom.records import ProbeAnswer, ProbeQuestion

__all__ = ["ProbeCounts", "by_concepts", "count_probes"]


@dataclass
class ProbeCounts:
    """What the judge chose about one sample."""

    concepts: int
    positive: int = 0
    """Questions about concepts of the query picture."""
    positive_right: int = 0
    negative: int = 0
    """Questions about the other pictures of the context."""
    negative_right: int = 0
    """Of them answered D."""
    unreadable: int = 0
    failures: dict[str, int] = field(default_factory=dict)

    @property
    def positive_accuracy(self) -> float:
        """Acc+ of the sample, 0..1; 0 where it has no positive question."""
        return self.positive_right / self.positive if self.positive else 0.0

    @property
    def negative_accuracy(self) -> float:
        """Acc- of the sample, 0..1; 0 where it has no negative question."""
        return self.negative_right / self.negative if self.negative else 0.0

    @property
    def committed(self) -> float:
        """Share of the negative questions not answered D: sigma minus of Algorithm 1."""
        return 1.0 - self.negative_accuracy if self.negative else 0.0


def count_probes(questions: Iterable[ProbeQuestion], answers: Iterable[ProbeAnswer]) -> dict[str, ProbeCounts]:
    """Return by sample what one policy's captions were answered; a question without an answer is wrong.

    Args:
        questions: all that were to be asked.
        answers: of one policy, at most one a question.

    Raises:
        ValueError: a question has two answers.
    """
    given: dict[str, ProbeAnswer] = {}
    for answer in answers:
        if answer.question_id in given:
            raise ValueError(f"{answer.question_id} has two answers of one policy")
        given[answer.question_id] = answer
    found: dict[str, ProbeCounts] = {}
    for question in questions:
        own = found.setdefault(question.sample_id, ProbeCounts(question.concepts))
        answered = given.get(question.question_id)
        right = answered is not None and answered.letter == question.right
        if question.positive:
            own.positive += 1
            own.positive_right += right
        else:
            own.negative += 1
            own.negative_right += right
        failure = "missing" if answered is None else answered.failure
        if failure:
            own.unreadable += failure == "unreadable"
            own.failures[failure] = own.failures.get(failure, 0) + 1
    return found


def by_concepts(counts: Mapping[str, ProbeCounts]) -> dict[int, list[ProbeCounts]]:
    """Return the samples by number of concepts: the columns of the paper's tables."""
    found: dict[int, list[ProbeCounts]] = defaultdict(list)
    for one in counts.values():
        found[one.concepts].append(one)
    return dict(sorted(found.items()))
