"""A user's memory as one JSON file and a folder of pictures, and back. The round trip is exact."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

import numpy as np
from pydantic import Field, ValidationError

from lifeloom.memory import coding
from lifeloom.memory.consistency import check_once
from lifeloom.memory.database import UserMemory
from lifeloom.memory.erasure import TURN_EFFECTS
from lifeloom.memory.errors import (
    MediaGone,
    MemoryCorrupt,
    MemoryFailure,
    MemoryFormatError,
    NotRemembered,
    OtherUser,
)
from lifeloom.memory.jobs import is_effect
from lifeloom.memory.loading import BoundEncoder, Contents, fill, load_user, make_file
from lifeloom.memory.types import DialogueTurn
from lifeloom.memory.users import check_user_id
from lifeloom.memory.vectors import dimensions_of, encoder_of, read_vectors
from lifeloom.records import (
    Memory,
    MemoryVector,
    Part,
    PersonalityPoint,
    PictureReference,
    UtcTime,
    VectorSpace,
)

__all__ = ["EXPORT_FORMAT", "UserExport", "export_of", "export_user", "exported_user", "import_user", "load_user"]

EXPORT_FORMAT: Final = 1
"""Raised by one whenever the fields change."""

_JSON: Final = "user.json"
_MEDIA: Final = "media"
_KEPT: Final = re.compile(r"\.?([0-9a-f]{64})(\.part)?")
"""Pictures, and what a killed export left of one."""
_SPACES: Final[tuple[VectorSpace, ...]] = ("text", "image")
_STORED: Final = np.dtype("<f4")


class ExportedTurn(Part):
    """A turn as it was said."""

    index: int = Field(ge=0)
    session: int = Field(ge=0)
    at: UtcTime
    offset_minutes: int
    user: str
    assistant: str
    pictures: tuple[PictureReference, ...] = ()
    erased: bool = False
    """Its texts were erased; its number stays."""


class DoneJob(Part):
    """An update that was made, so that it is not made again."""

    job: str
    effects: tuple[str, ...]
    """What it did, in order: a letter, a colon, and the memories or turns concerned, with commas between."""


class QueuedJob(Part):
    """An update that waits."""

    job: str
    payload: str


class RejectedJob(Part):
    """An update that could not be made."""

    job: str
    reason: str
    detail: str


class UserExport(Part):
    """Everything that is remembered of a user, but for the bytes of pictures."""

    format: Literal[1] = EXPORT_FORMAT
    user_id: str
    turns: tuple[ExportedTurn, ...]
    """By number."""
    memories: tuple[Memory, ...]
    """In the order in which they became known, all versions."""
    vectors: tuple[MemoryVector, ...]
    encoders: dict[VectorSpace, BoundEncoder]
    personality: tuple[PersonalityPoint, ...]
    """By turn."""
    done: tuple[DoneJob, ...]
    """By name."""
    queue: tuple[QueuedJob, ...]
    """First come first."""
    rejections: tuple[RejectedJob, ...]
    """First come first."""
    media: tuple[PictureReference, ...]
    """The pictures that lie beside it, by hash."""


def export_of(memory: UserMemory) -> UserExport:
    """Return everything that is remembered of a user at one moment, but for the bytes of pictures.

    Raises:
        MemoryFailure: the memory cannot be read.
    """
    with memory.snapshot() as sql:
        return _export(memory, sql)


def export_user(memory: UserMemory, folder: str | os.PathLike[str]) -> Path:
    """Write everything that is remembered of a user to ``folder``: ``user.json`` and ``media/<hash>``.

    The file is one moment of the memory, written last and put there by one rename. An earlier export of the same user
    is replaced, and pictures of it that are gone are removed.

    Returns:
        The JSON file.

    Raises:
        OtherUser: the folder holds another user's export.
        MemoryFailure: the memory cannot be read, or the folder cannot be written.
    """
    place = Path(folder).expanduser().absolute()
    target = place / _JSON
    try:
        if target.exists():
            there = _owner(target)
            if there != memory.user_id:
                raise OtherUser(f"{place} holds the export of {there!r}; export {memory.user_id!r} to another folder")
        (place / _MEDIA).mkdir(parents=True, exist_ok=True)
        with memory.snapshot() as sql:
            export = _export(memory, sql)
            for picture in export.media:
                (data,) = sql.execute(
                    "SELECT data FROM media WHERE content_hash = ?", (picture.content_hash,)
                ).fetchone()
                _write(place / _MEDIA / picture.content_hash, data)
        _write(target, (export.model_dump_json(indent=1) + "\n").encode())
        wanted = {picture.content_hash for picture in export.media}
        for file in list((place / _MEDIA).iterdir()):
            if _KEPT.fullmatch(file.name) and file.name not in wanted:
                file.unlink()
    except OSError as error:
        raise MemoryFailure(
            f"the export of {memory.user_id!r} cannot be written to {place} ({error}); check that the folder can be "
            "written and the disk is not full, then export again"
        ) from error
    return target


def exported_user(folder: str | os.PathLike[str]) -> str:
    """Return whose export lies in ``folder``.

    Raises:
        NotRemembered: there is no export in the folder.
        MemoryCorrupt: it is damaged, or no export.
        UserIdInvalid: the user's id cannot be one.
    """
    path = Path(folder).expanduser().absolute() / _JSON
    user_id = _owner(path)
    if not isinstance(user_id, str):
        raise MemoryCorrupt(f"{path} does not say whose export it is; give the folder that the export went to")
    return check_user_id(user_id)


def import_user(folder: str | os.PathLike[str], path: str | os.PathLike[str], user_id: str | None = None) -> UserMemory:
    """Make a user's file from an export, and open it. Either all of it is there afterwards, or no file.

    Args:
        folder: As ``export_user`` wrote it.
        path: The file, which must not be there.
        user_id: Whose export is expected; None: whoever's it is.

    Raises:
        NotRemembered: there is no export in the folder.
        MemoryCorrupt: it is damaged, or contradicts itself; the message names what.
        MemoryFormatError: it is of a newer version.
        OtherUser: it is another user's than expected.
        MediaGone: a picture is missing beside it, or damaged.
        MemoryExists: there is a file at ``path``.
    """
    place = Path(folder).expanduser().absolute()
    export = _read(place / _JSON)
    if user_id is not None and export.user_id != user_id:
        raise OtherUser(f"{place} holds the export of {export.user_id!r}, not of {user_id!r}")
    check_user_id(export.user_id)
    check_once("the picture", (picture.content_hash for picture in export.media))
    for jobs in (export.done, export.queue, export.rejections):
        check_once("the update", (one.job for one in jobs))
    over = {one.job for one in export.done} | {one.job for one in export.rejections}
    if again := next((one.job for one in export.queue if one.job in over), ""):
        raise MemoryCorrupt(f"the update {again} waits and is over too; leave one out")
    for picture in export.media:
        _picture(place, picture)
    return make_file(path, export.user_id, lambda memory: _put(memory, export, place))


def _export(memory: UserMemory, sql: sqlite3.Connection) -> UserExport:
    makers = memory.makers
    turns = [
        (coding.read_turn(values[:-1]), bool(values[-1]))
        for values in sql.execute(f"SELECT {coding.TURN_COLUMNS}, erased FROM turns ORDER BY turn")  # noqa: S608
    ]
    rows = sql.execute(
        f"SELECT {coding.MEMORY_COLUMNS}, slot, crop_slot FROM memories ORDER BY row"  # noqa: S608 - names of ours
    ).fetchall()
    memories = [coding.read_memory(values[:-2], memory.user_id, makers) for values in rows]
    names = {values[0]: known.memory_id for values, known in zip(rows, memories, strict=True)}
    points = sql.execute(f"SELECT {coding.PERSONALITY_COLUMNS} FROM personality ORDER BY turn")  # noqa: S608
    encoders: dict[VectorSpace, BoundEncoder] = {}
    vectors: list[MemoryVector] = []
    for space, column in zip(_SPACES, (-2, -1), strict=True):
        width = dimensions_of(sql, space)
        if not width:
            continue
        encoders[space] = BoundEncoder(name=encoder_of(sql, space), dimensions=width)
        slots = {values[0]: values[column] for values in rows if values[column] is not None}
        stored = read_vectors(sql, space, list(slots.values())).astype(_STORED, copy=False)
        vectors.extend(
            MemoryVector(
                user_id=memory.user_id,
                memory_id=names[row],
                space=space,
                encoder=encoders[space].name,
                values=base64.b64encode(vector.tobytes()).decode("ascii"),
            )
            for row, vector in zip(slots, stored, strict=True)
        )
    return UserExport(
        user_id=memory.user_id,
        turns=tuple(_exported(turn, erased) for turn, erased in turns),
        memories=tuple(memories),
        vectors=tuple(vectors),
        encoders=encoders,
        personality=tuple(coding.read_personality(values, memory.user_id, makers) for values in points),
        done=tuple(
            DoneJob(job=job, effects=tuple(_named(effect, names) for effect in effects.split()))
            for job, effects in sql.execute("SELECT name, effects FROM jobs ORDER BY name")
        ),
        queue=tuple(
            QueuedJob(job=job, payload=payload)
            for job, payload in sql.execute("SELECT job, payload FROM queue ORDER BY place")
        ),
        rejections=tuple(
            RejectedJob(job=job, reason=reason, detail=detail)
            for job, reason, detail in sql.execute("SELECT job, reason, detail FROM rejections ORDER BY place")
        ),
        media=tuple(
            PictureReference(content_hash=content_hash, width=width, height=height)
            for content_hash, width, height in sql.execute(
                "SELECT content_hash, width, height FROM media ORDER BY content_hash"
            )
        ),
    )


def _put(memory: UserMemory, export: UserExport, place: Path) -> None:
    turns = [
        DialogueTurn(one.index, one.session, one.at, one.offset_minutes, one.user, one.assistant, one.pictures)
        for one in export.turns
    ]
    with memory.transaction() as sql:
        for picture in export.media:
            data = _picture(place, picture)
            sql.execute(
                "INSERT INTO media VALUES (?, ?, ?, ?)", (picture.content_hash, picture.width, picture.height, data)
            )
        erased = frozenset(one.index for one in export.turns if one.erased)
        fill(memory, Contents(turns, export.memories, export.vectors, export.personality, export.encoders, erased))
        points = {str(point.turn_index): point.turn_index for point in export.personality}
        rows = {coding.read_id(name): row for row, name in sql.execute("SELECT row, name FROM memories").fetchall()}
        sql.executemany(
            "INSERT INTO jobs VALUES (?, ?)",
            [
                (one.job, " ".join(_numbered(effect, rows, points, one.job) for effect in one.effects))
                for one in export.done
            ],
        )
        sql.executemany(
            "INSERT INTO queue(job, place, payload) VALUES (?, ?, ?)",
            [(one.job, number, one.payload) for number, one in enumerate(export.queue, 1)],
        )
        sql.executemany(
            "INSERT INTO rejections(job, place, reason, detail) VALUES (?, ?, ?, ?)",
            [(one.job, number, one.reason, one.detail) for number, one in enumerate(export.rejections, 1)],
        )


def _exported(turn: DialogueTurn, erased: bool) -> ExportedTurn:
    return ExportedTurn(
        index=turn.index,
        session=turn.session,
        at=turn.at,
        offset_minutes=turn.offset_minutes,
        user=turn.user,
        assistant=turn.assistant,
        pictures=turn.pictures,
        erased=erased,
    )


def _named(effect: str, names: Mapping[int, str]) -> str:
    """Return what a job did with ids for rows, whose numbers are the file's own."""
    kind, numbers = effect[:1], effect[1:]
    if kind in TURN_EFFECTS or not numbers:
        return f"{kind}:{numbers}"
    return f"{kind}:{','.join(names[int(number)] for number in numbers.split(','))}"


