from __future__ import annotations

import datetime as dt
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from lifeloom.lifegraph import Attribute, Entity, Fact, LifeGraph
from lifeloom.lifegraph.exports import (
    GraphImportFailed,
    read_graphml,
    write_graphml,
)
from lifeloom.lifegraph.file import (
    LifeGraphFile,
    LifeGraphFileBroken,
    LifeGraphFileError,
    LifeGraphFileMissing,
    LifeGraphFileOther,
    write_graph,
)

ROOT = Path(__file__).resolve().parents[3]


def a_graph(events: int = 3) -> LifeGraph:
    owner = Entity("p-1", "PersonAnimal", 'Zoë <"&>\x07 $x$', ("Mom", "my mother"), ("z-c-zoe",))
    at = dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC)
    entities = [owner]
    facts = []
    for number in range(events):
        entities.append(Entity(f"e-{number}", "Event", f"Event {number}", (), (f"z-e-{number}-0",), at, number))
        attributes = (Attribute("image", (f"z-e-{number}-0", "")), Attribute("beside", ("Rex",)))
        facts += [
            Fact(f"f-{number}", f"e-{number}", "attendedBy", "p-1", attributes, (f"z-e-{number}-0",), at, number),
            Fact(f"g-{number}", f"e-{number}", "plannedBy", "p-1"),
        ]
    return LifeGraph.of("zoe", "p-1", entities, facts)


def test_a_graph_comes_back_from_its_file_as_it_was_and_twice_to_the_same_bytes(tmp_path: Path) -> None:
    graph = a_graph()
    for name in ("one", "two"):
        write_graph(tmp_path / name, graph)
    with LifeGraphFile.open(tmp_path / "one") as file:
        assert file.graph() == graph
        assert file.finished
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_what_is_added_again_replaces_what_was_there_in_its_place(tmp_path: Path) -> None:
    graph = a_graph(1)
    changed = Entity("p-1", "PersonAnimal", "Zoë", ("Mom",), ("z-c-zoe", "z-e-1-0"))
    with LifeGraphFile.create(tmp_path / "g", "zoe") as file:
        file.add(graph.entities.values(), graph.facts.values())
        file.add([changed, Entity("e-9", "Event", "Later")])
        assert list(file.graph().entities) == ["p-1", "e-0", "e-9"]
        assert file.graph().entities["p-1"] == changed
        assert len(file.graph().facts) == 2


def test_a_fact_without_its_ends_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    with LifeGraphFile.create(tmp_path / "g", "zoe") as file:
        with pytest.raises(ValueError, match="no entity: e-1"):
            file.add([Entity("e-0", "Event", "Here")], [Fact("f", "e-0", "before", "e-1")])
        assert not file.graph().entities
        file.add([Entity("e-0", "Event", "Here")])
        assert list(file.graph().entities) == ["e-0"]


