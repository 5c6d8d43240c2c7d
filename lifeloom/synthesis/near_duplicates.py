"""Near-duplicate texts: Jaccard similarity of word 3-gram shingles, found by MinHash and checked exactly.

Candidates come from MinHash signatures in bands (Broder 1997; Leskovec et al., Mining of Massive Datasets,
section 3.4); a pair counts when the similarity of its shingle sets reaches the threshold.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from lifeloom.streams import stable_hash

__all__ = ["THRESHOLD", "Shingles", "WordHasher", "near_duplicates", "repeats"]

THRESHOLD = 0.8
"""Jaccard similarity of 3-gram shingles from which two texts are near-duplicates."""

_SIZE = 3  # words of a shingle
_PERMUTATIONS = 120
_CANDIDATES = 64  # texts of a crowded bucket that a new one is compared with: keeps the work linear
_WORD = re.compile(r"\w+")
_LARGEST_VOCABULARY = 1 << 20

Hashes = npt.NDArray[np.uint64]
Shingles = npt.NDArray[np.uint32]
"""Sorted distinct hashes of the shingles of one text."""


class WordHasher:
    """Turns texts into arrays of word hashes; remembers the words it has seen."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def words(self, text: str) -> Hashes:
        """Return a 64-bit hash for each word of ``text``, without case and punctuation; shape (words,)."""
        known = self._known
        if len(known) > _LARGEST_VOCABULARY:
            known.clear()  # the hashes stay the same, only time is lost
        found = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
        hashes = []
        for word in found:
            value = known.get(word)
            if value is None:
                value = known[word] = stable_hash("word", word)
            hashes.append(value)
        return np.array(hashes, dtype=np.uint64)


def ngrams(words: Hashes, size: int) -> Hashes:
    """Return a hash for each run of ``size`` words, shape (words - size + 1,) or empty."""
    count = len(words) - size + 1
    if count <= 0:
        return np.empty(0, dtype=np.uint64)
    mixed = np.zeros(count, dtype=np.uint64)
    for offset in range(size):
        mixed = _mix(mixed + words[offset : offset + count])
    return mixed


def _mix(values: Hashes) -> Hashes:
    """Return splitmix64's finaliser of ``values`` (Steele et al. 2014): every bit depends on every bit."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def shingles(words: Hashes) -> Shingles:
    """Return the distinct shingles of a text; one shorter than a shingle is one shingle as a whole."""
    found = ngrams(words, _SIZE) if len(words) >= _SIZE else ngrams(words, max(len(words), 1))
    if not len(found):
        found = np.zeros(1, dtype=np.uint64)
    return np.unique((found >> np.uint64(32)).astype(np.uint32))


def near_duplicates(texts: Iterable[str], threshold: float = THRESHOLD) -> list[tuple[int, int]]:
    """Return a pair (earlier, later) of indices for each text that nearly repeats an earlier one.

    The number of repeating texts is the number of pairs: a text is paired with one earlier text only.
    Case, punctuation and white space do not count. Memory: about four bytes a word.

    Args:
        texts: in the order in which "earlier" is meant.
        threshold: least Jaccard similarity of word 3-gram shingles, above 0 and up to 1. Pairs at the
            threshold 0.8 are found with a probability above 0.999.

    Raises:
        ValueError: the threshold is out of range.
    """
    hasher = WordHasher()
    return repeats([shingles(hasher.words(text)) for text in texts], threshold)


def repeats(shingled: Sequence[Shingles], threshold: float = THRESHOLD) -> list[tuple[int, int]]:
    """Return ``near_duplicates`` of texts given by their shingles.

    Raises:
        ValueError: the threshold is out of range.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"the threshold must be above 0 and at most 1, got {threshold}")
    rows = _rows(threshold)
    bands = _PERMUTATIONS // rows
    buckets: list[dict[bytes, list[int]]] = [{} for _ in range(bands)]
    pairs = []
    for later, own in enumerate(shingled):
        signature = _signature(own)
        candidates: dict[int, None] = {}
        for band, table in enumerate(buckets):
            bucket = table.setdefault(signature[band * rows : (band + 1) * rows].tobytes(), [])
            candidates.update(dict.fromkeys(itertools.islice(reversed(bucket), _CANDIDATES)))
            bucket.append(later)
        earlier = next((one for one in sorted(candidates) if _jaccard(shingled[one], own, threshold)), None)
        if earlier is not None:
            pairs.append((earlier, later))
    return pairs


@functools.cache
def _rows(threshold: float) -> int:
    """Return the most rows a band with which a pair at the threshold is missed in less than one of a thousand cases."""
    fitting = [rows for rows in range(1, 9) if (1 - threshold**rows) ** (_PERMUTATIONS // rows) < 0.001]
    return max(fitting, default=1)


@functools.cache
def _permutations() -> Hashes:
    return np.array(
        [
            zlib.crc32(f"permutation {n}".encode()) << 32 | stable_hash("permutation", n) >> 32
            for n in range(_PERMUTATIONS)
        ],
        dtype=np.uint64,
    )


def _signature(own: Shingles) -> npt.NDArray[np.uint32]:
    """Return the MinHash signature: the least value of each hash function over the shingles."""
    least = np.full(_PERMUTATIONS, np.iinfo(np.uint32).max, dtype=np.uint32)
    multipliers = _permutations() | np.uint64(1)
    for start in range(0, len(own), 512):  # portions keep the products in the processor's cache
        products = multipliers[:, None] * (own[None, start : start + 512].astype(np.uint64) + np.uint64(1))
        np.minimum(least, (products >> np.uint64(32)).astype(np.uint32).min(axis=1), out=least)
    return least


def _jaccard(one: Shingles, other: Shingles, threshold: float) -> bool:
    small, large = sorted((len(one), len(other)))
    if small < threshold * large:
        return False
    both = len(np.intersect1d(one, other, assume_unique=True))
    return both >= threshold * (small + large - both)
