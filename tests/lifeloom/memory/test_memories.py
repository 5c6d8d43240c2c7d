"""Operations of a job: applied once, all or none, every value with its history, every read as of any moment."""

import datetime as dt

import numpy as np
import pytest

from lifeloom.memory import (
    EpisodeDraft,
    MediaGone,
    NotRemembered,
    OperationInvalid,
    Origin,
    OtherEncoder,
    OutOfOrder,
    Period,
    RejectedUpdate,
    RemoveValue,
    SemanticDraft,
    SetPersonality,
    SetValue,
    UserMemory,
)
from lifeloom.records import BY_CODE, Moment, Provenance
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

WRITER = Provenance(backend="builtin", model="extractor 1", prompt_version="semantic_update@1")


@pytest.fixture
def memory(tmp_path):
    with new_memory(tmp_path) as memory:
        yield memory


def contents(memories):
    return [one.content for one in memories]


def test_knowledge_is_kept_with_its_words_turns_times_and_maker(memory):
    draft = SemanticDraft("preference", "The user likes tea.", ("tea", "drink"), (2, 1, 2), unit("tea"))
    (change,) = memory.apply("turn-2/semantic", [draft], Origin(at(2), 3, WRITER))

    kept = memory.memory(change.after.memory_id)
    assert change.action == "added"
    assert kept == change.after
    assert (kept.kind, kept.label, kept.key, kept.content) == ("semantic", "preference", "", "The user likes tea.")
    assert (kept.keywords, kept.source_turns) == (("tea", "drink"), (1, 2))
    assert (kept.happened_from, kept.happened_to, kept.known_at, kept.known_turns) == (at(1), at(2), at(2), 3)
    assert kept.made_by == WRITER
    assert kept.user_id == "ann"
    assert type(kept).model_validate(kept.model_dump()) == kept  # as valid as one that was checked


@pytest.mark.parametrize(
    "keywords", [(), ("",), ("", ""), ("a\nb",), ("[x]",), ("a", "b\0c"), ("茶", "👩‍👩‍👧"), ('"', "\\")]
)
def test_keywords_come_back_as_they_were(memory, keywords):
    memory_id = know(memory, 1, "The user likes tea.", keywords)

    assert memory.memory(memory_id).keywords == keywords


def test_a_job_done_before_changes_nothing_and_says_what_it_did(memory):
    operations = [
        SemanticDraft("fact", "The user has a dog.", ("dog",), (0,), unit("dog")),
        EpisodeDraft("The user spoke of a dog.", (), (0, 1), unit("episode")),
        SetValue("core", "name", "Ann", (0,), "human"),
        SetValue("core", "name", "Anna", (1,), "human"),
        SetValue("procedural", "run", "daily", (1,), vector=unit("run")),
        RemoveValue("procedural", "run", (1,)),
    ]
    first = memory.apply("session-0/all", operations, origin(1))
    again = memory.apply("session-0/all", [SemanticDraft("fact", "Something else.", (), (0,))], origin(5))

    assert [change.action for change in first] == ["added", "added", "added", "replaced", "added", "ended"]
    assert [(change.action, change.before, change.after) for change in again] == [
        (change.action, change.before, change.after) for change in first
    ]
    assert again[3].operation == operations[3]
    assert again[5].operation == operations[5]
    assert len(memory.memories("semantic")) == 1
    assert memory.done("session-0/all")
    assert not memory.done("session-1/all")


def test_ids_follow_from_the_user_the_job_and_the_place(memory, tmp_path):
    def ids(memory):
        drafts = [SemanticDraft("fact", f"Fact {number}.", (), (0,)) for number in range(2)]
        return [change.after.memory_id for change in memory.apply("a job", drafts, origin(0))]

    with new_memory(tmp_path / "again", memory.user_id) as again, new_memory(tmp_path / "other", "bob") as other:
        first, second, others = ids(memory), ids(again), ids(other)

    assert first == second
    assert len({*first, *others}) == 4


