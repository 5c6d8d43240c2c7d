"""Differences of policies on the same cases, and which memory matters most."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.ablations import (
    AGENT,
    EPISODE_VARIANTS,
    GRAPH_VARIANT,
    MEMORY_VARIANTS,
    PART_VARIANTS,
    PolicyDifference,
    compare_policies,
    episodic_topics,
    rank_memories,
    setting_order,
)
from evaluation.persona_mme import questions_of, score_predictions
from lifeloom.records import BenchmarkCase, Prediction
from resources.profile import ScoringSettings
from tests.evaluation.examples import case, prediction

# 32k: a (with a pair), b. 128k: c, d. Six questions.
CASES = [
    case("case-a", task="SIR", pair=("Gladly!", "Noted.")),
    case("case-b", task="RR"),
    case("case-c", task="RR", setting="128k"),
    case("case-d", task="LGT", setting="128k"),
]


def answered(
    policy: str, wrong: Sequence[tuple[str, str]] = (), cases: Sequence[BenchmarkCase] = CASES
) -> list[Prediction]:
    return [
        prediction(one, question, policy=policy, correct=(one.case_id, question) not in wrong)
        for one in cases
        for question in questions_of(one)
    ]


AGENTS = answered(AGENT, [("case-d", "choice")])  # 5 of 6
WITHOUT = answered(
    "agent_without_core", [("case-a", "alignment_rejected"), ("case-b", "choice"), ("case-c", "choice")]
)  # 3 of 6: gains d, loses a's rejected, b, c


def rows(**changes: Sequence[Prediction]) -> list[PolicyDifference]:
    predictions = {AGENT: AGENTS, "agent_without_core": WITHOUT, **changes}
    return compare_policies(CASES, predictions, against=AGENT, seed=7, bootstrap_samples=200)


def test_overall_it_is_the_difference_of_micro_accuracies_in_points() -> None:
    overall = rows()[0]
    assert (overall.setting, overall.aspect, overall.task) == ("all", "all", "all")
    assert (overall.value, overall.against_value) == (3 / 6, 5 / 6)
    assert overall.difference == pytest.approx(-100 * 2 / 6)
    assert (overall.gained, overall.lost, overall.questions, overall.cases) == (1, 3, 6, 4)
    assert overall.interval_low <= overall.difference <= overall.interval_high
    assert (overall.policy_fingerprint, overall.against_fingerprint) == (
        "print of agent_without_core",
        "print of memory_agent",
    )


def test_every_setting_aspect_and_task_has_a_row_of_its_own_questions() -> None:
    found = {(row.setting, row.aspect, row.task): row for row in rows()}
    assert found["32k", "all", "all"].difference == pytest.approx(-100 * 2 / 4)
    assert found["128k", "all", "all"].difference == 0
    assert (found["128k", "all", "all"].gained, found["128k", "all", "all"].lost) == (1, 1)
    assert found["all", "Alignment", "all"].difference == pytest.approx(-50)
    assert found["all", "Alignment", "PA"].questions == 2
    assert found["all", "Memory", "SIR"].difference == 0
    assert found["all", "Relationship", "RR"].difference == -100
    assert found["128k", "Behavior", "LGT"].difference == 100
    assert ("128k", "Alignment", "PA") not in found


def test_rows_come_over_all_settings_first_then_by_length() -> None:
    assert list(dict.fromkeys(row.setting for row in rows())) == ["all", "32k", "128k"]
    assert sorted(["128k", "all", "32k"], key=setting_order) == ["all", "32k", "128k"]


def test_the_differences_are_those_of_the_scores() -> None:
    def value(predictions: Sequence[Prediction], setting: str, aspect: str, task: str) -> float:
        scores = score_predictions(
            CASES, predictions, backend="b", model="m", code_revision="r", seed=7, bootstrap_samples=100
        )
        return next(s.value for s in scores if (s.setting, s.aspect, s.task) == (setting, aspect, task))

    for row in rows():
        group = (row.setting, row.aspect, row.task)
        assert row.value == value(WITHOUT, *group)
        assert row.against_value == value(AGENTS, *group)


def test_the_same_answers_differ_by_nothing_for_sure() -> None:
    same = rows(agent_without_core=answered("agent_without_core", [("case-d", "choice")]))
    assert {(row.difference, row.interval_low, row.interval_high) for row in same} == {(0.0, 0.0, 0.0)}


def test_the_questions_of_a_case_move_together() -> None:
    # Thirty cases; the variant loses all three questions of every third one: the interval is that of the ten cases.
    cases = [case(f"case-{n}", pair=("Gladly!", "Noted.")) for n in range(30)]
    wrong = [(one.case_id, question) for one in cases[::3] for question in questions_of(one)]
    predictions = {
        AGENT: answered(AGENT, cases=cases),
        "agent_without_core": answered("agent_without_core", wrong, cases),
    }
    (overall, *_) = compare_policies(cases, predictions, against=AGENT, seed=7, bootstrap_samples=4000)
    assert overall.difference == pytest.approx(-100 / 3)
    half = 100 * 1.96 * (1 / 3 * 2 / 3 / 30) ** 0.5  # of a share of 30 cases, not of 90 questions
    assert overall.interval_high - overall.interval_low == pytest.approx(2 * half, rel=0.15)


def test_a_question_without_a_prediction_is_wrong() -> None:
    assert rows(agent_without_core=WITHOUT[:1])[0].value == 1 / 6


def test_intervals_follow_from_the_seed() -> None:
    assert rows() == rows()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({AGENT: []}, "needs its predictions"),
        ({"rag": AGENTS}, "none, of another"),
        ({"rag": [*answered("rag"), *answered("rag")]}, "twice"),
        ({"rag": answered("rag", cases=[case("case-z")])}, "other cases"),
    ],
)
def test_predictions_that_do_not_belong_together_are_refused(changes: dict[str, list[Prediction]], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        rows(**changes)


def test_a_comparison_needs_cases() -> None:
    with pytest.raises(ValueError, match="needs cases"):
        compare_policies([], {AGENT: AGENTS}, against=AGENT, seed=7, bootstrap_samples=100)


def test_the_memory_whose_loss_costs_most_comes_first() -> None:
    cases = [case(f"case-{n}") for n in range(40)]
    wrong = {"agent_without_core": 1, "agent_without_semantic": 2, "agent_without_episodic": 24}
    predictions = {
        AGENT: answered(AGENT, cases=cases),
        **{name: answered(name, [(c.case_id, "choice") for c in cases[:n]], cases) for name, n in wrong.items()},
        "agent_without_reasoning": answered("agent_without_reasoning", [(c.case_id, "choice") for c in cases], cases),
    }
    ranks = rank_memories(cases, predictions, seed=7, bootstrap_samples=300)
    overall = [row for row in ranks if row.setting == "all"]
    assert [row.component for row in overall] == ["episodic", "semantic", "core"]  # reasoning is no memory
    assert [row.difference for row in overall] == pytest.approx([-60, -5, -2.5])
    assert overall[0].largest_share == 1.0
    assert [row.setting for row in ranks] == ["all"] * 3 + ["32k"] * 3


def test_memories_that_cost_the_same_share_the_resamples() -> None:
    cases = [case(f"case-{n}") for n in range(10)]
    wrong = [("case-0", "choice")]
    predictions = {
        AGENT: answered(AGENT, cases=cases),
        **{name: answered(name, wrong, cases) for name in MEMORY_VARIANTS},
    }
    ranks = rank_memories(cases, predictions, seed=7, bootstrap_samples=100)
    assert {row.largest_share for row in ranks} == {0.25}


def test_one_variant_is_not_ranked() -> None:
    predictions = {AGENT: AGENTS, "agent_without_core": WITHOUT}
    assert rank_memories(CASES, predictions, seed=7, bootstrap_samples=100) == []


def test_topics_are_read_off_the_overall_scores_of_the_variants() -> None:
    scores = [
        score
        for name, wrong in (
            (AGENT, ()),
            ("agent_episodes_2", (("case-b", "choice"),)),
            ("agent_episodes_1", (("case-b", "choice"), ("case-c", "choice"))),
        )
        for score in score_predictions(
            CASES, answered(name, wrong), backend="b", model="m", code_revision="r", seed=7, bootstrap_samples=100
        )
    ]
    points = episodic_topics(scores)
    assert [(p.setting, p.topics) for p in points] == [
        ("all", 1),
        ("all", 2),
        ("32k", 1),
        ("32k", 2),
        ("128k", 1),
        ("128k", 2),
    ]
    assert [p.value for p in points] == pytest.approx([4 / 6, 5 / 6, 3 / 4, 3 / 4, 1 / 2, 1])


def test_the_variants_are_those_that_a_profile_can_name() -> None:
    named = set(ScoringSettings().ablations)
    assert named == {AGENT, *PART_VARIANTS, *EPISODE_VARIANTS, GRAPH_VARIANT}
    assert set(MEMORY_VARIANTS) < set(PART_VARIANTS)
