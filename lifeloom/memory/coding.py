"""How records and rows of a user's file turn into each other."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from pydantic import BaseModel, ValidationError

from lifeloom.memory.errors import MemoryCorrupt, TextInvalid, TimeInvalid
from lifeloom.memory.types import DialogueTurn
from lifeloom.records import (
    TRAITS,
    BigFiveProfile,
    Memory,
    MemoryKind,
    Moment,
    PersonalityPoint,
    PictureReference,
    Provenance,
)

__all__ = [
    "KIND_CODES",
    "MEMORY_COLUMNS",
    "PERSONALITY_COLUMNS",
    "TURN_COLUMNS",
    "StoredId",
    "as_known",
    "check_text",
    "first_memory_id",
    "is_current",
    "is_known",
    "label_code",
    "memory_row",
    "micros",
    "nth_memory_id",
    "numbers",
    "personality_row",
    "pictures_text",
    "read_id",
    "read_memory",
    "read_numbers",
    "read_personality",
    "read_time",
    "read_turn",
    "read_words",
    "stored_id",
    "trusted_memory",
    "turn_row",
    "words_text",
]

StoredId: TypeAlias = int | str

KINDS: Final[tuple[MemoryKind, ...]] = ("core", "semantic", "episodic", "procedural")
KIND_CODES: Final[Mapping[str, int]] = {kind: code for code, kind in enumerate(KINDS)}
_LABELS: Final = ("", "directive", "fact", "preference", "visual_concept", "human", "persona")
_LABEL_CODES: Final = {label: code for code, label in enumerate(_LABELS)}

MEMORY_COLUMNS: Final = (
    "row, name, kind, label, key, content, keywords, sources, happened_from, lasted, known_after, known_turns, "
    "replaces, replaced_by, ended_at, ended_turns, ended_by, crop, maker"
)
TURN_COLUMNS: Final = "turn, session, at, offset_minutes, user, assistant, pictures"
PERSONALITY_COLUMNS: Final = "turn, at, inferred, applied, skipped, smoothing, profile, maker"

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND: Final = dt.timedelta(microseconds=1)
_FIRST: Final = (dt.datetime.min.replace(tzinfo=dt.UTC) - _EPOCH) // _MICROSECOND
_LAST: Final = (dt.datetime.max.replace(tzinfo=dt.UTC) - _EPOCH) // _MICROSECOND
_LAST_ID: Final = (1 << 63) - 1
"""Ids that are made here are positive in the file, where numbers have a sign."""
_HASHED: Final = re.compile("m-[0-9a-f]{16}")
_BAD_ROW = (ValueError, TypeError, KeyError, IndexError, OverflowError, ValidationError)


def micros(at: dt.datetime) -> int:
    """Return microseconds since 1970 UTC.

    Raises:
        TimeInvalid: no zone, or outside years 1 to 9999 in UTC.
    """
    if at.tzinfo is None:
        raise TimeInvalid(f"the time {at.isoformat()} has no zone; give it one, for example dt.UTC")
    since = at - _EPOCH
    count = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    if not _FIRST <= count <= _LAST:
        raise TimeInvalid(f"the time {at.isoformat()} lies outside the years 1 to 9999 in UTC; give one inside")
    return count


def read_time(count: int) -> dt.datetime:
    """Return the moment, in UTC."""
    return _EPOCH + dt.timedelta(microseconds=count)


def check_text(text: str, what: str) -> str:
    """Return ``text`` as it is.

    Raises:
        TextInvalid: it holds half of a surrogate pair, which no file can hold.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TextInvalid(
            f"{what} holds half of a surrogate pair (U+{ord(text[error.start]):04X}) at character "
            f"{error.start + 1}; replace it"
        ) from None
    return text


def first_memory_id(user_id: str, job: str) -> int:
    """Return the number of the memory that the first operation of a user's job makes.

    Two users' memories have different numbers, so an id leads to one memory in a data set of many users too.
    """
    return int.from_bytes(hashlib.blake2b(f"{user_id}\x1f{job}".encode(), digest_size=8).digest(), "big") & _LAST_ID


def nth_memory_id(first: int, position: int) -> tuple[str, int]:
    """Return the id of the memory that operation ``position`` of a job makes, and what stands for it in the file.

    Ids of a job follow each other, which keeps them together in the file's index.
    """
    number = (first + position) & _LAST_ID
    return "m-%016x" % number, number  # noqa: UP031 - a third faster than an f-string


