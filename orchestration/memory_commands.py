"""`lifeloom memory`: of whom there are memories, what they are, export, import and erasure."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from orchestration.cache_commands import size_text
from orchestration.cli_options import check_place
from orchestration.instance import home_path
from orchestration.printing import Name, counted, plain, print_tables
from orchestration.tables import number_columns, plain_table

if TYPE_CHECKING:
    from lifeloom.memory import UserMemory
    from lifeloom.records import Moment
    from lifeloom.store import Home

__all__ = ["memory_app"]

memory_app = typer.Typer(help="What the assistant remembers of the people who talk with it.", no_args_is_help=True)

User = Annotated[str, typer.Argument(help="Whose memory.")]
AsOf = Annotated[str, typer.Option("--as-of", help="As it was known then: 2026-03-01, or with a time.")]


@memory_app.command("list")
def list_command() -> None:
    """List the users with memories here: turns, memories, size, when they talked last."""
    from lifeloom.memory import MemoryFailure, list_users
    from lifeloom.records import local_time
    from orchestration.chat_users import existing_user
    from orchestration.memory_views import KINDS

    console, home = Console(), _home()
    users = list_users(home.users)
    table = plain_table(f"{counted(len(users.files), 'user')} in {home.users}")
    table.add_column("user")
    table.add_column("last turn", no_wrap=True)
    number_columns(table, "turns", *KINDS, "waiting", "size")
    unreadable = list(users.unreadable.values())
    for user_id, path in users.files.items():
        try:
            with existing_user(home, user_id) as memory:
                last = memory.turns(max(0, memory.turn_count() - 1))
                at = f"{local_time(last[-1].at, last[-1].offset_minutes):%Y-%m-%d %H:%M}" if last else ""
                numbers = [memory.turn_count(), *(len(memory.memories(kind)) for kind in KINDS), len(memory.pending())]
        except MemoryFailure as error:
            unreadable.append(str(error))
            continue
        table.add_row(Name(user_id), at, *(f"{number:,}" for number in numbers), size_text(path.stat().st_size))
    if users.files:
        print_tables(table)
    else:
        console.print(plain(f"nobody has memories in {home.users}"), soft_wrap=True)
    for reason in unreadable:
        console.print(plain(f"not readable: {reason}", "red"), soft_wrap=True)


@memory_app.command()
def show(
    user: User,
    what: Annotated[
        str,
        typer.Argument(
            help="core, procedural, semantic, episodic, history (with values that hold no longer), profile, turns, or "
            "the id of a memory; left out: all that holds."
        ),
    ] = "",
    as_of: AsOf = "",
) -> None:
    """Show what is remembered of a user."""
    from orchestration.chat_users import existing_user
    from orchestration.memory_views import HISTORY, KINDS, is_remembered, profile_view, remembered_view, turn_table
    from orchestration.show import NothingFound

    with existing_user(_home(), user) as memory:
        moment = _moment(memory, as_of)
        if what == "profile":
            view = profile_view(memory, moment)
        elif what == "turns":
            view = turn_table(memory.turns(as_of=moment))
        elif what not in ("", HISTORY, *KINDS) and not is_remembered(memory, what):
            raise NothingFound(
                f"no memory of {user!r} has the id {what!r}; `lifeloom memory show` with the user alone lists them"
            )
        else:
            view = remembered_view(memory, what, moment)
        Console().print(view)


@memory_app.command()
def graph(
    user: User,
    graphml: Annotated[Path | None, typer.Option("--graphml", help="Write it as GraphML.")] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Write a picture of it.")] = None,
    as_of: AsOf = "",
) -> None:
    """Show what is remembered as a graph: who and what it holds, and the matters that were told of again."""
    import collections

    from lifeloom.assistant.memory_graph import ThreadSource, graph_of_memory, times_told
    from lifeloom.lifegraph.drawing import graph_picture
    from lifeloom.lifegraph.exports import write_graphml
    from orchestration.chat_users import existing_user

    check_place(graphml, "--graphml")
    check_place(png, "--png")
    console = Console()
    with existing_user(_home(), user) as memory:
        moment = _moment(memory, as_of)
        found = graph_of_memory(memory, moment)
        grown = ThreadSource(memory).grown(moment)
    kinds = collections.Counter(one.type for one in found.entities.values())
    counts = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    console.print(plain(f"{len(found.entities):,} entities ({counts}), {len(found.facts):,} facts"), soft_wrap=True)
    if grown:
        table = plain_table(f"{counted(len(grown), 'matter')} told of more than once")
        number_columns(table, "times")
        table.add_column("matter", overflow="fold")
        table.add_column("first", no_wrap=True)
        table.add_column("last", no_wrap=True)
        for thread in grown:
            first, last = (f"{one.happened_from:%Y-%m-%d}" for one in (thread.members[0], thread.members[-1]))
            table.add_row(f"{times_told(thread.members):,}", Name(thread.title), first, last)
        print_tables(table)
    for path, write in ((graphml, write_graphml), (png, lambda graph, path: path.write_bytes(graph_picture(graph)))):
        if path is not None:
            write(found, path)
            console.print(plain(f"written: {path}"), soft_wrap=True)


@memory_app.command()
def export(user: User, folder: Annotated[Path, typer.Argument(help="Where to write.")]) -> None:
    """Write all that is remembered of a user: user.json, and the pictures."""
    from orchestration.chat_users import existing_user, export_told

    with existing_user(_home(), user) as memory:
        Console().print(plain(export_told(memory, folder)), soft_wrap=True)


@memory_app.command("import")
def import_command(folder: Annotated[Path, typer.Argument(help="What `lifeloom memory export` wrote.")]) -> None:
    """Take in an export. The user must not be here yet."""
    from lifeloom.memory import exported_user, import_user, user_file
    from orchestration.chat_users import users_folder

    path = user_file(users_folder(_home()), exported_user(folder))
    with import_user(folder, path) as memory:
        told = f"{memory.user_id}: {counted(memory.turn_count(), 'turn')} taken in from {folder}"
    Console().print(plain(told), soft_wrap=True)


@memory_app.command()
def erase(user: User, yes: Annotated[bool, typer.Option("--yes", help="Do not ask, as in scripts.")] = False) -> None:
    """Erase all that is remembered of a user, and the file, for good. Exports lie where they were put."""
    from lifeloom.memory import erase_user
    from orchestration.chat_users import existing_user

    with existing_user(_home(), user, read_only=False) as memory:
        planned = erase_user(memory, dry_run=True)
        told = (
            f"{counted(len(planned.turns), 'turn')}, {counted(len(planned.memories), 'version')} of memories and "
            f"{counted(len(planned.pictures), 'picture')} of {memory.user_id}"
        )
        if not yes:
            if not sys.stdin.isatty():
                told = str(plain(told))
                raise typer.BadParameter(f"{told} would be erased for good, and there is no terminal to ask; add --yes")
            typer.confirm(str(plain(f"Erase {told} for good?")), abort=True)
        erase_user(memory)
    Console().print(plain(f"erased: {told}"), soft_wrap=True)


def _moment(memory: UserMemory, as_of: str) -> Moment | None:
    """Return the moment that a user of ``--as-of`` means, on the clock of the last turn."""
    from orchestration.moments import MomentInvalid, read_moment

    last = memory.turns(max(0, memory.turn_count() - 1))
    try:
        return read_moment(as_of, last[-1].offset_minutes if last else 0) if as_of else None
    except MomentInvalid as error:
        raise typer.BadParameter(str(error), param_hint="--as-of") from None


def _home() -> Home:
    from lifeloom.store import Home

    return Home(home_path())
