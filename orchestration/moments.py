"""Times that a person types: of a clock, and moments of the past to look at."""

from __future__ import annotations

import datetime as dt

from lifeloom.records import Moment

__all__ = ["MomentInvalid", "read_moment", "read_time"]


class MomentInvalid(ValueError):
    """A text is no time; the message says how to write one."""


def read_moment(text: str, offset_minutes: int) -> Moment:
    """Return the moment that ``text`` names: a time, or a date, which stands for its last second.

    Args:
        text: ``2026-03-01``, ``2026-03-01 18:30``, or with a zone.
        offset_minutes: The zone of a time without one, minutes east of UTC.

    Raises:
        MomentInvalid: it is none.
    """
    zone = dt.timezone(dt.timedelta(minutes=offset_minutes))
    try:
        when = dt.datetime.combine(dt.date.fromisoformat(text), dt.time(23, 59, 59), zone)
    except ValueError:
        when = _parsed(text)
        when = when if when.tzinfo is not None else when.replace(tzinfo=zone)
    try:
        when.astimezone(dt.UTC)
    except OverflowError:
        raise MomentInvalid(f"{text!r} is before year 1 or after year 9999 in UTC; choose another moment") from None
    return Moment(when)


def read_time(text: str) -> dt.datetime:
    """Return the time that ``text`` says, in the computer's zone where it names none.

    Raises:
        MomentInvalid: it is none, or no conversation can begin then, since the calendar ends before or after it.
    """
    when = _parsed(text)
    try:
        when = when if when.tzinfo is not None else when.astimezone()
        for day in (-1, 1):
            (when + dt.timedelta(days=day)).astimezone(dt.UTC)
    except (OverflowError, ValueError, OSError):
        raise MomentInvalid(f"{text!r} is too near to the end of the calendar; choose another time") from None
    return when


def _parsed(text: str) -> dt.datetime:
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        raise MomentInvalid(f"{text!r} is no time: write 2026-03-01, or 2026-03-01 18:30") from None
