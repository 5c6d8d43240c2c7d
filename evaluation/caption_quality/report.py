"""The report of caption quality: Tables 4 and 6 beside the paper's, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from pydantic import Field

from evaluation.caption_quality.contents import KnownPicture
from evaluation.caption_quality.hallucination import (
    POPE_SETTINGS,
    ChairScores,
    PopeAnswer,
    chair,
    pope_scores,
)
from evaluation.caption_quality.references import ReferenceScores, score_references
from evaluation.intervals import Estimate, Numbers, estimate, ratio
from evaluation.report_runs import ReportPage
from lifeloom.records import Record
from lifeloom.records.base import Identifier

__all__ = ["CaptionQuality", "DescribedPicture", "quality_report", "quality_scores"]

_PAPER_TABLE_4 = {
    "Qwen3-VL-8B": (24.58, 0.178, 415.83, 0.140, 0.727),
    "CoViP": (21.13, 0.186, 415.71, 0.147, 0.719),
}
"""BLEU, ROUGE-L, METEOR, SPICE, BERTScore on DOCCI; METEOR as printed, on another scale."""
_PAPER_TABLE_6 = {
    "Qwen3-VL-8B": (91.3, 98.3, 84.5, 90.8, 44.3, 15.4, 7.7),
    "CoViP": (91.6, 97.9, 85.5, 91.2, 45.0, 16.2, 8.0),
}
"""POPE accuracy, precision, recall, F1, yes; CHAIRs, CHAIRi, in per cent."""


class DescribedPicture(Record):
    """A captioner's description of a picture whose contents are known, given without any context."""

    KIND: ClassVar[str] = "described_picture"

    picture_id: Identifier
    policy: Identifier
    text: str
    failure: str = ""


class CaptionQuality(Record):
    """What one captioner's descriptions are worth."""

    KIND: ClassVar[str] = "caption_quality"

    release_id: str
    policy: Identifier
    pictures: int = Field(ge=0)
    missing: int = Field(ge=0)
    bleu: float
    """0..100."""
    rouge_l: float
    meteor: float
    meteor_kind: str
    scene_graph: float
    bert_score: float
    encoder: str
    chair_s: float
    chair_s_low: float
    chair_s_high: float
    """95 % interval, bootstrap over pictures."""
    chair_i: float
    coverage: float


@dataclass(frozen=True)
class _Worded:
    picture: KnownPicture
    text: str


def quality_scores(
    release: str,
    pictures: Mapping[str, KnownPicture],
    described: Mapping[str, Sequence[DescribedPicture]],
    *,
    samples: int,
    seed: int,
) -> list[CaptionQuality]:
    """Return the scores of each captioner that described anything; what it did not describe is counted as missing.

    Args:
        release: date.
        pictures: by id, what is known of them.
        described: by captioner.
        samples: resamples of the intervals.
        seed: of the resampling.
    """
    found = []
    for policy, rows in described.items():
        worded = [_Worded(pictures[one.picture_id], one.text) for one in rows if one.text]
        if not worded:
            continue
        references = score_references([one.text for one in worded], [one.picture.references for one in worded])
        counted = chair((one.text, one.picture) for one in worded)
        interval = _chair_interval(worded, samples, seed)
        found.append(_row(release, policy, rows, references, counted, interval))
    return found


def quality_report(
    scores: Sequence[CaptionQuality], pope: Sequence[PopeAnswer], *, reader: str, samples: int, seed: int
) -> ReportPage:
    """Return the report.

    Args:
        scores: of all captioners.
        pope: the reader's answers.
        reader: who answered them, ``backend/model``.
        samples: resamples of the intervals.
        seed: of the resampling.
    """
    tables = {
        "Descriptions against references (Table 4)": _reference_table(scores),
        "Objects that are not there (CHAIR, Table 6)": _chair_table(scores),
        f"Is there such a thing? (POPE, {reader}, Table 6)": _pope_table(pope, samples, seed),
        "The paper's own numbers": _paper_table(),
    }
    metrics = {f"{one.policy}/{name}": getattr(one, name) for one in scores for name in _METRICS}
    if pope:
        metrics["pope/accuracy"] = pope_scores(pope).accuracy
    return ReportPage(title="Caption quality", tables=tables, figures={}, metrics=metrics)


_METRICS = ("bleu", "rouge_l", "meteor", "scene_graph", "bert_score", "chair_s", "chair_i", "coverage")


