"""MLflow runs, without Dagster: one run an evaluation, always ended in a final state."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    import matplotlib.figure
    import mlflow

__all__ = ["NOTE", "DatasetInput", "Tracker", "TrackerUnavailable", "TrackingRun"]

NOTE = "mlflow.note.content"
"""Tag whose Markdown MLflow shows as the description of a run."""

_PID_TAG = "lifeloom.pid"
"""Tag of a run: the process that writes it."""


class TrackerUnavailable(Exception):
    """MLflow's database or folder cannot be used."""


@dataclass(frozen=True)
class DatasetInput:
    """A data set as MLflow shows it: name, content digest, where it lies."""

    name: str
    digest: str
    source: str
    rows: int


class TrackingRun:
    """One open run."""

    def __init__(self, client: mlflow.MlflowClient, run_id: str, experiment_id: str) -> None:
        """Write to the run ``run_id``."""
        self._client = client
        self.run_id = run_id
        self.experiment_id = experiment_id

    def parameters(self, values: Mapping[str, str | int | float]) -> None:
        """Log parameters."""
        from mlflow.entities import Param

        self._client.log_batch(self.run_id, params=[Param(key, str(value)) for key, value in values.items()])

    def metrics(self, values: Mapping[str, float], *, timestamp_ms: int, step: int = 0) -> None:
        """Log metrics; the caller gives the time."""
        from mlflow.entities import Metric

        self._client.log_batch(
            self.run_id, metrics=[Metric(key, value, timestamp_ms, step) for key, value in values.items()]
        )

    def dataset(self, dataset: DatasetInput, context: str = "evaluation") -> None:
        """Log what the run read."""
        from mlflow.entities import Dataset, InputTag
        from mlflow.entities import DatasetInput as Input

        entity = Dataset(
            name=dataset.name,
            digest=dataset.digest,
            source_type="local",
            source=json.dumps({"uri": dataset.source}),
            profile=json.dumps({"num_rows": dataset.rows}),
        )
        self._client.log_inputs(self.run_id, datasets=[Input(entity, [InputTag("mlflow.data.context", context)])])

    def table(self, rows: Sequence[Mapping[str, Any]], artifact: str) -> None:
        """Log rows as a table that MLflow's pages show (``artifact`` ends in .json)."""
        columns = list(rows[0]) if rows else []
        self._client.log_table(self.run_id, {name: [row[name] for row in rows] for name in columns}, artifact)

    def figure(self, figure: matplotlib.figure.Figure, artifact: str) -> None:
        """Log a figure (``artifact`` ends in .png)."""
        self._client.log_figure(self.run_id, figure, artifact)

    def text(self, text: str, artifact: str) -> None:
        """Log a text or page."""
        self._client.log_text(self.run_id, text, artifact)


