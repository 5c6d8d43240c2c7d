"""Scores of captions: Acc+ and Acc- by number of concepts, with intervals (CoViP Table 2, Appendix B)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.intervals import Estimate, Numbers, estimate, ratio
from lifeloom.records import Caption, CaptionSample, CaptionScore, ProbeAnswer, ProbeQuestion
from lifeloom.scoring.capeval import ProbeCounts, count_probes
from lifeloom.scoring.degeneration import DegenerationLimits, degeneration
from lifeloom.scoring.recognition import recognition_f1

__all__ = ["ScoredBy", "degenerate_share", "score_captions"]

_BUCKETS = (0, 1, 2, 3, 4)
"""Numbers of concepts; 0: all samples."""


@dataclass(frozen=True)
class ScoredBy:
    """What a score was made with."""

    release_id: str
    judge: str
    backend: str
    model: str
    code_revision: str
    seed: int
    bootstrap_samples: int
    caption_tokens: int = 511


def score_captions(
    samples: Sequence[CaptionSample],
    questions: Sequence[ProbeQuestion],
    captions: Sequence[Caption],
    answers: Sequence[ProbeAnswer],
    by: ScoredBy,
) -> list[CaptionScore]:
    """Return one policy's scores, over all samples and by number of concepts as far as there are samples.

    Args:
        samples: all that were to be captioned.
        questions: about them.
        captions: of the one policy; a sample without one is wrong throughout.
        answers: the judge's, about those captions.
        by: what the scores are made with.

    Raises:
        ValueError: there is no caption, or captions of two policies.
    """
    policies = {(one.policy, one.fingerprint) for one in captions}
    if len(policies) != 1:
        raise ValueError(f"captions of one policy are scored together, not of {len(policies)}")
    counts = count_probes(questions, answers)
    given = {one.sample_id: one for one in captions}
    scores = []
    for bucket in _BUCKETS:
        own = [one for one in samples if one.sample_id in counts and bucket in (0, one.concepts)]
        if own:
            scores.append(_score(bucket, own, counts, given, policies.copy().pop(), by))
    return scores


def degenerate_share(captions: Sequence[Caption], tokens: int) -> float:
    """Return the share of captions that the degeneration filter refuses; 0 where there are none."""
    limits = DegenerationLimits(tokens=tokens)
    found = [
        degeneration(one.text, tokens=one.completion_tokens, cut=one.cut, limits=limits).degenerate
        for one in captions
        if one.text
    ]
    return sum(found) / len(found) if found else 0.0


def _score(
    bucket: int,
    samples: Sequence[CaptionSample],
    counts: Mapping[str, ProbeCounts],
    captions: Mapping[str, Caption],
    policy: tuple[str, str],
    by: ScoredBy,
) -> CaptionScore:
    own = [counts[one.sample_id] for one in samples]
    positive = _estimate([(one.positive_right, one.positive) for one in own], by)
    negative = _estimate([(one.negative_right, one.negative) for one in own], by)
    there = [captions[one.sample_id] for one in samples if one.sample_id in captions]
    worded = [one for one in there if one.text]
    recognised = [
        recognition_f1(captions[one.sample_id].recognised, one.positives)
        for one in samples
        if one.sample_id in captions and captions[one.sample_id].recognised is not None
    ]
    seen = _estimate([(value, 1.0) for value in recognised], by) if recognised else None
    return CaptionScore(
        release_id=by.release_id,
        policy=policy[0],
        fingerprint=policy[1],
        judge=by.judge,
        concepts=bucket,
        samples=len(samples),
        positive_questions=sum(one.positive for one in own),
        negative_questions=sum(one.negative for one in own),
        positive=positive.value,
        positive_low=positive.low,
        positive_high=positive.high,
        negative=negative.value,
        negative_low=negative.low,
        negative_high=negative.high,
        positive_mean=_mean([one.positive_accuracy for one in own if one.positive]),
        negative_mean=_mean([one.negative_accuracy for one in own if one.negative]),
        recognition=None if seen is None else seen.value,
        recognition_low=None if seen is None else seen.low,
        recognition_high=None if seen is None else seen.high,
        tokens=_mean([float(one.completion_tokens) for one in worded]),
        words=_mean([float(len(one.text.split())) for one in worded]),
        degenerate=degenerate_share(there, by.caption_tokens),
        missing=len(samples) - len(worded),
        unreadable=sum(one.unreadable for one in own),
        backend=by.backend,
        model=by.model,
        code_revision=by.code_revision,
        seed=by.seed,
    )


def _estimate(members: Sequence[tuple[float, float]], by: ScoredBy) -> Estimate:
    rows = np.array(members, dtype=np.float64)
    if not len(rows) or not rows[:, 1].sum():
        return Estimate(0.0, 0.0, 0.0)
    return estimate(rows, _share, samples=by.bootstrap_samples, seed=by.seed)


def _share(sums: Numbers) -> Numbers:
    return ratio(sums[:, 0], sums[:, 1])


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0
