"""Estimates with 95 % bootstrap intervals, over cases or conversations that are drawn as wholes.

Everything judged is written as sums over members (a case, a conversation), so that a mean, a share, a difference of
two or a correlation of a resample follows from resampled sums. What is compared is summed over the same resamples:
the differences are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Estimate", "Numbers", "estimate", "pearson", "ratio", "resampled_sums"]

Numbers: TypeAlias = npt.NDArray[np.float64]


_BLOCK = 4_000_000
"""Draws held in memory at once."""


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval. All three are NaN where it is not defined."""

    value: float
    low: float
    high: float


def resampled_sums(members: Numbers, *, samples: int, seed: int) -> Numbers:
    """Return the sums of ``samples`` resamples of the members, (samples, columns).

    Args:
        members: What each member contributes, (members, columns).
        samples: Number of resamples, each as large as the whole.
        seed: Seed of the resampling.

    Raises:
        ValueError: there are no members.
    """
    if not len(members):
        raise ValueError("an interval needs at least one case or conversation")
    # Members that contribute the same are alike, so a resample is a draw of how many of each kind it holds: the same
    # distribution as drawing members one by one, whatever their number.
    kinds, counts = np.unique(members, axis=0, return_counts=True)  # (kinds, columns), (kinds,)
    rng = np.random.default_rng(seed)
    single = 4 * len(kinds) > len(members)  # so many kinds that drawing members one by one is faster
    block = max(1, _BLOCK // (len(members) if single else len(kinds)))
    drawn = [
        _drawn(rng, counts, len(members), min(block, samples - first), single=single) @ kinds
        for first in range(0, samples, block)
    ]
    return np.concatenate(drawn, dtype=np.float64)


def _drawn(
    rng: np.random.Generator, counts: npt.NDArray[np.int64], members: int, samples: int, *, single: bool
) -> npt.NDArray[np.int64]:
    """Return how many of each kind each resample holds, (samples, kinds)."""
    if not single:
        return rng.multinomial(members, counts / members, size=samples)
    of_member = np.repeat(np.arange(len(counts)), counts)  # (members,)
    places = of_member[rng.integers(0, members, size=(samples, members))] + len(counts) * np.arange(samples)[:, None]
    return np.bincount(places.ravel(), minlength=samples * len(counts)).reshape(samples, len(counts))


def estimate(
    members: Sequence[Sequence[float]] | Numbers, of: Callable[[Numbers], Numbers], *, samples: int, seed: int
) -> Estimate:
    """Return a number with its percentile interval; resamples in which it is not defined are left out.

    Args:
        members: What each member contributes, (members, columns).
        of: Gives the number from sums, (rows, columns) to (rows,); NaN where it is not defined.
        samples: Number of resamples.
        seed: Seed of the resampling.

    Raises:
        ValueError: there are no members.
    """
    rows = np.asarray(members, dtype=np.float64).reshape(len(members), -1)
    drawn = of(resampled_sums(rows, samples=samples, seed=seed))
    value = float(of(rows.sum(axis=0, keepdims=True))[0])
    defined = drawn[np.isfinite(drawn)]
    if not np.isfinite(value) or not defined.size:
        return Estimate(float("nan"), float("nan"), float("nan"))
    low, high = np.quantile(defined, [0.025, 0.975])
    return Estimate(value, float(low), float(high))


def ratio(over: Numbers, under: Numbers) -> Numbers:
    """Return ``over / under``, NaN where ``under`` is 0."""
    out = np.full(np.shape(over), np.nan)
    np.divide(over, under, out=out, where=np.asarray(under) != 0)
    return out


def pearson(sums: Numbers) -> Numbers:
    """Return the correlation of x and y from the columns count, x, y, x * x, y * y, x * y; (rows, 6) to (rows,).

    NaN where one of them does not vary.
    """
    count, x, y, xx, yy, xy = np.asarray(sums, dtype=np.float64).T
    spread = np.maximum(count * xx - x * x, 0.0) * np.maximum(count * yy - y * y, 0.0)
    flat = spread <= 1e-9 * np.maximum(count * xx * count * yy, 1e-300)  # what is left of rounding is no spread
    return np.asarray(
        np.where(flat, np.nan, np.clip(ratio(count * xy - x * y, np.sqrt(np.where(flat, 1.0, spread))), -1.0, 1.0))
    )
