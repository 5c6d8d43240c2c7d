"""What each part of the memory agent is worth: paired differences to the whole agent (PersonaVLM Table 8, Fig. 13).

Two policies answered the same cases. A resample draws cases as wholes and takes both policies' answers to them, so
that what makes a case hard for both does not widen the interval of their difference.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from evaluation.intervals import Numbers, estimate, ratio, resampled_sums
from evaluation.persona_mme import BENCHMARK, BENCHMARK_VERSION, questions_of
from lifeloom.records import BenchmarkCase, Prediction, Question, Record, Score
from lifeloom.records.base import Identifier
from lifeloom.streams import Streams

__all__ = [
    "AGENT",
    "EPISODE_VARIANTS",
    "GRAPH_VARIANT",
    "MEMORY_VARIANTS",
    "PART_VARIANTS",
    "ComponentRank",
    "PolicyDifference",
    "TopicPoint",
    "compare_policies",
    "episodic_topics",
    "rank_memories",
    "setting_order",
]

AGENT = "memory_agent"
"""The whole agent."""

MEMORY_VARIANTS: Mapping[str, str] = MappingProxyType(
    {
        "agent_without_core": "core",
        "agent_without_procedural": "procedural",
        "agent_without_semantic": "semantic",
        "agent_without_episodic": "episodic",
    }
)
"""Variants without one type of memory, in the order of PersonaVLM Table 8."""

PART_VARIANTS: Mapping[str, str] = MappingProxyType(
    {**MEMORY_VARIANTS, "agent_without_reasoning": "reasoning", "agent_without_pem": "PEM"}
)
"""Variants without one part. Without reasoning: one retrieval with the user's text, then the answer."""

EPISODE_VARIANTS: Mapping[str, int] = MappingProxyType({f"agent_episodes_{count}": count for count in range(1, 6)})
"""Variants by the number of episodic topics that a retrieval finds at most (PersonaVLM Fig. 13)."""

GRAPH_VARIANT = "agent_with_graph"
"""The agent whose retrievals bring threads of the memory graph too: beyond the paper."""


class PolicyDifference(Record):
    """How far one policy's accuracy is from another's on the same cases. Differences are in points (100 = all)."""

    KIND = "policy_difference"

    benchmark: str
    benchmark_version: str
    release_id: Identifier
    policy: Identifier
    policy_fingerprint: str
    against: Identifier
    against_fingerprint: str
    setting: str
    """``32k``, ``128k`` or ``all``."""
    aspect: str
    """An aspect or ``all``."""
    task: str
    """A task or ``all``."""
    value: float
    """Accuracy of ``policy``, 0..1."""
    against_value: float
    difference: float
    """``value`` minus ``against_value``, in points."""
    interval_low: float
    interval_high: float
    """Paired bootstrap 95 % interval over cases, in points."""
    questions: int
    cases: int
    gained: int
    """Questions that only ``policy`` answered rightly."""
    lost: int
    """Questions that only ``against`` answered rightly."""
    seed: int


class ComponentRank(Record):
    """How often taking a type of memory away costs most, among the types compared."""

    KIND = "component_rank"

    release_id: Identifier
    setting: str
    component: str
    policy: Identifier
    """The variant without it."""
    difference: float
    """In points, negative where it is missed."""
    largest_share: float
    """Share of the resamples in which no other type costs more, 0..1; types that cost the same share a resample."""
    seed: int


@dataclass(frozen=True)
class TopicPoint:
    """A point of PersonaVLM Fig. 13."""

    setting: str
    topics: int
    value: float
    """Accuracy, 0..1."""
    low: float
    high: float


def compare_policies(
    cases: Sequence[BenchmarkCase],
    predictions: Mapping[str, Sequence[Prediction]],
    *,
    against: str,
    seed: int,
    bootstrap_samples: int,
) -> list[PolicyDifference]:
    """Return the difference of every policy to ``against``: overall, by aspect, by task, over all and each setting.

    A question without a prediction is wrong, as in the scores.

    Args:
        cases: cases of one release.
        predictions: of each policy, by its name.
        against: name of the policy that the others are compared with.
        seed: seed of the intervals.
        bootstrap_samples: resamples behind an interval.

    Raises:
        ValueError: ``against`` has no predictions, no cases, or predictions that belong to other cases or policies.
    """
    right = _checked(cases, predictions, against)
    rows: list[PolicyDifference] = []
    groups = _groups(cases)
    for policy, own in right.items():
        if policy == against:
            continue
        for (setting, aspect, task), asked in groups.items():
            members = np.array([_counts(case_id, kinds, own, right[against]) for case_id, kinds in asked.items()])
            difference = estimate(
                members[:, :3],
                lambda sums: 100 * ratio(sums[:, 0] - sums[:, 1], sums[:, 2]),
                samples=bootstrap_samples,
                seed=Streams(seed).numpy_seed("paired", setting, aspect, task),
            )
            total = members.sum(axis=0)
            rows.append(
                PolicyDifference(
                    benchmark=BENCHMARK,
                    benchmark_version=BENCHMARK_VERSION,
                    release_id=cases[0].release_id,
                    policy=policy,
                    policy_fingerprint=predictions[policy][0].policy_fingerprint,
                    against=against,
                    against_fingerprint=predictions[against][0].policy_fingerprint,
                    setting=setting,
                    aspect=aspect,
                    task=task,
                    value=float(total[0] / total[2]),
                    against_value=float(total[1] / total[2]),
                    difference=difference.value,
                    interval_low=difference.low,
                    interval_high=difference.high,
                    questions=int(total[2]),
                    cases=len(asked),
                    gained=int(total[3]),
                    lost=int(total[4]),
                    seed=seed,
                )
            )
    return rows


