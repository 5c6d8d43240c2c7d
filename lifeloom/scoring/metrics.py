"""Accuracy with intervals: micro averages, bootstrap over cases, one-sided binomial bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Accuracy", "binomial_lower_bound", "bootstrap_accuracy"]


@dataclass(frozen=True)
class Accuracy:
    """A micro accuracy with its 95 % interval, all in 0..1."""

    value: float
    low: float
    high: float
    questions: int
    correct: int


def bootstrap_accuracy(correct: Sequence[int], questions: Sequence[int], *, samples: int, seed: int) -> Accuracy:
    """Return the micro accuracy over questions with a percentile bootstrap interval over cases.

    Args:
        correct: right answers of each case, (cases,).
        questions: questions asked of each case (a case with an alignment pair has three), (cases,).
        samples: bootstrap samples.
        seed: seed of the resampling.

    Raises:
        ValueError: no questions, or the lengths differ.
    """
    if len(correct) != len(questions):
        raise ValueError("one number of right answers and one of questions a case")
    hits = np.asarray(correct, dtype=np.int64)  # (cases,)
    asked = np.asarray(questions, dtype=np.int64)  # (cases,)
    total = int(asked.sum())
    if total == 0:
        raise ValueError("an accuracy needs at least one question")
    # Cases with the same counts are alike, so a resample is a draw of how many of each kind it holds: the same
    # distribution as drawing cases one by one, whatever their number.
    kinds, members = np.unique(np.stack([hits, asked]), axis=1, return_counts=True)  # (2, kinds), (kinds,)
    weights = np.random.default_rng(seed).multinomial(len(hits), members / len(hits), size=samples)  # (samples, kinds)
    rates = (weights @ kinds[0]) / np.maximum(weights @ kinds[1], 1)
    low, high = np.quantile(rates, [0.025, 0.975])
    return Accuracy(int(hits.sum()) / total, float(low), float(high), total, int(hits.sum()))


def binomial_lower_bound(correct: int, questions: int, *, confidence: float) -> float:
    """Return the exact (Clopper-Pearson) one-sided lower bound of a success rate.

    Raises:
        ValueError: counts or confidence out of range.
    """
    if not 0 <= correct <= questions or questions == 0 or not 0 < confidence < 1:
        raise ValueError("needs 0 <= correct <= questions, questions > 0 and 0 < confidence < 1")
    if correct == 0:
        return 0.0
    from scipy.stats import beta

    return float(beta.ppf(1 - confidence, correct, questions - correct + 1))
