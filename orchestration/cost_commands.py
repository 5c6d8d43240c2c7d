"""`lifeloom cost`: what a stage will cost, and what was spent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from lifeloom.models.calls.cost_reports import NO_PRICE, CostRow, cost_rows, counted_text, usd_text
from orchestration.cli_options import ProfileOption, choose_profile
from orchestration.instance import home_path
from orchestration.printing import Name, plain, print_tables
from orchestration.profiles import load_profile
from orchestration.tables import number_columns, plain_table
from orchestration.unpriced import warn_of_unpriced

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rich.table import Table

    from lifeloom.models.calls.budget import Budget
    from lifeloom.models.calls.ledger import Ledger
    from orchestration.costs import Estimate

__all__ = ["cost_app", "estimate_table", "spent_table"]

cost_app = typer.Typer()


@cost_app.command()
def cost(
    stage: Annotated[str, typer.Argument(help="A stage or group to estimate; left out: what was spent here.")] = "",
    partition: Annotated[
        str | None, typer.Option("--partition", help="A shard or a release date; else all shards, the demo's date.")
    ] = None,
    profile: ProfileOption = None,
) -> None:
    """Estimate what a stage's calls to models will cost, or say what was spent here, by stage, role and model."""
    from orchestration.costs import estimate
    from orchestration.progress import Reporter
    from resources.workbench import Workbench

    choose_profile(profile)
    settings = load_profile()
    warn_of_unpriced(settings)
    console = Console()
    with Reporter(console) as reporter:
        workbench = Workbench(settings, home_path(), reporter.watch)
        found = estimate(stage, partition, workbench) if stage else []
    if not stage:
        _print_spent(console, workbench.ledger)
        return
    print_tables(estimate_table(found, settings.name))
    for one in found:
        about = "up to date, costs nothing" if one.up_to_date else "estimated"
        console.print(plain(f"{one.account}, {about}: {one.basis}", "dim"), soft_wrap=True)
    _print_unpriced(console, {model for one in found for model in one.unpriced.values()})
    if any(one.lines for one in found):
        console.print(
            "Rehearsed with built-in models on people of the project's own seeds. Not in it: answers that the cache "
            "already has (they cost nothing), re-asks and retries, a model's thinking, and its own way of counting "
            "tokens.",
            soft_wrap=True,
        )


def _print_spent(console: Console, ledger: Ledger) -> None:
    rows = _spent(ledger)
    if rows:
        print_tables(spent_table(ledger))
        _print_unpriced(console, {row.model for own in rows.values() for row in own if row.unpriced})
    else:
        console.print(f"no calls to models are on record in {ledger.path}", soft_wrap=True, markup=False)
    console.print(_budget_text(ledger.budget), soft_wrap=True)


def _print_unpriced(console: Console, models: Collection[str]) -> None:
    if models:
        told = f"No price set for {', '.join(sorted(models))}: what it costs is not known, and counted as 0."
        console.print(plain(told, "bold yellow"), soft_wrap=True)


def _budget_text(budget: Budget) -> str:
    limits = [f"{budget.usd:,.2f} USD"] if budget.usd else []
    limits += [f"{budget.tokens:,} tokens"] if budget.tokens else []
    scope = {"home": "for this home", "day": "for a day (UTC)", "run": "for a run"}[budget.period]
    return f"Budget {scope}: {' and '.join(limits)}." if limits else "No budget is set."


def spent_table(ledger: Ledger) -> Table:
    """Return what was spent by stage, model, role and task, over all runs and partitions, and what happened to calls.

    Raises:
        LedgerError: the ledger cannot be read.
    """
    table = plain_table("Calls to models")
    table.add_column("stage, model, role and task")
    number_columns(table, "calls", "from cache", "prompt tokens", "answer tokens", "USD", "seconds")
    found = _spent(ledger)
    for stage, rows in found.items():
        table.add_row(Name(stage, style="bold"))
        for model in sorted({row.model for row in rows}):
            table.add_row(Name(model, 1))
            for row in rows:
                if row.model == model:
                    table.add_row(Name(f"{row.role} {row.task}", 2), *_numbers(row))
                    if row.events:
                        table.add_row(Name(counted_text(row.events), 3, "dim"))
    every = [row for rows in found.values() for row in rows]
    if every:
        whole = CostRow("", "", "")
        for name in ("calls", "cached", "prompt_tokens", "completion_tokens", "usd", "seconds"):
            setattr(whole, name, sum(getattr(row, name) for row in every))
        unknown = not whole.usd and any(row.unpriced for row in every)
        table.add_row("all", *_numbers(whole, NO_PRICE if unknown else ""), style="bold")
    return table


def _spent(ledger: Ledger) -> dict[str, list[CostRow]]:
    """Return what was spent over all runs, by stage; calls of no stage by the account they are booked on."""
    from orchestration.rehearsal import stage_of

    def stage_or_account(account: str) -> str:
        return stage_of(account) or account

    lines, events = ledger.spent(), ledger.events()
    accounts = [line.stage for line in lines] + [event.stage for event in events]
    return {
        stage: cost_rows(
            [line for line in lines if stage_or_account(line.stage) == stage],
            [event for event in events if stage_or_account(event.stage) == stage],
        )
        for stage in sorted(set(map(stage_or_account, accounts)))
    }


def _numbers(row: CostRow, usd: str = "") -> list[str]:
    return [
        *(f"{row.calls:,}", f"{row.cached:,}", f"{row.prompt_tokens:,}", f"{row.completion_tokens:,}"),
        *(usd or row.cost_text, f"{row.seconds:,.1f}"),
    ]


def estimate_table(estimates: Sequence[Estimate], profile: str) -> Table:
    """Return what stages will cost, by role and task."""
    table = plain_table(f"Estimated cost with the profile {profile}")
    table.add_column("stage, role and task")
    number_columns(table, "calls", "prompt tokens", "answer tokens", "USD")
    for one in estimates:
        if not one.lines:
            about = "up to date" if one.up_to_date else "asks no model"
            table.add_row(Name(f"{one.account}, {about}"), "0", "0", "0", "0.00")
            continue
        table.add_row(Name(one.account))
        for line in one.lines:
            table.add_row(
                Name(f"{line.role} {line.task}", 1),
                *(f"{line.calls:,}", f"{line.prompt_tokens:,}", f"{line.completion_tokens:,}"),
                NO_PRICE if line.role in one.unpriced else usd_text(line.usd),
            )
    lines = [line for one in estimates for line in one.lines]
    usd = sum(line.usd for line in lines)
    table.add_row(
        *("all", f"{sum(line.calls for line in lines):,}", f"{sum(line.prompt_tokens for line in lines):,}"),
        f"{sum(line.completion_tokens for line in lines):,}",
        NO_PRICE if not usd and any(one.unpriced for one in estimates) else usd_text(usd),
        style="bold",
    )
    return table
