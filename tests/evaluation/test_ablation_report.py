"""The whole report of a release."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from evaluation.ablation_report import (
    AblationReport,
    ablation_page,
    make_ablation_report,
)
from evaluation.ablations import AGENT, GRAPH_VARIANT, PolicyDifference
from evaluation.efficiency import BASELINE, Efficiency
from evaluation.memory_counting import CountingScore
from lifeloom.store import DatasetStore, DatasetWriter, Recipe
from tests.evaluation.agents import CASES, PREDICTIONS, RELEASE, SCORES, TIMINGS, WRONG, scores_of


@pytest.fixture(scope="module")
def report() -> AblationReport:
    return make_ablation_report(CASES, PREDICTIONS, TIMINGS, SCORES, seed=7, bootstrap_samples=100)


def test_variants_are_compared_with_the_agent_and_the_agent_with_full_context(report: AblationReport) -> None:
    def overall(rows: tuple[PolicyDifference, ...]) -> dict[str, float]:
        return {row.policy: row.difference for row in rows if row.setting == row.aspect == row.task == "all"}

    one = pytest.approx(100 / 6)
    assert overall(report.to_full_context) == {AGENT: one, "rag": pytest.approx(-200 / 6)}
    assert overall(report.to_one_topic) == {"agent_episodes_2": one}
    assert overall(report.to_agent) == {
        "agent_without_core": pytest.approx(-100 / 6),
        "agent_without_episodic": pytest.approx(-200 / 6),
        "agent_without_reasoning": pytest.approx(-100 / 6),
        "agent_episodes_1": pytest.approx(-100 / 6),
        "agent_episodes_2": 0,
    }
    assert [row.component for row in report.ranks if row.setting == "all"] == ["episodic", "core"]
    assert len(report.differences) == len(report.to_agent) + len(report.to_full_context) + len(report.to_one_topic)


def test_tokens_stand_beside_full_context_and_beside_no_reasoning(report: AblationReport) -> None:
    found = {(row.policy, row.against): row for row in report.efficiency if row.setting == "all"}
    assert found[AGENT, BASELINE].fewer_tokens == pytest.approx(94.0)
    assert found[AGENT, "agent_without_reasoning"].fewer_tokens == pytest.approx(-50.0)
    assert found[AGENT, BASELINE].speed == pytest.approx(2.0)
    assert len(report.efficiency) == 3 * (len(WRONG) + 1)


def test_rows_are_kept_as_records(report: AblationReport, tmp_path: Path) -> None:
    def make(writer: DatasetWriter) -> None:
        writer.write("differences", PolicyDifference, report.differences)
        writer.write("efficiency", Efficiency, report.efficiency)

    store = DatasetStore(tmp_path)
    store.produce("scores/ablations/2026-01-05", Recipe(stage="ablations", seed=7), make)
    assert tuple(store.read("scores/ablations/2026-01-05", "differences", PolicyDifference)) == report.differences
    assert tuple(store.read("scores/ablations/2026-01-05", "efficiency", Efficiency)) == report.efficiency


def test_a_page_has_a_table_for_each_of_the_papers(report: AblationReport) -> None:
    page = ablation_page(report)
    assert list(page.tables) == [
        "accuracy by aspect, all",
        "accuracy by aspect, 32k",
        "accuracy by aspect, 128k",
        "accuracy by task",
        "points above memory_agent, all",
        "points above memory_agent, 32k",
        "points above memory_agent, 128k",
        "which memory matters most",
        "episodic topics",
        "tokens and seconds a request",
        "beside the paper, 32k",
        "beside the paper, 128k",
    ]
    assert max(table.count("\n") for table in page.tables.values()) <= 21
    assert list(page.figures) == ["what each part is worth", "accuracy by episodic topics"]
    text = page.text()
    assert text.startswith(f"# The memory agent and its ablations, persona_mme {RELEASE}\n")
    assert "## tokens and seconds a request\n\n| setting |" in text
    assert page.metrics["agent_without_episodic/difference/overall"] == pytest.approx(-200 / 6)
    assert page.metrics["matters_most/all/episodic"] > 0.5


def test_the_agent_alone_makes_a_report_too() -> None:
    alone = make_ablation_report(
        CASES, {AGENT: PREDICTIONS[AGENT]}, {}, scores_of(AGENT), seed=7, bootstrap_samples=100
    )
    page = ablation_page(alone)
    assert (alone.differences, page.figures) == ((), {})
    assert "points above memory_agent, all" not in page.tables


def test_a_report_without_the_agent_is_refused() -> None:
    with pytest.raises(ValueError, match="needs its predictions"):
        make_ablation_report(CASES, {"rag": PREDICTIONS["rag"]}, {}, [], seed=7, bootstrap_samples=100)


def test_the_graph_of_memories_has_a_table_of_its_own() -> None:
    changed = {
        AGENT: PREDICTIONS[AGENT],
        GRAPH_VARIANT: [row.model_copy(update={"policy": GRAPH_VARIANT}) for row in PREDICTIONS["agent_without_core"]],
    }
    counting = [
        CountingScore(AGENT, "all", 4, 0.25, 0.0, 0.5, 900.0, 0.02),
        CountingScore(GRAPH_VARIANT, "all", 4, 0.75, 0.5, 1.0, 1200.0, 0.03),
    ]
    timings = {
        AGENT: TIMINGS[AGENT],
        GRAPH_VARIANT: [row.model_copy(update={"policy": GRAPH_VARIANT}) for row in TIMINGS[AGENT]],
    }
    made = make_ablation_report(CASES, changed, timings, scores_of(AGENT), seed=7, bootstrap_samples=100)
    page = ablation_page(dataclasses.replace(made, counting=tuple(counting)))
    table = page.tables["with and without the graph"]
    assert "| RR, % | 2 | 100.0 | 100.0 | +0.0 [+0.0, +0.0] |" in table
    assert "| all, % | 6 | 100.0 | 83.3 | -16.7" in table
    assert "SIR" not in table
    assert "| tokens a request | 6 | " in table
    assert "| seconds a request |" in table
    assert (
        "| agent_with_graph | - | - | - | 75.0 [50, 100] of 4 | 1,200 | 0.030 |"
        in (page.tables["counting, with and without the graph"])
    )
    assert page.metrics["counting/agent_with_graph/all"] == 0.75
    assert page.metrics["agent_with_graph/difference/overall"] == pytest.approx(-100 / 6)
    assert [row.component for row in made.ranks] == []
