import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.memory import (
    MediaGone,
    MemoryReadOnly,
    NotRemembered,
    OutOfOrder,
    RemoveValue,
    SemanticDraft,
    UserMemory,
    erase_memory,
    erase_turn,
    erase_user,
)
from lifeloom.memory.types import DialogueTurn, EpisodeDraft
from lifeloom.records import Moment
from lifeloom.store.processes import new_owner
from tests.lifeloom.memory.remembering import (
    add_turns,
    at,
    job_of,
    know,
    new_memory,
    origin,
    profile,
    put_point,
    set_value,
    tell,
    unit,
)


@pytest.fixture
def memory(tmp_path):
    with new_memory(tmp_path) as memory:
        yield memory


def found(folder, text):
    """Names of the files that hold the bytes of ``text``, in any encoding that SQLite knows."""
    wanted = [text.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be")]
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(w in path.read_bytes() for w in wanted)
    ]


def everything(memory):
    return (
        memory.turns(),
        memory.turn_count(),
        [memory.memories(kind) for kind in ("semantic", "episodic", "core", "procedural")],
        memory.personality_curve(),
        memory.pending(),
        memory.rejections(),
    )


def test_a_turn_goes_with_everything_that_cites_it(memory):
    gone = know(memory, 2, "likes tea", ("tea",))
    of_both = know(memory, 3, "likes tea and cake", sources=(2, 3))
    kept = know(memory, 3, "likes cake", ("cake",))
    episode = tell(memory, (0, 1, 2, 3), "a talk about tea and cake")
    other = tell(memory, (4, 5), "a talk about trains")

    erased = erase_turn(memory, 2)

    assert erased.turns == (2,)
    assert set(erased.memories) == {gone, of_both, episode}
    assert erased.scrubbed
    assert [turn.index for turn in memory.turns()] == [0, 1, 3, 4, 5, 6, 7]
    assert memory.turn_count() == 8
    assert [one.memory_id for one in memory.memories("semantic")] == [kept]
    assert [one.memory_id for one in memory.memories("episodic")] == [other]
    for memory_id in (gone, of_both, episode):
        with pytest.raises(NotRemembered):
            memory.memory(memory_id)
    hits = memory.search("semantic", unit("likes tea"), 9, keywords=("tea", "cake"), lexical_weight=0.5)
    assert [hit.memory.memory_id for hit in hits] == [kept]
    assert hits[0].lexical < 1  # "tea" is no keyword of anything any more


def test_numbers_of_turns_that_hold_the_number_of_another_are_not_taken_for_it(tmp_path):
    with new_memory(tmp_path / "other", turns=25) as memory:
        gone = [know(memory, 2, "of 2"), know(memory, 12, "of 1, 2 and 12", sources=(1, 2, 12))]
        kept = [know(memory, turn, f"of {turn}") for turn in (1, 12, 20, 21, 22)]

        assert sorted(erase_turn(memory, 2).memories) == sorted(gone)
        assert [one.memory_id for one in memory.memories("semantic")] == kept


def test_the_version_before_holds_again_when_the_turn_that_replaced_it_goes(memory):
    first = set_value(memory, 0, "city", "Lisbon")
    second = set_value(memory, 2, "city", "Porto")
    third = set_value(memory, 4, "city", "Faro")

    erased = erase_turn(memory, 4)

    assert erased.memories == (third,)
    assert erased.changed == erased.restored == (second,)
    assert [one.content for one in memory.core()] == ["Porto"]
    (one, two) = memory.history("core", "city", "human")
    assert (one.replaced_by, two.replaces) == (second, first)
    assert (two.replaced_by, two.ended_at, two.ended_turns, two.ended_by_turns) == ("", None, None, ())


def test_a_version_taken_out_of_the_middle_leaves_its_neighbours_linked(memory):
    first = set_value(memory, 0, "run", "at dawn", kind="procedural")
    second = set_value(memory, 2, "run", "at noon", kind="procedural")
    third = set_value(memory, 4, "run", "at dusk", kind="procedural")

    erased = erase_memory(memory, second)

    assert erased.memories == (second,)
    assert set(erased.changed) == {first, third}
    assert erased.restored == ()
    one, two = memory.history("procedural", "run")
    assert (one.replaced_by, one.ended_at, one.ended_turns, one.ended_by_turns) == (third, at(4), 5, (4,))
    assert (two.replaces, two.ended_at) == (first, None)
    between = Moment(at(3), 4)
    assert [one.content for one in memory.procedural(between)] == ["at dawn"]


