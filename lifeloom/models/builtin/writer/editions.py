"""Corpus and release editions: a third of every list of wordings is for releases only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from lifeloom.records import Edition

__all__ = ["for_edition"]

T = TypeVar("T")


def for_edition(items: Sequence[T], edition: Edition) -> Sequence[T]:
    """Return the items that ``edition`` may use: the first two thirds for the corpus, all for releases."""
    return items if edition == "release" else items[: math.ceil(len(items) * 2 / 3)]
