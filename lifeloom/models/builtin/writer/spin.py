"""Wordings with free choices: ``[a|b]`` picks one, ``{slot}`` is filled in. Parsed once, said often."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.records import Edition

__all__ = ["Wording", "parse_wordings", "take"]

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording, cut into parts; every part is a tuple of alternatives."""

    source: str
    parts: tuple[tuple[str, ...], ...]
    slots: frozenset[str]

    @classmethod
    def parse(cls, source: str) -> Wording:
        """Cut ``source`` at its choices."""
        pieces = _CHOICE.split(source)  # text, choice, text, choice, ..., text
        parts = tuple(tuple(piece.split("|")) if index % 2 else (piece,) for index, piece in enumerate(pieces) if piece)
        return cls(source, parts, frozenset(_SLOT.findall(source)))

    def say(self, rng: random.Random, slots: Mapping[str, str] | None = None) -> str:
        """Return the text with every choice drawn and every slot filled; what fills a slot is not read again."""
        text = "".join(part[0] if len(part) == 1 else rng.choice(part) for part in self.parts)
        return text.format_map(slots) if slots and self.slots else text


@functools.cache
def parse_wordings(sources: tuple[str, ...]) -> tuple[Wording, ...]:
    """Parse a list of wordings, once in a process."""
    return tuple(Wording.parse(source) for source in sources)


def take(
    items: Sequence[Wording], edition: Edition, rng: random.Random, used: set[Hashable], avoid: Sequence[str] = ()
) -> Wording:
    """Draw a wording of ``edition`` that was not used yet, and note it as used.

    Args:
        items: The whole list; the edition decides how much of it may be used.
        edition: Corpus or release.
        rng: Where the draw comes from.
        used: Sources that were used in this session. When all were, the list starts anew.
        avoid: Lower-case texts that the wording should not contain, as far as there is a choice.
    """
    allowed = for_edition(items, edition)
    for _ in range(6):  # A few blind draws succeed nearly always and are much cheaper than filtering.
        wording = rng.choice(allowed)
        if wording.source not in used and not _contains(wording, avoid):
            used.add(wording.source)
            return wording
    clear = [item for item in allowed if not _contains(item, avoid)] or list(allowed)
    fresh = [item for item in clear if item.source not in used]
    if not fresh:
        used.difference_update(item.source for item in clear)
        fresh = clear
    wording = rng.choice(fresh)
    used.add(wording.source)
    return wording


def _contains(wording: Wording, avoid: Sequence[str]) -> bool:
    if not avoid:
        return False
    text = wording.source.lower()
    return any(word in text for word in avoid)
