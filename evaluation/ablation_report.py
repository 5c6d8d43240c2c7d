"""The memory agent, its ablations and the baselines: all that is measured of a release, as tables, figures and runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.ablations import (
    AGENT,
    EPISODE_VARIANTS,
    GRAPH_VARIANT,
    PART_VARIANTS,
    ComponentRank,
    PolicyDifference,
    TopicPoint,
    compare_policies,
    episodic_topics,
    rank_memories,
    setting_order,
)
from evaluation.efficiency import BASELINE, Efficiency, measure_efficiency
from evaluation.memory_counting import CountingScore, counting_table
from evaluation.memory_figures import difference_figure, topics_figure
from evaluation.memory_tables import (
    aspect_table,
    difference_table,
    efficiency_table,
    graph_table,
    rank_lines,
    task_table,
    topics_table,
)
from evaluation.paper_shape import ShapeLine, beside_the_paper, shape_table
from evaluation.persona_mme import BENCHMARK, CaseTiming
from evaluation.report_runs import ReportPage
from evaluation.reports import log_policy_run
from lifeloom.records import BenchmarkCase, Prediction, Score
from lifeloom.store import Manifest
from lifeloom.tracking import Tracker

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["AblationReport", "PolicyRunData", "ablation_page", "log_ablation_runs", "make_ablation_report"]

_ONE_TOPIC = "agent_episodes_1"
_PLAIN = "agent_without_reasoning"


@dataclass(frozen=True)
class AblationReport:
    """What was measured of one release."""

    release_id: str
    scores: tuple[Score, ...]
    """Of all policies."""
    to_agent: tuple[PolicyDifference, ...]
    """Of the variants to the whole agent (PersonaVLM Table 8)."""
    to_full_context: tuple[PolicyDifference, ...]
    """Of the agent and RAG to full context; empty where it was not asked."""
    to_one_topic: tuple[PolicyDifference, ...]
    """Of more episodic topics to a single one."""
    ranks: tuple[ComponentRank, ...]
    topics: tuple[TopicPoint, ...]
    efficiency: tuple[Efficiency, ...]
    """Beside full context (PersonaVLM Table 11), and the agent's beside its own without reasoning."""
    counting: tuple[CountingScore, ...] = ()
    """Of the agent without and with the memory graph, on counting questions; empty: not asked."""

    @property
    def differences(self) -> tuple[PolicyDifference, ...]:
        """Return all differences, each policy compared with each other one once."""
        return (*self.to_agent, *self.to_full_context, *self.to_one_topic)

    @property
    def shape(self) -> list[ShapeLine]:
        """Return the paper's findings beside these."""
        return beside_the_paper(self.to_agent, self.to_full_context, self.to_one_topic, self.ranks, self.efficiency)


@dataclass(frozen=True)
class PolicyRunData:
    """What belongs to a policy's run in MLflow beside its predictions."""

    predictions_hash: str
    """Content hash of the data set of predictions."""
    parameters: Mapping[str, str | int | float]
    """What the policy was run with."""
    costs: Mapping[str, float]
    """What its calls to models took, as metrics."""


def make_ablation_report(
    cases: Sequence[BenchmarkCase],
    predictions: Mapping[str, Sequence[Prediction]],
    timings: Mapping[str, Sequence[CaseTiming]],
    scores: Sequence[Score],
    *,
    seed: int,
    bootstrap_samples: int,
) -> AblationReport:
    """Compare the agent with its variants and with the baselines.

    Args:
        cases: cases of one release.
        predictions: by policy: the agent, and whatever variants and baselines were asked.
        timings: by policy, where they were measured.
        scores: of the same policies; those of blind attackers may be among them, and are shown beside.
        seed: seed of the intervals.
        bootstrap_samples: resamples behind an interval.

    Raises:
        ValueError: the agent has no predictions, or something belongs to other cases.
    """
    names = (AGENT, *PART_VARIANTS, GRAPH_VARIANT, *EPISODE_VARIANTS)
    variants = {name: predictions[name] for name in names if name in predictions}
    against_full = {name: predictions[name] for name in (BASELINE, AGENT, "rag") if name in predictions}
    topics = {name: predictions[name] for name in EPISODE_VARIANTS if name in predictions}
    reasoning = {name: predictions[name] for name in (AGENT, _PLAIN) if name in predictions}

    def compared(some: Mapping[str, Sequence[Prediction]], against: str) -> tuple[PolicyDifference, ...]:
        return tuple(compare_policies(cases, some, against=against, seed=seed, bootstrap_samples=bootstrap_samples))

    def taken(some: Mapping[str, Sequence[Prediction]], against: str) -> list[Efficiency]:
        return measure_efficiency(cases, some, timings, against=against, seed=seed, bootstrap_samples=bootstrap_samples)

    beside_plain = [row for row in taken(reasoning, _PLAIN) if row.policy == AGENT] if _PLAIN in reasoning else []
    return AblationReport(
        release_id=cases[0].release_id if cases else "",
        scores=tuple(scores),
        to_agent=compared(variants, AGENT),
        to_full_context=compared(against_full, BASELINE) if BASELINE in against_full else (),
        to_one_topic=compared(topics, _ONE_TOPIC) if _ONE_TOPIC in topics else (),
        ranks=tuple(rank_memories(cases, variants, seed=seed, bootstrap_samples=bootstrap_samples)),
        topics=tuple(episodic_topics(scores)),
        efficiency=(*taken(predictions, BASELINE), *beside_plain),
    )


