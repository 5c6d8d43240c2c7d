"""The ledger: what is booked where, what survives a killed process, and sharing between threads and processes."""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lifeloom.models.calls.ledger import (
    EstimateLine,
    Ledger,
    LedgerCorrupt,
    LedgerError,
    LedgerLine,
    LedgerMeter,
    LedgerUnusable,
    Price,
)
from lifeloom.models.calls.metering import Meter
from lifeloom.models.protocol import ModelError, ModelIdentity

NOON = 1_767_614_400.0
PROMPT = "choice_answer@1+00000000"
IDENTITY = ModelIdentity("openai", "m")


class Clock:
    """Seconds since 1970 that stand until they are moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


def _meter(ledger: Ledger, role: str = "writer") -> LedgerMeter:
    return ledger.meter(role, IDENTITY, Price(2.0, 8.0))


def _pay(meter: Meter, prompt_tokens: int = 1000, completion_tokens: int = 100) -> None:
    meter.reserve(PROMPT, prompt_tokens, completion_tokens).paid(prompt_tokens, completion_tokens, 0.5)


def _only(lines: list[LedgerLine]) -> LedgerLine:
    (line,) = lines
    return line


def test_a_paid_call_is_booked_with_tokens_price_and_time(tmp_path: Path) -> None:
    clock = Clock()
    with Ledger(tmp_path / "ledger.sqlite", now=clock) as ledger, ledger.account("corpus/dialogues", "run-1"):
        _pay(_meter(ledger))
        clock.now += 60
        _pay(_meter(ledger), 500, 50)
        line = _only(ledger.spent())
    assert (line.run, line.stage, line.role) == ("run-1", "corpus/dialogues", "writer")
    assert (line.backend, line.model, line.prompt_version) == ("openai", "m", PROMPT)
    assert (line.calls, line.cached, line.prompt_tokens, line.completion_tokens) == (2, 0, 1500, 150)
    assert line.usd == 1500 * 2e-6 + 150 * 8e-6
    assert (line.seconds, line.first, line.last) == (1.0, NOON, NOON + 60)


def test_calls_of_any_thread_belong_to_the_account_that_is_open(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        meter = _meter(ledger)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            with ledger.account("corpus/personas", "run-1"):
                list(pool.map(lambda _: _pay(meter), range(50)))
            with ledger.account("corpus/dialogues", "run-1"):
                list(pool.map(lambda _: _pay(meter), range(30)))
        assert {line.stage: line.calls for line in ledger.spent()} == {"corpus/personas": 50, "corpus/dialogues": 30}


def test_a_call_belongs_to_the_account_in_which_it_began(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        with ledger.account("corpus/personas"):
            spending = _meter(ledger).reserve(PROMPT, 0, 0)
        spending.paid(10, 1, 0.1)
        assert _only(ledger.spent()).stage == "corpus/personas"


def test_calls_outside_of_an_account_are_booked_on_by_hand(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        with ledger.account("corpus/personas"):
            pass
        _pay(_meter(ledger))
        assert (_only(ledger.spent()).stage, _only(ledger.spent()).run) == ("by hand", "")


def test_the_account_opened_last_counts_and_the_one_before_afterwards(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        with ledger.account("outer"):
            with ledger.account("inner"):
                _pay(_meter(ledger))
            _pay(_meter(ledger))
            _pay(_meter(ledger))
        assert {line.stage: line.calls for line in ledger.spent()} == {"inner": 1, "outer": 2}


def test_an_attempt_that_was_not_answered_costs_nothing(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        _meter(ledger).reserve(PROMPT, 1000, 100).free()
        assert ledger.spent() == []


def test_answers_from_the_cache_and_events_are_counted_apart_from_calls(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger, ledger.account("scores/persona_mme", "run-1"):
        meter = _meter(ledger, "reader")
        _pay(meter)
        meter.recalled(PROMPT, 700, 70)
        meter.recalled(PROMPT, 300, 30)
        for event in ("http_429", "http_429", "reask_bad_json"):
            meter.happened(PROMPT, event)
        line = _only(ledger.spent())
        assert (line.calls, line.cached, line.prompt_tokens) == (1, 2, 1000)
        assert (line.cached_prompt_tokens, line.cached_completion_tokens) == (1000, 100)
        assert line.usd == 1000 * 2e-6 + 100 * 8e-6
        events = ledger.events()
    assert [(one.event, one.times, one.stage, one.role) for one in events] == [
        ("http_429", 2, "scores/persona_mme", "reader"),
        ("reask_bad_json", 1, "scores/persona_mme", "reader"),
    ]


def test_lines_are_found_by_stage_run_and_time(tmp_path: Path) -> None:
    clock = Clock()
    with Ledger(tmp_path / "ledger.sqlite", now=clock) as ledger:
        for stage, run in (("a", "1"), ("b", "1"), ("a", "2")):
            with ledger.account(stage, run):
                _pay(_meter(ledger))
                _meter(ledger).happened(PROMPT, "timeout")
            clock.now += 100
        assert [(line.stage, line.run) for line in ledger.spent(stage="a")] == [("a", "1"), ("a", "2")]
        assert [(line.stage, line.run) for line in ledger.spent(run="1")] == [("a", "1"), ("b", "1")]
        assert [(line.stage, line.run) for line in ledger.spent(since=NOON + 150)] == [("a", "2")]
        assert [(one.stage, one.run) for one in ledger.events("b", "1")] == [("b", "1")]
        assert ledger.spent(stage="nothing of the kind") == []


def test_small_prices_add_up_exactly(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        meter = ledger.meter("writer", IDENTITY, Price(0.075, 0.3))
        for _ in range(1000):
            _pay(meter, 1, 1)
        assert _only(ledger.spent()).usd == 0.000375


def test_a_price_that_can_be_none_is_refused() -> None:
    for prices in ((-1.0, 0.0), (0.0, float("nan")), (1e9, 0.0)):
        with pytest.raises(ValueError, match="0 to 10,000"):
            Price(*prices)


KILLED = """
import os, signal, sys
from lifeloom.models.calls.ledger import Ledger, Price
from lifeloom.models.protocol import ModelIdentity
ledger = Ledger(sys.argv[1])
with ledger.account("s", "r"):
    meter = ledger.meter("writer", ModelIdentity("openai", "m"), Price(2.0, 8.0))
    for _ in range(5):
        meter.reserve("p@1", 10, 1).paid(10, 1, 0.1)
    meter.happened("p@1", "timeout")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_no_money_is_lost_from_the_books_when_the_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    with Ledger(path) as ledger:
        assert _only(ledger.spent("s", "r")).calls == 5


