"""What calls to models cost: a record by run, stage, role, model and prompt, and the budget that bounds it.

The record is no cache: it lies beside the data of a home, and deleting caches does not touch it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lifeloom.models.calls.books import Books
from lifeloom.models.calls.budget import Budget, Cost
from lifeloom.models.calls.entries import Account, Heading, Sums
from lifeloom.models.calls.ledger_tables import LedgerCorrupt, LedgerError, LedgerUnusable
from lifeloom.models.calls.metering import Spending
from lifeloom.models.calls.prices import PICODOLLARS, Price, picodollars
from lifeloom.models.protocol import ModelIdentity

__all__ = [
    "Budget",
    "EstimateLine",
    "Ledger",
    "LedgerCorrupt",
    "LedgerError",
    "LedgerEvent",
    "LedgerLine",
    "LedgerMeter",
    "LedgerUnusable",
    "Price",
]

_USD = f"picodollars * 1.0 / {PICODOLLARS}"


@dataclass(frozen=True)
class LedgerLine:
    """What one model did in one role for one kind of prompt, in one stage of one run."""

    run: str
    stage: str
    role: str
    backend: str
    model: str
    prompt_version: str
    calls: int
    """Answers paid for, or made on this machine; attempts that failed are events."""
    cached: int
    """Answers from the cache."""
    prompt_tokens: int
    completion_tokens: int
    """Of the calls."""
    cached_prompt_tokens: int
    cached_completion_tokens: int
    """Of the answers from the cache, as paid the first time."""
    usd: float
    seconds: float
    """Sum over the calls; those under way together count each."""
    first: float
    last: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class LedgerEvent:
    """How often something happened on such a line."""

    run: str
    stage: str
    role: str
    backend: str
    model: str
    prompt_version: str
    event: str
    """``http_429``, ``timeout``, ``reask_bad_json``, ``rejected_refusal``, ``repaired``..."""
    times: int
    first: float
    last: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class EstimateLine:
    """What a stage's calls of one role for one task will cost, as estimated before."""

    role: str
    task: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float


