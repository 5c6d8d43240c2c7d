from __future__ import annotations

import random

import pytest

from lifeloom.records import PersonaSeed, Split
from lifeloom.streams import Streams
from lifeloom.synthesis.seeds import NotEnoughSeeds, sample_personas


def seed(number: int, cluster: int, split: Split) -> PersonaSeed:
    return PersonaSeed(
        seed_id=f"persona-{number:04d}",
        text=f"Somebody {number}",
        source="made.jsonl",
        line=number + 1,
        cluster_id=f"persona-{cluster:04d}",
        split=split,
    )


# Clusters of two: 0-1, 2-3, ...; 30 clusters, every third for the benchmark.
SEEDS = [seed(n, n - n % 2, "benchmark" if n // 2 % 3 == 0 else "train") for n in range(60)]


def draw(
    count: int, split: Split = "train", purpose: str = "corpus", excluding: frozenset[str] = frozenset()
) -> list[str]:
    drawn = sample_personas(SEEDS, count=count, split=split, streams=Streams(7), purpose=purpose, excluding=excluding)
    assert all(one.split == split for one in drawn)
    return [one.seed_id for one in drawn]


def clusters(ids: list[str]) -> set[int]:
    return {int(one[-4:]) // 2 for one in ids}


def test_a_sample_has_the_size_asked_for_and_one_persona_a_cluster() -> None:
    for count in (0, 1, 13, 20):
        assert len(clusters(draw(count))) == count


def test_train_and_benchmark_share_no_cluster() -> None:
    assert not clusters(draw(20)) & clusters(draw(10, "benchmark"))


def test_the_draw_depends_on_seed_and_purpose_but_not_on_the_order_of_the_seeds() -> None:
    shuffled = SEEDS[:]
    random.Random(1).shuffle(shuffled)
    again = sample_personas(shuffled, count=12, split="train", streams=Streams(7), purpose="corpus")
    assert [one.seed_id for one in again] == draw(12)
    assert draw(12, purpose="2026-01-05") != draw(12)
    other = sample_personas(SEEDS, count=12, split="train", streams=Streams(8), purpose="corpus")
    assert [one.seed_id for one in other] != draw(12)


def test_used_seeds_are_left_out_with_their_whole_cluster() -> None:
    used = frozenset(draw(4, "benchmark", "first"))
    rest = draw(6, "benchmark", "second", used)
    assert not clusters(rest) & clusters(list(used))


def test_too_few_clusters_are_told_with_what_is_short() -> None:
    used = frozenset({"persona-0000", "persona-0001", "persona-0006"})
    with pytest.raises(NotEnoughSeeds) as caught:
        draw(9, "benchmark", "nightly", used)
    error = caught.value
    assert (error.asked, error.available, error.clusters, error.excluded, error.seeds) == (9, 8, 10, 2, 60)
    assert "9 benchmark personas are asked for, 8 are there" in str(error)
    assert "larger PersonaHub file" in str(error)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        draw(-1)