def _numbered(effect: str, rows: Mapping[str, int], points: Mapping[str, int], job: str) -> str:
    kind, colon, rest = effect.partition(":")
    names = rest.split(",") if rest else []
    there = points if kind in TURN_EFFECTS else rows
    numbered = kind + ",".join(str(there.get(name, "?")) for name in names)
    if not colon or not is_effect(numbered):
        raise MemoryCorrupt(
            f"what the update {job!r} did cannot be read, or is not there ({effect!r}); export the user again"
        )
    return numbered


def _read(path: Path) -> UserExport:
    raw = _parsed(path)
    version = raw.get("format")
    if isinstance(version, int) and version > EXPORT_FORMAT:
        raise MemoryFormatError(
            f"{path} is an export of format {version}, this version of Lifeloom knows {EXPORT_FORMAT}; use the newer "
            "version"
        )
    try:
        return UserExport.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "its beginning"
        raise MemoryCorrupt(
            f"the export {path} is damaged at {where} ({first['msg']}); export the user again, or use another copy"
        ) from error


def _owner(path: Path) -> object:
    return _parsed(path).get("user_id")


def _parsed(path: Path) -> dict[str, object]:
    try:
        raw = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise NotRemembered(f"there is no export: {path} is missing; give the folder that the export went to") from None
    except OSError as error:
        raise MemoryFailure(f"the export {path} cannot be read ({error}); check its rights") from error
    except (ValueError, RecursionError) as error:
        raise MemoryCorrupt(
            f"the export {path} is damaged ({error}); export the user again, or use another copy"
        ) from error
    if not isinstance(raw, dict):
        raise MemoryCorrupt(f"{path} is no export of a user; give the folder that the export went to")
    return raw


def _picture(place: Path, picture: PictureReference) -> bytes:
    path = place / _MEDIA / picture.content_hash
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MediaGone(
            f"the picture {path} of the export cannot be read ({error}); bring it back, or export again"
        ) from error
    if hashlib.sha256(data).hexdigest() != picture.content_hash:
        raise MediaGone(f"the picture {path} of the export is damaged; bring it back from a copy, or export again")
    return data


def _write(path: Path, data: bytes) -> None:
    """Write a file aside and put it there by one rename."""
    beside = path.with_name(f".{path.name}.part")
    beside.write_bytes(data)
    beside.replace(path)
