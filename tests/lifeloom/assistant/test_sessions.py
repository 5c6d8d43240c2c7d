"""When a session begins, and what of it is context."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from lifeloom.assistant.sessions import closed_at, context_of, is_new_session, split_sessions
from lifeloom.memory.types import DialogueTurn
from tests.remembering import MONDAY, written


def turn(index: int, minutes: int, session: int = 0) -> DialogueTurn:
    return DialogueTurn(index, session, MONDAY + dt.timedelta(minutes=minutes), 60, "Hello", "Hi")


@pytest.mark.parametrize(("seconds", "new"), [(0, False), (3599, False), (3600, True), (86_400, True)])
def test_a_session_begins_when_an_hour_has_passed_and_not_a_second_earlier(seconds, new):
    assert is_new_session(MONDAY, MONDAY + dt.timedelta(seconds=seconds)) is new


def test_the_first_turn_begins_a_session():
    assert is_new_session(None, MONDAY)


def test_clocks_put_forward_do_not_end_a_session_and_clocks_put_back_do_not_join_two():
    berlin = ZoneInfo("Europe/Berlin")
    before, after = dt.datetime(2026, 3, 29, 1, 50, tzinfo=berlin), dt.datetime(2026, 3, 29, 3, 10, tzinfo=berlin)
    summer = dt.datetime(2026, 10, 25, 2, 50, tzinfo=berlin, fold=0)
    winter = dt.datetime(2026, 10, 25, 2, 55, tzinfo=berlin, fold=1)
    for zone in (berlin, dt.UTC):
        assert not is_new_session(before.astimezone(zone), after.astimezone(zone))  # twenty minutes went by
        assert is_new_session(summer.astimezone(zone), winter.astimezone(zone))  # an hour and five minutes


def test_a_session_at_the_end_of_time_closes_at_the_end_of_time():
    last = dt.datetime(9999, 12, 31, 23, 30, tzinfo=dt.UTC)
    assert closed_at(last) == dt.datetime.max.replace(tzinfo=dt.UTC)
    assert closed_at(MONDAY) == MONDAY + dt.timedelta(hours=1)


def test_conversations_are_cut_at_their_gaps():
    turns = written("a", "b", "c", "d", gaps=[59, 60, 0])
    assert [[one.turn_index for one in session] for session in split_sessions(turns)] == [[0, 1], [2, 3]]
    assert list(split_sessions([])) == []


def test_context_is_the_session_so_far_and_no_older_than_an_hour():
    turns = [turn(0, 0), turn(1, 30), turn(2, 90), turn(3, 91), turn(4, 92, session=1)]
    assert [one.index for one in context_of(turns, turns[3])] == [2]
    assert [one.index for one in context_of(turns, turns[2])] == [1]
    assert context_of(turns, turns[4]) == ()
