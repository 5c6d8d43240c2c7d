"""Files that are damaged, foreign, newer, read-only, locked or on a full disk: said in words, and nothing is lost."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lifeloom.memory import (
    DialogueTurn,
    MemoryBusy,
    MemoryCorrupt,
    MemoryFailure,
    MemoryFormatError,
    MemoryFull,
    MemoryReadOnly,
    NotRemembered,
    OtherUser,
    SemanticDraft,
    UserIdInvalid,
    UserMemory,
    erase_user,
    read_user_id,
    schema,
)
from tests.lifeloom.memory.remembering import add_turns, at, know, new_memory, origin, unit


@pytest.fixture
def path(tmp_path):
    """A closed file of eight turns and some knowledge."""
    with new_memory(tmp_path / "folder") as memory:
        for number in range(40):
            know(memory, number % 8, f"fact {number} " + "x" * 500)
    return memory.path


def whole(path):
    with UserMemory.open(path, "ann") as memory:
        return memory.turn_count() == 8 and len(memory.memories("semantic")) == 40


def test_nothing_is_made_where_nothing_is_and_none_is_to_be_made(tmp_path):
    for how in ({"create": False}, {"read_only": True}):
        with pytest.raises(NotRemembered, match="'ann'"):
            UserMemory.open(tmp_path / "deep" / "user.sqlite", "ann", **how)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_file_is_one_file(path):
    assert [one.name for one in path.parent.iterdir()] == ["user.sqlite"]


def test_a_file_is_opened_for_its_own_user_alone(path):
    before = path.read_bytes()

    with pytest.raises(OtherUser, match=r"of 'ann', not of 'bob'"):
        UserMemory.open(path, "bob")
    with pytest.raises(UserIdInvalid):
        UserMemory.open(path, "bo\0b")

    assert path.read_bytes() == before
    assert read_user_id(path) == "ann"


def test_another_programs_database_is_refused_untouched(tmp_path):
    path = tmp_path / "user.sqlite"
    for pragma in ("", "PRAGMA application_id = 77"):
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE IF NOT EXISTS bills(amount)")
            other.execute(pragma)
        before = path.read_bytes()
        with pytest.raises(MemoryFormatError, match="another program's"):
            UserMemory.open(path, "ann")
        assert path.read_bytes() == before


def test_a_newer_file_is_refused_untouched(path):
    with contextlib.closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {schema.FORMAT + 1}")
    before = path.read_bytes()

    with pytest.raises(MemoryFormatError, match=f"format {schema.FORMAT + 1}.*use the newer version"):
        UserMemory.open(path, "ann")

    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == ["user.sqlite"]


def test_an_older_file_opened_for_reading_says_how_to_upgrade(path, monkeypatch):
    monkeypatch.setattr(schema, "FORMAT", 2)

    with pytest.raises(MemoryReadOnly, match="without read_only to upgrade"):
        UserMemory.open(path, "ann", read_only=True)


@pytest.mark.parametrize("keep", [0, 1, 50, 100, 4096, 30_000, -4096, -1])
@pytest.mark.parametrize("how", [{}, {"create": False}, {"read_only": True}])
def test_a_file_cut_short_is_damaged_and_stays_as_it_is(path, keep, how):
    cut = path.read_bytes()[:keep]
    path.write_bytes(cut)

    with pytest.raises(MemoryCorrupt, match="copy or an export"):
        UserMemory.open(path, "ann", **how)
    with pytest.raises(MemoryCorrupt):
        read_user_id(path)

    assert path.read_bytes() == cut
    assert [one.name for one in path.parent.iterdir()] == ["user.sqlite"]


def killed_in(path, work):
    """Do ``work`` with the file in a fork that is killed afterwards: its write-ahead log stays."""
    child = os.fork()
    if child == 0:
        try:
            work(UserMemory.open(path, "ann"))
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert Path(f"{path}-wal").stat().st_size > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_file_whose_last_pages_are_in_the_log_is_whole(path):
    """As a process leaves it that is killed while it writes the log back: page 1 first, the last pages not yet."""

    def lengthen(memory):
        for number in range(40):
            know(memory, number % 8, f"more {number} " + "y" * 2000)

    killed_in(path, lengthen)
    before = path.stat().st_size
    log = Path(f"{path}-wal").read_bytes()
    with UserMemory.open(path, "ann") as memory:
        assert len(memory.memories("semantic")) == 80
    assert path.stat().st_size > before
    path.write_bytes(path.read_bytes()[:before])
    Path(f"{path}-wal").write_bytes(log)

    with UserMemory.open(path, "ann") as memory, memory.snapshot() as sql:
        assert len(memory.memories("semantic")) == 80
        assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_file_cut_short_is_damaged_also_where_its_log_holds_other_pages(path):
    killed_in(path, lambda memory: memory.reject("job", "reason", "detail"))
    path.write_bytes(path.read_bytes()[:-1])
    log = Path(f"{path}-wal").read_bytes()

    with pytest.raises(MemoryCorrupt, match=r"lacks its end \(1 of its pages\)"):
        UserMemory.open(path, "ann")

    assert Path(f"{path}-wal").read_bytes() == log


def test_an_empty_file_is_never_taken_for_a_new_one(tmp_path):
    path = tmp_path / "user.sqlite"
    path.touch()

    with pytest.raises(MemoryCorrupt, match="cut to nothing"):
        UserMemory.open(path, "ann")

    assert path.read_bytes() == b""


def test_a_log_without_its_file_is_no_part_of_a_new_one(path):
    with UserMemory.open(path, "ann") as memory:
        add_turns(memory, 1, first=8)
        log = Path(f"{path}-wal").read_bytes()
    assert log
    path.unlink()
    Path(f"{path}-wal").write_bytes(log)

    with UserMemory.open(path, "ann") as memory:
        assert memory.turn_count() == 0
        add_turns(memory, 1)


def test_a_link_is_read_and_never_written_through(path, tmp_path):
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    before = path.read_bytes()

    with pytest.raises(MemoryReadOnly, match=r"link\.sqlite is a link to .*user\.sqlite"):
        UserMemory.open(link, "ann")
    with UserMemory.open(link, "ann", read_only=True) as memory:
        assert memory.turn_count() == 8
        with pytest.raises(MemoryReadOnly):
            erase_user(memory)
    assert link.is_symlink()
    assert path.read_bytes() == before

    path.unlink()
    with pytest.raises(MemoryReadOnly, match="is a link"):
        UserMemory.open(link, "ann")
    assert not path.exists()


def test_a_file_that_was_overwritten_is_damaged_at_the_latest_when_it_is_read(path):
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))

    with pytest.raises(MemoryCorrupt), UserMemory.open(path, "ann") as memory:
        memory.turns()

    path.write_bytes(b"something else altogether" * 1000)
    with pytest.raises(MemoryCorrupt, match="does not begin as a database"):
        UserMemory.open(path, "ann")


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE memories SET maker = 99",
        "UPDATE memories SET label = 77",
        "UPDATE memories SET keywords = '[1'",
        "UPDATE memories SET happened_from = 9000000000000000000",
        "UPDATE memories SET content = ''",
        "UPDATE turns SET pictures = 'no picture'",
        "UPDATE turns SET at = 9000000000000000000",
        "DELETE FROM text_blocks",
        "UPDATE text_blocks SET data = x'00'",
        "DROP TABLE turns",
    ],
)
def test_rows_that_were_never_written_are_damage_and_not_an_accident_of_python(path, harm):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(harm)

    def read_all():
        with UserMemory.open(path, "ann") as memory:
            memory.turns()
            memory.search("semantic", unit("x"), 3, context_turns={1})
            memory.memories("semantic")

    with pytest.raises(MemoryCorrupt):
        read_all()


def test_text_that_is_no_text_is_damage(path):
    data = path.read_bytes()
    path.write_bytes(data.replace(b"turn 3", b"turn \xff"))

    with pytest.raises(MemoryCorrupt), UserMemory.open(path, "ann") as memory:
        memory.turns()


def test_tables_whose_names_are_no_text_are_damage(path):
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE TABL\xa3"))
    with pytest.raises(MemoryCorrupt, match="damaged"):
        UserMemory.open(path, "ann")


def test_a_handle_for_reading_reads_and_refuses_to_write(path):
    before = path.read_bytes()
    with UserMemory.open(path, "ann", read_only=True) as memory:
        assert memory.turn_count() == 8
        assert len(memory.search("semantic", unit("x"), 4)) == 4
        memory.use_encoder("test/hash-1", 16)
        for write in (
            lambda: add_turns(memory, 1, first=8),
            lambda: memory.set_reply(1, "x"),
            lambda: memory.put_media(b"x", 1, 1),
            lambda: memory.apply("job", [], origin(1)),
            lambda: memory.enqueue("job", ""),
            lambda: memory.reject("job", "", ""),
        ):
            with pytest.raises(MemoryReadOnly, match="opened for reading"):
                write()
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == ["user.sqlite"]
    assert whole(path)


def test_nothing_is_written_inside_a_snapshot_which_sees_one_moment(path):
    with UserMemory.open(path, "ann") as memory, UserMemory.open(path, "ann") as other:
        with memory.snapshot():
            assert memory.turn_count() == 8
            add_turns(other, 1, first=8)
            assert memory.turn_count() == 8
            with pytest.raises(MemoryFailure, match="write after it has ended"):
                memory.enqueue("job", "")
        assert memory.turn_count() == 9
        memory.enqueue("job", "")
        assert other.pending() == (("job", ""),)


@contextlib.contextmanager
def mounted(folder, options):
    if os.geteuid() != 0:
        pytest.skip("mounting wants root")
    folder.mkdir(exist_ok=True)
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)
    if made.returncode != 0:
        pytest.skip(f"no mounting here: {made.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_on_a_disk_that_cannot_be_written_a_file_is_read_and_not_written(path, tmp_path):
    with mounted(tmp_path / "disk", "size=4m") as disk:
        shutil.copy(path, disk / "user.sqlite")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)

        with UserMemory.open(disk / "user.sqlite", "ann", read_only=True) as memory:
            assert memory.turn_count() == 8
        with pytest.raises(MemoryReadOnly, match="rights"), UserMemory.open(disk / "user.sqlite", "ann") as memory:
            add_turns(memory, 1, first=8)
        with pytest.raises(MemoryReadOnly):
            UserMemory.open(disk / "other.sqlite", "ann")


def test_on_a_full_disk_a_write_says_so_and_nothing_is_lost(tmp_path):
    with mounted(tmp_path / "disk", "size=2m") as disk:
        memory = new_memory(disk)
        know(memory, 0, "kept")
        kept = 0

        def write_on():
            nonlocal kept
            while kept < 10_000:
                memory.apply(f"{kept}", [SemanticDraft("fact", os.urandom(2000).hex(), (), (0,))], origin(1))
                kept += 1

        with pytest.raises(MemoryFull, match="nothing was lost"):
            write_on()
        with pytest.raises(MemoryFull):
            memory.put_media(os.urandom(1_000_000), 10, 10)

        assert memory.turn_count() == 8
        assert len(memory.memories("semantic")) == kept + 1
        assert [hit.memory.content for hit in memory.search("semantic", unit("kept"), 1)] == ["kept"]
        memory.close()
        with UserMemory.open(memory.path, "ann") as again:
            assert len(again.memories("semantic")) == kept + 1
            assert again.done(f"{kept - 1}")
            assert not again.done(f"{kept}")
        fill(disk)
        with pytest.raises(MemoryFull):
            UserMemory.open(disk / "other.sqlite", "bob")


def fill(disk):
    with contextlib.suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_a_file_that_another_process_holds_for_longer_is_busy(path):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with UserMemory.open(path, "ann", busy_seconds=0.05) as memory:
            assert memory.turn_count() == 8  # reading goes on
            with pytest.raises(MemoryBusy, match=r"longer than 0\.05 s"):
                add_turns(memory, 1, first=8)
            other.execute("ROLLBACK")
            add_turns(memory, 1, first=8)
            assert memory.turn_count() == 9


WRITER = """
import sys
from lifeloom.memory import UserMemory
from tests.lifeloom.memory.remembering import know
with UserMemory.open(sys.argv[1], "ann") as memory:
    print("ready", flush=True)
    for number in range(150):
        know(memory, number % 8, f"{sys.argv[2]} {number}", job=f"{sys.argv[2]} {number}")
