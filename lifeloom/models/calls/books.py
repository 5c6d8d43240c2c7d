"""The ledger's file as one process writes it: payments at once, the rest in small heaps, reservations for a budget."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection

from lifeloom.models.calls.budget import Budget, Cost
from lifeloom.models.calls.entries import Account, Counted, Heading, Heap, Payment, Sums, add_lines, put_payments
from lifeloom.models.calls.ledger_tables import ADD_EVENT, LEDGER, LedgerError
from lifeloom.models.calls.sqlite_file import SqliteFile
from lifeloom.models.calls.stopping import stops_here
from lifeloom.models.protocol import BudgetExhausted
from lifeloom.store.processes import new_owner, owner_is_gone

__all__ = ["Books"]

_log = logging.getLogger(__name__)

_FLUSH_SECONDS = 1.0
_POLL_SECONDS = 0.2
"""How soon a caller that waits for room sees that another process's call has ended."""
_STALE_SECONDS = 7200.0
"""Age at which a reservation made on another host, whose processes cannot be seen from here, counts for nothing. One
made on this host counts as long as its process lives, whatever the clocks say."""


class Books:
    """Writes one ledger file. Safe to use from threads, in several processes, and after a fork.

    Args:
        path: The file.
        budget: Limits the calls for which ``hold`` is asked.
        now: Seconds since 1970.
    """

    def __init__(self, path: str | os.PathLike[str], budget: Budget, now: Callable[[], float]) -> None:
        self.budget = budget
        self.now = now
        self.file = SqliteFile(path, LEDGER)
        self._accounts: list[Account] = []
        self._begin()
        _OPEN.add(self)

    @property
    def path(self) -> Path:
        """The file."""
        return self.file.path

    def _begin(self) -> None:
        self._pid = os.getpid()
        self._owner = new_owner()
        self._lock = threading.Lock()
        self._catching_up = threading.Lock()
        self._settled = threading.Condition()
        self._settlements = 0
        self._heap = Heap()
        self._owed: list[Payment] = []
        """Payments that could not be written."""
        self._over: list[int] = []
        """Reservations of calls that have ended, which could not be removed."""
        self._timer: threading.Timer | None = None

    def _here(self) -> None:
        """Start anew after a fork: what the parent has not written is the parent's to write, its locks its own."""
        if self._pid != os.getpid():
            self._begin()

    # Accounts

    def open_account(self, account: Account) -> None:
        """Book calls on ``account`` from now on."""
        self._here()
        with self._lock:
            self._accounts.append(account)

    def close_account(self, account: Account) -> None:
        """Book calls on what was open before."""
        self._here()
        with self._lock:
            self._accounts.remove(account)

    @property
    def account(self) -> Account:
        """What calls are booked on: the account opened last."""
        accounts = self._accounts
        return accounts[-1] if accounts else Account()

    # Payments

    def pay(self, heading: Heading, sums: Sums, reservation: int | None, *, budgeted: bool) -> None:
        """Write down a paid call and let go of its reservation. On disk when this returns.

        Raises:
            LedgerError: it cannot be written; it is kept for the next time, and what it cost counts then.
        """
        self._here()
        tokens = sums.prompt_tokens + sums.completion_tokens if budgeted else 0
        payment = Payment(heading, sums, self.now(), heading.run or self._owner, tokens, reservation)
        try:
            self.file.write(put_payments, payment)
        except LedgerError:
            with self._lock:
                self._owed.append(payment)
            raise
        except BaseException:
            self._remove_later(reservation)
            raise
        finally:
            self._tell_settled()

    def _remove_later(self, reservation: int | None) -> None:
        if reservation is not None:
            with self._lock:
                self._over.append(reservation)

    def _catch_up(self) -> None:
        """Write what could not be written before.

        Raises:
            LedgerError: it still cannot.
        """
        if not self._owed and not self._over:
            return
        with self._catching_up:
            with self._lock:
                owed, over = list(self._owed), list(self._over)
            with self.file.transaction() as connection:
                if owed:
                    put_payments(connection, owed)
                # Numbers are given out again: one that is gone already may be another process's by now.
                ours = [(one, self._owner) for one in over]
                connection.executemany("DELETE FROM reservations WHERE id = ? AND owner = ?", ours)
            with self._lock:
                del self._owed[: len(owed)]
                del self._over[: len(over)]

    def hold(self, heading: Heading, call: Cost) -> int:
        """Reserve room for a call and return the reservation; wait where calls under way may leave some.

        Raises:
            BudgetExhausted: there is no room, and will be none.
            CallStopped: the batch of the waiting call is over.
            LedgerError: the ledger cannot be written.
        """
        self._here()
        run = heading.run or self._owner
        while True:
            self._catch_up()
            settlements = self._settlements
            now = self.now()
            with self.file.transaction() as connection:
                spent = _total(connection, self.budget.scope(now, run))
                held = self._held(connection, run)
                if not self.budget.has_room(spent + held, call) and self._drop_dead(connection, now):
                    held = self._held(connection, run)
                if self.budget.has_room(spent + held, call):
                    reserved = connection.execute(
                        "INSERT INTO reservations (owner, run, tokens, picodollars, made_at) VALUES (?, ?, ?, ?, ?)",
                        (self._owner, run, call.tokens, call.picodollars, now),
                    )
                    return int(reserved.lastrowid or 0)
                own = connection.execute("SELECT 1 FROM reservations WHERE owner = ?", (self._owner,)).fetchone()
            # Our own calls end by themselves: none under way waits for room. Those of another process may be many
            # minutes from their end, so that nobody waits for them alone.
            if own is None or not self.budget.has_room(spent, call):
                who = f"{heading.role} ({heading.backend}/{heading.model})"
                raise BudgetExhausted(self.budget.exhausted(who, spent, held, call))
            for stop in stops_here():
                stop.check()
            with self._settled:
                if self._settlements == settlements:
                    self._settled.wait(_POLL_SECONDS)

    def let_go(self, reservation: int) -> None:
        """Give back the room of a call that cost nothing; where the file cannot be written, with what is written next.

        Never fails: it is called while the call's own error is on its way.
        """
        self._here()
        try:
            with self.file.connection() as connection:
                connection.execute("DELETE FROM reservations WHERE id = ?", (reservation,))
        except LedgerError as error:
            self._remove_later(reservation)
            _log.warning("%s", error)
        finally:
            self._tell_settled()

    def _tell_settled(self) -> None:
        with self._settled:
            self._settlements += 1
            self._settled.notify_all()

    def _held(self, connection: Connection, run: str) -> Cost:
        where, values = ("WHERE run = ?", (run,)) if self.budget.period == "run" else ("", ())
        row = connection.execute(
            f"SELECT coalesce(sum(tokens), 0), coalesce(sum(picodollars), 0) FROM reservations {where}",  # noqa: S608
            values,
        ).fetchone()
        return Cost(*row)

    def _drop_dead(self, connection: Connection, now: float) -> int:
        """Remove reservations of processes that have ended, as far as that can be seen; return how many had some."""
        here = _host_of(self._owner)
        rows = connection.execute("SELECT owner, max(made_at) FROM reservations GROUP BY owner").fetchall()
        dead = [
            (owner,)
            for owner, made_at in rows
            if owner_is_gone(owner) or (_host_of(owner) != here and made_at < now - _STALE_SECONDS)
        ]
        connection.executemany("DELETE FROM reservations WHERE owner = ?", dead)
        return len(dead)

    # What need not be on disk at once

    def note_call(self, heading: Heading, sums: Sums) -> None:
        """Add what cost nothing: an answer from a cache, or one made on this machine."""
        self._here()
        now = self.now()
        with self._lock:
            found = self._heap.lines.get(heading)
            if found is None:
                found = self._heap.lines[heading] = (Sums(), Counted(0, now, now))
            found[0].add(sums)
            found[1].last = now
            self._flush_soon()

    def note_event(self, heading: Heading, event: str) -> None:
        """Count that something happened."""
        self._here()
        now = self.now()
        with self._lock:
            counted = self._heap.events.get((heading, event))
            if counted is None:
                counted = self._heap.events[heading, event] = Counted(0, now, now)
            counted.times += 1
            counted.last = now
            self._flush_soon()

    def _flush_soon(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(_FLUSH_SECONDS, self._flush_later)
            self._timer.daemon = True
            self._timer.start()

    def _flush_later(self) -> None:
        try:
            self.flush()
        except LedgerError as error:
            # What could not be written is still there: whoever closes the account meets the error.
            _log.warning("%s", error)

    def flush(self) -> None:
        """Write what was noted.

        Raises:
            LedgerError: it cannot be written; it is kept for the next time.
        """
        self._here()
        with self._lock:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        self._catch_up()
        with self._lock:
            heap, self._heap = self._heap, Heap()
        if not heap.lines and not heap.events:
            return
        try:
            with self.file.transaction() as connection:
                add_lines(connection, heap.lines)
                connection.executemany(
                    ADD_EVENT, [(*k.key, event, n.times, n.first, n.last) for (k, event), n in heap.events.items()]
                )
        except LedgerError:
            with self._lock:
                self._heap.add(heap)
            raise

    def close(self) -> None:
        """Write what was noted and close the file. Closing twice is fine."""
        if not self.file.closed:
            try:
                self.flush()
            finally:
                self.file.close()


def _host_of(owner: str) -> str:
    return owner.partition(".")[0]


def _total(connection: Connection, scope: str) -> Cost:
    row = connection.execute("SELECT tokens, picodollars FROM totals WHERE scope = ?", (scope,)).fetchone()
    return Cost() if row is None else Cost(*row)


_OPEN: weakref.WeakSet[Books] = weakref.WeakSet()


@atexit.register
def _flush_at_exit() -> None:
    for books in list(_OPEN):
        if not books.file.closed:
            try:
                books.flush()
            except LedgerError as error:
                _log.warning("%s", error)
