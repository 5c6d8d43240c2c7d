"""Runs of policies in a real MLflow database, and figures small enough for an asset's metadata."""

from __future__ import annotations

import base64
import dataclasses
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evaluation import reports
from evaluation.audit import AuditReport, audit, audit_page, best_of, blind_accuracies, stability, task_shapes
from evaluation.audit_persona_mme import PersonaMmeAudit, answers_of
from evaluation.persona_mme import BENCHMARK, score_predictions
from evaluation.reports import (
    INLINE_BYTES,
    audit_page_address,
    log_audit_run,
    log_policy_run,
    score_figure,
    score_figure_markdown,
)
from lifeloom.records import ASPECT_OF, BenchmarkCase, Prediction, Score, TaskName
from lifeloom.store import DatasetStore, DatasetWriter, Manifest, Recipe
from lifeloom.tracking import Tracker
from tests.evaluation.examples import case, prediction

# Three cases of 32k, one of 128k; one has a pair. Right: a's choice, a's chosen, b's choice, d's choice of 6 questions.
CASES = [
    case("case-a", task="SIR", pair=("Gladly!", "Noted.")),
    case("case-b", task="RR"),
    case("case-c", task="RR"),
    case("case-d", task="LGT", setting="128k"),
]
RELEASE = "2026-01-05"


def predictions(policy: str = "rag") -> list[Prediction]:
    a, b, c, d = CASES
    return [
        prediction(a, policy=policy, prompt_tokens=100),
        prediction(a, "alignment_chosen", policy=policy, prompt_tokens=20),
        prediction(a, "alignment_rejected", policy=policy, correct=False, prompt_tokens=20),
        prediction(b, policy=policy, prompt_tokens=100),
        prediction(c, policy=policy, failure="refusal", prompt_tokens=100),
        prediction(d, policy=policy, prompt_tokens=300),
    ]


def scores(cases: Sequence[BenchmarkCase], made: Sequence[Prediction]) -> list[Score]:
    return score_predictions(
        cases, made, backend="builtin", model="m-1", code_revision="abc", seed=7, bootstrap_samples=100
    )


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    return Tracker(tmp_path_factory.mktemp("mlflow"))


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    def make(writer: DatasetWriter) -> None:
        writer.write("cases", BenchmarkCase, CASES)

    store = DatasetStore(tmp_path_factory.mktemp("store"))
    return store.produce(f"release/persona_mme/{RELEASE}", Recipe(stage="cases", seed=7), make).manifest


def log(tracker: Tracker, manifest: Manifest, **changes: Any) -> str:
    own = scores(CASES, predictions())
    arguments: dict[str, Any] = {
        "policy": "rag",
        "release": RELEASE,
        "cases": CASES,
        "predictions": predictions(),
        "scores": own,
        "all_scores": own,
        "seconds": [0.1, 0.2, 0.3, 0.2],
        "costs": {"calls/usd": 0.25, "calls/made": 6.0},
        "dataset": manifest,
        "predictions_hash": "f" * 64,
        "parameters": {"window_tokens": 32768, "messages": 5},
        "tags": {"dagster.run_id": "run-1", "dagster.asset": "scores/persona_mme"},
        "bootstrap_samples": 200,
        "now_ms": 1_767_600_000_000,
        **changes,
    }
    return log_policy_run(tracker, **arguments)


@pytest.fixture(scope="module")
def run(tracker: Tracker, manifest: Manifest) -> Any:
    return tracker.client().get_run(log(tracker, manifest))


def test_a_run_has_the_policys_parameters(run: Any) -> None:
    assert run.info.status == "FINISHED"
    assert run.data.params == {
        "policy": "rag",
        "policy_fingerprint": "print of rag",
        "release": RELEASE,
        "backend": "builtin",
        "model": "m-1",
        "benchmark_version": "1",
        "code_revision": "abc",
        "seed": "7",
        "window_tokens": "32768",
        "messages": "5",
    }


def test_a_run_has_metrics_by_task_aspect_and_setting(run: Any) -> None:
    metrics = run.data.metrics
    assert metrics["accuracy/overall"] == pytest.approx(4 / 6)
    assert metrics["accuracy/overall_low"] <= 4 / 6 <= metrics["accuracy/overall_high"]
    assert (metrics["accuracy/SIR"], metrics["accuracy/RR"], metrics["accuracy/PA"]) == (1.0, 0.5, 0.5)
    assert metrics["accuracy/Relationship"] == 0.5
    assert metrics["accuracy/32k/overall"] == pytest.approx(3 / 5)
    assert metrics["accuracy/128k/LGT"] == 1.0
    assert (metrics["missing"], metrics["missing/32k"], metrics["missing/128k"]) == (1, 1, 0)
    assert (metrics["calls/usd"], metrics["calls/made"]) == (0.25, 6.0)
    assert metrics["prompt_tokens_per_case"] == (100 + 20 + 20 + 100 + 100 + 300) / 4
    assert metrics["seconds_per_case"] == pytest.approx(0.2)


