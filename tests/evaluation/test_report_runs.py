"""Runs of the memory agent's evaluation in a real MLflow database."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from evaluation.ablation_report import (
    AblationReport,
    PolicyRunData,
    ablation_page,
    log_ablation_runs,
    make_ablation_report,
)
from evaluation.ablations import AGENT
from evaluation.persona_mme import BENCHMARK
from evaluation.personality_report import make_personality_report, personality_page
from evaluation.report_runs import log_report_run
from evaluation.reports import log_policy_run
from lifeloom.records import BenchmarkCase
from lifeloom.store import DatasetStore, DatasetWriter, Manifest, Recipe
from lifeloom.tracking import Tracker
from tests.evaluation.agents import CASES, PREDICTIONS, RELEASE, SCORES, TIMINGS, scores_of
from tests.evaluation.personalities import PLANS, perfect

NOW = 1_767_600_000_000


@pytest.fixture(scope="module")
def report() -> AblationReport:
    return make_ablation_report(CASES, PREDICTIONS, TIMINGS, SCORES, seed=7, bootstrap_samples=100)


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    return Tracker(tmp_path_factory.mktemp("mlflow"))


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    def make(writer: DatasetWriter) -> None:
        writer.write("cases", BenchmarkCase, CASES)

    store = DatasetStore(tmp_path_factory.mktemp("store"))
    return store.produce(f"release/persona_mme/{RELEASE}", Recipe(stage="cases", seed=7), make).manifest


def log_all(tracker: Tracker, manifest: Manifest, report: AblationReport, hashed: str = "hash of") -> dict[str, str]:
    return log_ablation_runs(
        tracker,
        report,
        cases=CASES,
        predictions=PREDICTIONS,
        timings=TIMINGS,
        runs={
            name: PolicyRunData(predictions_hash=f"{hashed} {name}", parameters={"steps": 4}, costs={"calls/usd": 0.5})
            for name in (AGENT, "agent_without_core", "agent_episodes_1")
        },
        dataset=manifest,
        tags={"dagster.run_id": "run-1"},
        bootstrap_samples=100,
        now_ms=NOW,
    )


def test_each_variant_has_one_run_with_the_metric_names_of_every_policy(
    tracker: Tracker, manifest: Manifest, report: AblationReport
) -> None:
    baseline = log_policy_run(
        tracker, policy="rag", release=RELEASE, cases=CASES, predictions=PREDICTIONS["rag"], scores=scores_of("rag"),
        all_scores=scores_of("rag"), seconds=[1.0] * 4, costs={"calls/usd": 0.1}, dataset=manifest,
        predictions_hash="hash of rag", parameters={}, tags={}, bootstrap_samples=100, now_ms=NOW,
    )  # fmt: skip
    runs = log_all(tracker, manifest, report)
    assert list(runs) == [AGENT, "agent_without_core", "agent_episodes_1"]
    assert len({*runs.values(), baseline}) == 4
    data = {name: tracker.client().get_run(run_id).data for name, run_id in runs.items()}
    common = set(tracker.client().get_run(baseline).data.metrics)
    assert all(common <= set(own.metrics) for own in data.values())
    core = data["agent_without_core"]
    assert core.metrics["accuracy/overall"] == pytest.approx(5 / 6)
    assert core.metrics["difference/overall"] == pytest.approx(-100 / 6)
    assert core.metrics["difference/32k/overall"] == pytest.approx(-25)
    assert core.metrics["difference/32k/Memory"] == -100
    assert core.metrics["percent_fewer_tokens/128k"] == pytest.approx(94.0)
    assert core.metrics["tokens_per_request"] == 600
    assert core.metrics["times_as_fast"] == pytest.approx(2.0)
    assert (core.params["policy"], core.params["steps"]) == ("agent_without_core", "4")
    assert log_all(tracker, manifest, report) == runs


def test_the_agents_run_of_the_benchmark_is_kept(tracker: Tracker, manifest: Manifest, report: AblationReport) -> None:
    first = log_policy_run(
        tracker, policy=AGENT, release=RELEASE, cases=CASES, predictions=PREDICTIONS[AGENT], scores=scores_of(AGENT),
        all_scores=SCORES, seconds=[], costs={}, dataset=manifest, predictions_hash=f"other {AGENT}", parameters={},
        tags={}, bootstrap_samples=100, now_ms=NOW,
    )  # fmt: skip
    assert log_all(tracker, manifest, report, "other")[AGENT] == first


def test_a_variant_has_another_run_when_what_it_is_compared_with_has_changed(
    tracker: Tracker, manifest: Manifest, report: AblationReport
) -> None:
    moved = tuple(row.model_copy(update={"difference": row.difference + 1}) for row in report.to_agent)
    before, after = (log_all(tracker, manifest, one) for one in (report, dataclasses.replace(report, to_agent=moved)))
    assert before[AGENT] == after[AGENT]
    assert before["agent_without_core"] != after["agent_without_core"]


def test_the_report_is_a_run_of_its_own(
    tracker: Tracker, manifest: Manifest, report: AblationReport, tmp_path: Path
) -> None:
    def log() -> str:
        return log_report_run(
            tracker, ablation_page(report), experiment=BENCHMARK, kind="ablations", release=RELEASE, dataset=manifest,
            table="cases", parameters={"seed": 7}, tags={"dagster.run_id": "run-1"}, now_ms=NOW,
        )  # fmt: skip

    run_id = log()
    assert log() == run_id
    run: Any = tracker.client().get_run(run_id)
    assert run.info.run_name == f"ablations {RELEASE}"
    assert run.data.params == {"release": RELEASE, "seed": "7"}
    assert run.inputs.dataset_inputs[0].dataset.name == f"release/persona_mme/{RELEASE}"
    names = {artifact.path for artifact in tracker.client().list_artifacts(run_id)}
    assert names == {"ablations.md", "what_each_part_is_worth.png", "accuracy_by_episodic_topics.png"}
    page = Path(tracker.client().download_artifacts(run_id, "ablations.md", str(tmp_path))).read_text()
    assert "## beside the paper, 32k" in page


def test_a_page_becomes_a_run_with_errors_as_a_curve_over_turns(tracker: Tracker, manifest: Manifest) -> None:
    points = {one.persona_id: perfect(one) for one in PLANS}
    report = make_personality_report(PLANS, points, seed=7, bootstrap_samples=100)
    run_id = log_report_run(
        tracker, personality_page(report, "How well personality is read"), experiment=BENCHMARK, kind="personality",
        release=RELEASE, dataset=manifest, table="cases", parameters={}, tags={}, now_ms=NOW,
    )  # fmt: skip
    client = tracker.client()
    history = client.get_metric_history(run_id, "personality/error_by_turn")
    assert [(metric.step, metric.value) for metric in history] == [(row.first_turn, row.error) for row in report.errors]
    metrics = client.get_run(run_id).data.metrics
    assert metrics["personality/median_lag_turns"] == 2
    assert (metrics["personality/shifted_traits"], metrics["personality/never_followed"]) == (12, 0)
    assert metrics["personality/profile/all/direction"] == 1
    names = {artifact.path for artifact in client.list_artifacts(run_id)}
    assert names == {"personality.md", "personality_over_time.png", "personality_error_by_turn.png"}
