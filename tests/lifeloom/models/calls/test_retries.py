"""How long the one retry loop waits, and when it gives up."""

from __future__ import annotations

import email.utils
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.models.calls.retries import RetryPolicy, Timing, TransientFailure, call_with_retries, retry_after_seconds
from lifeloom.models.protocol import ModelUnavailable

NOON = 1_767_614_400.0  # 2026-01-05 12:00:00 UTC


class Weather:
    """A call that fails as told, on a clock that only sleeping (or ``each_takes``) moves."""

    def __init__(self, *failures: Exception, each_takes: float = 0.0) -> None:
        self.failures = list(failures)
        self.each_takes = each_takes
        self.now = 100.0
        self.waits: list[float] = []
        self.left: list[float] = []
        self.counted: list[str] = []

    def call(self, seconds_left: float) -> str:
        self.left.append(seconds_left)
        self.now += self.each_takes
        if self.failures:
            raise self.failures.pop(0)
        return "fine"

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def run(self, policy: RetryPolicy | None = None, seed: int = 1) -> str:
        return call_with_retries(
            self.call,
            policy=policy or RetryPolicy(),
            timing=Timing(monotonic=lambda: self.now, now=lambda: NOON, sleep=self.sleep),
            rng=random.Random(seed),
            what="the server",
            advice="Start it.",
            on_failure=lambda failure: self.counted.append(failure.kind),
        )


def _failures(count: int, retry_after: float | None = None) -> list[TransientFailure]:
    return [TransientFailure("http_500", "down", retry_after) for _ in range(count)]


def test_a_call_that_works_is_made_once_without_waiting() -> None:
    weather = Weather()
    assert weather.run() == "fine"
    assert (weather.waits, weather.counted, weather.left) == ([], [], [900.0])


def test_waits_double_up_to_the_longest_and_are_jittered_downwards_by_at_most_half() -> None:
    weather = Weather(*_failures(7))
    assert weather.run(RetryPolicy(longest_wait_seconds=10.0)) == "fine"
    steps = [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    for wait, step in zip(weather.waits, steps, strict=True):
        assert step / 2 <= wait <= step


def test_jitter_comes_from_the_rng_alone() -> None:
    def waits(seed: int) -> list[float]:
        weather = Weather(*_failures(4))
        weather.run(seed=seed)
        return weather.waits

    assert waits(1) == waits(1)
    assert waits(1) != waits(2)


@given(asked=st.floats(min_value=0, max_value=500), seed=st.integers(0, 1000))
def test_a_wait_the_server_asked_for_is_kept_and_exceeded_by_little(asked: float, seed: int) -> None:
    weather = Weather(*_failures(1, retry_after=asked))
    assert weather.run(seed=seed) == "fine"
    assert asked <= weather.waits[0] <= asked + 0.5


def test_a_retry_after_may_be_longer_than_the_longest_step() -> None:
    weather = Weather(*_failures(1, retry_after=200.0))
    assert weather.run(RetryPolicy(longest_wait_seconds=1.0)) == "fine"
    assert weather.waits[0] >= 200.0


def test_attempts_are_bounded_and_the_last_failure_is_told() -> None:
    weather = Weather(*_failures(10))
    with pytest.raises(
        ModelUnavailable, match=r"^the server failed 3 times in \d+ s, last with http_500: down\. Start"
    ):
        weather.run(RetryPolicy(max_attempts=3))
    assert len(weather.left) == 3
    assert len(weather.waits) == 2
    assert weather.counted == ["http_500"] * 3


def test_one_attempt_means_no_wait() -> None:
    weather = Weather(*_failures(1))
    with pytest.raises(ModelUnavailable, match="failed once"):
        weather.run(RetryPolicy(max_attempts=1))
    assert weather.waits == []


def test_the_time_in_all_is_bounded_slow_attempts_included() -> None:
    weather = Weather(*_failures(100), each_takes=30.0)
    with pytest.raises(ModelUnavailable):
        weather.run(RetryPolicy(max_attempts=100, max_total_seconds=100.0))
    assert weather.now - 100.0 <= 100.0 + 30.0  # no attempt starts after 100 s


def test_an_attempt_is_told_how_much_time_is_left() -> None:
    weather = Weather(*_failures(1, retry_after=10.0), each_takes=5.0)
    weather.run(RetryPolicy(max_total_seconds=60.0))
    assert weather.left[0] == 60.0
    assert weather.left[1] == pytest.approx(60.0 - 5.0 - weather.waits[0])


def test_an_unavailable_server_is_not_chained_to_the_failures_before() -> None:
    weather = Weather(*_failures(2))
    with pytest.raises(ModelUnavailable) as caught:
        weather.run(RetryPolicy(max_attempts=2))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize("error", [ValueError("a bug"), KeyboardInterrupt()])
def test_every_other_error_passes_through_at_once(error: Exception) -> None:
    weather = Weather(error)
    with pytest.raises(type(error)):
        weather.run()
    assert (weather.waits, weather.counted) == ([], [])


@pytest.mark.parametrize("make", [lambda: RetryPolicy(max_attempts=0), lambda: RetryPolicy(first_wait_seconds=-1.0)])
def test_a_policy_that_makes_no_sense_is_refused(make: Callable[[], RetryPolicy]) -> None:
    with pytest.raises(ValueError, match=r"at least 1|negative"):
        make()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Mon, 05 Jan 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 05 Jan 2026 11:00:00 GMT"}, 0.0),
        # The server's own clock is an hour ahead of ours: what counts is the difference of its two dates.
        ({"retry-after": "Mon, 05 Jan 2026 13:00:20 GMT", "date": "Mon, 05 Jan 2026 13:00:00 GMT"}, 20.0),
        ({"retry-after": "Mon, 05 Jan 2026 12:00:30 GMT", "date": "rubbish"}, 30.0),
        ({"retry-after": "Mon, 99 Jan 2026 12:00:30 GMT"}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_seconds(headers, NOON) == seconds


@given(st.text(max_size=60))
def test_no_header_text_breaks_the_reading(text: str) -> None:
    seconds = retry_after_seconds({"retry-after": text, "date": text}, NOON)
    assert seconds is None or seconds >= 0


@given(st.integers(0, 4_000_000_000))
def test_a_date_in_the_future_asks_for_the_time_until_then(moment: int) -> None:
    header = email.utils.formatdate(moment, usegmt=True)
    assert retry_after_seconds({"retry-after": header}, NOON) == max(0.0, moment - NOON)
