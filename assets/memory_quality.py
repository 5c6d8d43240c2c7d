"""How good a release's memories are: against the plans of the conversations, and personality over time."""

import dataclasses
import functools
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import dagster as dg

from assets.audit import run_tags
from assets.figures import report_metadata
from assets.publishing import (
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    parents,
    publish,
    told_plainly,
)
from evaluation.big_five import BigFiveAccuracy
from evaluation.memory_quality import MemoryQuality, QualityRow, measure, quality_markdown, truth_of
from evaluation.persona_mme import BENCHMARK
from evaluation.personality_recovery import PersonalityError, ShiftLag
from evaluation.personality_report import PersonalityReport, make_personality_report, personality_page
from evaluation.report_runs import ReportPage, log_report_run
from lifeloom.records import ConversationPlan, Memory, PersonalityPoint, Record
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from resources.policies import MEMORIES
from resources.workbench import Workbench

__all__ = ["MEMORY_QUALITY", "memory_quality_asset"]

MEMORY_QUALITY = "scores/memory_quality"

_CHECKS = {"every_user_judged": "Every user of the release has a plan, memories and a personality curve."}


class MemoryQualityRow(Record):
    """One share of the memories of a release: recall or precision, by what was said."""

    KIND: ClassVar[str] = "memory_quality"

    measure: str
    by: str
    name: str
    count: int
    right: int
    value: float
    interval_low: float
    interval_high: float


def memory_quality_asset(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    """Return what memories are worth by themselves, by release date."""

    @dg.asset(
        key=MEMORY_QUALITY.split("/"),
        deps=[dg.AssetKey(["release", name]) for name in ("dialogues", "memories")],
        partitions_def=dates,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        check_specs=check_specs(MEMORY_QUALITY.split("/"), _CHECKS),
        description=(
            "Precision and recall of a release's memories by kind of statement, and how the personality curves recover "
            "what was planned."
        ),
    )
    @told_plainly
    def memory_quality(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Judge the memories of a release against the plans of its conversations."""
        store, profile, partition = workbench.store, workbench.profile, context.partition_key
        memories_key, dialogues_key = f"{MEMORIES}/{partition}", f"release/dialogues/{partition}"
        samples = profile.scoring.bootstrap_samples
        recipe = Recipe(
            stage=MEMORY_QUALITY,
            seed=profile.seed,
            parameters={"bootstrap": samples},
            models=(model_name(workbench.model("assistant", MEMORIES)),),
            parents=parents(store, memories_key, dialogues_key),
        )

        def plans() -> Iterator[ConversationPlan]:
            return store.read(dialogues_key, "plans", ConversationPlan)

        @functools.cache
        def quality() -> MemoryQuality:
            return measure(
                (truth_of(plan) for plan in plans()),
                store.read(memories_key, "memories", Memory),
                seed=profile.seed,
                bootstrap_samples=samples,
            )

        @functools.cache
        def personality() -> PersonalityReport:
            points: dict[str, list[PersonalityPoint]] = {}
            for point in store.read(memories_key, "personality", PersonalityPoint):
                points.setdefault(point.user_id, []).append(point)
            return make_personality_report(list(plans()), points, seed=profile.seed, bootstrap_samples=samples)

        def make(writer: DatasetWriter) -> None:
            writer.write("memories", MemoryQualityRow, [_row(row) for row in quality().rows])
            report = personality()
            writer.write("personality_errors", PersonalityError, report.errors)
            writer.write("shift_lags", ShiftLag, report.lags)
            writer.write("big_five", BigFiveAccuracy, report.big_five)

        def judged(reader: DatasetReader) -> list[str]:
            users = {plan.persona_id for plan in plans()}
            remembered = {row.user_id for row in store.read(memories_key, "memories", Memory)}
            curves = {row.user_id for row in store.read(memories_key, "personality", PersonalityPoint)}
            return [f"{user} has no memories or no personality curve" for user in sorted(users - (remembered & curves))]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            memories, page = quality(), personality_page(personality(), f"Memories of release {partition}")
            whole = dataclasses.replace(
                page,
                tables={"precision and recall": quality_markdown(memories), **page.tables},
                metrics={**page.metrics, **_metrics(memories)},
            )
            run_id = _logged(context, workbench, whole, partition)
            return {
                **report_metadata(whole),
                "MLflow run": dg.MetadataValue.url(workbench.tracker.page(run_id, workbench.mlflow_server)),
            }

        checks = {"every_user_judged": judged}
        key = f"{MEMORY_QUALITY}/{partition}"
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="memories")

    return memory_quality


def _logged(context: dg.AssetExecutionContext, workbench: Workbench, page: ReportPage, partition: str) -> str:
    return log_report_run(
        workbench.tracker,
        page,
        experiment=BENCHMARK,
        kind="memory_quality",
        release=partition,
        dataset=workbench.store.manifest(f"{MEMORIES}/{partition}"),
        table="memories",
        parameters={"bootstrap_samples": workbench.profile.scoring.bootstrap_samples},
        tags=run_tags(context, workbench, MEMORY_QUALITY, partition),
        now_ms=int(time.time() * 1000),
    )


def _row(row: QualityRow) -> MemoryQualityRow:
    return MemoryQualityRow(
        measure=row.measure,
        by=row.by,
        name=row.name,
        count=row.count,
        right=row.right,
        value=row.value,
        interval_low=row.low,
        interval_high=row.high,
    )


def _metrics(quality: MemoryQuality) -> dict[str, float]:
    """Return the shares over everything, for comparing runs."""
    return {f"memories/{row.measure}": row.value for row in quality.rows if row.by == "all"}