def ablation_page(report: AblationReport) -> ReportPage:
    """Return the report's tables (at most about 20 rows each), figures and metrics."""
    settings = sorted({row.setting for row in report.scores}, key=setting_order)
    beside_full = [row for row in report.efficiency if row.against == BASELINE]
    tables = {
        **{f"accuracy by aspect, {setting}": aspect_table(report.scores, setting) for setting in settings},
        "accuracy by task": task_table(report.scores),
        **{
            f"points above {AGENT}, {setting}": difference_table(report.to_agent, setting)
            for setting in settings
            if report.to_agent
        },
        "which memory matters most": rank_lines(report.ranks),
        **(
            {"with and without the graph": graph_table(report.to_agent, beside_full)}
            if any(row.policy == GRAPH_VARIANT for row in report.to_agent)
            else {}
        ),
        **({"counting, with and without the graph": counting_table(report.counting)} if report.counting else {}),
        **({"episodic topics": topics_table(report.topics)} if report.topics else {}),
        "tokens and seconds a request": efficiency_table(beside_full),
        **{
            f"beside the paper, {setting}": shape_table([line for line in report.shape if line.setting == setting])
            for setting in dict.fromkeys(line.setting for line in report.shape)
        },
    }
    figures: dict[str, Callable[[], Figure]] = {}
    if any(row.policy in PART_VARIANTS for row in report.to_agent):
        figures["what each part is worth"] = lambda: difference_figure(report.to_agent)
    if report.topics:
        figures["accuracy by episodic topics"] = lambda: topics_figure(report.topics)
    return ReportPage(
        title=f"The memory agent and its ablations, {BENCHMARK} {report.release_id}",
        tables=tables,
        figures=figures,
        metrics=_metrics(report),
    )


def log_ablation_runs(
    tracker: Tracker,
    report: AblationReport,
    *,
    cases: Sequence[BenchmarkCase],
    predictions: Mapping[str, Sequence[Prediction]],
    timings: Mapping[str, Sequence[CaseTiming]],
    runs: Mapping[str, PolicyRunData],
    dataset: Manifest,
    tags: Mapping[str, str],
    bootstrap_samples: int,
    now_ms: int,
) -> dict[str, str]:
    """Log a run for the agent and each variant, with the metric names of every other policy, and return their ids.

    Differences and tokens beside full context come in addition. The agent's run is kept where the benchmark's scores
    have already logged one of these predictions.

    Args:
        tracker: MLflow.
        report: what was measured.
        cases: the release's cases.
        predictions: by policy.
        timings: by policy, where they were measured.
        runs: what else belongs to the run of each variant, by policy.
        dataset: manifest of the cases.
        tags: back to the Dagster run and asset.
        bootstrap_samples: behind the intervals.
        now_ms: time of the metrics, milliseconds since 1970.

    Raises:
        TrackerUnavailable: MLflow cannot be used.
        ValueError: there are no scores or no predictions of a policy.
        DatasetMissing: ``dataset`` has no table of cases.
    """
    logged: dict[str, str] = {}
    for policy, data in runs.items():
        known = {
            "lifeloom.policy": policy,
            "lifeloom.release": report.release_id,
            "lifeloom.predictions": data.predictions_hash,
            "lifeloom.bootstrap_samples": str(bootstrap_samples),
        }
        done = tracker.find(BENCHMARK, known) if policy == AGENT else None
        logged[policy] = done or log_policy_run(
            tracker,
            policy=policy,
            release=report.release_id,
            cases=cases,
            predictions=predictions[policy],
            scores=[score for score in report.scores if score.policy == policy],
            all_scores=[score for score in report.scores if score.policy in (AGENT, policy)],
            seconds=[timing.seconds for timing in timings.get(policy, ())],
            costs=data.costs,
            dataset=dataset,
            predictions_hash=data.predictions_hash,
            parameters=data.parameters,
            tags=tags,
            bootstrap_samples=bootstrap_samples,
            now_ms=now_ms,
            metrics=_own_metrics(report, policy),
        )
    return logged


def _own_metrics(report: AblationReport, policy: str) -> dict[str, float]:
    """Return a policy's differences to the agent, and its tokens and seconds a request beside full context."""
    metrics: dict[str, float] = {}
    for row in report.to_agent:
        if row.policy == policy and row.task == "all":
            part = "overall" if row.aspect == "all" else row.aspect
            name = "/".join(["difference", *([row.setting] if row.setting != "all" else []), part])
            metrics[name] = row.difference
            if part == "overall":
                metrics[f"{name}_low"], metrics[f"{name}_high"] = row.interval_low, row.interval_high
    for taken in report.efficiency:
        if taken.policy == policy and taken.against == BASELINE:
            suffix = "" if taken.setting == "all" else f"/{taken.setting}"
            for name, value in (
                ("seconds_per_request", taken.seconds),
                ("percent_fewer_tokens", taken.fewer_tokens),
                ("times_as_fast", taken.speed),
            ):
                if value is not None:
                    metrics[f"{name}{suffix}"] = value
    return metrics


def _metrics(report: AblationReport) -> dict[str, float]:
    """Return what the runs of reports are compared by: overall numbers; those by aspect stand in the policies' runs."""
    found = {
        f"{policy}/{name}": value
        for policy in (AGENT, *PART_VARIANTS, GRAPH_VARIANT, *EPISODE_VARIANTS)
        for name, value in _own_metrics(report, policy).items()
        if not name.startswith("difference/") or "overall" in name
    }
    shares = {f"matters_most/{row.setting}/{row.component}": row.largest_share for row in report.ranks}
    counted = {f"counting/{row.policy}/{row.counted}": row.value for row in report.counting}
    return {**found, **shares, **counted}
