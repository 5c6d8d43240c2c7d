"""Precision, recall and F1 of the concepts that captions name, beside the paper's (CoViP Tables S.2, S.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from evaluation.concept_grounding.running import EACH, SETTINGS, GroundedCaption, Setting
from evaluation.concept_grounding.sets import SetName
from evaluation.intervals import Estimate, Numbers, estimate, ratio
from evaluation.report_runs import ReportPage
from lifeloom.records import Record
from lifeloom.records.base import Identifier

__all__ = [
    "PAPER_MULTI",
    "PAPER_SINGLE",
    "GroundingScore",
    "grounding_report",
    "multi_table",
    "retrieval_table",
    "score_grounding",
    "single_table",
]

PAPER_SINGLE: Mapping[Setting, Mapping[str, tuple[float, ...]]] = {
    "skip_retrieval": {
        "Zero-shot, Qwen-2.5 VL": (100, 56.8, 72.4, 99.6, 83.2, 90.7, 96.0, 76.6, 85.2),
        "RAP, Qwen-2.5 VL": (100, 98.8, 99.4, 100, 99.8, 99.8, 100, 100, 100),
        "RePIC, Qwen-2.5 VL": (100, 96.2, 98.1, 99.7, 96.1, 97.9, 100, 98.1, 99.0),
        "Zero-shot, Qwen-3 VL": (100, 54.7, 70.7, 98.0, 73.9, 84.2, 98.3, 73.4, 84.1),
        "RAP, Qwen-3 VL": (100, 99.7, 99.9, 100, 76.6, 86.7, 100, 99.4, 99.7),
        "RePIC, Qwen-3 VL": (100, 74.4, 85.1, 100, 89.5, 94.5, 99.3, 86.1, 90.1),
        "CoViP, Qwen-3 VL": (100, 76.8, 86.9, 100, 85.3, 92.1, 100, 86.7, 92.9),
    },
    "retrieval": {
        "Zero-shot, Qwen-2.5 VL": (91.5, 50.6, 65.2, 77.4, 42.3, 55.2, 95.2, 75.3, 84.1),
        "RAP, Qwen-2.5 VL": (95.5, 87.9, 91.6, 79.2, 75.1, 76.2, 98.7, 94.3, 96.4),
        "RePIC, Qwen-2.5 VL": (99.0, 83.2, 90.4, 84.4, 69.7, 76.3, 98.6, 90.5, 94.4),
        "Zero-shot, Qwen-3 VL": (90.4, 49.7, 64.1, 74.7, 60.4, 66.8, 98.3, 72.7, 82.9),
        "RAP, Qwen-3 VL": (93.6, 90.6, 92.1, 76.6, 61.0, 67.9, 98.0, 94.3, 96.1),
        "RePIC, Qwen-3 VL": (92.6, 66.5, 77.4, 78.0, 67.3, 72.3, 97.8, 83.5, 90.1),
        "CoViP, Qwen-3 VL": (95.2, 70.0, 80.7, 77.8, 68.5, 72.8, 98.5, 84.8, 91.2),
    },
}
"""Table S.2: precision, recall, F1 in per cent on MyVLM, Yo'LLaVA, DreamBooth."""
PAPER_MULTI: Mapping[str, tuple[float, ...]] = {
    "Zero-shot, Qwen-2.5 VL": (100, 75.0, 85.7, 98.1, 64.0, 77.5),
    "RAP, Qwen-2.5 VL": (100, 82.9, 90.7, 100, 73.2, 84.5),
    "RePIC, Qwen-2.5 VL": (100, 98.8, 99.4, 97.5, 93.9, 95.7),
    "Zero-shot, Qwen-3 VL": (100, 82.9, 90.7, 100, 80.5, 89.2),
    "RAP, Qwen-3 VL": (97.7, 78.7, 87.7, 100, 70.7, 82.9),
    "RePIC, Qwen-3 VL": (100, 95.1, 97.5, 99.3, 86.0, 92.2),
    "CoViP, Qwen-3 VL": (100, 87.2, 93.2, 99.3, 82.9, 90.4),
}
"""Table S.3: precision, recall, F1 in per cent without and with retrieval."""
_SINGLE: tuple[SetName, ...] = ("myvlm", "yollava", "dreambooth")
_TITLES: Mapping[SetName, str] = {
    "myvlm": "MyVLM",
    "yollava": "Yo'LLaVA",
    "dreambooth": "DreamBooth",
    "rap": "several concepts",
}
_MEASURES = ("precision", "recall", "f1")


class GroundingScore(Record):
    """What one captioner names on one set in one setting. Shares are NaN where there is nothing to divide by."""

    KIND: ClassVar[str] = "grounding_score"

    set_name: SetName
    setting: Setting
    policy: Identifier
    pictures: int = Field(ge=0)
    missing: int = Field(ge=0)
    """Pictures without a caption: what they show is not named."""
    precision: float
    """Of the concepts that captions name, the share that is in the picture; pooled over pictures, 0..1."""
    precision_low: float
    precision_high: float
    """95 % interval, bootstrap over pictures."""
    recall: float
    """Of the concepts in the pictures, the share that is named."""
    recall_low: float
    recall_high: float
    f1: float
    f1_low: float
    f1_high: float
    given: float
    """Concepts in the context, mean."""
    retrieved: float
    """Of the concepts in the pictures, the share that is in the context: no captioner's recall can be higher, unless it
    knows a name from elsewhere."""