def test_what_was_taken_back_holds_again_when_the_turn_that_took_it_back_goes(memory):
    value = set_value(memory, 0, "run", "at dawn", kind="procedural")
    memory.apply("turn-3/end", [RemoveValue("procedural", "run", (3,))], origin(3))
    assert memory.procedural() == ()

    erased = erase_turn(memory, 3)

    assert erased.memories == ()
    assert erased.restored == (value,)
    assert [one.memory_id for one in memory.procedural()] == [value]


def test_a_value_taken_back_later_stays_so_when_its_last_version_goes(memory):
    first = set_value(memory, 0, "run", "at dawn", kind="procedural")
    second = set_value(memory, 2, "run", "at noon", kind="procedural")
    memory.apply("turn-5/end", [RemoveValue("procedural", "run", (5,))], origin(5))

    erase_memory(memory, second)

    (one,) = memory.history("procedural", "run")
    assert (one.memory_id, one.replaced_by, one.ended_at, one.ended_by_turns) == (first, "", at(5), (5,))
    assert memory.procedural() == ()
    assert [one.memory_id for one in memory.procedural(Moment(at(4), 5))] == [first]


@pytest.mark.parametrize(("first", "merged"), [("likes tea.", "Likes tea and cake"), ("喜欢茶", "喜欢茶和蛋糕")])
def test_a_later_version_that_took_over_what_goes_goes_too(memory, first, merged):
    old = set_value(memory, 0, "taste", first)
    both = set_value(memory, 2, "taste", merged)
    apart = set_value(memory, 4, "taste", "likes soup")

    erased = erase_turn(memory, 0)

    assert set(erased.memories) == {old, both}
    (kept,) = memory.history("core", "taste")
    assert (kept.memory_id, kept.replaces) == (apart, "")


def test_a_later_version_whose_own_turn_says_the_same_stays(memory):
    set_value(memory, 0, "taste", "likes tea")
    memory.add_turn(DialogueTurn(8, 2, at(8), 60, "My wife says that he likes tea, and cake.", "so"))
    both = set_value(memory, 8, "taste", "likes tea and cake")

    erase_turn(memory, 0)

    assert [one.memory_id for one in memory.core()] == [both]


def test_blocks_and_keys_that_are_alike_are_mended_apart(memory):
    set_value(memory, 0, "name", "Ann", block="human")
    set_value(memory, 1, "name", "the helper", block="persona")
    set_value(memory, 2, "name", "Anna", block="human")

    erase_turn(memory, 2)

    assert {(one.label, one.content) for one in memory.core()} == {("human", "Ann"), ("persona", "the helper")}


def test_the_point_goes_and_later_ones_are_computed_from_the_scores_kept(memory):
    # p <- 0.5 p + 0.5 p', by hand, from 3 3 3 3 3.
    put_point(memory, 0, (5, 3, 3, 3, 1), 0.5, profile(4, 3, 3, 3, 2))
    put_point(memory, 1, (1, 1, 3, 3, 3), 0.5, profile(2.5, 2, 3, 3, 2.5))
    put_point(memory, 2, (3, 3, 3, 3, 3), 0.5, profile(2.5, 2, 3, 3, 2.5), skipped="neutral")
    put_point(memory, 3, (5, 5, 5, 5, 5), 0.5, profile(3.75, 3.5, 4, 4, 3.75))

    erased = erase_turn(memory, 1)

    assert (erased.personality, erased.recomputed) == ((1,), (2, 3))
    curve = {point.turn_index: point.profile.vector() for point in memory.personality_curve()}
    assert curve == {0: (4, 3, 3, 3, 2), 2: (4, 3, 3, 3, 2), 3: (4.5, 4, 4, 4, 3.5)}
    assert memory.personality(Moment(at(1), 2)).turn_index == 0


def test_the_first_point_gone_the_curve_starts_from_where_it_started(memory):
    put_point(memory, 0, (5, 3, 3, 3, 1), 0.5, profile(4, 3, 3, 3, 2))
    put_point(memory, 1, (5, 5, 5, 5, 5), 0.75, profile(4.25, 3.5, 3.5, 3.5, 2.75))

    erase_turn(memory, 0)

    (point,) = memory.personality_curve()
    assert point.profile.vector() == pytest.approx((3.5,) * 5)


