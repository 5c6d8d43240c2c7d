"""A chat with the assistant in a terminal: what a line means, what is shown."""

from __future__ import annotations

import collections
import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lifeloom.assistant import Assistant, Response
from lifeloom.memory import Erased, RetrievalRequest, Retrieved, Retriever, TopK
from lifeloom.models.protocol import ModelError
from lifeloom.records import Moment
from lifeloom.store.pictures import PictureRejected
from orchestration.chat_pictures import Message, message_with_pictures, names_file, picture_command
from orchestration.chat_users import export_told
from orchestration.memory_views import (
    HISTORY,
    KINDS,
    erased_view,
    found_table,
    is_remembered,
    profile_view,
    remembered_view,
    turn_table,
)
from orchestration.moments import MomentInvalid, read_moment
from orchestration.printing import counted, plain

__all__ = ["COMMANDS", "Chat", "Clock"]

Clock = Callable[[], dt.datetime]
"""Tells the time, with a zone."""

_FOUND: Final = TopK(procedural=4, semantic=8, episodic=4)
_OFFERED: Final = 5
_SPEAKER: Final = "assistant> "
_ID: Final = re.compile(r"m-[0-9a-f]+")
_NO_ID: Final = "no memory has that id; /search WORDS finds ids"
_NOW_AGAIN: Final = "a past moment is only looked at and asked; /as-of now comes back"
COMMANDS: Final = (
    ("/memory [TYPE or ID]", f"what is remembered, by type or whole; {HISTORY}: with what held before; or one memory"),
    ("/profile", "core memory and personality"),
    ("/search WORDS", "what a retrieval finds"),
    ("/why", "how the last answer came about: what was thought, looked for and found"),
    (
        "/forget ID",
        "erase a memory, or with 'turn 12' a turn, and all that follows, for good; asks first; words find ids",
    ),
    ("/as-of DATE", "look at and ask of a past moment (2026-03-01, or with a time); /as-of now comes back"),
    ("/picture FILE [WORDS]", "show a picture; a path within a message does the same"),
    ("/turns [N]", "the last turns with their numbers"),
    ("/close", "end the session now: core, procedural and episodic memory are written"),
    ("/export FOLDER", "write everything to a folder: user.json and pictures"),
    ("/help", "this list"),
    ("/quit", "end (so do Ctrl-D, and Ctrl-C twice; once stops an answer)"),
)
"""What can be typed besides messages, and what it does."""


