"""Sessions fall on plausible days, hours and minutes."""

from __future__ import annotations

import datetime as dt
import itertools
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.streams import Streams
from lifeloom.synthesis.schedule import DailyRhythm, ScheduleError, draw_rhythm, plan_schedule

FRIDAY = dt.date(2025, 3, 14)
EARLY_BIRD = DailyRhythm((7 * 60, 12 * 60 + 30, 16 * 60, 20 * 60), (9.0, 1.0, 1.0, 1.0), night_owl=False)


def _schedules(count: int, turns: int = 60, max_days: int = 31):
    for seed in range(count):
        rng = Streams(seed).rng("schedule")
        yield plan_schedule(rng, draw_rhythm(rng), turns=turns, max_days=max_days, ends_on=FRIDAY)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32), st.sampled_from([(20, 31), (57, 31), (100, 31), (100, 90), (500, 90), (180, 30)]))
def test_every_schedule_keeps_the_rules(seed, size):
    turns, max_days = size
    rng = random.Random(seed)
    sessions = plan_schedule(rng, draw_rhythm(rng), turns=turns, max_days=max_days, ends_on=FRIDAY)

    assert sum(len(session.turns) for session in sessions) == turns
    assert sessions[-1].date == FRIDAY
    assert (FRIDAY - sessions[0].date).days < max_days
    for session in sessions:
        assert 3 <= len(session.turns) <= 12
        assert {at.date() for at in session.turns} == {session.date}
        gaps = [(later - at).total_seconds() / 60 for at, later in itertools.pairwise(session.turns)]
        assert all(1 <= gap <= 12 for gap in gaps)
    for session, following in itertools.pairwise(sessions):
        assert (following.turns[0] - session.turns[-1]) >= dt.timedelta(minutes=60)


def test_most_gaps_between_sessions_are_a_day_or_more():
    gaps = [
        (following.date - session.date).days
        for sessions in _schedules(200)
        for session, following in itertools.pairwise(sessions)
    ]
    same_day = sum(gap == 0 for gap in gaps)
    assert 0 < same_day < 0.15 * len(gaps)


def test_nobody_but_rare_night_owls_writes_between_two_and_five():
    at_night, owls = 0, 0
    for seed in range(600):
        rng = random.Random(seed)
        rhythm = draw_rhythm(rng)
        sessions = plan_schedule(rng, rhythm, turns=40, max_days=31, ends_on=FRIDAY)
        night = any(at.hour < 6 for session in sessions for at in session.turns)
        owls += rhythm.night_owl
        at_night += night
        assert rhythm.night_owl or not night
    assert 0 < at_night <= owls < 0.1 * 600


def test_an_early_bird_mostly_writes_in_the_morning_and_later_at_weekends():
    weekday, weekend = [], []
    for seed in range(200):
        for session in plan_schedule(random.Random(seed), EARLY_BIRD, turns=60, max_days=31, ends_on=FRIDAY):
            start = session.turns[0]
            if start.hour < 11:
                (weekend if session.date.weekday() >= 5 else weekday).append(start.hour * 60 + start.minute)
    assert len(weekday) + len(weekend) > 500
    assert sum(weekend) / len(weekend) - sum(weekday) / len(weekday) > 30


def test_all_weekdays_and_several_parts_of_the_day_are_used():
    sessions = [session for schedule in _schedules(100) for session in schedule]
    assert set(Counter(session.date.weekday() for session in sessions)) == set(range(7))
    parts = Counter(session.turns[0].hour // 4 for session in sessions)
    assert min(parts[1], parts[2], parts[3], parts[4]) > 0
    assert parts[4] + parts[5] > 0.3 * len(sessions)


def test_too_few_turns_and_too_few_days_say_what_to_change():
    rhythm = draw_rhythm(random.Random(1))
    with pytest.raises(ScheduleError, match="at least 3 turns"):
        plan_schedule(random.Random(1), rhythm, turns=2, max_days=31, ends_on=FRIDAY)
    with pytest.raises(ScheduleError, match="raise max_days"):
        plan_schedule(random.Random(1), rhythm, turns=300, max_days=5, ends_on=FRIDAY)
