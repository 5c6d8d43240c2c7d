"""The turns that may carry statements, and what has been put on them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from lifeloom.records import Area, FactKind, FactStatus, StatementKind

__all__ = ["MAX_STATEMENTS", "Board", "FactDraft", "Placed"]

MAX_STATEMENTS = 2
"""Statements a turn, at most."""


@dataclass(eq=False)
class FactDraft:
    """A planned fact while its turns are still being found."""

    fact_id: str
    area: Area
    kind: FactKind
    attribute: str
    phrase: str
    value: str
    status: FactStatus
    holder_name: str = ""
    holder_relation: str = ""
    replaces: str | None = None
    pictured: bool = False
    signs: tuple[str, ...] = ()
    """What may be said in place of the value; empty where the value is said or shown outright."""
    stated_in: list[int] = field(default_factory=list)
    ended_in: int | None = None


@dataclass(frozen=True)
class Placed:
    """One statement that stands in a turn."""

    fact: FactDraft
    kind: StatementKind
    previous: FactDraft | None = None


class Board:
    """Turns open for statements, at most two each, no attribute twice in one turn; a pictured one stands alone."""

    def __init__(self, open_turns: Sequence[int], session_of: Sequence[int]) -> None:
        """Start empty.

        Args:
            open_turns: indices of the turns that may carry statements, ascending.
            session_of: session index of every turn of the conversation.
        """
        self._session_of = session_of
        self._said: dict[int, list[Placed]] = {turn: [] for turn in open_turns}
        self._locked: set[int] = set()

    @property
    def turns(self) -> tuple[int, ...]:
        """The open turns, ascending."""
        return tuple(self._said)

    def said(self, turn: int) -> tuple[Placed, ...]:
        """Return what stands in ``turn``."""
        return tuple(self._said.get(turn, ()))

    def room(self, turn: int) -> int:
        """Return how many statements ``turn`` can still take."""
        if turn not in self._said or turn in self._locked:
            return 0
        return MAX_STATEMENTS - len(self._said[turn])

    def capacity(self) -> int:
        """Return how many statements can still be placed in all."""
        return sum(self.room(turn) for turn in self._said)

    def takes(self, turn: int, attribute: str, alone: bool = False) -> bool:
        """Say whether ``turn`` has room for a statement about ``attribute``; with ``alone`` only an empty turn has."""
        needed = MAX_STATEMENTS if alone else 1
        return self.room(turn) >= needed and all(placed.fact.attribute != attribute for placed in self._said[turn])

    def choose(
        self,
        rng: random.Random,
        count: int,
        attribute: str,
        low: int,
        high: int,
        spread: bool = True,
        alone: bool = False,
    ) -> list[int]:
        """Draw ``count`` distinct turns in ``low <= turn < high`` with room, ascending; fewer if there are not as many.

        Args:
            rng: the stream to draw from.
            count: turns wanted.
            attribute: what is said there; turns that already speak of it are passed over.
            low: first turn of the window.
            high: turn after the window.
            spread: whether empty turns are taken first.
            alone: whether only empty turns are taken.
        """
        free = [turn for turn in self._said if low <= turn < high and self.takes(turn, attribute, alone)]
        rng.shuffle(free)
        if spread:
            free.sort(key=lambda turn: len(self._said[turn]))
        return sorted(free[:count])

    def put(self, turn: int, fact: FactDraft, kind: StatementKind, previous: FactDraft | None = None) -> None:
        """Place one statement; whoever calls has looked for room. Nothing comes beside a pictured one."""
        self._said[turn].append(Placed(fact, kind, previous))
        fact.stated_in.append(turn)
        if fact.pictured:
            self._locked.add(turn)

    def put_pair(self, turn: int, fact: FactDraft) -> None:
        """Place a mention in ``turn`` and its anaphora in the next, both alone, so that 'that one' is clear."""
        self.put(turn, fact, "mention")
        self.put(turn + 1, fact, "anaphora")
        self._locked.update((turn, turn + 1))

    def takes_pair(self, turn: int) -> bool:
        """Say whether ``turn`` and the next are both open, empty and of one session."""
        return (
            self.room(turn) == self.room(turn + 1) == MAX_STATEMENTS
            and self._session_of[turn] == self._session_of[turn + 1]
        )

    def pair_starts(self, low: int, high: int) -> tuple[int, ...]:
        """Return the turns where a pair fits into ``low <= turn < high`` with both its turns."""
        return tuple(turn for turn in self._said if low <= turn < high - 1 and self.takes_pair(turn))

    def give_away(self, rng: random.Random, count: int, low: int) -> list[int]:
        """Close up to ``count`` empty turns from ``low`` on, drawn at random, and return them, ascending."""
        free = [turn for turn in self._said if turn >= low and self.room(turn) == MAX_STATEMENTS]
        given = sorted(rng.sample(free, min(count, len(free))))
        for turn in given:
            del self._said[turn]
        return given

    def session(self, turn: int) -> int:
        """Return the session that ``turn`` belongs to."""
        return self._session_of[turn]

    def spoken_of_in_session(self, fact: FactDraft, turn: int) -> bool:
        """Say whether ``fact`` is stated, or ends, in the session of ``turn``."""
        turns = fact.stated_in if fact.ended_in is None else [*fact.stated_in, fact.ended_in]
        return any(self._session_of[other] == self._session_of[turn] for other in turns)