def _times(path: Path) -> int:
    """Return how many events there are on disk, as another process sees them."""
    with sqlite3.connect(path) as file:
        (times,) = file.execute("SELECT coalesce(sum(times), 0) FROM events").fetchone()
    file.close()
    return int(times)


def test_events_are_on_disk_when_their_account_closes_also_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    ledger = Ledger(path)

    def stage() -> None:
        with ledger.account("s"):
            _meter(ledger).happened(PROMPT, "timeout")
            raise RuntimeError("the stage failed")

    with pytest.raises(RuntimeError, match="the stage failed"):
        stage()
    assert _times(path) == 1
    ledger.close()


def test_events_get_to_disk_by_themselves_within_a_moment(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        for _ in range(2):  # also after it has been written once
            before = _times(path)
            _meter(ledger).happened(PROMPT, "timeout")
            until = time.monotonic() + 20
            while _times(path) == before and time.monotonic() < until:
                time.sleep(0.05)
            assert _times(path) == before + 1


UNCLOSED = """
import sys
from lifeloom.models.calls.ledger import Ledger
from lifeloom.models.protocol import ModelIdentity
Ledger(sys.argv[1]).meter("writer", ModelIdentity("openai", "m")).happened("p@1", "timeout")
"""


def test_events_of_a_process_that_ends_without_closing_are_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    subprocess.run([sys.executable, "-c", UNCLOSED, str(path)], check=True, timeout=60)
    assert _times(path) == 1


PAYING = """
import concurrent.futures, sys
from lifeloom.models.calls.ledger import Ledger, Price
from lifeloom.models.protocol import ModelIdentity
with Ledger(sys.argv[1]) as ledger, ledger.account("s", "r"):
    meter = ledger.meter("writer", ModelIdentity("openai", "m"), Price(2.0, 8.0))
    def call(number):
        meter.recalled("p@1", 1, 1)
        meter.reserve("p@1", 10, 1).paid(10, 1, 0.1)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(call, range(200)))
"""


def test_processes_and_threads_that_pay_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    started = [
        subprocess.Popen([sys.executable, "-c", PAYING, str(path)], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in started:
        _, problem = process.communicate(timeout=60)
        assert process.returncode == 0, problem
    with Ledger(path) as ledger:
        line = _only(ledger.spent())
    assert (line.calls, line.cached, line.prompt_tokens) == (600, 600, 6000)


def test_payments_of_many_threads_are_each_on_disk_when_they_are_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    lock = threading.Lock()
    done = 0

    def pay(_: int) -> bool:
        nonlocal done
        _pay(meter, 10, 1)
        with lock:
            done += 1
            least = done
        with contextlib.closing(sqlite3.connect(path)) as other:
            calls, tokens, total = other.execute(
                "SELECT sum(calls), sum(prompt_tokens), (SELECT tokens FROM totals WHERE scope = 'home') FROM lines"
            ).fetchone()
            return calls >= least and (tokens, total) == (10 * calls, 11 * calls)

    with Ledger(path) as ledger, concurrent.futures.ThreadPoolExecutor(32) as pool:
        meter = _meter(ledger)
        assert all(pool.map(pay, range(400)))
        assert _only(ledger.spent()).calls == 400


def _child(ledger: Ledger) -> None:
    meter = _meter(ledger)
    _pay(meter)
    meter.happened(PROMPT, "in_the_child")
    ledger.flush()
    os._exit(0)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_books_its_own_calls_and_not_its_parents_again(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger, ledger.account("s", "r"):
        _meter(ledger).happened(PROMPT, "in_the_parent")  # not written yet when the child begins
        process = multiprocessing.get_context("fork").Process(target=_child, args=(ledger,))
        process.start()
        process.join(30)
        assert process.exitcode == 0
        _pay(_meter(ledger))
        assert _only(ledger.spent("s", "r")).calls == 2
        assert {one.event: one.times for one in ledger.events()} == {"in_the_child": 1, "in_the_parent": 1}


def test_what_could_not_be_written_is_written_later(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        _meter(ledger).happened(PROMPT, "timeout")
        with sqlite3.connect(path) as file:
            file.execute("ALTER TABLE events RENAME TO elsewhere")
        with pytest.raises(LedgerUnusable, match="cannot be used"):
            ledger.flush()
        _meter(ledger).happened(PROMPT, "timeout")
        with sqlite3.connect(path) as file:
            file.execute("ALTER TABLE elsewhere RENAME TO events")
        file.close()
        assert [(one.event, one.times) for one in ledger.events()] == [("timeout", 2)]


def test_an_estimate_replaces_the_one_before_of_its_stage(tmp_path: Path) -> None:
    first = [EstimateLine("critic", "session_critique", 5, 500, 50, 0.5), EstimateLine("writer", "w", 10, 100, 10, 1.0)]
    second = [EstimateLine("writer", "w", 20, 200, 20, 2.0)]
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        ledger.keep_estimate("corpus/dialogues/shard-000", first, profile="demo")
        ledger.keep_estimate("corpus/dialogues/shard-001", first, profile="demo")
        assert ledger.estimate("corpus/dialogues/shard-000") == first
        ledger.keep_estimate("corpus/dialogues/shard-000", second, profile="demo")
        assert ledger.estimate("corpus/dialogues/shard-000") == second
        assert ledger.estimate("corpus/dialogues/shard-001") == first
        assert ledger.estimate("corpus/personas/shard-000") == []


def test_a_file_that_is_no_ledger_is_a_typed_error_and_left_as_it_is(tmp_path: Path) -> None:
    damaged = tmp_path / "ledger.sqlite"
    damaged.write_bytes(b"not a database, but long enough to be looked at " * 100)
    with pytest.raises(LedgerCorrupt, match="move it away"):
        Ledger(damaged)
    assert damaged.read_bytes().startswith(b"not a database")
    other = tmp_path / "answers.sqlite"
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE runs (id)")
    file.close()
    with pytest.raises(LedgerUnusable, match="another program"):
        Ledger(other)
    assert issubclass(LedgerCorrupt, LedgerError)
    assert issubclass(LedgerError, ModelError)


def test_an_account_is_read_with_those_under_it_and_no_other(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        meter = ledger.meter("reader", ModelIdentity("openai", "m"))
        for stage in ("scores/mme/2026-01-05", "scores/mme/2026-01-05/rag", "scores/mme_2026", "scores/mme"):
            with ledger.account(stage, "run"):
                meter.reserve("task@1", 0, 0).paid(10, 1, 0.1)

        assert {line.stage for line in ledger.spent("scores/mme")} == {
            "scores/mme",
            "scores/mme/2026-01-05",
            "scores/mme/2026-01-05/rag",
        }
        assert [line.stage for line in ledger.spent("scores/mme/2026-01-05/rag")] == ["scores/mme/2026-01-05/rag"]
