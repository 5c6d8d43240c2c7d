"""The same question asked by two threads at once is paid for once."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

__all__ = ["Flights"]


class Flights:
    """Lets one thread at a time ask a question; the next one finds the answer in the cache."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}

    @contextlib.contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """Hold the question with this key for the block."""
        with self._lock:
            own, users = self._locks.get(key, (threading.Lock(), 0))
            self._locks[key] = own, users + 1
        try:
            with own:
                yield
        finally:
            with self._lock:
                own, users = self._locks[key]
                if users == 1:
                    del self._locks[key]
                else:
                    self._locks[key] = own, users - 1
