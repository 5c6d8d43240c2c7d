"""Several slow calls at once, results in order, memory bounded."""

from __future__ import annotations

import collections
import concurrent.futures
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["ordered_map"]

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def ordered_map(function: Callable[[ItemT], ResultT], items: Iterable[ItemT], *, workers: int) -> Iterator[ResultT]:
    """Yield ``function(item)`` in the order of ``items``, up to ``workers`` at once in threads.

    At most ``2 * workers`` items are taken ahead. The first error is raised at its place; calls that
    have begun are waited for, the others are not started.

    Args:
        function: called from several threads when ``workers`` is above 1.
        items: taken lazily.
        workers: 1 calls directly, with no thread.
    """
    if workers <= 1:
        yield from map(function, items)
        return
    iterator = iter(items)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        pending = collections.deque(pool.submit(function, item) for item in itertools.islice(iterator, 2 * workers))
        try:
            while pending:
                result = pending.popleft().result()
                for item in itertools.islice(iterator, 1):
                    pending.append(pool.submit(function, item))
                yield result
        finally:
            for future in pending:
                future.cancel()