def test_a_file_cut_short_anywhere_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "g"
    write_graph(path, a_graph(200))
    whole = path.read_bytes()
    for length in (0, 10, 99, 100, 4096, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(LifeGraphFileBroken, match="build it anew"):
            LifeGraphFile.open(path)
    path.write_bytes(whole)
    with LifeGraphFile.open(path) as file:
        assert len(file.graph().facts) == 400


def test_a_damaged_page_is_told(tmp_path: Path) -> None:
    path = tmp_path / "g"
    write_graph(path, a_graph(200))
    data = bytearray(path.read_bytes())
    data[4096 * 3 : 4096 * 3 + 512] = b"\xff" * 512
    path.write_bytes(data)
    with pytest.raises(LifeGraphFileBroken, match="build it anew"), LifeGraphFile.open(path) as file:
        file.graph()


def test_what_is_no_life_graph_is_refused_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as sql:
        sql.execute("CREATE TABLE mine(x)")
    sql.close()
    text = tmp_path / "notes.txt"
    text.write_text("dear diary " * 50)
    for path, why in ((other, "another program's"), (text, "does not begin as a database")):
        before = path.read_bytes()
        with pytest.raises(LifeGraphFileBroken, match=why):
            LifeGraphFile.open(path, read_only=False)
        assert path.read_bytes() == before
    with pytest.raises(LifeGraphFileMissing, match="build it first"):
        LifeGraphFile.open(tmp_path / "none")
    with pytest.raises(LifeGraphFileOther, match="already"):
        LifeGraphFile.create(other, "zoe")


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g"
    write_graph(path, a_graph())
    sql = sqlite3.connect(path)
    sql.execute("PRAGMA user_version = 99")
    sql.close()
    with pytest.raises(LifeGraphFileBroken, match="newer version"):
        LifeGraphFile.open(path)


def test_a_file_opened_for_reading_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "g"
    write_graph(path, a_graph())
    before = path.read_bytes()
    with LifeGraphFile.open(path) as file:
        with pytest.raises(LifeGraphFileError, match="opened for reading"):
            file.add([Entity("e-9", "Event", "Later")])
        file.graph()
    assert path.read_bytes() == before


_WRITES = """
import sys
from lifeloom.lifegraph import Entity
from lifeloom.lifegraph.file import LifeGraphFile
with LifeGraphFile.create(sys.argv[1], "zoe") as file:
    print("ready", flush=True)
    for number in range(100_000):
        entities = [Entity(f"{number}-{part}", "Object", f"thing {number} {part}") for part in range(40)]
        file.finish_bin(number, "{}", entities, (), owner_id="")
"""


def test_a_killed_process_leaves_the_graph_of_whole_bins(tmp_path: Path) -> None:
    path = tmp_path / "g"
    for delay in (0.02, 0.05, 0.11):
        path.unlink(missing_ok=True)
        with subprocess.Popen([sys.executable, "-c", _WRITES, str(path)], stdout=subprocess.PIPE, cwd=ROOT) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            try:
                process.wait(delay)
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
        with LifeGraphFile.open(path) as file:
            bins = len(file.reports())
            assert len(file.graph().entities) == 40 * bins
        with LifeGraphFile.open(path, read_only=False) as file:
            file.finish_bin(bins, "{}", [Entity("last", "Object", "last")], (), owner_id="last")
            assert len(file.graph().entities) == 40 * bins + 1


def test_exports_come_back_exactly_whatever_names_hold(tmp_path: Path) -> None:
    graph = a_graph()
    write_graphml(graph, tmp_path / "g.graphml")
    assert read_graphml(tmp_path / "g.graphml") == graph
    empty = LifeGraph.of("nobody", "", (), ())
    write_graphml(empty, tmp_path / "e.graphml")
    assert read_graphml(tmp_path / "e.graphml") == empty


def test_what_was_not_exported_here_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g.graphml"
    write_graphml(a_graph(), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(GraphImportFailed, match="export it again"):
        read_graphml(path)
    for text in ("", "<graphml/>", "[]", '<?xml version="1.0"?><graphml xmlns="x"><graph/></graphml>'):
        path.write_text(text)
        with pytest.raises(GraphImportFailed):
            read_graphml(path)


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("UPDATE entities SET aliases = ?", "[" * 100_000),
        ("UPDATE entities SET aliases = ?", '"abc"'),
        ("UPDATE entities SET sources = ?", '["a"],["b"]'),
        ("UPDATE facts SET attributes = ?", '[["key"]]'),
        ("UPDATE facts SET attributes = ?", '[["key", "abc"]]'),
        ("UPDATE facts SET attributes = ?", '[[1, ["a"]]]'),
        ("UPDATE facts SET attributes = ?", '[["key", [1]]]'),
        ("UPDATE facts SET attributes = ?", '[["key", {"a": 1}]]'),
        ("UPDATE facts SET sources = ?", '[["a"]]'),
        ("UPDATE entities SET sources = ?", "[1]"),
        ("UPDATE entities SET name = CAST(? AS TEXT)", b"\xff\xfe"),
    ],
)
def test_rows_that_hold_something_else_are_damage(tmp_path: Path, statement: str, value: object) -> None:
    path = tmp_path / "g"
    write_graph(path, a_graph())
    with sqlite3.connect(path) as sql:
        sql.execute(statement, (value,))
    sql.close()
    with LifeGraphFile.open(path) as file, pytest.raises(LifeGraphFileBroken, match="build it anew"):
        file.graph()


def test_tables_whose_names_are_no_text_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "g"
    write_graph(path, a_graph())
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE TABL\xa3"))
    with pytest.raises(LifeGraphFileBroken, match="build it anew"):
        LifeGraphFile.open(path)


def test_a_file_without_a_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g"
    write_graph(path, a_graph())
    with sqlite3.connect(path) as sql:
        sql.execute("PRAGMA user_version = 0")
    sql.close()
    for read_only in (True, False):
        with pytest.raises(LifeGraphFileBroken, match="never finished"):
            LifeGraphFile.open(path, read_only=read_only)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("&quot;Event 0&quot;", "5"),
        ("&quot;Event 0&quot;", "null"),
        ("[&quot;Mom&quot;, &quot;my mother&quot;]", "&quot;abc&quot;"),
        ("&quot;Event 0&quot;", "[" * 100_000),
        ("encoding='utf-8'", "encoding='banana'"),
    ],
)
def test_graphml_with_other_types_or_too_deep_is_refused(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "g.graphml"
    write_graphml(a_graph(), path)
    text = path.read_text()
    assert old in text or old.replace("&quot;", '"') in text
    path.write_text(text.replace(old, new).replace(old.replace("&quot;", '"'), new))
    with pytest.raises(GraphImportFailed):
        read_graphml(path)
