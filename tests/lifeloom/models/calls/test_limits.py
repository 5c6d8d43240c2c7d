"""What goes out in a minute, who goes first, and what happens to those who wait."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.models.calls.limits import Gate
from lifeloom.models.calls.retries import Timing
from lifeloom.models.calls.stopping import CallStopped, Stop


class Clock:
    """Moves only when somebody sleeps on it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.waits.append(seconds)
        self.now += seconds

    @property
    def timing(self) -> Timing:
        return Timing(monotonic=lambda: self.now, sleep=self.sleep)


def until(condition: object, seconds: float = 10.0) -> None:
    """Wait for another thread."""
    assert callable(condition)
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.002)


def most_in_a_minute(calls: list[tuple[float, int]]) -> tuple[int, int]:
    """Return the most calls, and the most tokens, in any 60 seconds."""
    windows = [[(at, tokens) for at, tokens in calls if start <= at < start + 60] for start, _ in calls]
    return max(map(len, windows)), max(sum(tokens for _, tokens in window) for window in windows)


@pytest.fixture
def clock() -> Clock:
    return Clock()


# --- a minute


@settings(deadline=None)
@given(limit=st.integers(1, 7), pauses=st.lists(st.floats(0, 50), min_size=1, max_size=60))
def test_no_minute_has_more_requests_than_the_limit(limit: int, pauses: list[float]) -> None:
    clock = Clock()
    gate = Gate(requests_per_minute=limit, timing=clock.timing)
    calls = []
    for pause in pauses:
        with gate.slot():
            calls.append((clock.now, 0))
        clock.now += pause
    assert most_in_a_minute(calls)[0] <= limit


@settings(deadline=None)
@given(
    limit=st.integers(1, 500),
    calls=st.lists(st.tuples(st.integers(0, 400), st.floats(0, 1), st.floats(0, 30)), min_size=1, max_size=40),
)
def test_no_minute_has_more_tokens_than_the_limit_but_for_a_call_that_alone_is_more(
    limit: int, calls: list[tuple[int, float, float]]
) -> None:
    clock = Clock()
    gate = Gate(tokens_per_minute=limit, timing=clock.timing)
    made: list[tuple[float, int]] = []
    for estimate, share, pause in calls:
        with gate.slot(estimate) as slot:
            used = int(estimate * share)
            made.append((clock.now, used))
            clock.now += pause
            slot.used(used)
    for start, _ in made:
        window = [(at, tokens) for at, tokens in made if start <= at < start + 60 and tokens]
        assert sum(tokens for _, tokens in window) <= limit or len(window) == 1


def test_as_many_as_the_limit_go_at_once_and_the_next_when_the_first_is_a_minute_old(clock: Clock) -> None:
    gate = Gate(requests_per_minute=3, timing=clock.timing)
    for _ in range(3):
        with gate.slot():
            pass
        clock.now += 5
    with gate.slot():
        assert clock.waits == [45.0]
    with gate.slot():
        assert clock.waits == [45.0, 5.0]


def test_tokens_that_were_not_used_are_free_at_once(clock: Clock) -> None:
    gate = Gate(tokens_per_minute=100, timing=clock.timing)
    with gate.slot(90) as slot:
        slot.used(10)
    with gate.slot(90):
        assert clock.waits == []
    with gate.slot(1):
        assert clock.waits == [60.0]


def test_tokens_beyond_the_estimate_are_paid_back_by_waiting(clock: Clock) -> None:
    gate = Gate(tokens_per_minute=100, timing=clock.timing)
    with gate.slot(10) as slot:
        slot.used(100)
    with gate.slot(1):
        assert clock.waits == [60.0]


def test_a_call_that_failed_keeps_its_estimate(clock: Clock) -> None:
    gate = Gate(tokens_per_minute=100, timing=clock.timing)
    with pytest.raises(OSError, match="down"), gate.slot(60):
        raise OSError("down")
    with gate.slot(60):
        assert clock.waits == [60.0]


def test_a_call_larger_than_a_minute_passes_alone_when_nothing_else_is_left_of_the_minute(clock: Clock) -> None:
    gate = Gate(tokens_per_minute=100, timing=clock.timing)
    with gate.slot(5):
        pass
    clock.now += 20
    with gate.slot(5):
        pass
    with gate.slot(1000):
        assert sum(clock.waits) == 60.0
        began = clock.now
    with gate.slot(1):
        assert clock.now == began + 60


