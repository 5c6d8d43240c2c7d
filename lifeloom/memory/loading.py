"""A whole user's file in one go: made beside its place, filled, and put there by one rename."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from pydantic import Field

from lifeloom.memory import coding
from lifeloom.memory.consistency import check_memories, check_points, check_turns
from lifeloom.memory.database import UserMemory
from lifeloom.memory.errors import MemoryCorrupt, MemoryExists, OtherEncoder, OtherUser
from lifeloom.memory.ondisk import LOGS, clear_unfinished, put_in_place
from lifeloom.memory.types import DialogueTurn, Vector
from lifeloom.records import Memory, MemoryVector, Part, PersonalityPoint, Turn, VectorSpace

__all__ = ["BoundEncoder", "Contents", "fill", "load_user", "make_file", "sweep"]

_STORED = np.dtype("<f4")


class BoundEncoder(Part):
    """The encoder that a file's vectors are of."""

    name: str
    """``backend/model``; empty where nobody said."""
    dimensions: int = Field(ge=1)


@dataclass(frozen=True)
class Contents:
    """What a file is filled with, besides queue and media."""

    turns: Sequence[DialogueTurn]
    memories: Sequence[Memory]
    """In the order in which they became known."""
    vectors: Iterable[MemoryVector]
    personality: Iterable[PersonalityPoint]
    encoders: Mapping[VectorSpace, BoundEncoder] = field(default_factory=dict)
    """Kept also where there is no vector any more."""
    erased: frozenset[int] = frozenset()
    """Numbers of the turns that were erased."""


def load_user(
    path: str | os.PathLike[str],
    user_id: str,
    turns: Iterable[Turn],
    memories: Iterable[Memory],
    vectors: Iterable[MemoryVector] = (),
    personality: Iterable[PersonalityPoint] = (),
) -> UserMemory:
    """Make a user's file from the tables of a data set, and open it.

    Pictures stay where they are: ``media`` raises ``MediaGone`` for those that are not put in.

    Args:
        path: The file, which must not be there.
        user_id: Whose it is; the persona of the turns.
        turns: Of the user, in order; a new session wherever the session's id changes.
        memories: Of the user, in the order in which they became known.
        vectors: Of these memories.
        personality: The curve.

    Raises:
        MemoryExists: there is a file.
        OtherUser: a row is another user's.
        MemoryCorrupt: the rows do not fit together; the message says which.
        OtherEncoder: vectors of more than one encoder.
    """
    said: list[DialogueTurn] = []
    session_id, session = "", -1
    for turn in turns:
        if turn.persona_id != user_id:
            raise OtherUser(f"turn {turn.turn_id} is of {turn.persona_id!r}, not of {user_id!r}; give this user's rows")
        if turn.session_id != session_id:
            session_id, session = turn.session_id, session + 1
        said.append(
            DialogueTurn(
                turn.turn_index, session, turn.at, turn.offset_minutes, turn.user, turn.assistant, turn.pictures
            )
        )
    contents = Contents(said, tuple(memories), vectors, personality)
    return make_file(path, user_id, lambda memory: fill(memory, contents))


def make_file(path: str | os.PathLike[str], user_id: str, put: Callable[[UserMemory], None]) -> UserMemory:
    """Make a file beside ``path``, fill it, put it there and open it; a failure or a killed process leaves nothing.

    What a killed process left beside it is removed by the next call.

    Args:
        path: The file, which must not be there.
        user_id: Whose it is.
        put: Fills it.

    Raises:
        MemoryExists: there is a file.
        MemoryFailure: it cannot be written, or what ``put`` raises.
    """
    from lifeloom.store.processes import new_owner  # the data set store loads pyarrow

    place = Path(path).expanduser().absolute()
    if os.path.lexists(place):
        raise MemoryExists(f"there is a file {place} already; erase that user first, or choose another place")
    sweep(place)
    making = place.with_name(f"{place.name}.making.{new_owner()}")
    try:
        with UserMemory.open(making, user_id) as memory:
            put(memory)
        try:
            put_in_place(making, place)
        except FileExistsError:
            raise MemoryExists(f"there is a file {place} already; it came while this one was made") from None
    finally:
        for ending in ("", *LOGS):
            making.with_name(f"{making.name}{ending}").unlink(missing_ok=True)
    return UserMemory.open(place, user_id, create=False)


