"""The search step of retrieval: facts at a frontier, the nearest to a question first.

Facts and entities are numbers here, since a hub has thousands of facts; a fact's number is its place by date, then id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lifeloom.lifegraph.naming import UNDATED, GraphNames, stems_of, words_in_relation

__all__ = ["FactTable", "Frontier"]

_STANDING = 0.25
"""Nearness of a fact that holds of somebody as such: few beside a hub's hundreds of events."""
_TOLD = 0.5
"""Nearness of a fact for each word of the question in its relation or attributes."""
_LINKED = 0.5
"""Share of an entity's nearness to a question that an event has which any fact links to it."""
_DIGITS = 3
"""Of nearness that are told apart."""
_NONE: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)


class FactTable:
    """Facts by number, and what is at each entity. Made once a graph."""

    def __init__(self, names: GraphNames) -> None:
        self.ids = sorted(names.facts, key=lambda one: (names.fact_days[one], one))
        self.entities = {one: number for number, one in enumerate(names.entities)}
        self.is_event = np.array([one.type == "Event" for one in names.entities.values()], dtype=bool)
        self.standing = np.array([names.fact_days[one] == UNDATED for one in self.ids], dtype=bool)
        around: dict[str, list[tuple[int, int]]] = {}
        told: dict[str, list[int]] = {}
        for number, fact_id in enumerate(self.ids):
            fact = names.facts[fact_id]
            around.setdefault(fact.head, []).append((number, self.entities[fact.tail]))
            if fact.tail != fact.head:
                around.setdefault(fact.tail, []).append((number, self.entities[fact.head]))
            stems = set(words_in_relation(fact.relation))
            stems.update(stem for one in fact.attributes for value in one.values for stem in stems_of(value))
            for stem in stems:
                told.setdefault(stem, []).append(number)
        self._around = {one: np.array(rows, dtype=np.int64) for one, rows in around.items()}
        self._told = {stem: np.array(numbers, dtype=np.int64) for stem, numbers in told.items()}

    def at(self, entity_id: str) -> npt.NDArray[np.int64]:
        """Return the facts at an entity with their other ends: (facts, 2)."""
        found = self._around.get(entity_id)
        return _NONE.reshape(0, 2) if found is None else found

    def telling(self, stem: str) -> npt.NDArray[np.int64]:
        """Return the facts whose relation or attributes say a word."""
        return self._told.get(stem, _NONE)


class Frontier:
    """Facts in the order of their nearness to one question.

    Args:
        table: the graph's facts.
        question: whose words count.
        nearness: of entities to the question, by id; the others are not near.
    """

    def __init__(self, table: FactTable, question: str, nearness: Mapping[str, float]) -> None:
        self._table = table
        pull = np.zeros(len(table.entities))
        for entity_id, near in nearness.items():
            pull[table.entities[entity_id]] += near
        for entity_id, near in nearness.items():
            if not table.is_event[table.entities[entity_id]]:
                ends = table.at(entity_id)[:, 1]
                np.add.at(pull, ends[table.is_event[ends]], _LINKED * near)
        self._pull = pull
        self._worth = _STANDING * table.standing
        for stem in dict.fromkeys(stems_of(question)):
            self._worth[table.telling(stem)] += _TOLD

    def search(
        self, frontier: Sequence[str], visited: Iterable[str], nodes: Collection[str], most: int
    ) -> tuple[list[tuple[str, str]], int]:
        """Return facts at ``frontier`` with where each was reached from, nearest first, and how many there are.

        Args:
            frontier: ids of entities.
            visited: ids of facts that are on a path.
            nodes: ids of entities that no fact may lead to again.
            most: how many are returned; equally near ones by date, then id.
        """
        rows = [self._table.at(one) for one in frontier]
        facts = np.concatenate([one[:, 0] for one in rows]) if rows else _NONE
        ends = np.concatenate([one[:, 1] for one in rows]) if rows else _NONE
        starts = np.repeat(np.arange(len(rows)), [len(one) for one in rows])
        facts, first = np.unique(facts, return_index=True)  # a fact between two of the frontier counts once
        ends, starts = ends[first], starts[first]
        taken = set(visited)
        keep = np.ones(len(facts), dtype=bool)
        if taken:
            gone = [place for place, number in enumerate(facts.tolist()) if self._table.ids[number] in taken]
            keep[gone] = False
        if nodes:
            keep &= ~np.isin(ends, [self._table.entities[one] for one in nodes])
        facts, ends, starts = facts[keep], ends[keep], starts[keep]
        scores = np.round(self._pull[ends] + self._worth[facts], _DIGITS)
        order = np.lexsort((facts, -scores))[:most]
        return [(self._table.ids[facts[one]], frontier[starts[one]]) for one in order], len(facts)
