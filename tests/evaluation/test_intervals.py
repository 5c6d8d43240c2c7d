"""Estimates by resampled sums: values by hand, intervals that cover, and numbers that are not defined."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation import intervals
from evaluation.intervals import estimate, pearson, ratio, resampled_sums
from lifeloom.scoring import bootstrap_accuracy


def test_a_ratio_of_sums_is_the_micro_average() -> None:
    # 1 of 1 and 0 of 3: 1 right of 4, not the mean of 1 and 0.
    found = estimate([(1, 1), (0, 3)], lambda s: ratio(s[:, 0], s[:, 1]), samples=200, seed=1)
    assert found.value == 0.25
    assert (found.low, found.high) == (0.0, 1.0)  # a resample may hold one of them twice


def test_members_that_are_all_alike_leave_no_doubt() -> None:
    found = estimate([(3, 4)] * 5, lambda s: ratio(s[:, 0], s[:, 1]), samples=100, seed=1)
    assert (found.value, found.low, found.high) == (0.75, 0.75, 0.75)


def test_a_difference_is_paired_so_that_what_is_common_does_not_widen_it() -> None:
    # Two policies whose cases are all right or all wrong together, but for one more that the first gets each time.
    rng = np.random.default_rng(3)
    hard = rng.integers(0, 2, size=200) * 10
    members = np.stack([hard + 1, hard, np.full(200, 11)], axis=1).astype(float)
    paired = estimate(members, lambda s: ratio(s[:, 0] - s[:, 1], s[:, 2]), samples=300, seed=1)
    assert paired.low == pytest.approx(1 / 11)
    assert paired.high == pytest.approx(1 / 11)


def test_the_interval_of_an_accuracy_is_that_of_the_scores() -> None:
    correct, asked = [1, 0, 1, 1, 0, 1, 1, 0, 1, 1] * 8, [1] * 80
    mine = estimate(list(zip(correct, asked, strict=True)), lambda s: ratio(s[:, 0], s[:, 1]), samples=4000, seed=2)
    theirs = bootstrap_accuracy(correct, asked, samples=4000, seed=3)
    assert mine.value == theirs.value == 0.7
    assert mine.low == pytest.approx(theirs.low, abs=0.02)
    assert mine.high == pytest.approx(theirs.high, abs=0.02)


def test_a_correlation_is_pearsons() -> None:
    x, y = [1.0, 2.0, 4.0, 5.0], [2.0, 1.0, 5.0, 4.0]
    members = [(1, a, b, a * a, b * b, a * b) for a, b in zip(x, y, strict=True)]
    found = estimate(members, pearson, samples=500, seed=1)
    assert found.value == pytest.approx(float(np.corrcoef(x, y)[0, 1]))
    assert -1 <= found.low <= found.value <= found.high <= 1


def test_a_correlation_of_what_does_not_vary_is_not_defined() -> None:
    members = [(1, 3.1, b, 3.1 * 3.1, b * b, 3.1 * b) for b in (1.0, 2.0, 5.0)]
    assert np.isnan(estimate(members, pearson, samples=50, seed=1).value)


def test_resamples_in_which_a_number_is_not_defined_are_left_out() -> None:
    # Half of the resamples of these two hold only one of them, without any spread.
    members = [(1, 1.0, 1.0, 1.0, 1.0, 1.0), (1, 5.0, 5.0, 25.0, 25.0, 25.0)]
    found = estimate(members, pearson, samples=100, seed=1)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)


def test_a_ratio_by_nothing_is_not_defined() -> None:
    assert np.isnan(estimate([(1, 0)], lambda s: ratio(s[:, 0], s[:, 1]), samples=10, seed=1).low)


def test_resampled_sums_follow_from_the_seed_and_have_the_size_of_the_whole() -> None:
    members = np.ones((7, 1))
    assert resampled_sums(members, samples=5, seed=1).tolist() == [[7.0]] * 5
    varied = np.arange(7.0).reshape(-1, 1)
    assert (resampled_sums(varied, samples=5, seed=1) == resampled_sums(varied, samples=5, seed=1)).all()
    assert (resampled_sums(varied, samples=5, seed=1) != resampled_sums(varied, samples=5, seed=2)).any()


@pytest.mark.parametrize("block", [4_000_000, 300])
def test_both_ways_of_drawing_spread_as_a_bootstrap_does(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(intervals, "_BLOCK", block)  # with 300, resamples come in blocks of a few
    distinct = np.random.default_rng(5).normal(size=(60, 1))  # drawn one by one
    alike = np.array([[0.0]] * 45 + [[1.0]] * 15)  # drawn by kind
    for members in (distinct, alike):
        sums = resampled_sums(members, samples=5_000, seed=1)
        assert sums.shape == (5_000, 1)
        assert sums.mean() == pytest.approx(members.sum(), abs=0.05 * 60**0.5)
        assert sums.std() == pytest.approx(members.std() * 60**0.5, rel=0.05)


def test_nothing_has_no_interval() -> None:
    with pytest.raises(ValueError, match="at least one"):
        resampled_sums(np.zeros((0, 2)), samples=5, seed=1)