class Chat:
    """One user's chat. It reads no input itself: ``line`` takes what was typed.

    Args:
        assistant: The user's.
        console: Where it is printed.
        clock: Tells the time of what is said.
        confirm: Asks a person yes or no.
    """

    def __init__(self, assistant: Assistant, console: Console, clock: Clock, confirm: Callable[[str], bool]) -> None:
        self._assistant = assistant
        self._console = console
        self._clock = clock
        self._confirm = confirm
        self._as_of: Moment | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "memory": self._memory,
            "profile": self._profile,
            "search": self._search,
            "why": self._why,
            "forget": self._forget,
            "as-of": self._go_back,
            "picture": self._picture,
            "turns": self._turns,
            "close": self._close,
            "export": self._export,
        }

    @property
    def prompt(self) -> str:
        """What stands before the input."""
        return "you> " if self._as_of is None else f"you, as of {self._as_of.at:%Y-%m-%d %H:%M}> "

    def line(self, text: str) -> bool:
        """Do what a typed line says; False: it is over.

        Raises:
            KeyboardInterrupt: a person stopped it. What was said is remembered, and what was erased is gone.
        """
        text = text.strip()
        if not text:
            return True
        name, _, rest = text[1:].partition(" ")
        try:
            if not text.startswith("/") or names_file(text.split()[0]):
                self._say(message_with_pictures(text), _Voice(self._console, _SPEAKER))
            elif name in ("quit", "exit", "q"):
                return False
            elif name in self._commands:
                self._commands[name](rest.strip())
            else:
                self._tell(f"there is no /{name}; /help lists what there is")
        except (ModelError, PictureRejected, MomentInvalid, OSError) as error:
            self._tell(str(error))
        return True

    def say(self, text: str, *, aloud: bool = True) -> Response:
        """Say something, which may name pictures.

        Args:
            text: What is said.
            aloud: Print the answer as it comes.

        Raises:
            ModelError: there is no answer; what was said is remembered all the same, unless its time is wrong.
            PictureRejected: a picture cannot be taken; nothing was said.
            MomentInvalid: a past moment takes no pictures; nothing was said.
            OSError: a picture cannot be read; nothing was said.
            KeyboardInterrupt: a person stopped it; what was said is remembered.
        """
        return self._say(message_with_pictures(text), _Voice(self._console if aloud else Console(quiet=True)))

    def _say(self, message: Message, voice: _Voice) -> Response:
        for name in message.missing:
            self._tell(f"there is no picture {name}; its name was sent as words")
        for name in message.others:
            self._tell(f"{name} is no picture that can be read; taken as words")
        try:
            with self._console.status("", spinner="dots") as status:
                voice.begins = status.stop
                if self._as_of is None:
                    now = self._clock()
                    offset = now.utcoffset() or dt.timedelta()
                    response = self._assistant.say(
                        message.text, now, round(offset.total_seconds() / 60), message.pictures, listener=voice
                    )
                elif message.pictures:
                    raise MomentInvalid(_NOW_AGAIN)
                else:
                    response = self._assistant.ask(message.text, self._as_of, self._offset(), listener=voice)
        finally:
            voice.end()
        if not response.text:
            self._tell(f"there is no answer ({response.failure or response.stopped}); /why tells more")
        return response

    def _help(self, _: str) -> None:
        table = Table(box=None, show_header=False)
        table.add_column(no_wrap=True)
        for command, what in COMMANDS:
            table.add_row(Text(command, style="bold"), what)
        self._console.print(table)

    def _memory(self, wanted: str) -> None:
        memory = self._assistant.memory
        if wanted not in ("", HISTORY, *KINDS) and not is_remembered(memory, wanted):
            self._tell(_NO_ID)
            return
        self._console.print(remembered_view(memory, wanted, self._as_of))
        if waiting := len(memory.pending()):
            why = self._assistant.worker.problem(memory) or "it is being done"
            self._tell(f"{counted(waiting, 'update')} not made yet: {why}")
        reasons = collections.Counter(one.reason for one in memory.rejections())
        if reasons:
            told = ", ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
            self._tell(f"{counted(reasons.total(), 'update')} could not be made: {told}")

    def _profile(self, _: str) -> None:
        self._console.print(profile_view(self._assistant.memory, self._as_of))

    def _search(self, words: str) -> None:
        if not words:
            self._tell("/search WORDS")
            return
        self._console.print(found_table(self._found(words).hits))

    def _found(self, words: str) -> Retrieved:
        request = RetrievalRequest(words, tuple(words.split()), as_of=self._as_of)
        return Retriever(self._assistant.memory, self._assistant.response.encoder, _FOUND).retrieve(request)

    def _why(self, _: str) -> None:
        self._console.print(plain(self._assistant.why() or "nothing was answered yet"), soft_wrap=True)

    def _forget(self, wanted: str) -> None:
        if self._as_of is not None:
            self._tell(_NOW_AGAIN)
            return
        if not wanted:
            self._tell("/forget ID of a memory (/memory lists them), or /forget turn 12 (/turns lists them)")
            return
        turn = re.fullmatch(r"turn\s+(\d{1,9})", wanted)

        def forget(*, dry_run: bool) -> Erased:
            if turn:
                return self._assistant.forget_turn(int(turn[1]), dry_run=dry_run)
            return self._assistant.forget_memory(wanted, dry_run=dry_run)

        if turn and int(turn[1]) >= self._assistant.memory.turn_count():
            self._tell(f"there is no turn {int(turn[1])}; /turns lists them")
            return
        if not turn and not is_remembered(self._assistant.memory, wanted):
            self._offer(wanted)
            return
        planned = forget(dry_run=True)
        if not planned.turns and not planned.memories:
            self._tell("nothing is left of it: it was erased before")
            return
        self._console.print(erased_view(self._assistant.memory, planned))
        if not self._confirm("Erase this for good?"):
            self._tell("nothing was erased")
            return
        done = forget(dry_run=False)
        self._tell("erased" if done.scrubbed else "erased; the file is cleaned when nobody else reads it")

    def _offer(self, words: str) -> None:
        """Show what ``words``, which are no id, find, so that one of it can be erased."""
        hits = () if _ID.fullmatch(words) else self._found(words).hits
        if not hits:
            self._tell(_NO_ID)
            return
        self._console.print(found_table(sorted(hits, key=lambda hit: -hit.score)[:_OFFERED]))
        self._tell("no memory has that id; which of these? /forget with its ID erases it, nothing was erased")

    def _go_back(self, wanted: str) -> None:
        if wanted in ("", "now"):
            self._as_of = None
            self._tell("back to now")
            return
        self._as_of = read_moment(wanted, self._offset())
        turns = self._assistant.memory.turn_count(self._as_of)
        self._tell(
            f"as of {self._as_of.at:%Y-%m-%d %H:%M}, after {counted(turns, 'turn')}; nothing said now is remembered"
        )

    def _picture(self, rest: str) -> None:
        message = picture_command(rest)
        if message is None:
            self._tell("/picture FILE, with words behind it if you like")
        else:
            self._say(message, _Voice(self._console, _SPEAKER))

    def _turns(self, wanted: str) -> None:
        count = int(wanted) if re.fullmatch(r"\d{1,9}", wanted) else 10
        memory = self._assistant.memory
        last = memory.turn_count(self._as_of)
        self._console.print(turn_table(memory.turns(max(0, last - count), as_of=self._as_of)))

    def _close(self, _: str) -> None:
        if self._as_of is not None:
            self._tell(_NOW_AGAIN)
            return
        closed = self._assistant.end_session()
        with self._console.status("writing memories"):
            flushed = self._assistant.flush()
        told = "the session is closed" if closed else "there was no open session"
        if flushed.left:
            told += f"; not done yet: {counted(flushed.left, 'update')} ({flushed.problem})"
        self._tell(told)

    def _export(self, wanted: str) -> None:
        if not wanted:
            self._tell("/export FOLDER")
            return
        self._tell(export_told(self._assistant.memory, Path(wanted)))

    def _offset(self) -> int:
        """Return the user's zone, minutes east of UTC: the last turn's, else the clock's."""
        memory = self._assistant.memory
        last = memory.turns(max(0, memory.turn_count() - 1))
        if last:
            return last[-1].offset_minutes
        return round((self._clock().utcoffset() or dt.timedelta()).total_seconds() / 60)

    def _tell(self, text: str) -> None:
        self._console.print(plain(text, "dim"), soft_wrap=True)


class _Voice:
    """A ``TextListener`` that prints an answer as it comes, behind the name of who speaks."""

    def __init__(self, console: Console, speaker: str = "") -> None:
        self._console = console
        self._speaker = speaker
        self._open = False
        self.begins: Callable[[], None] = lambda: None

    def piece(self, text: str) -> None:
        """Print the next words."""
        if not text:
            return
        if not self._open:
            self.begins()
            self._console.print(plain(self._speaker, "bold"), end="")
            self._open = True
        self._console.print(plain(text, "cyan"), end="", soft_wrap=True)

    def restart(self) -> None:
        """Say that the answer begins anew."""
        if self._open:
            self._console.print(Text(" (once more)", style="dim"))
        self._open = False

    def end(self) -> None:
        """Finish the line."""
        if self._open:
            self._console.print()
        self._open = False
