"""What a short text claims, piece by piece: words, numbers and days, and whether it says so or denies it."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.english import RELATION_SYNONYMS, STOPWORDS, lexicon
from lifeloom.models.builtin.reader.life.asking import MONTH_NAMES, NUMBER_WORDS, dates_in
from lifeloom.models.builtin.reader.text import base, stem, words_of

__all__ = ["CARRIERS", "Claims", "Piece", "claims_of", "told", "unknowing"]

_NUMBERS: Final = {
    **{word: str(number) for word, number in NUMBER_WORDS.items() if number > 1 and word != "twice"},
    **{
        word: str(number)
        for number, word in enumerate(
            ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"), start=13
        )
    },
    **{
        word: str(number)
        for number, word in zip(
            range(20, 100, 10),
            ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
            strict=True,
        )
    },
}
_ENDS: Final = frozenset({".", ",", ";", ":", "!", "?", "(", ")", "--", "—", "–", "→", "...", "…"})
_SENTENCE_ENDS: Final = frozenset({".", "!", "?", ":", ";", "...", "…"})
_TURNS: Final = lexicon("but whereas while although though however and so because since which until")
"""Words that begin a piece: what is denied before them is not denied after."""
_DENIALS: Final = lexicon(
    "not never neither nor without formerly previously cannot nobody none hardly unlike formerly except"
)
_RULED_OUT: Final = re.compile(
    r"\b(?:no longer|no more|any ?more|used to|rul(?:e|es|ed|ing) out|(?:is|are|was|were) "
    r"(?:therefore |thus |then |hence )?out\b(?! of)|out of the question|far from|gave up|given up|stopped|at odds"
    r"|fails? to|failed to|lacks?)\b"
)
_THEN: Final = {"instead": "of", "rather": "than"}
"""What begins a piece that is denied: ``instead of cocoa``."""
_RULING: Final = lexicon(
    "longer more anymore used rule rules ruled ruling out far gave given stopped odds fail fails failed lack lacks"
)
_UNSURE: Final = lexicon(
    """
    not unknown unable never nothing none no cannot don't doesn't can't couldn't haven't hasn't hadn't didn't isn't
    wasn't aren't
    """
)
"""A word of these is in whatever ``_RULED_OUT`` and ``_UNKNOWN`` find: looking for them first is quicker."""
_UNKNOWN: Final = re.compile(
    r"\b(?:do not|don['’]t|does not|doesn['’]t|cannot|can['’]t|can not|could not|couldn['’]t|am not|['’]m not|not"
    r"|unable to|never|nothing (?:i|that|in)) (?:yet )?(?:know|tell|say|sure|certain|determine|be determined"
    r"|have (?:that|any|a)|told|mentioned|found|find|remember|recall|answer)\b"
    r"|\bunknown\b|\bno (?:idea|note|record|memory|information)\b"
    r"|\b(?:have|has|['’]ve|had)(?:n['’]t| not| never) (?:\w+ )?(?:told|mentioned|said|shared)\b"
    r"|\bnothing (?:about|on|of) (?:that|this|it)\b|\bnot (?:enough|clear)\b"
    r"|\b(?:found|find|finds|is|was|know|remember|recall) nothing\b|\bnone of the (?:memories|messages)\b",
    re.IGNORECASE,
)
CARRIERS: Final = frozenset(
    stem(word)
    for word in lexicon(
        """
        tell told said say mention mentioned remember recall share shared note noted memory memories message messages
        user answer option best usually favourite favorite call called name take took have had make made be become thing
        kind sort work fit fits fitting choice choose good right therefore hence person people time day week month year
        remain remains mean means speak speaks speaking according ask asks asked look looked find found still now
        concern concerned question one currently actually
        """
    )
)
"""Stems that carry what is said and say nothing of their own."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands between two commas or stops, or from one ``but`` to the next."""

    stems: frozenset[str]
    """Of content words, numbers as digits."""
    denied: bool
    """It says that something is not so, or no more."""
    sentence: int


@dataclass(frozen=True, slots=True)
class Claims:
    """A text taken apart."""

    text: str
    words: tuple[str, ...]
    """In small letters, with punctuation."""
    pieces: tuple[Piece, ...]
    stems: frozenset[str]
    affirmed: frozenset[str]
    """Stems of pieces that are not denied."""
    denied: frozenset[str]
    """Stems of those that are, and of no other."""
    numbers: frozenset[str]
    days: frozenset[str]
    """``YYYY-MM-DD``, or ``MM-DD`` where no year is said."""
    names: frozenset[str]
    """Stems of words that have a capital within a sentence."""


@functools.lru_cache(maxsize=1_024)
def claims_of(text: str) -> Claims:
    """Return what ``text`` claims. Kept for texts that come again, as questions and right answers do."""
    words = tuple(words_of(text))
    lowered = tuple(word.lower() for word in words)
    reading = _Reading(words, lowered, not _RULING.isdisjoint(lowered))
    pieces = reading.pieces()
    affirmed = frozenset().union(*(piece.stems for piece in pieces if not piece.denied))
    stems = frozenset().union(*(piece.stems for piece in pieces))
    return Claims(
        text, lowered, pieces, stems, affirmed, stems - affirmed, frozenset(reading.numbers), frozenset(reading.days),
        frozenset(reading.names),
    )  # fmt: skip


