"""The one place that repeats calls to a server: which failures, how long to wait, when to give up.

The clients underneath have their own retries switched off, so that a call is never repeated by two
layers at once. Waits grow exponentially with "full jitter on the
upper half" (a wait lies between half of the step and the step), which spreads callers that failed
together; a server's ``Retry-After`` is never undercut.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from lifeloom.models.calls.bells import Bell
from lifeloom.models.protocol import ModelUnavailable

__all__ = ["RetryPolicy", "Timing", "TransientFailure", "call_with_retries", "retry_after_seconds"]

ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how long one call is repeated."""

    max_attempts: int = 8
    """Attempts in all, the first included; at least 1."""
    max_total_seconds: float = 900.0
    """No wait starts that would end later than this after the first attempt began."""
    first_wait_seconds: float = 0.5
    """Step after the first failure; it doubles with each failure."""
    longest_wait_seconds: float = 60.0
    """Longest step. A ``Retry-After`` may be longer."""

    def __post_init__(self) -> None:
        if self.max_attempts < 1:
            raise ValueError("max_attempts must be at least 1: the first attempt counts")
        if min(self.max_total_seconds, self.first_wait_seconds, self.longest_wait_seconds) < 0:
            raise ValueError("the seconds of a retry policy cannot be negative")


@dataclass(frozen=True)
class Timing:
    """The clocks and the sleep that calls use; handed in, so that tests wait for nothing."""

    monotonic: Callable[[], float] = time.monotonic
    """Seconds since some fixed moment: measures how long things take."""
    now: Callable[[], float] = time.time
    """Seconds since 1970: only to understand a ``Retry-After`` that names a date."""
    sleep: Callable[[float], None] | None = None
    """In place of real waits, for tests; None: real ones, which a bell can end."""

    def pause(self, bell: Bell, seconds: float) -> None:
        """Wait until ``seconds`` have passed or ``bell`` rings."""
        if self.sleep is None:
            bell.wait(seconds)
        else:
            self.sleep(seconds)


class TransientFailure(Exception):
    """A call failed in a way that may pass: it is worth another attempt.

    Attributes:
        kind: Short and countable: ``http_429``, ``timeout``, ``connection``, ``bad_body``.
        retry_after: Seconds the server asked to wait; None when it did not say.
    """

    def __init__(self, kind: str, detail: str, retry_after: float | None = None) -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail
        self.retry_after = retry_after


def retry_after_seconds(headers: Mapping[str, str], now: float) -> float | None:
    """Return how long a response asks to wait, in seconds, at least 0; None when it does not say.

    Understands both forms of ``Retry-After`` (RFC 9110, Section 10.2.3: seconds, or an HTTP date) and
    ``retry-after-ms``. A date is compared with the response's own ``Date`` where there is one, so that a
    wrong clock on this machine does no harm.

    Args:
        headers: Response headers; names are looked up in lower case.
        now: Seconds since 1970.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    until = _http_date(value)
    if until is None:
        return None
    sent = _http_date(headers.get("date", ""))
    return max(0.0, until - (now if sent is None else sent))


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _http_date(text: str) -> float | None:
    try:
        moment = email.utils.parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def call_with_retries(
    call: Callable[[float], ResultT],
    *,
    policy: RetryPolicy,
    timing: Timing,
    rng: random.Random,
    what: str,
    advice: str,
    on_failure: Callable[[TransientFailure], None] = lambda failure: None,
    idle: Callable[[], float] = lambda: 0.0,
    pause: Callable[[float], None] | None = None,
) -> ResultT:
    """Return what ``call`` returns, repeating it while it raises ``TransientFailure``.

    Args:
        call: Makes one attempt; it is given the seconds that are left in all, and should not take longer.
        policy: How often and how long.
        timing: Clocks and sleep.
        rng: Jitter. It never touches an answer, only the waits.
        what: Who is called, for the message.
        advice: What a person can do when all attempts failed, for the message.
        on_failure: Told of every failed attempt, the last one included; for counting.
        idle: Seconds that attempts have waited for their turn so far: they do not count as time spent.
        pause: Waits between attempts; may raise to end it all. None: as ``timing`` does.

    Raises:
        ModelUnavailable: The attempts or the time are used up. Every other error passes through at once.
    """
    import tenacity

    started = timing.monotonic()

    def passed() -> float:
        return timing.monotonic() - started - idle()

    def failure_of(state: tenacity.RetryCallState) -> TransientFailure:
        failure = state.outcome.exception() if state.outcome is not None else None
        if not isinstance(failure, TransientFailure):  # only these are retried, so this cannot be
            raise TypeError(f"a {type(failure).__name__} is not a transient failure")
        return failure

    def wait(state: tenacity.RetryCallState) -> float:
        asked = failure_of(state).retry_after
        # min() on the exponent: 2.0**1100 overflows.
        step = policy.first_wait_seconds * 2.0 ** min(state.attempt_number - 1, 60)
        if asked is None:
            return min(step, policy.longest_wait_seconds) * (0.5 + 0.5 * rng.random())
        return asked + rng.random() * min(policy.first_wait_seconds, 0.1 * asked + 0.05)

    def stop(state: tenacity.RetryCallState) -> bool:
        ends = passed() + state.upcoming_sleep
        return state.attempt_number >= policy.max_attempts or ends > policy.max_total_seconds

    def give_up(state: tenacity.RetryCallState) -> ModelUnavailable:
        failure = failure_of(state)
        times = "once" if state.attempt_number == 1 else f"{state.attempt_number} times in {passed():.0f} s"
        asked = ""
        if failure.retry_after is not None and state.attempt_number < policy.max_attempts:
            limit = f"{policy.max_total_seconds:.0f} s"
            asked = f" It asks to wait {failure.retry_after:.0f} s, longer than the {limit} allowed."
        return ModelUnavailable(f"{what} failed {times}, last with {failure}.{asked} {advice}")

    def attempt() -> ResultT:
        try:
            return call(max(0.0, policy.max_total_seconds - passed()))
        except TransientFailure as failure:
            on_failure(failure)
            raise

    try:
        return attempt()  # nearly all calls end here, without the machinery for the others
    except TransientFailure as failure:
        failed = [failure]

    def again() -> ResultT:
        if failed:
            raise failed.pop()  # the first attempt, for the count
        return attempt()

    retrying = tenacity.Retrying(
        sleep=pause or (lambda seconds: timing.pause(Bell(), seconds)),
        retry=tenacity.retry_if_exception_type(TransientFailure),
        wait=wait,
        stop=stop,
        retry_error_callback=give_up,
    )
    result: ResultT | ModelUnavailable = retrying(again)
    if isinstance(result, ModelUnavailable):
        raise result  # here, not inside tenacity: the failures before it are not chained to it
    return result
