"""The attribute catalogue: what a simulated user can say about themselves, and how it is asked about."""

from lifeloom.synthesis.catalogue.attributes import (
    Attribute,
    CatalogueError,
    Stem,
    UnknownAttributeError,
    attribute,
    attributes,
)
from lifeloom.synthesis.catalogue.people import GIVEN_NAMES, RELATION_QUESTIONS, RELATIONS

__all__ = [
    "GIVEN_NAMES",
    "RELATIONS",
    "RELATION_QUESTIONS",
    "Attribute",
    "CatalogueError",
    "Stem",
    "UnknownAttributeError",
    "attribute",
    "attributes",
]
