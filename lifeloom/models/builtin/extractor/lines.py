"""Answers in key-value lines, as the update tasks ask for them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lifeloom.models.builtin.reader.english import STOPWORDS
from lifeloom.models.builtin.reader.text import base, words_of

__all__ = ["block", "keywords_of", "one_line"]


def one_line(text: str) -> str:
    """Return ``text`` without line breaks and control characters: a value ends where its line ends."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f\u0085\u2028\u2029]+", " ", text).split())


def block(**values: str) -> str:
    """Return a line for each value, in order."""
    return "\n".join(f"{key}: {one_line(value)}".rstrip() for key, value in values.items())


_NO_KEYWORDS = frozenset({"user", "user's", "img", "imgmark", "mine", "thing", "things"})


def keywords_of(text: str, most: int = 8, first: Sequence[str] = ()) -> list[str]:
    """Return the words of ``text`` that carry content, once each, as they are written; ``first`` go before them."""
    found: dict[str, str] = {word.lower(): word for word in first}
    for word in words_of(text):
        plain = base(word)
        lowered = plain.lower()
        if not lowered[0].isalnum() or len(lowered) < 2 or lowered in STOPWORDS or lowered in _NO_KEYWORDS:
            continue
        found.setdefault(lowered, plain)
    return list(found.values())[:most]
