"""Running stages in this process, in order: what `lifeloom demo` and `lifeloom materialize` do."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg
import psutil

from assets.ablations import ABLATIONS
from assets.benchmarks import REFERENCE, RELEASE
from assets.caption_keys import CAPTION_STAGES, IMAGE_LIBRARY
from assets.groups import release_dates
from assets.life_keys import LIFE_STAGES
from assets.memory_quality import MEMORY_QUALITY
from assets.publishing import LEFT_OUT
from assets.scores import AUDIT, SCORES
from assets.seeds import CAPTIONS, PERSONAS
from assets.training_keys import TRAINING_STAGES
from resources.profile import Profile
from resources.workbench import Workbench

__all__ = [
    "PID_TAG",
    "STAGES",
    "Interrupted",
    "Outcome",
    "StageFailed",
    "Step",
    "UnknownStage",
    "close_abandoned_runs",
    "demo_steps",
    "run_steps",
    "steps_for",
]

STAGES = (
    PERSONAS,
    CAPTIONS,
    "corpus/personas",
    "corpus/dialogues",
    "corpus/memories",
    REFERENCE,
    "release/personas",
    "release/dialogues",
    "release/memories",
    RELEASE,
    AUDIT,
    SCORES,
    ABLATIONS,
    MEMORY_QUALITY,
    *LIFE_STAGES,
    IMAGE_LIBRARY,
    *CAPTION_STAGES,
    *TRAINING_STAGES,
)
"""All stages in the order in which they can be made."""


class UnknownStage(ValueError):
    """There is no such stage or partition; the message lists what there is."""


PID_TAG = "lifeloom/pid"
"""Tag of runs in a process of our own: its id."""


class Interrupted(Exception):
    """The process was asked to end."""


class StageFailed(Exception):
    """A stage could not be made. The message is the stage's own."""


@dataclass(frozen=True)
class Step:
    """Assets to materialise together, on one partition."""

    stages: tuple[str, ...]
    partition: str | None


@dataclass(frozen=True)
class Outcome:
    """One asset as made."""

    asset: str
    partition: str | None
    reused: bool
    seconds: float
    rows: int
    left_out: str
    """What the stage left out, by reason; empty where nothing was."""

    @property
    def kept_nothing(self) -> bool:
        """Whether the stage had something and left all of it out."""
        return not self.rows and bool(self.left_out)


def _shards(profile: Profile) -> list[str]:
    return [f"shard-{number:03d}" for number in range(profile.corpus.shards)]


def demo_steps(profile: Profile) -> list[Step]:
    """Return the whole lineage on the profile's demo release."""
    return steps_for(STAGES, profile)


def steps_for(
    stages: Sequence[str], profile: Profile, partition: str | None = None, *, upstream: bool = False
) -> list[Step]:
    """Return the steps that make ``stages``, in the order of the graph.

    Args:
        stages: names of stages, ``release/personas``, or of whole groups, ``release``.
        profile: gives the shards and the demo's date.
        partition: shard or date; None: all shards, the demo's date.
        upstream: also make everything that they are made from.

    Raises:
        UnknownStage: a stage or partition that there is not.
    """
    chosen = set()
    for name in stages:
        found = [stage for stage in STAGES if stage == name or stage.split("/")[0] == name]
        if not found:
            raise UnknownStage(f"there is no stage {name!r}; the stages are {', '.join(STAGES)}")
        chosen.update(found)
    if upstream:
        chosen |= _upstream(chosen, profile)
    steps = []
    for stage in STAGES:
        if stage not in chosen:
            continue
        group = stage.split("/")[0]
        if group in ("seeds", "reference"):
            steps.append(Step((stage,), None))
        elif group == "corpus":
            shards = _shards(profile) if partition is None else [partition]
            if unknown := set(shards) - set(_shards(profile)):
                raise UnknownStage(f"there is no shard {unknown.pop()!r}; the shards are {', '.join(_shards(profile))}")
            steps += [Step((stage,), shard) for shard in shards]
        else:
            date = profile.release.demo_date.isoformat() if partition is None else partition
            dates = release_dates(profile).get_partition_keys()
            if date not in dates:
                allowed = f"{dates[0]} to {dates[-1]}" if dates else f"none before {profile.release.first_date}"
                raise UnknownStage(f"there is no release date {date!r}; the dates are {allowed}")
            steps.append(Step((stage,), date))
    return steps


