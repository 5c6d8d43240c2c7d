"""A life graph in memory: looked at, never changed."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lifeloom.lifegraph.types import Entity, EntityType, Fact

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["LifeGraph"]


@dataclass(frozen=True)
class LifeGraph:
    """Entities and facts of one life (or of one memory). Both in a stable order: that in which they were added."""

    life_id: str
    owner_id: str
    """Entity of the account's owner; empty: not known."""
    entities: Mapping[str, Entity]
    """By id."""
    facts: Mapping[str, Fact]
    """By id."""

    @classmethod
    def of(cls, life_id: str, owner_id: str, entities: Iterable[Entity], facts: Iterable[Fact]) -> LifeGraph:
        """Return a graph of ``entities`` and ``facts``.

        Raises:
            ValueError: a fact has an end that is not among the entities.
        """
        nodes = {one.entity_id: one for one in entities}
        edges = {one.fact_id: one for one in facts}
        for fact in edges.values():
            for end in (fact.head, fact.tail):
                if end not in nodes:
                    raise ValueError(f"fact {fact.fact_id} of {life_id} has an end that is no entity: {end}")
        return cls(life_id, owner_id, nodes, edges)

    def incident(self, entity_id: str) -> tuple[Fact, ...]:
        """Return the facts that an entity is head or tail of, in the order in which they were added."""
        return self._incident.get(entity_id, ())

    @functools.cached_property
    def _incident(self) -> dict[str, tuple[Fact, ...]]:
        found: dict[str, list[Fact]] = {}
        for fact in self.facts.values():
            found.setdefault(fact.head, []).append(fact)
            if fact.tail != fact.head:
                found.setdefault(fact.tail, []).append(fact)
        return {entity_id: tuple(own) for entity_id, own in found.items()}

    def of_type(self, kind: EntityType) -> tuple[Entity, ...]:
        """Return the entities of a type."""
        return self._by_type.get(kind, ())

    @functools.cached_property
    def _by_type(self) -> dict[EntityType, tuple[Entity, ...]]:
        found: dict[EntityType, list[Entity]] = {}
        for entity in self.entities.values():
            found.setdefault(entity.type, []).append(entity)
        return {kind: tuple(own) for kind, own in found.items()}

    def networkx(self) -> nx.MultiDiGraph[str]:
        """Return the graph as networkx has it: nodes by entity id, edges keyed by fact id, with all attributes."""
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(life_id=self.life_id, owner_id=self.owner_id)
        for entity in self.entities.values():
            graph.add_node(
                entity.entity_id,
                type=entity.type,
                name=entity.name,
                aliases=entity.aliases,
                sources=entity.sources,
            )
        for fact in self.facts.values():
            graph.add_edge(
                fact.head,
                fact.tail,
                key=fact.fact_id,
                relation=fact.relation,
                attributes={one.key: one.values for one in fact.attributes},
                sources=fact.sources,
            )
        return graph
