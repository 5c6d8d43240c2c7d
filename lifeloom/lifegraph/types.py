"""What a life graph is made of: typed entities and n-ary facts that cite their sources (Life-Bench Section 8.1)."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal, get_args

__all__ = ["ENTITY_TYPES", "Attribute", "Entity", "EntityType", "Fact"]

EntityType = Literal["PersonAnimal", "Event", "Date", "Location", "Activity", "Object"]
ENTITY_TYPES: tuple[EntityType, ...] = get_args(EntityType)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A further part of an n-ary fact: a key with its values."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entity:
    """A node."""

    entity_id: str
    """Stable: follows from type and name (``make_id("entity", type, folded name)``)."""
    type: EntityType
    name: str
    """Dates: ``YYYY-MM-DD``."""
    aliases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """Ids of pictures, concepts, memories or turns that it is cited from."""
    known_at: dt.datetime | None = None
    """From when on it was known; None: from the start. Aware."""
    known_turns: int = 0
    """After how many turns of a conversation; 0: from the start, or from no conversation."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A directed edge."""

    fact_id: str
    """Stable: follows from head, relation, tail and attributes."""
    head: str
    """Id of an entity."""
    relation: str
    """Open: the builder's own word, camelCase (``hasActivity``)."""
    tail: str
    attributes: tuple[Attribute, ...] = ()
    sources: tuple[str, ...] = ()
    known_at: dt.datetime | None = None
    known_turns: int = 0

    def other(self, entity_id: str) -> str:
        """Return the other end: retrieval takes edges as undirected."""
        return self.tail if self.head == entity_id else self.head
