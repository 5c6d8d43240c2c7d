"""Scores of a release: what a blind policy reaches, then every policy, tracked in MLflow."""

import hashlib
import time
from collections.abc import Mapping
from typing import Any

import dagster as dg

from assets.audit import AUDIT, ReleaseData, audit_asset, read_release, run_tags
from assets.benchmarks import RELEASE
from assets.predicting import predict, seconds_of
from assets.publishing import (
    OWNERS,
    AssetEvents,
    account_of,
    check_specs,
    model_name,
    parents,
    publish,
    rows_preview,
    told_plainly,
)
from evaluation.audit import BLINDED, best_of
from evaluation.case_pages import CasePages, case_pages, case_pages_address, log_case_pages
from evaluation.persona_mme import BENCHMARK, CaseTrace, score_predictions
from evaluation.reports import log_policy_run, score_figure_markdown
from lifeloom.models.calls.cost_reports import cost_metrics
from lifeloom.models.protocol import ModelIdentity
from lifeloom.records import BenchmarkCase, Prediction, Score
from lifeloom.store import DatasetReader, DatasetWriter, Recipe, code_revision
from resources.policies import AskedPolicy, policies_of_release
from resources.workbench import Workbench

__all__ = ["AUDIT", "SCORES", "score_assets", "scores_of"]

SCORES = "scores/persona_mme"

_SCORE_CHECKS = {"every_question_counted": "Each policy has an answer, or a counted failure, for every question."}


def score_assets(dates: dg.PartitionsDefinition[Any]) -> list[dg.AssetsDefinition]:
    """Return the audit and the scores, by release date."""
    return [audit_asset(dates), _scores_asset(dates)]


