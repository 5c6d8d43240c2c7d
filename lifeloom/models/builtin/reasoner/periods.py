"""Phrases of time in a question, as the stretch of days that they mean on the day of asking."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = ["Span", "period_in"]

_UNITS: Final = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "a couple of": 2, "three": 3, "few": 4, "a few": 4, "four": 4,
    "several": 5, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month, north of the equator."""
_FEASTS: Final = {
    "christmas eve": (12, 24), "christmas": (12, 25), "boxing day": (12, 26), "new year's eve": (12, 31),
    "new year's": (1, 1), "new year": (1, 1), "valentine's day": (2, 14), "valentine's": (2, 14),
    "halloween": (10, 31), "saint patrick's day": (3, 17), "st patrick's day": (3, 17),
}  # fmt: skip
_AROUND: Final = 7  # days on either side of "around Easter"
_LEAST: Final = dt.date(1, 1, 8)

_N: Final = rf"(?P<n>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_UNIT: Final = r"(?P<unit>day|week|fortnight|month|year)s?"
_MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)})"
_YEAR: Final = r"(?:,? (?P<year>(?:19|20)\d\d))?"
_DAY_NUMBER: Final = r"(?P<d>[0-3]?\d)(?:st|nd|rd|th)?"


@dataclass(frozen=True)
class Span:
    """A stretch of days on the user's clock, both ends included; None: open."""

    first: dt.date | None
    last: dt.date | None

    @property
    def start(self) -> str:
        """``YYYY-MM-DD 00:00`` of the first day; empty where open."""
        return "" if self.first is None else f"{self.first.isoformat()} 00:00"

    @property
    def end(self) -> str:
        """``YYYY-MM-DD 23:59`` of the last day; empty where open."""
        return "" if self.last is None else f"{self.last.isoformat()} 23:59"


_Meaning: TypeAlias = Callable[[re.Match[str], dt.date], Span]


def period_in(text: str, now: dt.datetime) -> Span | None:
    """Return the past stretch of time that ``text`` asks about, seen from ``now``; None where it names none.

    Only what a question says counts, where there is one: "We ate out yesterday. Where should I go next?" does not ask
    about yesterday. What is still to come is no time of anything remembered.

    Args:
        text: what the user says.
        now: the user's clock.
    """
    lowered = text.replace("’", "'").lower()
    questions = [part for part in re.split(r"(?<=[.!?])\s+", lowered) if part.rstrip("\"') ").endswith("?")]
    for sentence in questions or [lowered]:
        found = _bounded(sentence, now.date())
        if found is not None:
            return found
    return None


def _bounded(text: str, today: dt.date) -> Span | None:
    """Return the period of ``text``, with "between", "since", "before" and the like taken into account."""
    between = re.search(r"\b(?:between|from) (.{3,40}?) (?:and|to|until|till) (.{3,40})", text)
    if between:
        first, last = (_named(f"was in {side}", today) for side in (between[1], between[2]))
        if first is not None and last is not None and first.first is not None and last.last is not None:
            return _past(Span(min(first.first, last.last), max(first.first, last.last)), today)
    found = _named_at(text, today)
    if found is None:
        return None
    span, position = found
    before = text[:position].rstrip()
    if re.search(r"\b(?:since|from)(?: the)?$", before):
        return _past(Span(span.first, None), today)
    if re.search(r"\bafter(?: the)?$", before):
        return _past(Span(span.last, None), today)
    if re.search(r"\b(?:before|until|till)(?: the)?$", before):
        return None if span.first is None or span.first <= _LEAST else Span(None, span.first - dt.timedelta(days=1))
    if re.search(r"\b(?:by|up to)(?: the)?$", before):
        return Span(None, span.last)
    if re.search(r"\b(?:around|about|round|near)(?: the)?$", before):
        return _past(_wider(span, _AROUND), today)
    return _past(span, today)


def _past(span: Span, today: dt.date) -> Span | None:
    """Return ``span`` unless it lies ahead altogether."""
    return None if span.first is not None and span.first > today else span


def _wider(span: Span, days: int) -> Span:
    if span.first is None or span.last is None or span.first <= _LEAST or span.last.year >= 9999:
        return span
    return Span(span.first - dt.timedelta(days=days), span.last + dt.timedelta(days=days))


def _named(text: str, today: dt.date) -> Span | None:
    found = _named_at(text, today)
    return None if found is None else found[0]