def label_code(label: str) -> int | str:
    """Return what stands for a label in the file."""
    return _LABEL_CODES.get(label, label)


def stored_id(memory_id: str) -> StoredId:
    """Return what stands for an id in the file: a number for ids of 16 hexadecimal digits, else the id."""
    if _HASHED.fullmatch(memory_id):
        value = int(memory_id[2:], 16)
        return value - (1 << 64) if value >> 63 else value
    return memory_id


def read_id(stored: StoredId | None) -> str:
    """Return the id that ``stored`` stands for; empty for none."""
    if stored is None:
        return ""
    return stored if isinstance(stored, str) else f"m-{stored & 0xFFFF_FFFF_FFFF_FFFF:016x}"


def numbers(values: Iterable[int]) -> str:
    """Return ``values`` as text."""
    return " ".join(map(str, values))


def read_numbers(text: str | None) -> tuple[int, ...]:
    """Return the numbers that ``text`` holds."""
    return tuple(map(int, text.split())) if text else ()


def pictures_text(pictures: Sequence[PictureReference]) -> str | None:
    """Return pictures as text; None for none."""
    return " ".join(f"{one.content_hash}/{one.width}/{one.height}" for one in pictures) or None


def _pictures(text: str | None) -> tuple[PictureReference, ...]:
    parts = (one.split("/") for one in (text or "").split())
    return tuple(PictureReference(content_hash=name, width=int(w), height=int(h)) for name, w, h in parts)


def words_text(words: tuple[str, ...]) -> str | None:
    """Return keywords as text: a line each, or JSON where that does not tell them apart."""
    joined = "\n".join(words)
    if joined.count("\n") == len(words) - 1 and joined and not joined.startswith("["):
        return joined
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")) if words else None


def read_words(text: str | None) -> tuple[str, ...]:
    """Return the keywords that ``text`` holds."""
    if not text:
        return ()
    return tuple(json.loads(text)) if text.startswith("[") else tuple(text.split("\n"))


def memory_row(row: int, memory: Memory, maker: int) -> tuple[Any, ...]:
    """Return the values of ``MEMORY_COLUMNS`` for a memory."""
    ended = memory.ended_at is not None
    first, last = micros(memory.happened_from), micros(memory.happened_to)
    return (
        row,
        stored_id(memory.memory_id),
        KIND_CODES[memory.kind],
        label_code(memory.label),
        memory.key or None,
        memory.content,
        words_text(memory.keywords),
        numbers(memory.source_turns),
        first,
        last - first,
        micros(memory.known_at) - last,
        memory.known_turns,
        stored_id(memory.replaces) if memory.replaces else None,
        stored_id(memory.replaced_by) if memory.replaced_by else None,
        micros(memory.ended_at) if memory.ended_at is not None else None,
        memory.ended_turns,
        numbers(memory.ended_by_turns) if ended else None,
        pictures_text((memory.crop,)) if memory.crop else None,
        maker,
    )


