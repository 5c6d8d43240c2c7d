"""The report of caption quality: Tables 4, 5 and 6 beside the paper's, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.caption_quality.bert_scores import BertEncoder
from evaluation.caption_quality.contents import KnownPicture
from evaluation.caption_quality.hallucination import PopeAnswer, chair, pope_scores
from evaluation.caption_quality.mmhal import MmhalRating, mmhal_scores
from evaluation.caption_quality.references import score_references
from evaluation.caption_quality.rows import CaptionQuality, ChairRow, DescribedPicture, MmhalAnswer, ShownSet
from evaluation.caption_quality.tables import (
    chair_table,
    mmhal_table,
    paper_table,
    pope_table,
    reference_table,
    share_of_sums,
)
from evaluation.intervals import estimate
from evaluation.report_runs import ReportPage

__all__ = ["quality_report", "quality_scores"]

_METRICS = ("bleu", "rouge_l", "meteor", "scene_graph", "bert_score")
_CHAIR = ("chair_s", "chair_i", "coverage")


def quality_scores(
    release: str,
    shown: ShownSet,
    references: Mapping[str, Sequence[str]],
    described: Mapping[str, Sequence[DescribedPicture]],
    *,
    known: Mapping[str, KnownPicture] | None = None,
    encoder: BertEncoder | None = None,
    samples: int,
    seed: int,
) -> list[CaptionQuality]:
    """Return the scores of each captioner that described anything; what it did not describe is counted as missing.

    Args:
        release: date.
        shown: which pictures.
        references: by picture.
        described: by captioner.
        known: by picture, what it shows, for CHAIR; None: nobody knows.
        encoder: of BERTScore; None: the packaged one.
        samples: resamples of the intervals.
        seed: of the resampling.
    """
    found = []
    for policy, rows in described.items():
        worded = [one for one in rows if one.text.strip()]
        if not worded:
            continue
        scores = score_references(
            [one.text for one in worded], [references[one.picture_id] for one in worded], encoder=encoder
        )
        found.append(
            CaptionQuality(
                release_id=release,
                shown=shown,
                policy=policy,
                pictures=len(rows),
                missing=len(rows) - len(worded),
                bleu=scores.bleu,
                rouge_l=scores.rouge_l,
                meteor=scores.meteor,
                meteor_kind=scores.meteor_kind,
                scene_graph=scores.scene_graph,
                bert_score=scores.bert_score,
                encoder=scores.encoder,
                chair=_chair([(one.text, known[one.picture_id]) for one in worded], samples, seed) if known else None,
            )
        )
    return found


def quality_report(
    scores: Sequence[CaptionQuality],
    pope: Sequence[PopeAnswer],
    mmhal: Sequence[MmhalAnswer] = (),
    *,
    reader: str,
    judge: str,
    samples: int,
    seed: int,
) -> ReportPage:
    """Return the report.

    Args:
        scores: of all captioners and sets.
        pope: the reader's answers.
        mmhal: rated answers of all captioners; empty: the benchmark is not there.
        reader: who answered POPE's questions, ``backend/model``.
        judge: who rated MMHal's answers.
        samples: resamples of the intervals.
        seed: of the resampling.
    """
    tables = {
        "Descriptions against references (Table 4)": reference_table(scores),
        "Objects that are not there (CHAIR, Table 6)": chair_table(scores),
        f"Is there such a thing? (POPE, {reader}, Table 6)": pope_table(pope, samples=samples, seed=seed),
        "The paper's own numbers": paper_table(),
    }
    metrics = {
        f"{one.shown.replace(' ', '-')}/{one.policy}/{name}": float(getattr(one, name))
        for one in scores
        for name in _METRICS
    }
    for one in scores:
        if one.chair is not None:
            metrics |= {f"chair/{one.policy}/{name}": float(getattr(one.chair, name)) for name in _CHAIR}
    if pope:
        metrics["pope/accuracy"] = pope_scores(pope).accuracy
    if mmhal:
        rated: dict[str, list[MmhalRating]] = {}
        for row in mmhal:
            rated.setdefault(row.policy, []).append(MmhalRating(row.question_type, row.rating, row.failure))
        by_policy = {policy: mmhal_scores(own) for policy, own in rated.items()}
        tables["MMHal-Bench (Table 5)"] = mmhal_table(by_policy, judge)
        for policy, own in by_policy.items():
            metrics |= {f"mmhal/{policy}/overall": own.overall, f"mmhal/{policy}/hallucination": own.hallucination}
    return ReportPage(title="Caption quality", tables=tables, figures={}, metrics=metrics)


def _chair(worded: Sequence[tuple[str, KnownPicture]], samples: int, seed: int) -> ChairRow:
    counted = chair(worded)
    members = np.array([(chair([one]).chair_s, 1.0) for one in worded])
    interval = estimate(members, share_of_sums, samples=samples, seed=seed)
    return ChairRow(
        chair_s=counted.chair_s,
        low=interval.low,
        high=interval.high,
        chair_i=counted.chair_i,
        coverage=counted.coverage,
    )
