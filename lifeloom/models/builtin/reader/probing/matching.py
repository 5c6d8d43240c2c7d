"""Does a passage say an option: days in any form, numbers as words or digits, other words by their stems."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass

from lifeloom.models.builtin.reader.english import STOPWORDS
from lifeloom.models.builtin.reader.life.asking import NUMBER_WORDS
from lifeloom.models.builtin.reader.text import base, stem

__all__ = ["Said", "Value", "read_value", "said_in"]

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH_NUMBER: Mapping[str, int] = {
    **{name: number for number, name in enumerate(_MONTHS, start=1)},
    **{name[:3]: number for number, name in enumerate(_MONTHS, start=1)},
    "sept": 9,
}
_MONTH = rf"(?P<{{0}}>{'|'.join(sorted(_MONTH_NUMBER, key=len, reverse=True))})\.?"
_DATE = re.compile(
    rf"\b(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})\b"
    rf"|\b(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH.format('month1')}(?:,? (?P<year1>\d{{4}}))?\b"
    rf"|\b{_MONTH.format('month2')} (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year2>\d{{4}}))?\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b(\d{1,2})[:.](\d{2})\s*(a\.?m\.?|p\.?m\.?)?(?!\d)", re.IGNORECASE)
_WORD = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)?")
_NUMBERS: Mapping[str, str] = {
    word: str(number) for word, number in NUMBER_WORDS.items() if word not in ("a", "an", "no", "none")
}
_NEGATIONS = re.compile(
    r"\b(?:not|never|no|nobody|nothing|neither|nor|without|isn't|wasn't|weren't|didn't|don't|doesn't|hadn't|haven't|"
    r"couldn't|instead of|rather than|unlike|denied|except)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.;!?]|,? but |,? however|,? while |, and ", re.IGNORECASE)
_MOST_SKIPPED = 2
"""Other words between two words of an option."""


@dataclass(frozen=True)
class Value:
    """An option as it can be looked for."""

    day: dt.date | None
    clock: tuple[int, int] | None
    number: str
    """Digits; empty: none."""
    stems: tuple[str, ...]
    """Of its content words, without the number."""


@dataclass(frozen=True)
class Said:
    """Where and how surely a passage says a value."""

    strength: float
    """1: all of it; less where words are missing. 0: not, or it is denied."""
    denied: bool = False


def read_value(text: str) -> Value:
    """Read an option."""
    found = _DATE.search(text)
    day = _day_of(found) if found is not None else None
    if found is not None and isinstance(day, dt.date):
        clock = _clock_in(text[found.end() :])
        return Value(day, clock, "", ())
    words = _words(text)
    numbers = [one for one in words if one.isdigit()]
    stems = tuple(stem(one) for one in words if not one.isdigit() and base(one) not in STOPWORDS)
    return Value(None, _clock_in(text), numbers[0] if numbers and stems else "", stems or tuple(numbers))


def said_in(passage: str, value: Value) -> Said:
    """Return whether ``passage`` says ``value``."""
    if value.day is not None:
        return _day_said(passage, value.day, value.clock)
    return _words_said(passage, value)


def _day_said(passage: str, day: dt.date, clock: tuple[int, int] | None) -> Said:
    denied = False
    for found in _DATE.finditer(passage):
        said = _day_of(found)
        same = said == day if isinstance(said, dt.date) else said == (day.month, day.day)
        if not same:
            continue
        time = _clock_in(passage[found.end() : found.end() + 24]) or _clock_in(
            passage[max(0, found.start() - 16) : found.start()]
        )
        if clock is not None and time is not None and time != clock:
            continue
        if _denied(passage, found.start()):
            denied = True
            continue
        return Said(1.0)
    return Said(0.0, denied)


def _words_said(passage: str, value: Value) -> Said:
    wanted = list(value.stems)
    if not wanted:
        return Said(0.0)
    tokens = [(stem(word), word, place) for word, place in _placed_words(passage)]
    best, denied = 0.0, False
    firsts = [number for number, (root, _, _) in enumerate(tokens) if root in wanted]
    for first in firsts:
        window = tokens[first : first + len(wanted) + _MOST_SKIPPED]
        roots = [root for root, _, _ in window]
        share = sum(one in roots for one in set(wanted)) / len(set(wanted))
        if share <= best:
            continue
        if value.number and not _number_fits(tokens, first, value.number):
            continue
        if _denied(passage, tokens[first][2]):
            denied = True
            continue
        best = share
    return Said(best, denied and best == 0.0)


def _number_fits(tokens: list[tuple[str, str, int]], first: int, number: str) -> bool:
    """Return whether the number before a thing is ``number``; none at all is no contradiction but says too little."""
    near = [word for _, word, _ in tokens[max(0, first - 3) : first] if word.isdigit()]
    return bool(near) and near[-1] == number


def _denied(passage: str, place: int) -> bool:
    """Return whether what stands at ``place`` is denied in its clause."""
    before = passage[:place]
    clause = _CLAUSE_END.split(before)[-1]
    return _NEGATIONS.search(clause) is not None


def _day_of(found: re.Match[str]) -> dt.date | tuple[int, int] | None:
    """Return the day that was matched; month and day alone where there is no year; None: there is no such day."""
    try:
        if found["iso"]:
            return dt.date.fromisoformat(found["iso"])
        month = _MONTH_NUMBER[(found["month1"] or found["month2"]).lower()]
        day, year = int(found["day1"] or found["day2"]), found["year1"] or found["year2"]
        return dt.date(int(year), month, day) if year else (month, day)
    except ValueError:
        return None


def _clock_in(text: str) -> tuple[int, int] | None:
    found = _CLOCK.search(text)
    if found is None:
        return None
    hour, minute = int(found[1]), int(found[2])
    half = (found[3] or "").lower()[:1]
    if half == "p" and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    return (hour, minute) if hour < 24 and minute < 60 else None


def _words(text: str) -> list[str]:
    return [word for word, _ in _placed_words(text)]


def _placed_words(text: str) -> list[tuple[str, int]]:
    lowered = text.replace("’", "'").lower()
    return [(_NUMBERS.get(one[0], one[0]), one.start()) for one in _WORD.finditer(lowered)]
