"""`lifeloom chat`: what is said, asked, shown, forgotten; and what a terminal must never obey."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from random import Random

import pytest

from lifeloom.memory import UserMemory, user_file
from lifeloom.models.builtin.painter import BuiltinPainter, WantedPerson, draw_people
from lifeloom.records import PicturePlan, PictureSubject
from orchestration import chat_users
from tests.chatting import ModelServer, Terminal, assistant_at
from tests.servers import streamed_answer

CLIMBING = "I love bouldering in the old quarry."


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(tmp_path / "home", monkeypatch, capsys)


def opened(terminal: Terminal, user: str = "ines") -> UserMemory:
    return UserMemory.open(user_file(terminal.home / "users", user), user, create=False, read_only=True)


def test_what_is_said_in_one_chat_is_known_in_the_next(terminal: Terminal) -> None:
    said = terminal.run("chat", "ines", "--at", "2026-03-01 10:00", "-m", "I'm allergic to peanuts.")
    asked = terminal.run("chat", "ines", "--at", "2026-03-04 10:00", "-m", "What am I allergic to?")

    assert (said.code, asked.code) == (0, 0)
    assert (terminal.home / "users").stat().st_mode & 0o077 == 0  # nobody else's to read
    assert "peanuts" in asked.out
    with opened(terminal) as memory:
        assert [turn.session for turn in memory.turns()] == [0, 1]
        assert memory.pending() == ()


def test_commands_show_what_is_remembered_and_how_an_answer_came_about(terminal: Terminal) -> None:
    asked = ("Where do I love bouldering?", "/why", "/memory", "/profile", "/search bouldering")
    shown = terminal.chat("My name is Ines.", CLIMBING, "/close", *asked)

    assert shown.code == 0
    assert "looked for:" in shown.out
    assert "human/name: Ines" in shown.out
    assert "extraversion" in shown.out
    assert "█" in shown.out
    with opened(terminal) as memory:
        (kept,) = [one for one in memory.memories("semantic") if "bouldering" in one.content]
    found = shown.out.rpartition("score ")[2]
    assert kept.memory_id in found.splitlines()[1]


def test_forgetting_shows_what_goes_and_asks_before_it_erases(terminal: Terminal) -> None:
    terminal.chat(CLIMBING, "/close")

    kept = terminal.chat("/forget turn 0", "n")
    assert "semantic m-" in kept.out
    assert "episodic m-" in kept.out
    assert "nothing was erased" in kept.out
    assert terminal.holds("bouldering")

    gone = terminal.chat("/forget turn 0", "y", "/memory", "/forget turn 0")
    assert "nothing is remembered" in gone.out
    assert "it was erased before" in gone.out
    assert not terminal.holds("bouldering")


def test_an_unanswered_question_erases_nothing(terminal: Terminal) -> None:
    terminal.chat(CLIMBING)
    assert "nothing was erased" in terminal.chat("/forget turn 0").out
    with opened(terminal) as memory:
        assert memory.turns()[0].user == CLIMBING


def test_what_a_served_model_said_is_in_no_cache_after_it_was_erased(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer("<answer>The theremin, how rare.</answer>") as server:
        for name, value in server.settings.items():
            monkeypatch.setenv(name, value)
        said = terminal.chat("I play the theremin.", "/close", "/memory")
        assert "The theremin, how rare." in said.out
        assert "The user plays the theremin." in said.out
        assert terminal.holds("theremin")
        terminal.chat("/forget turn 0", "y")
        assert not terminal.holds("theremin")


def test_a_past_moment_is_looked_at_and_asked_but_never_changed(terminal: Terminal) -> None:
    terminal.chat("I live in Lyon.")
    terminal.chat("I live in Ghent now.", at="2026-04-01 10:00")

    back = terminal.chat(
        "/as-of 2026-03-15",
        "/memory",
        "/forget turn 0",
        "/close",
        "/as-of 30 February",
        "Where do I live?",
        "/as-of now",
        "/turns",
        at="2026-05-01 10:00",
    )

    past, _, now = back.out.partition("back to now")
    assert "after 1 turn" in past
    assert "Lyon" in past
    assert "Ghent" not in past
    assert past.count("a past moment is only looked at") == 2
    assert "'30 February' is no time" in past
    assert "Ghent" in now
    assert "Where do I live?" not in now
    with opened(terminal) as memory:
        assert [turn.user for turn in memory.turns()] == ["I live in Lyon.", "I live in Ghent now."]


def test_a_person_shown_in_one_picture_is_named_in_the_next(terminal: Terminal, tmp_path: Path) -> None:
    somebody, other = draw_people(Random(3071), [WantedPerson(), WantedPerson()], min_distance=3.0)
    for number, (name, one, place) in enumerate(
        [("first.png", somebody, "park"), ("my second.png", somebody, "beach"), ("other.png", other, "park")]
    ):
        subjects = (PictureSubject(kind="person", name=name, appearance=one),)
        plan = PicturePlan(
            picture_id=f"chat-{number}", kind="scene", place=place, time_of_day="day", subjects=subjects, seed=number
        )
        (tmp_path / name).write_bytes(BuiltinPainter().draw(plan).data)

    terminal.chat(f"This is my nephew Tom: {tmp_path / 'first.png'}, he is eight.", "/close")
    again = terminal.chat(f'Who is in this picture? "{tmp_path / "my second.png"}"', "/why", at="2026-03-02 10:00")
    stranger = terminal.chat(f"/picture {tmp_path / 'other.png'} Who is that?", "/why", at="2026-03-03 10:00")

    assert "Seen: The person in the picture is Tom" in again.out
    assert "Seen:" not in stranger.out
    with opened(terminal) as memory:
        assert [len(turn.pictures) for turn in memory.turns()] == [1, 1, 1]
        assert memory.turns()[0].user == "This is my nephew Tom: <img>, he is eight."


def test_files_that_are_no_pictures_are_named_and_nothing_is_said(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "notes.png").write_text("no picture at all")
    (tmp_path / "cut.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))

    shown = terminal.chat(
        f"look {tmp_path / 'notes.png'}",
        f"/picture {tmp_path / 'cut.png'}",
        "/picture",
        "/picture /nowhere/x.png",
        '/picture "half',
    )

    assert shown.code == 0
    assert shown.out.count("the picture was rejected") == 4
    assert "/picture FILE" in shown.out
    with opened(terminal) as memory:
        assert memory.turn_count() == 0


@pytest.mark.parametrize(
    "line",
    [
        "/nonsense",
        "/" + "x" * 5_000,
        "/memory m-0000000000000000",
        "/memory '; DROP TABLE turns",
        "/forget",
        "/forget turn 99999999999999999999",
        "/turns " + "9" * 5_000,
        "/as-of 0001-01-01",
        "/as-of 9999-12-31",
        "/export",
        "/export /proc/nowhere",
        "/search",
        "/search \u202e[bold]",
        "/picture \0",
        "look at ~nobody-here/x.png",
    ],
)
def test_lines_that_lead_nowhere_end_no_chat(terminal: Terminal, line: str) -> None:
    shown = terminal.chat(line, "/turns")
    assert shown.code == 0
    assert shown.err == ""


def test_bytes_that_are_no_text_are_taken_as_well_as_may_be(terminal: Terminal) -> None:
    assert terminal.run("chat", "ines", lines=b"caf\xe9\n/turns\n").code == 0
    with opened(terminal) as memory:
        assert memory.turns()[0].user == "caf\ufffd"


def test_a_terminal_obeys_nothing_that_a_model_or_a_memory_says(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e[bold red]hi[/]"
    with ModelServer(f"<think>{hostile}</think><answer>{hostile}</answer>") as server:
        for name, value in server.settings.items():
            monkeypatch.setenv(name, value)
        shown = terminal.chat(f"I say {hostile}", "/why", "/turns", "/memory", "/search hi")
        told = terminal.run("chat", "ines", "--at", "2026-04-01 10:00", "-m", "hi", "--json")

    for out in (shown.out, told.out, shown.err, told.err):
        assert not set(out) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert "[bold red]hi[/]" in shown.out
    assert json.loads(told.out)["answer"] == hostile


def test_one_message_can_be_answered_in_json_with_its_trace_and_tokens(terminal: Terminal) -> None:
    told = terminal.run("chat", "ines", "-m", "Good morning!", "--json")
    answered = json.loads(told.out)
    assert answered["answer"]
    assert told.err == ""
    assert answered["prompt_tokens"] > 0
    assert answered["trace"]["steps"][-1]["action"] == "answer"
    assert terminal.run("chat", "ines", "--json").code == 2


def test_an_answer_that_did_not_come_is_no_success(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(streamed_answer("<retrieve>")) as server:
        for name, value in server.settings.items():
            monkeypatch.setenv(name, value)
        told = terminal.run("chat", "ines", "-m", "Good morning!", "--json")
    assert told.code == 1
    assert json.loads(told.out)["failure"]


def test_a_model_that_is_away_loses_nothing_and_the_next_chat_goes_on(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        for name, value in assistant_at("http://127.0.0.1:9/v1").items():
            away.setenv(name, value)
        once = terminal.run("chat", "ines", "--at", "2026-03-01 10:00", "-m", CLIMBING)
        chat = terminal.chat("Are you there?", "/memory", at="2026-03-01 10:05")

    assert once.code == 1
    assert "Check that the server runs" in once.err
    assert "goes on next time" in once.out
    assert chat.code == 0
    assert "not made yet" in chat.out
    with opened(terminal) as memory:
        assert [turn.user for turn in memory.turns()] == [CLIMBING, "Are you there?"]
        assert memory.pending()
    assert "bouldering" in terminal.chat("/close", "/memory", at="2026-03-01 10:10").out
    with opened(terminal) as memory:
        assert memory.pending() == ()


def test_a_memory_that_another_process_holds_is_told_in_words(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.chat(CLIMBING)
    monkeypatch.setattr(chat_users, "_BUSY_SECONDS", 0.1)
    other = sqlite3.connect(user_file(terminal.home / "users", "ines"))
    try:
        other.execute("BEGIN IMMEDIATE")
        held = terminal.run("chat", "ines", "-m", "hello")
    finally:
        other.close()
    assert held.code == 1
    assert "another process" in held.err
    with opened(terminal) as memory:
        assert memory.turn_count() == 1


@pytest.mark.parametrize("user", ["", " ", "a\tb", "a\nb", "\x1b[2J", "x" * 201, "\udcff"])
def test_ids_that_nobody_can_have_are_refused_in_words(terminal: Terminal, user: str) -> None:
    refused = terminal.run("chat", user, "-m", "hello")
    assert refused.code == 1
    assert "a user's id" in refused.err
    assert "\x1b" not in refused.err


@pytest.mark.parametrize("user", ["../../etc/passwd", "王小明", "a b", "[red]", "..", "🙂"])
def test_any_visible_id_is_a_user_of_its_own(terminal: Terminal, user: str) -> None:
    assert terminal.chat("My name is Ines.", "/turns", user=user).code == 0
    assert user in terminal.run("memory", "list").out
    files = [path for path in terminal.home.parent.rglob("*.sqlite") if len(path.stem) == 64]
    assert [path.parent for path in files] == [terminal.home / "users"]


@pytest.mark.parametrize("at", ["yesterday", "9999-12-31 23:59", "0001-01-01", "2026-13-01"])
def test_times_at_which_no_chat_can_begin_are_refused(terminal: Terminal, at: str) -> None:
    assert terminal.run("chat", "ines", "--at", at, "-m", "hello").code == 2


@pytest.mark.parametrize("message", [(), ("-m", "I was here first.")])
def test_a_chat_before_the_last_turn_is_refused_at_once_in_words(terminal: Terminal, message: tuple[str, ...]) -> None:
    terminal.chat(CLIMBING, at="2026-03-01 10:00+02:00")
    early = terminal.run("chat", "ines", "--at", "2026-02-01 10:00", *message, lines="/turns\n")
    told = " ".join(early.err.replace("│", " ").split())
    assert early.code == 2
    assert early.out == ""
    assert "the last turn was said at 2026-03-01 10:00+02:00" in told
    assert '--at "2026-03-01 10:01+02:00"' in told
    assert "/as-of" in told
    with opened(terminal) as memory:
        assert memory.turn_count() == 1
    assert terminal.chat("/turns", at="2026-03-01 10:01+02:00").code == 0


def test_a_chat_that_begins_in_the_minute_of_the_last_turn_goes_on_after_it(terminal: Terminal) -> None:
    terminal.chat(CLIMBING, at="2026-03-01 10:00:40")
    assert terminal.chat("And fishing.", at="2026-03-01 10:00").code == 0
    with opened(terminal) as memory:
        first, second = memory.turns()
        assert first.at <= second.at


def test_a_chat_in_which_nothing_was_said_closes_no_session(terminal: Terminal) -> None:
    terminal.run("chat", "ines", "--at", "2026-03-01 10:00", "-m", CLIMBING)
    assert "remembering" not in terminal.chat("/turns", at="2026-03-01 10:10").out
    with opened(terminal) as memory:
        assert memory.memories("episodic") == ()
    terminal.chat("I am back.", at="2026-03-01 10:20")
    with opened(terminal) as memory:
        assert [turn.session for turn in memory.turns()] == [0, 0]
        assert memory.memories("episodic")


@pytest.mark.parametrize("command", ["/memory", "/forget"])
def test_words_that_are_no_id_are_told_how_ids_are_found(terminal: Terminal, command: str) -> None:
    terminal.chat("My name is Ines.")
    shown = terminal.chat(f"{command} m-0000000000000000", f"{command} café", "/forget turn 7")
    assert "no memory has that id" in shown.out
    assert "/search WORDS finds ids" in shown.out
    assert "there is no turn 7; /turns lists them" in shown.out
    assert ".sqlite" not in shown.out


def test_words_to_forget_list_what_they_find_and_erase_nothing(terminal: Terminal) -> None:
    terminal.chat(CLIMBING)
    shown = terminal.chat("/forget bouldering", "y")
    with opened(terminal) as memory:
        (kept,) = [one for one in memory.memories("semantic") if "bouldering" in one.content]
    assert kept.memory_id in shown.out
    assert "which of these?" in shown.out
    assert "Erase this for good?" not in shown.out


def test_a_transcript_from_a_pipe_tells_who_said_what(terminal: Terminal) -> None:
    shown = terminal.chat("My name is Ines.", "/forget turn 0", "n", "/quit")
    lines = shown.out.splitlines()
    said = lines.index("you> My name is Ines.")
    assert lines[said + 1].startswith("assistant> ")
    assert "Erase this for good? [y/N] n" in lines
    assert lines[-1] == "you> /quit"
    typed = terminal.run("chat", "ines", lines="/quit\n", typed=True)
    assert "/quit" not in typed.out.partition("/quit ends.")[2]
    alone = terminal.run("chat", "ines", "-m", "Good morning!")
    assert "assistant>" not in alone.out


def test_an_export_says_that_it_took_the_place_of_an_earlier_one(terminal: Terminal, tmp_path: Path) -> None:
    shown = terminal.chat("My name is Ines.", f"/export {tmp_path / 'out'}", f"/export {tmp_path / 'out'}")
    assert shown.out.count("written to ") == 2
    assert shown.out.count("took the place of the export that was there") == 1


def test_a_picture_that_the_store_keeps_without_an_extension_is_shown(terminal: Terminal, tmp_path: Path) -> None:
    plan = PicturePlan(picture_id="chat-1", kind="scene", place="park", time_of_day="day", subjects=(), seed=1)
    (tmp_path / ("0" * 64)).write_bytes(BuiltinPainter().draw(plan).data)
    (tmp_path / "notes").write_text("no picture at all")
    shown = terminal.chat(f"{tmp_path / ('0' * 64)} is my park", f"see {tmp_path / 'notes'}")
    assert f"{tmp_path / 'notes'} is no picture that can be read; taken as words" in shown.out
    with opened(terminal) as memory:
        assert [turn.user for turn in memory.turns()] == ["<img> is my park", f"see {tmp_path / 'notes'}"]
        assert [len(turn.pictures) for turn in memory.turns()] == [1, 0]
