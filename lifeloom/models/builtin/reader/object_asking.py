"""Is there such a thing in the picture: by what the eyes see."""

from __future__ import annotations

from collections.abc import Sequence

from lifeloom.models.builtin.reader.english import PEOPLE
from lifeloom.models.builtin.reader.looking import LookedAt, looks
from lifeloom.models.builtin.reader.text import base, content_stems

__all__ = ["is_there"]


def is_there(thing: str, looked: Sequence[LookedAt]) -> str:
    """Return ``Yes.`` where the one picture shows a thing of that name, or anybody where people are meant."""
    if not looked:
        return "No."
    words = [base(word) for word in thing.lower().split()]
    if any(word in PEOPLE or word in ("person", "people", "human") for word in words):
        return "Yes." if len(looked[0].faces) else "No."
    asked = set(content_stems(thing))
    seen = any(asked <= looks(one.name) for one in looked[0].sight.things)
    return "Yes." if asked and seen else "No."