def test_a_gate_without_limits_a_minute_never_waits_for_the_clock(clock: Clock) -> None:
    gate = Gate(timing=clock.timing)
    assert not gate.wants_estimates
    for _ in range(1000):
        with gate.slot(10**9):
            pass
    assert clock.waits == []


@pytest.mark.parametrize("limits", [{"concurrency": 0}, {"requests_per_minute": -1}, {"tokens_per_minute": -1}])
def test_limits_that_make_no_sense_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"at least 1|negative"):
        Gate(**limits)


# --- places


def test_no_more_than_the_places_run_at_once_also_when_calls_fail() -> None:
    gate = Gate(concurrency=3)
    lock = threading.Lock()
    inside = most = done = 0

    def call(number: int) -> None:
        nonlocal inside, most, done
        try:
            with gate.slot():
                with lock:
                    inside += 1
                    most = max(most, inside)
                time.sleep(0.002)
                with lock:
                    inside -= 1
                if number % 3 == 0:
                    raise RuntimeError("failed")
        except RuntimeError:
            pass
        with lock:
            done += 1

    threads = [threading.Thread(target=call, args=(number,)) for number in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, done) == (3, 60)


def test_who_came_first_goes_first() -> None:
    gate = Gate(concurrency=1)
    order: list[int] = []

    def call(number: int) -> None:
        with gate.slot():
            order.append(number)

    with gate.slot():
        threads = []
        for number in range(20):
            thread = threading.Thread(target=call, args=(number,))
            thread.start()
            threads.append(thread)
            until(lambda: len(gate._queue) == len(threads))
    for thread in threads:
        thread.join()
    assert order == list(range(20))


def test_a_large_call_that_waits_is_not_overtaken_by_small_ones() -> None:
    gate = Gate(tokens_per_minute=100, timing=Timing(monotonic=lambda: 0.0))
    order: list[str] = []

    def call(name: str, tokens: int, stop: Stop) -> None:
        try:
            with gate.slot(tokens, [stop]):
                order.append(name)
        except CallStopped:
            order.append(f"{name} stopped")

    with gate.slot(50):
        pass
    large, small = Stop(), Stop()
    first = threading.Thread(target=call, args=("large", 60, large))
    first.start()
    until(lambda: len(gate._queue) == 1)
    second = threading.Thread(target=call, args=("small", 10, small))
    second.start()
    until(lambda: len(gate._queue) == 2)
    time.sleep(0.05)
    assert order == []  # the small one would fit, but it came later
    large.throw(RuntimeError("enough"))
    first.join(10)
    second.join(10)
    assert sorted(order) == ["large stopped", "small"]


# --- those who wait and are not wanted any more


def test_those_who_wait_for_a_place_end_when_they_are_stopped_and_the_others_do_not() -> None:
    gate = Gate(concurrency=1)
    stop = Stop()
    outcomes: list[str] = []

    def call(stops: list[Stop]) -> None:
        try:
            with gate.slot(stops=stops):
                outcomes.append("went")
        except CallStopped as error:
            outcomes.append(str(error))

    with gate.slot():
        threads = [threading.Thread(target=call, args=([stop] if number % 2 else [],)) for number in range(10)]
        for thread in threads:
            thread.start()
        until(lambda: len(gate._queue) == 10)
        stop.throw(RuntimeError("enough"))
        until(lambda: len(outcomes) == 5)
        assert all("enough" in outcome for outcome in outcomes)
    for thread in threads:
        thread.join(10)
    assert outcomes[5:] == ["went"] * 5


def test_who_waits_for_the_next_minute_ends_when_it_is_stopped() -> None:
    gate = Gate(requests_per_minute=1)
    stop = Stop()
    ended: list[float] = []

    def call() -> None:
        with pytest.raises(CallStopped), gate.slot(stops=[stop]):
            pass
        ended.append(time.monotonic())

    with gate.slot():
        pass
    thread = threading.Thread(target=call)
    thread.start()
    until(lambda: len(gate._queue) == 1)
    stop.throw(RuntimeError("enough"))
    thread.join(10)
    assert ended
    assert not gate._queue


def test_nothing_goes_out_for_a_call_that_was_stopped_before() -> None:
    stop = Stop()
    stop.throw(RuntimeError("enough"))
    gate = Gate(requests_per_minute=1)
    with pytest.raises(CallStopped), gate.slot(stops=[stop]):
        raise AssertionError("it went")
    assert not gate._minute
