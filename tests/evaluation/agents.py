"""A small release answered by the agent, its variants and the baselines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluation.ablations import AGENT, PolicyDifference
from evaluation.efficiency import BASELINE
from evaluation.persona_mme import CaseTiming, questions_of, score_predictions
from lifeloom.records import Prediction, Score
from tests.evaluation.examples import case, prediction

RELEASE = "2026-01-05"
CASES = [
    case("case-a", task="SIR", pair=("Gladly!", "Noted.")),
    case("case-b", task="RR"),
    case("case-c", task="RR", setting="128k"),
    case("case-d", task="LGT", setting="128k"),
]
WRONG: Mapping[str, tuple[str, ...]] = {
    BASELINE: ("case-d",),
    "rag": ("case-b", "case-c", "case-d"),
    AGENT: (),
    "agent_without_core": ("case-a",),
    "agent_without_episodic": ("case-b", "case-c"),
    "agent_without_reasoning": ("case-d",),
    "agent_episodes_1": ("case-b",),
    "agent_episodes_2": (),
}
TOKENS = {BASELINE: 10_000, "rag": 500, "agent_without_reasoning": 400}


def answered(policy: str) -> list[Prediction]:
    return [
        prediction(
            one,
            question,
            policy=policy,
            correct=question != "choice" or one.case_id not in WRONG[policy],
            prompt_tokens=TOKENS.get(policy, 600),
        )
        for one in CASES
        for question in questions_of(one)
    ]


PREDICTIONS = {policy: answered(policy) for policy in WRONG}
TIMINGS = {
    policy: [
        CaseTiming(case_id=one.case_id, policy=policy, seconds=2.0 if policy == BASELINE else 1.0) for one in CASES
    ]
    for policy in WRONG
}


def scores_of(policy: str) -> list[Score]:
    return score_predictions(
        CASES, PREDICTIONS[policy], backend="builtin", model="m-1", code_revision="abc", seed=7, bootstrap_samples=100
    )


SCORES = [score for policy in WRONG for score in scores_of(policy)]


def difference(policy: str, setting: str, points: float, low: float, high: float, **changes: Any) -> PolicyDifference:
    values: dict[str, Any] = {
        "benchmark": "persona_mme",
        "benchmark_version": "1",
        "release_id": "2026-01-05",
        "policy": policy,
        "policy_fingerprint": "p",
        "against": AGENT,
        "against_fingerprint": "a",
        "setting": setting,
        "aspect": "all",
        "task": "all",
        "value": 0.5,
        "against_value": 0.5 - points / 100,
        "difference": points,
        "interval_low": low,
        "interval_high": high,
        "questions": 100,
        "cases": 80,
        "gained": 0,
        "lost": 0,
        "seed": 7,
        **changes,
    }
    return PolicyDifference(**values)
