"""The memory files of people who chat: opened, made new, or begun with a persona's memories."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lifeloom.assistant.jobs import closing_jobs, turn_jobs
from lifeloom.memory import MemoryExists, Origin, UserMemory, export_of, load_user, user_file
from lifeloom.records import Turn
from orchestration.show import NothingFound

if TYPE_CHECKING:
    from lifeloom.store import Home
    from resources.workbench import Workbench

__all__ = ["existing_user", "open_user", "users_folder"]

_BUSY_SECONDS: Final = 5.0
"""How long a person waits for another process that writes to the same file."""


def users_folder(home: Home) -> Path:
    """Return the folder of users' files; it is made where it is not there, and only its owner may look into it."""
    home.users.mkdir(mode=0o700, exist_ok=True)
    return home.users


@contextlib.contextmanager
def open_user(workbench: Workbench, user_id: str, like: str = "") -> Iterator[UserMemory]:
    """Open the memory of a user in the home; it is made where there is none.

    Args:
        workbench: gives the home.
        user_id: any id.
        like: the persona whose memories a new user begins with, or the beginning of its id; empty: none.

    Raises:
        UserIdInvalid: it cannot be an id.
        MemoryExists: a user who is there already cannot begin anew.
        NothingFound: there is no such persona with memories, or more than one.
        MemoryFailure: the file cannot be used.
    """
    path = user_file(users_folder(workbench.home), user_id)
    if like:
        if path.exists():
            raise MemoryExists(
                f"{user_id!r} has memories already; choose another user, or erase this one: lifeloom memory erase"
            )
        _begin_like(workbench, path, user_id, like)
    with UserMemory.open(path, user_id, busy_seconds=_BUSY_SECONDS) as memory:
        yield memory


@contextlib.contextmanager
def existing_user(home: Home, user_id: str, *, read_only: bool = True) -> Iterator[UserMemory]:
    """Open the memory of a user who is there.

    Raises:
        UserIdInvalid: it cannot be an id.
        NothingFound: there is no such user.
        MemoryFailure: the file cannot be used.
    """
    path = user_file(home.users, user_id)
    if not path.exists():
        raise NothingFound(f"nothing is remembered of {user_id!r} here; `lifeloom memory list` tells of whom")
    with UserMemory.open(path, user_id, create=False, read_only=read_only, busy_seconds=_BUSY_SECONDS) as memory:
        yield memory


def _begin_like(workbench: Workbench, path: Path, user_id: str, like: str) -> None:
    """Copy a persona's memories and turns into ``path``, the file of ``user_id``."""
    key, persona_id = _persona(workbench, like)
    export = export_of(workbench.memories(key).of(persona_id))
    turns = [
        turn.model_copy(update={"persona_id": user_id})
        for turn in workbench.store.read(key.replace("/memories/", "/dialogues/", 1), "turns", Turn)
        if turn.persona_id == persona_id
    ]
    with load_user(
        path,
        user_id,
        turns,
        [row.model_copy(update={"user_id": user_id}) for row in export.memories],
        [row.model_copy(update={"user_id": user_id}) for row in export.vectors],
        [row.model_copy(update={"user_id": user_id}) for row in export.personality],
    ) as memory:
        _mark_done(memory)


def _mark_done(memory: UserMemory) -> None:
    """Say that the updates of all turns were made, so that an assistant does not make the last ones again."""
    turns = memory.turns()
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for turn in turns:
        first.setdefault(turn.session, turn.index)
        last[turn.session] = turn.index
    with memory.transaction():
        for turn in turns:
            for job in turn_jobs(turn, first[turn.session]):
                memory.apply(job.name, (), Origin(turn.at, turn.index + 1))
        for session, index in last.items():
            for job in closing_jobs(session, first[session], index):
                memory.apply(job.name, (), Origin(turns[index].at, index + 1))


def _persona(workbench: Workbench, like: str) -> tuple[str, str]:
    """Return the data set of the one persona whose id begins with ``like``, and its id."""
    store = workbench.store
    keys = [key for prefix in ("corpus/memories", "release/memories") for key in store.keys(prefix)]
    found = {user: key for key in reversed(keys) for user in workbench.memories(key).users() if user.startswith(like)}
    if like in found:
        return found[like], like
    if len(found) == 1:
        return next((key, user) for user, key in found.items())
    if found:
        some = ", ".join(sorted(found)[:5])
        raise NothingFound(f"{len(found)} personas begin with {like!r}, such as {some}; write more of it")
    made = ", ".join(keys) or "nothing: run `lifeloom demo` first"
    raise NothingFound(f"there is no persona {like!r} with memories; looked in {made}")
