"""Tables and figures of CapEval-QAs beside the paper's (CoViP Table 2, Fig. 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evaluation.report_runs import ReportPage
from lifeloom.records import CaptionScore

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "PAPER_ROWS",
    "accuracy_figure",
    "accuracy_table",
    "capeval_report",
    "length_table",
    "recognition_figure",
    "recognition_table",
]

PAPER_ROWS: Mapping[str, tuple[float, ...]] = {
    "GPT-4o": (34.2, 98.2, 21.6, 98.6, 20.4, 99.3, 15.3, 99.2),
    "GPT-5": (48.3, 97.3, 28.2, 97.9, 26.1, 98.7, 18.9, 98.7),
    "Gemini-2.0-Flash": (41.9, 96.7, 28.6, 97.3, 26.6, 98.3, 23.1, 98.3),
    "Gemini-3.0-Pro": (58.1, 96.6, 45.1, 97.2, 39.0, 98.3, 32.4, 97.9),
    "Qwen3-VL-8B": (39.0, 97.5, 25.6, 97.7, 23.3, 98.1, 18.6, 98.1),
    "Qwen3-VL-30B-A3B": (40.2, 96.2, 27.5, 97.7, 25.3, 97.7, 20.1, 98.1),
    "Qwen3-VL-8B + RAP": (20.5, 99.0, 10.4, 99.1, 9.9, 99.5, 7.3, 99.2),
    "Qwen3-VL-8B + RePIC": (44.0, 97.1, 31.7, 97.0, 29.2, 97.8, 24.0, 97.2),
    "Qwen3-VL-8B + CoViP": (77.4, 94.8, 68.4, 94.1, 65.2, 94.8, 59.7, 92.8),
}
"""Acc+ and Acc- for 1 to 4 concepts (Table 2), in per cent."""
_CONCEPTS = (1, 2, 3, 4)


def accuracy_table(scores: Sequence[CaptionScore]) -> str:
    """Return Acc+ and Acc- by number of concepts with intervals, then the paper's own rows, as Markdown.

    The paper's are of photographs and other models: beside, not against.
    """
    heads = " | ".join(f"{count} concept{'s' if count > 1 else ''} Acc+ | Acc-" for count in _CONCEPTS)
    lines = [f"| captioner | {heads} | all Acc+ | Acc- |", "|---" * 11 + "|"]
    for policy in dict.fromkeys(one.policy for one in scores):
        cells = []
        for count in (*_CONCEPTS, 0):
            own = next((one for one in scores if one.policy == policy and one.concepts == count), None)
            cells += ["-", "-"] if own is None else [_cell(own, "positive"), _cell(own, "negative")]
        lines.append(f"| {policy} | {' | '.join(cells)} |")
    for name, values in PAPER_ROWS.items():
        lines.append(f"| *paper: {name}* | {' | '.join(f'{value:.1f}' for value in values)} | | |")
    return "\n".join(lines)


def length_table(scores: Sequence[CaptionScore]) -> str:
    """Return how long captions are, how many are degenerate or missing, and what judges could not say."""
    lines = [
        "| captioner | concepts | samples | questions + | questions - | words | tokens | degenerate | no caption | "
        "unreadable verdicts | mean over samples Acc+ | Acc- |",
        "|---" * 12 + "|",
    ]
    for one in scores:
        lines.append(
            f"| {one.policy} | {one.concepts or 'all'} | {one.samples} | {one.positive_questions} | "
            f"{one.negative_questions} | {one.words:.0f} | {one.tokens:.0f} | {100 * one.degenerate:.1f} % | "
            f"{one.missing} | {one.unreadable} | {100 * one.positive_mean:.1f} | {100 * one.negative_mean:.1f} |"
        )
    return "\n".join(lines)


def recognition_table(scores: Sequence[CaptionScore]) -> str:
    """Return recognition against retrieval: F1 of what a captioner recognised beside its Acc+ (Fig. 6)."""
    lines = ["| captioner | concepts | recognition F1 | Acc+ |", "|---|---|---|---|"]
    for one in scores:
        if one.recognition is None or one.recognition_low is None or one.recognition_high is None:
            continue
        told = f"{100 * one.recognition:.1f} [{100 * one.recognition_low:.0f}, {100 * one.recognition_high:.0f}]"
        lines.append(f"| {one.policy} | {one.concepts or 'all'} | {told} | {_cell(one, 'positive')} |")
    return "\n".join(lines) if len(lines) > 2 else "no captioner says what it recognises"


def accuracy_figure(scores: Sequence[CaptionScore]) -> Figure:
    """Draw Acc+ and Acc- by number of concepts with intervals, a line a captioner."""
    figure = _new(9, 3.6)
    for place, side in enumerate(("positive", "negative"), start=1):
        axes = figure.add_subplot(1, 2, place)
        for number, policy in enumerate(dict.fromkeys(one.policy for one in scores)):
            own = [one for one in scores if one.policy == policy and one.concepts]
            values = [100 * getattr(one, side) for one in own]
            low = [max(0.0, 100 * (getattr(one, side) - getattr(one, f"{side}_low"))) for one in own]
            high = [max(0.0, 100 * (getattr(one, f"{side}_high") - getattr(one, side))) for one in own]
            places = [one.concepts + 0.06 * number for one in own]
            axes.errorbar(places, values, yerr=[low, high], label=policy, marker="os^Dv"[number % 5], capsize=2)
        axes.set_xticks(_CONCEPTS)
        axes.set_xlabel("concepts in the query picture")
        axes.set_ylabel("Acc+ in %" if side == "positive" else "Acc- in %")
        axes.set_ylim(0, 103)
        axes.spines[["top", "right"]].set_visible(False)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), fontsize=8, ncols=5, loc="outside lower center")
    return figure


def recognition_figure(scores: Sequence[CaptionScore]) -> Figure:
    """Draw Acc+ against the F1 of recognition, a point a captioner and number of concepts (Fig. 6)."""
    figure = _new(4.5, 3.6)
    axes = figure.add_subplot()
    for number, policy in enumerate(dict.fromkeys(one.policy for one in scores)):
        own = [one for one in scores if one.policy == policy and one.concepts and one.recognition is not None]
        if own:
            axes.plot(
                [100 * (one.recognition or 0.0) for one in own],
                [100 * one.positive for one in own],
                "os^Dv"[number % 5],
                label=policy,
            )
            for one in own:
                place = (100 * (one.recognition or 0.0), 100 * one.positive)
                # Inwards from the corner that good captioners share, each number at an angle of its own.
                shift = (-12 + 6 * (one.concepts % 3), -10 - 7 * (one.concepts - 1))
                axes.annotate(str(one.concepts), place, fontsize=7, xytext=shift, textcoords="offset points")
    axes.set_xlabel("recognition F1 in %")
    axes.set_ylabel("Acc+ in %")
    axes.set_ylim(0, 106)
    axes.set_xlim(0, 106)
    axes.legend(fontsize=8)
    return figure


def capeval_report(scores: Sequence[CaptionScore], agreement: str, audit: str) -> ReportPage:
    """Return the report of the captioners that were scored on one release.

    Args:
        scores: of all captioners.
        agreement: the judge on labelled captions, as Markdown.
        audit: what blind captions reach, as Markdown.
    """
    tables = {
        "CapEval-QAs (Table 2)": accuracy_table(scores),
        "Length, degeneration, what is missing": length_table(scores),
        "Recognition against retrieval (Fig. 6)": recognition_table(scores),
        "The judge on labelled captions": agreement,
        "Without context (audit)": audit,
    }
    figures = {"accuracy by number of concepts": lambda: accuracy_figure(scores)}
    if any(one.recognition is not None for one in scores):
        figures["recognition against retrieval"] = lambda: recognition_figure(scores)
    metrics = {}
    for one in scores:
        name = "all" if one.concepts == 0 else f"{one.concepts}_concepts"
        metrics[f"{one.policy}/acc_positive/{name}"] = one.positive
        metrics[f"{one.policy}/acc_negative/{name}"] = one.negative
        for side in ("positive", "negative"):
            metrics[f"{one.policy}/acc_{side}_low/{name}"] = getattr(one, f"{side}_low")
            metrics[f"{one.policy}/acc_{side}_high/{name}"] = getattr(one, f"{side}_high")
        metrics[f"{one.policy}/words/{name}"] = one.words
        metrics[f"{one.policy}/degenerate/{name}"] = one.degenerate
    return ReportPage(title="CapEval-QAs", tables=tables, figures=figures, metrics=metrics)


def _cell(one: CaptionScore, side: str) -> str:
    value, low, high = (100 * getattr(one, name) for name in (side, f"{side}_low", f"{side}_high"))
    return f"{value:.1f} [{low:.0f}, {high:.0f}]"


def _new(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as MatplotlibFigure

    figure = MatplotlibFigure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
