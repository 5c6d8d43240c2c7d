"""What is remembered of a user, in the terminal: memories, the turns that they cite, profile, what erasure takes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final, Protocol

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lifeloom.assistant import NEUTRAL_PROFILE, describe
from lifeloom.memory import DialogueTurn, Erased, Hit, NotRemembered, UserMemory, export_of
from lifeloom.records import ADDITIVE, LATEST_ONLY, TRAITS, CoreBlock, Memory, MemoryKind, Moment, local_time
from orchestration.printing import counted, plain

__all__ = [
    "HISTORY",
    "KINDS",
    "SaidTurn",
    "erased_view",
    "found_table",
    "is_remembered",
    "memories_counted",
    "memory_table",
    "one_memory",
    "profile_view",
    "remembered_view",
    "turn_table",
]

KINDS: Final[tuple[MemoryKind, ...]] = ("core", "procedural", "semantic", "episodic")
HISTORY: Final = "history"
"""All versions of everything."""
_BAR: Final = 20


class SaidTurn(Protocol):
    """A turn, as a conversation or a memory file gives it."""

    @property
    def at(self) -> dt.datetime:
        """When it was said."""
        ...

    @property
    def offset_minutes(self) -> int:
        """The user's zone."""
        ...

    @property
    def user(self) -> str:
        """What the user said."""
        ...

    @property
    def assistant(self) -> str:
        """What the assistant answered."""
        ...


def memories_counted(number: int) -> str:
    """Return ``1 memory``, ``2 memories``."""
    return "1 memory" if number == 1 else f"{number:,} memories"


def memory_table(memories: Sequence[Memory]) -> RenderableType:
    """Return a table of ``memories`` by type, oldest first; versions that hold no longer are dim."""
    table = Table(box=None, header_style="bold", title=memories_counted(len(memories)), title_justify="left")
    table.add_column("id", no_wrap=True)
    table.add_column("from turns", no_wrap=True)
    table.add_column("what", overflow="fold")
    for kind in KINDS:
        own = sorted((row for row in memories if row.kind == kind), key=lambda row: (row.known_at, row.memory_id))
        if not own:
            continue
        table.add_row("", "", Text(f"{kind} ({len(own)})", style="bold cyan"))
        for row in own:
            over = row.ended_at is not None
            table.add_row(
                plain(row.memory_id), _turns(row.source_turns), plain(_what(row), style="dim strike" if over else "")
            )
    return table


def one_memory(memory: Memory, turns: Sequence[SaidTurn]) -> RenderableType:
    """Return ``memory`` with what is known of it and the turns that it cites."""
    lines: list[RenderableType] = [plain(_what(memory), style="bold")]
    lines.append(plain(f"keywords: {', '.join(memory.keywords) or 'none'}"))
    lines.append(Text(f"known from {memory.known_at:%Y-%m-%d %H:%M} UTC, after {memory.known_turns} turns"))
    if memory.replaces:
        lines.append(plain(f"took the place of {memory.replaces}"))
    if memory.ended_at is not None:
        how = f"replaced by {memory.replaced_by}" if memory.replaced_by else "taken back"
        lines.append(plain(f"{how} on {memory.ended_at:%Y-%m-%d %H:%M} UTC, turns {_turns(memory.ended_by_turns)}"))
    for turn in turns:
        at = local_time(turn.at, turn.offset_minutes)
        lines.append(Text(f"\n[{at:%A %Y-%m-%d %H:%M}] user", style="bold"))
        lines.append(plain(turn.user))
        lines.append(Text("assistant", style="bold green"))
        lines.append(plain(turn.assistant))
    made = memory.made_by
    return Panel(
        Group(*lines),
        title=plain(f"{memory.kind} · {memory.memory_id} · {memory.user_id}"),
        subtitle=plain(f"{made.backend} {made.model} {made.prompt_version}"),
    )


def remembered_view(memory: UserMemory, wanted: str, as_of: Moment | None = None) -> RenderableType:
    """Return what is remembered of a user.

    Args:
        memory: The user's.
        wanted: A type; ``history``: all versions of everything; empty: all that holds; else the id of a memory.
        as_of: What was known then; None: all.

    Raises:
        NotRemembered: there is no such memory, or it was not known then.
        MemoryFailure: the memory cannot be read.
    """
    if wanted == HISTORY:
        rows = _versions(memory, as_of)
    elif wanted in ("", *KINDS):
        rows = [row for kind in KINDS if wanted in ("", kind) for row in memory.memories(kind, as_of=as_of)]
    else:
        row = _known_then(memory, wanted, as_of)
        return one_memory(row, [turn for index in row.source_turns for turn in memory.turns(index, index)])
    return memory_table(rows) if rows else Text("nothing is remembered", style="dim")


