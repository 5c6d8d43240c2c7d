from __future__ import annotations

import pytest

from lifeloom.lifegraph.dates import DateInvalid, iso_date


@pytest.mark.parametrize(
    "text",
    [
        "2011-04-15",
        "2011-4-15",
        "2011/04/15",
        "15.4.2011",
        "15. 04. 2011",
        "April 15, 2011",
        "april 15th 2011",
        "Apr. 15, 2011",
        "15 April 2011",
        "the 15th of April, 2011",
        "Friday, April 15, 2011",
        " 2011-04-15T18:30:00Z ",
    ],
)
def test_every_way_to_write_a_day_is_the_same_day(text: str) -> None:
    assert iso_date(text) == "2011-04-15"


@pytest.mark.parametrize("text", ["2011-02-30", "31.4.2011", "February 29, 2011", "2011-13-01", "0000-01-01"])
def test_a_day_that_no_calendar_has_is_refused(text: str) -> None:
    with pytest.raises(DateInvalid, match="no day of the calendar"):
        iso_date(text)


@pytest.mark.parametrize("text", ["", "summer 2011", "4/5/2011", "yesterday", "April 2011", "2011"])
def test_what_names_no_single_day_is_refused(text: str) -> None:
    with pytest.raises(DateInvalid, match="names no day"):
        iso_date(text)
