"""The report of a release's Life-Bench: tables, figures, and where the life graph leads or lags, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.life_bench.figures import accuracy_figure, references_figure, sweep_figure
from evaluation.life_bench.running import LifeTiming
from evaluation.life_bench.tables import (
    accuracy_table,
    beside_paper,
    depth_table,
    recall_table,
)
from evaluation.report_runs import ReportPage
from lifeloom.records import LIFE_TASKS, LifePrediction, LifeQuestion, LifeScore

__all__ = ["leads", "life_report"]

_SAMPLES = 2_000


def life_report(
    questions: Sequence[LifeQuestion],
    predictions: Mapping[str, Sequence[LifePrediction]],
    scores: Sequence[LifeScore],
    timings: Mapping[str, Sequence[LifeTiming]],
    *,
    by_depth: Mapping[int, Sequence[LifeScore]],
    by_width: Mapping[int, Sequence[LifeScore]],
    agreement: str,
    seed: int,
) -> ReportPage:
    """Return the report of the policies that were scored on one release.

    Args:
        questions: of the release.
        predictions: by policy.
        scores: of all policies.
        timings: by policy; none where they were not measured here.
        by_depth: scores of the graph search at k 3 by its depth limit; empty: not swept.
        by_width: scores at d 2 by width; empty: not swept.
        agreement: how far the judge agrees with people on the labelled set, as Markdown.
        seed: of the resampling.
    """
    tables = {
        "Accuracy (Tables 3 and 4)": accuracy_table(scores),
        "Beside the paper": beside_paper(scores),
        "Recall of events at 3 and 5": recall_table(scores),
        "Where the life graph leads": leads(questions, predictions, seed=seed),
        "Tokens and seconds a question": _cost_table(scores, timings),
        "The judge on a labelled set": agreement,
    }
    figures = {"accuracy": lambda: accuracy_figure(scores)}
    if by_depth or by_width:
        figures["depth and width"] = lambda: sweep_figure(by_depth, by_width)
        depths = {
            limit: one.mean_rounds
            for limit, own in by_depth.items()
            for one in own
            if one.task == "all" and one.mean_rounds is not None
        }
        tables["Effective depth (Table 5)"] = depth_table(depths)
    plain, without = "lifegraph-d3-k5", "lifegraph-d3-k5-norefs"
    if {plain, without} <= {one.policy for one in scores}:
        with_references = [one for one in scores if one.policy == plain]
        bare = [one for one in scores if one.policy == without]
        figures["without references"] = lambda: references_figure(with_references, bare)
    metrics = {f"{one.policy}/{one.task}": one.value for one in scores if one.difficulty == "all"}
    return ReportPage(title="Life-Bench", tables=tables, figures=figures, metrics=metrics)


def leads(questions: Sequence[LifeQuestion], predictions: Mapping[str, Sequence[LifePrediction]], *, seed: int) -> str:
    """Return, task by task, the best LifeGraph policy of the paper's kind against the best baseline, paired.

    Counting and ordering over the graph (``-tools``) is not the paper's method: it has columns of its own.
    """
    right = {name: {one.question_id: float(one.correct) for one in own} for name, own in predictions.items()}
    graphs = [name for name in right if name.startswith("lifegraph") and not name.endswith(("-tools", "-norefs"))]
    tools = [name for name in right if name.endswith("-tools")]
    others = [name for name in right if not name.startswith("lifegraph")]
    if not graphs or not others:
        return "needs a LifeGraph policy and a baseline"
    rng = np.random.default_rng(seed)
    lines = [
        "| task | best life graph | best baseline | difference | with counting and ordering | difference |",
        "|---|---|---|---|---|---|",
    ]
    for task in LIFE_TASKS:
        ids = [one.question_id for one in questions if one.task == task]
        if not ids:
            continue
        mean = {name: float(np.mean([own.get(one, 0.0) for one in ids])) for name, own in right.items()}
        graph, other = max(graphs, key=mean.__getitem__), max(others, key=mean.__getitem__)
        cells = [
            f"{graph} {mean[graph]:.3f}",
            f"{other} {mean[other]:.3f}",
            _paired(right[graph], right[other], ids, rng),
        ]
        if tools:
            best = max(tools, key=mean.__getitem__)
            cells += [f"{best} {mean[best]:.3f}", _paired(right[best], right[other], ids, rng)]
        else:
            cells += ["", ""]
        lines.append(f"| {task.replace('_', ' ')} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _paired(one: Mapping[str, float], other: Mapping[str, float], ids: Sequence[str], rng: np.random.Generator) -> str:
    """Return the mean difference over the same questions, with its 95 % bootstrap interval."""
    gaps = np.array([one.get(name, 0.0) - other.get(name, 0.0) for name in ids])
    # A question is lost, drawn or won, so a resample draws how many of each.
    kinds, counts = np.unique(gaps, return_counts=True)
    drawn = rng.multinomial(len(gaps), counts / len(gaps), size=_SAMPLES) @ kinds / len(gaps)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{gaps.mean():+.3f} [{low:+.2f}, {high:+.2f}]"


def _cost_table(scores: Sequence[LifeScore], timings: Mapping[str, Sequence[LifeTiming]]) -> str:
    lines = ["| method | prompt tokens | answer tokens | seconds |", "|---|---|---|---|"]
    for one in scores:
        if one.task == "all":
            measured = [row.seconds for row in timings.get(one.policy, ())]
            seconds = f"{np.mean(measured):.3f}" if measured else "-"
            lines.append(f"| {one.policy} | {one.prompt_tokens:,.0f} | {one.completion_tokens:,.1f} | {seconds} |")
    return "\n".join(lines)