class Ledger:
    """The record in one file, made when it is not there. Safe to use from threads, processes and after a fork.

    Args:
        path: The SQLite file.
        budget: The hard limit; None: none.
        now: Seconds since 1970.

    Raises:
        LedgerCorrupt: The file is damaged or no SQLite file.
        LedgerUnusable: It cannot be opened or written, or is another program's or version's database.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        budget: Budget | None = None,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._books = Books(path, budget or Budget(), now)

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r})"

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._books.path

    @property
    def budget(self) -> Budget:
        """The limit in force."""
        return self._books.budget

    def close(self) -> None:
        """Write everything and close the file. Closing twice is fine; using it afterwards is not."""
        self._books.close()

    @contextmanager
    def account(self, stage: str, run: str = "") -> Iterator[None]:
        """Book all calls of this process that begin inside, from any thread, on ``stage`` and ``run``.

        Of accounts open at once the one opened last counts. Calls outside of any are booked on ``by hand``.

        Raises:
            LedgerError: at the end, what was counted could not be written.
        """
        account = Account(run, stage)
        self._books.open_account(account)
        try:
            yield
        finally:
            self._books.close_account(account)
            self._books.flush()

    def meter(
        self, role: str, identity: ModelIdentity, price: Price | None = None, *, budgeted: bool = True
    ) -> LedgerMeter:
        """Return what a model in ``role`` tells its calls.

        Args:
            role: ``writer``, ``reader``...
            identity: Of the model.
            price: Of its tokens; None: free.
            budgeted: Whether its tokens count towards a budget of tokens.
        """
        return LedgerMeter(self._books, role, identity, price or Price(), budgeted=budgeted)

    def flush(self) -> None:
        """Write what is counted but not yet written.

        Raises:
            LedgerError: it cannot be written; it is kept for the next time.
        """
        self._books.flush()

    def spent(self, stage: str | None = None, run: str | None = None, since: float | None = None) -> list[LedgerLine]:
        """Return the lines, by stage, run, role, model and prompt.

        Args:
            stage: Only this account and those under it (``scores/persona_mme`` has one a date); None: all.
            run: Only this run; None: all.
            since: Only lines with a call at this time (seconds since 1970) or later.
        """
        columns = (
            "run, stage, role, backend, model, prompt_version, calls, cached, prompt_tokens, completion_tokens, "
            f"cached_prompt_tokens, cached_completion_tokens, {_USD}, seconds, first, last"
        )
        return [LedgerLine(*row) for row in self._rows("lines", columns, stage, run, since)]

    def events(self, stage: str | None = None, run: str | None = None, since: float | None = None) -> list[LedgerEvent]:
        """Return what happened, how often, in the order of ``spent``; the same filters."""
        columns = "run, stage, role, backend, model, prompt_version, event, times, first, last"
        return [LedgerEvent(*row) for row in self._rows("events", columns, stage, run, since)]

    def keep_estimate(self, stage: str, lines: Sequence[EstimateLine], *, profile: str) -> None:
        """Keep what ``stage`` will cost, in place of what was estimated before.

        Args:
            stage: As calls are booked on it.
            lines: By role and task; none where it will cost nothing.
            profile: Name of the profile that it was made for.
        """
        now = self._books.now()
        with self._books.file.transaction() as connection:
            connection.execute("DELETE FROM estimates WHERE stage = ?", (stage,))
            connection.executemany(
                "INSERT INTO estimates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        *(stage, line.role, line.task, now, profile),
                        *(line.calls, line.prompt_tokens, line.completion_tokens, picodollars(line.usd)),
                    )
                    for line in lines
                ],
            )

    def estimate(self, stage: str) -> list[EstimateLine]:
        """Return what was estimated last, by role and task; empty where nothing was."""
        with self._books.file.connection() as connection:
            rows = connection.execute(
                f"SELECT role, task, calls, prompt_tokens, completion_tokens, {_USD} FROM estimates "  # noqa: S608
                "WHERE stage = ? ORDER BY role, task",
                (stage,),
            ).fetchall()
        return [EstimateLine(*row) for row in rows]

    def _rows(
        self, table: str, columns: str, stage: str | None, run: str | None, since: float | None
    ) -> list[tuple[Any, ...]]:
        self._books.flush()
        with self._books.file.connection() as connection:
            return connection.execute(
                f"SELECT {columns} FROM {table} WHERE (:stage IS NULL OR stage = :stage OR "  # noqa: S608 - constants
                "substr(stage, 1, length(:stage) + 1) = :stage || '/') "
                "AND (:run IS NULL OR run = :run) AND (:since IS NULL OR last >= :since) "
                "ORDER BY stage, run, role, backend, model, prompt_version",
                {"stage": stage, "run": run, "since": since},
            ).fetchall()


class LedgerMeter:
    """A ``Meter`` that books on a ledger; ``Ledger.meter`` makes it. Safe to use from threads."""

    def __init__(self, books: Books, role: str, identity: ModelIdentity, price: Price, *, budgeted: bool) -> None:
        self._books = books
        self._role = role
        self._identity = identity
        self._price = price
        self._budgeted = budgeted
        budget = books.budget
        self._limited = bool((budget.usd and not price.is_free) or (budget.tokens and budgeted))

    @property
    def wants_estimates(self) -> bool:
        """Whether a budget bounds this model's calls."""
        return self._limited

    def reserve(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> Spending:
        """Return room for one call, waiting for calls of this process that are under way.

        Args:
            prompt_version: Of the task.
            prompt_tokens: The most that the prompt should have.
            completion_tokens: The most that the answer may have.

        Raises:
            BudgetExhausted: there is none.
            LedgerError: the ledger cannot be used.
        """
        heading = self._heading(prompt_version)
        if not self._limited:
            return _Spending(self._books, heading, self._price, None, budgeted=self._budgeted)
        tokens = prompt_tokens + completion_tokens if self._budgeted else 0
        most = Cost(tokens, self._price.of(prompt_tokens, completion_tokens))
        reservation = self._books.hold(heading, most)
        return _Spending(self._books, heading, self._price, reservation, budgeted=self._budgeted)

    def recalled(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> None:
        """Count an answer from the cache; the tokens are those paid the first time."""
        sums = Sums(cached=1, cached_prompt_tokens=prompt_tokens, cached_completion_tokens=completion_tokens)
        self._books.note_call(self._heading(prompt_version), sums)

    def counted(self, prompt_version: str, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        """Count a call that was answered on this machine and costs nothing."""
        sums = Sums(calls=1, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, seconds=seconds)
        self._books.note_call(self._heading(prompt_version), sums)

    def happened(self, prompt_version: str, event: str) -> None:
        """Count an event."""
        self._books.note_event(self._heading(prompt_version), event)

    def _heading(self, prompt_version: str) -> Heading:
        account = self._books.account
        return Heading(
            account.run, account.stage, self._role, self._identity.backend, self._identity.model, prompt_version
        )


class _Spending:
    """One call on its way."""

    def __init__(
        self, books: Books, heading: Heading, price: Price, reservation: int | None, *, budgeted: bool
    ) -> None:
        self._books = books
        self._heading = heading
        self._price = price
        self._reservation = reservation
        self._budgeted = budgeted

    def paid(self, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        """Book the call, and give back the room whatever happens.

        Raises:
            LedgerError: it cannot be written now; it is kept, and written before the next call is made.
        """
        sums = Sums(
            calls=1,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            picodollars=self._price.of(prompt_tokens, completion_tokens),
            seconds=seconds,
        )
        self._books.pay(self._heading, sums, self._reservation, budgeted=self._budgeted)

    def free(self) -> None:
        """Give back the room."""
        if self._reservation is not None:
            self._books.let_go(self._reservation)
