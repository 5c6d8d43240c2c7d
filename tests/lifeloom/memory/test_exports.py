import base64
import datetime as dt
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.memory import (
    DialogueTurn,
    EpisodeDraft,
    MediaGone,
    MemoryCorrupt,
    MemoryExists,
    MemoryFailure,
    MemoryFormatError,
    NotRemembered,
    Origin,
    OtherEncoder,
    OtherUser,
    RemoveValue,
    SemanticDraft,
    SetValue,
    UserMemory,
    erase_memory,
    erase_turn,
    export_of,
    export_user,
    import_user,
    load_user,
)
from lifeloom.memory.exports import UserExport
from lifeloom.records import MemoryVector, Moment, Turn
from tests.lifeloom.memory.remembering import (
    DIMENSIONS,
    at,
    know,
    new_memory,
    origin,
    profile,
    put_point,
    set_value,
    tell,
    unit,
)


def lived(folder):
    """A memory with something of everything in it, and things erased."""
    memory = new_memory(folder)
    picture = memory.put_media(b"\x89PNG a picture", 3, 2)
    memory.add_turn(DialogueTurn(8, 2, at(8), -300, "look: <img> 王小明 \0 \x1b[31m", "", (picture,)))
    draft = SemanticDraft("visual_concept", "Fatou <img>", ("Fatou",), (8,), unit("Fatou"), picture, unit("crop"))
    memory.apply("turn-8/semantic", [draft], origin(8))
    for turn in range(6):
        know(memory, turn, f"fact {turn}", ("tea", f"word{turn}"))
    set_value(memory, 0, "city", "Lisbon")
    set_value(memory, 2, "city", "Porto")
    set_value(memory, 1, "run", "at dawn", kind="procedural")
    memory.apply("turn-5/end", [RemoveValue("procedural", "run", (5,))], origin(5))
    memory.apply("turn-6/nothing", [RemoveValue("procedural", "run", (6,))], origin(6))
    tell(memory, (0, 1, 2, 3), "a long talk")
    put_point(memory, 0, (5, 3, 3, 3, 1), 0.5, profile(4, 3, 3, 3, 2))
    put_point(memory, 1, (3, 3, 3, 3, 3), 0.5018, profile(4, 3, 3, 3, 2), skipped="neutral")
    memory.apply("session-1/core", [], origin(7))
    for job in ("turn-8/personality", "session-2/core", "turn-7/semantic"):
        memory.enqueue(job, json.dumps({"job": job}))
    memory.reject("turn-7/personality", "nonsense", "what the model said: }{")
    erase_memory(memory, memory.memories("semantic")[2].memory_id)
    erase_turn(memory, 4)
    return memory


def files_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def answers(memory):
    moments = (None, Moment(at(3), 4), Moment(at(5), 6))
    searched = [
        memory.search(
            kind,
            unit(text),
            5,
            keywords=("tea", "word3"),
            lexical_weight=weight,
            as_of=moment,
            exclude=frozenset({"m-x"}),
        )
        for kind in ("semantic", "episodic", "procedural")
        for text in ("fact 3", "a long talk")
        for weight in (0.0, 0.3)
        for moment in moments
    ]
    return (
        searched,
        memory.search_crops(unit("crop"), 3),
        [(memory.core(m), memory.procedural(m), memory.personality_curve(m), memory.turns(as_of=m)) for m in moments],
        memory.history("core", "city"),
        memory.turn_count(),
        memory.pending(),
        memory.rejections(),
        memory.encoder(),
    )


def test_a_round_trip_gives_the_same_bytes_and_the_same_answers(tmp_path):
    with lived(tmp_path) as memory:
        export_user(memory, tmp_path / "first")
        expected = answers(memory)
        done = memory.apply("turn-5/end", [], origin(5))

    with import_user(tmp_path / "first", tmp_path / "again" / "user.sqlite") as again:
        export_user(again, tmp_path / "second")
        assert answers(again) == expected
        assert again.apply("turn-5/end", [], origin(5)) == done
        assert again.apply("turn-2/semantic", [SemanticDraft("fact", "x", (), (2,))], origin(2))
        assert again.media(again.turns(8)[0].pictures[0].content_hash) == b"\x89PNG a picture"

    assert files_of(tmp_path / "second") == files_of(tmp_path / "first")
    assert set(files_of(tmp_path / "first")) == {
        "user.json",
        "media/" + next(iter((tmp_path / "first" / "media").iterdir())).name,
    }


