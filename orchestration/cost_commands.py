"""`lifeloom cost`: what a stage will cost, and what was spent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from lifeloom.models.calls.cost_reports import CostRow, cost_rows, happenings, usd_text
from orchestration.cli_options import ProfileOption, choose_profile
from orchestration.instance import home_path
from orchestration.printing import plain
from orchestration.profiles import load_profile
from orchestration.tables import plain_table

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    console = Console()
    with Reporter(console) as reporter:
        workbench = Workbench(load_profile(), home_path(), reporter.watch)
        found = estimate(stage, partition, workbench) if stage else []
    if not stage:
        _print_spent(console, workbench.ledger)
        return
    console.print(estimate_table(found, workbench.profile.name))
    for one in found:
        about = "up to date, costs nothing" if one.up_to_date else "estimated"
        console.print(plain(f"{one.account}, {about}: {one.basis}", "dim"), soft_wrap=True)
    if any(one.lines for one in found):
        console.print(
            "Rehearsed with built-in models on people of the project's own seeds. Not in it: answers that the cache "
            "already has (they cost nothing), re-asks and retries, a model's thinking, and its own way of counting "
            "tokens.",
            soft_wrap=True,
        )


def _print_spent(console: Console, ledger: Ledger) -> None:
    table = spent_table(ledger)
    if table.row_count:
        console.print(table)
    else:
        console.print(f"no calls to models are on record in {ledger.path}", soft_wrap=True, markup=False)
    console.print(_budget_text(ledger.budget), soft_wrap=True)


def _budget_text(budget: Budget) -> str:
    limits = [f"{usd_text(budget.usd)} USD"] if budget.usd else []
    limits += [f"{budget.tokens:,} tokens"] if budget.tokens else []
    return f"Budget a {budget.period}: {' and '.join(limits)}" if limits else "No budget is set."


def spent_table(ledger: Ledger) -> Table:
    """Return what was spent by stage, role, task and model, over all runs and partitions, and what happened to calls.

    Raises:
        LedgerError: the ledger cannot be read.
    """
    from orchestration.rehearsal import stage_of

    lines, events = ledger.spent(), ledger.events()
    table = plain_table("Calls to models")
    for name in ("stage", "role", "task", "model"):
        table.add_column(name, overflow="fold")
    for name in ("calls", "from cache", "prompt tokens", "answer tokens", "USD", "seconds"):
        table.add_column(name, justify="right")
    table.add_column("what happened", overflow="fold")
    every: list[CostRow] = []

    def stage_or_account(account: str) -> str:
        return stage_of(account) or account

    accounts = [line.stage for line in lines] + [event.stage for event in events]
    for stage in sorted(set(map(stage_or_account, accounts))):
        rows = cost_rows(
            [line for line in lines if stage_or_account(line.stage) == stage],
            [event for event in events if stage_or_account(event.stage) == stage],
        )
        for number, row in enumerate(rows):
            table.add_row(stage if number == 0 else "", *(plain(cell) for cell in _cells(row)))
        every += rows
    if every:
        whole = CostRow("", "", "")
        for name in ("calls", "cached", "prompt_tokens", "completion_tokens", "usd", "seconds"):
            setattr(whole, name, sum(getattr(row, name) for row in every))
        whole.events.update(happenings(every))
        table.add_row("all", *_cells(whole), style="bold")
    return table


def _cells(row: CostRow) -> list[str]:
    return [
        *(row.role, row.task, row.model, f"{row.calls:,}", f"{row.cached:,}"),
        *(f"{row.prompt_tokens:,}", f"{row.completion_tokens:,}", usd_text(row.usd), f"{row.seconds:,.1f}"),
        ", ".join(f"{event} {times:,}" for event, times in sorted(row.events.items())),
    ]


def estimate_table(estimates: Sequence[Estimate], profile: str) -> Table:
    """Return what stages will cost, by role and task."""
    table = plain_table(f"Estimated cost with the profile {profile}")
    for name in ("stage", "role", "task"):
        table.add_column(name, overflow="fold")
    for name in ("calls", "prompt tokens", "answer tokens", "USD"):
        table.add_column(name, justify="right")
    for one in estimates:
        if not one.lines:
            table.add_row(one.account, "", "up to date" if one.up_to_date else "asks no model", "0", "0", "0", "0.00")
        for number, line in enumerate(one.lines):
            table.add_row(
                one.account if number == 0 else "",
                *(line.role, line.task, f"{line.calls:,}", f"{line.prompt_tokens:,}", f"{line.completion_tokens:,}"),
                usd_text(line.usd),
            )
    lines = [line for one in estimates for line in one.lines]
    table.add_row(
        *("all", "", "", f"{sum(line.calls for line in lines):,}", f"{sum(line.prompt_tokens for line in lines):,}"),
        *(f"{sum(line.completion_tokens for line in lines):,}", usd_text(sum(line.usd for line in lines))),
        style="bold",
    )
    return table
