"""What is written into the ledger: lines, events and payments, gathered before they go to the file."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from sqlite3 import Connection

from lifeloom.models.calls.budget import Cost, day_of
from lifeloom.models.calls.ledger_tables import ADD_LINE, SUMS, add_totals

__all__ = ["Account", "Counted", "Heading", "Heap", "Payment", "Sums", "add_lines", "put_payments"]


@dataclass(frozen=True)
class Account:
    """What calls are booked on."""

    run: str = ""
    stage: str = "by hand"


@dataclass(frozen=True)
class Heading:
    """What a line of the ledger is about."""

    run: str
    stage: str
    role: str
    backend: str
    model: str
    prompt_version: str

    @property
    def key(self) -> tuple[str, ...]:
        """The columns, in the order of the table."""
        return (self.run, self.stage, self.role, self.backend, self.model, self.prompt_version)


_COLUMNS = operator.attrgetter(*SUMS)


@dataclass
class Sums:
    """What is added to a line; the names of its columns."""

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_prompt_tokens: int = 0
    cached_completion_tokens: int = 0
    picodollars: int = 0
    seconds: float = 0.0

    def add(self, other: Sums) -> None:
        """Add ``other``."""
        self.calls += other.calls
        self.cached += other.cached
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        self.cached_prompt_tokens += other.cached_prompt_tokens
        self.cached_completion_tokens += other.cached_completion_tokens
        self.picodollars += other.picodollars
        self.seconds += other.seconds

    @property
    def values(self) -> tuple[float, ...]:
        """The columns, in the order of the table."""
        return _COLUMNS(self)


@dataclass
class Counted:
    """How often something happened, from when to when."""

    times: int
    first: float
    last: float

    def add(self, other: Counted) -> None:
        """Add ``other``."""
        self.times += other.times
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)


@dataclass
class Heap:
    """What is not written yet."""

    lines: dict[Heading, tuple[Sums, Counted]] = field(default_factory=dict)
    events: dict[tuple[Heading, str], Counted] = field(default_factory=dict)

    def add(self, other: Heap) -> None:
        """Add ``other``."""
        for heading, (sums, when) in other.lines.items():
            own, own_when = self.lines.setdefault(heading, (Sums(), Counted(0, when.first, when.last)))
            own.add(sums)
            own_when.add(when)
        for place, counted in other.events.items():
            if place in self.events:
                self.events[place].add(counted)
            else:
                self.events[place] = counted


@dataclass(frozen=True)
class Payment:
    """A call that was paid for."""

    heading: Heading
    sums: Sums
    at: float
    """Seconds since 1970."""
    run: str
    """What it counts towards, where a budget is for a run."""
    tokens: int
    """That count towards a budget of tokens."""
    reservation: int | None


def put_payments(connection: Connection, payments: Sequence[Payment]) -> None:
    """Write payments down, and remove their reservations. Needs a transaction, undone if this fails."""
    lines: dict[Heading, tuple[Sums, Counted]] = {}
    totals: dict[str, Cost] = {}
    for payment in payments:
        at, line = payment.at, lines.get(payment.heading)
        if line is None:
            # A copy: when the transaction fails, each payment is tried again as it was.
            lines[payment.heading] = replace(payment.sums), Counted(1, at, at)
        else:
            line[0].add(payment.sums)
            line[1].add(Counted(1, at, at))
        cost = Cost(payment.tokens, payment.sums.picodollars)
        if cost.tokens or cost.picodollars:
            for scope in ("home", f"day {day_of(at)}", f"run {payment.run}"):
                totals[scope] = totals[scope] + cost if scope in totals else cost
    add_lines(connection, lines)
    if totals:
        rows = [(scope, cost.tokens, cost.picodollars) for scope, cost in totals.items()]
        connection.execute(add_totals(len(rows)), [value for row in rows for value in row])
    reservations = [(one.reservation,) for one in payments if one.reservation is not None]
    if reservations:
        connection.executemany("DELETE FROM reservations WHERE id = ?", reservations)


def add_lines(connection: Connection, lines: Mapping[Heading, tuple[Sums, Counted]]) -> None:
    """Add to the lines of the file."""
    connection.executemany(
        ADD_LINE, [(*heading.key, *sums.values, when.first, when.last) for heading, (sums, when) in lines.items()]
    )
