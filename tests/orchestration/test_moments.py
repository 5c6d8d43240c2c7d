"""Times that a person types."""

from __future__ import annotations

import datetime as dt

import pytest

from orchestration.moments import MomentInvalid, read_moment, read_time

EAST = dt.timezone(dt.timedelta(hours=2))


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2026-03-01", dt.datetime(2026, 3, 1, 23, 59, 59, tzinfo=EAST)),
        ("2026-03-01 18:30", dt.datetime(2026, 3, 1, 18, 30, tzinfo=EAST)),
        ("2026-03-01T18:30:15", dt.datetime(2026, 3, 1, 18, 30, 15, tzinfo=EAST)),
        ("2026-03-01 18:30+00:00", dt.datetime(2026, 3, 1, 18, 30, tzinfo=dt.UTC)),
    ],
)
def test_a_date_stands_for_its_end_and_a_time_for_itself_on_the_users_clock(text: str, when: dt.datetime) -> None:
    assert read_moment(text, 120).at == when


@pytest.mark.parametrize("text", ["", "now", "2026-02-30", "2026-03-01 25:00", "1.3.2026"])
def test_what_is_no_time_is_refused_with_how_to_write_one(text: str) -> None:
    with pytest.raises(MomentInvalid, match="write 2026-03-01"):
        read_moment(text, 0)


def test_a_moment_out_of_the_calendar_is_refused() -> None:
    with pytest.raises(MomentInvalid, match="year 9999"):
        read_moment("9999-12-31", -60)
    with pytest.raises(MomentInvalid, match="year 1"):
        read_moment("0001-01-01 00:30", 60)


def test_a_clock_begins_in_the_zone_that_is_named() -> None:
    assert read_time("2026-03-01 10:00+02:00") == dt.datetime(2026, 3, 1, 10, tzinfo=EAST)
    assert read_time("2026-03-01 10:00").tzinfo is not None