def test_a_curve_that_skips_single_traits_still_does(memory):
    put_point(memory, 0, (5, 3, 3, 3, 3), 0.5, profile(4, 3, 3, 3, 3))
    put_point(memory, 1, (3, 5, 3, 3, 3), 0.5, profile(4, 4, 3, 3, 3))
    put_point(memory, 2, (3, 3, 5, 3, 3), 0.5, profile(4, 4, 4, 3, 3))

    erase_turn(memory, 1)

    assert memory.personality().profile.vector() == (4, 3, 4, 3, 3)


def test_pictures_go_when_nothing_shows_them_any_more(memory):
    shown, shared, crop, idle = (memory.put_media(data, 2, 2) for data in (b"shown", b"shared", b"crop", b"idle"))
    memory.add_turn(DialogueTurn(8, 2, at(8), 60, "<img> <img>", "nice", (shown, shared)))
    memory.add_turn(DialogueTurn(9, 2, at(9), 60, "again <img>", "nice", (shared,)))
    draft = SemanticDraft("visual_concept", "Fatou <img>", ("Fatou",), (8,), unit("Fatou"), crop, unit("crop"))
    memory.apply("turn-8/concepts", [draft], origin(8))

    erased = erase_turn(memory, 8)

    assert set(erased.pictures) == {shown.content_hash, crop.content_hash}
    for gone in (shown, crop):
        with pytest.raises(MediaGone):
            memory.media(gone.content_hash)
    assert memory.media(shared.content_hash) == b"shared"
    assert memory.media(idle.content_hash) == b"idle"
    assert memory.search_crops(unit("crop"), 3) == ()


def test_a_picture_of_a_concept_told_in_another_turn_stays_with_it(memory):
    picture = memory.put_media(b"portrait", 2, 2)
    memory.add_turn(DialogueTurn(8, 2, at(8), 60, "<img>", "nice", (picture,)))
    draft = SemanticDraft("visual_concept", "Fatou <img>", ("Fatou",), (7,), unit("Fatou"), picture, unit("portrait"))
    memory.apply("turn-7/concepts", [draft], origin(7))

    assert erase_turn(memory, 8).pictures == ()
    assert memory.media(picture.content_hash) == b"portrait"


def test_updates_of_the_turn_leave_the_queue_and_count_as_done(memory):
    for job in ("turn-2/semantic", "turn-2/personality", "turn-20/semantic", "session-0/episodic"):
        memory.enqueue(job, "{}")

    erased = erase_turn(memory, 2)

    assert erased.jobs == ("turn-2/semantic", "turn-2/personality")
    assert [job for job, _ in memory.pending()] == ["turn-20/semantic", "session-0/episodic"]
    memory.enqueue("turn-2/semantic", "{}")
    assert len(memory.pending()) == 2
    assert memory.apply("turn-2/semantic", [SemanticDraft("fact", "back", (), (2,))], origin(2)) == ()
    assert memory.memories("semantic") == ()


def test_nothing_that_was_under_way_brings_the_turn_back(memory):
    turn = memory.turns(2, 2)[0]
    memory.enqueue("session-0/episodic", "{}")
    erase_turn(memory, 2)

    with pytest.raises(NotRemembered, match="turn 2"):
        memory.apply("session-0/episodic", [EpisodeDraft("a talk", (), (1, 2, 3))], origin(3))
    with pytest.raises(NotRemembered):
        memory.set_reply(2, "late reply")
    with pytest.raises(OutOfOrder, match="erased"):
        memory.add_turn(turn)
    assert [job for job, _ in memory.pending()] == ["session-0/episodic"]
    assert memory.memories("episodic") == ()


def test_a_memory_erased_is_not_made_again_by_its_job_and_its_turn_stays(memory):
    drafts = [SemanticDraft("fact", text, (), (2,), unit(text)) for text in ("likes tea", "likes cake")]
    made = memory.apply("turn-2/semantic", drafts, origin(2))

    erase_memory(memory, made[0].after.memory_id)
    again = memory.apply("turn-2/semantic", drafts, origin(2))

    assert [change.after.content for change in again] == ["likes cake"]
    assert [one.content for one in memory.memories("semantic")] == ["likes cake"]
    assert memory.turns(2, 2)[0].user == "turn 2"


def test_what_comes_after_an_erased_memory_is_not_taken_for_it(memory):
    gone = know(memory, 2, "likes tea", job="turn-2/semantic")
    erase_memory(memory, gone)
    know(memory, 3, "likes cake", job="turn-3/semantic")  # its row has the number that is free

    assert memory.apply("turn-2/semantic", [], origin(2)) == ()
    assert [change.after.content for change in memory.apply("turn-3/semantic", [], origin(3))] == ["likes cake"]


