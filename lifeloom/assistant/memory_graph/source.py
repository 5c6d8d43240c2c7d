"""Threads as one more source of the response stage: the matter as a whole, not the single memory."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace

from lifeloom.assistant.memory_graph.kept import threads_at
from lifeloom.assistant.memory_graph.threads import DEFAULT_THREADS, Thread, ThreadSettings, times_told
from lifeloom.assistant.shown import clock_text
from lifeloom.memory import DialogueTurn, Period, RetrievalRequest, UserMemory
from lifeloom.memory.lexical import terms_of
from lifeloom.records import Memory, MemoryKind, Moment
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["FoundThread", "ThreadSource"]

_KINDS: Set[MemoryKind] = frozenset({"semantic", "procedural"})
_WITH_FOUND = 0.5
"""What it adds to a thread's score that all of its memories were found by the same retrieval."""
_LATEST = 5  # turns shown of a thread beside its first
_LONGEST = 160  # characters of a memory in a summary
_WHOLE_WORDS = 2_000  # characters of a request that are taken apart


@dataclass(frozen=True)
class FoundThread:
    """A thread as a retrieval found it."""

    thread: Thread
    members: tuple[Memory, ...]
    """Those of its memories that the request allows, oldest first; told in two turns or more."""
    score: float
    turns: tuple[DialogueTurn, ...] = ()
    """The first turn and the latest ones that the members follow from, oldest first."""

    @property
    def times(self) -> int:
        """In how many turns it was told."""
        return times_told(self.members)

    def summary(self, offset_minutes: int) -> str:
        """Return in words how often, from when to when, what it began with and what was said last.

        Args:
            offset_minutes: The user's zone, minutes east of UTC.
        """
        days = list(dict.fromkeys(clock_text(one.happened_from, offset_minutes)[:10] for one in self.members))
        when = f"on {days[0]}" if len(days) == 1 else f"on {len(days)} days, from {days[0]} to {days[-1]}"
        first, last = self.members[0], self.members[-1]
        often = "once" if self.times == 1 else f"{self.times} times"
        return f"Told {often} {when}. First: {_short(first)} Last: {_short(last)}"


class ThreadSource:
    """Finds threads of one user's memory, under the same filters as every other memory.

    Threads are made from the memories when they are first asked for, and anew when the file has changed.

    Args:
        memory: The user's memory; it is only read.
        settings: When memories are of one matter.
        kinds: Memories of which kinds are shown.
    """

    def __init__(
        self, memory: UserMemory, settings: ThreadSettings = DEFAULT_THREADS, kinds: Set[MemoryKind] = _KINDS
    ) -> None:
        self._memory = memory
        self._settings = settings
        self._kinds = kinds

    def threads_for(
        self, request: RetrievalRequest, k: int, *, found: Collection[str] = frozenset()
    ) -> tuple[FoundThread, ...]:
        """Return the ``k`` threads nearest to a request, best first; of equals the one that grew last, then by id.

        The score is the share of the request's words, rare ones weighing more, that a thread is about, and up to 0.5
        for the share of its memories that the retrieval found otherwise. Threads without either do not come, nor do
        those of which what is left was told once.

        Args:
            request: Text or keywords; ``period`` and ``as_of`` filter the memories; ``exclude`` are ids of threads
                and memories that do not come; ``context_turns`` are known anyway.
            k: How many at most.
            found: Memories that the same retrieval found.

        Raises:
            MemoryFailure: the memory cannot be read.
        """
        if k <= 0:
            return ()
        threads = threads_at(self._memory, request.as_of, self._settings)
        shares = _shares(_asked(request), threads)
        ranked = []
        for thread, share in zip(threads, shares, strict=True):
            members = tuple(one for one in thread.members if one.kind in self._kinds and _allowed(one, request))
            if thread.thread_id in request.exclude or times_told(members) < 2:
                continue
            with_found = sum(one.memory_id in found for one in members) / len(members)
            score = share + _WITH_FOUND * with_found
            if score > 0:
                ranked.append(FoundThread(thread, members, score))
        ranked.sort(key=lambda one: (-round(one.score, 6), -one.members[-1].known_turns, one.thread.thread_id))
        return tuple(replace(one, turns=self._turns(one.members, request)) for one in ranked[:k])

    def grown(self, as_of: Moment | None = None) -> tuple[Thread, ...]:
        """Return the threads told of in two or more turns at a moment, the longest first; of equals in order.

        Raises:
            MemoryFailure: the memory cannot be read.
        """
        threads = threads_at(self._memory, as_of, self._settings)
        return tuple(
            sorted(
                (one for one in threads if times_told(one.members) > 1),
                key=lambda one: times_told(one.members),
                reverse=True,
            )
        )

    def _turns(self, members: Sequence[Memory], request: RetrievalRequest) -> tuple[DialogueTurn, ...]:
        wanted = sorted({turn for one in members for turn in one.source_turns} - request.context_turns)
        chosen = dict.fromkeys([*wanted[:1], *wanted[1:][-_LATEST:]])
        return tuple(turn for index in chosen for turn in self._memory.turns(index, index, as_of=request.as_of))


def _short(memory: Memory) -> str:
    text = " ".join(memory.content.replace(PICTURE_MARK, "").split())
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return text if text.endswith((".", "!", "?", "…", "。", "！", "？", "؟")) else f"{text}."


def _asked(request: RetrievalRequest) -> frozenset[str]:
    words = request.keywords or (request.text,)
    return frozenset(term for word in words for term in terms_of(word[:_WHOLE_WORDS]))


def _shares(asked: frozenset[str], threads: Sequence[Thread]) -> list[float]:
    """Return for each thread the share of the asked words' weight that it is about."""
    about = [asked.intersection(thread.terms) for thread in threads]
    counts = Counter(term for terms in about for term in terms)
    weights = {term: math.log(1 + len(threads) / counts[term]) for term in counts}
    total = sum(weights.values())
    return [sum(weights[term] for term in terms) / total if total else 0.0 for terms in about]


def _allowed(memory: Memory, request: RetrievalRequest) -> bool:
    if memory.memory_id in request.exclude or not _within(memory, request.period):
        return False
    return not memory.source_turns or not request.context_turns.issuperset(memory.source_turns)


def _within(memory: Memory, period: Period | None) -> bool:
    """Whether a memory's turns overlap a period, both ends included."""
    if period is None:
        return True
    start, end = (None if one is None else one.astimezone(dt.UTC) for one in (period.start, period.end))
    return (start is None or memory.happened_to >= start) and (end is None or memory.happened_from <= end)