def _row(
    release: str,
    policy: str,
    rows: Sequence[DescribedPicture],
    references: ReferenceScores,
    counted: ChairScores,
    interval: Estimate,
) -> CaptionQuality:
    return CaptionQuality(
        release_id=release,
        policy=policy,
        pictures=len(rows),
        missing=sum(not one.text for one in rows),
        bleu=references.bleu,
        rouge_l=references.rouge_l,
        meteor=references.meteor,
        meteor_kind=references.meteor_kind,
        scene_graph=references.scene_graph,
        bert_score=references.bert_score,
        encoder=references.encoder,
        chair_s=counted.chair_s,
        chair_s_low=interval.low,
        chair_s_high=interval.high,
        chair_i=counted.chair_i,
        coverage=counted.coverage,
    )


def _chair_interval(worded: Sequence[_Worded], samples: int, seed: int) -> Estimate:
    members = np.array([(chair([(one.text, one.picture)]).chair_s, 1.0) for one in worded])
    return estimate(members, _share, samples=samples, seed=seed)


def _share(sums: Numbers) -> Numbers:
    return ratio(sums[:, 0], sums[:, 1])


def _reference_table(scores: Sequence[CaptionQuality]) -> str:
    kinds = ", ".join(dict.fromkeys(one.meteor_kind for one in scores)) or "not measured"
    encoders = ", ".join(dict.fromkeys(one.encoder for one in scores)) or "not measured"
    lines = [
        f"References are worded from what was drawn. METEOR matches {kinds}. BERTScore by {encoders}, not rescaled.",
        "",
        "| captioner, without context | pictures | BLEU | ROUGE-L | METEOR | scene-graph F1 (not SPICE) | BERTScore |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.policy} | {one.pictures - one.missing} of {one.pictures} | {one.bleu:.2f} | {one.rouge_l:.3f} | "
        f"{one.meteor:.3f} | {one.scene_graph:.3f} | {one.bert_score:.3f} |"
        for one in scores
    ]
    return "\n".join(lines)


def _chair_table(scores: Sequence[CaptionQuality]) -> str:
    lines = ["| captioner, without context | CHAIRs | 95 % interval | CHAIRi | objects told |", "|---|---|---|---|---|"]
    lines += [
        f"| {one.policy} | {one.chair_s:.1%} | {one.chair_s_low:.1%} to {one.chair_s_high:.1%} | {one.chair_i:.1%} | "
        f"{one.coverage:.1%} |"
        for one in scores
    ]
    return "\n".join(lines)


def _pope_table(answers: Sequence[PopeAnswer], samples: int, seed: int) -> str:
    if not answers:
        return "no questions"
    lines = [
        "| absent objects | questions | accuracy | 95 % interval | precision | recall | F1 | yes | unreadable |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for setting in (*POPE_SETTINGS, "all"):
        own = [one for one in answers if setting in ("all", one.question.setting)]
        if not own:
            continue
        scores = pope_scores(own)
        members: dict[str, list[float]] = {}
        for one in own:
            row = members.setdefault(one.question.picture.picture_id, [0.0, 0.0])
            row[0] += one.yes is one.question.there
            row[1] += 1
        interval = estimate(np.array(list(members.values())), _share, samples=samples, seed=seed)
        lines.append(
            f"| {setting} | {scores.questions} | {scores.accuracy:.1%} | {interval.low:.1%} to {interval.high:.1%} | "
            f"{scores.precision:.1%} | {scores.recall:.1%} | {scores.f1:.1%} | {scores.yes:.1%} | {scores.unreadable} |"
        )
    return "\n".join(lines)


def _paper_table() -> str:
    lines = [
        "On photographs, with other models: beside, not against.",
        "",
        "| DOCCI (Table 4) | BLEU | ROUGE-L | METEOR | SPICE | BERTScore |",
        "|---|---|---|---|---|---|",
        *(f"| {name} | {' | '.join(f'{value:g}' for value in values)} |" for name, values in _PAPER_TABLE_4.items()),
        "",
        "| POPE and CHAIR (Table 6), % | accuracy | precision | recall | F1 | yes | CHAIRs | CHAIRi |",
        "|---|---|---|---|---|---|---|---|",
        *(f"| {name} | {' | '.join(f'{value:g}' for value in values)} |" for name, values in _PAPER_TABLE_6.items()),
    ]
    return "\n".join(lines)
