"""A report as a run of MLflow: its page, its figures and what can be compared between runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lifeloom.store import Manifest
from lifeloom.tracking import DatasetInput, Tracker

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ReportPage", "log_report_run"]


@dataclass(frozen=True)
class ReportPage:
    """What a report shows."""

    title: str
    tables: Mapping[str, str]
    """Markdown by heading."""
    figures: Mapping[str, Callable[[], Figure]]
    """What draws each figure, by its heading."""
    metrics: Mapping[str, float]
    """Numbers to compare runs by; names are grouped by slashes."""
    curves: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)
    """Metrics that have a value at each of several steps (step, value), such as turns."""

    def text(self) -> str:
        """Return the tables under their headings, as one page of Markdown."""
        return "\n\n".join([f"# {self.title}", *(f"## {name}\n\n{table}" for name, table in self.tables.items()), ""])


def log_report_run(
    tracker: Tracker,
    page: ReportPage,
    *,
    experiment: str,
    kind: str,
    release: str,
    dataset: Manifest,
    table: str,
    parameters: Mapping[str, str | int | float],
    tags: Mapping[str, str],
    now_ms: int,
    subject: str = "",
) -> str:
    """Log a report as a run and return its id; an earlier finished run with this page and these figures is kept.

    Args:
        tracker: MLflow.
        page: what to show.
        experiment: where the run belongs: the benchmark's name.
        kind: short name of the report, such as ``ablations``.
        release: date of the release.
        dataset: manifest of what was judged, logged as the run's input.
        table: its table whose rows were judged.
        parameters: what the report was made with.
        tags: back to the Dagster run and asset.
        now_ms: time of the metrics, milliseconds since 1970.
        subject: who was measured, for the run's name: a model, say, where a profile may name another tomorrow.

    Raises:
        TrackerUnavailable: MLflow cannot be used.
        DatasetMissing: ``dataset`` has no such table.
    """
    text = page.text()
    numbers = repr((sorted(page.metrics.items()), sorted(page.curves.items()), dataset.content_hash))
    rows = dataset.table(table).rows
    identity = {
        "lifeloom.pages": kind,
        "lifeloom.release": release,
        "lifeloom.content": hashlib.sha256(f"{text}\0{numbers}\0{subject}".encode()).hexdigest(),
    }
    done = tracker.find(experiment, identity)
    if done is not None:
        return done
    with tracker.run(experiment, f"{kind} {release} {subject}".strip(), {**tags, **identity}) as run:
        run.parameters({"release": release, **parameters})
        run.metrics(page.metrics, timestamp_ms=now_ms)
        for name, points in page.curves.items():
            for step, value in points:
                run.metrics({name: value}, timestamp_ms=now_ms, step=step)
        run.dataset(DatasetInput(dataset.key, dataset.content_hash[:16], dataset.key, rows))
        run.text(text, f"{kind}.md")
        for name, draw in page.figures.items():
            run.figure(draw(), f"{name.replace(' ', '_')}.png")
    return run.run_id
