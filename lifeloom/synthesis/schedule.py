"""When the sessions of a conversation happen: days, hours and minutes on the user's own clock.

The rules, all of which the tests check:

- sessions of 3 to 12 turns, turns 1 to 12 whole minutes apart, so a session never falls apart (the
  assistant closes one after 60 minutes without a turn);
- at least 60 minutes between the end of a session and the start of the next, mostly a day or more;
- the last session is on ``ends_on``, the first less than ``max_days`` earlier;
- hours follow a daily rhythm of the persona; weekends start later; nobody writes from midnight to six
  save rare night owls, whose small hours are from one to half past five;
- a session never crosses midnight, so its local date is one day and "yesterday" means one thing.
"""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass

__all__ = [
    "MAX_SESSION_TURNS",
    "MAX_TURN_GAP_MINUTES",
    "MIN_SESSION_GAP_MINUTES",
    "MIN_SESSION_TURNS",
    "DailyRhythm",
    "ScheduleError",
    "ScheduledSession",
    "draw_rhythm",
    "plan_schedule",
]

MIN_SESSION_TURNS = 3
MAX_SESSION_TURNS = 12
MAX_TURN_GAP_MINUTES = 12
MIN_SESSION_GAP_MINUTES = 60

_DAY_MINUTES = 24 * 60
_NIGHT_OWLS = 0.05
_SAME_DAY_SESSIONS = 0.08
_PART_OF_DAY_SPREAD = 45
_WEEKEND_DELAY = 75
_EARLIEST_START = 6 * 60
_NIGHT_START = (60, 3 * 60 + 15)  # from one o'clock: an hour after the latest evening can end


class ScheduleError(ValueError):
    """The turns do not fit into the days; allow more days or fewer turns."""


@dataclass(frozen=True)
class DailyRhythm:
    """When a persona likes to write.

    ``hours`` are usual start times in minutes after local midnight (morning, lunch, afternoon, evening),
    ``weights`` how often each is chosen.
    """

    hours: tuple[int, int, int, int]
    weights: tuple[float, float, float, float]
    night_owl: bool


@dataclass(frozen=True)
class ScheduledSession:
    """One sitting: the local date and the local wall-clock time of each turn (naive, whole minutes)."""

    date: dt.date
    turns: tuple[dt.datetime, ...]


def draw_rhythm(rng: random.Random) -> DailyRhythm:
    """Draw the daily rhythm of one persona."""
    hours = (
        rng.randint(6 * 60 + 45, 8 * 60 + 30),
        rng.randint(12 * 60, 13 * 60 + 15),
        rng.randint(15 * 60 + 30, 17 * 60 + 30),
        rng.randint(19 * 60, 20 * 60 + 45),
    )
    favourite = rng.choices(range(4), weights=(3, 2, 1, 4))[0]
    weights = [3.0, 1.5, 1.0, 4.0]
    weights[favourite] += 5.0
    return DailyRhythm(hours, (weights[0], weights[1], weights[2], weights[3]), rng.random() < _NIGHT_OWLS)


def plan_schedule(
    rng: random.Random, rhythm: DailyRhythm, *, turns: int, max_days: int, ends_on: dt.date
) -> tuple[ScheduledSession, ...]:
    """Lay ``turns`` turns over sessions that end on ``ends_on`` and span at most ``max_days`` days.

    Raises:
        ScheduleError: there are fewer than three turns, or more sessions than two a day.
    """
    sizes = _session_sizes(rng, turns)
    days = _session_days(rng, len(sizes), max_days)
    sessions = []
    for index, (size, back) in enumerate(zip(sizes, days, strict=True)):
        gaps = [rng.randint(1, MAX_TURN_GAP_MINUTES) for _ in range(size - 1)]
        date = ends_on - dt.timedelta(days=back)
        first_of_two = index + 1 < len(days) and days[index + 1] == back
        second_of_two = index > 0 and days[index - 1] == back
        minute = _start_minute(rng, rhythm, date, sum(gaps), first_of_two, second_of_two)
        times = [dt.datetime.combine(date, dt.time(minute // 60, minute % 60))]
        for gap in gaps:
            times.append(times[-1] + dt.timedelta(minutes=gap))
        sessions.append(ScheduledSession(date, tuple(times)))
    return tuple(sessions)


def _session_sizes(rng: random.Random, turns: int) -> list[int]:
    """Cut ``turns`` into sizes of 3 to 12."""
    if turns < MIN_SESSION_TURNS:
        raise ScheduleError(f"a conversation needs at least {MIN_SESSION_TURNS} turns, got {turns}")
    sizes = []
    left = turns
    while left > MAX_SESSION_TURNS:
        size = rng.randint(MIN_SESSION_TURNS, MAX_SESSION_TURNS)
        if left - size < MIN_SESSION_TURNS:
            size = left - MIN_SESSION_TURNS
        sizes.append(size)
        left -= size
    sizes.append(left)
    rng.shuffle(sizes)
    return sizes


def _session_days(rng: random.Random, sessions: int, max_days: int) -> list[int]:
    """Days before the last day for each session, descending to 0; at most two sessions a day."""
    if sessions > 2 * max_days:
        raise ScheduleError(
            f"{sessions} sessions do not fit into {max_days} days at two a day: raise max_days or lower max_turns"
        )
    doubles = max(sessions - max_days, sum(rng.random() < _SAME_DAY_SESSIONS for _ in range(sessions // 2)))
    doubles = min(doubles, sessions // 2)
    distinct = sessions - doubles
    # Short conversations take a part of the month, seldom all of it: about one session every one to four days.
    span = min(max_days, max(distinct, round(distinct * rng.uniform(1.2, 4.0))))
    days = [0, *rng.sample(range(1, span), distinct - 1)]
    return sorted([*days, *rng.sample(days, doubles)], reverse=True)


def _start_minute(
    rng: random.Random, rhythm: DailyRhythm, date: dt.date, length: int, first_of_two: bool, second_of_two: bool
) -> int:
    if rhythm.night_owl and not second_of_two and rng.random() < 0.3:
        return rng.randint(*_NIGHT_START)
    if first_of_two:
        part = 0
    elif second_of_two:
        part = 3
    else:
        part = rng.choices(range(4), weights=rhythm.weights)[0]
    minute = rhythm.hours[part] + rng.randint(-_PART_OF_DAY_SPREAD, _PART_OF_DAY_SPREAD)
    if date.weekday() >= 5 and part < 3:
        minute += rng.randint(30, _WEEKEND_DELAY)
    return max(_EARLIEST_START, min(minute, _DAY_MINUTES - 1 - length))
