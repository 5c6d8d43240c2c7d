"""Tables of scores and times for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.table import Table

from lifeloom.records import Score
from orchestration.lineage import Outcome
from orchestration.printing import Name

__all__ = ["comparison_table", "kept_nothing_text", "number_columns", "plain_table", "score_tables", "time_table"]


def score_tables(scores: Sequence[Score], *, setting: str = "all", attacks: bool = False) -> list[Table]:
    """Return one table of tasks and policies a release; built-in readers and models never share one.

    ``blind`` is the best of the blind attacks; ``attacks`` shows each of them instead of the policies.
    """
    tables = []
    for release, backend in sorted({(s.release_id, s.backend) for s in scores if s.setting == setting}):
        rows = [s for s in scores if (s.release_id, s.backend, s.setting) == (release, backend, setting)]
        wanted = [s.policy for s in rows if s.policy.startswith("blind_") == attacks]
        policies = list(dict.fromkeys(wanted))
        what = "what each blind attack reaches" if attacks else "accuracy"
        table = plain_table(f"Persona-MME {release}, setting {setting}, {backend} reader: {what} in %, 95 % interval")
        for name in ("aspect", "task"):
            table.add_column(name, no_wrap=True)
        for name in ("asked", "chance", *(policy.removeprefix("blind_") for policy in policies)):
            table.add_column(name, justify="right", no_wrap=True)
        for aspect, task in _lines(rows):
            own = {s.policy: s for s in rows if (s.aspect, s.task) == (aspect, task)}
            first = next(iter(own.values()))
            cells = [_cell(own[policy]) if policy in own else "" for policy in policies]
            style = "bold" if aspect == "all" else None
            table.add_row(aspect, task, str(first.questions), f"{100 * first.chance:.0f}", *cells, style=style)
        tables.append(table)
    return tables


def plain_table(title: str) -> Table:
    """Return an empty table that keeps to eighty columns: no frame, one blank between columns."""
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))


def number_columns(table: Table, *names: str) -> None:
    """Add columns of numbers, which are never cut; a name's words stand one below the other."""
    for name in names:
        table.add_column(name.replace(" ", "\n"), justify="right", no_wrap=True)


def _lines(rows: Sequence[Score]) -> list[tuple[str, str]]:
    """Return (aspect, task) in reading order: the tasks by aspect, then everything."""
    tasks = sorted({(s.aspect, s.task) for s in rows if s.task != "all"})
    return [*tasks, ("all", "all")]


def _cell(score: Score) -> str:
    text = f"{100 * score.value:.1f} {100 * score.interval_low:.0f}–{100 * score.interval_high:.0f}"
    return f"{text} ({score.missing} missing)" if score.missing else text


def comparison_table(scores: Sequence[Score], seconds: Mapping[str, float]) -> Table:
    """Return policies by setting: overall accuracy, tokens a case, seconds a case over all settings.

    Args:
        scores: of one release and backend.
        seconds: a case, by policy, where they were measured.
    """
    overall = [s for s in scores if s.aspect == "all" and not s.policy.startswith("blind_")]
    settings = sorted({s.setting for s in overall if s.setting != "all"}, reverse=True)
    table = plain_table("Policies by setting: accuracy in %, 95 % interval; tokens and seconds a case")
    table.add_column("policy", no_wrap=True)
    for setting in (*settings, "all"):
        table.add_column(setting, justify="right", no_wrap=True)
        table.add_column("tokens", justify="right", no_wrap=True)
    table.add_column("seconds", justify="right", no_wrap=True)
    for policy in dict.fromkeys(s.policy for s in overall):
        cells = []
        for setting in (*settings, "all"):
            found = next((s for s in overall if (s.policy, s.setting) == (policy, setting)), None)
            cells += [_cell(found), f"{found.prompt_tokens_per_case / 1000:.1f}k"] if found else ["", ""]
        table.add_row(policy, *cells, f"{seconds[policy]:.3f}" if policy in seconds else "")
    return table


def time_table(outcomes: Sequence[Outcome]) -> Table:
    """Return what each stage took, and whether it was made or reused."""
    table = plain_table("Stages")
    for name in ("stage", "partition"):
        table.add_column(name)
    number_columns(table, "rows", "seconds")
    table.add_column("")
    for outcome in outcomes:
        table.add_row(
            Name(outcome.asset),
            Name(outcome.partition or ""),
            f"{outcome.rows:,}",
            f"{outcome.seconds:.1f}",
            "reused, unchanged" if outcome.reused else "made",
        )
    table.add_row("all", "", "", f"{sum(outcome.seconds for outcome in outcomes):.1f}", "", style="bold")
    return table


def kept_nothing_text(outcome: Outcome) -> str:
    """Return what to tell a person of a stage that left everything out, and where to look."""
    key = f"{outcome.asset}/{outcome.partition}" if outcome.partition else outcome.asset
    if outcome.asset.startswith("scores/"):
        return f"nothing was kept: {outcome.left_out}. The asset's page in `lifeloom ui` has what was measured."
    return (
        f"nothing was kept: {outcome.left_out}. `lifeloom cache rejected` shows what the model said where that was no "
        f"valid answer; every reason stands in the table `rejections` of the data set {key}."
    )
