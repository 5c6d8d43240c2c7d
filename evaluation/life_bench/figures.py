"""Figures of Life-Bench: accuracy by method, depth and width (Fig. 4), without references (Fig. 5), depth (Table 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaluation.life_bench.tables import PAPER_DEPTHS
from lifeloom.records import LIFE_TASKS, LifeScore

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["accuracy_figure", "depth_figure", "references_figure", "sweep_figure"]

_SHORT = {
    "text_concept_qa": "TCQ",
    "visual_concept_recognition": "VCR",
    "concept_vqa": "CVQA",
    "scene_and_activity": "SA",
    "direct_person_centric": "DPC",
    "relational_person_centric": "RPC",
    "fine_grained_scene": "FGS",
    "preference_and_persona": "PP",
    "relational_temporal_reasoning": "RTR",
    "frequency_and_counting": "FC",
}


def _new(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as MatplotlibFigure

    figure = MatplotlibFigure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def accuracy_figure(scores: Sequence[LifeScore]) -> Figure:
    """Draw the accuracy of each method by task, with intervals, and the macro average."""
    figure = _new(11, 4.5)
    axes = figure.add_subplot()
    policies = list(dict.fromkeys(one.policy for one in scores))
    tasks = [task for task in (*LIFE_TASKS, "all") if any(one.task == task for one in scores)]
    for number, name in enumerate(policies):
        own = {one.task: one for one in scores if one.policy == name and one.difficulty == "all"}
        shown = [(place, own[task]) for place, task in enumerate(tasks) if task in own]
        places = [place + 0.8 * (number / max(1, len(policies)) - 0.5) for place, _ in shown]
        values = [one.value for _, one in shown]
        low = [max(0.0, one.value - one.low) for _, one in shown]
        high = [max(0.0, one.high - one.value) for _, one in shown]
        look: dict[str, Any] = {"fmt": "os"[number // 10 % 2], "markersize": 4, "linewidth": 1}
        axes.errorbar(places, values, yerr=[low, high], label=name, **look)
    axes.set_xticks(range(len(tasks)), [_SHORT.get(task, "all") for task in tasks])
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("accuracy")
    figure.legend(fontsize=7, ncols=6, loc="outside lower center")  # inside it would hide what it names
    return figure


def sweep_figure(by_depth: Mapping[int, Sequence[LifeScore]], by_width: Mapping[int, Sequence[LifeScore]]) -> Figure:
    """Draw accuracy by depth at k 3 and by width at d 2, a line a task (Fig. 4)."""
    figure = _new(11, 4.5)
    for place, (title, runs) in enumerate((("depth d (k = 3)", by_depth), ("width k (d = 2)", by_width)), start=1):
        axes = figure.add_subplot(1, 2, place)
        for task in (*LIFE_TASKS, "all"):
            points = [
                (value, one.value)
                for value, scores in sorted(runs.items())
                for one in scores
                if one.task == task and one.difficulty == "all"
            ]
            if points:
                axes.plot(*zip(*points, strict=True), **_line(task))
        axes.set_xticks(sorted(runs))
        axes.set_xlabel(title)
        axes.set_ylim(0, 1.03)
        axes.set_ylabel("accuracy")
    figure.legend(*figure.axes[0].get_legend_handles_labels(), fontsize=7, ncols=11, loc="outside lower center")
    return figure


def _line(task: str) -> dict[str, Any]:
    """Return how a task's line looks. Hollow markers of many shapes: many lines lie on one another near 1."""
    if task not in _SHORT:
        return {"label": "all", "color": "black", "linewidth": 2.5}
    number = list(_SHORT).index(task)
    return {"label": _SHORT[task], "marker": "os^Dv<>Phd"[number], "markersize": 4 + number / 2, "fillstyle": "none"}


def depth_figure(depths: Mapping[int, float]) -> Figure:
    """Draw the average effective depth by depth limit, beside the paper's (Table 5) and the limit itself."""
    figure = _new(5, 3.5)
    axes = figure.add_subplot()
    limits = sorted(depths)
    axes.plot(limits, limits, color="0.8", linestyle="--", label="the limit")
    axes.plot(limits, [depths[limit] for limit in limits], marker="o", label="here")
    paper = {limit: PAPER_DEPTHS[limit] for limit in limits if limit in PAPER_DEPTHS}
    if paper:
        axes.plot(list(paper), list(paper.values()), marker="s", color="0.5", label="paper")
    axes.set_xticks(limits)
    axes.set_xlabel("depth limit d")
    axes.set_ylabel("average effective depth")
    axes.legend(fontsize=8)
    return figure


def references_figure(with_references: Sequence[LifeScore], without: Sequence[LifeScore]) -> Figure:
    """Draw the change in accuracy when the graph's sources are not fetched, by task (Fig. 5)."""
    figure = _new(8, 3.5)
    axes = figure.add_subplot()
    before = {one.task: one.value for one in with_references if one.difficulty == "all"}
    after = {one.task: one.value for one in without if one.difficulty == "all"}
    tasks = [task for task in (*LIFE_TASKS, "all") if task in before and task in after]
    changes = [after[task] - before[task] for task in tasks]
    axes.bar(range(len(tasks)), changes, color=["#b03a2e" if one < 0 else "#1e8449" for one in changes])
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(tasks)), [_SHORT.get(task, "all") for task in tasks])
    axes.set_ylabel("change in accuracy without references")
    return figure