def test_all_operations_of_a_job_or_none(memory):
    before = memory.path.stat().st_size
    with pytest.raises(NotRemembered, match="turn 99"):
        memory.apply(
            "job",
            [SemanticDraft("fact", "The user has a dog.", (), (0,)), SemanticDraft("fact", "A cat.", (), (99,))],
            origin(0),
        )

    assert memory.memories("semantic") == ()
    assert not memory.done("job")
    assert memory.path.stat().st_size == before


def test_a_dry_run_says_what_would_be_done_and_changes_nothing(memory):
    set_value(memory, 0, "name", "Ann")
    operations = [SetValue("core", "name", "Anna", (1,), "human"), SemanticDraft("fact", "x", (), (1,), unit("x"))]

    planned = memory.apply("job", operations, origin(1), dry_run=True)

    assert not memory.done("job")
    assert contents(memory.core()) == ["Ann"]
    assert memory.search("semantic", unit("x"), 5) == ()
    assert memory.apply("job", operations, origin(1)) == planned


def test_a_value_knows_what_replaced_it_when_and_from_which_turn(memory):
    first = set_value(memory, 0, "home", "Lyon")
    second = set_value(memory, 2, "home", "Oslo")
    (change,) = memory.apply("r", [RemoveValue("core", "home", (5,), "human")], origin(5))

    lyon, oslo = memory.history("core", "home", "human")
    assert (lyon.memory_id, oslo.memory_id) == (first, second)
    assert (lyon.replaces, lyon.replaced_by, oslo.replaces, oslo.replaced_by) == ("", second, first, "")
    assert (lyon.ended_at, lyon.ended_turns, lyon.ended_by_turns) == (at(2), 3, (2,))
    assert (oslo.ended_at, oslo.ended_turns, oslo.ended_by_turns) == (at(5), 6, (5,))
    assert change.before == oslo
    assert memory.core() == ()


def test_every_read_shows_the_state_and_the_knowledge_of_its_moment(memory):
    set_value(memory, 0, "home", "Lyon")
    set_value(memory, 2, "home", "Oslo")
    set_value(memory, 3, "run", "daily", "procedural", None)
    put_point(memory, 0, (4, 3, 3, 3, 3), 0.5, profile(3.5, 3, 3, 3, 3))
    put_point(memory, 2, (5, 3, 3, 3, 3), 0.5, profile(4.25, 3, 3, 3, 3))
    know(memory, 1, "The user has a dog.")
    tell(memory, (0, 1, 2), "The user spoke of dogs.")

    def state(turn):
        moment = Moment(at(turn), turn + 1)
        point = memory.personality(moment)
        return (
            contents(memory.core(moment)),
            contents(memory.procedural(moment)),
            contents(memory.memories("semantic", as_of=moment)),
            contents(memory.memories("episodic", as_of=moment)),
            contents(memory.history("core", "home", as_of=moment)),
            point and point.profile.openness,
            len(memory.personality_curve(moment)),
        )

    assert state(0) == (["Lyon"], [], [], [], ["Lyon"], 3.5, 1)
    assert state(1) == (["Lyon"], [], ["The user has a dog."], [], ["Lyon"], 3.5, 1)
    assert state(2) == (["Oslo"], [], ["The user has a dog."], ["The user spoke of dogs."], ["Lyon", "Oslo"], 4.25, 2)
    assert state(3)[1] == ["daily"]
    (lyon,) = memory.core(Moment(at(1)))
    assert (lyon.replaced_by, lyon.ended_at, lyon.ended_turns, lyon.ended_by_turns) == ("", None, None, ())
    assert memory.personality(Moment(at(0), 0)) is None
    assert memory.personality().turn_index == 2


def test_a_moment_between_two_turns_of_one_time_is_told_by_the_number_of_turns(tmp_path):
    with new_memory(tmp_path, turns=2) as memory:
        same = at(1)
        for turn in (0, 1):
            memory.apply(f"{turn}", [SetValue("core", "mood", f"{turn}", (turn,), "human")], Origin(same, turn + 1))

        assert contents(memory.core(Moment(same, 0))) == []
        assert contents(memory.core(Moment(same, 1))) == ["0"]
        assert contents(memory.core(Moment(same, 2))) == ["1"]
        assert contents(memory.core(Moment(same))) == ["1"]


