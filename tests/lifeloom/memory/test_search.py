"""Search is exact: the answer of scoring everything that a moment, a period and the exclusions leave, best first."""

import datetime as dt
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.memory import (
    DialogueTurn,
    EpisodeDraft,
    IndexSettings,
    OperationInvalid,
    Origin,
    Period,
    RemoveValue,
    SemanticDraft,
    SetValue,
    TimeInvalid,
    UserMemory,
)
from lifeloom.records import Moment
from tests.lifeloom.memory.remembering import START, at, know, new_memory, set_value, tell, unit

HOUR = dt.timedelta(hours=1)
SEARCHERS = {"numpy": IndexSettings(faiss_from=1_000_000), "faiss": IndexSettings(faiss_from=1)}
DIRECTIONS = [unit(f"direction {number}") for number in range(12)]
WORDS = ["tea", "dog", "oslo", "run", "chess"]


def filled(path, rng, settings, until=None):
    """A memory of 40 turns, several at one time, in which values end and much is said twice; and its moments.

    ``until``: only what was known then, as if nothing had come later.
    """
    memory = UserMemory.open(path, "ann", index=settings)
    when, moments = START, []
    for turn in range(40):
        when += rng.choice([0, 0, 1, 5]) * HOUR
        moments.append(Moment(when, turn + 1))
        operations = []
        for _ in range(rng.randrange(3)):
            cited = tuple(rng.sample(range(turn + 1), min(turn + 1, rng.randint(1, 3))))
            vector, words = rng.choice(DIRECTIONS), tuple(rng.sample(WORDS, rng.randrange(3)))
            text = f"{rng.randrange(50)}"
            operations.append(
                rng.choice(
                    [
                        SemanticDraft("fact", text, words, cited, vector),
                        EpisodeDraft(text, words, cited, vector),
                        SetValue("procedural", rng.choice("abc"), text, cited, None, words, vector),
                        RemoveValue("procedural", rng.choice("abc"), (turn,)),
                    ]
                )
            )
        if until is None or moments[-1] <= until:
            memory.add_turn(DialogueTurn(turn, turn, when, 0, f"turn {turn}", ""))
            memory.apply(f"job {turn}", operations, Origin(when, turn + 1))
    return memory, moments


def expected(memory, vectors, kind, query, k, period, as_of, exclude, context):
    """Score everything, in the slowest and plainest way."""
    found = []
    for one in [*memory.memories(kind)] if kind != "procedural" else all_versions(memory):
        known = as_of is None or (one.known_at <= as_of.at and one.known_turns <= as_of.turns)
        if as_of is None:
            over = one.ended_at is not None
        else:
            over = one.ended_at is not None and one.ended_at <= as_of.at and one.ended_turns <= as_of.turns
        overlaps = one.happened_from <= (period.end or one.happened_from) and one.happened_to >= (
            period.start or one.happened_to
        )
        if known and not over and overlaps and one.memory_id not in exclude and not set(one.source_turns) <= context:
            score = sum(a * b for a, b in zip(vectors[one.memory_id], query, strict=True))
            found.append((-round(score, 6), -one.happened_to.timestamp(), one.memory_id))
    return [memory_id for _, _, memory_id in sorted(found)[:k]]


def all_versions(memory):
    return [one for key in "abc" for one in memory.history("procedural", key)]


def stored_vectors(memory):
    """Which direction each memory has: the one that finds it with cosine 1."""
    vectors = {}
    for direction in DIRECTIONS:
        for kind in ("semantic", "episodic", "procedural"):
            for moment in (None, *(Moment(one.known_at, one.known_turns) for one in all_versions(memory))):
                for hit in memory.search(kind, direction, 1000, as_of=moment):
                    if hit.similarity > 0.9999:
                        vectors[hit.memory.memory_id] = [float(value) for value in direction]
    return vectors


