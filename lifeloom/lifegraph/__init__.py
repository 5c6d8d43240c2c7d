"""Life graphs: a personal knowledge graph of one life, its construction and retrieval (Life-Bench Sections 4 and 8)."""

from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.types import ENTITY_TYPES, Attribute, Entity, EntityType, Fact

__all__ = ["ENTITY_TYPES", "Attribute", "Entity", "EntityType", "Fact", "LifeGraph"]