class _Reading:
    """One pass over the words of a text."""

    def __init__(self, words: tuple[str, ...], lowered: tuple[str, ...], rules_out: bool) -> None:
        self._words = words
        self._lowered = lowered
        self._rules_out = rules_out
        self.numbers: set[str] = set()
        self.days: set[str] = set()
        self.names: set[str] = set()

    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces, and fill numbers, days and names."""
        found: list[Piece] = []
        own: set[str] = set()
        begin = sentence = position = 0
        denied, starts = False, True
        words, lowered = self._words, self._lowered
        while position < len(words):
            word = lowered[position]
            kind, known = _sorted(word)
            if kind == _INSTEAD and lowered[position + 1 : position + 2] != (_THEN[word],):
                kind = _EMPTY
            if kind >= _TURN:
                if position > begin:
                    found.append(Piece(frozenset(own), denied or self._ruled_out(begin, position), sentence))
                    own = set()
                begin, denied = position, kind == _INSTEAD
                if kind >= _STOP:
                    begin += 1
                    if kind == _SENTENCE_STOP:
                        sentence += 1
                        starts = True
                    position += 1
                    continue
            elif kind == _CONTENT:
                if not starts and words[position][0].isupper():
                    self.names.add(known)
                own.add(known)
            elif kind == _DENIAL:
                denied = True
            elif kind == _NUMBER:
                taken = self._day(position)
                if not taken:
                    taken, known = self._number(position, known)
                    if known != "may" or (words[position] == "May" and not starts):
                        own.add(known)
                position += taken - 1
            starts = False
            position += 1
        if position > begin:
            found.append(Piece(frozenset(own), denied or self._ruled_out(begin, position), sentence))
        return tuple(found)

    def _ruled_out(self, begin: int, end: int) -> bool:
        return self._rules_out and _RULED_OUT.search(" ".join(self._lowered[begin:end])) is not None

    def _number(self, position: int, known: str) -> tuple[int, str]:
        """Return over how many words a number, a time or a decimal goes (``7``, ``7:30``, ``7.30``), and which it is.

        The name of a month that is part of no day is a word like others.
        """
        parts = self._lowered[position : position + 3]
        if len(parts) == len("h:m") and parts[1] in (":", ".") and parts[0].isdecimal() and parts[2].isdecimal():
            known = f"{int(parts[0])}h{parts[2]}"
            self.numbers.add(known)
            return len(parts), known
        if known[0].isdigit():
            self.numbers.add(known)
        return 1, known

    def _day(self, position: int) -> int:
        """Take down the day that begins here, and return over how many words it goes; 0: none does."""
        if self._lowered[position] in _NUMBERS:
            return 0
        for length in (5, 4, 3, 2):
            parts = self._lowered[position : position + length]
            if len(parts) < length or not (parts[-1][0].isdigit() or parts[-1] in MONTH_NAMES):
                continue
            plain = [_ORDINAL.sub(r"\1", part) for part in parts if part not in ("of", ".", ",")]
            if not plain[-1].isdecimal() and plain[-1] not in MONTH_NAMES:
                continue
            day = _day_of(plain)
            if day:
                self.days.add(day)
                return length
        return 0


_ORDINAL: Final = re.compile(r"^(\d{1,2})(?:st|nd|rd|th)$")
_YEARS: Final = 4
"""Digits of a year."""


@functools.lru_cache(maxsize=10_000)
def _written(text: str) -> str:
    days = dates_in(text)
    return days[0].isoformat() if len(days) == 1 else ""


def _day_of(parts: list[str]) -> str:
    """Return ``YYYY-MM-DD`` or ``MM-DD`` of a day in whatever order; empty where the parts are none."""
    months = [part for part in parts if part in MONTH_NAMES]
    if len(months) > 1:
        return ""
    if len(parts) == len("ymd"):
        if months:
            return _written(" ".join(parts))
        if len(parts[0]) == _YEARS:
            return _written("-".join(parts))
        return _written(".".join(parts)) if len(parts[2]) == _YEARS else ""
    if len(parts) == len("md") and months:
        return _written(f"{' '.join(parts)} 2024")[_YEARS + 1 :]
    return ""


_EMPTY, _CONTENT, _DENIAL, _NUMBER, _TURN, _INSTEAD, _STOP, _SENTENCE_STOP = range(8)
"""Kinds of words; from ``_TURN`` on they begin a piece."""


@functools.lru_cache(maxsize=50_000)
def _sorted(word: str) -> tuple[int, str]:
    """Return the kind of a word, and its stem where it has content."""
    if word in _ENDS:
        return (_SENTENCE_STOP if word in _SENTENCE_ENDS else _STOP), ""
    if word in _THEN:
        return _INSTEAD, ""
    if word in _TURNS:
        return _TURN, ""
    plain = base(word)
    if word in _DENIALS or plain in _DENIALS or word.endswith("n't"):
        return _DENIAL, ""
    if word in _NUMBERS:
        return _NUMBER, _NUMBERS[word]
    if word[0].isdigit() or (word in MONTH_NAMES and word != "may"):
        return _NUMBER, stem(word)
    if not word[0].isalnum() or plain in STOPWORDS:
        return (_NUMBER, word) if word == "may" else (_EMPTY, "")
    return _CONTENT, stem(RELATION_SYNONYMS.get(plain, plain))


def told(one: str, stems: Collection[str]) -> bool:
    """Return whether a stem is among others, in this or another form (``lemon``, ``lemoni``)."""
    if one in stems:
        return True
    if one[0].isdigit() or len(one) < _LONG_ENOUGH:
        return False
    return any(len(other) >= _LONG_ENOUGH and (other.startswith(one) or one.startswith(other)) for other in stems)


_LONG_ENOUGH: Final = 4
"""Letters from which on one stem may be another with an ending."""


def unknowing(text: str) -> bool:
    """Return whether a text says that something is not known."""
    return not _UNSURE.isdisjoint(claims_of(text).words) and _UNKNOWN.search(text) is not None
