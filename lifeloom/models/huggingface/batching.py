"""One thread works for many callers: what waits at the same time is done together."""

from __future__ import annotations

import collections
import os
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

from lifeloom.models.calls.bells import Bell
from lifeloom.models.calls.stopping import Stop, stops_here
from lifeloom.models.protocol import ModelUnavailable, TextListener

__all__ = ["Batcher", "Ticket"]

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")

_PATIENCE_SECONDS = 0.005  # callers that were answered together come back within a few milliseconds of each other


class Ticket(Generic[JobT, ResultT]):
    """A job that somebody waits for.

    Attributes:
        job: What to do.
        kind: Jobs of one kind can be done together.
        width: How much it takes; jobs of like width go well together.
    """

    def __init__(self, job: JobT, kind: Hashable, width: int) -> None:
        self.job = job
        self.kind = kind
        self.width = width
        self._future: Future[ResultT] = Future()
        self._bell = Bell()
        self._pieces: collections.deque[str | None] = collections.deque()

    @property
    def settled(self) -> bool:
        """Whether there is nothing to do any more: answered, failed or given up by who asked."""
        return self._future.done()

    def answer(self, result: ResultT) -> None:
        """Hand over the result; the caller goes on at once. Nothing happens when it is settled."""
        if not self.settled and self._future.set_running_or_notify_cancel():
            self._future.set_result(result)

    def tell(self, piece: str) -> None:
        """Hand over a piece of the result that is to come, for who listens; the caller's thread passes it on."""
        self._pieces.append(piece)
        self._bell.ring()

    def tell_anew(self) -> None:
        """The pieces so far do not count: the job is begun once more."""
        self._pieces.append(None)
        self._bell.ring()

    def fail(self, error: BaseException) -> None:
        """Hand over an error; nothing happens when it is settled."""
        if not self.settled and self._future.set_running_or_notify_cancel():
            self._future.set_exception(error)

    def wait(self, stops: Sequence[Stop] = (), listener: TextListener | None = None) -> ResultT:
        """Return the result; a caller that is interrupted gives the job up.

        Args:
            stops: Each interrupts when it is thrown.
            listener: Told the pieces; what it raises interrupts too.

        Raises:
            CallStopped: one of them was, before there was a result.
        """
        bell = self._bell
        self._future.add_done_callback(lambda _: bell.ring())
        try:
            for stop in stops:
                stop.add_listener(bell)
            while True:
                bell.wait()
                self._pass_on(listener)
                if self._future.done():
                    break
                for stop in stops:
                    stop.check()
            self._pass_on(listener)  # what came between
            return self._future.result()
        except BaseException:
            self._future.cancel()
            raise
        finally:
            for stop in stops:
                stop.drop_listener(bell)

    def _pass_on(self, listener: TextListener | None) -> None:
        while self._pieces:
            piece = self._pieces.popleft()
            if listener is None:
                continue
            if piece is None:
                listener.restart()
            else:
                listener.piece(piece)


class Batcher(Generic[JobT, ResultT]):
    """Gathers jobs and has them done by one thread, which starts with the first job.

    The oldest job goes first, and takes those of its kind with it that are nearest in width. The thread ends with the
    process: it never keeps it alive.

    Args:
        work: Settles the tickets that it is given, all of one kind; what it leaves or raises fails them. Its second
            argument tells whether to stop as soon as it can.
        largest: Most jobs at once.
        name: Of who works, for messages.
    """

    def __init__(
        self, work: Callable[[list[Ticket[JobT, ResultT]], Callable[[], bool]], None], *, largest: int, name: str
    ) -> None:
        self._work = work
        self._largest = largest
        self._name = name
        self._changed = threading.Condition()
        self._waiting: list[Ticket[JobT, ResultT]] = []
        self._thread: threading.Thread | None = None
        self._closed = False
        self._broken: BaseException | None = None
        self._process = os.getpid()

    def ask(self, job: JobT, *, kind: Hashable, width: int, listener: TextListener | None = None) -> ResultT:
        """Return the result of ``job``, or raise what became of it.

        Nothing is paid for an answer, so that nobody waits for one when the batch that the call is part of is over.

        Raises:
            ModelUnavailable: closed before the job was done.
            CallStopped: the batch of the caller was ended before the job was done.
        """
        ticket: Ticket[JobT, ResultT] = Ticket(job, kind, width)
        with self._changed:
            if self._closed:
                raise self._no_more()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"lifeloom {self._name}", daemon=True)
                self._thread.start()
            self._waiting.append(ticket)
            self._changed.notify()
        return ticket.wait(stops_here(), listener)

    def close(self) -> None:
        """End the work, fail whoever waits; done twice, or in a copy of the process, it does nothing."""
        if self._process != os.getpid():
            return  # the thread is not here, and the lock may have been held when the process was copied
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=30.0)  # the step under way; a longer one is left to the end of the process

    def _run(self) -> None:
        try:
            while tickets := self._gather():
                self._settle(tickets)
        except BaseException as broken:
            self._broken = broken
            raise
        finally:
            with self._changed:
                self._closed = True
                waiting, self._waiting = self._waiting, []
            for ticket in waiting:
                ticket.fail(self._no_more())

    def _settle(self, tickets: list[Ticket[JobT, ResultT]]) -> None:
        error: BaseException = ModelUnavailable(f"{self._name} gave no answer")
        try:
            self._work(tickets, lambda: self._closed)
        except BaseException as failed:
            error = failed
            if not isinstance(failed, Exception):
                raise
        finally:
            for ticket in tickets:
                ticket.fail(self._no_more() if self._closed else error)

    def _gather(self) -> list[Ticket[JobT, ResultT]]:
        """Return what to do next, waiting for it; nothing when closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            until = time.monotonic() + _PATIENCE_SECONDS
            while len(self._waiting) < self._largest and not self._closed:
                if not self._changed.wait(until - time.monotonic()):
                    break
            if self._closed:
                return []
            self._waiting = [ticket for ticket in self._waiting if not ticket.settled]
            if not self._waiting:
                return self._gather()
            first = self._waiting[0]
            alike = [ticket for ticket in self._waiting if ticket.kind == first.kind]
            alike.sort(key=lambda ticket: abs(ticket.width - first.width))  # stable: the first one stays first
            chosen = alike[: self._largest]
            self._waiting = [ticket for ticket in self._waiting if ticket not in chosen]
            return chosen

    def _no_more(self) -> ModelUnavailable:
        if self._broken is None:
            return ModelUnavailable(f"{self._name} is closed")
        return ModelUnavailable(f"{self._name} has stopped ({type(self._broken).__name__}: {self._broken})")
