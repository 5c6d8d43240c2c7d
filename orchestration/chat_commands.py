"""`lifeloom chat`: talk with the assistant of a user, on the model of the profile's role `assistant`."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import json
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape

from orchestration.cli_options import ProfileOption, choose_profile
from orchestration.instance import home_path
from orchestration.moments import MomentInvalid, read_time
from orchestration.printing import counted, plain, printable
from orchestration.profiles import load_profile
from orchestration.unpriced import warn_of_unpriced

if TYPE_CHECKING:
    from lifeloom.assistant import Assistant
    from lifeloom.memory import UserMemory
    from lifeloom.models.protocol import ModelIdentity
    from orchestration.chat import Chat, Clock
    from resources.profile import Profile
    from resources.workbench import Workbench

__all__ = ["chat_app"]

chat_app = typer.Typer()

_ATTEMPTS: Final = 4
"""At a call, with some seconds between them."""
_PATIENCE: Final = 2.0
"""Seconds that the end waits for an update that is being made when nobody waits for the rest."""


@chat_app.command()
def chat(
    user: Annotated[str, typer.Argument(help="Whose assistant; any name or id.")],
    message: Annotated[str | None, typer.Option("--message", "-m", help="Say this, print the answer, and end.")] = None,
    at: Annotated[str, typer.Option("--at", help="Begin at this time (2026-03-01 10:00) rather than now.")] = "",
    like: Annotated[
        str,
        typer.Option("--like", help="Begin with the memories of this persona (of the corpus or a release)."),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="With --message: answer, tokens and trace as JSON.")] = False,
    profile: ProfileOption = None,
) -> None:
    """Talk with an assistant that remembers; /help lists what can be asked of it."""
    from orchestration.chat import Chat
    from orchestration.chat_users import TooEarly, begin_like, check_time, open_user
    from resources.workbench import Workbench

    choose_profile(profile)
    if as_json and message is None:
        raise typer.BadParameter("--json needs --message")
    clock = _clock(at)
    settings = load_profile()
    workbench = Workbench(_for_a_person(settings), home_path(), private=True)
    warn_of_unpriced(settings)
    console = Console(stderr=as_json)
    with contextlib.ExitStack() as stack:
        try:
            if like:
                begun = begin_like(workbench, user, like, clock())
                # An answer for scripts stands alone on standard output.
                Console(stderr=message is not None).print(plain(str(begun)), soft_wrap=True)
            memory = stack.enter_context(open_user(workbench.home, user))
            known = memory.turn_count()
            early = check_time(memory.turns(max(0, known - 1)), clock())
        except TooEarly as error:
            raise typer.BadParameter(str(error), param_hint="--at" if at else None) from None
        assistant = stack.enter_context(_assistant(workbench, memory))
        talk = Chat(assistant, console, lambda: clock() + early, _confirm)
        if message is not None:
            answered = _once(talk, message, as_json=as_json)
            _finish(assistant, console, end_session=False)
            if not answered:
                raise typer.Exit(1)
            return
        _greet(console, memory, assistant.response.model.identity)
        _loop(talk, console)
        _finish(assistant, console, end_session=memory.turn_count() > known)


def _for_a_person(profile: Profile) -> Profile:
    """Return the profile with an assistant that does not try for minutes while somebody waits for an answer."""
    assistant = profile.models.assistant
    patient = assistant.model_copy(update={"attempts": min(assistant.attempts, _ATTEMPTS)})
    return profile.model_copy(update={"models": profile.models.model_copy(update={"assistant": patient})})


@contextlib.contextmanager
def _assistant(workbench: Workbench, memory: UserMemory) -> Iterator[Assistant]:
    """Give the assistant of a user. What its worker is at when it is over may take a moment, not a minute."""
    from lifeloom.assistant import Assistant, ResponseStage, UpdateWorker, media_of

    pictures = media_of(memory, workbench.picture)
    model = workbench.model("assistant", "", pictures)
    response = ResponseStage(model, workbench.encoder, workbench.response_settings, pictures=pictures)
    with workbench.ledger.account("chat"):
        worker = UpdateWorker(workbench.update_stage("", None, pictures))
        try:
            yield Assistant(memory, response, worker)
        finally:
            worker.close(_PATIENCE)


def _clock(at: str) -> Clock:
    """Return what tells the time: the computer's, or one that begins at ``at`` and goes on from there."""
    if not at:
        return lambda: dt.datetime.now().astimezone()
    try:
        start = read_time(at)
    except MomentInvalid as error:
        raise typer.BadParameter(str(error), param_hint="--at") from None
    begun = time.monotonic()
    return lambda: start + dt.timedelta(seconds=time.monotonic() - begun)