def test_what_a_rejection_quotes_is_emptied_and_its_reason_kept(memory):
    memory.reject("turn-1/semantic", "nonsense", "before")
    memory.reject("turn-2/semantic", "nonsense", "quotes turn 2")
    memory.reject("turn-7/semantic", "nonsense", "may quote turn 2")
    memory.reject("session-0/core", "nonsense", "may quote turn 2")
    memory.reject("odd", "nonsense", "who knows")

    erased = erase_turn(memory, 2)

    assert erased.rejections == ("turn-2/semantic", "turn-7/semantic", "session-0/core", "odd")
    assert [(one.job, one.detail) for one in memory.rejections()] == [
        ("turn-1/semantic", "before"),
        ("turn-2/semantic", ""),
        ("turn-7/semantic", ""),
        ("session-0/core", ""),
        ("odd", ""),
    ]


def full(memory):
    """Something of everything, most of it about turn 2."""
    set_value(memory, 1, "city", "Lisbon")
    set_value(memory, 2, "city", "Porto")
    know(memory, 2, "likes tea", ("tea",))
    tell(memory, (1, 2, 3), "tea in Porto")
    put_point(memory, 1, (4, 3, 3, 3, 3), 0.5, profile(3.5, 3, 3, 3, 3))
    put_point(memory, 2, (5, 3, 3, 3, 3), 0.5, profile(4.25, 3, 3, 3, 3))
    put_point(memory, 3, (5, 3, 3, 3, 3), 0.5, profile(4.625, 3, 3, 3, 3))
    memory.enqueue("turn-2/semantic", "{}")
    memory.reject("turn-3/semantic", "nonsense", "quotes Porto")


def test_a_dry_run_says_exactly_what_goes_and_changes_nothing(memory):
    full(memory)
    before = everything(memory)

    foretold = erase_turn(memory, 2, dry_run=True)
    assert everything(memory) == before
    assert not foretold.scrubbed
    assert foretold == erase_turn(memory, 2)
    assert everything(memory) != before

    memory_id = memory.core()[0].memory_id
    foretold = erase_memory(memory, memory_id, dry_run=True)
    assert memory.memory(memory_id)
    assert foretold == erase_memory(memory, memory_id)

    path = memory.path
    foretold = erase_user(memory, dry_run=True)
    assert path.exists()
    assert foretold == erase_user(memory)
    assert foretold.file == path
    assert not path.exists()


def test_a_turn_erased_twice_is_nothing_and_one_never_said_is_told(memory):
    erase_turn(memory, 2)
    assert erase_turn(memory, 2).turns == ()
    with pytest.raises(NotRemembered, match=r"no turn 8.*8 turns"):
        erase_turn(memory, 8)
    with pytest.raises(NotRemembered, match="m-none"):
        erase_memory(memory, "m-none")


def test_a_memory_opened_for_reading_is_not_erased_from(memory):
    with UserMemory.open(memory.path, "ann", read_only=True) as reading, pytest.raises(MemoryReadOnly):
        erase_turn(reading, 2)
    assert len(memory.turns()) == 8


def test_another_handle_sees_the_erasure(memory):
    gone = know(memory, 2, "likes tea", ("tea",))
    with UserMemory.open(memory.path, "ann") as other:
        assert [hit.memory.memory_id for hit in other.search("semantic", unit("likes tea"), 3)] == [gone]
        erase_turn(memory, 2)
        assert other.search("semantic", unit("likes tea"), 3) == ()
        assert len(other.turns()) == 7