def score_grounding(rows: Sequence[GroundedCaption], *, samples: int, seed: int) -> list[GroundingScore]:
    """Return the scores of every captioner by set and setting.

    Args:
        rows: captions of all of them.
        samples: resamples of the intervals.
        seed: of the resampling.
    """
    groups: dict[tuple[SetName, Setting, str], list[GroundedCaption]] = {}
    for row in rows:
        groups.setdefault((row.set_name, row.setting, row.policy), []).append(row)
    found = []
    for (set_name, setting, policy), own in groups.items():
        counts = np.array([_counts(one) for one in own], dtype=np.float64)  # (pictures, true, false, missed)
        values = {name: estimate(counts, of, samples=samples, seed=seed) for name, of in _SHARES.items()}
        shown = sum(len(one.shows) for one in own)
        found.append(
            GroundingScore(
                set_name=set_name,
                setting=setting,
                policy=policy,
                pictures=len(own),
                missing=sum(not one.text for one in own),
                **_fields(values),
                given=sum(len(one.given) for one in own) / len(own),
                retrieved=sum(len({*one.given} & {*one.shows}) for one in own) / shown,
            )
        )
    return found


def single_table(scores: Sequence[GroundingScore], setting: Setting) -> str:
    """Return one half of Table S.2, the paper's rows beside, as Markdown."""
    heads = " | ".join(f"{_TITLES[name]} Pre. | Rec. | F1" for name in _SINGLE)
    lines = [f"| captioner | {heads} |", "|---" * 10 + "|"]
    for policy in dict.fromkeys(one.policy for one in scores):
        cells = [cell for name in _SINGLE for cell in _cells(scores, name, setting, policy)]
        lines.append(f"| {policy} | {' | '.join(cells)} |")
    lines += [f"| *paper: {name}* | {_numbers(values)} |" for name, values in PAPER_SINGLE[setting].items()]
    return "\n".join(lines)


def multi_table(scores: Sequence[GroundingScore]) -> str:
    """Return Table S.3, the paper's rows beside, as Markdown."""
    lines = [
        "| captioner | skip-retrieval Pre. | Rec. | F1 | retrieval Pre. | Rec. | F1 |",
        "|---" * 7 + "|",
    ]
    for policy in dict.fromkeys(one.policy for one in scores):
        cells = [cell for setting in SETTINGS for cell in _cells(scores, "rap", setting, policy)]
        lines.append(f"| {policy} | {' | '.join(cells)} |")
    lines += [f"| *paper: {name}* | {_numbers(values)} |" for name, values in PAPER_MULTI.items()]
    return "\n".join(lines)


def retrieval_table(scores: Sequence[GroundingScore]) -> str:
    """Return how many pictures there are, what was in contexts, and captions that are missing."""
    lines = [
        f"With retrieval, the context is the {EACH} concepts of the set that are most like each part of the picture.",
        "",
        "| set | setting | pictures | concepts given | of those shown | no caption |",
        "|---" * 6 + "|",
    ]
    groups: dict[tuple[SetName, Setting], list[GroundingScore]] = {}
    for one in scores:
        groups.setdefault((one.set_name, one.setting), []).append(one)
    for (name, setting), own in groups.items():
        missing = ", ".join(f"{one.policy} {one.missing}" for one in own if one.missing) or "-"
        lines.append(
            f"| {_TITLES[name]} | {setting.replace('_', '-')} | {own[0].pictures} | {own[0].given:.1f} | "
            f"{own[0].retrieved:.1%} | {missing} |"
        )
    return "\n".join(lines)


def grounding_report(scores: Sequence[GroundingScore], made_of: str) -> ReportPage:
    """Return the report.

    Args:
        scores: of all captioners.
        made_of: where pictures and concepts come from, a sentence.
    """
    note = f"{made_of} The paper's rows are of photographs and of other models: beside, not against."
    tables = {
        "One concept, skip-retrieval (Table S.2)": f"{note}\n\n{single_table(scores, 'skip_retrieval')}",
        "One concept, retrieval (Table S.2)": single_table(scores, "retrieval"),
        "Several concepts (Table S.3)": multi_table(scores),
        "Pictures and contexts": retrieval_table(scores),
    }
    metrics = {
        f"{one.policy}/{one.set_name}/{one.setting}/{measure}": getattr(one, measure)
        for one in scores
        for measure in _MEASURES
        if np.isfinite(getattr(one, measure))
    }
    return ReportPage(title="Personalised grounding", tables=tables, figures={}, metrics=metrics)


def _counts(row: GroundedCaption) -> tuple[int, int, int]:
    named, shows = set(row.named), set(row.shows)
    return len(named & shows), len(named - shows), len(shows - named)


def _precision(sums: Numbers) -> Numbers:
    return ratio(sums[:, 0], sums[:, 0] + sums[:, 1])


def _recall(sums: Numbers) -> Numbers:
    return ratio(sums[:, 0], sums[:, 0] + sums[:, 2])


def _f1(sums: Numbers) -> Numbers:
    return ratio(2 * sums[:, 0], 2 * sums[:, 0] + sums[:, 1] + sums[:, 2])


_SHARES: Mapping[str, Callable[[Numbers], Numbers]] = {"precision": _precision, "recall": _recall, "f1": _f1}


def _fields(values: Mapping[str, Estimate]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, one in values.items():
        found |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
    return found


def _cells(scores: Sequence[GroundingScore], name: SetName, setting: Setting, policy: str) -> list[str]:
    own = next((one for one in scores if (one.set_name, one.setting, one.policy) == (name, setting, policy)), None)
    return ["-"] * len(_MEASURES) if own is None else [_cell(own, measure) for measure in _MEASURES]


def _cell(score: GroundingScore, measure: str) -> str:
    value, low, high = (100 * getattr(score, f"{measure}{end}") for end in ("", "_low", "_high"))
    return f"{value:.1f} [{low:.0f}, {high:.0f}]" if np.isfinite(value) else "-"


def _numbers(values: Sequence[float]) -> str:
    return " | ".join(f"{value:g}" for value in values)
