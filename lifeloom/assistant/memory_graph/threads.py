"""Threads: memories of one matter at different times, linked.

PersonaVLM names it as its limitation that memories of related episodes at different times are not connected. Here each
memory joins the thread of earlier memories with which it shares most of what it is about, or begins one. Memories are
taken in the order in which they became known and nothing later is looked at, so the threads of any moment are those of
the memories that were known then.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from lifeloom.memory.coding import as_known, is_known
from lifeloom.memory.lexical import terms_of
from lifeloom.records import Memory, Moment, make_id

__all__ = ["DEFAULT_THREADS", "Thread", "ThreadSettings", "known_by", "threads_of", "times_told"]


@dataclass(frozen=True)
class ThreadSettings:
    """When a memory belongs to a thread."""

    share: float = 0.4
    """Least share of the weight of a memory's terms that a thread has too, 0..1."""
    common: float = 0.1
    """Terms of more than this share of the memories say nothing of a matter, once there are ``settled`` of them."""
    settled: int = 40
    recent: int = 6
    """So many of a thread's latest memories say what it is about."""


DEFAULT_THREADS = ThreadSettings()


@dataclass(frozen=True)
class Thread:
    """Memories of one matter, as they became known."""

    thread_id: str
    """Follows from its first memory."""
    members: tuple[Memory, ...]
    terms: tuple[str, ...]
    """What it is about: words of its memories, those of most of them first."""

    @property
    def title(self) -> str:
        """Up to three keywords as they were written."""
        written: dict[str, str] = {}
        for memory in self.members:
            for keyword in (memory.key, *memory.keywords):
                for term in terms_of(keyword) if keyword else ():
                    written.setdefault(term, keyword)
        return ", ".join(dict.fromkeys(written[term] for term in self.terms[:3] if term in written))


@dataclass
class _Growing:
    """A thread while memories join."""

    members: list[Memory] = field(default_factory=list)
    terms: list[frozenset[str]] = field(default_factory=list)

    def about(self, recent: int) -> frozenset[str]:
        return frozenset().union(*self.terms[-recent:])


def times_told(members: Iterable[Memory]) -> int:
    """Return in how many turns memories were told; what the user did not say counts once a memory."""
    rows = list(members)
    turns = {turn for one in rows for turn in one.source_turns}
    return len(turns) + sum(not one.source_turns for one in rows)


def threads_of(memories: Iterable[Memory], settings: ThreadSettings = DEFAULT_THREADS) -> tuple[Thread, ...]:
    """Return the threads of ``memories``, single memories included, in the order of their first one.

    Args:
        memories: Semantic and procedural memories of one user, in any order, values that hold no longer among them.
            Episodes are linked through the turns that they share with them (``graph_of_memory``).
        settings: When a memory belongs to a thread.
    """
    ordered = sorted(memories, key=lambda one: (one.known_turns, one.known_at, one.happened_from, one.memory_id))
    counts: Counter[str] = Counter()
    growing: list[_Growing] = []
    by_term: dict[str, set[int]] = {}
    for number, memory in enumerate(ordered, start=1):
        terms = _terms(memory)
        counts.update(terms)
        weights = {term: _weight(counts[term], number, settings) for term in terms}
        share = settings.share
        if not any(weights.values()):  # nothing but common terms, as of the user's main matter: all of them must fit
            weights, share = dict.fromkeys(terms, 1.0), 1.0
        place = _joined(weights, growing, by_term, share, settings.recent)
        if place is None:
            place = len(growing)
            growing.append(_Growing())
        growing[place].members.append(memory)
        growing[place].terms.append(terms)
        for term in terms:
            by_term.setdefault(term, set()).add(place)
    return tuple(_thread(one) for one in growing)


def known_by(threads: Iterable[Thread], as_of: Moment) -> tuple[Thread, ...]:
    """Return the threads as they were at a moment: the same as those of the memories that were known then.

    Args:
        threads: Threads of all memories up to that moment or a later one.
        as_of: The moment.
    """
    found = []
    for thread in threads:
        members = tuple(as_known(one, as_of) for one in thread.members if is_known(one, as_of))
        if len(members) == len(thread.members):
            found.append(replace(thread, members=members))
        elif members:
            found.append(_thread(_Growing(list(members), [_terms(one) for one in members])))
    return tuple(found)


def _terms(memory: Memory) -> frozenset[str]:
    words = (memory.key, *memory.keywords) if memory.key or memory.keywords else (memory.content,)
    return frozenset(term for word in words if word for term in terms_of(word))


def _weight(count: int, number: int, settings: ThreadSettings) -> float:
    """Return what a term says of a matter, after ``number`` memories of which ``count`` had it."""
    if number > settings.settled and count > settings.common * number:
        return 0.0
    return math.log(1 + number / count)


def _joined(
    weights: dict[str, float], growing: Sequence[_Growing], by_term: dict[str, set[int]], share: float, recent: int
) -> int | None:
    """Return the thread that has most of the terms; of equals the one that grew last; None where none has enough."""
    total = sum(weights.values())
    if not total:
        return None
    places = set().union(*(by_term.get(term, set()) for term, weight in weights.items() if weight))
    best: tuple[float, int, int] | None = None
    for place in places:
        about = growing[place].about(recent)
        shared = sum(weight for term, weight in weights.items() if term in about) / total
        found = (round(shared, 6), growing[place].members[-1].known_turns, -place)
        if shared >= share and (best is None or found > best):
            best = found
    return None if best is None else -best[2]


def _thread(one: _Growing) -> Thread:
    counts = Counter(term for terms in one.terms for term in terms)
    first = dict.fromkeys(term for terms in one.terms for term in sorted(terms))
    ordered = sorted(first, key=lambda term: -counts[term])  # a stable sort: of equals the one that came first
    return Thread(make_id("thread", one.members[0].memory_id), tuple(one.members), tuple(ordered))
