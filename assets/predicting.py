"""Asking policies the cases of a release: predictions are kept by policy fingerprint, nothing is asked twice."""

from __future__ import annotations

from collections.abc import Mapping

from assets.audit import ReleaseData
from evaluation.persona_mme import CaseTiming, CaseTrace, run_policy
from lifeloom.records import Prediction
from lifeloom.scoring.policy import TrackedPolicy
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetStore, DatasetWriter, Recipe
from resources.workbench import Workbench

__all__ = ["predict", "seconds_of", "seconds_per_case"]


def predict(
    workbench: Workbench,
    policy: TrackedPolicy,
    release: ReleaseData,
    lineage: Mapping[str, str],
    *,
    told: str,
    workers: int,
) -> str:
    """Ask ``policy`` unless its predictions are there, and return their key.

    Seconds are measured, so they go to a data set of their own, outside what must be the same byte for byte.

    Args:
        workbench: gives store, seed, and who watches.
        policy: who answers.
        release: the cases and conversations.
        lineage: content hashes of the data sets that its answers depend on, by key.
        told: name of the work for who watches.
        workers: cases asked at once.
    """
    store, name = workbench.store, f"{policy.name}-{policy.fingerprint}"
    key = f"predictions/{release.partition}/{name}"
    recipe = Recipe(
        stage="predictions",
        seed=workbench.profile.seed,
        parameters={"policy": policy.name, "fingerprint": policy.fingerprint, **policy.parameters()},
        models=tuple(policy.models()),
        prompt_versions=policy.prompts(),
        parents=dict(lineage),
    )
    timings: list[CaseTiming] = []

    def make(writer: DatasetWriter) -> None:
        run = run_policy(
            policy,
            release.cases,
            release.turns.__getitem__,
            progress=lambda done: workbench.watch(f"{told} {policy.name}", done, len(release.cases)),
            workers=workers,
        )
        require_answers(policy.name, [one.failure for one in run.predictions])
        timings.extend(run.timings)
        writer.write("predictions", Prediction, run.predictions)
        if run.traces:
            writer.write("traces", CaseTrace, run.traces)

    def measure(writer: DatasetWriter) -> None:
        writer.write("timings", CaseTiming, timings)

    produced = store.produce(key, recipe, make)
    if not produced.reused:
        measured = recipe.model_copy(update={"stage": "timings", "parents": {key: produced.manifest.content_hash}})
        store.produce(f"timings/{release.partition}/{name}", measured, measure)
    return key


def seconds_of(store: DatasetStore, predictions_key: str) -> list[CaseTiming]:
    """Return how long each case took; none where it was not measured here, as of the audit's predictions."""
    if not predictions_key.startswith("predictions/"):
        return []
    key = predictions_key.replace("predictions/", "timings/", 1)
    return list(store.read(key, "timings", CaseTiming)) if store.find(key) else []


def seconds_per_case(store: DatasetStore, partition: str) -> dict[str, float]:
    """Return the mean seconds a case of each policy that was run on a release here."""
    seconds = {}
    for key in store.keys(f"timings/{partition}"):
        rows = list(store.read(key, "timings", CaseTiming))
        seconds[rows[0].policy] = sum(row.seconds for row in rows) / len(rows)
    return seconds
