"""A process killed at any statement of a write leaves the state before it or after it, and the next one goes on."""

import os
import signal
import sqlite3

import pytest

from lifeloom.memory import SemanticDraft, SetValue, UserMemory, schema
from lifeloom.memory import file as memory_file
from lifeloom.memory.types import DialogueTurn
from tests.lifeloom.memory.remembering import at, know, new_memory, origin, set_value, unit

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def add_turn(memory):
    memory.add_turn(DialogueTurn(8, 2, at(8), 60, "turn 8", ""), [("turn-8/semantic", "{}"), ("turn-8/core", "{}")])


def set_reply(memory):
    memory.set_reply(7, "the reply")


def put_media(memory):
    memory.put_media(b"picture" * 10_000, 10, 10)


def apply(memory):
    operations = [
        SemanticDraft("fact", "The user has a dog.", ("dog",), (7,), unit("dog")),
        SetValue("core", "home", "Oslo", (7,), "human"),
        SetValue("procedural", "run", "weekly", (7,), vector=unit("weekly")),
    ]
    memory.apply("turn-7/semantic", operations, origin(7))


def reject(memory):
    memory.reject("turn-7/semantic", "nonsense", "no form")


def session(memory):
    with memory.transaction():
        add_turn(memory)
        apply(memory)


def prepared(folder):
    memory = new_memory(folder, turns=7)
    memory.add_turn(DialogueTurn(7, 1, at(7), 60, "turn 7", ""))
    set_value(memory, 0, "home", "Lyon")
    set_value(memory, 0, "run", "daily", "procedural", None)
    know(memory, 1, "The user likes tea.")
    memory.enqueue("turn-7/semantic", "{}")
    return memory


def state(path):
    with UserMemory.open(path, "ann") as memory:
        with memory.snapshot() as sql:
            assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            media = sql.execute("SELECT count(*), coalesce(sum(length(data)), 0) FROM media").fetchone()
        found = [hit.memory.content for kind in ("semantic", "procedural") for hit in memory.search(kind, unit("x"), 9)]
        return (
            [(turn.index, turn.user, turn.assistant) for turn in memory.turns()],
            [one.content for kind in ("core", "semantic", "procedural") for one in memory.memories(kind)],
            [one.content for one in memory.history("core", "home")],
            found,
            memory.pending(),
            [one.job for one in memory.rejections()],
            memory.done("turn-7/semantic"),
            media,
        )


def killed_after(statements, work):
    """Do ``work`` in a fork that is killed before its statement number ``statements``; whether it came that far."""
    child = os.fork()
    if child == 0:
        left = statements
        connect = sqlite3.connect

        def count(_):
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def traced(*arguments, **named):
            connection = connect(*arguments, **named)
            connection.set_trace_callback(count)
            return connection

        sqlite3.connect = traced
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


@pytest.mark.parametrize("write", [add_turn, set_reply, put_media, apply, reject, session])
def test_a_write_that_is_killed_has_happened_or_not(tmp_path, write):
    with prepared(tmp_path / "before") as memory:
        path = memory.path
    before, wanted = state(path), after_of(path, tmp_path, write)
    states, statements = [], 0
    while True:
        copy = tmp_path / f"{statements}.sqlite"
        copy.write_bytes(path.read_bytes())

        def work(copy=copy):
            with UserMemory.open(copy, "ann") as memory:
                write(memory)

        if not killed_after(statements, work):
            after = state(copy)
            break
        states.append(state(copy))
        work()  # the next process does it again
        assert state(copy) == wanted
        statements += 1

    assert after == wanted != before
    assert set(map(repr, states)) <= {repr(before), repr(after)}
    assert statements > 5


def after_of(path, folder, write):
    copy = folder / "after.sqlite"
    copy.write_bytes(path.read_bytes())
    with UserMemory.open(copy, "ann") as memory:
        write(memory)
    return state(copy)


def test_a_file_whose_making_is_killed_is_made_by_the_next_one(tmp_path):
    statements = 0
    while True:
        path = tmp_path / f"{statements}" / "user.sqlite"

        def work(path=path):
            UserMemory.open(path, "ann").close()

        came_through = not killed_after(statements, work)
        with UserMemory.open(path, "ann") as memory:
            know_something(memory)
        if came_through:
            break
        statements += 1
    assert statements > len(schema.TABLES)


def know_something(memory):
    memory.add_turn(DialogueTurn(0, 0, at(0), 60, "hello", ""))
    assert memory.turn_count() == 1


UPGRADE = {
    1: (
        "ALTER TABLE turns ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
        "UPDATE turns SET mood = 'glad' WHERE turn = 1",
        "CREATE TABLE moods(mood TEXT PRIMARY KEY) WITHOUT ROWID",
    )
}


def test_an_upgrade_that_is_killed_is_made_by_the_next_one_and_keeps_everything(tmp_path, monkeypatch):
    with prepared(tmp_path / "before") as memory:
        path = memory.path
    before = state(path)
    monkeypatch.setattr(schema, "FORMAT", 2)
    monkeypatch.setattr(schema, "MIGRATIONS", UPGRADE)
    statements = 0
    while True:
        copy = tmp_path / f"{statements}.sqlite"
        copy.write_bytes(path.read_bytes())
        came_through = not killed_after(statements, lambda copy=copy: UserMemory.open(copy, "ann").close())
        assert state(copy) == before
        with UserMemory.open(copy, "ann") as memory, memory.snapshot() as sql:
            assert sql.execute("PRAGMA user_version").fetchone() == (2,)
            assert sql.execute("SELECT mood FROM turns ORDER BY turn LIMIT 2").fetchall() == [("calm",), ("glad",)]
        if came_through:
            break
        statements += 1
    assert statements > 5
    assert memory_file.schema is schema


def test_what_a_call_has_written_is_there_after_a_kill(tmp_path):
    path = tmp_path / "user.sqlite"
    child = os.fork()
    if child == 0:
        memory = UserMemory.open(path, "ann")
        for index in range(5):
            memory.add_turn(DialogueTurn(index, 0, at(index), 60, f"turn {index}", "reply"))
        memory.apply("job", [SemanticDraft("fact", "x", (), (0,), unit("x"))], origin(4))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)

    with UserMemory.open(path, "ann") as memory:
        assert memory.turn_count() == 5
        assert memory.done("job")
        assert [hit.memory.content for hit in memory.search("semantic", unit("x"), 1)] == ["x"]
