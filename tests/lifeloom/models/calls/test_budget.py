"""The hard budget: it is never overshot while estimates hold, and everybody it stops is told."""

from __future__ import annotations

import concurrent.futures
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.models.calls.ledger import Budget, Ledger, LedgerMeter, LedgerUnusable, Price
from lifeloom.models.calls.stopping import CallStopped, Stop, stoppable
from lifeloom.models.protocol import BudgetExhausted, ModelIdentity
from lifeloom.store.processes import new_owner

NOON = 1_767_614_400.0
DAY = 86_400.0
PROMPT = "session_writing@1+00000000"


class Clock:
    """Seconds since 1970 that stand until they are moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


def _meter(ledger: Ledger, price: float = 1.0) -> LedgerMeter:
    """A model whose million tokens cost ``price`` USD, of prompts and answers alike."""
    return ledger.meter("writer", ModelIdentity("openai", "m"), Price(price, price))


def _call(meter: LedgerMeter, tokens: int = 1000, used: int | None = None) -> None:
    meter.reserve(PROMPT, tokens // 2, tokens - tokens // 2).paid(tokens if used is None else used, 0, 0.1)


def _made(call: Callable[[], None]) -> int:
    """Return how many calls go through before the budget stops them."""
    for number in range(10_000):
        try:
            call()
        except BudgetExhausted:
            return number
    return 10_000


def test_without_a_budget_nothing_is_stopped_and_no_estimates_are_wanted(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        meter = _meter(ledger, 1000.0)
        assert not meter.wants_estimates
        _call(meter, 1_000_000_000)


def test_calls_go_through_until_the_money_is_spent(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(usd=0.01)) as ledger:
        meter = _meter(ledger)
        assert meter.wants_estimates
        assert _made(lambda: _call(meter, 1000)) == 10
        assert sum(line.usd for line in ledger.spent()) == 0.01


def test_calls_go_through_until_the_tokens_are_spent(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=5500)) as ledger:
        assert _made(lambda: _call(_meter(ledger, 0.0), 1000)) == 5


def test_the_error_says_what_was_spent_what_the_call_may_cost_and_what_to_raise(tmp_path: Path) -> None:
    with Ledger(tmp_path / "money.sqlite", Budget(usd=2.5)) as ledger:
        _call(_meter(ledger), 2_000_000)
        with pytest.raises(BudgetExhausted) as caught:
            _call(_meter(ledger), 750_000)
    for part in ("2.50 USD", "2.00 USD", "0.75 USD", "writer (openai/m)", "LIFELOOM_BUDGET__USD", "is kept"):
        assert part in str(caught.value)
    with Ledger(tmp_path / "tokens.sqlite", Budget(tokens=2500)) as ledger:
        _call(_meter(ledger), 2000)
        with pytest.raises(
            BudgetExhausted, match=r"2,500 tokens.* 2,000 tokens .*1,000 tokens.*LIFELOOM_BUDGET__TOKENS"
        ):
            _call(_meter(ledger), 1000)


def test_a_free_model_is_never_stopped_by_money(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(usd=0.001)) as ledger:
        assert _made(lambda: _call(_meter(ledger), 1000)) == 1
        free = _meter(ledger, 0.0)
        assert not free.wants_estimates
        _call(free, 1_000_000)


def test_a_model_outside_the_budget_is_not_stopped_by_tokens_and_takes_none(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=1000)) as ledger:
        own = ledger.meter("reader", ModelIdentity("huggingface", "m"), budgeted=False)
        _call(own, 1_000_000)
        own.counted(PROMPT, 1_000_000, 0, 1.0)
        _call(_meter(ledger), 1000)


def test_what_was_spent_without_a_budget_counts_once_there_is_one(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        _call(_meter(ledger), 9000)
    with Ledger(path, Budget(usd=0.01)) as ledger:
        assert _made(lambda: _call(_meter(ledger), 1000)) == 1


def test_a_call_that_was_not_answered_gives_its_room_back(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(usd=0.001)) as ledger:
        for _ in range(5):
            _meter(ledger).reserve(PROMPT, 500, 500).free()
        _call(_meter(ledger), 1000)


@pytest.mark.parametrize(("period", "next_day", "next_run"), [("home", 0, 0), ("day", 5, 0), ("run", 0, 5)])
def test_a_period_ends_when_it_should(
    tmp_path: Path, period: Literal["home", "day", "run"], next_day: int, next_run: int
) -> None:
    clock = Clock()
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=5000, period=period), now=clock) as ledger:

        def made(run: str) -> int:
            with ledger.account("s", run):
                return _made(lambda: _call(_meter(ledger), 1000))

        assert made("first") == 5
        assert made("first") == 0
        clock.now += DAY
        assert made("first") == next_day
        assert made("second") == next_run


def test_a_caller_waits_for_a_call_under_way_and_takes_the_room_that_it_leaves(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=1000)) as ledger:
        under_way = _meter(ledger).reserve(PROMPT, 500, 500)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(_call, _meter(ledger), 600)
            time.sleep(0.1)
            assert not waiting.done()
            under_way.paid(300, 100, 0.1)  # less than it might have
            waiting.result(timeout=30)


def test_a_caller_stops_waiting_when_its_batch_is_over(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=1000)) as ledger:
        under_way = _meter(ledger).reserve(PROMPT, 500, 500)
        stop = Stop()

        def work() -> None:
            with stoppable(stop):
                _call(_meter(ledger), 600)

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(work)
            time.sleep(0.05)
            stop.throw(RuntimeError("another call failed"))
            with pytest.raises(CallStopped):
                waiting.result(timeout=30)
        under_way.free()
        _call(_meter(ledger), 1000)  # nothing is held for who gave up


def test_a_call_that_no_end_of_others_can_make_room_for_is_refused_at_once(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=1000)) as ledger:
        under_way = _meter(ledger).reserve(PROMPT, 50, 50)
        with pytest.raises(BudgetExhausted):
            _call(_meter(ledger), 1001)
        under_way.free()


def test_a_pool_of_threads_ends_soon_once_the_budget_is_spent_and_all_are_told(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=10_000)) as ledger:
        meter = _meter(ledger)

        def work(_: int) -> bool:
            try:
                spending = meter.reserve(PROMPT, 500, 500)
            except BudgetExhausted:
                return False
            time.sleep(0.01)
            spending.paid(500, 400, 0.01)
            return True

        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            outcomes = [outcome.result(timeout=60) for outcome in [pool.submit(work, number) for number in range(256)]]
        assert sum(outcomes) == 11  # 10 at the full estimate would be the least; what they leave makes room
        assert sum(line.prompt_tokens + line.completion_tokens for line in ledger.spent()) <= 10_000


@settings(max_examples=25, deadline=None)
@given(
    budget=st.integers(1, 5000),
    calls=st.lists(st.tuples(st.integers(0, 900), st.floats(0, 1), st.booleans()), min_size=1, max_size=60),
    by_money=st.booleans(),
)
def test_threads_never_overshoot_together(budget: int, calls: list[tuple[int, float, bool]], by_money: bool) -> None:
    limit = Budget(usd=budget / 1_000_000) if by_money else Budget(tokens=budget)
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "ledger.sqlite", limit) as ledger:
        meter = _meter(ledger)
        lock = threading.Lock()
        spent = 0

        def work(call: tuple[int, float, bool]) -> None:
            nonlocal spent
            tokens, share, answered = call
            try:
                spending = meter.reserve(PROMPT, tokens, 0)
            except BudgetExhausted:
                return
            if not answered:
                spending.free()
                return
            used = int(tokens * share)
            with lock:
                spent += used
            spending.paid(used, 0, 0.0)

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(work, calls))
        assert spent <= budget
        assert sum(line.prompt_tokens for line in ledger.spent()) == spent
        # Nothing is under way: what fits must go through.
        _call(meter, budget - spent)


PAYING = """
import concurrent.futures, random, sys, time
from lifeloom.models.calls.ledger import Budget, Ledger, Price
from lifeloom.models.protocol import BudgetExhausted, ModelIdentity
rng = random.Random(int(sys.argv[2]))
with Ledger(sys.argv[1], Budget(tokens=100_000)) as ledger:
    meter = ledger.meter("writer", ModelIdentity("openai", "m"), Price(1.0, 1.0))
    print("ready", flush=True)
    sys.stdin.readline()
    def call(most):
        try:
            spending = meter.reserve("p@1", most, 0)
        except BudgetExhausted:
            return
        time.sleep(0.002)
        spending.paid(rng.randint(most // 2, most), 0, 0.0)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(call, [rng.randint(1, 2000) for _ in range(300)]))
"""


def test_processes_never_overshoot_together(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PAYING, str(path), str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in (1, 2)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        _, problem = process.communicate("go\n", timeout=120)
        assert process.returncode == 0, problem
    with Ledger(path) as ledger:
        spent = sum(line.prompt_tokens for line in ledger.spent())
    assert 95_000 < spent <= 100_000  # used up, not overshot


HOLDING = """
import sys
from lifeloom.models.calls.ledger import Budget, Ledger
from lifeloom.models.protocol import ModelIdentity
ledger = Ledger(sys.argv[1], Budget(tokens=1000))
ledger.meter("writer", ModelIdentity("openai", "m")).reserve("p@1", 900, 0)
print("held", flush=True)
sys.stdin.readline()
"""


def test_room_held_by_a_process_counts_while_it_lives_and_is_free_when_it_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with Ledger(path, Budget(tokens=1000)) as ledger:
            _call(_meter(ledger), 100)
            with pytest.raises(BudgetExhausted, match="900 tokens may go to calls of another process"):
                _call(_meter(ledger), 100)
            holder.kill()
            holder.wait(timeout=30)
            _call(_meter(ledger), 900)
    finally:
        holder.kill()
        holder.communicate()


@pytest.mark.parametrize(("host", "counts"), [("", True), ("elsewhere", False)])
def test_only_reservations_of_other_hosts_are_dropped_for_their_age(tmp_path: Path, host: str, counts: bool) -> None:
    path, clock = tmp_path / "ledger.sqlite", Clock()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as living:
        owner = f"{host or new_owner().split('.')[0]}.{living.pid}.0.{'0' * 32}"
        with Ledger(path, Budget(tokens=1000), now=clock) as ledger:
            with closing(sqlite3.connect(path)) as other:
                other.execute(
                    "INSERT INTO reservations (owner, run, tokens, picodollars, made_at) VALUES (?, '', 900, 0, ?)",
                    (owner, NOON),
                )
                other.commit()
            with pytest.raises(BudgetExhausted, match="another process"):
                _call(_meter(ledger), 900)
            clock.now += 30 * DAY  # a long call, or a clock that was set
            assert _made(lambda: _call(_meter(ledger), 900)) == (0 if counts else 1)
        living.communicate(b"\n")


def test_our_own_call_holds_its_room_however_the_clock_jumps(tmp_path: Path) -> None:
    clock = Clock()
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=1000), now=clock) as ledger:
        under_way = _meter(ledger).reserve(PROMPT, 900, 0)
        clock.now += 30 * DAY
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(_call, _meter(ledger), 900)
            time.sleep(0.3)
            assert not waiting.done()
            under_way.paid(100, 0, 0.1)
            waiting.result(timeout=30)


def _break(path: Path) -> None:
    """Have the file refuse what is written when a call ends, as a full disk does."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TRIGGER full BEFORE INSERT ON lines BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        other.execute("CREATE TRIGGER kept BEFORE DELETE ON reservations BEGIN SELECT RAISE(ABORT, 'is full'); END")
        other.commit()


def _mend(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.executescript("DROP TRIGGER full; DROP TRIGGER kept;")


def test_a_payment_that_cannot_be_written_is_told_kept_and_holds_no_room_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path, Budget(tokens=2000)) as ledger:
        spending = _meter(ledger).reserve(PROMPT, 1500, 0)
        _break(path)
        with pytest.raises(LedgerUnusable, match="disk is full"):
            spending.paid(400, 0, 0.1)
        with pytest.raises(LedgerUnusable, match="disk is full"):  # at once: nothing is waited for
            _meter(ledger).reserve(PROMPT, 1500, 0)
        _mend(path)
        _call(_meter(ledger), 1600)
        assert _made(lambda: _call(_meter(ledger), 1)) == 0
        assert sum(line.prompt_tokens for line in ledger.spent()) == 2000
        assert sum(line.calls for line in ledger.spent()) == 2


def test_what_could_not_be_written_is_written_when_the_ledger_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path, Budget(tokens=2000)) as ledger:
        spending = _meter(ledger).reserve(PROMPT, 1500, 0)
        _break(path)
        with pytest.raises(LedgerUnusable):
            spending.paid(400, 0, 0.1)
        _mend(path)
    with Ledger(path, Budget(tokens=2000)) as ledger:
        assert sum(line.prompt_tokens for line in ledger.spent()) == 400
        _call(_meter(ledger), 1600)


def test_room_that_cannot_be_given_back_at_once_is_given_back_later(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path, Budget(tokens=1000)) as ledger:
        spending = _meter(ledger).reserve(PROMPT, 900, 0)
        _break(path)
        spending.free()  # the call's own error is what is told
        _mend(path)
        _call(_meter(ledger), 1000)


def test_a_sum_that_no_file_takes_leaves_no_room_held(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(tokens=1000)) as ledger:
        spending = _meter(ledger).reserve(PROMPT, 900, 0)
        with pytest.raises(OverflowError):
            spending.paid(10**25, 0, 0.1)
        _call(_meter(ledger), 1000)


def test_limits_below_nothing_are_refused() -> None:
    for usd, tokens in ((-1.0, 0), (0.0, -1), (float("inf"), 0)):
        with pytest.raises(ValueError, match="0 \\(no limit\\) or more"):
            Budget(usd, tokens)


def test_random_costs_add_up_to_what_a_plain_sum_says(tmp_path: Path) -> None:
    rng = random.Random(7)
    tokens = [rng.randint(1, 5000) for _ in range(200)]
    fits = 0
    for one in tokens:
        fits += one if fits + one <= 250_000 else 0
    with Ledger(tmp_path / "ledger.sqlite", Budget(usd=0.25)) as ledger:
        for one in tokens:
            _made_once(lambda one=one: _call(_meter(ledger), one))  # type: ignore[misc]
        assert sum(line.prompt_tokens for line in ledger.spent()) == fits


def _made_once(call: Callable[[], None]) -> None:
    try:
        call()
    except BudgetExhausted:
        return
