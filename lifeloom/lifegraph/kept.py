"""What is made of an object once and kept as long as the object is."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Kept"]

SourceT = TypeVar("SourceT")
MadeT = TypeVar("MadeT")


class Kept(Generic[SourceT, MadeT]):
    """Makes something of an object at the first call and forgets it with the object.

    By identity: graphs and lives are large, and hashing one takes as long as a lookup. What is made must hold no
    reference to the object itself, or neither is ever freed.
    """

    def __init__(self, make: Callable[[SourceT], MadeT]) -> None:
        self._make = make
        self._known: dict[int, tuple[weakref.ref[SourceT], MadeT]] = {}

    def of(self, source: SourceT) -> MadeT:
        """Return what was made of ``source``."""
        key = id(source)
        known = self._known.get(key)
        if known is not None and known[0]() is source:
            return known[1]
        made = self._make(source)
        self._known[key] = weakref.ref(source, lambda _: self._known.pop(key, None)), made
        return made