def test_a_run_names_the_release_as_its_input(run: Any, manifest: Manifest) -> None:
    (given,) = run.inputs.dataset_inputs
    assert given.dataset.name == f"release/persona_mme/{RELEASE}"
    assert given.dataset.digest == manifest.content_hash[:16]
    assert json.loads(given.dataset.profile) == {"num_rows": 4}


def test_a_run_leads_back_to_the_dagster_run(run: Any) -> None:
    assert run.data.tags["dagster.run_id"] == "run-1"
    assert run.data.tags["dagster.asset"] == "scores/persona_mme"
    assert run.data.tags["lifeloom.release"] == RELEASE


def test_a_run_keeps_every_question_in_its_case_table(tracker: Tracker, run: Any, tmp_path: Path) -> None:
    path = tracker.client().download_artifacts(run.info.run_id, "cases.json", str(tmp_path))
    table = json.loads(Path(path).read_text())
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["data"]]
    assert [(row["case"], row["task"], row["expected"], row["answer"], row["correct"]) for row in rows] == [
        ("case-a", "SIR", "a", "a", True),
        ("case-a", "PA", "yes", "yes", True),
        ("case-a", "PA", "no", "unclear", False),
        ("case-b", "RR", "a", "a", True),
        ("case-c", "RR", "a", "", False),
        ("case-d", "LGT", "a", "a", True),
    ]
    assert rows[1]["question"] == "What do I drink? → Gladly!"
    assert rows[4]["failure"] == "refusal"
    assert rows[0]["options"].startswith("(a) mint tea / (b) pale ale")


def test_a_run_has_a_figure_for_all_settings_and_for_each(tracker: Tracker, run: Any, tmp_path: Path) -> None:
    names = {artifact.path for artifact in tracker.client().list_artifacts(run.info.run_id)}
    assert names == {"cases.json", "accuracy.png", "accuracy_32k.png", "accuracy_128k.png"}
    picture = Image.open(tracker.client().download_artifacts(run.info.run_id, "accuracy.png", str(tmp_path)))
    assert picture.width > picture.height > 100


def test_the_same_predictions_are_one_run_others_are_another(tracker: Tracker, manifest: Manifest, run: Any) -> None:
    assert log(tracker, manifest, now_ms=1_767_700_000_000) == run.info.run_id
    others = {
        log(tracker, manifest, predictions_hash="0" * 64),
        log(tracker, manifest, bootstrap_samples=400),  # other intervals
    }
    assert len(others - {run.info.run_id}) == 2
    experiment = tracker.client().get_experiment_by_name(BENCHMARK)
    assert experiment is not None
    assert len(tracker.client().search_runs([experiment.experiment_id])) == 3