def _named_at(text: str, today: dt.date) -> tuple[Span, int] | None:
    """Return the first time that ``text`` names, with its position; None for none, or for one that cannot be."""
    past = bool(_SAYS_PAST.search(text))
    best: tuple[int, int, re.Match[str], _Meaning] | None = None
    for rank, (pattern, meaning, always) in enumerate(_PHRASES):
        match = pattern.search(text) if always or past else None
        if match and (best is None or (_position(match), rank) < best[:2]):
            best = _position(match), rank, match, meaning
    if best is None or _AHEAD.search(text[: best[0]].rstrip()):
        return None
    try:
        return best[3](best[2], today), best[0]
    except (ValueError, OverflowError):  # 31 June, or a day before the first year
        return None


def _position(match: re.Match[str]) -> int:
    """Return where the time itself begins, behind the "since" that a pattern may begin with."""
    begins = [match.start(name) for name in ("third", "month", "year") if match.groupdict().get(name)]
    return min([i for i in begins if i >= 0], default=match.start())


def _back(today: dt.date, days: int) -> dt.date:
    return today - dt.timedelta(days=days)


def _count(match: re.Match[str]) -> int:
    said = match.groupdict().get("n") or "a"
    return int(said) if said.isdigit() else _NUMBERS[said]


def _ago(match: re.Match[str], today: dt.date) -> Span:
    days = _count(match) * _UNITS[match["unit"]]
    slack = {"day": 0, "week": 3, "fortnight": 4, "month": 15, "year": 60}[match["unit"]]
    return Span(_back(today, days + slack), _back(today, max(days - slack, 0)))


def _last_n(match: re.Match[str], today: dt.date) -> Span:
    return Span(_back(today, _count(match) * _UNITS[match["unit"]]), today)


def _last_unit(match: re.Match[str], today: dt.date) -> Span:
    which, unit = match["which"], match["unit"]
    back = 0 if which == "this" else 1
    if unit == "week":
        monday = _back(today, today.weekday() + 7 * back)
        return Span(monday, monday + dt.timedelta(days=6))
    if unit == "weekend":
        saturday = _back(today, (today.weekday() - 5) % 7)
        if which != "this" and today.weekday() >= 5:
            saturday = _back(saturday, 7)
        return Span(saturday, saturday + dt.timedelta(days=1))
    if unit == "month":
        first = today.replace(day=1)
        if back:
            last = _back(first, 1)
            return Span(last.replace(day=1), last)
        return Span(first, today)
    return Span(dt.date(today.year - back, 1, 1), dt.date(today.year - back, 12, 31))


def _near_day(match: re.Match[str], today: dt.date) -> Span:
    back = {"yesterday": 1, "last night": 1, "the day before yesterday": 2}.get(match["which"], 0)
    day = _back(today, back)
    return Span(day, today if match["which"] == "last night" else day)


def _weekday(match: re.Match[str], today: dt.date) -> Span:
    back = (today.weekday() - _DAYS.index(match["day"])) % 7 or 7
    return Span(_back(today, back), _back(today, back))


def _year_of(match: re.Match[str], month: int, day: int, today: dt.date) -> int:
    if match.groupdict().get("year"):
        return int(match["year"])
    return today.year if (month, day) <= (today.month, today.day) else today.year - 1


