"""What a life graph's entities are called: which of them a question is nearest to, and when things were.

Made once a graph and kept as long as the graph is.
"""

from __future__ import annotations

import functools
import heapq
import math
import re
from collections import Counter
from collections.abc import Mapping

from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.kept import Kept
from lifeloom.lifegraph.types import Entity, Fact
from lifeloom.models.builtin.reader.life.asking import dates_in
from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.tasks.life_answer import FactAttribute, GraphFact

__all__ = ["UNDATED", "GraphNames", "names_of", "stems_of", "words_in_relation"]

UNDATED = "9999-99-99"
"""Sorts behind every date."""
_SOURCES_SHOWN = 12
"""Sources that a fact shows in a prompt: one that cites hundreds would fill it."""
_VALUES_SHOWN = 12
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


class GraphNames:
    """Words, dates and prompt lines of a graph's entities and facts. Holds no reference to the graph itself."""

    def __init__(self, graph: LifeGraph) -> None:
        self.entities: Mapping[str, Entity] = graph.entities
        self.facts: Mapping[str, Fact] = graph.facts
        self._postings: dict[str, list[str]] = {}
        self._lengths: dict[str, int] = {}
        self._called: dict[str, list[str]] = {}
        for entity in graph.entities.values():
            stems = {stem for text in (entity.name, *entity.aliases) for stem in stems_of(text)}
            self._lengths[entity.entity_id] = len(stems)
            for stem in stems:
                self._postings.setdefault(stem, []).append(entity.entity_id)
            for text in (entity.name, *entity.aliases):
                self._called.setdefault(_folded(text), []).append(entity.entity_id)
        self.events = frozenset(one.entity_id for one in graph.of_type("Event"))
        self.event_dates: dict[str, str] = {}
        for fact in graph.facts.values():
            for event, day in ((fact.head, fact.tail), (fact.tail, fact.head)):
                if graph.entities[event].type == "Event" and graph.entities[day].type == "Date":
                    name = graph.entities[day].name
                    self.event_dates[event] = min(name, self.event_dates.get(event, name))
        self.fact_days = {one.fact_id: min(self.day_of(one.head), self.day_of(one.tail)) for one in self.facts.values()}
        """By fact: the earlier date of its two ends; ``UNDATED`` where neither has one."""
        self.fact_ranks = {
            one: rank for rank, one in enumerate(sorted(self.facts, key=lambda one: (self.fact_days[one], one)))
        }
        """By fact: its place by date, then id; what comes first wins where scores are equal."""
        self._lines: dict[str, GraphFact] = {}

    def called(self, name: str) -> tuple[str, ...]:
        """Return the ids of the entities that have this very name or alias, case folded."""
        return tuple(dict.fromkeys(self._called.get(_folded(name), ())))

    def nearness(self, text: str) -> dict[str, float]:
        """Return how near entities are to ``text`` by shared words, rare ones counting more; only those that share one.

        Days that ``text`` names in any form are nearest of all.
        """
        found: dict[str, float] = {}
        shared: Counter[str] = Counter()
        for stem in dict.fromkeys(stems_of(text)):
            postings = self._postings.get(stem, ())
            if postings:
                weight = math.log(1 + len(self.entities) / len(postings))
                for entity_id in postings:
                    found[entity_id] = found.get(entity_id, 0.0) + weight
                    shared[entity_id] += 1
        scores = {one: weight * (0.5 + 0.5 * shared[one] / self._lengths[one]) for one, weight in found.items()}
        most = max(scores.values(), default=0.0)
        for day in dates_in(text):
            for entity_id in self.called(day.isoformat()):
                if self.entities[entity_id].type == "Date":
                    scores[entity_id] = most + 1.0
        return scores

    def nearest(self, scores: Mapping[str, float], count: int) -> list[str]:
        """Return the ``count`` entities with the highest ``scores``; equal ones by date, then id."""
        return heapq.nsmallest(count, scores, key=lambda one: (-scores[one], self.day_of(one), one))

    def day_of(self, entity_id: str) -> str:
        """Return the date of an event or of a date itself; ``UNDATED`` for other entities."""
        entity = self.entities[entity_id]
        return entity.name if entity.type == "Date" else self.event_dates.get(entity_id, UNDATED)

    def line(self, fact: Fact) -> GraphFact:
        """Return a fact as prompts show it."""
        found = self._lines.get(fact.fact_id)
        if found is None:
            head, tail = self.entities[fact.head], self.entities[fact.tail]
            found = self._lines[fact.fact_id] = GraphFact(
                head=head.name,
                head_type=head.type,
                relation=fact.relation,
                tail=tail.name,
                tail_type=tail.type,
                attributes=tuple(
                    FactAttribute(key=one.key, values=one.values[:_VALUES_SHOWN]) for one in fact.attributes
                ),
                sources=fact.sources[:_SOURCES_SHOWN],
            )
        return found

    @functools.cached_property
    def _of_sources(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for entity in self.entities.values():
            for source in entity.sources:
                found.setdefault(source, []).append(entity.entity_id)
        return found

    def citing(self, source_id: str) -> tuple[str, ...]:
        """Return the ids of the entities that cite a source."""
        return tuple(self._of_sources.get(source_id, ()))


_KEPT: Kept[LifeGraph, GraphNames] = Kept(GraphNames)


def names_of(graph: LifeGraph) -> GraphNames:
    """Return the names of ``graph``: made at the first call, forgotten with the graph."""
    return _KEPT.of(graph)


@functools.lru_cache(maxsize=4096)
def words_in_relation(relation: str) -> frozenset[str]:
    """Return the stems of a relation's name: ``hasHairColour`` speaks of hair and colour."""
    return frozenset(stem for word in _WORD.findall(relation) for stem in stems_of(word))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


@functools.lru_cache(maxsize=65_536)
def stems_of(text: str) -> tuple[str, ...]:
    """Return the stems of the content words of ``text``."""
    return content_stems(text)
