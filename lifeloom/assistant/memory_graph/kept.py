"""Threads of a memory file, made once for each state of the file."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from lifeloom.assistant.memory_graph.threads import Thread, ThreadSettings, known_by, threads_of
from lifeloom.memory import UserMemory
from lifeloom.records import Moment

__all__ = ["threads_at"]

_MOMENTS = 8
"""Moments of a file that are kept beside the present: questions about one moment come together."""


@dataclass
class _Kept:
    """The threads of one state of a file."""

    stamp: tuple[int, int, int]
    threads: tuple[Thread, ...]
    moments: dict[Moment, tuple[Thread, ...]] = field(default_factory=dict)


_kept: WeakKeyDictionary[UserMemory, dict[ThreadSettings, _Kept]] = WeakKeyDictionary()
_lock = threading.Lock()


def threads_at(memory: UserMemory, as_of: Moment | None, settings: ThreadSettings) -> tuple[Thread, ...]:
    """Return the threads of what was known at a moment: of what was said, and of goals and habits with their history.

    They are kept in this process as long as the file does not change. Erasing changes it, so what was erased is in
    none of them.

    Args:
        memory: The user's memory; it is only read.
        as_of: The moment; None: now.
        settings: When memories are of one matter.

    Raises:
        MemoryFailure: the memory cannot be read.
    """
    stamp = memory.stamp()  # before the reads: what is written meanwhile is read again next time
    with _lock:
        kept = _kept.get(memory, {}).get(settings)
        found = kept.moments.get(as_of) if kept is not None and as_of is not None else None
    if kept is None or kept.stamp != stamp:
        with memory.snapshot():
            told = (*memory.memories("semantic"), *memory.memories("procedural", ended=True))
        kept, found = _Kept(stamp, threads_of(told, settings)), None
        with _lock:
            _kept.setdefault(memory, {})[settings] = kept
    if as_of is None:
        return kept.threads
    if found is None:
        found = known_by(kept.threads, as_of)
        with _lock:
            while len(kept.moments) >= _MOMENTS:
                del kept.moments[next(iter(kept.moments))]
            kept.moments[as_of] = found
    return found
