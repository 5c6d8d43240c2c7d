import datetime as dt
import random

import pytest

from lifeloom.memory import OtherEncoder, Period, RetrievalRequest, Retriever, TopK, UserMemory, sampled_top_k
from lifeloom.memory.retrieval import LEXICAL_WEIGHT
from lifeloom.records import Moment
from tests.lifeloom.memory.remembering import HashEncoder, at, know, new_memory, set_value, tell


@pytest.fixture
def memory(tmp_path):
    with new_memory(tmp_path, turns=12) as memory:
        yield memory


def contents(hits):
    return [hit.memory.content for hit in hits]


def test_the_numbers_of_the_paper_are_the_default(memory):
    for turn in range(8):
        know(memory, turn, f"fact {turn}")
        set_value(memory, turn, f"habit {turn}", f"does {turn}", kind="procedural")
        tell(memory, (turn,), f"episode {turn}")

    found = Retriever(memory, HashEncoder()).retrieve(RetrievalRequest("fact 3"))

    assert (len(found.procedural), len(found.semantic), len(found.episodic)) == (2, 4, 2)
    assert found.semantic[0].memory.content == "fact 3"
    assert found.memory_ids == tuple(hit.memory.memory_id for hit in found.hits)


def test_a_kind_with_zero_is_left_out_and_numbers_can_be_given_with_the_request(memory):
    for turn in range(4):
        know(memory, turn, f"fact {turn}")
        tell(memory, (turn,), f"episode {turn}")
    retriever = Retriever(memory, HashEncoder(), TopK(semantic=0))

    assert retriever.retrieve(RetrievalRequest("fact 1")).semantic == ()
    found = retriever.retrieve(RetrievalRequest("fact 1"), TopK(semantic=1, episodic=3, procedural=0))
    assert (len(found.semantic), len(found.episodic)) == (1, 3)
    with pytest.raises(ValueError, match="0 or more"):
        TopK(episodic=-1)
    with pytest.raises(ValueError, match="0 or more"):
        Retriever(memory, HashEncoder(), lexical_weight=-0.1)


def test_numbers_sampled_for_training_are_the_papers_and_follow_from_the_stream():
    drawn = [sampled_top_k(random.Random(seed)) for seed in range(300)]

    assert {k.episodic for k in drawn} == {2, 3, 4, 5}
    assert {k.semantic for k in drawn} == {3, 4, 5, 6}
    assert {k.procedural for k in drawn} == {2}
    assert sampled_top_k(random.Random(5)) == sampled_top_k(random.Random(5))


def test_the_period_comes_first(memory):
    know(memory, 1, "likes tea")
    late = know(memory, 9, "moved house")

    found = Retriever(memory, HashEncoder()).retrieve(
        RetrievalRequest("likes tea", period=Period(start=at(8), end=at(11)))
    )

    assert [hit.memory.memory_id for hit in found.semantic] == [late]


def test_the_merge_is_cosine_plus_weight_times_the_share_of_keywords(memory):
    know(memory, 1, "likes tea", ("tea", "evening"))
    know(memory, 2, "moved house", ("house",))

    found = Retriever(memory, HashEncoder(), lexical_weight=0.5).retrieve(
        RetrievalRequest("likes tea", keywords=("Evenings", "teas"))
    )

    best = found.semantic[0]
    assert best.memory.content == "likes tea"
    assert best.lexical == pytest.approx(1.0)
    assert best.score == pytest.approx(best.similarity + 0.5, abs=1e-5)
    assert found.semantic[1].lexical == 0
    assert 0 < LEXICAL_WEIGHT < 1


def test_a_rare_word_decides_between_contents_that_are_equally_far(memory):
    for turn in range(8):
        know(memory, turn, f"note {turn}", ("friend", "Odile" if turn == 2 else "Bilal"))

    encoder = HashEncoder()
    by_words = Retriever(memory, encoder, TopK(semantic=1), lexical_weight=5.0)
    by_vectors = Retriever(memory, encoder, TopK(semantic=1), lexical_weight=0.0)

    assert contents(by_words.retrieve(RetrievalRequest("who?", ("Odile",))).semantic) == ["note 2"]
    assert by_vectors.retrieve(RetrievalRequest("who?", ("Odile",))) == by_vectors.retrieve(RetrievalRequest("who?"))


