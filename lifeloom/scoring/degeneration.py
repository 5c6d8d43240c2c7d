"""The degeneration filter: captions that repeat themselves or run on (CoViP Eqs. S.6 and S.7, Appendix C).

Three duplication ratios over the lower-cased text with spaces collapsed, and a limit of tokens:

- sentences: (total - unique) / total, from 4 sentences on; a sentence ends at ``.``, ``!`` or ``?``;
- 5-grams of words: the same, from 20 words on;
- chunks: windows of 10, 20 and 30 words at every word, the share of windows that occur more than once, from twice the
  window on.

Text in a script that has no spaces is cut by characters. A completion that was cut at its limit counts as too long,
since with completions of at most l tokens none is ever longer than l.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["PAPER_LIMITS", "Degeneration", "DegenerationLimits", "degeneration"]

_SENTENCE = re.compile(r"[.!?]")
_STOPS = re.compile(r"[.!?。！？]")
_NGRAM = 5
_CHUNKS = (10, 20, 30)
_FEWEST_SENTENCES = 4
_FEWEST_WORDS = 20
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL SYLLABLE", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
_MOSTLY = 0.5


@dataclass(frozen=True)
class DegenerationLimits:
    """From where on a caption is degenerate."""

    sentence: float = 0.3
    ngram: float = 0.3
    chunk: float = 0.2
    tokens: int = 511
    """More than so many are too long."""


PAPER_LIMITS = DegenerationLimits()


@dataclass(frozen=True)
class Degeneration:
    """How much of a caption is repeated."""

    sentence: float
    """Duplication ratio of sentences, 0..1."""
    ngram: float
    """Of 5-grams of words."""
    chunk: float
    """The largest of those of chunks of 10, 20 and 30 words."""
    repeats: bool
    """delta(y) of Eq. S.6."""
    too_long: bool

    @property
    def degenerate(self) -> bool:
        """R(y) of Eq. S.7."""
        return self.repeats or self.too_long


def degeneration(
    text: str, *, tokens: int | None = None, cut: bool = False, limits: DegenerationLimits = PAPER_LIMITS
) -> Degeneration:
    """Measure a caption.

    Args:
        text: the caption.
        tokens: its length by the captioner's tokenizer; None: not known, so only ``cut`` says that it is too long.
        cut: whether it was cut at a limit of tokens.
        limits: from where on it is degenerate; a ratio counts from its limit on, the length above it.
    """
    plain = " ".join(text.lower().split())
    spaced = not _is_unspaced(plain)
    words = plain.split() if spaced else [one for one in plain if not one.isspace()]
    sentences = [one.strip() for one in (_SENTENCE if spaced else _STOPS).split(plain)]
    sentence = _duplicated([one for one in sentences if one], _FEWEST_SENTENCES)
    numbers = _numbered(words)
    grams: list[object] = []
    if len(words) >= _FEWEST_WORDS:
        grams = list(zip(*(numbers[start:] for start in range(_NGRAM)), strict=False))
    ngram = _duplicated(grams, 1)
    # Where no 5-gram comes twice, no longer run of words does.
    chunk = max(_repeated(numbers, size) for size in _CHUNKS) if ngram else 0.0
    repeats = sentence >= limits.sentence or ngram >= limits.ngram or chunk >= limits.chunk
    return Degeneration(
        sentence, ngram, chunk, repeats, too_long=cut or (tokens is not None and tokens > limits.tokens)
    )


def _duplicated(items: Sequence[object], fewest: int) -> float:
    """Return (total - unique) / total; 0 below ``fewest`` items."""
    return (len(items) - len(set(items))) / len(items) if items and len(items) >= fewest else 0.0


def _repeated(numbers: Sequence[int], size: int) -> float:
    """Return the share of windows of ``size`` words that occur more than once; 0 below twice the window."""
    if len(numbers) < 2 * size:
        return 0.0
    windows = Counter(tuple(numbers[start : start + size]) for start in range(len(numbers) - size + 1))
    return sum(count for count in windows.values() if count > 1) / (len(numbers) - size + 1)


def _numbered(words: Sequence[str]) -> list[int]:
    """Return the words as numbers, equal words the same: they compare and hash faster."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(word, len(numbers)) for word in words]


def _is_unspaced(text: str) -> bool:
    """Return whether most letters are of a script that puts no spaces between words."""
    if text.isascii():
        return False
    letters = list(itertools.islice(filter(str.isalpha, text), 2_000))
    if not letters:
        return False
    unspaced = sum(unicodedata.name(one, "").startswith(_UNSPACED) for one in letters)
    return unspaced > _MOSTLY * len(letters)
