"""Jobs and schedules: the demo's lineage, the corpus, and the nightly release."""

from collections.abc import Sequence
from typing import Any

import dagster as dg

__all__ = ["jobs_and_schedules"]

_SEEDS = dg.AssetSelection.groups("seeds")


def jobs_and_schedules() -> tuple[Sequence[Any], Sequence[Any]]:
    """Return all jobs and all schedules, as ``dg.Definitions`` takes them."""
    corpus = dg.define_asset_job(
        "corpus",
        selection=_SEEDS | dg.AssetSelection.groups("corpus"),
        description="Seeds and one shard of the training corpus; backfill it over all shards.",
    )
    nightly = dg.define_asset_job(
        "nightly_release",
        selection=_SEEDS | dg.AssetSelection.groups("reference", "release", "scores"),
        description="One dated release from seeds not used before, audited and scored.",
    )
    schedule: Any = dg.build_schedule_from_partitioned_job(
        nightly,
        name="nightly_release_schedule",
        hour_of_day=2,
        description="Makes last night's release and scores it. Switch it on where the daemon runs.",
    )
    return [demo, corpus, nightly], [schedule]


@dg.op(required_resource_keys={"workbench"}, description="Runs every stage in this process, one after the other.")
def run_demo(context: dg.OpExecutionContext) -> None:
    """Run the whole lineage as `lifeloom demo` does."""
    from orchestration.lineage import demo_steps, run_steps

    workbench = context.resources.workbench
    for outcome in run_steps(demo_steps(workbench.profile), workbench, context.instance):
        context.log.info("%s: %s in %.1f s", outcome.asset, "reused" if outcome.reused else "made", outcome.seconds)


@dg.job(description="The whole lineage on the profile's demo release, as `lifeloom demo` runs it.")
def demo() -> None:
    """Run the whole lineage."""
    run_demo()