def test_without_a_text_the_keywords_are_encoded_and_with_neither_the_newest_come(memory):
    for turn in range(8):
        know(memory, turn, f"fact {turn}")
    encoder = HashEncoder()
    retriever = Retriever(memory, encoder, TopK(semantic=3))

    retriever.retrieve(RetrievalRequest("  ", ("tea", " ", "evening drink")))
    assert encoder.asked == [("tea, evening drink",)]
    newest = retriever.retrieve(RetrievalRequest("", (" ",), period=Period(end=at(6))))
    assert contents(newest.semantic) == ["fact 6", "fact 5", "fact 4"]
    assert len(encoder.asked) == 1


def test_nothing_comes_twice_and_nothing_whose_turns_are_all_in_the_context(memory):
    first, second = know(memory, 1, "likes tea"), know(memory, 2, "likes cake")
    both = know(memory, 5, "likes tea with cake", sources=(1, 5))
    retriever = Retriever(memory, HashEncoder())

    again = retriever.retrieve(RetrievalRequest("likes tea", exclude=frozenset({first})))
    assert {hit.memory.memory_id for hit in again.semantic} == {second, both}
    in_context = retriever.retrieve(RetrievalRequest("likes tea", context_turns=frozenset({1, 2})))
    assert {hit.memory.memory_id for hit in in_context.semantic} == {both}


def test_equal_scores_come_newer_first(memory):
    for turn in (3, 5, 7):
        know(memory, turn, "same words")

    found = Retriever(memory, HashEncoder()).retrieve(RetrievalRequest("same words"))

    assert [hit.memory.source_turns for hit in found.semantic] == [(7,), (5,), (3,)]


def test_episodes_bring_their_raw_turns_as_they_were_known(memory):
    episode = tell(memory, (4, 6), "a talk about tea")
    retriever = Retriever(memory, HashEncoder())

    found = retriever.retrieve(RetrievalRequest("a talk about tea"))

    assert [turn.user for turn in found.turns[episode]] == ["turn 4", "turn 6"]
    before = retriever.retrieve(RetrievalRequest("a talk about tea", as_of=Moment(at(5), 6)))
    assert before.episodic == ()
    assert before.turns == {}


def test_a_past_moment_gives_what_it_gave_then_also_in_scores(memory):
    know(memory, 1, "likes tea", ("tea",))
    know(memory, 2, "likes cake", ("cake",))
    set_value(memory, 2, "run", "runs at dawn", kind="procedural")
    retriever = Retriever(memory, HashEncoder())
    then = retriever.retrieve(RetrievalRequest("likes tea", ("tea", "cake")))

    for turn in range(3, 9):
        know(memory, turn, f"tea again {turn}", ("tea",))
    set_value(memory, 5, "run", "runs at dusk", kind="procedural")

    assert retriever.retrieve(RetrievalRequest("likes tea", ("tea", "cake"), as_of=Moment(at(2), 3))) == then
    assert contents(then.procedural) == ["runs at dawn"]


def test_an_encoder_that_the_file_is_not_of_is_refused(memory):
    know(memory, 1, "likes tea")
    other = HashEncoder()
    other.identity = type(other.identity)("test", "another")

    with pytest.raises(OtherEncoder, match=r"test/hash-1.*test/another"):
        Retriever(memory, other).retrieve(RetrievalRequest("likes tea"))


def test_an_empty_memory_gives_nothing(tmp_path):
    with UserMemory.open(tmp_path / "empty.sqlite", "bob") as memory:
        found = Retriever(memory, HashEncoder()).retrieve(RetrievalRequest("anything", ("at all",)))

    assert found.hits == ()


def test_a_period_without_a_zone_is_refused(memory):
    know(memory, 1, "likes tea")
    with pytest.raises(Exception, match="zone"):
        Retriever(memory, HashEncoder()).retrieve(
            RetrievalRequest("tea", period=Period(start=dt.datetime(2025, 1, 1)))  # noqa: DTZ001
        )