def live(folder, steps, never=None):
    """One step a turn: a value of a key set or taken back, a fact, or an episode of this turn and the one before.

    What holds no more is not taken back again: what changes nothing leaves nothing that could count later.
    """
    folder.mkdir()
    holding = set()
    memory = new_memory(folder, turns=len(steps))
    if never is not None:
        erase_turn(memory, never)
    for turn, (step, kind, key) in enumerate(steps):
        block = "human" if kind == "core" else None
        idle = step == "end" and (kind, key) not in holding
        if step == "set":
            holding.add((kind, key))
        elif step == "end":
            holding.discard((kind, key))
        if turn == never or idle or (step == "episode" and never in (turn, turn - 1)):
            continue
        if step == "set":
            set_value(memory, turn, key, f"value {turn}", kind)
        elif step == "end":
            memory.apply(job_of(turn, "end"), [RemoveValue(kind, key, (turn,), block)], origin(turn))
        elif step == "fact":
            know(memory, turn, f"fact {turn}", (key,))
        else:
            tell(memory, (turn - 1, turn) if turn else (0,), f"episode {turn}", (key,))
    return memory


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["set", "set", "end", "fact", "episode"]),
        st.sampled_from(["core", "procedural"]),
        st.sampled_from(["a", "b"]),
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=25, deadline=None)
@given(steps=STEPS, data=st.data())
def test_after_an_erasure_all_is_as_though_the_turn_had_never_been_heard(steps, data):
    erased = data.draw(st.integers(0, len(steps) - 1))
    with (
        tempfile.TemporaryDirectory() as folder,
        live(Path(folder) / "heard", steps) as memory,
        live(Path(folder) / "never", steps, never=erased) as other,
    ):
        erase_turn(memory, erased)
        moments = [None, *(Moment(at(turn), turn + 1) for turn in range(len(steps)))]
        for moment in moments:
            for kind in ("core", "procedural", "semantic", "episodic"):
                assert memory.memories(kind, as_of=moment) == other.memories(kind, as_of=moment)
            for kind in ("procedural", "semantic", "episodic"):
                options = {"as_of": moment, "keywords": ("a",), "lexical_weight": 0.2}
                assert memory.search(kind, unit("x"), 9, **options) == other.search(kind, unit("x"), 9, **options)
            for key in ("a", "b"):
                assert memory.history("core", key, as_of=moment) == other.history("core", key, as_of=moment)
                assert memory.history("procedural", key, as_of=moment) == other.history("procedural", key, as_of=moment)


MARKERS = ("marker-user-ÄÖ", "marker-reply", "marker-fact", "marker-keyword", "marker-episode", "marker-value")
MARKERS += ("marker-key", "marker-detail", "marker-picture", "marker-long")