def _greet(console: Console, memory: UserMemory, identity: ModelIdentity) -> None:
    known = memory.turn_count()
    told = f"{counted(known, 'turn')} so far" if known else "you have not met yet"
    console.print(
        f"[bold]{escape(printable(memory.user_id))}[/]: {told}. "
        f"Model: {escape(printable(f'{identity.backend} {identity.model}'))}. "
        "/help lists the commands, /quit ends.",
        highlight=False,
        soft_wrap=True,
    )


def _once(talk: Chat, message: str, *, as_json: bool) -> bool:
    """Say one thing; return whether there was an answer."""
    from lifeloom.models.protocol import ModelError
    from lifeloom.store.pictures import PictureRejected

    try:
        response = talk.say(message, aloud=not as_json)
    except (ModelError, PictureRejected, OSError) as error:
        Console(stderr=True).print(plain(f"lifeloom: {error}", "red"), soft_wrap=True)
        return False
    if as_json:
        told = {
            "answer": response.text,
            "failure": response.failure,
            "prompt_tokens": response.prompt_tokens,
            "completion_tokens": response.completion_tokens,
            "trace": response.trace.model_dump(mode="json"),
        }
        print(_escaped(json.dumps(told, ensure_ascii=False, indent=1)))
    return bool(response.text)


def _escaped(text: str) -> str:
    """Return JSON in which what a terminal would obey is written as an escape."""
    return "".join(one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in text)


def _typed(prompt: str) -> str:
    """Return the next line; where no terminal shows it, it is printed, so that a transcript can be read.

    Raises:
        EOFError: there is none.
    """
    try:
        line = input(prompt)
    except EOFError:
        print()
        raise
    if not sys.stdin.isatty():
        print(printable(line))
    return line


def _confirm(question: str) -> bool:
    try:
        return _typed(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _loop(talk: Chat, console: Console) -> None:
    """Read lines until it is over. Ctrl-C stops an answer or empties the line; twice in a row ends."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - gives input() its history
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no reason to stop
    interrupted = tell = False
    while True:
        try:
            if tell:  # here, where Ctrl-C is heard: the next one may come as soon as this is read
                tell = False
                console.print()
                console.print(plain("stopped; Ctrl-C once more ends", "dim"))
            line = _typed(talk.prompt)
            if not talk.line(line):
                return
            interrupted = False
        except EOFError:
            return
        except KeyboardInterrupt:
            if interrupted:
                console.print()
                return
            interrupted = tell = True


def _finish(assistant: Assistant, console: Console, *, end_session: bool) -> None:
    """Have what was said remembered; what cannot be now, or is not waited for, waits in the user's file."""
    later = "what is not remembered yet waits in the file, and goes on next time"
    try:
        if end_session:
            assistant.end_session()
        if not assistant.memory.pending(limit=1):
            return
        with console.status("remembering what was said; Ctrl-C leaves it for next time"):
            flushed = assistant.flush()
    except KeyboardInterrupt:
        console.print(plain(later, "dim"))
        return
    if flushed.left:
        why = f" ({flushed.problem})" if flushed.problem else ""
        console.print(plain(f"not made yet: {counted(flushed.left, 'update')}{why}; {later}", "yellow"), soft_wrap=True)