def test_what_was_done_stays_done_after_an_import(tmp_path):
    with new_memory(tmp_path) as memory:
        drafts = [SemanticDraft("fact", text, (), (2,), unit(text)) for text in ("likes tea", "likes cake")]
        made = memory.apply("turn-2/semantic", drafts, origin(2))
        erase_memory(memory, made[0].after.memory_id)
        export_user(memory, tmp_path / "export")

    with import_user(tmp_path / "export", tmp_path / "again.sqlite") as again:
        assert [c.after.content for c in again.apply("turn-2/semantic", drafts, origin(2))] == ["likes cake"]
        assert [one.content for one in again.memories("semantic")] == ["likes cake"]


def test_an_export_is_replaced_and_leaves_no_picture_that_is_gone(tmp_path):
    with lived(tmp_path) as memory:
        export_user(memory, tmp_path / "export")
        erase_turn(memory, 8)
        export_user(memory, tmp_path / "export")

    assert set(files_of(tmp_path / "export")) == {"user.json"}
    assert "Fatou" not in (tmp_path / "export" / "user.json").read_text()


def test_a_folder_with_another_users_export_is_left_alone(tmp_path):
    with lived(tmp_path) as memory:
        export_user(memory, tmp_path / "export")
    before = files_of(tmp_path / "export")

    with UserMemory.open(tmp_path / "bob.sqlite", "bob") as bob, pytest.raises(OtherUser, match=r"'ann'.*'bob'"):
        export_user(bob, tmp_path / "export")
    with pytest.raises(OtherUser, match=r"'ann'.*'bob'"):
        import_user(tmp_path / "export", tmp_path / "x.sqlite", "bob")

    assert files_of(tmp_path / "export") == before
    assert not (tmp_path / "x.sqlite").exists()


@pytest.fixture
def export(tmp_path):
    with lived(tmp_path) as memory:
        export_user(memory, tmp_path / "export")
    return tmp_path / "export"


def edited(export, **changes):
    path = export / "user.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def refused(export, error, match):
    place = export.parent / "imported" / "user.sqlite"
    with pytest.raises(error, match=match):
        import_user(export, place)
    assert not place.parent.exists() or list(place.parent.iterdir()) == []


def test_an_export_of_a_newer_version_is_refused(export):
    edited(export, format=2, something_new=1)
    refused(export, MemoryFormatError, "format 2.*newer")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"null", b"[" * 100_000, b'{"user_id": "ann"}'])
def test_damaged_json_is_told_with_what_to_do(export, data):
    (export / "user.json").write_bytes(data)
    refused(export, MemoryCorrupt, r"user\.json")