def marked(memory, turn):
    """Say and remember things that carry markers, in a turn of its own."""
    picture = memory.put_media(b"\x89PNG marker-picture" * 500, 2, 2)
    long = "marker-long " * 3000
    memory.add_turn(DialogueTurn(turn, turn // 4, at(turn), 60, f"marker-user-ÄÖ <img> {long}", "", (picture,)))
    memory.set_reply(turn, "marker-reply")
    draft = SemanticDraft(
        "visual_concept", "marker-fact", ("marker-keyword",), (turn,), unit("fact"), picture, unit("crop")
    )
    memory.apply(f"turn-{turn}/semantic", [draft], origin(turn))
    tell(memory, (turn - 1, turn), "marker-episode")
    set_value(memory, turn, "marker-key", "marker-value", kind="procedural")
    memory.reject(f"turn-{turn}/personality", "nonsense", "marker-detail")


def test_no_byte_of_an_erased_turn_is_left_in_any_file_of_the_folder(memory, tmp_path):
    marked(memory, 8)
    add_turns(memory, 20, first=9)
    kept = know(memory, 9, "plain-fact", ("plain-keyword",))
    assert all(found(tmp_path, marker) for marker in MARKERS)
    vector = memory.search("semantic", unit("fact"), 1)[0]
    assert vector.similarity == pytest.approx(1.0)
    assert any(unit("fact").tobytes() in path.read_bytes() for path in tmp_path.iterdir())

    assert erase_turn(memory, 8).scrubbed

    assert {marker: found(tmp_path, marker) for marker in MARKERS} == {marker: [] for marker in MARKERS}
    for name in ("fact", "crop", "marker-episode", "marker-value"):
        assert not any(unit(name).tobytes() in path.read_bytes() for path in tmp_path.iterdir())
    assert found(tmp_path, "plain-keyword")
    assert memory.memory(kept).content == "plain-fact"


def test_no_byte_of_an_erased_memory_is_left_but_its_turn_stays(memory, tmp_path):
    memory.add_turn(DialogueTurn(8, 2, at(8), 60, "what was said", "so"))
    gone = know(memory, 8, "marker-fact", ("marker-keyword",))

    erase_memory(memory, gone)

    assert found(tmp_path, "marker-fact") == found(tmp_path, "marker-keyword") == []
    assert found(tmp_path, "what was said")


def test_nothing_of_an_erased_user_is_left_and_others_stay(tmp_path):
    with UserMemory.open(tmp_path / "other.sqlite", "bob") as other:
        add_turns(other, 1, "bob's words")
    memory = new_memory(tmp_path)
    marked(memory, 8)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = f"user.sqlite.making.{new_owner().split('.')[0]}.{ended.pid}.1.{'0' * 32}"
    (tmp_path / left).write_bytes(b"marker-user left by an import that was killed")

    erased = erase_user(memory)

    assert erased.scrubbed
    assert len(erased.memories) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.sqlite"]
    assert found(tmp_path, "bob's words")


def test_while_another_process_reads_the_rows_are_gone_and_the_rest_follows_at_the_next_opening(memory, tmp_path):
    marked(memory, 8)
    reader = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sqlite3, sys\n"
            "sql = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
            "sql.execute('BEGIN'); sql.execute('SELECT * FROM turns').fetchall()\n"
            "print('reading', flush=True); sys.stdin.read()",
            str(memory.path),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert reader.stdout.readline() == "reading\n"
        memory.close()
        with UserMemory.open(memory.path, "ann", busy_seconds=0.2) as writing:
            erased = erase_turn(writing, 8)
            assert not erased.scrubbed
            assert len(writing.turns()) == 8
    finally:
        reader.communicate()
    with UserMemory.open(memory.path, "ann"):
        assert [marker for marker in MARKERS if found(tmp_path, marker)] == []


KILLED = """
import os, signal, sys
from lifeloom.memory import UserMemory, erase_turn, erase_user

def erase(path, where):
    memory = UserMemory.open(path, "ann")
    count = 0
    def watch(statement):
        nonlocal count
        count += 1
        if count == where:
            os.kill(os.getpid(), signal.SIGKILL)
    with memory.snapshot() as sql:
        connection = sql
    connection.set_trace_callback(watch)
    if sys.argv[1] == "turn":
        erase_turn(memory, 8)
    else:
        erase_user(memory)
    print(count, flush=True)

for given in sys.argv[2:]:
    path, where = given.rsplit(":", 1)
    child = os.fork()
    if not child:
        erase(path, int(where))
        os._exit(0)
    print("status", os.waitpid(child, 0)[1], flush=True)
"""


def erase_killed(what, places):
    """Erase turn 8 or the user of each file in a process of its own, killed at the statement of that number."""
    given = [what, *(f"{path}:{statement}" for path, statement in places.items())]
    root = Path(__file__).parents[3]
    run = subprocess.run([sys.executable, "-c", KILLED, *given], capture_output=True, text=True, cwd=root, check=True)
    return run.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["turn", "user"])
def test_killed_anywhere_it_is_there_unchanged_or_gone_without_a_trace(tmp_path, what):
    template = tmp_path / "template"
    template.mkdir()
    with new_memory(template) as memory:
        marked(memory, 8)
        before = everything(memory)
    original = (template / "user.sqlite").read_bytes()

    def copy(name):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "user.sqlite").write_bytes(original)
        return folder / "user.sqlite"

    count, status = erase_killed(what, {copy("whole"): 10**6})
    assert status == "status 0"
    places = {copy(f"killed-{statement}"): statement for statement in range(1, int(count) + 1)}
    assert erase_killed(what, places) == [f"status {int(signal.SIGKILL)}"] * int(count)
    outcomes = []
    for path in places:
        with UserMemory.open(path, "ann") as memory:
            if everything(memory) == before:
                outcomes.append("unchanged")
                continue
            outcomes.append("gone")
            assert [turn.index for turn in memory.turns()] == (list(range(8)) if what == "turn" else [])
            assert [marker for marker in MARKERS if found(path.parent, marker)] == []
            assert not any(unit("fact").tobytes() in one.read_bytes() for one in path.parent.iterdir())

    assert outcomes == sorted(outcomes, reverse=True)  # first all unchanged, from the commit on all gone
    assert set(outcomes) == {"unchanged", "gone"}


def test_vectors_of_erased_memories_are_zeros_and_the_others_unharmed(memory):
    ids = [know(memory, turn, f"fact {turn}") for turn in range(8)]
    erase_memory(memory, ids[3])

    for turn in (0, 2, 4, 7):
        (hit,) = memory.search("semantic", unit(f"fact {turn}"), 1)
        assert (hit.memory.memory_id, hit.similarity) == (ids[turn], pytest.approx(1.0))
    assert len(memory.search("semantic", unit("fact 3"), 9)) == 7
