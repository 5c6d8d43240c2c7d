"""Ends the waits of calls that nobody wants any more: their batch is over, or the server refuses the key."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from contextvars import ContextVar

from lifeloom.models.calls.bells import Bell
from lifeloom.models.calls.retries import Timing
from lifeloom.models.protocol import ModelError

__all__ = ["CallStopped", "Stop", "pause", "stoppable", "stops_here"]


class CallStopped(ModelError):
    """A call was given up before it was sent, or while it waited to be sent again: another error ended its batch.

    Attributes:
        stop: Whose throwing ended it.
    """

    def __init__(self, stop: Stop) -> None:
        super().__init__(f"given up while it waited, because of {stop.cause!r}")
        self.stop = stop


class Stop:
    """A switch for a group of calls. Once thrown it stays so. Safe to use from threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cause: BaseException | None = None
        self._listeners: set[Bell] = set()

    @property
    def cause(self) -> BaseException | None:
        """The error that ended it; the first of several. None: it goes on."""
        return self._cause

    @property
    def is_interrupt(self) -> bool:
        """Whether it was no error that ended it but the user, or the program that runs this one."""
        return self._cause is not None and not isinstance(self._cause, (Exception, GeneratorExit))

    def throw(self, cause: BaseException) -> None:
        """End the waits of the group, because of an error."""
        with self._lock:
            if self._cause is None:
                self._cause = cause
            listeners = list(self._listeners)
        for listener in listeners:
            listener.ring()

    def check(self) -> None:
        """Do nothing while the group goes on.

        Raises:
            CallStopped: it is over.
        """
        if self._cause is not None:
            raise CallStopped(self)

    def add_listener(self, bell: Bell) -> None:
        """Ring ``bell`` when the switch is thrown; at once where it was."""
        with self._lock:
            self._listeners.add(bell)
            if self._cause is not None:
                bell.ring()

    def drop_listener(self, bell: Bell) -> None:
        """Ring ``bell`` no more."""
        with self._lock:
            self._listeners.discard(bell)


_HERE: ContextVar[tuple[Stop, ...]] = ContextVar("stops", default=())


@contextlib.contextmanager
def stoppable(*stops: Stop) -> Iterator[None]:
    """Put the calls that this thread makes in the block into the groups of ``stops``, beside those it is in."""
    token = _HERE.set((*_HERE.get(), *stops))
    try:
        yield
    finally:
        _HERE.reset(token)


def stops_here() -> tuple[Stop, ...]:
    """Return the groups that calls of this thread are in."""
    return _HERE.get()


def pause(seconds: float, timing: Timing, stops: Sequence[Stop]) -> None:
    """Wait.

    Args:
        seconds: How long.
        timing: How.
        stops: What may end the wait.

    Raises:
        CallStopped: one of them did.
    """
    bell = Bell()
    try:
        for stop in stops:
            stop.add_listener(bell)
        timing.pause(bell, seconds)
    finally:
        for stop in stops:
            stop.drop_listener(bell)
    for stop in stops:
        stop.check()
