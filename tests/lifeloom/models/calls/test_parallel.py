"""Ordered, bounded, honest about errors."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from lifeloom.models.calls.parallel import ordered_map


@pytest.mark.parametrize("workers", [1, 4])
def test_results_come_in_the_order_of_the_items(workers: int) -> None:
    assert list(ordered_map(lambda n: n * n, range(20), workers=workers)) == [n * n for n in range(20)]


def test_several_calls_run_at_once() -> None:
    barrier = threading.Barrier(3, timeout=10)  # passes only when three calls are inside together

    def call(n: int) -> int:
        barrier.wait()
        return n

    assert list(ordered_map(call, range(3), workers=3)) == [0, 1, 2]


@pytest.mark.parametrize("workers", [1, 4])
def test_items_are_taken_lazily(workers: int) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for n in range(1000):
            taken.append(n)
            yield n

    results = ordered_map(lambda n: n, items(), workers=workers)
    next(results)
    assert len(taken) <= 8 * workers + 1


@pytest.mark.parametrize("workers", [1, 4])
def test_an_error_comes_out_at_its_place(workers: int) -> None:
    def call(n: int) -> int:
        if n == 3:
            raise ValueError("three")
        return n

    results = ordered_map(call, range(10), workers=workers)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)
