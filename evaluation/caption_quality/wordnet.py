"""Synonyms for METEOR: WordNet where it is installed, as NLTK's data or as Debian's package ``wordnet-base``.

NLTK reads its own data only, and asks for files that Debian's package lacks, so the package's files are read here.
"""

from __future__ import annotations

import functools
import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

__all__ = ["DEBIAN_FOLDER", "Lemma", "NoSynonyms", "Synset", "Synsets", "WordNetFiles", "installed"]

DEBIAN_FOLDER = Path("/usr/share/wordnet")
_PARTS = ("noun", "verb", "adj", "adv")
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
"""Rules of detachment of WordNet 3.0 (morphy): endings of inflected words, and what stands there in the base form."""


class Synsets(Protocol):
    """What NLTK's METEOR asks of WordNet."""

    def synsets(self, word: str) -> Sequence[Synset]:
        """Return the sets of synonyms that a word, in any form, is in."""
        ...


@dataclass(frozen=True)
class Lemma:
    """A word of a set."""

    word: str

    def name(self) -> str:
        """Return the word, underscores between its parts."""
        return self.word


@dataclass(frozen=True)
class Synset:
    """Words of one meaning."""

    words: tuple[str, ...]

    def lemmas(self) -> list[Lemma]:
        """Return the words."""
        return [Lemma(word) for word in self.words]


class NoSynonyms:
    """Stands in for WordNet where it is not installed: no word has a synonym."""

    def synsets(self, word: str) -> Sequence[Synset]:
        """Return nothing."""
        return ()


class WordNetFiles:
    """WordNet 3 from its database files, mapped into memory and searched as they lie.

    Args:
        folder: holds ``index.noun``, ``data.noun``, ``noun.exc`` and the same for verb, adj and adv.

    Raises:
        OSError: a file is missing, empty or cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._index = {part: _mapped(folder / f"index.{part}") for part in _PARTS}
            self._data = {part: _mapped(folder / f"data.{part}") for part in _PARTS}
            self._exceptions = {part: _exceptions(folder / f"{part}.exc") for part in _PARTS}
        except ValueError as error:  # an empty file cannot be mapped
            raise OSError(f"WordNet in {folder} is not whole: {error}") from error
        self.synsets = functools.lru_cache(maxsize=50_000)(self._synsets)

    def _synsets(self, word: str) -> tuple[Synset, ...]:
        word = word.lower().replace(" ", "_")
        if not word:
            return ()
        return tuple(
            self._synset(part, offset)
            for part in _PARTS
            for form in self._forms(word, part)
            for offset in self._offsets(form, part)
        )

    def _forms(self, word: str, part: str) -> Iterator[str]:
        """Yield the word as it stands and the base forms that it may be of, each once."""
        found = [word, *self._exceptions[part].get(word, ())]
        if len(found) == 1:
            found += [
                word[: -len(ending)] + put
                for ending, put in _ENDINGS[part]
                if word.endswith(ending) and len(word) > len(ending)
            ]
        yield from dict.fromkeys(found)

    def _offsets(self, form: str, part: str) -> list[int]:
        # lemma pos synset_cnt p_cnt [symbols] sense_cnt tagsense_cnt offset...
        fields = _line_of(self._index[part], form.encode())
        return [int(one) for one in fields[-int(fields[2]) :]] if fields else []

    def _synset(self, part: str, offset: int) -> Synset:
        data = self._data[part]
        # offset lex_filenum ss_type w_cnt word lex_id [word lex_id]...
        fields = data[offset : data.find(b"|", offset)].split()
        count = int(fields[3], 16)
        # An adjective may have a marker of where it stands: "galore(ip)".
        return Synset(tuple(one.decode().split("(")[0] for one in fields[4 : 4 + 2 * count : 2]))


def installed() -> Synsets | None:
    """Return WordNet as NLTK's data or from Debian's package; None where there is neither. Nothing is downloaded."""
    import nltk

    try:
        nltk.data.find("corpora/wordnet")
    except LookupError:
        return WordNetFiles(DEBIAN_FOLDER) if (DEBIAN_FOLDER / "data.noun").is_file() else None
    from nltk.corpus import wordnet

    found: Synsets = wordnet
    return found


def _line_of(index: mmap.mmap, word: bytes) -> list[bytes]:
    """Return the fields of a word's line, by bisection since lines are sorted by bytes; empty where it has none."""
    low, high = 0, len(index)
    while low < high:
        start = index.rfind(b"\n", 0, (low + high) // 2) + 1
        end = index.find(b"\n", start)
        end = len(index) if end < 0 else end
        # The licence at the top is indented, so its lines have no word and sort before all.
        first = index[start:end].split(b" ", 1)[0]
        if first == word:
            return index[start:end].split()
        low, high = (end + 1, high) if first < word else (low, start)
    return []


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _exceptions(path: Path) -> dict[str, tuple[str, ...]]:
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {words[0]: tuple(words[1:]) for words in lines if words}
