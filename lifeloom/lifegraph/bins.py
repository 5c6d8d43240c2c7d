"""Bins of what one prompt can hold: greedy, in the order of time (Life-Bench Section 8.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

__all__ = ["binned"]

Item = TypeVar("Item")


def binned(
    groups: Iterable[Sequence[Item]],
    *,
    tokens: int,
    pictures: int,
    cost: Callable[[Item], tuple[int, int]],
) -> list[list[Item]]:
    """Return ``groups`` in bins, in their order; nothing is left out.

    A group (the pictures of an event) goes whole into the bin that is being filled, or begins the next one. A group
    that is larger than a bin has bins of its own, cut between its items; what follows begins a new bin. An item that
    is larger than a bin has one to itself.

    Args:
        groups: items that belong together, in the order of time.
        tokens: tokens that a bin holds.
        pictures: pictures that a bin holds.
        cost: tokens and pictures of an item.
    """
    bins: list[list[Item]] = []
    filling: list[Item] = []
    used = (0, 0)

    def fits(more: tuple[int, int]) -> bool:
        return used[0] + more[0] <= tokens and used[1] + more[1] <= pictures

    for group in groups:
        costs = [cost(item) for item in group]
        whole = (sum(one for one, _ in costs), sum(one for _, one in costs))
        if whole[0] <= tokens and whole[1] <= pictures:
            if filling and not fits(whole):
                bins.append(filling)
                filling, used = [], (0, 0)
            filling.extend(group)
            used = (used[0] + whole[0], used[1] + whole[1])
            continue
        if filling:
            bins.append(filling)
            filling, used = [], (0, 0)
        for item, one in zip(group, costs, strict=True):
            if filling and not fits(one):
                bins.append(filling)
                filling, used = [], (0, 0)
            filling.append(item)
            used = (used[0] + one[0], used[1] + one[1])
        if filling:
            bins.append(filling)
            filling, used = [], (0, 0)
    if filling:
        bins.append(filling)
    return bins