def test_a_run_that_breaks_ends_failed_and_is_made_again(
    tmp_path: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_ink(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("no ink")

    tracker = Tracker(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(reports, "score_figure", no_ink)
        with pytest.raises(RuntimeError, match="no ink"):
            log(tracker, manifest)
    made = log(tracker, manifest)
    experiment = tracker.client().get_experiment_by_name(BENCHMARK)
    assert experiment is not None
    states = {run.info.run_id: run.info.status for run in tracker.client().search_runs([experiment.experiment_id])}
    assert sorted(states.values()) == ["FAILED", "FINISHED"]
    assert states[made] == "FINISHED"


def test_nothing_to_log_is_an_error_before_a_run_is_opened(tmp_path: Path, manifest: Manifest) -> None:
    tracker = Tracker(tmp_path)
    with pytest.raises(ValueError, match="rag has no scores or predictions"):
        log(tracker, manifest, predictions=[])
    assert tracker.client().get_experiment_by_name(BENCHMARK) is None


def full_size() -> list[Score]:
    """Scores of three policies and four attackers, over thirteen tasks, pairs and two settings."""
    tasks: list[TaskName] = [task for task in ASPECT_OF if task != "PA"]
    cases = [
        case(
            f"case-{n}",
            task=tasks[n % len(tasks)],
            setting="32k" if n % 3 else "128k",
            pair=("Gladly!", "Noted.") if n % 5 == 0 else None,
        )
        for n in range(210)
    ]
    found: list[Score] = []
    blind: list[Score] = []
    for number, policy in enumerate(("full_context", "rag", "blind_longest", "blind_outlier", "blind_letter")):
        made = [prediction(item, correct=n % (number + 2) == 0, policy=policy) for n, item in enumerate(cases)]
        (blind if policy.startswith("blind_") else found).extend(scores(cases, made))
    return [*best_of(blind), *blind, *found]


def test_the_figure_of_a_full_release_is_inlined_within_the_limit() -> None:
    markdown = score_figure_markdown(full_size())
    assert len(markdown.encode()) <= INLINE_BYTES == 30_000
    data = markdown.removeprefix("![accuracy by task and policy](data:image/png;base64,").removesuffix(")")
    picture = Image.open(io.BytesIO(base64.b64decode(data)))
    assert picture.format == "PNG"
    assert picture.width >= 450  # 50 dots an inch: still readable


def test_the_figure_shows_the_best_blind_policy_and_no_single_attacker() -> None:
    (axes,) = score_figure(full_size()).axes
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["blind", "full_context", "rag"]
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        "BPR", "EII", "GNS", "IEA", "IIR", "IPR", "LGT", "LPR", "PA", "RDC", "RR", "SIR", "TED", "VDR", "all",
    ]  # fmt: skip


def test_bounds_that_miss_their_value_by_a_rounding_are_drawn() -> None:
    (row, *rest) = scores(CASES, predictions())
    score_figure(
        [row.model_copy(update={"interval_low": row.value + 1e-16, "interval_high": row.value - 1e-16}), *rest]
    )


def test_nothing_to_draw_is_a_clear_error() -> None:
    with pytest.raises(ValueError, match="no scores of setting '1m'"):
        score_figure(full_size(), setting="1m")
    with pytest.raises(ValueError, match="to draw"):
        score_figure([score for score in full_size() if score.policy == "blind_longest"])


def audit_report() -> AuditReport:
    adapter = PersonaMmeAudit()
    questions = [question for item in CASES for question in adapter.questions(item)]
    answers = answers_of(
        [
            prediction(item, question.kind, correct=item.task == "RR", policy="blind_longest")  # type: ignore[arg-type]
            for item in CASES
            for question in adapter.questions(item)
        ]
    )
    return AuditReport(
        BENCHMARK,
        RELEASE,
        audit(RELEASE, questions, answers, margin=0.05, minimum_cases=400),
        blind_accuracies(RELEASE, questions, answers),
        task_shapes(RELEASE, adapter.reference(CASES).choices),
        [stability(RELEASE, "ids_shuffled", answers[:1], answers[:1])],
    )


def logged_audit(tracker: Tracker, manifest: Manifest, report: AuditReport) -> str:
    return log_audit_run(
        tracker,
        report,
        costs={"calls/made": 40.0},
        dataset=manifest,
        parameters={"margin": 0.05},
        tags={"dagster.run_id": "run-1"},
        now_ms=1_767_600_000_000,
    )


def test_an_audit_is_a_run_of_its_own_with_its_page(tmp_path: Path, manifest: Manifest) -> None:
    tracker = Tracker(tmp_path / "mlflow")
    run_id = logged_audit(tracker, manifest, audit_report())
    found = tracker.client().get_run(run_id)
    assert (found.info.run_name, found.info.status) == (f"audit {RELEASE}", "FINISHED")
    assert found.data.tags["lifeloom.verdict"] == "inconclusive"
    assert found.data.tags["lifeloom.stability"] == "passed"
    assert found.data.params == {"release": RELEASE, "minimum_cases": "400", "margin": "0.05"}
    assert found.data.metrics["blind/blind_longest/RR"] == 1.0
    assert found.data.metrics["blind/blind_longest/overall"] == pytest.approx(2 / 6)
    assert found.data.metrics["calls/made"] == 40.0
    assert found.data.metrics["perturbed/ids_shuffled/difference"] == 0.0
    page = Path(tracker.client().download_artifacts(run_id, "audit.html", str(tmp_path))).read_text()
    assert page == audit_page(audit_report())
    address = audit_page_address(tracker, run_id, "http://127.0.0.1:5000")
    assert address.endswith(f"/runs/{run_id}/artifacts/audit.html")


def test_the_same_audit_is_one_run_another_is_another(tmp_path: Path, manifest: Manifest) -> None:
    tracker = Tracker(tmp_path / "mlflow")
    first = logged_audit(tracker, manifest, audit_report())
    assert logged_audit(tracker, manifest, audit_report()) == first
    assert logged_audit(tracker, manifest, dataclasses.replace(audit_report(), notes=["Said twice."])) != first


def test_an_audit_without_verdicts_opens_no_run(tmp_path: Path, manifest: Manifest) -> None:
    tracker = Tracker(tmp_path / "mlflow")
    with pytest.raises(ValueError, match="needs verdicts"):
        logged_audit(tracker, manifest, dataclasses.replace(audit_report(), rows=[]))
    assert tracker.client().get_experiment_by_name(BENCHMARK) is None
