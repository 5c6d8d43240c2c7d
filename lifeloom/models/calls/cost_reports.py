"""What a stage's calls to models took, beside what was estimated before: for pages, tables and trackers."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lifeloom.models.calls.ledger import EstimateLine, Ledger, LedgerEvent, LedgerLine

__all__ = [
    "NO_PRICE",
    "SERVED",
    "CostRow",
    "cost_metadata",
    "cost_metrics",
    "cost_rows",
    "counted_text",
    "happenings",
    "usd_text",
]

SERVED = ("openai", "gemini")
"""Backends that ask a server, which as a rule takes money."""

NO_PRICE = "no price"
"""What stands for a cost that is not known, since the profile has no price."""

_DIGITS = 6
"""Of US dollars on an asset's page, after the point."""


@dataclass
class CostRow:
    """What one model did in one role for one task."""

    role: str
    task: str
    model: str
    """``backend/model``; empty where the row is only estimated."""
    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0
    events: collections.Counter[str] = field(default_factory=collections.Counter)
    estimate: EstimateLine | None = None

    @property
    def unpriced(self) -> bool:
        """Whether a server was asked and the profile had no price for it."""
        return bool(self.calls and not self.usd and self.model.partition("/")[0] in SERVED)

    @property
    def cost_text(self) -> str:
        """The cost as people read it."""
        return NO_PRICE if self.unpriced else usd_text(self.usd)


def cost_rows(
    lines: Iterable[LedgerLine], events: Iterable[LedgerEvent], estimates: Iterable[EstimateLine] = ()
) -> list[CostRow]:
    """Return one row a role, task and model, in that order; an estimate stands at the first row of its role and task.

    Args:
        lines: From ``Ledger.spent``.
        events: From ``Ledger.events``.
        estimates: From ``Ledger.estimate``.
    """
    rows: dict[tuple[str, str, str], CostRow] = {}

    def row(role: str, prompt_version: str, backend: str, model: str) -> CostRow:
        key = (role, prompt_version.partition("@")[0], f"{backend}/{model}")
        return rows.setdefault(key, CostRow(*key))

    for line in lines:
        own = row(line.role, line.prompt_version, line.backend, line.model)
        own.calls += line.calls
        own.cached += line.cached
        own.prompt_tokens += line.prompt_tokens
        own.completion_tokens += line.completion_tokens
        own.usd += line.usd
        own.seconds += line.seconds
    for event in events:
        row(event.role, event.prompt_version, event.backend, event.model).events[event.event] += event.times
    for estimate in estimates:
        place = (estimate.role, estimate.task)
        own = next((rows[key] for key in sorted(rows) if key[:2] == place), CostRow(*place, ""))
        rows[own.role, own.task, own.model] = own
        own.estimate = estimate
    return [rows[key] for key in sorted(rows)]


def happenings(rows: Sequence[CostRow]) -> dict[str, int]:
    """Return how often what happened, over all rows, by name."""
    total: collections.Counter[str] = collections.Counter()
    for row in rows:
        total.update(row.events)
    return dict(sorted(total.items()))


def cost_metadata(ledger: Ledger, stage: str, run: str) -> Mapping[str, Any]:
    """Return what ``stage`` took as named values for its page; texts with line breaks are Markdown.

    Calls, tokens and cost are those of ``run``; beside them, "so far", those of all runs. The table by model and task
    and what happened to calls are over all runs, so that a run that reuses everything does not hide what was paid.

    Args:
        ledger: Where the calls are booked.
        stage: As they are booked.
        run: Which run.

    Raises:
        LedgerError: the ledger cannot be read.
    """
    estimates = ledger.estimate(stage)
    rows = cost_rows(ledger.spent(stage), ledger.events(stage), estimates)
    own = ledger.spent(stage, run)
    metadata: dict[str, Any] = {
        "model calls": sum(line.calls for line in own),
        "model calls so far": sum(row.calls for row in rows),
        "answers from the cache": sum(line.cached for line in own),
        "prompt tokens": sum(line.prompt_tokens for line in own),
        "answer tokens": sum(line.completion_tokens for line in own),
        "cost in USD": round(sum(line.usd for line in own), _DIGITS),
        "cost so far in USD": round(sum(row.usd for row in rows), _DIGITS),
    }
    if unpriced := sorted({row.model for row in rows if row.unpriced}):
        metadata["no price set for"] = ", ".join(unpriced)
    if estimates:
        metadata["estimated cost in USD"] = round(sum(one.usd for one in estimates), _DIGITS)
    if rows:
        metadata["cost by model and task, all runs"] = _markdown(rows)
    if events := happenings(rows):
        metadata["what happened to calls, all runs"] = counted_text(events)
    return metadata


def cost_metrics(ledger: Ledger, stage: str) -> dict[str, float]:
    """Return what ``stage`` took in all its runs as metrics for a tracker, all under ``calls/``.

    Empty where nothing is booked on it: nothing is known then, which is not the same as 0.

    Raises:
        LedgerError: the ledger cannot be read.
    """
    rows = cost_rows(ledger.spent(stage), ledger.events(stage))
    if not rows:
        return {}
    return {
        "calls/made": float(sum(row.calls for row in rows)),
        "calls/from_cache": float(sum(row.cached for row in rows)),
        "calls/prompt_tokens": float(sum(row.prompt_tokens for row in rows)),
        "calls/answer_tokens": float(sum(row.completion_tokens for row in rows)),
        "calls/usd": sum(row.usd for row in rows),
        "calls/seconds": sum(row.seconds for row in rows),
        **{f"calls/{event}": float(times) for event, times in happenings(rows).items()},
    }


def counted_text(counts: Mapping[str, int]) -> str:
    """Return how often what happened, as one line: ``http_429 3, timeout 1``; empty where nothing did."""
    return ", ".join(f"{name} {times:,}" for name, times in sorted(counts.items()) if times)


def usd_text(usd: float) -> str:
    """Return a sum of US dollars as people read it: cents where there are many, else three digits that count."""
    if usd >= 100 or usd == 0:
        return f"{usd:,.2f}"
    return f"{usd:,.4f}" if usd >= 0.001 else f"{usd:.2g}"


def _markdown(rows: Sequence[CostRow]) -> str:
    """Return the rows as a table; a column of estimates where there are any."""
    estimated = any(row.estimate for row in rows)
    columns = ["role", "task", "model", "calls", "from cache", "prompt tokens", "answer tokens", "USD", "seconds"]
    if estimated:
        columns += ["estimated calls", "estimated tokens", "estimated USD"]
    lines = [" | ".join(columns), " | ".join("---" for _ in columns)]
    for row in rows:
        cells = [
            *(row.role, row.task, row.model, f"{row.calls:,}", f"{row.cached:,}"),
            *(f"{row.prompt_tokens:,}", f"{row.completion_tokens:,}", row.cost_text, f"{row.seconds:,.1f}"),
        ]
        if estimated:
            one = row.estimate
            tokens = f"{one.prompt_tokens:,} + {one.completion_tokens:,}" if one else ""
            cells += [f"{one.calls:,}", tokens, usd_text(one.usd)] if one else ["", "", ""]
        lines.append(" | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells))
    return "\n".join(f"| {line} |" for line in lines)
