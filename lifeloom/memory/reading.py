"""Reading memories and the personality as they were at any moment."""

from __future__ import annotations

from typing import Any

from lifeloom.memory import coding
from lifeloom.memory.errors import NotRemembered, OperationInvalid
from lifeloom.memory.file import MemoryFile
from lifeloom.memory.makers import Makers
from lifeloom.memory.types import Period
from lifeloom.records import LATEST_ONLY, CoreBlock, Memory, MemoryKind, Moment, PersonalityPoint

__all__ = ["current_values", "history", "memories", "memory", "personality_points"]


def current_values(file: MemoryFile, makers: Makers, kind: MemoryKind, as_of: Moment | None) -> tuple[Memory, ...]:
    """Return the core or procedural values that held at a moment, as they were known then, in the order of setting."""
    where = "kind = ? AND key IS NOT NULL"
    parameters: list[Any] = [coding.KIND_CODES[kind]]
    if as_of is None:
        where += " AND ended_at IS NULL"
    else:
        _known(as_of, parameters)
        where += " AND happened_from + lasted + known_after <= ?"
    found = _read(file, makers, where, parameters)
    return tuple(coding.as_known(one, as_of) for one in found if coding.is_current(one, as_of))


def history(
    file: MemoryFile, makers: Makers, kind: MemoryKind, key: str, block: CoreBlock | None, as_of: Moment | None
) -> tuple[Memory, ...]:
    """See ``UserMemory.history``."""
    if kind not in LATEST_ONLY:
        raise OperationInvalid(f"{kind} memories have no versions; core and procedural values have")
    found = _read(file, makers, "kind = ? AND key = ?", [coding.KIND_CODES[kind], key])
    return tuple(
        coding.as_known(one, as_of)
        for one in found
        if coding.is_known(one, as_of) and (block is None or one.label == block)
    )


def memories(
    file: MemoryFile,
    makers: Makers,
    kind: MemoryKind,
    as_of: Moment | None,
    period: Period | None,
    *,
    ended: bool = False,
) -> tuple[Memory, ...]:
    """See ``UserMemory.memories``."""
    where, parameters = "kind = ?", [coding.KIND_CODES[kind]]
    if kind in LATEST_ONLY:
        where += " AND key IS NOT NULL"  # for the index
    if as_of is not None:
        where += " AND happened_from + lasted + known_after <= ?"
        _known(as_of, parameters)
    if period is not None and period.start is not None:
        where += " AND happened_from + lasted >= ?"
        parameters.append(coding.micros(period.start))
    if period is not None and period.end is not None:
        where += " AND happened_from <= ?"
        parameters.append(coding.micros(period.end))
    there = coding.is_current if kind in LATEST_ONLY and not ended else coding.is_known
    found = _read(file, makers, where, parameters)
    return tuple(coding.as_known(one, as_of) for one in found if there(one, as_of))


def memory(file: MemoryFile, makers: Makers, memory_id: str) -> Memory:
    """See ``UserMemory.memory``."""
    found = _read(file, makers, "name = ?", [coding.stored_id(memory_id)])
    if not found:
        raise NotRemembered(f"there is no memory {memory_id} in {file.path}; it was erased, or is another user's")
    return found[0]


def memory_of_row(file: MemoryFile, makers: Makers, row: int) -> Memory | None:
    """Return the memory of a row, None where it was erased."""
    found = _read(file, makers, "row = ?", [row])
    return found[0] if found else None


def personality_points(
    file: MemoryFile, makers: Makers, as_of: Moment | None, *, last: bool = False
) -> tuple[PersonalityPoint, ...]:
    """Return the personality curve up to a moment, oldest first; or its last point alone."""
    where, parameters = "1", list[Any]()
    if as_of is not None:
        where = "at <= ?"
        _known(as_of, parameters)
        if as_of.turns is not None:
            where += " AND turn < ?"
            parameters.append(as_of.turns)
    order = "DESC LIMIT 1" if last else "ASC"
    rows = file.query(
        f"SELECT {coding.PERSONALITY_COLUMNS} FROM personality WHERE {where} ORDER BY turn {order}",  # noqa: S608
        parameters,
    )
    return tuple(coding.read_personality(row, file.user_id, makers) for row in rows)


def personality_point(file: MemoryFile, makers: Makers, turn: int) -> PersonalityPoint | None:
    """Return the point of a turn, None where there is none."""
    rows = file.query(
        f"SELECT {coding.PERSONALITY_COLUMNS} FROM personality WHERE turn = ?",  # noqa: S608 - names of ours
        (turn,),
    )
    return coding.read_personality(rows[0], file.user_id, makers) if rows else None


def _known(as_of: Moment, parameters: list[Any]) -> None:
    parameters.append(coding.micros(as_of.at))


def _read(file: MemoryFile, makers: Makers, where: str, parameters: list[Any]) -> list[Memory]:
    rows = file.query(
        f"SELECT {coding.MEMORY_COLUMNS} FROM memories WHERE {where} ORDER BY row",  # noqa: S608 - names of ours
        parameters,
    )
    return [coding.read_memory(row, file.user_id, makers) for row in rows]
