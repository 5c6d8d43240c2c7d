"""What each part of the memory agent is worth: its variants beside it, RAG and full context (P20)."""

import dataclasses
import functools
import time
from collections.abc import Mapping
from typing import Any

import dagster as dg

from assets.audit import ReleaseData, read_release, run_tags
from assets.benchmarks import RELEASE
from assets.figures import report_metadata
from assets.predicting import predict, seconds_of
from assets.publishing import (
    OWNERS,
    AssetEvents,
    account_of,
    check_specs,
    model_name,
    parents,
    publish,
    told_plainly,
)
from assets.scores import SCORES, scores_of
from evaluation.ablation_report import (
    AblationReport,
    PolicyRunData,
    ablation_page,
    log_ablation_runs,
    make_ablation_report,
)
from evaluation.ablations import AGENT, GRAPH_VARIANT, ComponentRank, PolicyDifference
from evaluation.efficiency import Efficiency
from evaluation.memory_counting import CountingAnswer, ask_counting, score_counting
from evaluation.persona_mme import BENCHMARK, CaseTiming
from evaluation.report_runs import log_report_run
from lifeloom.models.calls.cost_reports import cost_metrics
from lifeloom.records import ConversationPlan, Prediction, Score
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.counting_probes import counting_questions
from resources.policies import AskedPolicy, memory_agents, policies_of_release
from resources.workbench import Workbench

__all__ = ["ABLATIONS", "ablations_asset"]

ABLATIONS = "scores/ablations"

_COUNTING_EACH = 6
"""Counting questions of a conversation at most."""
_UNTIMED = {"timed_requests": 0, **dict.fromkeys(("seconds", "speed", "speed_low", "speed_high"))}
_CHECKS = {"every_question_counted": "Each variant has an answer, or a counted failure, for every question."}


