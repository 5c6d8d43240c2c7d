"""Scenes as they are planned: how many concepts, of whom, in which scenarios."""

from __future__ import annotations

from collections import Counter

import pytest

from lifeloom.models.builtin.painter.vocabulary import THINGS, place
from lifeloom.records import Edition, ScenePlan, Split
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.scenarios import SCENARIOS
from lifeloom.synthesis.scenes import LibraryUnfit, SceneOrder, plan_scenes
from tests.scenes import library_image, small_library

LIBRARY, LOOKS = small_library()


def planned(wanted: int = 40, *, split: Split = "train", edition: Edition = "corpus", seed: int = 3) -> list[ScenePlan]:
    return plan_scenes(SceneOrder("x", edition, split, wanted, 0.0), LIBRARY, LOOKS, Streams(seed))


def test_every_four_scenes_have_one_two_three_and_four_concepts() -> None:
    sizes = [len(plan.identities) for plan in planned(40)]
    assert all(sorted(sizes[first : first + 4]) == [1, 2, 3, 4] for first in range(0, 40, 4))
    assert len({tuple(sizes[first : first + 4]) for first in range(0, 40, 4)}) > 1, "the order is by chance"


def test_spare_scenes_are_planned_beyond_those_wanted() -> None:
    assert len(plan_scenes(SceneOrder("x", "corpus", "train", 40, 0.15), LIBRARY, LOOKS, Streams(3))) == 46


def test_a_scene_is_the_same_whatever_else_is_planned() -> None:
    assert planned(4) == planned(40)[:4]
    assert planned(4) != planned(4, seed=4)


def test_only_identities_of_the_split_are_shown_unless_they_are_shared() -> None:
    splits = {one.identity: one.split for one in LIBRARY}
    for split in ("train", "benchmark"):
        assert {splits[one] for plan in planned(split=split) for one in plan.identities} == {split}
    shared = plan_scenes(SceneOrder("x", "corpus", "train", 40, disjoint=False), LIBRARY, LOOKS, Streams(3))
    assert {splits[one] for plan in shared for one in plan.identities} == {"train", "benchmark"}


def test_everybody_is_shown_about_equally_often_and_nobody_twice_in_a_scene() -> None:
    plans = planned(80)
    used = Counter(one for plan in plans for one in plan.identities)
    own = [one for one in LIBRARY if one.split == "train"]
    assert len(used) == len(own)
    assert all(20 <= count <= 30 for count in used.values())  # 200 places for 8 identities: 25 each
    assert all(len(set(plan.identities)) == len(plan.identities) for plan in plans)


def test_a_small_library_gives_scenes_with_as_many_concepts_as_there_are() -> None:
    few = [one for one in LIBRARY if one.split == "train"][:3]
    plans = plan_scenes(SceneOrder("x", "corpus", "train", 12), few, LOOKS, Streams(3))
    assert {len(plan.identities) for plan in plans} == {1, 2, 3}
    alone = plan_scenes(SceneOrder("x", "corpus", "train", 12), few[:1], LOOKS, Streams(3))
    assert {plan.identities for plan in alone} == {(few[0].identity,)}


def test_diagnostic_pictures_are_never_in_a_scene() -> None:
    library = [*LIBRARY, *(library_image(f"diagnostic{n}", use="diagnostic") for n in range(20))]
    plans = plan_scenes(SceneOrder("x", "corpus", "train", 40), library, LOOKS, Streams(3))
    assert not any(one.startswith("diagnostic") for plan in plans for one in plan.image_ids)


def test_without_anybody_of_the_split_the_message_says_what_to_do() -> None:
    library = [one for one in LIBRARY if one.split == "benchmark"]
    with pytest.raises(LibraryUnfit, match=r'captions.identity_split = "shared"'):
        plan_scenes(SceneOrder("x", "corpus", "train", 4), library, LOOKS, Streams(3))
    assert plan_scenes(SceneOrder("x", "corpus", "train", 0), library, LOOKS, Streams(3)) == []


def test_a_third_of_the_scenarios_is_for_releases_only() -> None:
    assert len(SCENARIOS) >= 40
    kept_back = {one.name for one in SCENARIOS[-(len(SCENARIOS) // 3) :]}
    assert not {plan.scenario for plan in planned(400)} & kept_back
    assert {plan.scenario for plan in planned(400, edition="release")} & kept_back


def test_every_scenario_is_set_where_and_when_the_image_maker_can_draw_it() -> None:
    assert len({one.name for one in SCENARIOS}) == len(SCENARIOS)
    for one in SCENARIOS:
        assert all(place(name).phrase for name in one.places)
        assert one.times


def test_something_further_is_nothing_that_the_library_shows_and_stands_in_about_half_the_pictures() -> None:
    known = {one.noun.split()[-1] for one in LIBRARY}
    names = {one.name: one.with_article for one in THINGS}
    plans = planned(200)
    more = [plan for plan in plans if plan.further]
    assert 70 <= len(more) <= 130  # 200 tosses of a coin: 100, with a standard deviation of 7
    for plan in more:
        assert plan.picture is not None
        assert plan.further.split()[-1] not in known
        assert plan.picture.subjects[-1].name == plan.further
        assert f"There is also {names[plan.further]}." in plan.instruction


def test_the_picture_shows_the_identities_as_they_look_and_the_words_name_each_by_its_picture() -> None:
    for plan in planned(40):
        assert plan.picture is not None
        own = plan.picture.subjects[: len(plan.identities)]
        assert own == tuple(LOOKS[one].subject for one in plan.identities)
        assert len(plan.picture.subjects) == len(own) + bool(plan.further)
        nouns = {one.image_id: one.noun for one in LIBRARY}
        for number, image_id in enumerate(plan.image_ids, start=1):
            assert f"{nouns[image_id]} of picture {number}" in plan.instruction.replace("The ", "the ")
        assert place(plan.place).phrase in plan.instruction
        assert plan.picture.place == plan.place


def test_who_has_no_look_can_only_be_drawn_from_words() -> None:
    looks = {name: look for name, look in LOOKS.items() if name != "p1"}
    plans = plan_scenes(SceneOrder("x", "corpus", "train", 40), LIBRARY, looks, Streams(3))
    assert {plan.picture is None for plan in plans if "p1" in plan.identities} == {True}
    assert {plan.picture is None for plan in plans if "p1" not in plan.identities} == {False}
