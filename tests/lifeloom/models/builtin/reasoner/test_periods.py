"""Phrases of time in questions, seen from Monday 9 March 2026."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.models.builtin.reasoner.periods import period_in

NOW = dt.datetime(2026, 3, 9, 14, 30)  # noqa: DTZ001 - the user's clock has no zone here


def days(question: str, now: dt.datetime = NOW) -> tuple[str, str] | None:
    found = period_in(question, now)
    return None if found is None else (found.start[:10], found.end[:10])


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did I eat yesterday?", "2026-03-08", "2026-03-08"),
        ("What did we say the day before yesterday?", "2026-03-07", "2026-03-07"),
        ("What did I tell you last week?", "2026-03-02", "2026-03-08"),
        ("Where did we go last weekend?", "2026-03-07", "2026-03-08"),
        ("What did I cook last month?", "2026-02-01", "2026-02-28"),
        ("Did I mention it in January?", "2026-01-01", "2026-01-31"),
        ("What did I wear in early February?", "2026-02-01", "2026-02-10"),
        ("What did I do in December?", "2025-12-01", "2025-12-31"),
        ("What did I tell you in March 2025?", "2025-03-01", "2025-03-31"),
        ("What did I say on 3 March?", "2026-03-03", "2026-03-03"),
        ("Who did I meet on February 28th?", "2026-02-28", "2026-02-28"),
        ("What did I tell you on 2026-02-14?", "2026-02-14", "2026-02-14"),
        ("What did I do last Friday?", "2026-03-06", "2026-03-06"),
        ("What was it that I bought on Monday?", "2026-03-02", "2026-03-02"),
        ("What happened two days ago?", "2026-03-07", "2026-03-07"),
        ("What did I read in the last three weeks?", "2026-02-16", "2026-03-09"),
        ("What did I say this morning?", "2026-03-09", "2026-03-09"),
        ("What was my job in 2024?", "2024-01-01", "2024-12-31"),
        ("Where did I go last summer?", "2025-06-01", "2025-08-31"),
        ("What did I do in the winter?", "2025-12-01", "2026-02-28"),
        ("What did I say between 3 March and 5 March?", "2026-03-03", "2026-03-05"),
        ("Which book did I read from January to February?", "2026-01-01", "2026-02-28"),
        ("What did I drink before Christmas?", "", "2025-12-24"),
        ("What have I said about it since February?", "2026-02-01", ""),
        ("What had I told you by March 3rd?", "", "2026-03-03"),
        ("What did I do around Easter?", "2025-04-13", "2025-04-27"),
    ],
)
def test_a_time_that_is_over_becomes_the_days_that_it_means(question, first, last):
    assert days(question) == (first, last)


@pytest.mark.parametrize(
    "question",
    [
        "What is my favourite tea?",
        "What should I do on Friday?",
        "What did I plan for Easter?",
        "What are my plans for Christmas?",
        "What am I going to do next week?",
        "We ate out yesterday. Where shall I go next?",
        "Who did I meet on 31 June?",
        "May I ask you something?",
    ],
)
def test_what_is_to_come_or_not_asked_about_is_no_period(question):
    assert days(question) is None


@pytest.mark.parametrize(("year", "sunday"), [(2024, "2024-03-31"), (2025, "2025-04-20"), (2019, "2019-04-21")])
def test_easter_is_the_sunday_of_the_calendar(year, sunday):
    assert days("What did I do at Easter?", NOW.replace(year=year, month=12)) == (sunday, sunday)


def test_a_span_is_given_in_whole_days():
    span = period_in("What did I eat yesterday?", NOW)
    assert span is not None
    assert (span.start, span.end) == ("2026-03-08 00:00", "2026-03-08 23:59")


@given(
    st.text(max_size=60) | st.sampled_from(["400 years ago", "last week", "since December", "3 May", "in the winter"]),
    st.datetimes(),
)
def test_no_text_and_no_day_upsets_it(text, now):
    span = period_in(f"What did I say {text}?", now)
    if span is not None and span.first is not None and span.last is not None:
        assert span.first <= span.last
