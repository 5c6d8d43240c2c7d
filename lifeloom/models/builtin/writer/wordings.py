"""Loading lists of wordings, and putting pieces of text together to a wished length."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.records import Edition

__all__ = [
    "Piece",
    "UnknownAreaError",
    "clean",
    "compose",
    "cut_words",
    "fill",
    "fresh",
    "load",
    "note_said",
    "of_area",
    "pick",
    "words",
]

_SLOT = re.compile(r"\{(\w+)\}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
_PICTURE = re.compile(r"<\s*img\s*>", re.IGNORECASE)
_DATA = Path(__file__).parent / "data"


class UnknownAreaError(ValueError):
    """The built-in writer has no texts for an area of life."""

    def __init__(self, area: str, known: Iterable[str]) -> None:
        super().__init__(f"No texts for the area {area!r}; use one of: {', '.join(sorted(known))}.")
        self.area = area


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or two of a message; pieces that are not needed give way when the message is long enough."""

    text: str
    needed: bool = True


@cache
def load(name: str) -> Mapping[str, Any]:
    """Return the table in ``data/{name}.toml``, read once in a process. Callers must not change it."""
    return MappingProxyType(tomllib.loads((_DATA / f"{name}.toml").read_text(encoding="utf-8")))


def of_area(name: str, area: str) -> Any:
    """Return the entry for ``area`` in ``data/{name}.toml``.

    Raises:
        UnknownAreaError: if the file has none.
    """
    table = load(name)
    if area not in table:
        raise UnknownAreaError(area, table)
    return table[area]


def pick(items: Sequence[str], edition: Edition, rng: random.Random) -> str:
    """Return one of the items that ``edition`` may use."""
    return rng.choice(for_edition(items, edition))


def fresh(
    items: Sequence[str], count: int, edition: Edition, rng: random.Random, used: set[Hashable], heard: str = ""
) -> list[str]:
    """Draw ``count`` different items of ``edition`` that were not said yet; see ``note_said``.

    Args:
        items: The whole list; the edition decides how much of it may be used.
        count: How many; the list must have as many for the edition.
        edition: Corpus or release.
        rng: Where the draw comes from.
        used: What was said in this session. When too little of the list is left, the rest is drawn and the list
            starts anew.
        heard: A text whose sentences are not said again.
    """
    allowed = [item for item in for_edition(items, edition) if not heard or item not in heard]
    left = [item for item in allowed if item not in used]
    if len(left) >= count:
        return rng.sample(left, count)
    used.difference_update(allowed)
    again = [item for item in allowed if item not in left]
    return [*rng.sample(left, len(left)), *rng.sample(again, count - len(left))]


def note_said(text: str, items: Iterable[str], used: set[Hashable]) -> None:
    """Add to ``used`` those of ``items`` that made it into ``text``: what gave way can still be said later."""
    used.update(item for item in items if item in text)


def words(text: str) -> int:
    """Return the number of words, split at white space."""
    return len(text.split())


def fill(template: str, slots: Mapping[str, str]) -> str:
    """Replace ``{slot}`` by its text and ``{Slot}`` by its text with a capital; what is filled in is not read again."""

    def replacement(match: re.Match[str]) -> str:
        slot = match[1]
        if slot in slots:
            return slots[slot]
        return capital(slots[slot[0].lower() + slot[1:]])

    return _SLOT.sub(replacement, template)


def capital(text: str) -> str:
    """Return ``text`` with its first character in upper case."""
    return text[:1].upper() + text[1:]


def clean(text: str) -> str:
    """Remove control, direction and surrogate characters and the mark of a picture, and squeeze white space."""
    text = _CONTROL.sub(" ", text)
    while _PICTURE.search(text):  # what is left may be a mark again
        text = _PICTURE.sub("", text)
    return " ".join(text.split())


def cut_words(text: str, max_words: int, max_characters: int) -> str:
    """Shorten cleaned ``text`` at a word boundary; a single word that is too long is cut inside."""
    if len(text) <= max_characters and words(text) <= max_words:
        return text
    shortened = " ".join(text[: max_characters + 1].split()[: max_words + 1])
    kept = shortened.split()
    if len(kept) > max_words or len(text) > max_characters:
        # The last word may be cut in two by the limit on characters.
        kept = kept[:-1] if len(kept) > 1 else [kept[0][:max_characters]]
    return " ".join(kept).rstrip(" ,;:-–—")


def compose(pieces: Sequence[Piece], low: int, high: int, rng: random.Random) -> str:
    """Join the needed pieces with as many of the others as reach a length drawn between ``low`` and ``high`` words.

    The order of ``pieces`` is kept. A piece that would pass ``high`` is left out; the result is shorter than ``low``
    or longer than ``high`` only if the pieces leave no choice.
    """
    lengths = [words(piece.text) for piece in pieces]
    total = sum(length for piece, length in zip(pieces, lengths, strict=True) if piece.needed)
    kept = {index for index, piece in enumerate(pieces) if piece.needed}
    target = rng.randint(low, max(low, high - 12))
    spare = [index for index in range(len(pieces)) if index not in kept]
    rng.shuffle(spare)
    for index in spare:
        if total >= target:
            break
        if total + lengths[index] <= high:
            kept.add(index)
            total += lengths[index]
    return " ".join(piece.text for index, piece in enumerate(pieces) if index in kept)