@pytest.mark.parametrize("searcher", SEARCHERS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_search_gives_what_scoring_everything_gives(searcher, seed, tmp_path_factory):
    rng = random.Random(seed)
    memory, moments = filled(tmp_path_factory.mktemp("m") / "user.sqlite", rng, SEARCHERS[searcher])
    with memory:
        vectors = stored_vectors(memory)
        ids = sorted(vectors)
        for _ in range(40):
            start, end = sorted((START + rng.randint(-5, 150) * HOUR, START + rng.randint(-5, 150) * HOUR))
            kind = rng.choice(["semantic", "episodic", "procedural"])
            query = (rng.choice(DIRECTIONS) + rng.choice([0, 0.5, 1]) * rng.choice(DIRECTIONS)).astype(np.float32)
            query /= np.linalg.norm(query)
            period = Period(rng.choice([None, start]), rng.choice([None, end]))
            as_of = rng.choice([None, rng.choice(moments)])
            exclude = frozenset(rng.sample(ids, min(len(ids), rng.randrange(5))))
            context = frozenset(range(rng.randrange(40), 40)) if rng.random() < 0.5 else frozenset()
            k = rng.choice([1, 2, 4, 30])

            hits = memory.search(kind, query, k, period=period, as_of=as_of, exclude=exclude, context_turns=context)

            wide = [float(value) for value in query]
            assert [hit.memory.memory_id for hit in hits] == expected(
                memory, vectors, kind, wide, k, period, as_of, exclude, context
            )


@pytest.mark.parametrize("searcher", SEARCHERS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_search_at_a_past_moment_is_the_search_that_was_made_then(searcher, seed, tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("m"), random.Random(seed)
    memory, moments = filled(folder / "user.sqlite", random.Random(seed), SEARCHERS[searcher])
    moment = rng.choice(moments)
    then, _ = filled(folder / "then.sqlite", random.Random(seed), SEARCHERS["numpy"], until=moment)
    with memory, then:
        for kind in ("semantic", "episodic", "procedural"):
            for words in ((), ("tea",), ("oslo", "chess")):
                query = rng.choice(DIRECTIONS)
                found = memory.search(kind, query, 5, as_of=moment, keywords=words, lexical_weight=0.3)
                assert found == then.search(kind, query, 5, keywords=words, lexical_weight=0.3)


def test_equal_scores_come_newer_first_and_then_by_id(tmp_path):
    with new_memory(tmp_path) as memory:
        drafts = [SemanticDraft("fact", "same", (), (turn,), unit("same")) for turn in (1, 3, 3, 2, 3)]
        changes = memory.apply("job", drafts, Origin(at(3), 4))

        hits = memory.search("semantic", unit("same"), 4)

        newest = sorted(change.after.memory_id for change in changes if change.after.source_turns == (3,))
        assert [hit.memory.memory_id for hit in hits[:3]] == newest
        assert hits[3].memory.source_turns == (2,)
        assert memory.search("semantic", np.zeros(16, np.float32), 4) == tuple(
            hit.__class__(hit.memory, 0.0, 0.0, 0.0) for hit in hits
        )


@pytest.mark.parametrize("searcher", SEARCHERS)
def test_ten_thousand_memories_that_are_all_alike_are_searched(tmp_path, searcher):
    with UserMemory.open(tmp_path / "user.sqlite", "ann", index=SEARCHERS[searcher]) as memory:
        memory.add_turn(DialogueTurn(0, 0, START, 0, "hi", ""))
        draft = SemanticDraft("fact", "hi", ("hi",), (0,), unit("hi"))
        changes = memory.apply("job", [draft] * 10_000, Origin(START, 1))

        hits = memory.search("semantic", unit("hi"), 3, keywords=("hi",), lexical_weight=0.5)

        assert [hit.memory.memory_id for hit in hits] == sorted(change.after.memory_id for change in changes)[:3]


def test_among_thousands_numpy_and_faiss_find_the_same_as_scoring_everything(tmp_path):
    path = tmp_path / "user.sqlite"
    rng = np.random.default_rng(4)
    vectors = rng.standard_normal((3000, 24)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    with UserMemory.open(path, "ann", index=SEARCHERS["numpy"]) as memory:
        for turn in range(300):
            memory.add_turn(DialogueTurn(turn, turn, START + turn * HOUR, 0, "hi", ""))
        drafts = [SemanticDraft("fact", f"{n}", ("odd",) * (n % 2), (n // 10,), vectors[n]) for n in range(3000)]
        memory.apply("job", drafts, Origin(START + 300 * HOUR, 300))
        period = Period(START + 50 * HOUR, START + 249.5 * HOUR)  # numbers 500 to 2,499
        with UserMemory.open(path, "ann", index=SEARCHERS["faiss"]) as other:
            for query in vectors[[3, 900, 2400]]:
                cosines = vectors[500:2500].astype(np.float64) @ query.astype(np.float64)
                ranked = sorted(
                    range(2000), key=lambda number, cosines=cosines: (-round(cosines[number], 6), -(number // 10))
                )
                best = [f"{number + 500}" for number in ranked[:300]]
                found = memory.search("semantic", query, 300, period=period)
                assert [hit.memory.content for hit in found] == best
                assert other.search("semantic", query, 300, period=period) == found
                seen = frozenset(hit.memory.memory_id for hit in found[:100])
                for settings in ({}, {"keywords": ("odd",), "lexical_weight": 0.2}):
                    further = memory.search("semantic", query, 5, period=period, exclude=seen, **settings)
                    assert other.search("semantic", query, 5, period=period, exclude=seen, **settings) == further
                    assert settings or further == found[100:105]


@pytest.mark.parametrize("searcher", SEARCHERS)
def test_keywords_lift_what_is_filed_under_them_by_the_weight_times_the_share(tmp_path, searcher):
    with new_memory(tmp_path, turns=4) as memory:
        for number in range(3):
            know(memory, number, f"text {number}", ("dog",) if number == 1 else ("tea",))
        memory.close()
        with UserMemory.open(memory.path, "ann", index=SEARCHERS[searcher]) as again:
            plain = {hit.memory.content: hit.score for hit in again.search("semantic", unit("text 0"), 3)}
            hits = again.search("semantic", unit("text 0"), 3, keywords=("dogs",), lexical_weight=2.5)

    assert hits[0].memory.content == "text 1"
    assert hits[0].lexical == 1.0
    assert hits[0].score == pytest.approx(plain["text 1"] + 2.5, abs=2e-6)
    assert [hit.lexical for hit in hits[1:]] == [0.0, 0.0]
    assert hits[1].score == plain["text 0"] == pytest.approx(1)


def test_an_episode_of_the_context_alone_does_not_come_and_one_that_began_before_does(tmp_path):
    with new_memory(tmp_path) as memory:
        tell(memory, (4, 5), "inside")
        tell(memory, (3, 4, 5), "longer")
        set_value(memory, 5, "run", "daily", "procedural", None)

        context = frozenset((4, 5, 6))
        hits = memory.search("episodic", unit("inside"), 5, context_turns=context)
        assert [hit.memory.content for hit in hits] == ["longer"]
        assert memory.search("procedural", unit("daily"), 5, context_turns=context) == ()


def test_memories_that_come_out_of_the_order_of_time_are_found_by_period_and_keywords(tmp_path):
    with new_memory(tmp_path) as memory:
        for turn in (6, 2, 4, 0, 5):
            know(memory, 7, f"of {turn}", (f"word{turn}",), sources=(turn,))
            found = memory.search("semantic", unit("x"), 9, period=Period(at(turn), at(turn)))
            assert [hit.memory.content for hit in found] == [f"of {turn}"]
        for turn in (6, 2, 4, 0, 5):
            (hit, *_) = memory.search("semantic", unit("x"), 1, keywords=(f"word{turn}",), lexical_weight=3)
            assert (hit.memory.content, hit.lexical) == (f"of {turn}", 1.0)


def test_kinds_that_are_searched_together_give_what_each_gives_alone(tmp_path):
    memory, moments = filled(tmp_path / "user.sqlite", random.Random(3), SEARCHERS["numpy"])
    wanted = {"procedural": 2, "semantic": 4, "episodic": 0}
    with memory:
        for moment in (None, *moments[::9]):
            options = {
                "period": Period(START + 5 * HOUR, None),
                "as_of": moment,
                "keywords": ("tea", "oslo"),
                "lexical_weight": 0.3,
                "context_turns": frozenset((30, 31)),
            }
            together = memory.search_kinds(wanted, DIRECTIONS[1], **options)

            assert together == {kind: memory.search(kind, DIRECTIONS[1], k, **options) for kind, k in wanted.items()}
        with pytest.raises(OperationInvalid):
            memory.search_kinds({"semantic": 1, "core": 1}, DIRECTIONS[1])


def test_a_context_of_turns_at_one_time_keeps_back_what_follows_from_these_alone(tmp_path):
    with UserMemory.open(tmp_path / "user.sqlite", "ann") as memory:
        for turn in range(4):
            memory.add_turn(DialogueTurn(turn, 0, START, 0, "hi", ""))
        for turn in range(4):
            know(memory, turn, f"of {turn}")

        hits = memory.search("semantic", unit("x"), 9, context_turns={1, 2, 77})

        assert {hit.memory.content for hit in hits} == {"of 0", "of 3"}


def test_a_reversed_period_an_empty_memory_and_no_hits_wanted_give_nothing(tmp_path):
    with new_memory(tmp_path) as memory:
        assert memory.search("semantic", unit("x"), 4) == ()
        assert memory.search_crops(unit("x"), 4) == ()
        know(memory, 1, "x")
        assert memory.search("semantic", unit("x"), 4, period=Period(at(2), at(1))) == ()
        assert memory.search("semantic", unit("x"), 0) == ()
        assert memory.search("semantic", unit("x"), 4, as_of=Moment(at(0))) == ()
        with pytest.raises(TimeInvalid):
            memory.search("semantic", unit("x"), 4, period=Period(dt.datetime(2025, 1, 1)))  # noqa: DTZ001
        with pytest.raises(OperationInvalid):
            memory.search("core", unit("x"), 4)


def test_memories_without_a_vector_are_read_and_not_found(tmp_path):
    with new_memory(tmp_path) as memory:
        memory.apply("job", [SemanticDraft("fact", "no vector", ("word",), (0,))], Origin(at(0), 1))
        know(memory, 1, "vector", ("word",))

        hits = memory.search("semantic", unit("x"), 5, keywords=("word",), lexical_weight=1)
        assert [hit.memory.content for hit in hits] == ["vector"]
        assert len(memory.memories("semantic")) == 2


@pytest.mark.parametrize("limit", [1, 10**9])
def test_a_gpu_gives_the_same_answers(tmp_path, monkeypatch, limit):
    """FAISS's own index stands for the one on a GPU: it searches everything, and what is not asked for is left out."""
    import faiss

    used = []
    monkeypatch.setattr(faiss, "get_num_gpus", lambda: 1)
    monkeypatch.setattr(faiss, "StandardGpuResources", object, raising=False)
    monkeypatch.setattr(
        faiss, "index_cpu_to_gpu", lambda resources, number, index: used.append(number) or index, raising=False
    )
    path = tmp_path / "user.sqlite"
    memory, moments = filled(path, random.Random(1), IndexSettings(faiss_from=limit))
    with memory, UserMemory.open(path, "ann", index=IndexSettings(faiss_from=limit, gpu=False)) as plain:
        for moment in (None, *moments[::7]):
            for kind in ("semantic", "episodic", "procedural"):
                period = Period(START + 5 * HOUR, START + 40 * HOUR)
                hits = memory.search(kind, DIRECTIONS[0], 3, period=period, as_of=moment)
                assert hits == plain.search(kind, DIRECTIONS[0], 3, period=period, as_of=moment)
    assert bool(used) == (limit == 1)
