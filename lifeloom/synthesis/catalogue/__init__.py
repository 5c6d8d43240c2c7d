"""The attribute catalogue: what a simulated user can say about themselves, and how it is asked about."""

from lifeloom.synthesis.catalogue.albums import HANDLES, handles
from lifeloom.synthesis.catalogue.attributes import (
    SIGN_KINDS,
    Attribute,
    CatalogueError,
    Pictured,
    Stem,
    UnknownAttributeError,
    attribute,
    attributes,
)
from lifeloom.synthesis.catalogue.people import GIVEN_NAMES, RELATION_QUESTIONS, RELATIONS

__all__ = [
    "GIVEN_NAMES",
    "HANDLES",
    "RELATIONS",
    "RELATION_QUESTIONS",
    "SIGN_KINDS",
    "Attribute",
    "CatalogueError",
    "Pictured",
    "Stem",
    "UnknownAttributeError",
    "attribute",
    "attributes",
    "handles",
]
