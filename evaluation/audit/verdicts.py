"""The shortcut audit (N3): does a policy that is kept from what it would need beat chance?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from evaluation.audit.questions import AuditAnswer, AuditQuestion, Subset
from lifeloom.records import Record
from lifeloom.records.base import Identifier
from lifeloom.scoring.metrics import binomial_lower_bound

__all__ = [
    "CONFIDENCE",
    "VIEWS",
    "AuditRow",
    "BlindAccuracy",
    "Verdict",
    "View",
    "audit",
    "binomial_interval",
    "blind_accuracies",
    "worst",
]

CONFIDENCE = 0.95

Verdict = Literal["passed", "failed", "inconclusive"]


@dataclass(frozen=True)
class View:
    """What a group of blind policies sees of a question. Its verdicts are those of its best policy."""

    name: str
    sees: str
    """In words, for a person."""
    policies: tuple[str, ...]
    subset: Subset = "all"
    """Which questions it is held against chance on."""


VIEWS: tuple[View, ...] = (
    View(
        "question",
        "question and options, no history",
        ("blind_classifier", "blind_letter", "blind_longest", "blind_outlier"),
    ),
    View(
        "options",
        "options alone, no question, no history",
        ("blind_letter", "blind_longest", "blind_options", "blind_outlier"),
    ),
    View("text", "the history's words without its pictures", ("text_only",), "pictured"),
    View("shuffled", "the history's words with other users' pictures", ("shuffled_pictures",), "pictured"),
    View("other", "another user's history", ("other_history",)),
)
"""All there are. An attack that sees options alone also counts for those that see more: it could be among them."""


class AuditRow(Record):
    """The verdict on one task, on the pool of small tasks (``pooled``), or on all questions of a view (``all``)."""

    KIND: ClassVar[str] = "audit_row"
    FORMAT_VERSION: ClassVar[int] = 2

    release_id: Identifier
    view: str
    """What the policy saw: the name of a ``View``."""
    subset: Subset
    """Which questions the row is about: all of the task, or those that need pictures."""
    task: str
    policy: str
    """The policy of the view that did best there."""
    questions: int
    correct: int
    accuracy: float
    lower_bound: float
    """One-sided lower bound of the accuracy, Bonferroni-corrected over the view's tasks."""
    chance: float
    limit: float
    """Chance plus margin: a lower bound above it fails."""
    verdict: Verdict

    def sentence(self) -> str:
        """Return the finding in words."""
        which = "" if self.subset == "all" else " that need pictures"
        return (
            f"{self.task}, {self.view}: {self.policy} answers {self.accuracy:.1%} of {self.questions} questions"
            f"{which}; "
            f"the lower bound {self.lower_bound:.1%} {'is above' if self.lower_bound > self.limit else 'is not above'} "
            f"{self.limit:.1%}: {self.verdict}"
        )


class BlindAccuracy(Record):
    """What one blind policy reaches on one task (``all``: on all its questions), with its 95 % interval."""

    KIND: ClassVar[str] = "blind_accuracy"

    release_id: Identifier
    policy: Identifier
    subset: Subset
    task: str
    questions: int
    correct: int
    accuracy: float
    interval_low: float
    interval_high: float
    """Clopper-Pearson, two-sided, questions taken as independent."""
    chance: float