def test_json_cut_short_anywhere_is_told(export):
    whole = (export / "user.json").read_bytes()
    for length in range(0, len(whole) - 1, max(1, len(whole) // 25)):
        (export / "user.json").write_bytes(whole[:length])
        refused(export, MemoryCorrupt, "damaged|no export")


def test_a_missing_export_is_told(tmp_path):
    refused(tmp_path / "nowhere", NotRemembered, "missing")


def test_a_missing_or_damaged_picture_is_told(export):
    (picture,) = (export / "media").iterdir()
    picture.write_bytes(b"other bytes")
    refused(export, MediaGone, "damaged")
    picture.unlink()
    refused(export, MediaGone, f"{picture.name}.*cannot be read")


def test_what_does_not_fit_together_is_told(export):
    good = json.loads((export / "user.json").read_text())

    def with_(**changes):
        edited(export, **{**good, **changes})

    turns = good["turns"]
    with_(turns=turns[1:])
    refused(export, MemoryCorrupt, "turn 1 stands where turn 0 should")
    with_(turns=[{**turns[0], "at": "2030-01-01T00:00:00Z"}, *turns[1:]])
    refused(export, MemoryCorrupt, "earlier than the turn before")
    with_(turns=turns[:3])
    refused(export, MemoryCorrupt, "there are 3|cites")
    with_(memories=[{**good["memories"][0], "user_id": "bob"}, *good["memories"][1:]])
    refused(export, OtherUser, "'bob'")
    with_(memories=[*good["memories"], good["memories"][0]])
    refused(export, MemoryCorrupt, "twice")
    with_(vectors=[{**good["vectors"][0], "memory_id": "m-nowhere"}])
    refused(export, MemoryCorrupt, "m-nowhere")
    with_(vectors=[{**good["vectors"][0], "values": "!"}])
    refused(export, MemoryCorrupt, "cannot be read")
    with_(vectors=[{**good["vectors"][0], "encoder": "test/another"}])
    refused(export, OtherEncoder, "test/another")
    with_(done=[{"job": "turn-1/x", "effects": ["a:m-nowhere"]}])
    refused(export, MemoryCorrupt, "turn-1/x")
    with_(done=[{"job": "turn-1/x", "effects": []}] * 2)
    refused(export, MemoryCorrupt, "twice")
    with_(user_id="an\u202en")
    refused(export, MemoryFailure, "U\\+202E|'ann'")
    with_()
    import_user(export, export.parent / "fine.sqlite").close()


def changed(rows, number, **changes):
    return [{**row, **changes} if place == number else row for place, row in enumerate(rows)]


def test_what_contradicts_what_the_calls_see_to_is_told(export):
    good = json.loads((export / "user.json").read_text())
    turns, memories, points = good["turns"], good["memories"], good["personality"]

    def refuses(match, **changes):
        edited(export, **{**good, **changes})
        refused(export, MemoryCorrupt, match)

    for minutes in (1440, -99_999):
        refuses(f"turn 2 has an offset of {minutes} minutes", turns=changed(turns, 2, offset_minutes=minutes))
    refuses("turn 1 is of session 0, but session 5", turns=changed(turns, 0, session=5))
    refuses("turn 4 was erased, but has a text", turns=changed(turns, 4, user="it was erased"))
    refuses("turn 3 stands where turn 2 should", turns=turns[:2] + turns[3:])
    refuses("personality after turn 4, which was erased", personality=changed(points, 1, turn_index=4))
    for effect in ("z:", "a:", "a", "x:1", "u:m-nowhere", "p:", "p:7", "p:1,0", f"r:{memories[0]['memory_id']}", ""):
        refuses(r"'turn-1/x' did cannot be read", done=[{"job": "turn-1/x", "effects": [effect]}])
    refuses("turn-8/personality waits and is over", done=[{"job": "turn-8/personality", "effects": []}])

    fact = next(place for place, row in enumerate(memories) if row["content"] == "fact 2")
    name = memories[fact]["memory_id"]

    def refuses_fact(match, **changes):
        refuses(f"{name} {match}", memories=changed(memories, fact, **changes))

    refuses_fact("cites turns that are not there", source_turns=[2, 99])
    refuses_fact("cites turn 4, which was erased", source_turns=[2, 4])
    refuses_fact("cites turns twice or out of order", source_turns=[2, 1])
    early = (at(2) - dt.timedelta(seconds=1)).isoformat()
    refuses_fact("is known at .* before turn 2", known_at=early)
    refuses_fact("is known at .* after 2 turns, before turn 2", known_turns=2)
    refuses_fact("has other times", happened_from=early)
    refuses_fact("is semantic and was ended", ended_at=at(7).isoformat(), ended_turns=8)
    refuses_fact("holds still", replaced_by="m-nowhere")
    refuses_fact("is semantic and labelled 'nonsense'", label="nonsense")
    refuses_fact("is semantic and has the key 'city'", key="city")
    edited(export, **good)
    import_user(export, export.parent / "fine.sqlite").close()


def test_versions_that_do_not_follow_each_other_are_told(export):
    good = json.loads((export / "user.json").read_text())
    memories = good["memories"]
    lisbon, porto = (
        next(place for place, row in enumerate(memories) if row["content"] == city) for city in ("Lisbon", "Porto")
    )
    for match, changes in (
        ("do not name each other", changed(memories, porto, replaces="")),
        ("do not name each other", changed(memories, lisbon, replaced_by="m-nowhere")),
        (
            "m-nowhere, which is not there",
            changed(memories, porto, replaced_by="m-nowhere", ended_at=at(7).isoformat(), ended_turns=8),
        ),
        (
            "both hold as 'city'",
            changed(memories, lisbon, replaced_by="", ended_at=None, ended_turns=None, ended_by_turns=[]),
        ),
        ("ended before it was known", changed(memories, lisbon, ended_at=(at(0) - dt.timedelta(1)).isoformat())),
        ("ended before turn 2", changed(memories, lisbon, ended_at=at(1).isoformat())),
    ):
        edited(export, **{**good, "memories": changes})
        refused(export, MemoryCorrupt, match)


def test_names_of_media_never_lead_out_of_the_folder(export):
    edited(export, media=[{"content_hash": "../user.json", "width": 1, "height": 1}])
    refused(export, MemoryCorrupt, "media")


def test_a_file_that_is_there_is_not_touched(export, tmp_path):
    before = (tmp_path / "user.sqlite").read_bytes()

    with pytest.raises(MemoryExists, match=r"user\.sqlite already"):
        import_user(export, tmp_path / "user.sqlite")

    assert (tmp_path / "user.sqlite").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir() if "making" in path.name) == []


def test_an_import_killed_half_way_leaves_no_file_and_the_next_one_clears_up(export, tmp_path):
    place = tmp_path / "imported" / "user.sqlite"
    program = (
        "import os, signal, sys\n"
        "from lifeloom.memory import import_user, loading\n"
        "real = loading.fill\n"
        "import lifeloom.memory.exports as exports\n"
        "def fill(memory, contents):\n"
        "    real(memory, contents)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "exports.fill = fill\n"
        "import_user(sys.argv[1], sys.argv[2])\n"
    )
    root = Path(__file__).parents[3]
    killed = subprocess.run(
        [sys.executable, "-c", program, str(export), str(place)], cwd=root, check=False, env={**os.environ}
    )
    assert killed.returncode == -signal.SIGKILL
    assert not place.exists()
    assert list(place.parent.iterdir())

    import_user(export, place).close()

    assert [path.name for path in place.parent.iterdir()] == ["user.sqlite"]


def test_an_export_is_one_moment_though_another_process_writes_meanwhile(tmp_path):
    with new_memory(tmp_path) as memory, UserMemory.open(memory.path, "ann") as other:
        with memory.snapshot():
            assert memory.turn_count() == 8  # from here on
            know(other, 3, "came meanwhile")
            export_user(memory, tmp_path / "before")
        export_user(memory, tmp_path / "after")

    def contents(folder):
        read = UserExport.model_validate_json((tmp_path / folder / "user.json").read_bytes())
        return [one.content for one in read.memories], len(read.vectors), len(read.done)

    assert contents("before") == ([], 0, 0)
    assert contents("after") == (["came meanwhile"], 1, 1)


TEXTS = st.text(max_size=30)
SAID = st.tuples(TEXTS, TEXTS, st.integers(-840, 840), st.integers(0, 10**14))


@settings(max_examples=20, deadline=None)
@given(
    said=st.lists(SAID, min_size=1, max_size=6),
    begin=st.datetimes(timezones=st.just(dt.UTC), max_value=dt.datetime(9980, 1, 1)),  # noqa: DTZ001
    knowledge=st.lists(st.tuples(TEXTS.filter(bool), st.lists(TEXTS, max_size=3)), max_size=5),
    keys=st.lists(st.tuples(TEXTS.filter(bool), TEXTS.filter(bool)), max_size=4),
    user_id=st.text(st.characters(categories=["L", "N", "P", "So"]), min_size=1, max_size=20),
    erase=st.booleans(),
)
def test_any_texts_and_times_survive_the_round_trip(said, begin, knowledge, keys, user_id, erase):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with UserMemory.open(root / "user.sqlite", user_id) as memory:
            time = begin
            for index, (user, assistant, offset, gap) in enumerate(said):
                time += dt.timedelta(microseconds=gap)
                memory.add_turn(DialogueTurn(index, index, time, offset, user, assistant))
            last = len(said) - 1
            known = Origin(time, len(said))
            drafts = [
                SemanticDraft("fact", text, tuple(words), (number % len(said),), unit(text))
                for number, (text, words) in enumerate(knowledge)
            ]
            values = [SetValue("core", key, text, (last,), "human") for key, text in keys]
            memory.apply("job-1", [*drafts, *values, EpisodeDraft("sum", (), (last,), unit("sum"))], known)
            if erase:
                erase_turn(memory, 0)
            export_user(memory, root / "first")
            expected = memory.search("semantic", unit("x"), 9), memory.turns(), memory.core()
        with import_user(root / "first", root / "again.sqlite", user_id) as again:
            export_user(again, root / "second")
            assert (again.search("semantic", unit("x"), 9), again.turns(), again.core()) == expected
        assert files_of(root / "first") == files_of(root / "second")


def rows(turns=6):
    return [
        Turn(
            turn_id=f"turn-{index}",
            persona_id="ann",
            session_id=f"session-{index // 4}",
            turn_index=index,
            at=at(index),
            offset_minutes=60,
            user=f"turn {index}",
            assistant="reply",
        )
        for index in range(turns)
    ]


def tables(memory):
    export = export_of(memory)
    return export.memories, export.vectors, export.personality


def test_a_user_loaded_from_tables_answers_as_the_one_they_came_from(tmp_path):
    with new_memory(tmp_path, turns=0) as memory:
        for index in range(6):
            memory.add_turn(DialogueTurn(index, index // 4, at(index), 60, f"turn {index}", "reply"))
            know(memory, index, f"fact {index}", ("tea", f"word{index}"))
            put_point(memory, index, (4, 3, 3, 3, 3), 0.5, profile(3.5, 3, 3, 3, 3))
        set_value(memory, 2, "city", "Lisbon")
        set_value(memory, 4, "city", "Porto")
        memories, vectors, personality = tables(memory)
        with load_user(tmp_path / "loaded.sqlite", "ann", rows(), memories, vectors, personality) as loaded:
            assert answers(loaded)[:5] == answers(memory)[:5]
            assert loaded.encoder() == "test/hash-1"
            know(loaded, 5, "goes on")


def test_tables_of_another_user_or_of_two_encoders_are_refused_and_leave_no_file(tmp_path):
    with new_memory(tmp_path) as memory:
        know(memory, 1, "likes tea")
        know(memory, 2, "likes cake")
        memories, vectors, _ = tables(memory)
    place = tmp_path / "loaded" / "user.sqlite"

    def refused_with(error, match, *args):
        with pytest.raises(error, match=match):
            load_user(place, *args)
        assert not place.parent.exists() or list(place.parent.iterdir()) == []

    refused_with(OtherUser, "turn-0", "bob", rows(), ())
    refused_with(OtherUser, "'ann'", "bob", (), memories)
    refused_with(MemoryCorrupt, "cites turns", "ann", rows(1), memories)
    other = vectors[1].model_copy(update={"encoder": "test/another"})
    refused_with(OtherEncoder, "test/another", "ann", rows(), memories, (vectors[0], other))
    short = base64.b64encode(np.ones(3, np.float32).tobytes()).decode()
    refused_with(
        OtherEncoder, "3", "ann", rows(), memories, (vectors[0], vectors[1].model_copy(update={"values": short}))
    )
    assert isinstance(vectors[0], MemoryVector)
    assert len(base64.b64decode(vectors[0].values)) == 4 * DIMENSIONS
