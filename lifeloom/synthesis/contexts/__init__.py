"""Interleaved contexts: a query picture's concepts and their look-alikes, with dialogues (CoViP Section 3.2.1)."""

from lifeloom.synthesis.contexts.making import ContextOrder, MadeContext, make_contexts
from lifeloom.synthesis.contexts.nearest import NearestPictures
from lifeloom.synthesis.contexts.planning import PlannedContext, PlannedEntry, plan_context

__all__ = [
    "ContextOrder",
    "MadeContext",
    "NearestPictures",
    "PlannedContext",
    "PlannedEntry",
    "make_contexts",
    "plan_context",
]
