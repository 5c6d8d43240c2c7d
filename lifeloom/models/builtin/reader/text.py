"""Plain text to sentences, words, stems and clauses: what every judge of the reader looks at.

Analyses are cached by content, since the cases of one persona show the same messages again and again.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lifeloom.models.builtin.reader.english import CLAUSE_STARTERS, IRREGULAR, STOPWORDS, SUBJECT_PRONOUNS

__all__ = ["Message", "Sentence", "analyse", "base", "content_stems", "stem", "words_of"]

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[.,;:!?()\"]|--+|[—–→]|\.\.\.|…")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=[\"'(\[]?[^\W_])|\n+")
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|a\.m|p\.m|No|Jr|Sr)\.$")
_LONGEST = 500
"""Characters of a sentence: what is longer is read as several, so that judging a message takes time in proportion."""
_LONGEST_ABBREVIATION = 8
_BREAKS = frozenset({";", ":", "(", ")", "—", "–", "--", "→", "!", "?", "…", "..."})


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A sentence as parallel tuples over its tokens, punctuation included.

    Compared by identity: analyses of a message are shared, and judgements of them are cached.
    """

    text: str
    surface: tuple[str, ...]
    words: tuple[str, ...]
    """Lower case, apostrophes straight."""
    stems: tuple[str, ...]
    """Empty for punctuation and function words."""
    stem_set: frozenset[str]
    clauses: tuple[int, ...]
    """Number of the clause that each token is in, from 0."""

    @property
    def is_question(self) -> bool:
        """Whether it ends in a question mark."""
        return self.text.rstrip("\"') ").endswith("?")


@dataclass(frozen=True, slots=True)
class Message:
    """A message's sentences and the stems that occur in any of them."""

    sentences: tuple[Sentence, ...]
    stem_set: frozenset[str]


def words_of(text: str) -> list[str]:
    """Return the tokens of ``text`` with their case; hyphens part words, curly apostrophes become straight."""
    return _WORD.findall(text.replace("’", "'").replace("‘", "'"))


def base(word: str) -> str:
    """Return ``word`` up to its apostrophe: ``she's`` is ``she``, ``brother's`` is ``brother``."""
    return word.split("'", 1)[0]


@functools.lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return a crude stem of a lower-case word: plural, -ing, -ed, -er endings and common irregular forms."""
    word = base(word)
    word = IRREGULAR.get(word, word)
    if len(word) > 4:
        for ending, put in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("zes", "z")):
            if word.endswith(ending):
                word = word[: -len(ending)] + put
                break
        else:
            if word.endswith("s") and not word.endswith(("ss", "us", "is")):
                word = word[:-1]
    elif len(word) == 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= 3 and re.search(r"[aeiouy]", root):
            if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
                root = root[:-1]
            word = root
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("y"):
        word = word[:-1] + "i"
    return word


def content_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the content words of ``text``, in order, repeats kept."""
    lowered = (word.lower() for word in words_of(text))
    return tuple(stem(word) for word in lowered if word[0].isalnum() and base(word) not in STOPWORDS)


def _clauses(words: tuple[str, ...]) -> tuple[int, ...]:
    numbers: list[int] = []
    clause = 0
    for position, word in enumerate(words):
        following = words[position + 1] if position + 1 < len(words) else ""
        previous = words[position - 1] if position else ""
        breaks = (
            (word in CLAUSE_STARTERS and position > 0)
            or previous in _BREAKS
            or (previous == "," and _starts_clause(word, following))
            or (word in ("and", "so", "or") and _starts_clause(following, ""))
            or (
                word == "and"
                and following in ("then", "now")
                and _starts_clause("".join(words[position + 2 : position + 3]), "")
            )
        )
        if breaks and numbers:
            clause += 1
        numbers.append(clause)
    return tuple(numbers)


def _starts_clause(word: str, following: str) -> bool:
    return base(word) in SUBJECT_PRONOUNS or (word in ("and", "so", "or") and base(following) in SUBJECT_PRONOUNS)


def _split(text: str) -> list[str]:
    parts: list[str] = []
    for piece in _SENTENCE_END.split(text):
        if parts and len(parts[-1]) <= _LONGEST and _ABBREVIATION.search(parts[-1][-_LONGEST_ABBREVIATION:]):
            parts[-1] = f"{parts[-1]} {piece}"
        elif piece.strip():
            parts.append(piece.strip())
    return [piece for part in parts for piece in _bounded(part)]


def _bounded(sentence: str) -> Iterator[str]:
    """Yield a sentence in pieces of at most 500 characters, cut between words where there are any."""
    while len(sentence) > _LONGEST:
        end = sentence.rfind(" ", 0, _LONGEST + 1)
        end = end if end > 0 else _LONGEST
        yield sentence[:end]
        sentence = sentence[end:].lstrip()
    yield sentence


@functools.lru_cache(maxsize=12_000)
def analyse(text: str) -> Message:
    """Return the sentences of ``text``."""
    sentences = []
    for part in _split(text):
        surface = tuple(words_of(part))
        if not surface:
            continue
        words = tuple(word.lower() for word in surface)
        stems = tuple("" if not w[0].isalnum() or base(w) in STOPWORDS else stem(w) for w in words)
        sentences.append(
            Sentence(part, surface, words, stems, frozenset(stem for stem in stems if stem), _clauses(words))
        )
    return Message(tuple(sentences), frozenset().union(*(sentence.stem_set for sentence in sentences)))