def _scores_asset(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    @dg.asset(
        key=SCORES.split("/"),
        deps=[dg.AssetKey(["release", name]) for name in ("dialogues", "memories", "persona_mme")]
        + [dg.AssetKey(AUDIT.split("/"))],
        partitions_def=dates,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(SCORES.split("/"), _SCORE_CHECKS),
        description="Accuracy of every policy on a release, by task, aspect and setting, with 95 % intervals.",
    )
    @told_plainly
    def persona_mme_scores(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Score the policies of the profile; predictions are kept by policy fingerprint."""
        store, profile, partition = workbench.store, workbench.profile, context.partition_key
        release_key, audit_key = f"{RELEASE}/{partition}", f"{AUDIT}/{partition}"
        asked_of = parents(store, release_key, f"release/dialogues/{partition}")
        lineage = {**asked_of, **parents(store, audit_key)}
        release = read_release(workbench, partition)
        keys: dict[str, str] = {}
        policies = policies_of_release(workbench, partition, SCORES)
        for name, asked in policies.items():
            with workbench.ledger.account(_account(context, name), context.run.run_id):
                keys[name] = predict(
                    workbench,
                    asked.policy,
                    release,
                    {**asked_of, **parents(store, *asked.needs)},
                    told=SCORES,
                    workers=asked.callers(workbench, SCORES),
                )
        recipe = Recipe(
            stage=SCORES,
            seed=profile.seed,
            parameters={"bootstrap": profile.scoring.bootstrap_samples, "policies": profile.scoring.policies},
            models=(model_name(workbench.model("reader", SCORES)),),
            parents={**lineage, **parents(store, *keys.values())},
        )

        def make(writer: DatasetWriter) -> None:
            for name in profile.scoring.policies:
                if name == "blind":
                    predictions = list(store.read(audit_key, "predictions", Prediction))
                    writer.write("scores", Score, _blind_scores(workbench, release.cases, predictions))
                else:
                    predictions = list(store.read(keys[name], "predictions", Prediction))
                    identity = policies[name].identity
                    writer.write("scores", Score, scores_of(workbench, release.cases, predictions, identity))

        def counted(reader: DatasetReader) -> list[str]:
            problems = []
            for name, key in keys.items():
                asked = store.reader(key).rows("predictions")
                expected = sum(3 if case.alignment else 1 for case in release.cases)
                if asked != expected:
                    problems.append(f"{name} has {asked} predictions for {expected} questions")
            return problems

        def report(reader: DatasetReader) -> dict[str, Any]:
            rows = list(reader.read("scores", Score))
            runs = _track(context, workbench, release, rows, keys, policies)
            pages = case_pages_address(
                workbench.tracker, _pages(context, workbench, release, keys), workbench.mlflow_server
            )
            return {
                "scores": rows_preview(
                    [row.model_dump(include=_SHOWN) for row in rows if row.setting == "all" or row.task == "all"]
                ),
                "case pages": dg.MetadataValue.url(pages),
                "figure": dg.MetadataValue.md(score_figure_markdown(rows)),
                **{
                    f"MLflow run, {name}": dg.MetadataValue.url(workbench.tracker.page(run_id, workbench.mlflow_server))
                    for name, run_id in runs.items()
                },
            }

        checks = {"every_question_counted": counted}
        yield from publish(context, workbench, f"{SCORES}/{partition}", recipe, make, checks, report, rows_of="scores")

    return persona_mme_scores


_SHOWN = {
    "policy",
    "setting",
    "aspect",
    "task",
    "value",
    "interval_low",
    "interval_high",
    "questions",
    "missing",
    "prompt_tokens_per_case",
}


def _account(context: dg.AssetExecutionContext, policy: str) -> str:
    """Return the account on which a policy's calls to models are booked, under the asset's."""
    return f"{account_of(context)}/{policy}"


def scores_of(
    workbench: Workbench, cases: list[BenchmarkCase], predictions: list[Prediction], identity: ModelIdentity
) -> list[Score]:
    """Return the scores of one policy whose model is ``identity``."""
    return score_predictions(
        cases,
        predictions,
        backend=identity.backend,
        model=identity.model,
        code_revision=code_revision(),
        seed=workbench.profile.seed,
        bootstrap_samples=workbench.profile.scoring.bootstrap_samples,
    )


def _blind_scores(workbench: Workbench, cases: list[BenchmarkCase], predictions: list[Prediction]) -> list[Score]:
    """Return the scores of each attacker and, as ``blind``, the best of them; blinded readers are the audit's own."""
    by_attacker: dict[str, list[Prediction]] = {}
    for prediction in predictions:
        if prediction.policy not in BLINDED:
            by_attacker.setdefault(prediction.policy, []).append(prediction)
    reader = workbench.model("reader", SCORES).identity
    scores = [score for own in by_attacker.values() for score in scores_of(workbench, cases, own, reader)]
    return [*best_of(scores), *scores]


def _pages(
    context: dg.AssetExecutionContext, workbench: Workbench, release: ReleaseData, keys: Mapping[str, str]
) -> str:
    """Log the pages of the release's cases, unless they are there, and return their run's id."""
    store, partition = workbench.store, release.partition
    shown = {key: store.manifest(key).content_hash for key in (f"{RELEASE}/{partition}", *keys.values())}
    content = hashlib.sha256("".join(f"{key} {shown[key]}\n" for key in sorted(shown)).encode()).hexdigest()[:16]
    provenance = (
        f"release {partition}, seed {workbench.profile.seed}, code {code_revision()}, "
        f"writer {model_name(workbench.model('writer'))}, reader {model_name(workbench.model('reader', SCORES))}"
    )

    def make() -> CasePages:
        predictions = [row for key in keys.values() for row in store.read(key, "predictions", Prediction)]
        traces = [
            row for key in keys.values() if "traces" in store.reader(key).tables
            for row in store.read(key, "traces", CaseTrace)
        ]  # fmt: skip
        return case_pages(
            release.cases,
            release.turns.__getitem__,
            predictions,
            workbench.picture,
            made_with=provenance,
            traces=traces,
        )

    tags = run_tags(context, workbench, SCORES, partition)
    return log_case_pages(workbench.tracker, BENCHMARK, partition, content, make, tags)


def _track(
    context: dg.AssetExecutionContext,
    workbench: Workbench,
    release: ReleaseData,
    scores: list[Score],
    keys: Mapping[str, str],
    policies: Mapping[str, AskedPolicy],
) -> dict[str, str]:
    """Log one MLflow run a policy, unless it is there, and return the runs' ids."""
    store = workbench.store
    release_manifest = store.manifest(f"{RELEASE}/{release.partition}")
    runs: dict[str, str] = {}
    for name in workbench.profile.scoring.policies:
        key = keys.get(name, f"{AUDIT}/{release.partition}")
        predictions = [row for row in store.read(key, "predictions", Prediction) if row.policy not in BLINDED]
        runs[name] = log_policy_run(
            workbench.tracker,
            policy=name,
            release=release.partition,
            cases=release.cases,
            predictions=predictions,
            scores=[score for score in scores if score.policy == name],
            all_scores=scores,
            seconds=[row.seconds for row in seconds_of(store, key)],
            costs=cost_metrics(workbench.ledger, _account(context, name)),
            dataset=release_manifest,
            predictions_hash=store.manifest(key).content_hash,
            parameters=policies[name].policy.parameters() if name in policies else {},
            bootstrap_samples=workbench.profile.scoring.bootstrap_samples,
            now_ms=int(time.time() * 1000),
            tags=run_tags(context, workbench, SCORES, release.partition),
        )
    return runs