def audit(
    release_id: str,
    questions: Sequence[AuditQuestion],
    answers: Iterable[AuditAnswer],
    *,
    margin: float,
    minimum_cases: int,
    sampled: Collection[str] = (),
    views: Sequence[View] = VIEWS,
) -> list[AuditRow]:
    """Hold the best accuracy of every view and task against chance plus ``margin``.

    A task fails when the one-sided 95 % lower bound (Clopper-Pearson, Bonferroni over the view's tasks) of the view's
    best policy lies above the limit. Tasks of which fewer than ``minimum_cases`` cases were asked get no verdict of
    their own: they are inconclusive, never passed, and pooled with the other small ones of their pool, so that a
    shortcut that they share is still found. The row ``all`` of a view comes last: its numbers are those of the
    view's best policy over all its questions (chance is then the mean chance), its verdict is ``failed`` when any
    row of the view or those numbers fail, ``passed`` only when every task passes.

    The bound takes questions as independent. Where several questions of a case are answered alike, as those of an
    alignment pair may be, a policy fails a little too easily, which errs to the strict side.

    Args:
        release_id: the release.
        questions: all that the release asks.
        answers: of all blind policies: to every question of their view, once.
        margin: allowed above chance, 0..1.
        minimum_cases: cases a task needs for a verdict of its own.
        sampled: policies that were asked some of their view's questions only. Policies of one view are asked the same.
        views: what the policies see.

    Raises:
        ValueError: no questions or no answers; a policy of no view; a policy has left a question out that it is not
            sampled for, answered one twice, or one that is not its view's; one pool holds tasks of different chance.
    """
    by_key = {(question.case_id, question.kind): question for question in questions}
    if len(by_key) < len(questions):
        raise ValueError("a question is there twice")
    given = _by_policy(answers)
    if not by_key or not given:
        raise ValueError("an audit needs questions and blind answers")
    if unknown := sorted(given.keys() - {policy for view in views for policy in view.policies}):
        raise ValueError(f"no view says what {', '.join(unknown)} sees")
    rows: list[AuditRow] = []
    for view in views:
        present = [policy for policy in view.policies if policy in given]
        if present:
            asked = {policy: _complete(policy, view, by_key, given[policy], policy in sampled) for policy in present}
            rows += _view_rows(release_id, view, by_key, asked, margin, minimum_cases)
    return rows


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return ``failed`` when any is, else ``inconclusive`` when any is, else ``passed``."""
    found = set(verdicts)
    return "failed" if "failed" in found else "inconclusive" if "inconclusive" in found else "passed"


def binomial_interval(correct: int, questions: int, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the exact (Clopper-Pearson) two-sided interval of a success rate.

    Raises:
        ValueError: counts or confidence out of range.
    """
    side = (1 + confidence) / 2
    low = binomial_lower_bound(correct, questions, confidence=side)
    return low, 1 - binomial_lower_bound(questions - correct, questions, confidence=side)


def blind_accuracies(
    release_id: str,
    questions: Sequence[AuditQuestion],
    answers: Iterable[AuditAnswer],
    *,
    views: Sequence[View] = VIEWS,
) -> list[BlindAccuracy]:
    """Return what every policy reaches on every task of its view, then on all of them.

    Raises:
        ValueError: a policy of no view, or an answer to an unknown question.
    """
    by_key = {(question.case_id, question.kind): question for question in questions}
    subsets = {policy: view.subset for view in reversed(views) for policy in view.policies}
    rows: list[BlindAccuracy] = []
    for policy, own in _by_policy(answers).items():
        if policy not in subsets or not own.keys() <= by_key.keys():
            raise ValueError(f"{policy} has no view, or has answered questions that the release does not ask")
        tallies = _tally(by_key, own)
        for task, tally in [*sorted(tallies.items()), ("all", _sum(tallies.values()))]:
            low, high = binomial_interval(tally.correct, tally.questions)
            rows.append(
                BlindAccuracy(
                    release_id=release_id,
                    policy=policy,
                    subset=subsets[policy],
                    task=task,
                    questions=tally.questions,
                    correct=tally.correct,
                    accuracy=tally.correct / tally.questions,
                    interval_low=low,
                    interval_high=high,
                    chance=tally.chance / tally.questions,
                )
            )
    return rows


_Key = tuple[str, str]
_Questions = Mapping[_Key, AuditQuestion]
_Answers = Mapping[_Key, bool]


@dataclass(frozen=True)
class _Tally:
    questions: int
    correct: int
    chance: float
    """Right answers expected by chance."""
    cases: int


def _by_policy(answers: Iterable[AuditAnswer]) -> dict[str, dict[_Key, bool]]:
    given: dict[str, dict[_Key, bool]] = {}
    for answer in answers:
        own = given.setdefault(answer.policy, {})
        if (answer.case_id, answer.kind) in own:
            raise ValueError(f"{answer.policy} answers {answer.kind} of {answer.case_id} twice")
        own[answer.case_id, answer.kind] = answer.correct
    return given


