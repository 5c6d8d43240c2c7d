"""Figures and MLflow runs of a benchmark: one run a policy and release, and one for the audit of a release."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaluation.audit import AuditReport, audit_page
from evaluation.persona_mme import BENCHMARK, BENCHMARK_VERSION, expected_answer
from lifeloom.records import BenchmarkCase, Prediction, Score
from lifeloom.store import Manifest
from lifeloom.tracking import DatasetInput, Tracker

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "AUDIT_PAGE",
    "INLINE_BYTES",
    "audit_page_address",
    "inlined",
    "inlined_together",
    "log_audit_run",
    "log_policy_run",
    "score_figure",
    "score_figure_markdown",
]

INLINE_BYTES = 30_000
"""Largest inlined picture, as the text that holds it: Dagster keeps it with every materialisation."""

AUDIT_PAGE = "audit.html"
"""Artifact of an audit's run."""

_DOTS = (90, 70, 50, 35)
"""Dots an inch that are tried for an inlined figure."""

_COLOURS = ("#8c8c8c", "#3b6fb6", "#d9822b", "#4f9d69", "#9b59b6", "#c0392b")


def score_figure(scores: Sequence[Score], *, setting: str = "all") -> Figure:
    """Draw tasks x policies: bars with 95 % intervals, a line at chance. Of the blind attackers only the best is drawn.

    Raises:
        ValueError: there are no scores of ``setting`` to draw.
    """
    from matplotlib.figure import Figure

    rows = [
        score
        for score in scores
        if score.setting == setting
        and (score.task != "all" or score.aspect == "all")
        and not score.policy.startswith("blind_")
    ]
    if not rows:
        raise ValueError(f"no scores of setting {setting!r} to draw")
    tasks = [*sorted({s.task for s in rows if s.task != "all"}), "all"]
    policies = list(dict.fromkeys(s.policy for s in rows))
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(policies)
    for number, policy in enumerate(policies):
        own = {s.task: s for s in rows if s.policy == policy}
        shown = [task for task in tasks if task in own]
        places = [tasks.index(task) - 0.4 + width * (number + 0.5) for task in shown]
        values = [100 * own[task].value for task in shown]
        spread = [  # never below 0: a bound may miss the value it equals by a rounding
            [max(0.0, 100 * (own[task].value - own[task].interval_low)) for task in shown],
            [max(0.0, 100 * (own[task].interval_high - own[task].value)) for task in shown],
        ]
        colour = _COLOURS[number % len(_COLOURS)]
        axes.bar(places, values, width * 0.92, label=policy, color=colour, yerr=spread, capsize=2, ecolor="#444444")
    for place, task in enumerate(tasks):
        chance = next(100 * s.chance for s in rows if s.task == task)
        axes.hlines(chance, place - 0.45, place + 0.45, colors="black", linestyles="dotted", linewidth=1)
    axes.set_xticks(range(len(tasks)), tasks)
    axes.set_ylim(0, 100)
    axes.set_ylabel("accuracy, %")
    axes.set_title(
        f"{BENCHMARK} {rows[0].release_id}, setting {setting}; dotted: chance; bars: 95 % intervals", fontsize=9
    )
    axes.legend(ncols=len(policies), fontsize=8, frameon=False, loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def score_figure_markdown(scores: Sequence[Score]) -> str:
    """Return the figure as an inlined picture of at most ``INLINE_BYTES``, for an asset's metadata.

    Raises:
        ValueError: there are no scores to draw, or so many policies that no picture is small enough.
    """
    return inlined(lambda: score_figure(scores), "accuracy by task and policy")


def inlined(draw: Callable[[], Figure], told: str, limit: int = INLINE_BYTES) -> str:
    """Return a figure as Markdown that holds it as a picture, at most ``limit`` long, for an asset's metadata.

    Args:
        draw: makes the figure, anew for each size that is tried.
        told: stands where the picture cannot be shown.
        limit: characters.

    Raises:
        ValueError: no size is small enough.
    """
    return inlined_together({told: draw}, limit)[told]


def inlined_together(figures: Mapping[str, Callable[[], Figure]], limit: int = INLINE_BYTES) -> dict[str, str]:
    """Return figures as Markdown as ``inlined`` does, by what is told, all together at most ``limit`` long.

    The largest is made smaller until they fit.

    Raises:
        ValueError: no sizes are small enough.
    """
    sizes = dict.fromkeys(figures, 0)
    made = {told: _inlined(draw(), told, 0) for told, draw in figures.items()}
    while sum(map(len, made.values())) > limit:
        shrinkable = [told for told in made if sizes[told] + 1 < len(_DOTS)]
        if not shrinkable:
            raise ValueError(f"figures do not fit into an asset's metadata: {', '.join(figures)}")
        largest = max(shrinkable, key=lambda told: len(made[told]))
        sizes[largest] += 1
        made[largest] = _inlined(figures[largest](), largest, sizes[largest])
    return made


def _inlined(figure: Figure, told: str, size: int) -> str:
    data = base64.b64encode(_small_png(figure, _DOTS[size])).decode()
    return f"![{told}](data:image/png;base64,{data})"


def _small_png(figure: Figure, dots: int) -> bytes:
    from PIL import Image

    for axes in figure.axes:
        for line in axes.lines:
            line.set_antialiased(False)  # the shades along smooth curves would be most of the bytes
    raw = io.BytesIO()
    figure.savefig(raw, format="png", dpi=dots)
    out = io.BytesIO()
    Image.open(raw).convert("RGB").quantize(32).save(out, format="png", optimize=True)
    return out.getvalue()


def log_policy_run(
    tracker: Tracker,
    *,
    policy: str,
    release: str,
    cases: Sequence[BenchmarkCase],
    predictions: Sequence[Prediction],
    scores: Sequence[Score],
    all_scores: Sequence[Score],
    seconds: Sequence[float],
    costs: Mapping[str, float],
    dataset: Manifest,
    predictions_hash: str,
    parameters: Mapping[str, str | int | float],
    tags: Mapping[str, str],
    bootstrap_samples: int,
    now_ms: int,
    metrics: Mapping[str, float] | None = None,
) -> str:
    """Log one run of ``policy`` on ``release`` and return its id; an earlier finished one is returned as it is.

    Args:
        tracker: MLflow.
        policy: name of the policy.
        release: date of the release.
        cases: the release's cases.
        predictions: of this policy (for ``blind``: of every attacker).
        scores: of this policy.
        all_scores: of all policies, for the figure.
        seconds: a case, where they were measured.
        costs: what the policy's calls to models took, over all runs, as metrics; none for ``blind``, whose
            attackers the audit asks.
        dataset: manifest of the cases, logged as the run's input.
        predictions_hash: content hash of the predictions; with release, policies and bootstrap the run's identity.
        parameters: what the policy was run with.
        tags: back to the Dagster run and asset.
        bootstrap_samples: behind the intervals.
        now_ms: time of the metrics, milliseconds since 1970.
        metrics: further ones, by name, part of the run's identity.

    Raises:
        TrackerUnavailable: MLflow cannot be used.
        ValueError: there are no scores or no predictions of the policy.
        DatasetMissing: ``dataset`` has no table of cases.
    """
    if not scores or not predictions:
        raise ValueError(f"{policy} has no scores or predictions of {release} to log")
    rows = dataset.table("cases").rows
    compared = "+".join(dict.fromkeys(score.policy for score in all_scores if not score.policy.startswith("blind_")))
    identity = {
        "lifeloom.policy": policy,
        "lifeloom.release": release,
        "lifeloom.predictions": predictions_hash,
        "lifeloom.compared": compared,  # the figure shows these
        "lifeloom.bootstrap_samples": str(bootstrap_samples),
    }
    if metrics:  # they compare it with others, whose predictions may change while its own stay
        identity["lifeloom.metrics"] = hashlib.sha256(repr(sorted(metrics.items())).encode()).hexdigest()[:16]
    done = tracker.find(BENCHMARK, identity)
    if done is not None:
        return done
    with tracker.run(BENCHMARK, f"{policy} {release}", {**tags, **identity}) as run:
        first = scores[0]
        run.parameters(
            {
                "policy": policy,
                "policy_fingerprint": first.policy_fingerprint,
                "release": release,
                "backend": first.backend,
                "model": first.model,
                "benchmark_version": BENCHMARK_VERSION,
                "code_revision": first.code_revision,
                "seed": first.seed,
                **parameters,
            }
        )
        measured = {**_metrics(scores, seconds, len(cases)), **_requests(cases, predictions)}
        run.metrics({**measured, **costs, **(metrics or {})}, timestamp_ms=now_ms)
        run.dataset(DatasetInput(dataset.key, dataset.content_hash[:16], dataset.key, rows))
        run.table(list(_case_rows(cases, predictions)), "cases.json")
        run.figure(score_figure(all_scores), "accuracy.png")
        for setting in sorted({score.setting for score in all_scores} - {"all"}):
            run.figure(score_figure(all_scores, setting=setting), f"accuracy_{setting}.png")
    return run.run_id


def log_audit_run(
    tracker: Tracker,
    report: AuditReport,
    *,
    costs: Mapping[str, float],
    dataset: Manifest,
    parameters: Mapping[str, Any],
    tags: Mapping[str, str],
    now_ms: int,
) -> str:
    """Log the audit of a release as a run with its page and return its id; an earlier run with this page is kept.

    The benchmark's name is the experiment, as for its policies.

    Args:
        tracker: MLflow.
        report: what was found.
        costs: what the audit's calls to models took, over all runs, as metrics.
        dataset: manifest of the cases, logged as the run's input.
        parameters: what the audit was run with.
        tags: back to the Dagster run and asset.
        now_ms: time of the metrics, milliseconds since 1970.

    Raises:
        TrackerUnavailable: MLflow cannot be used.
        ValueError: the report has no verdicts.
        DatasetMissing: ``dataset`` has no table of cases.
    """
    page = audit_page(report)
    rows = dataset.table("cases").rows
    identity = {
        "lifeloom.pages": "audit",
        "lifeloom.release": report.release_id,
        "lifeloom.content": hashlib.sha256(page.encode()).hexdigest(),
    }
    done = tracker.find(report.benchmark, identity)
    if done is not None:
        return done
    verdicts = {"lifeloom.verdict": report.verdict, "lifeloom.stability": report.stability_verdict or "not measured"}
    with tracker.run(report.benchmark, f"audit {report.release_id}", {**tags, **identity, **verdicts}) as run:
        run.parameters({"release": report.release_id, "minimum_cases": report.minimum_cases, **parameters})
        run.metrics({**_audit_metrics(report), **costs}, timestamp_ms=now_ms)
        run.dataset(DatasetInput(dataset.key, dataset.content_hash[:16], dataset.key, rows))
        run.text(page, AUDIT_PAGE)
    return run.run_id


def audit_page_address(tracker: Tracker, run_id: str, server: str) -> str:
    """Return where the MLflow server at ``server`` shows the page of an audit's run."""
    return f"{tracker.page(run_id, server)}/artifacts/{AUDIT_PAGE}"


def _audit_metrics(report: AuditReport) -> dict[str, float]:
    """Return blind accuracies by policy and task, and the differences that perturbations made, in points."""
    metrics: dict[str, float] = {}
    for row in report.accuracies:
        part = "overall" if row.task == "all" else row.task
        metrics[f"blind/{row.policy}/{part}"] = row.accuracy
    for changed in report.stability:
        metrics[f"perturbed/{changed.perturbation}/difference"] = changed.difference
        metrics[f"perturbed/{changed.perturbation}/changed"] = changed.changed
    return metrics


def _metrics(scores: Sequence[Score], seconds: Sequence[float], cases: int) -> dict[str, float]:
    """Return metrics by name; MLflow groups names by their slashes."""
    metrics: dict[str, float] = {}
    for score in scores:
        part = score.task if score.task != "all" else (score.aspect if score.aspect != "all" else "overall")
        name = f"accuracy/{score.setting}/{part}" if score.setting != "all" else f"accuracy/{part}"
        metrics[name] = score.value
        if part == "overall":
            metrics[f"{name}_low"] = score.interval_low
            metrics[f"{name}_high"] = score.interval_high
            suffix = "" if score.setting == "all" else f"/{score.setting}"
            metrics[f"prompt_tokens_per_case{suffix}"] = score.prompt_tokens_per_case
            metrics[f"missing{suffix}"] = score.missing
    if seconds:
        metrics["seconds_per_case"] = sum(seconds) / cases
    return metrics


def _requests(cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction]) -> dict[str, float]:
    """Return the tokens of prompts and completions a question, over all settings and in each."""
    setting_of = {case.case_id: case.setting for case in cases}
    metrics: dict[str, float] = {}
    for setting in ("", *sorted(set(setting_of.values()))):
        own = [one for one in predictions if setting in ("", setting_of[one.case_id])]
        if own:
            tokens = sum(one.prompt_tokens + one.completion_tokens for one in own)
            metrics["tokens_per_request" + (f"/{setting}" if setting else "")] = tokens / len(own)
    return metrics


def _case_rows(cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction]) -> Iterator[dict[str, Any]]:
    by_id = {case.case_id: case for case in cases}
    for prediction in predictions:
        case = by_id[prediction.case_id]
        asked = case.query
        if prediction.question != "choice" and case.alignment is not None:
            chosen = prediction.question == "alignment_chosen"
            asked = f"{case.query} → {case.alignment.chosen if chosen else case.alignment.rejected}"
        options = " / ".join(f"({option.letter}) {option.text}" for option in case.options)
        yield {
            "case": case.case_id,
            "persona": case.persona_id,
            "setting": case.setting,
            "task": case.task if prediction.question == "choice" else "PA",
            "question": asked,
            "options": options if prediction.question == "choice" else "yes / no",
            "expected": expected_answer(case, prediction.question),
            "answer": prediction.answer,
            "correct": prediction.correct,
            "failure": prediction.failure,
            "policy": prediction.policy,
            "evidence turns": ", ".join(map(str, case.evidence_turns)),
            "prompt tokens": prediction.prompt_tokens,
        }