def _upstream(stages: Collection[str], profile: Profile) -> set[str]:
    """Return the stages that ``stages`` are made from, by the graph."""
    from orchestration.definitions import all_assets

    wanted = dg.AssetSelection.assets(*(dg.AssetKey(stage.split("/")) for stage in stages)).upstream()
    return {key.to_user_string() for key in wanted.resolve(all_assets(profile))} & set(STAGES)


def run_steps(steps: Sequence[Step], workbench: Workbench, instance: dg.DagsterInstance) -> Iterator[Outcome]:
    """Materialise ``steps`` one after the other in this process and yield what was made.

    Raises:
        Interrupted: this process was asked to end; what was made stays.
        StageFailed: a stage failed or a blocking check did; nothing after it was run.
    """
    from orchestration.definitions import all_assets

    close_abandoned_runs(instance)
    assets = all_assets(workbench.profile)
    for step in steps:
        keys = [dg.AssetKey(stage.split("/")) for stage in step.stages]
        result = dg.materialize(
            assets,
            selection=dg.AssetSelection.assets(*keys),
            partition_key=step.partition,
            instance=instance,
            resources={"workbench": dg.ResourceDefinition.hardcoded_resource(workbench)},
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            raise_on_error=False,
            tags={"lifeloom/profile": workbench.profile.name, PID_TAG: str(os.getpid())},
        )
        if not result.success:
            if _interrupted(result):
                raise Interrupted("stopped; nothing that was made is lost, run it again to go on")
            raise StageFailed(f"{', '.join(step.stages)}{_on(step)}: {_why(result)}")
        yield from _outcomes(result, step)


def close_abandoned_runs(instance: dg.DagsterInstance) -> int:
    """Mark runs of processes that were killed as failed and free the pool slots they held; return how many.

    Dagster's daemon does this for runs that it launched. Runs in a process of our own carry its id, and without
    this their slots would be held for ever.
    """
    closed = 0
    unfinished = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.NOT_STARTED]
    for run in instance.get_runs(dg.RunsFilter(statuses=unfinished)):
        pid = run.tags.get(PID_TAG)
        if pid is None or psutil.pid_exists(int(pid)):
            continue
        instance.report_run_failed(run, f"process {pid} ended in the middle of it")
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
        closed += 1
    return closed


def _interrupted(result: dg.ExecuteInProcessResult) -> bool:
    errors = [event.step_failure_data.error for event in result.all_events if event.is_step_failure]
    return any("Interrupted" in (error.cls_name or "") for error in errors if error is not None)


def _on(step: Step) -> str:
    return f" ({step.partition})" if step.partition else ""


def _why(result: dg.ExecuteInProcessResult) -> str:
    """Return the innermost message of the first failure."""
    for event in result.all_events:
        if event.is_step_failure:
            data = event.step_failure_data
            if data.user_failure_data and data.user_failure_data.description:
                return str(data.user_failure_data.description)
            error = data.error
            if error is not None and error.cause is not None:
                error = error.cause  # Dagster's own wrapper comes first
            return "unknown" if error is None else re.sub(r"^[\w.]+: ", "", error.message.strip())
    return "the run failed before its first step; see its page in Dagster"


def _outcomes(result: dg.ExecuteInProcessResult, step: Step) -> Iterator[Outcome]:
    seconds = {
        event.step_key: event.step_success_data.duration_ms / 1000
        for event in result.all_events
        if event.is_step_success
    }
    for event in result.get_asset_materialization_events():
        materialization = event.step_materialization_data.materialization
        metadata = materialization.metadata
        yield Outcome(
            asset=materialization.asset_key.to_user_string(),
            partition=step.partition,
            reused=bool(metadata["reused"].value),
            seconds=seconds.get(event.step_key, 0.0),
            rows=int(str(metadata["dagster/row_count"].value)),
            left_out=_left_out(metadata),
        )


def _left_out(metadata: Mapping[str, dg.MetadataValue[Any]]) -> str:
    value = metadata[LEFT_OUT].value if LEFT_OUT in metadata else "nothing"
    return "" if value == "nothing" else str(value)