"""


def test_writers_and_readers_in_processes_of_their_own_get_along(tmp_path):
    with new_memory(tmp_path) as memory:
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(memory.path), name], stdout=subprocess.PIPE, cwd=Path.cwd()
            )
            for name in ("one", "two")
        ]
        seen = [0]
        while any(writer.poll() is None for writer in writers):
            hits = memory.search("semantic", unit("one 7"), 1000)
            assert len(hits) >= seen[-1]
            assert all(hit.memory.source_turns for hit in hits)
            seen.append(len(hits))
        assert [writer.wait() for writer in writers] == [0, 0]

        assert len(memory.search("semantic", unit("x"), 1000)) == 300
        assert {one.content for one in memory.memories("semantic")} == {
            f"{name} {number}" for name in ("one", "two") for number in range(150)
        }
        assert memory.search("semantic", unit("two 149"), 1)[0].memory.content == "two 149"
        for writer in writers:
            writer.stdout.close()


def test_a_file_is_made_by_one_of_many_that_open_it_at_once(tmp_path):
    opened, failures = [], []

    def work(number):
        try:
            with UserMemory.open(tmp_path / "user.sqlite", "ann") as memory:
                memory.enqueue(f"job {number}", "")
                opened.append(number)
        except MemoryFailure as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    with UserMemory.open(tmp_path / "user.sqlite", "ann") as memory:
        assert len(memory.pending()) == 12


def test_threads_share_a_handle(tmp_path):
    with new_memory(tmp_path) as memory:
        problems = []

        def write(name):
            for number in range(60):
                know(memory, number % 8, f"{name} {number}", job=f"{name} {number}")

        def read():
            for _ in range(100):
                hits = memory.search("semantic", unit("a 1"), 5, keywords=("x",), lexical_weight=0.1)
                if sorted(hits, key=lambda hit: -hit.score) != list(hits):
                    problems.append(hits)

        threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
        threads += [threading.Thread(target=read) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert problems == []
        assert len(memory.search("semantic", unit("x"), 1000)) == 180


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_goes_on_with_a_handle_and_the_parent_sees_what_it_wrote(tmp_path):
    with new_memory(tmp_path) as memory:
        know(memory, 0, "the parent's")
        assert len(memory.search("semantic", unit("x"), 5)) == 1
        child = os.fork()
        if child == 0:
            code = 1
            try:
                know(memory, 1, "the child's")
                code = 0 if len(memory.search("semantic", unit("x"), 5)) == 2 else 2
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        know(memory, 2, "the parent's again")

        assert len(memory.search("semantic", unit("x"), 5)) == 3


def test_a_closed_memory_says_so(path):
    memory = UserMemory.open(path, "ann")
    memory.close()
    memory.close()

    with pytest.raises(MemoryFailure, match="closed already"):
        memory.turns()
    with pytest.raises(MemoryFailure, match="closed already"):
        memory.add_turn(DialogueTurn(8, 2, at(8), 0, "x", ""))


def test_what_was_noted_to_be_scrubbed_is_scrubbed_at_the_next_opening(path):
    with UserMemory.open(path, "ann") as memory, memory.transaction() as sql:
        sql.execute("DELETE FROM memories WHERE row > 1")
        sql.execute("INSERT INTO meta VALUES ('scrub', '1')")
        memory.rewritten()
    before = path.stat().st_size

    with UserMemory.open(path, "ann") as memory, memory.snapshot() as sql:
        assert sql.execute("SELECT count(*) FROM meta WHERE name = 'scrub'").fetchone() == (0,)
        assert len(memory.search("semantic", unit("x"), 50)) == 1
    assert path.stat().st_size < before
