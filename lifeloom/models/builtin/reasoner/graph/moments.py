"""Stretches of days that a question names outright: a day, a month, a year, between two of them, since, until."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.life.asking import dates_in

__all__ = ["Moment", "moment_in"]

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_SEASONS: Final = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11)}
_MONTH: Final = "|".join(_MONTHS)
_DAY: Final = (
    rf"\d{{4}}-\d{{1,2}}-\d{{1,2}}|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH}),? \d{{4}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}"
)
_ONE: Final = (
    rf"(?:{_DAY}|(?:{_MONTH}),? (?:of )?(?:19|20)\d\d|(?:{'|'.join(_SEASONS)}),? (?:of )?(?:19|20)\d\d|(?:19|20)\d\d)"
)
_RANGE: Final = re.compile(
    rf"\b(?:between|from) (?P<a>{_ONE}) (?:and|to|until|till|through) (?P<b>{_ONE})", re.IGNORECASE
)
_SINGLE: Final = re.compile(
    rf"\b(?:(?P<how>since|after|from|until|till|before|by|up to)\s+)?(?:(?:in|on|of|during|over|the|year|year of)\s+)*"
    rf"(?P<a>{_ONE})",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Moment:
    """A stretch of days, ``YYYY-MM-DD``, both included; empty: open."""

    first: str = ""
    last: str = ""

    @property
    def open(self) -> bool:
        """Whether it says nothing."""
        return not (self.first or self.last)


def moment_in(text: str) -> tuple[Moment, str]:
    """Return the stretch of days that ``text`` names, and the text without it; impossible days name none."""
    between = _RANGE.search(text)
    if between is not None:
        first, last = _span(between["a"]), _span(between["b"])
        if first is not None and last is not None:
            ends = sorted((*first, *last))
            return Moment(ends[0].isoformat(), ends[-1].isoformat()), _without(text, between)
    single = _SINGLE.search(text)
    if single is None:
        return Moment(), text
    span = _span(single["a"])
    if span is None:
        return Moment(), text
    day = dt.timedelta(days=1)
    match (single["how"] or "").lower():
        case "since" | "from":
            found = Moment(first=span[0].isoformat())
        case "after":
            found = Moment(first=(span[1] + day).isoformat())
        case "until" | "till" | "by" | "up to":
            found = Moment(last=span[1].isoformat())
        case "before":
            found = Moment(last=(span[0] - day).isoformat())
        case _:
            found = Moment(span[0].isoformat(), span[1].isoformat())
    return found, _without(text, single)


def _span(text: str) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day of a day, month, season or year; None for a day that there is not."""
    days = dates_in(text)
    if days:
        return days[0], days[0]
    if re.fullmatch(_DAY, text, re.IGNORECASE):
        return None
    year = int(text[-4:])
    for name, (first, last) in _SEASONS.items():
        if text.lower().startswith(name):
            return dt.date(year, first, 1), _end_of(year, last)
    for number, name in enumerate(_MONTHS, start=1):
        if text.lower().startswith(name):
            return dt.date(year, number, 1), _end_of(year, number)
    return dt.date(year, 1, 1), dt.date(year, 12, 31)


def _end_of(year: int, month: int) -> dt.date:
    return dt.date(year, month, calendar.monthrange(year, month)[1])


def _without(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"
