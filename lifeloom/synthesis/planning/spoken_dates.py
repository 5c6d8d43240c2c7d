"""How people speak of a past day, defined exactly so that every phrase is true.

With ``today`` the local date on which it is said:

- ``this morning``: today, and it is one o'clock in the afternoon or later;
- ``yesterday``: one day ago;
- ``three days ago`` (two to six, in words): that many days ago;
- ``on Sunday``: the latest Sunday before today, two to six days ago;
- ``last Friday``: the latest Friday before today (one to seven days ago). It is only said when that Friday
  also lies in the calendar week (Monday to Sunday) before today's, so that both usual readings of the
  words give the same day;
- ``a week ago``, ``two weeks ago``, ``three weeks ago``: 7, 14, 21 days ago.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

__all__ = ["WEEKDAYS", "SpokenDate", "latest_weekday_before", "spoken_dates"]

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_DAYS_AGO = {2: "two days ago", 3: "three days ago", 4: "four days ago", 5: "five days ago", 6: "six days ago"}
_WEEKS_AGO = {7: "a week ago", 14: "two weeks ago", 21: "three weeks ago"}
_AFTERNOON = dt.time(13, 0)


@dataclass(frozen=True)
class SpokenDate:
    """A phrase and the day it means."""

    phrase: str
    happened_on: dt.date


def latest_weekday_before(today: dt.date, weekday: int) -> dt.date:
    """Return the latest day before ``today`` that is ``weekday`` (Monday 0), one to seven days back."""
    return today - dt.timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def spoken_dates(said_at: dt.datetime) -> tuple[SpokenDate, ...]:
    """Return every phrase that may be said at ``said_at`` (local wall clock), nearest day first."""
    today = said_at.date()
    found = [SpokenDate("yesterday", today - dt.timedelta(days=1))]
    if said_at.time() >= _AFTERNOON:
        found.append(SpokenDate("this morning", today))
    found += [SpokenDate(text, today - dt.timedelta(days=days)) for days, text in (_DAYS_AGO | _WEEKS_AGO).items()]
    monday = today - dt.timedelta(days=today.weekday())
    for weekday, name in enumerate(WEEKDAYS):
        day = latest_weekday_before(today, weekday)
        back = (today - day).days
        if 2 <= back <= 6:
            found.append(SpokenDate(f"on {name}", day))
        if day < monday:
            found.append(SpokenDate(f"last {name}", day))
    return tuple(sorted(found, key=lambda spoken: (today - spoken.happened_on, spoken.phrase)))
