"""Raw dialogue and pictures: what was said is always kept (PersonaVLM Appendix A.1)."""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Any

from pydantic import ValidationError

from lifeloom.memory import coding
from lifeloom.memory.errors import MediaGone, MemoryCorrupt, NotRemembered, OperationInvalid, OutOfOrder, TimeInvalid
from lifeloom.memory.file import MemoryFile
from lifeloom.memory.types import DialogueTurn
from lifeloom.records import Moment, PictureReference

__all__ = ["add_turn", "media", "put_media", "set_reply", "turn_count", "turns"]

_DAY: int = 24 * 60


def add_turn(sql: sqlite3.Connection, turn: DialogueTurn) -> None:
    """See ``UserMemory.add_turn``."""
    row = coding.turn_row(turn)
    if abs(turn.offset_minutes) >= _DAY:
        raise TimeInvalid(f"an offset of {turn.offset_minutes} minutes is no zone; it is less than a day")
    last = sql.execute("SELECT turn, session, at FROM turns ORDER BY turn DESC LIMIT 1").fetchone()
    expected = 0 if last is None else last[0] + 1
    if turn.index < expected:
        _same(sql, row)
        return
    if turn.index > expected:
        raise OutOfOrder(f"the next turn is number {expected}, not {turn.index}; turns are numbered without gaps")
    if last is not None:
        if row[2] < last[2]:
            raise OutOfOrder(
                f"turn {turn.index} at {turn.at.isoformat()} is earlier than turn {last[0]} at "
                f"{coding.read_time(last[2]).isoformat()}; sort the turns by time before adding them"
            )
        if turn.session < last[1]:
            raise OutOfOrder(f"turn {turn.index} is of session {turn.session}, but session {last[1]} has begun already")
    sql.execute("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, 0)", row)


def _same(sql: sqlite3.Connection, row: tuple[Any, ...]) -> None:
    """Raise OutOfOrder unless the turn of ``row`` is there just so; its reply may have been given since."""
    there = sql.execute(
        f"SELECT {coding.TURN_COLUMNS}, erased FROM turns WHERE turn = ?",  # noqa: S608 - names of ours
        (row[0],),
    ).fetchone()
    if there is not None and there[7]:
        raise OutOfOrder(f"turn {row[0]} was erased; what is said next is a turn of its own")
    reply = there[5] if there is not None and not row[5] else row[5]
    if there is None or there[:7] != (*row[:5], reply, row[6]):
        raise OutOfOrder(f"turn {row[0]} is there already and is another one; what is said next is a turn of its own")


def set_reply(sql: sqlite3.Connection, index: int, assistant: str) -> None:
    """See ``UserMemory.set_reply``."""
    there = sql.execute("SELECT assistant FROM turns WHERE turn = ? AND NOT erased", (index,)).fetchone()
    if there is None:
        raise NotRemembered(f"turn {index} is not remembered: it was never said, or was erased")
    if there[0] not in ("", assistant):
        raise OperationInvalid(f"turn {index} has another reply already; a reply is given once")
    sql.execute("UPDATE turns SET assistant = ? WHERE turn = ?", (coding.check_text(assistant, "the reply"), index))


def turns(file: MemoryFile, first: int, last: int | None, as_of: Moment | None) -> tuple[DialogueTurn, ...]:
    """See ``UserMemory.turns``."""
    where, parameters = ["NOT erased", "turn >= ?"], [first]
    if last is not None:
        where.append("turn <= ?")
        parameters.append(last)
    _known(where, parameters, as_of)
    rows = file.query(
        f"SELECT {coding.TURN_COLUMNS} FROM turns WHERE {' AND '.join(where)} ORDER BY turn",  # noqa: S608
        parameters,
    )
    return tuple(map(coding.read_turn, rows))


def turn_count(file: MemoryFile, as_of: Moment | None) -> int:
    """See ``UserMemory.turn_count``."""
    where, parameters = ["1"], list[int]()
    _known(where, parameters, as_of)
    # Times do not go back, so the last that was known is the first from the end.
    rows = file.query(
        f"SELECT turn + 1 FROM turns WHERE {' AND '.join(where)} ORDER BY turn DESC LIMIT 1",  # noqa: S608
        parameters,
    )
    return int(rows[0][0]) if rows else 0


def _known(where: list[str], parameters: list[int], as_of: Moment | None) -> None:
    if as_of is not None:
        where.append("at <= ?")
        parameters.append(coding.micros(as_of.at))
        if as_of.turns is not None:
            where.append("turn < ?")
            parameters.append(as_of.turns)


def put_media(sql: sqlite3.Connection, data: bytes, width: int, height: int) -> PictureReference:
    """See ``UserMemory.put_media``."""
    try:
        reference = PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=width, height=height)
    except ValidationError as error:
        raise OperationInvalid(f"a picture of {width} × {height} pixels cannot be kept: {error}") from error
    sql.execute("INSERT OR IGNORE INTO media VALUES (?, ?, ?, ?)", (reference.content_hash, width, height, data))
    return reference


def media(file: MemoryFile, content_hash: str) -> bytes:
    """See ``UserMemory.media``."""
    rows = file.query("SELECT data FROM media WHERE content_hash = ?", (content_hash,))
    if not rows:
        raise MediaGone(f"the picture {content_hash} is not in {file.path}; it was erased, or never put there")
    data = bytes(rows[0][0])
    if hashlib.sha256(data).hexdigest() != content_hash:
        raise MemoryCorrupt(f"the picture {content_hash} in {file.path} has other bytes; the file was overwritten")
    return data
