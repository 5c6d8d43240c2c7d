"""Lexical match on keywords: the words of a query against the words under which memories were filed.

PersonaVLM Appendix A.2 searches by ``keywords``. The published code keeps a second vector a memory for them; here they
are matched as words, which costs no vector and finds names and rare words that a small encoder blurs.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import unicodedata
from array import array
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

__all__ = ["LexicalIndex", "terms_of"]

_APOSTROPHES = str.maketrans("’‘ʼ＇", "''''")
_POSSESSIVE = re.compile(r"'s?(?!\w)")
_MARK = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
"""Accents, and the vowel points of Hebrew and Arabic, which are written or not."""
_LETTERS = "(?:[^\\W_]|[\u0900-\u0dff])+"
"""Vowel signs of Indian scripts belong to their word."""
_PIECE = re.compile(f"{_LETTERS}(?:'{_LETTERS})*|[^\\w\\s]")
_PLAIN = re.compile("[a-z0-9]+(?:'[a-z0-9]+)*")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, kana and Han: written without spaces between words."""

_FUNCTION_WORDS = """
a an the this that these those i me my mine we us our you your he him his she her it its they them their who whom whose
which what when where why how am is are was were be been being do does did have has had will would shall should can
could may might must of at by for with about to from in out on off into over under up down as and or but if then than so
not no nor there here all any both each some such same own very too just user users
"""
_STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
_VOWEL = re.compile("[aeiou]|(?<=[^aeiou])y")
_SMALL = 64
"""Matches up to which a dictionary counts faster than arrays."""
_NOWHERE = array("q")


@functools.lru_cache(maxsize=1024)
def terms_of(keyword: str) -> tuple[str, ...]:
    """Return what a keyword is matched by, each once, in order.

    Case, width and accents are folded. Words of spaced scripts are stemmed (plural, -ed, -ing and final e: steps 1 and
    5a of Porter, 1980); scripts without spaces give their characters and pairs of neighbours; emoji and other symbols
    stand for themselves. Function words are left out, unless nothing else is left (``The Who``).

    Args:
        keyword: One word or several, in any script; may be empty.
    """
    words = _PLAIN.findall(_POSSESSIVE.sub("", keyword.lower())) if keyword.isascii() else _words_of(keyword)
    content = [word for word in words if word not in _STOP_WORDS]
    return tuple(dict.fromkeys(map(_stem, content or words)))


