"""MLflow runs on a real database: what is logged can be read back, and every run ends."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lifeloom.tracking import DatasetInput, Tracker, TrackerUnavailable


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    return Tracker(tmp_path_factory.mktemp("mlflow"))


def test_a_run_keeps_parameters_metrics_dataset_table_and_figure(tracker: Tracker) -> None:
    from matplotlib.figure import Figure

    with tracker.run("persona_mme", "rag 2026-01-05", {"lifeloom.release": "2026-01-05"}) as run:
        run.parameters({"policy": "rag", "messages": 5})
        run.metrics({"accuracy/all": 0.5}, timestamp_ms=1_700_000_000_000)
        run.dataset(DatasetInput("release/persona_mme", "abcd1234", "release/persona_mme/2026-01-05", 96))
        run.table([{"case": "a", "correct": True}, {"case": "b", "correct": False}], "cases.json")
        figure = Figure()
        figure.subplots().bar([0, 1], [1, 2])
        run.figure(figure, "accuracy.png")
        run.text("<p>hello</p>", "page.html")
    stored = tracker.client().get_run(run.run_id)
    assert stored.info.status == "FINISHED"
    assert stored.data.params == {"policy": "rag", "messages": "5"}
    assert stored.data.metrics == {"accuracy/all": 0.5}
    assert stored.data.tags["lifeloom.release"] == "2026-01-05"
    (dataset,) = stored.inputs.dataset_inputs
    assert (dataset.dataset.name, dataset.dataset.digest) == ("release/persona_mme", "abcd1234")
    names = {artifact.path for artifact in tracker.client().list_artifacts(run.run_id)}
    assert {"cases.json", "accuracy.png", "page.html"} <= names


def test_a_run_whose_body_fails_is_marked_failed_and_the_error_goes_on(tracker: Tracker) -> None:
    with pytest.raises(RuntimeError, match="boom"), tracker.run("persona_mme", "x", {}) as run:
        raise RuntimeError("boom")
    assert tracker.client().get_run(run.run_id).info.status == "FAILED"


def test_an_interrupted_run_is_marked_killed(tracker: Tracker) -> None:
    with pytest.raises(KeyboardInterrupt), tracker.run("persona_mme", "x", {}) as run:
        raise KeyboardInterrupt
    assert tracker.client().get_run(run.run_id).info.status == "KILLED"


def test_a_run_whose_process_was_killed_is_closed_by_the_next_one(tracker: Tracker) -> None:
    program = (
        "import os, signal, sys; from pathlib import Path; from lifeloom.tracking import Tracker\n"
        "with Tracker(Path(sys.argv[1])).run('persona_mme', 'x', {}) as run:\n"
        "    print(run.run_id, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run(
        [sys.executable, "-c", program, str(tracker.folder)], capture_output=True, text=True, check=False
    ).stdout.strip()
    assert tracker.client().get_run(killed).info.status == "RUNNING"
    with tracker.run("persona_mme", "y", {}):
        pass
    assert tracker.client().get_run(killed).info.status == "KILLED"


def test_artifacts_lie_beside_the_database(tracker: Tracker) -> None:
    experiment = tracker.client().get_experiment_by_name("persona_mme")
    assert experiment is not None
    assert experiment.artifact_location.startswith(tracker.folder.absolute().as_uri())


def test_a_folder_that_cannot_hold_a_database_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "mlflow.db").mkdir()
    with pytest.raises(TrackerUnavailable, match="cannot be opened"):
        Tracker(tmp_path).client()


def test_a_copied_folder_keeps_its_artifacts_and_logs_beside_itself(tmp_path: Path) -> None:
    first = Tracker(tmp_path / "one" / "mlflow")
    with first.run("capeval", "before", {}) as before:
        before.text("old", "page.md")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    files = sorted((tmp_path / "one").rglob("*.md"))
    second = Tracker(tmp_path / "two" / "mlflow")
    with second.run("capeval", "after", {}) as after:
        after.text("new", "page.md")
    assert sorted((tmp_path / "one").rglob("*.md")) == files  # nothing went where it was copied from
    shutil.rmtree(tmp_path / "one")
    for run, said in ((before, "old"), (after, "new")):
        place = second.client().download_artifacts(run.run_id, "page.md")
        assert Path(place).read_text() == said
    assert first.artifact_root not in str(second.client().get_experiment_by_name("capeval").artifact_location)
