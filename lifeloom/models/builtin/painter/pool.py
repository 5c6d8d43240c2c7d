"""Draw with several processes: resvg holds the interpreter's lock, so threads gain nothing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.context import SpawnContext, SpawnProcess
from types import TracebackType
from typing import Any

from lifeloom.child_environment import secrets_hidden
from lifeloom.models.builtin.painter.composer import BuiltinPainter
from lifeloom.models.protocol import DrawnPicture, ModelError, PictureNotDrawn
from lifeloom.records.pictures import PicturePlan

__all__ = ["DrawingPool", "DrawingWorkerDied"]

_CHUNK = 8
"""Plans sent to a process at once: about half a second of work."""

_PATIENCE = 1.0
"""Seconds that processes have to end by themselves when the pool is left; what they still draw nobody wants."""


class DrawingWorkerDied(ModelError):
    """A drawing process was killed, for example for memory: free some, or ask for fewer workers, and run again.

    Not retried: where memory ran out once it soon does again.
    """


class DrawingPool:
    """Draws plans with ``workers`` processes, in order; with 1 or fewer, in this process.

    Use it as a context manager: leaving it, also by an error or by Ctrl-C however often, ends its processes
    within a second or two. They end on their own, too, when this process is killed. The pictures are the same
    whatever ``workers`` is.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self._started: list[SpawnProcess] = []

    def __enter__(self) -> DrawingPool:
        if self._workers > 1:
            context = _RememberingContext()
            self._started = context.started
            with secrets_hidden():  # its queues start multiprocessing's resource tracker
                self._executor = ProcessPoolExecutor(self._workers, mp_context=context, initializer=_start_worker)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            # In a thread of its own, which no Ctrl-C reaches: the processes end even where the waiting here does not.
            ender = threading.Thread(target=_end, args=(executor, self._started), name="ends drawing processes")
            ender.start()
            ender.join()

    def draw_many(self, plans: Iterable[PicturePlan]) -> Iterator[DrawnPicture | PictureNotDrawn]:
        """Yield what became of each plan, in order: the picture, or why it cannot be drawn.

        Plans are taken as they are needed, some ``16 x workers`` ahead.

        Raises:
            InstallationBroken: a package or file that drawing needs is missing.
            DrawingWorkerDied: a process was killed.
            RuntimeError: the pool is not open.
        """
        if self._workers <= 1:
            yield from map(_draw_one, plans)
            return
        if self._executor is None:
            raise RuntimeError("draw_many needs an open pool: `with DrawingPool(workers) as pool:`")
        source = iter(plans)
        waiting: deque[Future[list[DrawnPicture | _NotDrawn]]] = deque()
        try:
            while True:
                while len(waiting) < 2 * self._workers and (chunk := list(islice(source, _CHUNK))):
                    waiting.append(self._executor.submit(_draw_chunk, chunk))
                if not waiting:
                    return
                for drawn in waiting.popleft().result():
                    yield PictureNotDrawn(*drawn) if isinstance(drawn, tuple) else drawn
        except BrokenProcessPool as broken:
            raise DrawingWorkerDied(
                "a drawing process was killed, perhaps because memory ran out. Nothing that was made is lost: free "
                "some memory, or set LIFELOOM_PICTURES__PROCESSES to fewer, and run again"
            ) from broken
        finally:
            for future in waiting:
                future.cancel()


class _DrawingProcess(SpawnProcess):
    """A process without keys."""

    def start(self) -> None:
        with secrets_hidden():
            super().start()


class _RememberingContext(SpawnContext):
    """Starts processes afresh and remembers them, also one that an interrupt keeps from its executor.

    They are daemons: should this process end without leaving the pool, ``multiprocessing`` ends them, and does
    not wait for ever for processes to which nobody speaks any more.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802 - its name
        process = _DrawingProcess(*args, **kwargs, daemon=True)
        self.started.append(process)
        return process


def _end(executor: ProcessPoolExecutor, started: list[SpawnProcess]) -> None:
    """Let the processes end by themselves if they do so soon, else kill them: they keep nothing that could be lost."""
    ending = threading.Thread(
        target=executor.shutdown, kwargs={"wait": True, "cancel_futures": True}, daemon=True, name="waits for drawing"
    )
    ending.start()
    ending.join(_PATIENCE)
    for process in started:
        if process.pid is not None:
            process.kill()
    ending.join(_PATIENCE)


_NotDrawn = tuple[str, str]
"""Picture id and reason: ``PictureNotDrawn`` does not survive pickling."""

_painter = BuiltinPainter()


def _draw_one(plan: PicturePlan) -> DrawnPicture | PictureNotDrawn:
    try:
        return _painter.draw(plan)
    except PictureNotDrawn as refused:
        return refused


def _draw_chunk(plans: list[PicturePlan]) -> list[DrawnPicture | _NotDrawn]:
    results = (_draw_one(plan) for plan in plans)
    return [(one.picture_id, one.reason) if isinstance(one, PictureNotDrawn) else one for one in results]


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it whatever ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True, name="ends with its parent").start()
