"""Tables of scores and times for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from lifeloom.records import Score
from orchestration.lineage import Outcome

__all__ = ["score_tables", "time_table"]


def score_tables(scores: Sequence[Score], *, setting: str = "all", attacks: bool = False) -> list[Table]:
    """Return one table of tasks and policies a release; built-in readers and models never share one.

    ``blind`` is the best of the blind attacks; ``attacks`` adds a column for each of them.
    """
    tables = []
    for release, backend in sorted({(score.release_id, score.backend) for score in scores}):
        rows = [s for s in scores if (s.release_id, s.backend, s.setting) == (release, backend, setting)]
        policies = list(dict.fromkeys(s.policy for s in rows if attacks or not s.policy.startswith("blind_")))
        table = Table(
            title=f"Persona-MME {release}, setting {setting}, {backend} reader: accuracy in % [95 % interval]",
            title_justify="left",
        )
        table.add_column("aspect")
        table.add_column("task")
        table.add_column("questions", justify="right")
        table.add_column("chance", justify="right")
        for policy in policies:
            table.add_column(policy, justify="right", no_wrap=True)
        for aspect, task in _lines(rows):
            own = {s.policy: s for s in rows if (s.aspect, s.task) == (aspect, task)}
            first = next(iter(own.values()))
            cells = [_cell(own[policy]) if policy in own else "" for policy in policies]
            style = "bold" if aspect == "all" else None
            table.add_row(aspect, task, str(first.questions), f"{100 * first.chance:.0f}", *cells, style=style)
        tables.append(table)
    return tables


def _lines(rows: Sequence[Score]) -> list[tuple[str, str]]:
    """Return (aspect, task) in reading order: the tasks by aspect, then everything."""
    tasks = sorted({(s.aspect, s.task) for s in rows if s.task != "all"})
    return [*tasks, ("all", "all")]


def _cell(score: Score) -> str:
    text = f"{100 * score.value:.1f} [{100 * score.interval_low:.0f}, {100 * score.interval_high:.0f}]"
    return f"{text} {score.missing} missing" if score.missing else text


def time_table(outcomes: Sequence[Outcome]) -> Table:
    """Return what each stage took, and whether it was made or reused."""
    table = Table(title="Stages", title_justify="left")
    table.add_column("stage")
    table.add_column("partition")
    table.add_column("rows", justify="right")
    table.add_column("seconds", justify="right")
    table.add_column("")
    for outcome in outcomes:
        table.add_row(
            outcome.asset,
            outcome.partition or "",
            f"{outcome.rows:,}",
            f"{outcome.seconds:.1f}",
            "reused, unchanged" if outcome.reused else "made",
        )
    table.add_row("all", "", "", f"{sum(outcome.seconds for outcome in outcomes):.1f}", "", style="bold")
    return table
