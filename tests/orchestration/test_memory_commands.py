"""`lifeloom memory`: users listed, shown, exported, imported, erased."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from lifeloom.assistant.memory_graph import graph_of_memory
from lifeloom.lifegraph.exports import read_graphml
from lifeloom.memory import (
    DialogueTurn,
    EpisodeDraft,
    Origin,
    SemanticDraft,
    SetValue,
    UserMemory,
    export_of,
    user_file,
)
from tests.chatting import Terminal

MARCH = dt.datetime(2026, 3, 1, 9, tzinfo=dt.UTC)


def remember(home: Path, user: str) -> None:
    """Make a user who moved from Lyon to Ghent."""
    with UserMemory.open(user_file(home / "users", user), user) as memory:
        for index, town in enumerate(("Lyon", "Ghent")):
            at = MARCH + dt.timedelta(days=30 * index)
            memory.add_turn(DialogueTurn(index, index, at, 60, f"I live in {town}.", "I see."))
            knowledge = SemanticDraft("fact", f"The user lives in {town}.", (town,), (index,))
            memory.apply(f"turn-{index}/semantic", [knowledge], Origin(at, index + 1))
            home_town = SetValue("core", "home", town, (index,), "human")
            memory.apply(f"session-{index}/core", [home_town], Origin(at + dt.timedelta(hours=1), index + 1))
            episode = EpisodeDraft(f"The user talked about {town}.", (town,), (index,))
            memory.apply(f"session-{index}/episodic", [episode], Origin(at + dt.timedelta(hours=1), index + 1))


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def ines(terminal: Terminal) -> Terminal:
    remember(terminal.home, "ines")
    return terminal


def test_the_list_tells_who_is_there_and_what_cannot_be_read(ines: Terminal) -> None:
    remember(ines.home, "王/[b]")
    (ines.home / "users" / f"{'0' * 64}.sqlite").write_bytes(b"SQLite format 3\0" + bytes(200))

    shown = ines.run("memory", "list")

    assert shown.code == 0
    (row,) = [line for line in shown.out.splitlines() if line.lstrip().startswith("ines")]
    assert row.split()[:7] == ["ines", "2026-03-31", "10:00", "2", "1", "0", "2"]
    assert "王/[b]" in shown.out
    assert "not readable" in shown.out


def test_an_empty_home_has_nobody(terminal: Terminal) -> None:
    assert "nobody has memories" in terminal.run("memory", "list").out


def test_all_that_holds_is_shown_and_the_history_on_request(ines: Terminal) -> None:
    now = ines.run("memory", "show", "ines").out
    assert "human/home: Ghent" in now
    assert "human/home: Lyon" not in now
    history = ines.run("memory", "show", "ines", "history").out
    assert "human/home: Ghent" in history
    assert "human/home: Lyon" in history
    assert "episodic" not in ines.run("memory", "show", "ines", "semantic").out


def test_a_past_day_shows_what_was_known_then(ines: Terminal) -> None:
    then = ines.run("memory", "show", "ines", "--as-of", "2026-03-15").out
    assert "human/home: Lyon" in then
    assert "Ghent" not in then
    assert "Ghent" not in ines.run("memory", "show", "ines", "history", "--as-of", "2026-03-15").out
    assert "Ghent" not in ines.run("memory", "show", "ines", "turns", "--as-of", "2026-03-15").out
    assert "nothing is remembered" in ines.run("memory", "show", "ines", "--as-of", "2020-01-01").out
    assert ines.run("memory", "show", "ines", "--as-of", "spring").code == 2


def test_one_memory_is_shown_with_its_turns_and_only_from_when_it_was_known(ines: Terminal) -> None:
    with UserMemory.open(user_file(ines.home / "users", "ines"), "ines") as memory:
        lyon, ghent = memory.history("core", "home", "human")
    shown = ines.run("memory", "show", "ines", lyon.memory_id).out
    assert "I live in Lyon." in shown
    assert f"replaced by {ghent.memory_id}" in shown
    assert "replaced" not in ines.run("memory", "show", "ines", lyon.memory_id, "--as-of", "2026-03-15").out
    early = ines.run("memory", "show", "ines", ghent.memory_id, "--as-of", "2026-03-15")
    assert early.code == 1
    assert "was not known at that moment" in early.err


def test_looking_changes_no_byte_of_the_file(ines: Terminal) -> None:
    path = user_file(ines.home / "users", "ines")
    before = path.read_bytes()
    for what in ("", "history", "profile", "turns"):
        assert ines.run("memory", "show", "ines", *filter(None, [what])).code == 0
    assert ines.run("memory", "graph", "ines").code == 0
    assert path.read_bytes() == before


def test_the_graph_of_a_memory_is_told_and_written(ines: Terminal, tmp_path: Path) -> None:
    with UserMemory.open(user_file(ines.home / "users", "ines"), "ines") as memory:
        at = MARCH + dt.timedelta(days=60)
        memory.add_turn(DialogueTurn(2, 2, at, 60, "I left Ghent.", "I see."))
        memory.apply("turn-2", [SemanticDraft("fact", "The user left Ghent.", ("Ghent",), (2,))], Origin(at, 3))
        expected = graph_of_memory(memory)
    graphml, png = tmp_path / "ines.graphml", tmp_path / "ines.png"

    shown = ines.run("memory", "graph", "ines", "--graphml", str(graphml), "--png", str(png))

    assert shown.code == 0
    assert shown.out.startswith(f"{len(expected.entities)} entities (")
    (row,) = [line for line in shown.out.splitlines() if "Ghent" in line]
    assert row.split() == ["2", "Ghent", "2026-03-31", "2026-04-30"]
    assert read_graphml(graphml) == expected
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "told of more than once" not in ines.run("memory", "graph", "ines", "--as-of", "2026-04-15").out


def test_an_export_is_taken_in_elsewhere_as_it_was(ines: Terminal, tmp_path: Path) -> None:
    with UserMemory.open(user_file(ines.home / "users", "ines"), "ines") as memory:
        before = export_of(memory)
    assert ines.run("memory", "export", "ines", str(tmp_path / "out")).code == 0
    again = ines.run("memory", "import", str(tmp_path / "out"))
    assert again.code == 1
    assert "erase that user first" in again.err

    assert ines.run("memory", "erase", "ines", "--yes").code == 0
    assert "2 turns taken in" in ines.run("memory", "import", str(tmp_path / "out")).out
    with UserMemory.open(user_file(ines.home / "users", "ines"), "ines") as memory:
        assert export_of(memory) == before


def test_erasing_asks_first_and_leaves_no_byte(ines: Terminal) -> None:
    kept = ines.run("memory", "erase", "ines", lines="n\n", typed=True)
    assert kept.code == 1
    assert "Erase 2 turns, 6 versions of memories and 0 pictures of ines for good?" in kept.out
    assert ines.holds("Ghent")
    assert ines.run("memory", "erase", "ines", lines="y\n", typed=True).code == 0
    assert not ines.holds("Ghent")
    assert list((ines.home / "users").iterdir()) == []


def test_a_script_erases_only_where_it_says_yes(ines: Terminal) -> None:
    refused = ines.run("memory", "erase", "ines", lines="y\n")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert ines.holds("Ghent")
    assert ines.run("memory", "erase", "ines", "--yes").code == 0
    assert not ines.holds("Ghent")


def test_words_that_are_no_id_are_told_without_the_name_of_the_file(ines: Terminal) -> None:
    refused = ines.run("memory", "show", "ines", "where I live")
    assert refused.code == 1
    assert "no memory of 'ines' has the id 'where I live'" in refused.err
    assert ".sqlite" not in refused.err


def test_a_second_export_says_that_it_took_the_place_of_the_first(ines: Terminal, tmp_path: Path) -> None:
    first = ines.run("memory", "export", "ines", str(tmp_path / "out"))
    again = ines.run("memory", "export", "ines", str(tmp_path / "out"))
    assert (first.code, again.code) == (0, 0)
    assert "took the place" not in first.out
    assert "took the place of the export that was there" in again.out


@pytest.mark.parametrize(
    "arguments", [("show", "nobody"), ("export", "nobody", "out"), ("erase", "nobody", "--yes"), ("import", "nowhere")]
)
def test_who_is_not_there_is_told_in_words_and_not_made(
    ines: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = ines.run("memory", *arguments)
    assert refused.code == 1
    assert "nothing is remembered of 'nobody'" in refused.err or "there is no export" in refused.err
    assert len(list((ines.home / "users").glob("*.sqlite"))) == 1


@pytest.mark.parametrize("user_id", ["", "a\x1bb", 7, None])
def test_an_export_of_nobody_is_refused(terminal: Terminal, tmp_path: Path, user_id: object) -> None:
    (tmp_path / "user.json").write_text(json.dumps({"format": 1, "user_id": user_id}))
    refused = terminal.run("memory", "import", str(tmp_path))
    assert refused.code == 1
    assert refused.err.startswith("lifeloom:")
    assert "\x1b" not in refused.err
