"""Dates as people and models write them, as ISO dates."""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

__all__ = ["DateInvalid", "iso_date"]

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY: Final = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?"
_DAY: Final = r"(\d{1,2})(?:st|nd|rd|th)?"
_FORMS: Final = tuple(
    (re.compile(rf"{_WEEKDAY}{pattern}"), order)
    for pattern, order in (
        (r"(\d{4})-(\d{1,2})-(\d{1,2})(?:t\d\d:\d\d\S*| \d\d:\d\d\S*)?", "ymd"),
        (r"(\d{4})/(\d{1,2})/(\d{1,2})", "ymd"),
        (r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})", "dmy"),
        (rf"({_MONTH})\.? {_DAY},? (\d{{4}})", "mdy"),
        (rf"(?:the )?{_DAY}\.? (?:of )?({_MONTH})\.?,? (\d{{4}})", "dmy"),
    )
)


class DateInvalid(ValueError):
    """A text names no day, or one that no calendar has: write ``YYYY-MM-DD``."""


def iso_date(text: str) -> str:
    """Return the one day that ``text`` names, as ``YYYY-MM-DD``.

    Understood are ``2011-04-15`` (also with a time, which is dropped), ``2011/4/15``, ``15.4.2011``, ``April 15, 2011``
    and ``15th of April 2011``, with or without the weekday. ``4/5/2011`` is not: it means two days.

    Raises:
        DateInvalid: it is none of these, or there is no such day.
    """
    plain = " ".join(text.lower().split()).strip(" .,")
    for pattern, order in _FORMS:
        match = pattern.fullmatch(plain)
        if match is None:
            continue
        parts = dict(zip(order, match.groups(), strict=True))
        month = _MONTHS.get(parts["m"]) or int(parts["m"])
        try:
            return dt.date(int(parts["y"]), month, int(parts["d"])).isoformat()
        except ValueError as error:
            raise DateInvalid(f"{text!r} is no day of the calendar: write a date as YYYY-MM-DD") from error
    raise DateInvalid(f"{text!r} names no day: write a date as YYYY-MM-DD")