class LexicalIndex:
    """Which memories have which words among their keywords. Not locked: its owner is.

    Positions are the owner's numbers for memories, from 0. Keywords are added once a memory; after something was
    removed the owner fills a new index.
    """

    def __init__(self) -> None:
        self._postings: dict[str, array[int]] = {}
        self._arrays: dict[str, npt.NDArray[np.int64]] = {}
        self._last = -1
        self._count = 0

    def __len__(self) -> int:
        """Return the number of memories added."""
        return self._count

    def add(self, position: int, keywords: Iterable[str]) -> None:
        """File a memory under its keywords; without keywords it counts towards rarity only.

        Args:
            position: Its number, larger than those before.
            keywords: Its keywords.

        Raises:
            ValueError: ``position`` does not follow those before.
        """
        if position <= self._last:
            raise ValueError(f"position {position} follows {self._last}: positions are added in ascending order")
        self._last = position
        self._count += 1
        postings = self._postings
        for term in {term for keyword in keywords for term in terms_of(keyword)}:
            filed = postings.get(term)
            if filed is None:
                filed = postings[term] = array("q")
            filed.append(position)
            self._arrays.pop(term, None)

    def match(
        self, keywords: Iterable[str], among: npt.NDArray[np.bool_] | None = None
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """Return who has any of the words asked for, and how much of what was asked.

        The share of a memory is the weight of the words asked for that it has over the weight of all words asked for. A
        word weighs ``log(1 + n / (1 + d))``: n memories, of which d have it. Words that no memory has count among those
        asked for, so a share of 1 means that nothing is missing.

        Args:
            keywords: What is asked for; repeated words count once.
            among: By position, which memories there are, as at a moment of the past; both the answer and the rarity
                are of these alone. None: all that were added.

        Returns:
            Positions (matches,), ascending, and shares (matches,), above 0, at most 1. Both empty where no word
            matches, or none was asked for.
        """
        asked = list(dict.fromkeys(term for keyword in keywords for term in terms_of(keyword)))
        count = self._count if among is None else int(np.count_nonzero(among))
        filed = [self._postings.get(term, _NOWHERE) for term in asked]
        if sum(map(len, filed)) <= _SMALL:
            return self._counted(filed, count, among)
        lists: list[npt.NDArray[np.int64]] = []
        weights: list[float] = []
        total = 0.0
        for term, posting in zip(asked, filed, strict=True):
            where = self._arrays.get(term)
            if where is None:
                where = np.array(posting, dtype=np.int64)
                if len(posting):
                    self._arrays[term] = where
            if among is not None:
                where = where[among[where]]
            weight = math.log1p(count / (1 + len(where)))
            total += weight
            lists.append(where)
            weights.append(weight)
        positions = np.concatenate(lists)
        each = np.repeat(np.asarray(weights), [len(where) for where in lists])
        matched, ranks = np.unique(positions, return_inverse=True)
        summed = np.bincount(ranks, weights=each, minlength=len(matched))
        return matched, np.minimum(summed / total, 1.0).astype(np.float32)

    @staticmethod
    def _counted(
        filed: list[array[int]], count: int, among: npt.NDArray[np.bool_] | None
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        summed: dict[int, float] = {}
        total = 0.0
        for posting in filed:
            there = posting if among is None else [position for position in posting if among[position]]
            weight = math.log1p(count / (1 + len(there)))
            total += weight
            for position in there:
                summed[position] = summed.get(position, 0.0) + weight
        matched = sorted(summed)
        shares = [min(summed[position] / total, 1.0) for position in matched]
        return np.array(matched, dtype=np.int64), np.array(shares, dtype=np.float32)


def _words_of(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES)).casefold()
    folded = unicodedata.normalize("NFKC", _MARK.sub("", folded))
    words: list[str] = []
    for piece in _PIECE.findall(_POSSESSIVE.sub("", folded)):
        if not (piece[0].isalnum() or unicodedata.category(piece[0]) == "So"):
            continue
        start = 0
        for run in _UNSPACED.finditer(piece):
            words.append(piece[start : run.start()])
            characters = run.group()
            words.extend(characters)
            words.extend(a + b for a, b in itertools.pairwise(characters))
            start = run.end()
        words.append(piece[start:])
    return [word for word in words if word]


@functools.lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    if len(word) < 3 or not word.isascii():
        return word
    if word.endswith("sses"):
        word = word[:-2]
    elif word.endswith("ies"):
        word = word[:-3] + "y" if len(word) > 4 else word[:-1]
    elif word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3:
        word = word[:-1]
    if word.endswith("eed"):
        if _measure(word[:-3]):
            word = word[:-1]
    else:
        for ending in ("ed", "ing"):
            root = word.removesuffix(ending)
            if root != word and _VOWEL.search(root):
                word = _mended(root)
                break
    if word.endswith("y") and _VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _closed(word[:-1])):
            word = word[:-1]
    return word


def _mended(root: str) -> str:
    """Return the root left by -ed or -ing with the e that was dropped, or without the consonant that was doubled."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if len(root) > 2 and root[-1] == root[-2] and root[-1] not in "aeioulsz":
        return root[:-1]
    return root + "e" if _measure(root) == 1 and _closed(root) else root


def _shape(word: str) -> str:
    return _VOWEL.sub("v", re.sub("[^aeiouy]", "c", word)).replace("y", "c")


def _measure(word: str) -> int:
    """Return Porter's m: how often consonants follow vowels."""
    return len(re.findall("v+c", _shape(word)))


def _closed(word: str) -> bool:
    """Return whether it ends in consonant, vowel, consonant (other than w, x, y): Porter's ``*o``."""
    return _shape(word)[-3:] == "cvc" and word[-1] not in "wxy"