def is_remembered(memory: UserMemory, memory_id: str) -> bool:
    """Return whether there is a memory with this id, at whatever moment it was known."""
    try:
        memory.memory(memory_id)
    except NotRemembered:
        return False
    return True


def profile_view(memory: UserMemory, as_of: Moment | None = None) -> RenderableType:
    """Return core memory and personality of a user, the scores as bars from 1 to 5 and in words."""
    values = Table(box=None, show_header=False)
    for value in memory.core(as_of):
        values.add_row(plain(value.label, "dim"), plain(value.key, "bold"), plain(value.content))
    point = memory.personality(as_of)
    profile = point.profile if point else NEUTRAL_PROFILE
    bars = Table(box=None, show_header=False)
    for trait in TRAITS:
        score = getattr(profile, trait)
        full = round((score - 1) / 4 * _BAR)
        bars.add_row(trait, Text("█" * full + "░" * (_BAR - full)), f"{score:.2f}")
    return Group(values, bars, plain(describe(profile), "dim"))


def turn_table(turns: Sequence[DialogueTurn]) -> RenderableType:
    """Return turns with their numbers and times on the user's clock."""
    table = Table(box=None, show_header=False)
    for turn in turns:
        at = local_time(turn.at, turn.offset_minutes)
        table.add_row(str(turn.index), f"{at:%Y-%m-%d %H:%M}", plain(turn.user), plain(turn.assistant, "green"))
    return table


def found_table(hits: Sequence[Hit]) -> RenderableType:
    """Return what a search found, best first."""
    if not hits:
        return Text("nothing was found", style="dim")
    table = Table(box=None, header_style="bold")
    for column in ("score", "type", "from turns", "id"):
        table.add_column(column, no_wrap=True)
    table.add_column("what", overflow="fold")
    for hit in sorted(hits, key=lambda hit: -hit.score):
        row = hit.memory
        table.add_row(f"{hit.score:.2f}", row.kind, _turns(row.source_turns), plain(row.memory_id), plain(_what(row)))
    return table


def erased_view(memory: UserMemory, planned: Erased) -> RenderableType:
    """Return what an erasure would take, for a person to decide on: call it before it is done."""
    table = Table(box=None, show_header=False)
    for index in planned.turns:
        for turn in memory.turns(index, index):
            table.add_row(f"turn {index}", plain(turn.user))
    for memory_id in planned.memories:
        row = memory.memory(memory_id)
        table.add_row(plain(f"{row.kind} {memory_id}"), plain(_what(row)))
    for memory_id in planned.restored:
        table.add_row(plain(f"holds again: {memory_id}"), plain(_what(memory.memory(memory_id))), style="dim")
    counts = (
        counted(len(planned.personality), "point") + " of the personality curve" if planned.personality else "",
        counted(len(planned.pictures), "picture") if planned.pictures else "",
        counted(len(planned.jobs), "waiting update") if planned.jobs else "",
    )
    if any(counts):
        table.add_row("and", ", ".join(filter(None, counts)))
    return table


def _versions(memory: UserMemory, as_of: Moment | None) -> list[Memory]:
    """Return all that was known at a moment, values that held no longer too."""
    names = {(row.kind, row.key, _block(row)): None for row in export_of(memory).memories if row.kind in LATEST_ONLY}
    values = [row for kind, key, block in names for row in memory.history(kind, key, block, as_of=as_of)]
    return [*values, *(row for kind in ADDITIVE for row in memory.memories(kind, as_of=as_of))]


def _known_then(memory: UserMemory, memory_id: str, as_of: Moment | None) -> Memory:
    row = memory.memory(memory_id)
    if row.kind in LATEST_ONLY:
        known = memory.history(row.kind, row.key, _block(row), as_of=as_of)
    else:
        known = memory.memories(row.kind, as_of=as_of)
    found = next((one for one in known if one.memory_id == row.memory_id), None)
    if found is None:
        raise NotRemembered(f"the memory {memory_id} was not known at that moment")
    return found


def _block(memory: Memory) -> CoreBlock | None:
    if memory.kind != "core":
        return None
    return "human" if memory.label == "human" else "persona"


def _what(memory: Memory) -> str:
    name = "/".join(part for part in (memory.label, memory.key) if part)
    return f"{name}: {memory.content}" if name else memory.content


def _turns(turns: Sequence[int]) -> str:
    """Return turn numbers shortly: ``3-6, 9``."""
    runs: list[list[int]] = []
    for turn in turns:
        if runs and turn == runs[-1][1] + 1:
            runs[-1][1] = turn
        else:
            runs.append([turn, turn])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