def _month_span(year: int, month: int) -> Span:
    first = dt.date(year, month, 1)
    following = dt.date(year + month // 12, month % 12 + 1, 1) if (year, month) < (9999, 12) else None
    return Span(first, dt.date(year, month, 31) if following is None else _back(following, 1))


def _month(match: re.Match[str], today: dt.date) -> Span:
    month = _MONTHS.index(match["month"]) + 1
    span = _month_span(_year_of(match, month, 1, today), month)
    assert span.first is not None  # noqa: S101 - a month has a first day
    third = match.groupdict().get("third")
    if third in ("early", "the beginning of", "the start of"):
        return Span(span.first, span.first.replace(day=10))
    if third in ("mid", "the middle of"):
        return Span(span.first.replace(day=10), span.first.replace(day=20))
    return Span(span.first.replace(day=20), span.last) if third else span


def _date(match: re.Match[str], today: dt.date) -> Span:
    month, number = _MONTHS.index(match["month"]) + 1, int(match["d"])
    day = dt.date(_year_of(match, month, number, today), month, number)
    return Span(day, day)


def _iso(match: re.Match[str], today: dt.date) -> Span:
    day = dt.date.fromisoformat(match[0])
    return Span(day, day)


def _feast(match: re.Match[str], today: dt.date) -> Span:
    month, number = _FEASTS[match["feast"]]
    day = dt.date(_year_of(match, month, number, today), month, number)
    return Span(day, day)


def _easter(match: re.Match[str], today: dt.date) -> Span:
    """The Sunday after the first full moon of spring, by the rule of Oudin for the Gregorian calendar."""
    year = today.year + 1
    day = dt.date.max
    while day > today:
        year -= 1
        century, golden = year // 100, year % 19
        k = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
        i = k - (k // 28) * (1 - (k // 28) * (29 // (k + 1)) * ((21 - golden) // 11))
        j = (year + year // 4 + i + 2 - century + century // 4) % 7
        ahead = i - j
        month = 3 + (ahead + 40) // 44
        day = dt.date(year, month, ahead + 28 - 31 * (month // 4))
    return Span(day, day)


def _season(match: re.Match[str], today: dt.date) -> Span:
    month = _SEASONS[match["season"]]
    first = dt.date(_year_of(match, month, 1, today), month, 1)
    last = _month_span(first.year + (month + 2 > 12), (month + 1) % 12 + 1).last
    if match.groupdict().get("which") == "last" and last is not None and last >= today:  # this one is not over yet
        first = first.replace(year=first.year - 1)
        last = _month_span(first.year + (month + 2 > 12), (month + 1) % 12 + 1).last
    return Span(first, last)


def _of_year(match: re.Match[str], today: dt.date) -> Span:
    year = int(match["year"])
    return Span(dt.date(year, 1, 1), dt.date(year, 12, 31))


_SAYS_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|told|said|mentioned|showed|shown|have i|i've|i have|we've|have we|went|came|talked|spoke|"
    r"met|happened|been)\b"
)
_DAY_NAMES: Final = f"(?P<day>{'|'.join(_DAYS)})"
_ALWAYS: Final = True
_IF_PAST: Final = False  # "on Friday" is ahead as often as over: it counts in what speaks of the past
_PHRASES: Final[tuple[tuple[re.Pattern[str], _Meaning, bool], ...]] = tuple(
    (re.compile(pattern), meaning, always)
    for pattern, meaning, always in (
        (r"\b(?:19|20)\d\d-\d\d-\d\d\b", _iso, _ALWAYS),
        (rf"\b{_DAY_NUMBER} (?:of )?{_MONTH}\b{_YEAR}", _date, _IF_PAST),
        (rf"\b{_MONTH} (?:the )?{_DAY_NUMBER}\b(?!\d){_YEAR}", _date, _IF_PAST),
        (r"\b(?P<which>the day before yesterday|yesterday|last night)\b", _near_day, _ALWAYS),
        (r"\b(?P<which>today|tonight)\b", _near_day, _IF_PAST),
        (r"\b(?P<which>this) (?:morning|afternoon|evening)\b", _near_day, _IF_PAST),
        (rf"\b{_N} {_UNIT} (?:ago|back|earlier)\b", _ago, _ALWAYS),
        (rf"\b(?:last|past) {_N} {_UNIT}\b", _last_n, _ALWAYS),
        (rf"\b(?:in|over|during|within) the (?:last|past) {_UNIT}\b", _last_n, _ALWAYS),
        (r"\b(?P<which>last|previous) (?P<unit>weekend|week|month|year)\b", _last_unit, _ALWAYS),
        (r"\b(?P<which>this) (?P<unit>weekend|week|month|year)\b", _last_unit, _IF_PAST),
        (rf"\blast {_DAY_NAMES}\b", _weekday, _ALWAYS),
        (rf"\bon {_DAY_NAMES}\b", _weekday, _IF_PAST),
        (rf"\b(?P<which>last) (?P<season>{'|'.join(_SEASONS)})\b", _season, _ALWAYS),
        (rf"\b(?:in|during|over) (?:the )?(?P<season>{'|'.join(_SEASONS)})\b", _season, _IF_PAST),
        (rf"\b(?P<feast>{'|'.join(sorted(_FEASTS, key=len, reverse=True))})(?!\w)", _feast, _IF_PAST),
        (r"\b(?P<feast>easter)\b", _easter, _IF_PAST),
        (rf"\b(?P<third>early|mid|late|the beginning of|the start of|the middle of|the end of)[ -]{_MONTH}\b{_YEAR}",
         _month, _IF_PAST),
        (rf"\b(?:in|last|since|until|till|before|after|during|of|by|through) {_MONTH}\b{_YEAR}", _month, _IF_PAST),
        (r"\b(?:in|since|before|after|during|until) (?P<year>(?:19|20)\d\d)\b", _of_year, _ALWAYS),
    )
)  # fmt: skip
_AHEAD: Final = re.compile(r"\b(?:for|next|coming|following)(?: the)?$")
