from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.synthesis.seeds import cluster_texts, persona_id, split_of

WORDS = (  # noqa: SIM905 - a list of thirty would fill the screen
    "harbour lantern violin orchard glacier pottery marathon library saffron thunder compass velvet granite meadow "
    "bicycle kettle falcon canyon harvest mosaic anchor thistle copper willow pepper quarry ribbon saddle tunnel wharf"
).split()

texts = st.lists(st.sampled_from(WORDS), min_size=12, max_size=20, unique=True).map(" ".join)


def clustered(*texts: str) -> list[str]:
    belongs = cluster_texts({persona_id(text): text for text in texts})
    return [belongs[persona_id(text)].cluster_id for text in texts]


def test_texts_that_differ_in_case_punctuation_or_one_word_are_one_cluster() -> None:
    base = "A retired tram driver from Lisbon who grows tomatoes on the roof and plays the accordion on Sundays."
    variants = (
        base,
        base.upper(),
        base.replace(",", "").replace(".", "!!"),
        base.replace("tomatoes", "peppers"),
        base.replace("retired ", ""),
        "A retired tram driver who grows tomatoes on the roof from Lisbon and plays on Sundays the accordion",
    )
    assert len(set(clustered(*variants))) == 1


def test_different_people_of_the_same_trade_stay_apart() -> None:
    assert (
        len(
            set(
                clustered(
                    "A school nurse who provides first aid to students in a mountain town",
                    "A nurse on night shifts who paints lighthouses in the afternoon",
                    "A senior software developer with experience in JavaScript and scheduling",
                    "A database developer with extensive experience in integration services",
                    "a cook",
                    "a baker",
                )
            )
        )
        == 6
    )


def test_a_cluster_is_called_after_its_least_member() -> None:
    first, second = "A ferry cook from Split who collects bells", "A ferry cook from Split who collects bells!"
    assert clustered(first, second) == [min(persona_id(first), persona_id(second))] * 2


@given(st.lists(texts, min_size=1, max_size=12, unique=True), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_clusters_and_splits_do_not_depend_on_the_order(some: list[str], rng: random.Random) -> None:
    ids = [(persona_id(text), text) for text in some]
    expected = cluster_texts(dict(ids))
    rng.shuffle(ids)
    assert cluster_texts(dict(ids)) == expected


@given(st.lists(texts, min_size=1, max_size=8, unique=True), st.data())
@settings(max_examples=60)
def test_near_duplicates_always_share_cluster_and_split(some: list[str], data: st.DataObject) -> None:
    original = data.draw(st.sampled_from(some))
    words = original.split()
    words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(["someone", "elsewhere", ""]))
    edit = " ".join(words)
    belongs = cluster_texts({persona_id(text): text for text in [*some, edit]})
    assert belongs[persona_id(edit)] == belongs[persona_id(original)]


def test_a_crowd_of_near_duplicates_is_one_cluster() -> None:
    crowd = [
        f"A ferry cook from the old harbour who has met {number} whales and told nobody" for number in range(2_000)
    ]
    assert len(set(clustered(*crowd))) == 1


def test_five_clusters_in_seven_go_to_train() -> None:
    shares = Counter(split_of(f"persona-{number:016x}") for number in range(14_000))
    assert 9_700 < shares["train"] < 10_300  # expected 10,000, standard deviation 53
    assert shares["train"] + shares["benchmark"] == 14_000


def test_splits_do_not_depend_on_the_process() -> None:
    code = (
        "from lifeloom.synthesis.seeds import cluster_texts, persona_id\n"
        "t = [f'A {a} {b} who repairs clocks in town {n}' for n, (a, b) in enumerate([('shy', 'cook')] * 9)]\n"
        "print(cluster_texts({persona_id(x): x for x in t}))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