def ablations_asset(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    """Return the comparison of the memory agent with its variants and with the baselines, by release date."""

    @dg.asset(
        key=ABLATIONS.split("/"),
        deps=[dg.AssetKey(["release", name]) for name in ("dialogues", "memories", "persona_mme")]
        + [dg.AssetKey(SCORES.split("/"))],
        partitions_def=dates,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(ABLATIONS.split("/"), _CHECKS),
        description=(
            "The memory agent without each type of memory, without reasoning, without personality, and with one to "
            "five episodic topics, beside RAG and full context: accuracy, tokens and seconds a request."
        ),
    )
    @told_plainly
    def ablations(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Ask every variant the release's cases, and compare."""
        store, profile, partition = workbench.store, workbench.profile, context.partition_key
        release = read_release(workbench, partition)
        lineage = parents(store, f"{RELEASE}/{partition}", f"release/dialogues/{partition}")
        scored = policies_of_release(workbench, partition, SCORES)
        variants = memory_agents(workbench, partition, profile.scoring.ablations, ABLATIONS)
        keys = {name: _asked(context, workbench, release, one, lineage) for name, one in {**scored, **variants}.items()}
        recipe = Recipe(
            stage=ABLATIONS,
            seed=profile.seed,
            parameters={
                "bootstrap": profile.scoring.bootstrap_samples,
                "variants": profile.scoring.ablations,
                "counting": _COUNTING_EACH,
            },
            models=tuple({model_name(workbench.model(role, ABLATIONS)) for role in ("reader", "assistant")}),
            parents={**lineage, **parents(store, *keys.values())},
        )
        asked = {**scored, **variants}
        predictions = {name: list(store.read(key, "predictions", Prediction)) for name, key in keys.items()}
        timings = {name: seconds_of(store, key) for name, key in keys.items()}

        counting_seconds: dict[str, float] = {}

        @functools.cache
        def reported() -> AblationReport:
            scores = [
                score
                for name, own in predictions.items()
                for score in scores_of(workbench, release.cases, own, asked[name].identity)
            ]
            return make_ablation_report(
                release.cases,
                predictions,
                timings,
                scores,
                seed=profile.seed,
                bootstrap_samples=profile.scoring.bootstrap_samples,
            )

        def make(writer: DatasetWriter) -> None:
            report = reported()
            writer.write("scores", Score, report.scores)
            writer.write("differences", PolicyDifference, report.differences)
            writer.write("ranks", ComponentRank, report.ranks)
            answers, taken = _counting(context, workbench, release, variants)
            counting_seconds.update(taken)
            writer.write("counting", CountingAnswer, answers)
            # Seconds are measured, so they stay out of what must be the same byte for byte.
            writer.write("tokens", Efficiency, [row.model_copy(update=_UNTIMED) for row in report.efficiency])

        def counted(reader: DatasetReader) -> list[str]:
            expected = sum(3 if case.alignment else 1 for case in release.cases)
            return [
                f"{name} has {len(own)} predictions for {expected} questions"
                for name, own in predictions.items()
                if len(own) != expected
            ]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            counted_by = score_counting(
                list(reader.read("counting", CountingAnswer)),
                counting_seconds,
                seed=profile.seed,
                bootstrap_samples=profile.scoring.bootstrap_samples,
            )
            # with the seconds, which are not kept
            report = dataclasses.replace(reported(), counting=tuple(counted_by))
            page = ablation_page(report)
            tags = run_tags(context, workbench, ABLATIONS, partition)
            runs = _track(context, workbench, release, report, keys, variants, predictions, timings, tags)
            run_id = log_report_run(
                workbench.tracker,
                page,
                experiment=BENCHMARK,
                kind="ablations",
                release=partition,
                dataset=store.manifest(f"{RELEASE}/{partition}"),
                table="cases",
                parameters={"bootstrap_samples": profile.scoring.bootstrap_samples},
                tags=tags,
                now_ms=int(time.time() * 1000),
            )
            return {
                **report_metadata(page),
                "MLflow run": dg.MetadataValue.url(workbench.tracker.page(run_id, workbench.mlflow_server)),
                "MLflow runs by variant": dg.MetadataValue.md(
                    "\n".join(
                        f"- [{name}]({workbench.tracker.page(one, workbench.mlflow_server)})"
                        for name, one in runs.items()
                    )
                ),
            }

        checks = {"every_question_counted": counted}
        yield from publish(
            context, workbench, f"{ABLATIONS}/{partition}", recipe, make, checks, describe, rows_of="scores"
        )

    return ablations


def _account(context: dg.AssetExecutionContext, name: str) -> str:
    return f"{account_of(context)}/{name}"


def _asked(
    context: dg.AssetExecutionContext,
    workbench: Workbench,
    release: ReleaseData,
    one: AskedPolicy,
    lineage: Mapping[str, str],
) -> str:
    """Ask a policy what it has not been asked yet, and return the key of its predictions."""
    with workbench.ledger.account(_account(context, one.policy.name), context.run.run_id):
        return predict(
            workbench,
            one.policy,
            release,
            {**lineage, **parents(workbench.store, *one.needs)},
            told=ABLATIONS,
            workers=one.callers(workbench, ABLATIONS),
        )


def _counting(
    context: dg.AssetExecutionContext,
    workbench: Workbench,
    release: ReleaseData,
    variants: Mapping[str, AskedPolicy],
) -> tuple[list[CountingAnswer], dict[str, float]]:
    """Ask the agent without and with the memory graph what counts, where both are compared; with seconds a question."""
    asked = {name: variants[name] for name in (AGENT, GRAPH_VARIANT) if name in variants}
    if len(asked) < 2:
        return [], {}
    plans = workbench.store.read(f"release/dialogues/{release.partition}", "plans", ConversationPlan)
    questions = counting_questions(plans, each=_COUNTING_EACH, seed=workbench.profile.seed)
    answers: list[CountingAnswer] = []
    seconds: dict[str, float] = {}
    for name, one in asked.items():
        with workbench.ledger.account(_account(context, name), context.run.run_id):
            own, seconds[name] = ask_counting(one.policy, questions, release.turns.__getitem__)
        answers += own
    return answers, seconds


def _track(
    context: dg.AssetExecutionContext,
    workbench: Workbench,
    release: ReleaseData,
    report: AblationReport,
    keys: Mapping[str, str],
    variants: Mapping[str, AskedPolicy],
    predictions: Mapping[str, list[Prediction]],
    timings: Mapping[str, list[CaseTiming]],
    tags: dict[str, str],
) -> dict[str, str]:
    """Log a run for each variant, and return the runs' ids by policy."""
    store = workbench.store
    return log_ablation_runs(
        workbench.tracker,
        report,
        cases=release.cases,
        predictions=predictions,
        timings=timings,
        runs={
            name: PolicyRunData(
                store.manifest(keys[name]).content_hash,
                one.policy.parameters(),
                cost_metrics(workbench.ledger, _account(context, name)),
            )
            for name, one in variants.items()
        },
        dataset=store.manifest(f"{RELEASE}/{release.partition}"),
        tags=tags,
        bootstrap_samples=workbench.profile.scoring.bootstrap_samples,
        now_ms=int(time.time() * 1000),
    )
