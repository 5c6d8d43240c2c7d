"""`lifeloom cache`: what the response cache holds, and what of it goes."""

from __future__ import annotations

import datetime as dt
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.rule import Rule

from orchestration.instance import home_path
from orchestration.printing import Name, counted, plain, print_tables
from orchestration.tables import number_columns, plain_table

if TYPE_CHECKING:
    from rich.table import Table

    from lifeloom.models.calls.cache import CachedGroup, ResponseCache

__all__ = ["age_seconds", "cache_app", "cache_table", "size_bytes", "size_text"]

cache_app = typer.Typer(help="What the response cache holds, and what of it goes.", no_args_is_help=True)

_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_SIZES = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
_BINARY = {"ki": 1024, "mi": 1024**2, "gi": 1024**3, "ti": 1024**4}
_AGES = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


@cache_app.command("list")
def list_command() -> None:
    """List the answers by model and prompt: how many, how large, what was paid for them, from when."""
    console = Console()
    cache = _opened()
    if cache is None:
        console.print(_nothing(), soft_wrap=True, markup=False)
        return
    with cache:
        groups, stats = cache.list_answers(), cache.stats()
    print_tables(cache_table(groups))
    console.print(
        f"{counted(stats.rows, 'answer')} and {stats.rejected:,} rejected in {cache.path}, {size_text(stats.bytes)}",
        soft_wrap=True,
        markup=False,
    )


