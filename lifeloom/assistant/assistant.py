"""The assistant of one user, to embed: replies first, remembers afterwards (PersonaVLM Algorithm 1)."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lifeloom.assistant.jobs import closing_jobs, enqueue, is_closed, turn_jobs
from lifeloom.assistant.pem import NEUTRAL_PROFILE, describe
from lifeloom.assistant.response import Query, Response, ResponseStage
from lifeloom.assistant.sessions import is_new_session, last_turn, session_turns
from lifeloom.assistant.worker import Flushed, UpdateWorker
from lifeloom.memory import DialogueTurn, Erased, Origin, SetValue, TimeInvalid, UserMemory, erase_memory, erase_turn
from lifeloom.records import CoreBlock, MemoryOperation, Moment
from lifeloom.store.pictures import decode_picture
from lifeloom.tasks.choice_answer import PICTURE_MARK

if TYPE_CHECKING:
    from types import TracebackType

    from lifeloom.assistant.trace import Trace
    from lifeloom.models.protocol import TextListener

__all__ = ["Assistant", "ProfileValue", "give_profile"]

_PROFILE_JOB = "start/profile"


@dataclass(frozen=True)
class ProfileValue:
    """A core value that is known before the first turn."""

    block: CoreBlock
    key: str
    """For example ``name``."""
    content: str


def give_profile(memory: UserMemory, values: Sequence[ProfileValue], at: dt.datetime) -> None:
    """Tell ``memory`` what is known of the user before anything was said: the name above all (Appendix A.1).

    Once for a user: a second call changes nothing.

    Args:
        memory: The user's.
        values: What is known.
        at: From when on, not after the first turn.

    Raises:
        OperationInvalid: a key or value is empty, or the same key is given twice.
    """
    operations = [SetValue("core", one.key, one.content, (), one.block) for one in values]
    memory.apply(_PROFILE_JOB, operations, Origin(at, 0))


class Assistant:
    """A user's assistant. It holds no state that is not in the memory file, but the last reply's trace.

    The order of things: the user's turn is in the file before the reply is sought, the reply before ``say`` returns,
    and what is to be remembered waits in the file until the worker has done it. A reply never waits for updates, unless
    ``closing_wait`` says so. Several threads may use it; they speak one after the other.

    Args:
        memory: The user's memory. The caller opens and closes it.
        response: Makes replies. Give its model ``media_of(memory)`` as its pictures.
        worker: Does the updates; several assistants may share one.
        closing_wait: Seconds that the first reply of a session waits for the last session's updates, which Algorithm 1
            (line 2) has done first. 0: the reply is made with what is remembered by then.
    """

    def __init__(
        self, memory: UserMemory, response: ResponseStage, worker: UpdateWorker, *, closing_wait: float = 0.0
    ) -> None:
        self.memory = memory
        self.response = response
        self.worker = worker
        self._closing_wait = closing_wait
        self._speaking = threading.Lock()
        self._trace: Trace | None = None
        self._settle()

    def __enter__(self) -> Assistant:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:  # whoever gives up waits for nothing: what is to be remembered waits in the file
            self.close(end_session=False, timeout=0.0)

    def say(
        self,
        text: str,
        at: dt.datetime,
        offset_minutes: int = 0,
        pictures: Sequence[bytes] = (),
        *,
        listener: TextListener | None = None,
        watcher: TextListener | None = None,
        record: Callable[[MemoryOperation], None] | None = None,
    ) -> Response:
        """Reply to what the user says now, and remember it.

        Args:
            text: The user's words, with an ``<img>`` for each picture; missing ones are put at the end.
            at: When, with a zone; not before the last turn.
            offset_minutes: The user's zone, minutes east of UTC.
            pictures: Picture files.
            listener: Hears the answer as it comes.
            watcher: Hears all that the model writes.
            record: Told every step of the reply, as supervision for training.

        Raises:
            PictureRejected: a file is no picture that can be taken; nothing was remembered.
            OutOfOrder: the time is before the last turn's; nothing was remembered.
            TimeInvalid: the time has no zone; nothing was remembered.
            ModelError: no reply can be made now (the model is away). The user's words are kept, without a reply.
        """
        with self._speaking:
            turn = self._take(text, at, offset_minutes, pictures)
            answer = ""
            try:
                query = Query(
                    turn.user,
                    turn.at,
                    turn.offset_minutes,
                    turn.pictures,
                    concepts=self._known(turn, pictures),
                    session=turn.session,
                )
                response = self.response.respond(
                    self.memory,
                    query,
                    as_of=Moment(turn.at, turn.index),
                    listener=listener,
                    watcher=watcher,
                    record=record,
                )
                answer = response.text
                self._trace = response.trace
            finally:
                with self.memory.transaction():
                    if answer:
                        self.memory.set_reply(turn.index, answer)
                    self._enqueue_turn(turn)
                self.worker.notify(self.memory)
            return response

    def ask(
        self, text: str, as_of: Moment, offset_minutes: int = 0, *, listener: TextListener | None = None
    ) -> Response:
        """Reply as at a past moment, from what was known then. Nothing is remembered of it.

        Args:
            text: The user's words.
            as_of: The moment.
            offset_minutes: The user's zone, minutes east of UTC.
            listener: Hears the answer as it comes.

        Raises:
            ModelError: no reply can be made now.
        """
        query = Query(text, as_of.at, offset_minutes)
        response = self.response.respond(self.memory, query, as_of=as_of, listener=listener)
        self._trace = response.trace
        return response

    def why(self) -> str:
        """Return how the last reply came about, for a person to read; empty where there is none."""
        return self._trace.as_text() if self._trace else ""

    def personality(self, as_of: Moment | None = None) -> str:
        """Return the user's personality profile in words."""
        point = self.memory.personality(as_of)
        return describe(point.profile if point else NEUTRAL_PROFILE)

    def forget_turn(self, index: int, *, dry_run: bool = False) -> Erased:
        """Erase a turn and everything that follows from it; with ``dry_run`` only say what that is.

        Raises:
            NotRemembered: there is no such turn.
        """
        with self._speaking:
            erased = erase_turn(self.memory, index, dry_run=dry_run)
            self._trace = self._trace if dry_run else None  # it may quote what was erased
            return erased

    def forget_memory(self, memory_id: str, *, dry_run: bool = False) -> Erased:
        """Erase a memory and everything that follows from it; with ``dry_run`` only say what that is.

        Raises:
            NotRemembered: there is no such memory.
        """
        with self._speaking:
            erased = erase_memory(self.memory, memory_id, dry_run=dry_run)
            self._trace = self._trace if dry_run else None
            return erased

    def end_session(self, at: dt.datetime | None = None) -> bool:
        """Have the session's memories written: core, procedural, episodes. Returns whether there was one to close.

        The next turn begins a session of its own.

        Args:
            at: Close it only if it is over by then, as no turn came for an hour: what a host calls now and then. Its
                memories are known from that hour on. None: close it in any case; they are known from its last turn on.
        """
        with self._speaking:
            last = last_turn(self.memory)
            if last is None or (at is not None and not is_new_session(last.at, at, self._minutes)):
                return False
            if is_closed(self.memory, last.session):
                return False
            first = session_turns(self.memory, last)[0].index
            enqueue(self.memory, closing_jobs(last.session, first, last.index, by_hand=at is None))
            self.worker.notify(self.memory)
            return True

    def flush(self, timeout: float | None = None) -> Flushed:
        """Wait until everything said is remembered, at most ``timeout`` seconds, or until it is plain why not."""
        return self.worker.flush(self.memory, timeout)

    def close(self, *, end_session: bool = True, timeout: float | None = None) -> Flushed:
        """End the session, have the rest remembered, and let the worker go.

        Args:
            end_session: False where the user may go on soon, as with an assistant made for every request.
            timeout: Seconds to wait at most. What is not done by then waits in the file, and the next assistant of the
                user does it.
        """
        if end_session:
            self.end_session()
        flushed = self.flush(timeout)
        self.worker.release(self.memory)
        return flushed

    @property
    def _minutes(self) -> int:
        return self.worker.stage.settings.session_minutes

    def _settle(self) -> None:
        """Queue what a process that was killed while it replied had no time to, and go on with what waits."""
        last = last_turn(self.memory)
        if last is not None:
            self._enqueue_turn(last)
        if self.memory.pending(limit=1):
            self.worker.notify(self.memory)

    def _enqueue_turn(self, turn: DialogueTurn) -> None:
        enqueue(self.memory, turn_jobs(turn, session_turns(self.memory, turn)[0].index))

    def _take(self, text: str, at: dt.datetime, offset_minutes: int, pictures: Sequence[bytes]) -> DialogueTurn:
        """Put the user's words and pictures into the memory; queue the closing of the last session if it is over."""
        if at.tzinfo is None:
            raise TimeInvalid(f"the time {at.isoformat()} has no zone: say in which it is")
        sizes = [decode_picture(data).size for data in pictures]
        text += (" " + PICTURE_MARK) * (len(pictures) - text.count(PICTURE_MARK))
        with self.memory.transaction():
            last = last_turn(self.memory)
            session, begins = 0, False
            if last is not None:
                over = is_new_session(last.at, at, self._minutes)
                closed = is_closed(self.memory, last.session)
                begins = over or closed
                session = last.session + begins
                if over and not closed:
                    first = session_turns(self.memory, last)[0].index
                    enqueue(self.memory, closing_jobs(last.session, first, last.index))
            references = tuple(
                self.memory.put_media(data, width, height)
                for data, (width, height) in zip(pictures, sizes, strict=True)
            )
            turn = DialogueTurn(
                index=self.memory.turn_count(),
                session=session,
                at=at,
                offset_minutes=offset_minutes,
                user=text,
                assistant="",
                pictures=references,
            )
            self.memory.add_turn(turn)
        if begins and self._closing_wait > 0:
            self.worker.flush(self.memory, self._closing_wait)
        return turn

    def _known(self, turn: DialogueTurn, pictures: Sequence[bytes]) -> tuple[str, ...]:
        concepts = self.worker.stage.concepts
        if concepts is None or not pictures:
            return ()
        return concepts.recognise(self.memory, pictures, as_of=Moment(turn.at, turn.index))
