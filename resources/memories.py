"""Memories of a data set's users as database files: what the policies and `lifeloom chat --like` open."""

from __future__ import annotations

import collections
import contextlib
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from lifeloom.memory import MemoryExists, NotRemembered, UserMemory, load_user, user_file
from lifeloom.records import Memory, MemoryVector, PersonalityPoint, Turn
from lifeloom.store import DatasetStore
from lifeloom.store.processes import new_owner, owner_is_gone

__all__ = ["MemoryLibrary", "building_folder"]

_BUILDING = "building."
_OPEN = 16  # files kept open: cases are asked user by user, several at once

RowT = TypeVar("RowT", Memory, MemoryVector, PersonalityPoint)


@contextlib.contextmanager
def building_folder(cache: Path) -> Iterator[Path]:
    """Give a folder of the home for memory files that are only made to be taken apart; it goes at the end.

    What killed processes left of theirs goes too.
    """
    place = cache / "memories"
    place.mkdir(parents=True, exist_ok=True)
    for left in place.glob(f"{_BUILDING}*"):
        if owner_is_gone(left.name.removeprefix(_BUILDING)):
            shutil.rmtree(left, ignore_errors=True)  # another process may remove it as well
    folder = place / f"{_BUILDING}{new_owner()}"
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class MemoryLibrary:
    """The users of one data set of memories, each as a database file that is made when it is first asked for.

    The files are a cache: they follow from the data set, whose content hash names their folder. Safe to use from
    threads; two processes may make the same file.

    Args:
        store: Where the data sets lie.
        memories_key: A data set of memories, ``release/memories/2026-01-05``.
        dialogues_key: The conversations that they were made from.
        cache: Folder for the files.

    Raises:
        DatasetMissing: one of them has not been made.
    """

    def __init__(self, store: DatasetStore, memories_key: str, dialogues_key: str, cache: Path) -> None:
        self._store = store
        self._memories_key = memories_key
        self._dialogues_key = dialogues_key
        self._folder = cache / "memories" / store.manifest(memories_key).content_hash[:16]
        self._lock = threading.Lock()
        self._open: collections.OrderedDict[str, UserMemory] = collections.OrderedDict()
        self._rows: _Rows | None = None

    def of(self, user_id: str) -> UserMemory:
        """Return the memory of a user, to be read only.

        Raises:
            NotRemembered: the data set has no such user.
            MemoryFailure: the file cannot be made or opened.
        """
        with self._lock:
            memory = self._open.pop(user_id, None) or self._opened(user_id)
            self._open[user_id] = memory
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)  # closed when nobody holds it any more
            return memory

    def users(self) -> list[str]:
        """Return the ids of the users, sorted."""
        with self._lock:
            return sorted(self._read().turns)

    def _opened(self, user_id: str) -> UserMemory:
        path = user_file(self._folder, user_id)
        if not path.exists():
            rows = self._read()
            if user_id not in rows.turns:
                raise NotRemembered(f"{self._memories_key} has no user {user_id!r}")
            with contextlib.suppress(MemoryExists):  # another process has made the same file meanwhile
                load_user(
                    path,
                    user_id,
                    turns=rows.turns[user_id],
                    memories=rows.memories.get(user_id, ()),
                    vectors=rows.vectors.get(user_id, ()),
                    personality=rows.personality.get(user_id, ()),
                ).close()
        return UserMemory.open(path, user_id, create=False, read_only=True)

    def _read(self) -> _Rows:
        if self._rows is None:
            turns: dict[str, list[Turn]] = {}
            for turn in self._store.read(self._dialogues_key, "turns", Turn):
                turns.setdefault(turn.persona_id, []).append(turn)
            self._rows = _Rows(
                turns, self._by_user("memories", Memory), self._by_user("vectors", MemoryVector),
                self._by_user("personality", PersonalityPoint),
            )  # fmt: skip
        return self._rows

    def _by_user(self, table: str, record: type[RowT]) -> dict[str, list[RowT]]:
        rows: dict[str, list[RowT]] = {}
        for row in self._store.read(self._memories_key, table, record):
            rows.setdefault(row.user_id, []).append(row)
        return rows


class _Rows:
    """Everything of a data set, by user."""

    def __init__(
        self,
        turns: dict[str, list[Turn]],
        memories: dict[str, list[Memory]],
        vectors: dict[str, list[MemoryVector]],
        personality: dict[str, list[PersonalityPoint]],
    ) -> None:
        self.turns = turns
        self.memories = memories
        self.vectors = vectors
        self.personality = personality