def test_blocks_and_kinds_of_one_key_are_values_of_their_own(memory):
    set_value(memory, 0, "style", "human style")
    set_value(memory, 1, "style", "persona style", block="persona")
    set_value(memory, 2, "style", "procedural style", "procedural", None)

    assert contents(memory.core()) == ["human style", "persona style"]
    assert contents(memory.history("core", "style", "persona")) == ["persona style"]
    assert len(memory.history("core", "style")) == 2
    assert contents(memory.procedural()) == ["procedural style"]


def test_many_values_in_one_job_follow_each_on_its_own_version(memory):
    first = [SetValue("core", f"key {n}", "old", (0,), "human") for n in range(20)]
    memory.apply("first", first, origin(0))
    later = [SetValue("core", f"key {n}", f"new {n}", (1,), "human") for n in range(19)]
    changes = memory.apply("later", [*later, RemoveValue("core", "key 19", (1,), "human")], origin(1))

    assert [change.action for change in changes] == ["replaced"] * 19 + ["ended"]
    assert contents(memory.core()) == [f"new {n}" for n in range(19)]
    for n in range(20):
        old, *new = memory.history("core", f"key {n}", "human")
        assert [old.replaced_by] == ([one.memory_id for one in new] or [""])


def test_the_same_value_again_and_the_end_of_what_is_not_there_change_nothing(memory):
    set_value(memory, 0, "name", "Ann")
    changes = memory.apply(
        "job",
        [SetValue("core", "name", "Ann", (1,), "human"), RemoveValue("core", "age", (1,), "human")],
        origin(1),
    )

    assert [change.action for change in changes] == ["unchanged", "unchanged"]
    assert len(memory.history("core", "name")) == 1


def test_a_value_set_and_ended_within_one_job_keeps_all_its_versions(memory):
    set_value(memory, 0, "home", "Lyon")
    operations = [
        SetValue("core", "home", "Oslo", (1,), "human"),
        SetValue("core", "home", "Rome", (2,), "human"),
        RemoveValue("core", "home", (2,), "human"),
        SetValue("core", "home", "Bath", (3,), "human"),
    ]
    changes = memory.apply("job", operations, origin(3))

    versions = memory.history("core", "home")
    assert contents(versions) == ["Lyon", "Oslo", "Rome", "Bath"]
    assert [bool(one.ended_at) for one in versions] == [True, True, True, False]
    assert [one.replaces for one in versions] == ["", versions[0].memory_id, versions[1].memory_id, ""]
    assert [change.action for change in changes] == ["replaced", "replaced", "ended", "added"]
    assert contents(memory.core()) == ["Bath"]


def test_what_would_be_known_before_its_turn_was_said_is_refused(memory):
    draft = SemanticDraft("fact", "likes tea", (), (1, 3))
    for known in (Origin(at(3) - dt.timedelta(microseconds=1), 4), Origin(at(3), 3)):
        with pytest.raises(OutOfOrder, match="before turn 3"):
            memory.apply("job", [draft], known)
    assert not memory.done("job")
    memory.apply("job", [draft], Origin(at(3), 4))


def test_a_change_that_comes_before_the_value_is_refused(memory):
    set_value(memory, 4, "home", "Oslo")

    with pytest.raises(OutOfOrder, match="'home' was set at"):
        set_value(memory, 2, "home", "Lyon")
    assert contents(memory.core()) == ["Oslo"]


