"""What stops contexts from being published."""

from __future__ import annotations

from typing import Any

from lifeloom.records import BY_CODE, CaptionSample, ConceptDialoguePlan, DialogueFact, DialogueTurn, Rejection
from lifeloom.synthesis.contexts.checks import (
    account_problems,
    dialogue_problems,
    entry_problems,
    handle_problems,
    leak_problems,
    position_shares,
    positive_problems,
)
from tests.scenes import library_image, reference, scene

LIBRARY = {name: library_image(name) for name in ("p1", "p2", "p3", "p4")}
PLANS = {"s1": scene("s1", "p1")}


def entry(index: int, image_id: str, **more: Any) -> dict[str, Any]:
    return {
        "image_id": image_id,
        "identity": image_id,
        "picture": reference(image_id),
        "dialogue_id": f"s1-c{index}",
        "turns": [DialogueTurn(user=f"Turn {turn} at Dunmore Bakery.", assistant="Noted.") for turn in range(3)],
        "positive": image_id == "p1",
    } | more


def sample(*entries: dict[str, Any], query: str = "s1") -> CaptionSample:
    return CaptionSample.model_validate(
        {
            "sample_id": "s1",
            "release_id": "x",
            "split": "train",
            "query": reference(query),
            "entries": entries or (entry(0, "p2"), entry(1, "p1"), entry(2, "p3")),
            "made_by": BY_CODE,
        }
    )


def plan(index: int, image_id: str, handle: str, value: str = "Dunmore Bakery") -> ConceptDialoguePlan:
    return ConceptDialoguePlan(
        dialogue_id=f"s1-c{index}",
        sample_id="s1",
        image_id=image_id,
        handle=handle,
        edition="corpus",
        facts=tuple(DialogueFact(kind="place", value=value, turn=turn) for turn in range(3)),
    )


def test_a_sound_context_has_no_problem() -> None:
    assert entry_problems([sample()], 2) == []
    assert positive_problems([sample()], PLANS) == []
    assert leak_problems([sample()], LIBRARY, "train", disjoint=True) == []


def test_entries_are_each_of_another_identity_with_all_their_negatives_turns_and_numbers() -> None:
    twice = sample(entry(0, "p2"), entry(1, "p1"), entry(2, "p3", identity="p2"))
    assert entry_problems([twice], 2) == ["s1 shows an identity twice"]
    assert entry_problems([sample(entry(0, "p2"), entry(1, "p1"))], 2) == ["s1 has 1 negatives for 1 positives"]
    blank = entry_problems([sample(entry(0, "p2"))], 2)
    assert blank[0] == "s1 has no positive"
    misnamed = sample(entry(0, "p2"), entry(2, "p1"), entry(1, "p3"))
    assert entry_problems([misnamed], 2) == ["s1: entry 1 is called s1-c2"]
    short = sample(entry(0, "p2"), entry(1, "p1", turns=[DialogueTurn(user="Hi", assistant="Hi")]), entry(2, "p3"))
    assert entry_problems([short], 2) == ["s1 has a dialogue without 3 turns"]


def test_the_query_picture_does_not_stand_in_its_own_context() -> None:
    assert entry_problems([sample(query="p3")], 2) == ["s1 has its query picture in its context"]


def test_positives_are_the_concepts_of_the_query_picture_and_negatives_are_not() -> None:
    both = {"s1": scene("s1", "p1", "p3")}
    assert positive_problems([sample()], both) == [
        "s1 has other positives than its query picture has concepts",
        "s1 has p3 as a negative, which its query picture shows",
    ]


def test_an_identity_of_the_other_split_leaks_and_what_is_not_in_the_library_is_named() -> None:
    leaking = LIBRARY | {"p3": library_image("p3", split="benchmark")}
    assert leak_problems([sample()], leaking, "train", disjoint=True) == [
        "s1 shows p3, which is for benchmark: it leaks"
    ]
    assert leak_problems([sample()], leaking, "train", disjoint=False) == [], "shared identities leak nothing"
    without = {name: one for name, one in LIBRARY.items() if name != "p2"}
    assert leak_problems([sample()], without, "train", disjoint=False) == ["s1 shows p2, which is not in the library"]
    renamed = LIBRARY | {"p2": library_image("p2", identity="somebody")}
    assert leak_problems([sample()], renamed, "train", disjoint=True) == ["s1 calls p2 p2, which is somebody"]


def test_two_pictures_of_a_context_may_not_be_called_the_same() -> None:
    assert handle_problems([plan(0, "p2", "Nadia"), plan(1, "p1", "Amit")]) == []
    assert handle_problems([plan(0, "p2", "Nadia"), plan(1, "p1", "nadia")]) == ["s1 calls two of its pictures 'nadia'"]


def test_every_dialogue_has_its_plan_and_says_it() -> None:
    plans = {f"s1-c{index}": plan(index, name, name) for index, name in enumerate(("p2", "p1", "p3"))}
    assert dialogue_problems([sample()], plans) == []
    assert dialogue_problems([sample()], plans | {"s1-c1": plan(1, "p1", "x", "Garrow Cinema")})[0] == (
        "s1-c1 does not say 'Garrow Cinema'"
    )
    assert dialogue_problems([sample()], plans | {"s1-c0": plan(0, "p4", "x")}) == [
        "s1-c0 was planned for p4 and stands beside p2"
    ]
    del plans["s1-c2"]
    assert dialogue_problems([sample()], plans) == ["s1-c2 has no plan"]


def test_every_query_picture_has_a_context_or_a_reason() -> None:
    lost = Rejection(stage="x", item="s2", reason="too_few_negatives")
    assert account_problems(["s1", "s2"], [sample()], [lost]) == []
    assert account_problems(["s1", "s2"], [sample()], []) == ["s2 is lost"]


def test_where_positives_stand_is_told_by_thirds() -> None:
    shares = position_shares([sample(), sample(entry(0, "p1"), entry(1, "p2"), entry(2, "p3"))])
    assert shares == {"first third": 0.5, "middle third": 0.5, "last third": 0.0}
    assert position_shares([]) == {"first third": 0.0, "middle third": 0.0, "last third": 0.0}
