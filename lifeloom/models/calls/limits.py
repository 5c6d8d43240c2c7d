"""How many calls run at once, and how many requests and tokens go out a minute.

The libraries for this are made for asyncio, or let a burst pass at the edge of two windows, or know neither how many
tokens a call took in the end nor who came first; and calls are made from threads here. So it is written out: one queue,
and a record of the last minute.
"""

from __future__ import annotations

import collections
import contextlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lifeloom.models.calls.bells import Bell
from lifeloom.models.calls.retries import Timing
from lifeloom.models.calls.stopping import Stop

__all__ = ["Gate", "Slot"]

_MINUTE = 60.0


class Slot:
    """A call's place: when it went out, and what it takes of the minute's tokens."""

    def __init__(self, gate: Gate, at: float, tokens: int) -> None:
        self._gate = gate
        self.at = at
        self.tokens = tokens
        self.counts = True

    def leave(self) -> int:
        """Say that the minute is over; return the tokens that are free again."""
        self.counts = False
        return self.tokens

    def used(self, tokens: int) -> None:
        """Say how many tokens the call took in truth. Not said (it failed): the estimate stands."""
        self._gate._settle(self, tokens)


class _Ticket:
    """Who waits."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        self.bell = Bell()
        self.slot: Slot | None = None
        """Set before the bell rings."""


class Gate:
    """What every attempt of every call to one server passes, first come, first served. Safe to use from threads.

    A call that waits to be repeated holds no place. In any 60 seconds no more than the limits go out: a request counts
    from when it was sent, its tokens by estimate, and by what it used once that is known. A call of more tokens than a
    whole minute's passes alone, when nothing of the last minute is left.

    Args:
        concurrency: Attempts under way at once; at least 1.
        requests_per_minute: Attempts that go out in a minute; 0: any number.
        tokens_per_minute: Tokens of prompt and answer of the attempts that go out in a minute; 0: any number.
        timing: Clocks and sleep.

    Raises:
        ValueError: a limit is below its least.
    """

    def __init__(
        self,
        *,
        concurrency: int = 64,
        requests_per_minute: int = 0,
        tokens_per_minute: int = 0,
        timing: Timing | None = None,
    ) -> None:
        if concurrency < 1:
            raise ValueError("concurrency must be at least 1")
        if min(requests_per_minute, tokens_per_minute) < 0:
            raise ValueError("requests and tokens per minute cannot be negative; 0 is no limit")
        self.concurrency = concurrency
        self._requests_per_minute = requests_per_minute
        self._tokens_per_minute = tokens_per_minute
        self._counts = bool(requests_per_minute or tokens_per_minute)
        self._timing = timing or Timing()
        self._lock = threading.Lock()
        self._queue: collections.deque[_Ticket] = collections.deque()
        """Who waits, in order; only the first may go."""
        self._running = 0
        self._minute: collections.deque[Slot] = collections.deque()
        """What went out in the last 60 s, in order."""
        self._minute_tokens = 0

    @property
    def wants_estimates(self) -> bool:
        """Whether ``slot`` needs to know the tokens of a call."""
        return self._tokens_per_minute > 0

    @contextmanager
    def slot(self, tokens: int = 0, stops: Sequence[Stop] = ()) -> Iterator[Slot]:
        """Wait for a place, hold it for the block.

        Args:
            tokens: What the call will take, as an estimate; not read where ``wants_estimates`` is False.
            stops: What may end the wait.

        Raises:
            CallStopped: one of ``stops`` was thrown before there was a place.
        """
        for stop in stops:
            stop.check()
        slot = self._enter(tokens if self.wants_estimates else 0, stops)
        try:
            yield slot
        finally:
            with self._lock:
                self._running -= 1
                self._admit_waiting()

    def _enter(self, tokens: int, stops: Sequence[Stop]) -> Slot:
        with self._lock:
            if not self._queue and self._seconds_to_wait(tokens) == 0:
                return self._admit(tokens)
        ticket = _Ticket(tokens)
        try:
            for stop in stops:
                stop.add_listener(ticket.bell)
            with self._lock:
                self._queue.append(ticket)
            while True:
                with self._lock:
                    self._admit_waiting()
                    is_first = bool(self._queue) and self._queue[0] is ticket
                    wait = self._seconds_to_wait(tokens) if is_first else None
                if ticket.slot is None:
                    if wait is None:
                        ticket.bell.wait()
                    else:
                        self._timing.pause(ticket.bell, wait)
                for stop in stops:
                    stop.check()
                if ticket.slot is not None:
                    return ticket.slot
        except BaseException:
            self._give_up(ticket)
            raise
        finally:
            for stop in stops:
                stop.drop_listener(ticket.bell)

    def _give_up(self, ticket: _Ticket) -> None:
        with self._lock:
            if ticket.slot is not None:  # it was let go just when it was stopped
                self._running -= 1
            else:
                with contextlib.suppress(ValueError):  # interrupted before it was there
                    self._queue.remove(ticket)
            self._admit_waiting()

    def _admit_waiting(self) -> None:
        """Let those who wait go while there is room; have the next one look at the clock. Needs the lock."""
        while self._queue:
            first = self._queue[0]
            wait = self._seconds_to_wait(first.tokens)
            if wait != 0:
                if wait is not None:
                    first.bell.ring()
                return
            self._queue.popleft()
            first.slot = self._admit(first.tokens)
            first.bell.ring()

    def _seconds_to_wait(self, tokens: int) -> float | None:
        """Return when a call may go, if it is first; None: when another one ends. Needs the lock."""
        if self._running >= self.concurrency:
            return None
        if not self._counts:
            return 0.0
        now = self._timing.monotonic()
        while self._minute and now >= self._minute[0].at + _MINUTE:
            self._minute_tokens -= self._minute.popleft().leave()
        requests, held, last_at = len(self._minute), self._minute_tokens, now
        for slot in self._minute:  # how many of the oldest have to leave first
            too_many = self._requests_per_minute and requests >= self._requests_per_minute
            if not too_many and not (self._tokens_per_minute and held + tokens > self._tokens_per_minute):
                return 0.0 if requests == len(self._minute) else last_at + _MINUTE - now
            requests, held, last_at = requests - 1, held - slot.tokens, slot.at
        return last_at + _MINUTE - now if self._minute else 0.0

    def _admit(self, tokens: int) -> Slot:
        """Let a call go. Needs the lock."""
        self._running += 1
        slot = Slot(self, self._timing.monotonic() if self._counts else 0.0, tokens)
        if self._counts:
            self._minute.append(slot)
            self._minute_tokens += tokens
        return slot

    def _settle(self, slot: Slot, tokens: int) -> None:
        if not self.wants_estimates:
            return
        with self._lock:
            if slot.counts:
                self._minute_tokens += tokens - slot.tokens
                slot.tokens = tokens
                self._admit_waiting()
