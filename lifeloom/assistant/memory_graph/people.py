"""Names in memories, of people and places: words always written with a capital, under which memories are filed."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable

from lifeloom.records import Memory

__all__ = ["names_in", "names_of", "places_of"]

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?:;\"“”])\s+")
_THERE = (
    r"\b(?:in|near|around|outside|across|(?:mov|go|went|trip|travel|fl[ey]w?|dr[io]v|rode|ride|back|return|com|came"
    r"|train|bus)\w*(?: \w+){0,2} (?:to|from))"
)
"""What stands before a place."""
_NO_NAMES = frozenset({*calendar.month_name, *calendar.day_name, "I", "Christmas", "Easter"})


def names_in(memories: Iterable[Memory]) -> dict[str, tuple[Memory, ...]]:
    """Return by name the memories that speak of somebody or of a place, in the order of ``memories``.

    A word is a name where it stands with a capital within a sentence, is among the keywords of a memory, and is never
    written small. Where it only ever begins sentences ("Bilal sent a card"), a keyword must be it, with its capital,
    while other keywords are written small. Scripts without capitals give none.
    """
    rows = list(memories)
    within: set[str] = set()
    small: set[str] = set()
    for memory in rows:
        for sentence in _SENTENCE.split(memory.content):
            for number, word in enumerate(_bare(found) for found in _WORD.findall(sentence)):
                if word.islower():
                    small.add(word)
                elif number and _is_name(word):
                    within.add(word)
    keywords = {keyword for memory in rows for keyword in memory.keywords}
    filed = {word for keyword in keywords for word in names_of(keyword)}
    small.update(word for word in filed if word.islower())
    alone = keywords if any(keyword.islower() for keyword in keywords) else set()
    names = {
        name for name in filed if _is_name(name) and (name in within or name in alone) and name.lower() not in small
    }
    found: dict[str, list[Memory]] = {name: [] for name in sorted(names)}
    for memory in rows:
        for word in found.keys() & names_of(memory.content):
            found[word].append(memory)
    return {name: tuple(own) for name, own in found.items() if own}


def places_of(names: Iterable[str], memories: Iterable[Memory]) -> frozenset[str]:
    """Return those of ``names`` that are a place's: somebody is in it or goes to it, and nobody is with it or by it."""
    texts = [memory.content for memory in memories]
    found = set()
    for name in names:
        word = rf"{re.escape(name)}\b(?!['’])"
        if any(re.search(rf"{_THERE}\s+{word}", text, re.IGNORECASE) for text in texts) and not any(
            re.search(rf"\b(?:with|by|and|my \w+),?\s+{word}", text, re.IGNORECASE) for text in texts
        ):
            found.add(name)
    return frozenset(found)


def names_of(text: str) -> frozenset[str]:
    """Return the words of a text as they are written, without possessive endings."""
    return frozenset(_bare(word) for word in _WORD.findall(text))


def _bare(word: str) -> str:
    """Return a word without a possessive ending."""
    return re.sub(r"['’]s?$", "", word)


def _is_name(word: str) -> bool:
    return word[:1].isupper() and word not in _NO_NAMES and not word.isupper()
