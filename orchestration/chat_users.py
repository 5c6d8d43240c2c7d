"""The memory files of people who chat: opened, made new, or begun with a persona's memories."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lifeloom.assistant.jobs import closing_jobs, turn_jobs
from lifeloom.memory import (
    MemoryExists,
    NotRemembered,
    Origin,
    UserMemory,
    export_of,
    export_user,
    exported_user,
    load_user,
    user_file,
)
from lifeloom.records import Turn
from orchestration.memory_views import KINDS, SaidTurn, memories_counted
from orchestration.printing import counted
from orchestration.show import NothingFound

if TYPE_CHECKING:
    from lifeloom.store import Home
    from resources.workbench import Workbench

__all__ = ["Begun", "TooEarly", "begin_like", "check_time", "existing_user", "export_told", "open_user", "users_folder"]

_BUSY_SECONDS: Final = 5.0
"""How long a person waits for another process that writes to the same file."""
_SAME_MINUTE: Final = dt.timedelta(minutes=1)


class TooEarly(ValueError):
    """A chat cannot begin at a time before the last turn; the message says what can be done."""


@dataclass(frozen=True)
class Begun:
    """A user who begins with a persona's memories."""

    user_id: str
    persona_id: str
    name: str
    """Of the persona, as core memory has it; empty where it has none."""
    memories: int
    """That hold."""
    turns: int

    def __str__(self) -> str:
        who = f"{self.name}, {self.persona_id}" if self.name else self.persona_id
        held = f"{memories_counted(self.memories)}, {counted(self.turns, 'turn')}"
        return f"{self.user_id} begins with the memories of {who}: {held}"


def users_folder(home: Home) -> Path:
    """Return the folder of users' files; it is made where it is not there, and only its owner may look into it."""
    home.users.mkdir(mode=0o700, exist_ok=True)
    return home.users


@contextlib.contextmanager
def open_user(home: Home, user_id: str) -> Iterator[UserMemory]:
    """Open the memory of a user in ``home``; it is made where there is none.

    Raises:
        UserIdInvalid: it cannot be an id.
        MemoryFailure: the file cannot be used.
    """
    path = user_file(users_folder(home), user_id)
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


def check_time(turns: Sequence[SaidTurn], now: dt.datetime) -> dt.timedelta:
    """Return how long after ``now`` the talk can go on, as the last of ``turns`` was said: less than a minute.

    People type times to the minute, so what was said seconds later is not refused.

    Raises:
        TooEarly: it is a minute or more.
    """
    early = turns[-1].at - now if turns else dt.timedelta()
    if early < _SAME_MINUTE:
        return max(early, dt.timedelta())
    last = turns[-1].at.astimezone(dt.timezone(dt.timedelta(minutes=turns[-1].offset_minutes)))
    said, begun, later = (when.isoformat(sep=" ", timespec="minutes") for when in (last, now, last + _SAME_MINUTE))
    raise TooEarly(
        f'the last turn was said at {said}, and {begun} is before that. Begin later, for example with --at "{later}"; '
        "earlier moments are looked at with /as-of, once the chat is open"
    )


def export_told(memory: UserMemory, folder: Path) -> str:
    """Export everything that is remembered of a user to ``folder``, and return what to tell of it.

    Raises:
        OtherUser: the folder holds another user's export.
        MemoryFailure: the memory cannot be read, or the folder cannot be written.
    """
    try:
        exported_user(folder)
        replaced = "; it took the place of the export that was there"
    except NotRemembered:
        replaced = ""
    return f"written to {export_user(memory, folder)}{replaced}"


def begin_like(workbench: Workbench, user_id: str, like: str, now: dt.datetime | None = None) -> Begun:
    """Make a user who begins with a persona's memories and turns.

    Args:
        workbench: gives the home, and the memories of data sets.
        user_id: any id.
        like: the persona's id, or the beginning of it.
        now: when the talk begins; None: it does not yet.

    Raises:
        UserIdInvalid: it cannot be an id.
        MemoryExists: a user who is there already cannot begin anew.
        NothingFound: there is no such persona with memories, or more than one.
        TooEarly: the persona's last turn is after ``now``; no user was made.
        MemoryFailure: the file cannot be made.
    """
    path = user_file(users_folder(workbench.home), user_id)
    if path.exists():
        raise MemoryExists(
            f"{user_id!r} has memories already; choose another user, or erase this one: lifeloom memory erase"
        )
    key, persona_id = _persona(workbench, like)
    export = export_of(workbench.memories(key).of(persona_id))
    turns = [
        turn.model_copy(update={"persona_id": user_id})
        for turn in workbench.store.read(key.replace("/memories/", "/dialogues/", 1), "turns", Turn)
        if turn.persona_id == persona_id
    ]
    if now is not None:
        check_time(turns, now)
    with load_user(
        path,
        user_id,
        turns,
        [row.model_copy(update={"user_id": user_id}) for row in export.memories],
        [row.model_copy(update={"user_id": user_id}) for row in export.vectors],
        [row.model_copy(update={"user_id": user_id}) for row in export.personality],
    ) as memory:
        _mark_done(memory)
        name = next((one.content for one in memory.core() if (one.label, one.key) == ("human", "name")), "")
        held = sum(len(memory.memories(kind)) for kind in KINDS)
        return Begun(user_id, persona_id, name, held, memory.turn_count())


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
