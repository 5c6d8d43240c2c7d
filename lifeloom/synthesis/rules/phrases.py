"""Finding planned words in written text, whatever the case, punctuation and endings."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

__all__ = ["Folded", "fold", "is_worded", "names", "sentences"]

Folded = str
"""Words in lower case, one space between, before and after: ``' my cup of tea '``."""

_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|\n+")
_SMALL = frozenset(("a", "an", "the", "my", "to", "of", "in", "on", "at", "for", "and", "or", "with", "some"))
_ENDINGS = ("ings", "ing", "ied", "ies", "ed", "es", "s", "e", "y")
_SPREAD = 4
"""Words that may stand between the words of a value: 'learn (how) to (really) surf'."""


def fold(text: str) -> Folded:
    """Return the words of ``text`` for ``names``."""
    return f" {' '.join(_WORD.findall(unicodedata.normalize('NFKC', text).casefold()))} "


def names(folded: Folded, phrase: Folded) -> bool:
    """Say whether the words of ``phrase`` stand together in ``folded``. A phrase without a word is never named."""
    return bool(phrase.strip()) and phrase in folded


def is_worded(folded: Folded, value: Folded) -> bool:
    """Say whether ``value`` is said in ``folded``, also in another form of its words (learning, learnt: no).

    The words that carry meaning must stand in their order, at most four other words apart in all.
    A value without a letter or digit cannot be looked for and counts as worded.
    """
    if not value.strip() or value in folded:
        return True
    wanted = [_stem(word) for word in value.split() if word not in _SMALL] or [_stem(word) for word in value.split()]
    words = [_stem(word) for word in folded.split()]
    reach = len(value.split()) + _SPREAD
    return any(
        word == wanted[0] and _in_order(wanted, words[start : start + reach]) for start, word in enumerate(words)
    )


def sentences(text: str) -> list[str]:
    """Return the sentences of ``text``, as well as points and line ends tell them apart."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


def _in_order(wanted: Sequence[str], words: Sequence[str]) -> bool:
    left = iter(words)
    return all(word in left for word in wanted)


@functools.lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            root = word[: -len(ending)]
            return root[:-1] if len(root) > 3 and root[-1] == root[-2] else root
    return word