class Tracker:
    """The MLflow server or database that runs go to."""

    def __init__(self, folder: Path, uri: str = "") -> None:
        """Use the SQLite database and artifact folder under ``folder``, or the server at ``uri``."""
        self.folder = folder
        self.uri = uri or f"sqlite:///{folder.absolute() / 'mlflow.db'}"

    @property
    def artifact_root(self) -> str:
        """Where artifacts of new experiments go; empty: the server decides."""
        return (self.folder.absolute() / "artifacts").as_uri() if self.uri.startswith("sqlite:") else ""

    def client(self) -> mlflow.MlflowClient:
        """Return a client on the database, made on first use.

        Raises:
            TrackerUnavailable: the database cannot be opened.
        """
        import mlflow
        from mlflow.exceptions import MlflowException

        self._probe()
        logging.getLogger("mlflow.store.db.utils").setLevel(logging.WARNING)  # migrations are no news
        try:
            client = mlflow.MlflowClient(tracking_uri=self.uri)
            client.search_experiments(max_results=1)
        except (MlflowException, OSError) as error:
            raise TrackerUnavailable(f"MLflow at {self.uri} cannot be used: {error}") from error
        return client

    def _probe(self) -> None:
        """Open the database once by ourselves: MLflow would try for minutes before it gives up."""
        if not self.uri.startswith("sqlite:///"):
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(sqlite3.connect(self.uri.removeprefix("sqlite:///"))) as connection:
                self._follow_folder(connection)
        except (OSError, sqlite3.Error) as error:
            raise TrackerUnavailable(f"MLflow's database at {self.uri} cannot be opened: {error}") from error

    def _follow_folder(self, connection: sqlite3.Connection) -> None:
        """Let experiments and runs of a folder that was moved or copied have their artifacts here, not where it was.

        MLflow keeps whole addresses: what a copy logs would go into the folder that it was copied from.
        """
        root = self.artifact_root
        if not connection.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'experiments'"
        ).fetchone():
            return
        ours = f"/{self.folder.name}/artifacts"
        rows = connection.execute("SELECT name, artifact_location FROM experiments WHERE artifact_location IS NOT NULL")
        roots = {place.removesuffix(f"/{name}") for name, place in rows if place.endswith(f"{ours}/{name}")}
        for old in sorted(roots - {root}):
            with connection:
                for table, column in (("experiments", "artifact_location"), ("runs", "artifact_uri")):
                    connection.execute(
                        f"UPDATE {table} SET {column} = ? || substr({column}, ?) "  # noqa: S608 - two names of ours
                        f"WHERE substr({column}, 1, ?) = ?",
                        (root, len(old) + 1, len(old) + 1, f"{old}/"),
                    )

    @contextlib.contextmanager
    def run(self, experiment: str, name: str, tags: Mapping[str, str]) -> Iterator[TrackingRun]:
        """Open a run; it ends FINISHED, FAILED (an exception) or KILLED (an interruption)."""
        client = self.client()
        experiment_id = self._experiment(client, experiment)
        self._close_abandoned(client, experiment_id)
        run = client.create_run(experiment_id, run_name=name, tags={**tags, _PID_TAG: str(os.getpid())})
        status = "KILLED"
        try:
            yield TrackingRun(client, run.info.run_id, experiment_id)
            status = "FINISHED"
        except Exception:
            status = "FAILED"
            raise
        finally:
            client.set_terminated(run.info.run_id, status=status)

    @staticmethod
    def _close_abandoned(client: mlflow.MlflowClient, experiment_id: str) -> None:
        """End the runs of processes on this machine that were killed: every run ends in a final state."""
        for run in client.search_runs([experiment_id], "attributes.status = 'RUNNING'"):
            pid = run.data.tags.get(_PID_TAG, "")
            if pid.isdigit() and not psutil.pid_exists(int(pid)):
                client.set_terminated(run.info.run_id, status="KILLED")

    def find(self, experiment: str, tags: Mapping[str, str]) -> str | None:
        """Return the id of the newest finished run of ``experiment`` with all of ``tags``, None when there is none.

        Raises:
            TrackerUnavailable: the database cannot be opened.
        """
        client = self.client()
        found = client.get_experiment_by_name(experiment)
        if found is None:
            return None
        wanted = " and ".join(f"tags.`{key}` = '{value}'" for key, value in tags.items())
        runs = client.search_runs([found.experiment_id], f"attributes.status = 'FINISHED' and {wanted}", max_results=1)
        return str(runs[0].info.run_id) if runs else None

    def page(self, run_id: str, server: str) -> str:
        """Return the address of a run's page on the MLflow server at ``server``."""
        run = self.client().get_run(run_id)
        return f"{server}/#/experiments/{run.info.experiment_id}/runs/{run_id}"

    def _experiment(self, client: mlflow.MlflowClient, name: str) -> str:
        from mlflow.exceptions import MlflowException

        found = client.get_experiment_by_name(name)
        if found is not None:
            return str(found.experiment_id)
        try:
            location = f"{self.artifact_root}/{name}" if self.artifact_root else None
            return str(client.create_experiment(name, artifact_location=location))
        except MlflowException:
            found = client.get_experiment_by_name(name)  # another process was faster
            if found is None:
                raise
            return str(found.experiment_id)
