"""One worker for many callers: what happens to who waits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lifeloom.models.calls.stopping import CallStopped, Stop, stoppable
from lifeloom.models.huggingface.batching import Batcher, Ticket
from lifeloom.models.protocol import ModelUnavailable
from tests.huggingface_questions import together

Tickets = list[Ticket[int, int]]


def doubled(tickets: Tickets, closed: Callable[[], bool]) -> None:
    for ticket in tickets:
        ticket.answer(2 * ticket.job)


def asking(batcher: Batcher[int, int], job: int, *, kind: str = "", width: int = 0) -> Callable[[], int | str]:
    def ask() -> int | str:
        try:
            return batcher.ask(job, kind=kind, width=width)
        except (ModelUnavailable, ZeroDivisionError) as error:
            return f"{type(error).__name__}: {error}"

    return ask


def test_every_caller_gets_the_answer_to_its_own_question() -> None:
    batcher = Batcher(doubled, largest=4, name="test")

    assert together([asking(batcher, job) for job in range(40)]) == [2 * job for job in range(40)]


def test_what_waits_is_done_together_but_only_with_its_kind() -> None:
    batches: list[list[tuple[int, str]]] = []
    first_begun, go_on = threading.Event(), threading.Event()

    def work(tickets: Tickets, closed: Callable[[], bool]) -> None:
        batches.append([(ticket.job, str(ticket.kind)) for ticket in tickets])
        first_begun.set()
        go_on.wait(10)
        doubled(tickets, closed)

    batcher = Batcher(work, largest=3, name="test")

    def rest() -> list[int | str]:
        first_begun.wait(10)
        waiting = [asking(batcher, job, kind="even" if job % 2 == 0 else "odd") for job in range(1, 8)]
        threading.Timer(0.3, go_on.set).start()
        return together(waiting)

    together([asking(batcher, 0, kind="even"), rest])

    assert batches[0] == [(0, "even")]
    assert all(len({kind for _, kind in batch}) == 1 and len(batch) <= 3 for batch in batches)
    assert sorted(job for batch in batches for job, _ in batch) == list(range(8))
    assert len(batches) == 4  # one, three even, three odd, one odd


def test_the_oldest_goes_first_with_those_nearest_in_width() -> None:
    batches: list[list[int]] = []
    go_on = threading.Event()

    def work(tickets: Tickets, closed: Callable[[], bool]) -> None:
        batches.append(sorted(ticket.job for ticket in tickets))
        go_on.wait(10)
        doubled(tickets, closed)

    batcher = Batcher(work, largest=2, name="test")
    threads = []
    for number, width in enumerate([1, 500, 3, 490, 5]):
        threads.append(threading.Thread(target=asking(batcher, number, width=width)))
        threads[-1].start()
        time.sleep(0.03)  # so that they wait in this order; the first begins alone
    go_on.set()
    for thread in threads:
        thread.join(10)

    assert batches == [[0], [1, 3], [2, 4]]


def test_a_failure_of_the_work_reaches_every_caller_and_the_next_question_is_answered() -> None:
    def work(tickets: Tickets, closed: Callable[[], bool]) -> None:
        if any(ticket.job < 0 for ticket in tickets):
            raise ZeroDivisionError("nothing to divide by")
        doubled(tickets, closed)

    batcher = Batcher(work, largest=8, name="test")

    assert set(together([asking(batcher, -1)] * 3)) == {"ZeroDivisionError: nothing to divide by"}
    assert batcher.ask(4, kind="", width=0) == 8


def test_a_question_that_the_work_forgets_fails() -> None:
    batcher = Batcher(lambda tickets, closed: None, largest=8, name="test")

    assert asking(batcher, 1)() == "ModelUnavailable: test gave no answer"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_when_the_worker_dies_whoever_waits_and_whoever_comes_later_is_told() -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Death(BaseException):
        pass

    def work(tickets: Tickets, closed: Callable[[], bool]) -> None:
        begun.set()
        go_on.wait(10)
        raise Death("out of order")

    batcher = Batcher(work, largest=1, name="test")

    def late() -> int | str:
        begun.wait(10)
        threading.Timer(0.2, go_on.set).start()
        return asking(batcher, 2)()

    def first() -> str:
        try:
            return str(batcher.ask(1, kind="", width=0))
        except Death as error:
            return str(error)

    told = together([first, late])  # type: ignore[list-item]

    assert batcher._thread is not None
    batcher._thread.join(10)
    assert told[0] == "out of order"
    assert told[1] == asking(batcher, 3)() == "ModelUnavailable: test has stopped (Death: out of order)"


def test_closing_stops_the_work_and_fails_whoever_waits() -> None:
    begun = threading.Event()

    def work(tickets: Tickets, closed: Callable[[], bool]) -> None:
        begun.set()
        while not closed():
            time.sleep(0.005)

    batcher = Batcher(work, largest=1, name="test")

    def close() -> str:
        begun.wait(10)
        batcher.close()
        batcher.close()
        return "closed"

    told = together([asking(batcher, 1), asking(batcher, 2), close])

    assert told == ["ModelUnavailable: test is closed"] * 2 + ["closed"]
    assert asking(batcher, 3)() == "ModelUnavailable: test is closed"


def test_an_interrupted_caller_gives_its_question_up_and_can_ask_again() -> None:
    done: list[int] = []
    first = threading.Event()

    def work(tickets: Tickets, closed: Callable[[], bool]) -> None:
        if not first.is_set():
            first.set()
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            time.sleep(0.2)
        done.extend(ticket.job for ticket in tickets if not ticket.settled)
        doubled(tickets, closed)

    batcher = Batcher(work, largest=8, name="test")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            batcher.ask(1, kind="", width=0)
    finally:
        signal.signal(signal.SIGINT, before)

    assert batcher.ask(2, kind="", width=0) == 4
    assert done == [2]


def test_a_stop_that_is_thrown_ends_the_waits_of_its_callers_and_of_no_others() -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[int] = []

    def work(tickets: Tickets, closed: Callable[[], bool]) -> None:
        begun.set()
        go_on.wait(10)
        done.extend(ticket.job for ticket in tickets if not ticket.settled)
        doubled(tickets, closed)

    batcher, stop = Batcher(work, largest=1, name="test"), Stop()

    def stopped(job: int) -> str | int:
        try:
            with stoppable(stop):
                return batcher.ask(job, kind="", width=0)
        except CallStopped as error:
            return repr(error.stop.cause)

    def staying() -> int:
        begun.wait(10)
        return batcher.ask(3, kind="", width=0)

    def stopping() -> str:
        begun.wait(10)
        stop.throw(KeyboardInterrupt())
        return "thrown"

    with ThreadPoolExecutor(4) as pool:
        given_up = [pool.submit(stopped, job) for job in (1, 2)]  # one is being worked at, one waits for its turn
        stayed, thrown = pool.submit(staying), pool.submit(stopping)
        try:
            assert thrown.result(10) == "thrown"
            assert [future.result(10) for future in given_up] == ["KeyboardInterrupt()"] * 2
            assert not stayed.done()
        finally:
            go_on.set()
        assert stayed.result(10) == 6

    assert done == [3]
    assert stopped(4) == "KeyboardInterrupt()"


@pytest.mark.slow
def test_work_under_way_does_not_keep_the_process_alive(text_model: Path) -> None:
    program = f"""
import threading, time
from lifeloom.models.huggingface import HuggingFaceWire
from tests.huggingface_questions import question, task
wire = HuggingFaceWire({str(text_model)!r}, device="cpu")
wire.send(question("tea"), 60.0)
asked = question("tea", task(max_tokens=1900))
threading.Thread(target=lambda: wire.send(asked, 600.0), daemon=True).start()
time.sleep(0.1)
print("leaving", flush=True)
"""
    finished = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4]), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (finished.returncode, finished.stdout) == (0, "leaving\n")