def sweep(place: Path) -> None:
    """Remove what processes that have ended left beside ``place`` when they were making it."""
    from lifeloom.store.processes import owner_is_gone

    prefix = f"{place.name}.making."
    if not place.parent.is_dir():
        return
    for left in list(place.parent.iterdir()):
        if left.name.startswith(prefix):
            owner = left.name.removeprefix(prefix)
            for ending in (*LOGS, ".new"):
                owner = owner.removesuffix(ending)
            if owner_is_gone(owner):
                left.unlink(missing_ok=True)
    clear_unfinished(place)


def fill(memory: UserMemory, contents: Contents) -> None:
    """Put everything into an empty file, in one transaction.

    Raises:
        OtherUser, MemoryCorrupt, OtherEncoder: as ``load_user``.
    """
    user_id = memory.user_id
    curve = tuple(contents.personality)
    check_turns(contents.turns, contents.erased)
    check_memories(contents.memories, user_id, contents.turns, contents.erased)
    check_points(curve, user_id, len(contents.turns), contents.erased)
    vectors, encoders = _decoded(contents, user_id)
    with memory.transaction() as sql:
        sql.executemany(
            f"INSERT INTO turns({coding.TURN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - names of ours
            map(coding.turn_row, contents.turns),
        )
        for space, encoder in encoders.items():
            memory.use_encoder(encoder.name, encoder.dimensions, space=space)
        memory.insert(contents.memories, vectors)
        sql.executemany("UPDATE turns SET erased = 1 WHERE turn = ?", [(index,) for index in sorted(contents.erased)])
        points = [coding.personality_row(point, memory.makers.number(sql, point.made_by)) for point in curve]
        sql.executemany("INSERT INTO personality VALUES (?, ?, ?, ?, ?, ?, ?, ?)", points)


def _decoded(
    contents: Contents, user_id: str
) -> tuple[dict[tuple[str, VectorSpace], Vector], dict[VectorSpace, BoundEncoder]]:
    there = {known.memory_id for known in contents.memories}
    vectors: dict[tuple[str, VectorSpace], Vector] = {}
    encoders: dict[VectorSpace, BoundEncoder] = dict(contents.encoders)
    for one in contents.vectors:
        if one.user_id != user_id:
            raise OtherUser(f"a vector of memory {one.memory_id} is of {one.user_id!r}, not of {user_id!r}")
        if one.memory_id not in there:
            raise MemoryCorrupt(f"there is a vector of memory {one.memory_id}, but no such memory")
        try:
            vector = np.frombuffer(base64.b64decode(one.values, validate=True), dtype=_STORED)
        except (binascii.Error, ValueError) as error:
            raise MemoryCorrupt(f"the vector of memory {one.memory_id} cannot be read ({error})") from error
        bound = encoders.get(one.space)
        if bound is None:
            if not len(vector):
                raise MemoryCorrupt(f"the vector of memory {one.memory_id} is empty")
            bound = encoders[one.space] = BoundEncoder(name=one.encoder, dimensions=len(vector))
        if (bound.name, bound.dimensions) != (one.encoder, len(vector)):
            raise OtherEncoder(
                f"{one.space} vectors are of {bound.name or 'an unnamed encoder'} with {bound.dimensions} numbers and "
                f"of {one.encoder or 'an unnamed encoder'} with {len(vector)}; use one encoder"
            )
        vectors[one.memory_id, one.space] = vector
    return vectors, encoders