def _complete(policy: str, view: View, by_key: _Questions, own: _Answers, sampled: bool) -> _Answers:
    """Return a policy's answers, once sure that they are those of its view."""
    expected = {key for key, question in by_key.items() if view.subset == "all" or question.needs_pictures}
    if not own.keys() <= expected:
        raise ValueError(f"{policy} has answered {len(own.keys() - expected)} questions that it is not asked")
    if not sampled and len(own) < len(expected):
        raise ValueError(f"{policy} has answered {len(own)} of {len(expected)} questions")
    return own


def _tally(by_key: _Questions, own: _Answers) -> dict[str, _Tally]:
    """Return tallies by task."""
    keys: dict[str, list[_Key]] = {}
    for key in own:
        keys.setdefault(by_key[key].task, []).append(key)
    return {
        task: _Tally(
            questions=len(members),
            correct=sum(own[key] for key in members),
            chance=sum(by_key[key].chance for key in members),
            cases=len({case_id for case_id, _ in members}),
        )
        for task, members in keys.items()
    }


def _sum(tallies: Iterable[_Tally]) -> _Tally:
    rows = list(tallies)
    return _Tally(
        sum(row.questions for row in rows),
        sum(row.correct for row in rows),
        sum(row.chance for row in rows),
        sum(row.cases for row in rows),
    )


def _view_rows(
    release_id: str,
    view: View,
    by_key: _Questions,
    asked: Mapping[str, _Answers],
    margin: float,
    minimum_cases: int,
) -> list[AuditRow]:
    if len({frozenset(own) for own in asked.values()}) > 1:
        raise ValueError(f"the policies of the view {view.name!r} were asked different questions")
    tallies = {policy: _tally(by_key, own) for policy, own in asked.items()}
    sizes = {task: tally.cases for task, tally in next(iter(tallies.values())).items()}
    confidence = 1 - (1 - CONFIDENCE) / len(sizes)

    def row(name: str, tasks: Collection[str]) -> AuditRow:
        summed = {policy: _sum(own[task] for task in tasks) for policy, own in tallies.items()}
        policy = max(sorted(summed), key=lambda policy: summed[policy].correct)  # all were asked the same
        tally = summed[policy]
        bound = binomial_lower_bound(tally.correct, tally.questions, confidence=confidence)
        chance = tally.chance / tally.questions
        return AuditRow(
            release_id=release_id,
            view=view.name,
            subset=view.subset,
            task=name,
            policy=policy,
            questions=tally.questions,
            correct=tally.correct,
            accuracy=tally.correct / tally.questions,
            lower_bound=bound,
            chance=chance,
            limit=chance + margin,
            verdict="failed" if bound > chance + margin else "passed",
        )

    def undecided(found: AuditRow) -> AuditRow:
        return found.model_copy(update={"verdict": "inconclusive"})

    small = {task for task, cases in sizes.items() if cases < minimum_cases}
    rows = [undecided(row(task, [task])) if task in small else row(task, [task]) for task in sorted(sizes)]
    for name, members in sorted(_pools(by_key, small).items()):
        pooled = row(name, members)
        rows.append(pooled if pooled.verdict == "failed" else undecided(pooled))
    whole = row("all", sorted(sizes))
    verdict = worst([whole.verdict, *(found.verdict for found in rows)])
    return [*rows, whole.model_copy(update={"verdict": verdict})]


def _pools(by_key: _Questions, small: Collection[str]) -> dict[str, list[str]]:
    """Return the small tasks of every pool.

    Raises:
        ValueError: a pool holds questions of different chance.
    """
    pools: dict[str, set[str]] = {}
    chances: dict[str, set[float]] = {}
    for question in by_key.values():
        if question.pool and question.task in small:
            pools.setdefault(question.pool, set()).add(question.task)
            chances.setdefault(question.pool, set()).add(question.chance)
    for pool, found in chances.items():
        if len(found) > 1:
            raise ValueError(f"the pool {pool!r} holds questions of different chance: {sorted(found)}")
    return {pool: sorted(tasks) for pool, tasks in pools.items()}
