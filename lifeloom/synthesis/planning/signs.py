"""Signs: what is said in place of a value that is never named."""

from __future__ import annotations

import random

from lifeloom.synthesis.planning.board import FactDraft

__all__ = ["SignDecks"]


class SignDecks:
    """Deals the signs of every fact, none a second time before all of them have been said."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._decks: dict[str, tuple[str, ...]] = {}
        self._dealt: dict[str, int] = {}

    def deal(self, fact: FactDraft) -> str:
        """Return the next sign of ``fact``; empty where its value is said or shown outright.

        Whoever calls goes through the conversation from its first turn to its last.
        """
        if not fact.signs:
            return ""
        if fact.fact_id not in self._decks:
            self._decks[fact.fact_id] = tuple(self._rng.sample(fact.signs, len(fact.signs)))
        deck, dealt = self._decks[fact.fact_id], self._dealt.get(fact.fact_id, 0)
        self._dealt[fact.fact_id] = dealt + 1
        return deck[dealt % len(deck)]
