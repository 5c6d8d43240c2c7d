"""Several slow calls at once, results in order, memory bounded."""

from __future__ import annotations

import collections
import concurrent.futures
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from lifeloom.models.calls.stopping import CallStopped, Stop, stoppable, stops_here

__all__ = ["ordered_map"]

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def ordered_map(function: Callable[[ItemT], ResultT], items: Iterable[ItemT], *, workers: int) -> Iterator[ResultT]:
    """Yield ``function(item)`` in the order of ``items``, up to ``workers`` at once in threads.

    At most ``8 * workers`` items are taken ahead: a call that a server tells to wait a second must not leave the others
    without work, though nothing behind it can be yielded.

    An error ends it all: it is raised at its place, or at the place of the first call that it ended. From then on no
    call is begun; of those that have begun, what a model is being asked is waited for, and what waits for its turn or
    for another attempt ends at once. So it is too when the caller stops early; and when it is interrupted, a server has
    some seconds left for its answer.

    Args:
        function: called from several threads when ``workers`` is above 1.
        items: taken lazily.
        workers: 1 calls directly, with no thread.
    """
    if workers <= 1:
        yield from map(function, items)
        return
    stop, outer = Stop(), stops_here()

    def call(item: ItemT) -> ResultT:
        stop.check()
        try:
            with stoppable(*outer, stop):
                return function(item)
        except BaseException as error:
            stop.throw(error)
            raise

    iterator = iter(items)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        pending: collections.deque[concurrent.futures.Future[ResultT]] = collections.deque()
        try:
            for item in itertools.islice(iterator, 8 * workers):
                pending.append(pool.submit(call, item))
            while pending:
                result = _result(pending.popleft(), stop)
                for item in itertools.islice(iterator, 1):
                    pending.append(pool.submit(call, item))
                yield result
        except BaseException as error:  # an interrupt, or a caller that wants no more, comes from outside of the calls
            stop.throw(error)
            raise
        finally:
            for future in pending:
                future.cancel()


def _result(future: concurrent.futures.Future[ResultT], stop: Stop) -> ResultT:
    try:
        return future.result()
    except CallStopped as stopped:
        if stopped.stop is not stop or stop.cause is None:
            raise
        cause = stop.cause
    raise cause
