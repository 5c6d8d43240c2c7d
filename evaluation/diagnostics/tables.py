"""Tables and figures of the diagnostics beside the paper's (CoViP Table 3, Fig. 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evaluation.diagnostics.scoring import DiagnosticScore
from evaluation.report_runs import ReportPage
from lifeloom.records import DIAGNOSTIC_TASKS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PAPER_ROWS", "diagnostic_figure", "diagnostic_report", "place_table", "recall_table", "trigger_table"]

PAPER_ROWS: Mapping[str, tuple[float, ...]] = {
    "GPT-4o": (28.7, 33.6, 4.80, 7.40, 8.40, 13.5),
    "GPT-5": (28.5, 34.4, 50.8, 59.3, 18.6, 10.5),
    "Gemini-2.0-Flash": (52.7, 46.0, 11.6, 42.3, 66.1, 12.2),
    "Gemini-3.0-Pro": (76.2, 89.3, 9.40, 44.0, 89.4, 19.0),
    "Qwen3-VL-8B": (29.8, 48.8, 17.4, 19.6, 9.40, 6.80),
    "Qwen3-VL-30B-A3B": (25.6, 42.1, 7.60, 16.8, 8.80, 0.40),
    "Qwen3-VL-8B + RAP": (27.0, 28.8, 1.40, 0.80, 0.00, 0.20),
    "Qwen3-VL-8B + RePIC": (32.7, 52.1, 16.2, 17.8, 27.2, 27.8),
    "Qwen3-VL-8B + CoViP": (37.2, 58.2, 34.8, 49.2, 28.0, 42.8),
}
"""LSD, LAR and ITR, each direct and with CAG (Table 3), in per cent."""
_MODES = ("direct", "cag")
_MODE_NAMES = {"direct": "direct", "cag": "w/ CAG"}
_TITLES = {"lsd": "LSD, word F1", "lar": "LAR, judged correct", "itr": "ITR, keyword said"}


def recall_table(scores: Sequence[DiagnosticScore]) -> str:
    """Return LSD, LAR and ITR by policy with intervals, then the paper's own rows, as Markdown.

    ITR is the paper's trigger success rate here; ``trigger_table`` has false triggers. The paper's are of photographs,
    other models and contexts whose text alone gives the answers away: beside, not against.
    """
    heads = " | ".join(f"{task.upper()} {_MODE_NAMES[mode]}" for task in DIAGNOSTIC_TASKS for mode in _MODES)
    lines = [f"| policy | {heads} | cases |", "|---" * 8 + "|"]
    for policy in dict.fromkeys(one.policy for one in scores):
        cells = []
        for task in DIAGNOSTIC_TASKS:
            for mode in _MODES:
                own = _find(scores, policy, task, mode)
                main = None if own is None else _main(own)
                cells.append("-" if main is None else _interval(*main))
        cases = max(one.cases for one in scores if one.policy == policy)
        lines.append(f"| {policy} | {' | '.join(cells)} | {cases} |")
    for name, values in PAPER_ROWS.items():
        lines.append(f"| *paper: {name}* | {' | '.join(f'{value:.1f}' for value in values)} | 500 |")
    return "\n".join(lines)


def place_table(scores: Sequence[DiagnosticScore]) -> str:
    """Return LSD in other counts: words once, whole places named, and what is missing of LSD and LAR."""
    lines = [
        "| policy | mode | F1, every word | F1, words once | names the place and no other | no answer | "
        "LAR verdicts unreadable | tokens of an answer |",
        "|---" * 8 + "|",
    ]
    for one in scores:
        if one.task != "lsd":
            continue
        judged = _find(scores, one.policy, "lar", one.mode)
        unreadable = "-" if judged is None else str(judged.unreadable)
        lines.append(
            f"| {one.policy} | {_MODE_NAMES[one.mode]} | {_interval(one.score, one.low, one.high)} | "
            f"{100 * (one.set_score or 0.0):.1f} | {_interval(one.named, one.named_low, one.named_high)} | "
            f"{one.missing} | {unreadable} | {one.completion_tokens:.0f} |"
        )
    return "\n".join(lines)


def trigger_table(scores: Sequence[DiagnosticScore]) -> str:
    """Return ITR: how often the keyword is said where it is due, how often one where none is, and both in one number.

    Whoever never says a keyword, and whoever always does, is at 50 % or below in the last column.
    """
    lines = [
        "| policy | mode | due | said where due | said where not due | balanced accuracy |",
        "|---" * 6 + "|",
    ]
    for one in scores:
        if one.task == "itr":
            lines.append(
                f"| {one.policy} | {_MODE_NAMES[one.mode]} | {one.due} of {one.cases} | "
                f"{_interval(one.recall, one.recall_low, one.recall_high)} | "
                f"{_interval(one.false_triggers, one.false_triggers_low, one.false_triggers_high)} | "
                f"{_interval(one.score, one.low, one.high)} |"
            )
    return "\n".join(lines)


def diagnostic_figure(scores: Sequence[DiagnosticScore]) -> Figure:
    """Draw the three tasks, a bar a policy and mode with its interval (Fig. 5)."""
    figure = _new(9, 3.4)
    policies = list(dict.fromkeys(one.policy for one in scores))
    for place, task in enumerate(DIAGNOSTIC_TASKS, start=1):
        axes = figure.add_subplot(1, 3, place)
        for number, mode in enumerate(_MODES):
            drawn = [
                (at + (number - 0.5) * 0.38, *(100 * value for value in main))
                for at, name in enumerate(policies)
                if (own := _find(scores, name, task, mode)) and (main := _main(own))
            ]
            axes.bar(
                [at for at, *_ in drawn],
                [value for _, value, _, _ in drawn],
                0.36,
                yerr=[
                    [max(0.0, value - low) for _, value, low, _ in drawn],
                    [max(0.0, high - value) for _, value, _, high in drawn],
                ],
                capsize=2,
                label=_MODE_NAMES[mode],
            )
        axes.set_xticks(range(len(policies)), policies, fontsize=8)
        axes.set_title(_TITLES[task], fontsize=10)
        axes.set_ylim(0, 103)
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("%")
    figure.legend(*figure.axes[0].get_legend_handles_labels(), fontsize=8, ncols=2, loc="outside lower center")
    return figure


def diagnostic_report(scores: Sequence[DiagnosticScore], judge: str, audit: str) -> ReportPage:
    """Return the report of the policies that were scored on one release.

    Args:
        scores: of all policies.
        judge: the judge on labelled answers, as Markdown.
        audit: what is answered without the query picture, as Markdown.
    """
    metrics = {}
    for one in scores:
        if one.task != "itr":
            metrics[f"{one.policy}/{one.mode}/{one.task}"] = one.score
        else:
            metrics[f"{one.policy}/{one.mode}/itr_balanced"] = one.score
        if one.recall is not None:  # what the table calls ITR: the paper's trigger success rate
            metrics[f"{one.policy}/{one.mode}/itr"] = one.recall
        if one.false_triggers is not None:
            metrics[f"{one.policy}/{one.mode}/itr_false_triggers"] = one.false_triggers
        if one.named is not None:
            metrics[f"{one.policy}/{one.mode}/lsd_named"] = one.named
    return ReportPage(
        title="Diagnostics",
        tables={
            "Diagnostics (Table 3)": recall_table(scores),
            "Last-seen detection": place_table(scores),
            "Instruction-triggered recall": trigger_table(scores),
            "The judge of actions on labelled answers": judge,
            "Without the query picture (audit)": audit,
        },
        figures={"diagnostics": lambda: diagnostic_figure(scores)},
        metrics=metrics,
    )


def _find(scores: Sequence[DiagnosticScore], policy: str, task: str, mode: str) -> DiagnosticScore | None:
    return next((one for one in scores if (one.policy, one.task, one.mode) == (policy, task, mode)), None)


def _main(one: DiagnosticScore) -> tuple[float, float, float] | None:
    """Return what Table 3 has of a score, with its interval; None where no keyword is due in any case."""
    if one.task != "itr":
        return one.score, one.low, one.high
    if one.recall is None or one.recall_low is None or one.recall_high is None:
        return None
    return one.recall, one.recall_low, one.recall_high


def _interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None or low is None or high is None:
        return "-"
    return f"{100 * value:.1f} [{100 * low:.0f}, {100 * high:.0f}]"


def _new(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as MatplotlibFigure

    figure = MatplotlibFigure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