def rank_memories(
    cases: Sequence[BenchmarkCase],
    predictions: Mapping[str, Sequence[Prediction]],
    *,
    seed: int,
    bootstrap_samples: int,
) -> list[ComponentRank]:
    """Say which memory matters most, by setting, the dearest first, and how sure that is.

    All variants are judged on the same resamples. Policies that are no variant without a type of memory are passed
    over; with fewer than two variants there is nothing to rank, and the list is empty.

    Args:
        cases: cases of one release.
        predictions: of the agent and its variants, by name.
        seed: seed of the resampling.
        bootstrap_samples: number of resamples.

    Raises:
        ValueError: the agent has no predictions, no cases, or predictions of other cases or policies.
    """
    right = _checked(cases, predictions, AGENT)
    variants = [name for name in MEMORY_VARIANTS if name in right]
    if len(variants) < 2:
        return []
    rows: list[ComponentRank] = []
    for (setting, aspect, _), asked in _groups(cases).items():
        if aspect != "all":
            continue
        hits = np.array(
            [[_right(case_id, kinds, right[name]) for name in (AGENT, *variants)] for case_id, kinds in asked.items()],
            dtype=np.float64,
        )  # (cases, 1 + variants)
        questions = sum(len(kinds) for kinds in asked.values())
        drawn = resampled_sums(hits, samples=bootstrap_samples, seed=Streams(seed).numpy_seed("rank", setting))
        largest = _largest_shares(drawn)
        total = hits.sum(axis=0)
        rows += sorted(
            (
                ComponentRank(
                    release_id=cases[0].release_id,
                    setting=setting,
                    component=MEMORY_VARIANTS[name],
                    policy=name,
                    difference=float(100 * (total[number + 1] - total[0]) / questions),
                    largest_share=float(largest[number]),
                    seed=seed,
                )
                for number, name in enumerate(variants)
            ),
            key=lambda row: (row.difference, row.policy),
        )
    return rows


def episodic_topics(scores: Sequence[Score]) -> list[TopicPoint]:
    """Return accuracy by number of episodic topics for each setting there is a score of (PersonaVLM Fig. 13)."""
    return sorted(
        (
            TopicPoint(
                score.setting, EPISODE_VARIANTS[score.policy], score.value, score.interval_low, score.interval_high
            )
            for score in scores
            if score.policy in EPISODE_VARIANTS and score.aspect == score.task == "all"
        ),
        key=lambda point: (setting_order(point.setting), point.topics),
    )


def setting_order(setting: str) -> int:
    """Return where a setting stands among others: over all of them first, then by length."""
    length = setting.removesuffix("k")
    return int(length) if length.isdigit() else 0


_Answers = Mapping[tuple[str, Question], bool]
_Asked = dict[str, list[Question]]


def _checked(
    cases: Sequence[BenchmarkCase], predictions: Mapping[str, Sequence[Prediction]], against: str
) -> dict[str, _Answers]:
    """Return whether each question was answered rightly, by policy, once sure that all belongs together."""
    if not cases:
        raise ValueError("a comparison needs cases")
    if not predictions.get(against):
        raise ValueError(f"a comparison with {against} needs its predictions")
    known = {(case.case_id, question) for case in cases for question in questions_of(case)}
    right: dict[str, _Answers] = {}
    for name, rows in predictions.items():
        if {row.policy for row in rows} != {name} or len({row.policy_fingerprint for row in rows}) != 1:
            raise ValueError(f"under {name} there are predictions of none, of another, or of several policies")
        own = {(row.case_id, row.question): row.correct for row in rows}
        if len(own) < len(rows) or not own.keys() <= known:
            raise ValueError(f"predictions of {name} answer a question twice, or one of other cases")
        right[name] = own
    return right


def _groups(cases: Sequence[BenchmarkCase]) -> dict[tuple[str, str, str], _Asked]:
    """Return the questions by case of every (setting, aspect, task), in the order of the scores."""
    found: collections.defaultdict[tuple[str, str, str], _Asked] = collections.defaultdict(dict)
    for case in cases:
        for question in questions_of(case):
            aspect, task = (case.aspect, case.task) if question == "choice" else ("Alignment", "PA")
            for setting in ("all", case.setting):
                for group in ((setting, "all", "all"), (setting, aspect, "all"), (setting, aspect, task)):
                    found[group].setdefault(case.case_id, []).append(question)
    return {group: found[group] for group in sorted(found, key=_order)}


def _order(group: tuple[str, str, str]) -> tuple[int, bool, bool, str, str]:
    setting, aspect, task = group
    return setting_order(setting), aspect != "all", task != "all", aspect, task


def _counts(case_id: str, kinds: Sequence[Question], own: _Answers, other: _Answers) -> tuple[int, int, int, int, int]:
    """Return right answers of both, questions, and those that only the one or only the other got."""
    pairs = [(own.get((case_id, kind), False), other.get((case_id, kind), False)) for kind in kinds]
    return (
        sum(one for one, _ in pairs),
        sum(two for _, two in pairs),
        len(pairs),
        sum(one and not two for one, two in pairs),
        sum(two and not one for one, two in pairs),
    )


def _right(case_id: str, kinds: Sequence[Question], answers: _Answers) -> int:
    return sum(answers.get((case_id, kind), False) for kind in kinds)


def _largest_shares(drawn: Numbers) -> Numbers:
    """Return how often each variant has the fewest right answers, (samples, 1 + variants) to (variants,)."""
    fewest = drawn[:, 1:] == drawn[:, 1:].min(axis=1, keepdims=True)  # (samples, variants)
    return np.asarray((fewest / fewest.sum(axis=1, keepdims=True)).mean(axis=0), dtype=np.float64)