_ALL_FIELDS: Final = set(Memory.model_fields)
_new = Memory.__new__
_set_values, _set_fields, _set_extra, _set_private = (
    vars(BaseModel)[name].__set__
    for name in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


def trusted_memory(values: dict[str, Any]) -> Memory:
    """Return a memory of values that are known to be valid: all fields, times in UTC.

    What ``model_construct`` does without looking at each field, which takes a tenth of the time of a validation.
    """
    memory = _new(Memory)
    _set_values(memory, values)
    _set_fields(memory, _ALL_FIELDS)
    _set_extra(memory, None)
    _set_private(memory, None)
    return memory


def read_memory(values: Sequence[Any], user_id: str, makers: Mapping[int, Provenance]) -> Memory:
    """Return the memory of a row of ``MEMORY_COLUMNS``.

    Raises:
        MemoryCorrupt: the row is none that was ever written.
    """
    (row, name, kind, label, key, content, words, sources, began, lasted, known_after, known_turns) = values[:12]
    replaces, replaced_by, ended_at, ended_turns, ended_by, crop, maker = values[12:]
    try:
        if not (isinstance(content, str) and content and isinstance(known_turns, int)):
            raise ValueError("there is no content")
        happened_from = read_time(began)
        happened_to = read_time(began + lasted) if lasted else happened_from
        return trusted_memory(
            {
                "user_id": user_id,
                "memory_id": read_id(name),
                "kind": KINDS[kind],
                "label": label if isinstance(label, str) else _LABELS[label],
                "key": key or "",
                "content": content,
                "keywords": read_words(words),
                "source_turns": read_numbers(sources),
                "happened_from": happened_from,
                "happened_to": happened_to,
                "known_at": read_time(began + lasted + known_after) if known_after else happened_to,
                "known_turns": known_turns,
                "replaces": read_id(replaces),
                "replaced_by": read_id(replaced_by),
                "ended_at": None if ended_at is None else read_time(ended_at),
                "ended_turns": ended_turns,
                "ended_by_turns": read_numbers(ended_by),
                "crop": _pictures(crop)[0] if crop else None,
                "made_by": makers[maker],
            }
        )
    except _BAD_ROW as error:
        raise MemoryCorrupt(
            f"memory row {row} of {user_id!r} cannot be read ({error}); the file was overwritten: bring it back "
            "from a copy or an export"
        ) from error


def turn_row(turn: DialogueTurn) -> tuple[Any, ...]:
    """Return the values of ``TURN_COLUMNS``. Raises TimeInvalid, TextInvalid."""
    return (
        turn.index,
        turn.session,
        micros(turn.at),
        turn.offset_minutes,
        check_text(turn.user, "the user's text"),
        check_text(turn.assistant, "the assistant's text"),
        pictures_text(turn.pictures),
    )


def read_turn(values: Sequence[Any]) -> DialogueTurn:
    """Return the turn of a row of ``TURN_COLUMNS``, its time in UTC. Raises MemoryCorrupt."""
    index, session, at, offset, user, assistant, pictures = values
    try:
        return DialogueTurn(index, session, read_time(at), offset, user, assistant, _pictures(pictures))
    except _BAD_ROW as error:
        raise MemoryCorrupt(f"turn {index} cannot be read ({error}); the file was overwritten") from error


def personality_row(point: PersonalityPoint, maker: int) -> tuple[Any, ...]:
    """Return the values of ``PERSONALITY_COLUMNS``."""
    return (
        point.turn_index,
        micros(point.at),
        numbers(point.inferred),
        int(point.applied),
        point.skipped,
        point.smoothing,
        " ".join(map(repr, point.profile.vector())),
        maker,
    )


def read_personality(values: Sequence[Any], user_id: str, makers: Mapping[int, Provenance]) -> PersonalityPoint:
    """Return the point of a row of ``PERSONALITY_COLUMNS``. Raises MemoryCorrupt."""
    turn, at, inferred, applied, skipped, smoothing, profile, maker = values
    try:
        return PersonalityPoint(
            user_id=user_id,
            turn_index=turn,
            at=read_time(at),
            inferred=read_numbers(inferred),
            applied=bool(applied),
            skipped=skipped,
            smoothing=smoothing,
            profile=BigFiveProfile(**dict(zip(TRAITS, map(float, profile.split()), strict=True))),
            made_by=makers[maker],
        )
    except _BAD_ROW as error:
        raise MemoryCorrupt(
            f"the personality of turn {turn} cannot be read ({error}); the file was overwritten"
        ) from error


def is_known(memory: Memory, as_of: Moment | None) -> bool:
    """Whether a memory was known at a moment; at None, always."""
    return as_of is None or (memory.known_at <= as_of.at and (as_of.turns is None or memory.known_turns <= as_of.turns))


def _is_ended(memory: Memory, as_of: Moment | None) -> bool:
    if memory.ended_at is None or as_of is None:
        return memory.ended_at is not None
    return memory.ended_at <= as_of.at and (as_of.turns is None or (memory.ended_turns or 0) <= as_of.turns)


def is_current(memory: Memory, as_of: Moment | None) -> bool:
    """Whether a value was known and held at a moment; at None, whether it holds."""
    return is_known(memory, as_of) and not _is_ended(memory, as_of)


def as_known(memory: Memory, as_of: Moment | None) -> Memory:
    """Return a memory as it was known at a moment: without an end that came later."""
    if memory.ended_at is None or _is_ended(memory, as_of):
        return memory
    return memory.model_copy(update={"replaced_by": "", "ended_at": None, "ended_turns": None, "ended_by_turns": ()})