@pytest.mark.parametrize(
    ("operation", "error", "message"),
    [
        (SemanticDraft("fact", "", (), (0,)), OperationInvalid, "no content"),
        (SemanticDraft("rumour", "x", (), (0,)), OperationInvalid, "rumour"),
        (SemanticDraft("fact", "x", (), (0,), np.ones(DIMENSIONS, np.float32)), OperationInvalid, "unit length"),
        (SemanticDraft("fact", "x", (), (0,), np.full(DIMENSIONS, np.nan, np.float32)), OperationInvalid, "unit"),
        (SemanticDraft("fact", "x", (), (0,), np.eye(1, 5, dtype=np.float32)[0]), OtherEncoder, "5 numbers"),
        (SemanticDraft("fact", "x", (), (0,), crop_vector=unit("x")), OperationInvalid, "crop"),
        (SetValue("semantic", "k", "x", (0,)), OperationInvalid, "only added"),
        (SetValue("core", "k", "x", (0,)), OperationInvalid, "block"),
        (SetValue("procedural", "k", "x", (0,), "human"), OperationInvalid, "block"),
        (SetValue("procedural", "", "x", (0,)), OperationInvalid, "key"),
        (SetValue("core", "k", "x", (0,), "human", vector=unit("x")), OperationInvalid, "vector"),
        (RemoveValue("episodic", "k", (0,)), OperationInvalid, "only added"),
    ],
)
def test_what_contradicts_itself_is_refused_in_words(memory, operation, error, message):
    with pytest.raises(error, match=message):
        memory.apply("job", [operation], origin(0))
    assert not memory.done("job")


def test_a_visual_concept_needs_its_crop_in_the_file(memory):
    crop = memory.put_media(b"a crop", 10, 20)
    image = np.eye(1, 8, dtype=np.float32)[0]
    draft = SemanticDraft("visual_concept", "Rex <img>", (), (0,), unit("rex"), crop, image)
    memory.apply("job", [draft], origin(0))

    (hit,) = memory.search_crops(image, 3)
    assert hit.memory.crop == crop
    assert hit.similarity == pytest.approx(1)
    gone = SemanticDraft("visual_concept", "x", (), (0,), crop=crop.model_copy(update={"content_hash": "0" * 64}))
    with pytest.raises(MediaGone):
        memory.apply("other", [gone], origin(0))


def test_a_point_of_the_curve_again_changes_nothing_and_another_replaces_it(memory):
    put_point(memory, 3, (4, 3, 3, 3, 3), 0.5, profile(3.1, 3, 3, 3, 3))
    point = memory.personality()
    other = point.model_copy(update={"profile": profile(3.3, 3, 3, 3, 3)})

    (same,) = memory.apply("again", [SetPersonality(point)], origin(3))
    (changed,) = memory.apply("other", [SetPersonality(other)], origin(3))

    assert (same.action, changed.action) == ("unchanged", "replaced")
    assert memory.personality_curve() == (other,)
    with pytest.raises(OperationInvalid, match="'bob'"):
        memory.apply("bob", [SetPersonality(point.model_copy(update={"user_id": "bob"}))], origin(3))


def test_memories_of_a_period_are_those_that_overlap_it(memory):
    know(memory, 1, "one")
    tell(memory, (1, 2, 3), "long")
    know(memory, 3, "three")

    assert contents(memory.memories("semantic", period=Period(at(1), at(2)))) == ["one"]
    assert contents(memory.memories("episodic", period=Period(at(2), at(2)))) == ["long"]
    assert contents(memory.memories("episodic", period=Period(at(4), None))) == []
    assert contents(memory.memories("semantic", period=Period(None, at(0)))) == []


def test_the_queue_keeps_its_order_and_a_job_done_or_rejected_leaves_it_for_good(memory):
    for job in ("c", "a", "b"):
        memory.enqueue(job, f"payload of {job}")
    memory.enqueue("a", "again")
    assert memory.pending() == (("c", "payload of c"), ("a", "payload of a"), ("b", "payload of b"))
    assert memory.pending(1) == (("c", "payload of c"),)

    memory.apply("a", [], origin(0))
    memory.reject("c", "bad_form", "no colon")
    memory.reject("c", "other", "said later")
    for job in ("a", "b", "c"):
        memory.enqueue(job, "again")

    assert memory.pending() == (("b", "payload of b"),)
    assert memory.rejections() == (RejectedUpdate("c", "bad_form", "no colon"),)
    assert memory.done("a")
    assert memory.done("c")
    memory.drop("b")
    assert memory.pending() == ()


def undone(memory):
    with memory.transaction():
        know(memory, 1, "undone")
        assert memory.search("semantic", unit("undone"), 1)[0].memory.content == "undone"
        memory.set_reply(99, "there is no such turn")