@cache_app.command()
def prune(
    older_than: Annotated[
        str, typer.Option("--older-than", help="Age of what goes: 30d, 12h, 2w, 90m. Left out: any.")
    ] = "",
    model: Annotated[str, typer.Option("--model", help="Only answers of this model.")] = "",
    prompt: Annotated[
        str,
        typer.Option("--prompt-version", help="Only answers to this prompt version, or to a task: session_writing."),
    ] = "",
    most_bytes: Annotated[
        str, typer.Option("--most-bytes", help="What may stay: 1GB, 500MB. The oldest go until the rest fits.")
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove answers. What is removed has to be paid for again when it is asked for again."""
    if not (older_than or model or prompt or most_bytes):
        raise typer.BadParameter("say what is to go: --older-than, --model, --prompt-version or --most-bytes")
    limit = time.time() - age_seconds(older_than) if older_than else None
    room = size_bytes(most_bytes) if most_bytes else None
    console = Console()
    cache = _opened()
    if cache is None:
        console.print(_nothing(), soft_wrap=True, markup=False)
        return
    with cache:
        if not yes:
            told = _told(older_than, model, prompt, most_bytes)
            typer.confirm(f"Remove {told} from {cache.path} ({size_text(cache.stats().bytes)})?", abort=True)
        pruned = cache.prune(older_than=limit, model=model or None, prompt_version=prompt or None, most_bytes=room)
        left = cache.stats()
    console.print(
        f"{counted(pruned.answers, 'answer')} and {pruned.rejected:,} rejected removed; "
        f"{counted(left.rows, 'answer')} left, {size_text(left.bytes)}",
        soft_wrap=True,
    )
    if not pruned.shrunk:
        console.print(
            "Another process works with the file, so that its room is not back on the disk yet: it is used for new "
            "answers, or given back by the next prune.",
            soft_wrap=True,
        )


@cache_app.command()
def rejected(
    task: Annotated[str, typer.Option("--task", help="Only of this task, for example session_writing.")] = "",
    most: Annotated[int, typer.Option("--most", min=1, help="How many, newest first.")] = 10,
) -> None:
    """Show what models said that was no valid answer, whole, newest first."""
    console = Console()
    cache = _opened()
    if cache is None:
        console.print(_nothing(), soft_wrap=True, markup=False)
        return
    with cache:
        found = cache.rejected(task or None, most)
    for one in found:
        at = dt.datetime.fromtimestamp(one.made_at, dt.UTC)
        console.print(Rule(plain(f"{one.prompt_version}: {one.reason}"), align="left"))
        console.print(
            plain(f"{one.backend}/{one.model}, {at:%Y-%m-%d %H:%M} UTC, {one.completion_tokens:,} tokens", "dim"),
            soft_wrap=True,
        )
        if one.detail:
            console.print(plain(one.detail, "dim"), soft_wrap=True)
        console.print(plain(one.raw or "(nothing)"), soft_wrap=True)
    if not found:
        console.print("no answer was rejected" if not task else f"no answer to {task} was rejected", markup=False)
    console.print(
        "Only answers that were not valid are kept here. What a later check left out, such as "
        "turns_do_not_match_plan, stands with its reason in the table `rejections` of the stage's data set; the "
        "answer itself was a valid one and stays among the answers paid for.",
        soft_wrap=True,
        style="dim",
    )


def cache_table(groups: list[CachedGroup]) -> Table:
    """Return what is cached by model and prompt version."""
    table = plain_table("Answers paid for")
    table.add_column("model and prompt")
    number_columns(table, "answers", "size", "prompt tokens", "answer tokens", "oldest", "newest")
    before = ""
    for group in groups:
        model = f"{group.backend}/{group.model}"
        if model != before:
            table.add_row(Name(model))
        before = model
        table.add_row(
            Name(group.prompt_version, 1),
            f"{group.rows:,}",
            size_text(group.bytes),
            f"{group.prompt_tokens:,}",
            f"{group.completion_tokens:,}",
            _day(group.oldest),
            _day(group.newest),
        )
    return table


def age_seconds(text: str) -> float:
    """Return an age like ``30d`` in seconds.

    Raises:
        typer.BadParameter: it is none.
    """
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*([mhdw])\s*", text.lower())
    if match is None:
        raise typer.BadParameter(f"{text!r} is no age: write 30d, 12h, 2w or 90m")
    return float(match[1]) * _AGES[match[2]]


def size_bytes(text: str) -> int:
    """Return a size like ``1GB`` (a thousand MB) or ``1GiB`` (1,024 MiB) in bytes.

    Raises:
        typer.BadParameter: it is none.
    """
    match = re.fullmatch(r"\s*(\d{1,18}(?:\.\d{1,9})?)\s*([kmgt]i?|)b?\s*", text.lower())
    if match is None:
        raise typer.BadParameter(f"{text!r} is no size: write 1GB, 500MB or 10GiB")
    return int(float(match[1]) * {**_SIZES, **_BINARY}[match[2]])


def size_text(size: float) -> str:
    """Return a number of bytes as people read it."""
    unit = 0
    while size >= 1000 and unit + 1 < len(_UNITS):
        size, unit = size / 1000, unit + 1
    return f"{size:.0f} {_UNITS[unit]}" if not unit or size >= 100 else f"{size:.1f} {_UNITS[unit]}"


def _opened() -> ResponseCache | None:
    """Open the home's cache; None where there is none yet."""
    from lifeloom.models.calls.cache import ResponseCache

    path = _path()
    return ResponseCache(path) if path.is_file() else None


def _path() -> Path:
    return home_path() / "cache" / "responses.sqlite"


def _nothing() -> str:
    return f"no answers are kept in {_path()} yet"


def _day(at: float) -> str:
    return f"{dt.datetime.fromtimestamp(at, dt.UTC):%Y-%m-%d}"


def _told(older_than: str, model: str, prompt: str, most_bytes: str) -> str:
    """Return in words what is to go."""
    parts = ["answers"]
    if prompt:
        parts.append(f"to {prompt}")
    if model:
        parts.append(f"of {model}")
    if older_than:
        parts.append(f"older than {older_than}")
    whole = " ".join(parts)
    if not most_bytes:
        return f"all {whole}"
    if not older_than:
        return f"the oldest {whole} until the rest fits into {most_bytes}"
    return f"all {whole}, then the oldest until the rest fits into {most_bytes},"
