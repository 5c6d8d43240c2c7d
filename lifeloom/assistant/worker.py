"""The worker of the update stage: a thread that takes the queues of users in turn, off the path of replies.

The queue itself is in each user's memory file (``UserMemory.pending``): what was not done when a process ended goes on
in the next one, where it was.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lifeloom.models.protocol import ModelError

if TYPE_CHECKING:
    from types import TracebackType

    from lifeloom.assistant.update import UpdateStage
    from lifeloom.memory import UserMemory

__all__ = ["Flushed", "UpdateWorker"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Flushed:
    """How far the queues of the users asked for have come."""

    left: int
    """Updates that still wait."""
    problem: str = ""
    """Why they wait; empty where the time given was too short, or nothing waits."""


class _Queue:
    """A user whose queue is looked after."""

    def __init__(self, memory: UserMemory) -> None:
        self.memory = memory
        self.busy = False
        self.wanted = False
        """Something may be waiting."""
        self.leaving = False
        self.not_before = 0.0
        self.attempts = 0
        """Attempts that ended because the model, or the file, was away."""
        self.problem = ""


class UpdateWorker:
    """Does what waits in the queues of users, one update of each user in turn, each user's in order.

    A model that is away (a server, a budget, a key), or a file that is busy or full, ends the attempt: the queue stays,
    ``problem`` tells why, and it is tried again later. Close it when done; what waits by then stays in the files. Make
    it after a fork: threads do not come along.

    Args:
        stage: Does one update.
        retry_seconds: How long a user whose update could not be made is left alone.
        clock: Seconds of a clock that only goes forward.
    """

    def __init__(
        self, stage: UpdateStage, *, retry_seconds: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.stage = stage
        self._retry_seconds = retry_seconds
        self._clock = clock
        self._changed = threading.Condition()
        self._queues: dict[int, _Queue] = {}  # by identity of the handle, in the order in which they take turns
        self._closing = False
        self._thread: threading.Thread | None = None

    def __enter__(self) -> UpdateWorker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def notify(self, memory: UserMemory) -> bool:
        """Say that something waits in the queue of ``memory``, and return at once: False where the worker was closed.

        What waits is in the memory's file, and the next worker does it.
        """
        with self._changed:
            if self._closing:
                return False
            queue = self._queues.setdefault(id(memory), _Queue(memory))
            queue.wanted = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="lifeloom-updates", daemon=True)
                self._thread.start()
            self._changed.notify_all()
            return True

    def problem(self, memory: UserMemory) -> str:
        """Return why the updates of ``memory`` wait, in words; empty where they do not."""
        with self._changed:
            queue = self._queues.get(id(memory))
            return queue.problem if queue else ""

    def flush(self, memory: UserMemory, timeout: float | None = None) -> Flushed:
        """Wait until nothing waits in the queue of ``memory``, or the update could not be made when tried again now.

        Args:
            memory: Whose queue.
            timeout: Seconds to wait at most; None: as long as it takes.
        """
        if not self.notify(memory):
            return Flushed(len(memory.pending()), "the worker of the update stage was closed")
        with self._changed:
            queue = self._queues[id(memory)]
            queue.not_before = 0.0
            attempts = queue.attempts
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: self._closing or queue.attempts > attempts or not (queue.wanted or queue.busy), timeout
            )
            problem = queue.problem
        return Flushed(left=len(memory.pending()), problem=problem)

    def release(self, memory: UserMemory) -> None:
        """Look after the queue of ``memory`` no longer; waits for the update that is being made."""
        with self._changed:
            queue = self._queues.get(id(memory))
            if queue is None:
                return
            queue.wanted, queue.leaving = False, True
            self._changed.wait_for(lambda: not queue.busy)
            self._queues.pop(id(memory), None)

    def close(self, timeout: float | None = None) -> None:
        """Finish the update that is being made, and end. What waits is kept in the files.

        Args:
            timeout: Seconds to wait at most for that update, which counts as not made when it comes later; None: as
                long as it takes.
        """
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)

    def _work(self) -> None:
        while True:
            queue = self._next()
            if queue is None:
                return
            more, problem = False, ""
            try:
                more = self.stage.next_update(queue.memory)
            except ModelError as error:
                problem = str(error)
            except Exception as error:  # a fault of the program: it must not end the updates of the other users
                _log.exception("an update of %r failed", queue.memory.user_id)
                problem = f"an update failed: {error!r}"
            with self._changed:
                queue.busy = False
                queue.problem = problem
                if problem:
                    queue.attempts += 1
                    queue.not_before = self._clock() + self._retry_seconds
                queue.wanted = not queue.leaving and (queue.wanted or more or bool(problem))
                self._changed.notify_all()

    def _next(self) -> _Queue | None:
        """Wait for a user whose turn it is; None: it is over."""
        with self._changed:
            while not self._closing:
                now = self._clock()
                waiting = [queue for queue in self._queues.values() if queue.wanted]
                ready = [queue for queue in waiting if queue.not_before <= now]
                if ready:
                    queue = ready[0]
                    # To the end of the line: no user waits for the whole queue of another.
                    self._queues[id(queue.memory)] = self._queues.pop(id(queue.memory))
                    queue.busy, queue.wanted = True, False
                    return queue
                soonest = min((queue.not_before for queue in waiting), default=None)
                self._changed.wait(None if soonest is None else max(0.0, soonest - now))
        return None