def test_an_inner_transaction_is_undone_alone_and_the_outer_one_goes_on(memory):
    with memory.transaction():
        know(memory, 0, "kept")
        with pytest.raises(NotRemembered):
            know(memory, 0, "lost", sources=(99,))
        memory.reject("turn-0/semantic", "nonsense", "")
    with pytest.raises(NotRemembered):
        undone(memory)

    assert contents(memory.memories("semantic")) == ["kept"]
    assert [hit.memory.content for hit in memory.search("semantic", unit("kept"), 5)] == ["kept"]
    assert len(memory.rejections()) == 1


def test_a_file_is_bound_to_the_first_encoder_that_is_named(memory):
    memory.use_encoder("test/hash-1", DIMENSIONS)
    assert memory.encoder() == "test/hash-1"
    assert memory.encoder("image") == ""

    with pytest.raises(OtherEncoder, match="test/hash-1"):
        memory.use_encoder("test/hash-2", DIMENSIONS)
    with pytest.raises(OtherEncoder):
        memory.use_encoder("test/hash-1", DIMENSIONS + 1)
    know(memory, 0, "x")
    with pytest.raises(OtherEncoder, match="shape"):
        memory.search("semantic", np.zeros(DIMENSIONS + 1, np.float32), 1)


def test_core_is_never_searched_and_kinds_without_versions_have_no_history(memory):
    with pytest.raises(OperationInvalid, match="always in the prompt"):
        memory.search("core", unit("x"), 1)
    with pytest.raises(OperationInvalid, match="no versions"):
        memory.history("semantic", "x")
    with pytest.raises(NotRemembered, match="m-0000000000000000"):
        memory.memory("m-0000000000000000")


def test_memories_put_in_as_they_are_are_those_that_come_out(memory, tmp_path):
    set_value(memory, 0, "home", "Lyon")
    set_value(memory, 2, "home", "Oslo")
    know(memory, 1, "The user has a dog.", ("dog",))
    everything = [*memory.history("core", "home"), *memory.memories("semantic")]
    own = everything[-1].model_copy(update={"memory_id": "an-id-of-another-form"})

    with new_memory(tmp_path / "copy") as copy:
        copy.insert([*everything, own], {(own.memory_id, "text"): unit("dog")})

        assert [*copy.history("core", "home"), *copy.memories("semantic")] == [*everything, own]
        assert [hit.memory for hit in copy.search("semantic", unit("dog"), 5)] == [own]
        with pytest.raises(OperationInvalid, match="'bob'"):
            copy.insert([own.model_copy(update={"user_id": "bob"})], {})


def test_two_handles_see_what_the_other_writes(tmp_path):
    with new_memory(tmp_path) as one, UserMemory.open(one.path, "ann") as other:
        assert other.search("semantic", unit("x"), 5) == ()
        know(one, 0, "x", ("word",))
        assert [hit.memory.content for hit in other.search("semantic", unit("x"), 5)] == ["x"]
        set_value(one, 1, "run", "daily", "procedural", None)
        assert contents(hit.memory for hit in other.search("procedural", unit("daily"), 5)) == ["daily"]
        set_value(other, 2, "run", "weekly", "procedural", None)
        assert contents(hit.memory for hit in one.search("procedural", unit("daily"), 5)) == ["weekly"]
        hits = other.search("procedural", unit("daily"), 5, as_of=Moment(at(1)))
        assert contents(hit.memory for hit in hits) == ["daily"]
        assert hits[0].memory.ended_at is None
        know(other, 3, "y", ("word",))
        hits = one.search("semantic", unit("q"), 5, keywords=("word",), lexical_weight=1.0)
        assert {hit.memory.content: hit.lexical for hit in hits} == {"x": 1.0, "y": 1.0}


def test_makers_are_told_apart(memory):
    for number, maker in enumerate((WRITER, BY_CODE, WRITER)):
        memory.apply(f"{number}", [SemanticDraft("fact", f"{number}", (), (0,))], Origin(at(0), 1, maker))

    assert [one.made_by for one in memory.memories("semantic")] == [WRITER, BY_CODE, WRITER]
