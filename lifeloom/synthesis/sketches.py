"""Small summaries of long streams: how many distinct things there were, and a fair sample of them."""

from __future__ import annotations

import random
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["DistinctCounter", "Sample"]

ItemT = TypeVar("ItemT")


class DistinctCounter:
    """Counts distinct 64-bit hashes in bounded memory: exactly up to ``size``, else by the k least values.

    The estimate (k - 1) / (k-th least value, scaled to 0..1) is unbiased with a relative standard error of
    1 / sqrt(k - 2) (Bar-Yossef et al. 2002; Beyer et al. 2007): 0.2 % with the preset size.
    """

    def __init__(self, size: int = 1 << 18) -> None:
        self.total = 0
        """Hashes added, repeated ones too."""
        self._size = size
        self._least = np.empty(0, dtype=np.uint64)
        self._waiting: list[npt.NDArray[np.uint64]] = []
        self._waiting_count = 0
        self._cut = np.uint64(2**64 - 1)
        self._exact = True

    def add(self, hashes: npt.NDArray[np.uint64]) -> None:
        """Add hashes that are spread evenly over 0..2**64-1."""
        self.total += len(hashes)
        if not self._exact:
            hashes = hashes[hashes < self._cut]
        if len(hashes):
            self._waiting.append(hashes)
            self._waiting_count += len(hashes)
            if self._waiting_count >= self._size:
                self._merge()

    def distinct(self) -> int:
        """Return how many distinct hashes were added."""
        self._merge()
        if self._exact:
            return len(self._least)
        return round((self._size - 1) / (float(self._least[-1]) / 2.0**64))

    def share(self) -> float:
        """Return distinct / total in 0..1; 0 for nothing."""
        return min(1.0, self.distinct() / self.total) if self.total else 0.0

    def _merge(self) -> None:
        if not self._waiting:
            return
        self._least = np.unique(np.concatenate([self._least, *self._waiting]))
        self._waiting, self._waiting_count = [], 0
        if len(self._least) > self._size:
            self._least = self._least[: self._size]
            self._exact = False
        if not self._exact:
            self._cut = self._least[-1]


class Sample(Generic[ItemT]):
    """A uniform sample of a stream (Vitter's algorithm R): all of it while it has at most ``size`` items.

    Items keep the order in which they came.
    """

    def __init__(self, size: int, rng: random.Random) -> None:
        self.seen = 0
        self._size = size
        self._rng = rng
        self._kept: list[tuple[int, ItemT]] = []

    def add(self, item: ItemT) -> None:
        """Take ``item`` into the sample, or not."""
        if len(self._kept) < self._size:
            self._kept.append((self.seen, item))
        elif (place := self._rng.randrange(self.seen + 1)) < self._size:
            self._kept[place] = (self.seen, item)
        self.seen += 1

    def items(self) -> list[ItemT]:
        """Return the items of the sample."""
        return [item for _, item in sorted(self._kept, key=lambda kept: kept[0])]
