"""The report of a release's Life-Bench: tables, figures, and where the life graph leads or lags, with intervals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.life_bench.figures import accuracy_figure, depth_figure, references_figure, sweep_figure
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
_SIZED = re.compile(r"(?P<kind>[a-z0-9-]+?)(?:-d(?P<depth>\d+))?-k(?P<width>\d+)(?P<option>-[a-z-]+)?")
"""A policy's name: its kind, how far it looks, and what is otherwise about it."""


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
        if depths:
            figures["effective depth"] = lambda: depth_figure(depths)
    plain, without = "lifegraph-d3-k5", "lifegraph-d3-k5-norefs"
    if {plain, without} <= {one.policy for one in scores}:
        with_references = [one for one in scores if one.policy == plain]
        bare = [one for one in scores if one.policy == without]
        figures["without references"] = lambda: references_figure(with_references, bare)
    metrics = {f"{one.policy}/{one.task}": one.value for one in scores if one.difficulty == "all"}
    return ReportPage(title="Life-Bench", tables=tables, figures=figures, metrics=metrics)


def leads(questions: Sequence[LifeQuestion], predictions: Mapping[str, Sequence[LifePrediction]], *, seed: int) -> str:
    """Return, task by task, the life graph against each baseline and against itself with counting and ordering.

    Nothing is picked by its score: the graph is the deepest and widest of the paper's kind that was scored, a baseline
    the one of its kind at the same k, or the largest. Differences are paired, 95 % intervals resample questions within
    Vaccounts; behind them stands on how many Vaccounts the life graph is ahead.
    """
    right = {name: {one.question_id: float(one.correct) for one in own} for name, own in predictions.items()}
    sized = {name: match for name in right if (match := _SIZED.fullmatch(name)) is not None}
    graphs = [name for name, match in sized.items() if match["depth"] and not match["option"]]
    if not graphs or len(graphs) == len(sized):
        return "needs a LifeGraph policy and a baseline"
    graph = max(graphs, key=lambda name: (int(sized[name]["depth"]), int(sized[name]["width"])))
    width = int(sized[graph]["width"])
    baselines: dict[str, str] = {}
    for name, match in sorted(sized.items(), key=lambda one: (int(one[1]["width"]) == width, int(one[1]["width"]))):
        if not match["depth"]:
            baselines[match["kind"]] = name  # the last stays: the one at the same k, else the largest
    others = [
        *(baselines[kind] for kind in sorted(baselines)),
        *(name for name in (f"{graph}-norefs", f"{graph}-tools") if name in right),
    ]
    rng = np.random.default_rng(seed)
    lines = [
        f"| task | {graph} | " + " | ".join(f"ahead of {name}" for name in others) + " |",
        "|---" * (len(others) + 2) + "|",
    ]
    for task in LIFE_TASKS:
        by_life: dict[str, list[str]] = {}
        for one in questions:
            if one.task == task:
                by_life.setdefault(one.vaccount_id, []).append(one.question_id)
        if not by_life:
            continue
        mean = float(np.mean([right[graph].get(name, 0.0) for own in by_life.values() for name in own]))
        cells = [_paired(right[graph], right[other], by_life, rng) for other in others]
        lines.append(f"| {task.replace('_', ' ')} | {mean:.3f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _paired(
    one: Mapping[str, float],
    other: Mapping[str, float],
    by_life: Mapping[str, Sequence[str]],
    rng: np.random.Generator,
) -> str:
    """Return the mean difference over the same questions, its 95 % interval, and on how many lives it is above 0."""
    total, drawn, ahead = 0.0, np.zeros(_SAMPLES), 0
    for ids in by_life.values():
        gaps = np.array([one.get(name, 0.0) - other.get(name, 0.0) for name in ids])
        # A question is lost, drawn or won, so a resample draws how many of each.
        kinds, counts = np.unique(gaps, return_counts=True)
        drawn += rng.multinomial(len(gaps), counts / len(gaps), size=_SAMPLES) @ kinds
        total += gaps.sum()
        ahead += bool(gaps.sum() > 0)
    number = sum(map(len, by_life.values()))
    low, high = np.quantile(drawn / number, [0.025, 0.975])
    return f"{total / number:+.3f} [{low:+.2f}, {high:+.2f}], {ahead} of {len(by_life)}"


def _cost_table(scores: Sequence[LifeScore], timings: Mapping[str, Sequence[LifeTiming]]) -> str:
    lines = ["| method | prompt tokens | answer tokens | seconds |", "|---|---|---|---|"]
    for one in scores:
        if one.task == "all":
            measured = [row.seconds for row in timings.get(one.policy, ())]
            seconds = f"{np.mean(measured):.3f}" if measured else "-"
            lines.append(f"| {one.policy} | {one.prompt_tokens:,.0f} | {one.completion_tokens:,.1f} | {seconds} |")
    return "\n".join(lines)
