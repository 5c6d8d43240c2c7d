"""Planned contexts: whose look-alikes, what the dialogues tell, and which wrong options questions may have."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lifeloom.records import ConceptDialoguePlan, LibraryImage, Rejection
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.dialogue_facts import draw_value
from lifeloom.synthesis.contexts import NearestPictures, PlannedContext, plan_context
from tests.scenes import library_image, scene

TODAY = dt.date(2025, 12, 31)
NOUNS = ("person", "person", "person", "dog", "cat", "red mug", "blue mug", "guitar")
POOL = {
    f"i{number:02}": library_image(f"i{number:02}", noun)
    for number, noun in enumerate(noun for noun in NOUNS for _ in range(3))
}


def nearest(pool: Sequence[str]) -> NearestPictures:
    """Pictures whose look follows from their number: neighbours in number look alike."""
    angles = np.radians(np.array([int(one.strip("abi")) for one in pool], dtype=float))
    return NearestPictures(list(pool), np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32))


def planned(
    *identities: str,
    scene_id: str = "s1",
    pool: dict[str, LibraryImage] = POOL,
    negatives: int = 2,
    seed: int = 5,
    **more: Any,
) -> PlannedContext | Rejection:
    return plan_context(
        scene(scene_id, *identities, **more),
        pool,
        nearest(list(pool)),
        Streams(seed),
        negatives=negatives,
        ends_on=TODAY,
        stage="contexts",
    )


def context(*identities: str, **more: Any) -> PlannedContext:
    made = planned(*identities, **more)
    assert isinstance(made, PlannedContext)
    return made


def many(count: int = 60, **more: Any) -> list[PlannedContext]:
    return [context("i00", "i10", "i16", scene_id=f"s{number}", **more) for number in range(count)]


def plans(made: Sequence[PlannedContext]) -> list[ConceptDialoguePlan]:
    return [entry.plan for one in made for entry in one.entries]


def test_each_concept_brings_its_nearest_pictures_of_others() -> None:
    made = context("i05")
    assert {one.image.image_id: one.positive for one in made.entries} == {"i05": True, "i04": False, "i06": False}


def test_a_look_alike_that_the_query_picture_shows_or_another_concept_has_already_gives_way_to_the_next() -> None:
    made = context("i10", "i12")
    negatives = {one.image.image_id for one in made.entries if not one.positive}
    assert negatives == {"i09", "i11", "i13", "i14"}
    assert {one.image.image_id for one in made.entries if one.positive} == {"i10", "i12"}


def test_no_identity_is_there_twice_where_the_library_has_several_pictures_of_one() -> None:
    pool = {
        f"{letter}{number:02}": library_image(f"{letter}{number:02}", identity=f"x{number:02}")
        for number in range(20)
        for letter in "ab"
    }
    made = planned("a05", pool=pool)
    assert isinstance(made, PlannedContext)
    shown = [one.image.identity for one in made.entries]
    assert len(shown) == len(set(shown)) == 3


def test_another_picture_of_an_identity_in_the_query_picture_is_no_negative() -> None:
    pool = {"a05": library_image("a05", identity="ann"), "b05": library_image("b05", identity="ann")}
    pool |= {name: library_image(name) for name in ("i20", "i40")}
    plan = scene("s1", "ann", image_ids=("a05",))
    made = plan_context(plan, pool, nearest(list(pool)), Streams(5), negatives=2, ends_on=TODAY, stage="contexts")
    assert isinstance(made, PlannedContext)
    assert {one.image.image_id for one in made.entries} == {"a05", "i20", "i40"}


def test_look_alikes_are_found_behind_any_number_of_pictures_of_one_identity() -> None:
    pool = {f"a{number:02}": library_image(f"a{number:02}", identity="ann") for number in range(60)}
    pool |= {name: library_image(name) for name in ("i70", "i80")}
    plan = scene("s1", "ann", image_ids=("a00",))
    made = plan_context(plan, pool, nearest(list(pool)), Streams(5), negatives=2, ends_on=TODAY, stage="contexts")
    assert isinstance(made, PlannedContext)
    assert {one.image.image_id for one in made.entries if not one.positive} == {"i70", "i80"}


@pytest.mark.parametrize("size", [1, 2])
def test_a_library_without_two_others_gives_no_context_and_says_why(size: int) -> None:
    made = planned("i00", pool=dict(list(POOL.items())[:size]))
    assert isinstance(made, Rejection)
    assert (made.item, made.reason) == ("s1", "too_few_negatives")
    assert made.detail == f"i00 has {size - 1} possible negatives of 2: the library is too small"


def test_a_query_picture_of_a_concept_that_the_library_does_not_have_is_left_out() -> None:
    made = planned("i00", "stranger")
    assert isinstance(made, Rejection)
    assert (made.reason, made.detail) == ("concept_not_in_library", "stranger")


def test_positives_stand_anywhere() -> None:
    places = Counter(
        index for one in many(300) for index, entry in enumerate(one.entries) if entry.image.image_id == "i00"
    )
    assert set(places) == set(range(9))
    assert max(places.values()) < 65, "33 each are expected; six standard deviations above is 65"


def test_dialogues_are_numbered_as_they_stand() -> None:
    made = context("i00", "i10")
    assert [one.plan.dialogue_id for one in made.entries] == [f"s1-c{index}" for index in range(6)]
    assert all(one.plan.image_id == one.image.image_id for one in made.entries)


def test_a_dialogue_tells_one_fact_of_every_kind_over_three_turns() -> None:
    for plan in plans(many(20)):
        assert sorted(one.kind for one in plan.facts) == ["companion", "event", "object", "place", "time"]
        turns = [one.turn for one in plan.facts]
        assert turns == sorted(turns)
        assert sorted(Counter(turns).values()) == [1, 2, 2]
    assert len({one.facts[0].kind for one in plans(many(20))}) == 5, "any kind may come first"


def test_everything_in_a_context_is_called_something_else_and_things_are_somebodys_gift() -> None:
    for made in many(20):
        handles = [one.plan.handle for one in made.entries]
        assert len({one.lower() for one in handles}) == len(handles)
        for one in made.entries:
            if one.image.category == "object":
                assert one.plan.handle.startswith(f"the {one.image.noun.split()[-1]} from ")
            else:
                assert " " not in one.plan.handle


def test_no_two_dialogues_of_a_context_tell_the_same_place_day_event_companion_or_thing() -> None:
    for made in many(20):
        for kind in ("place", "time", "event", "companion", "object"):
            told = [fact.value.split(" at ")[0] for one in made.entries for fact in one.plan.facts if fact.kind == kind]
            assert len(set(told)) == len(told)


def test_one_wrong_option_is_what_another_dialogue_tells_and_the_other_is_told_nowhere() -> None:
    for made in many(20):
        for index, entry in enumerate(made.entries):
            for fact in entry.plan.facts:
                others = {
                    other.value.split(" at ")[0]
                    for number, one in enumerate(made.entries)
                    if number != index
                    for other in one.plan.facts
                    if other.kind == fact.kind
                }
                assert len(fact.options) == 2
                assert fact.value not in fact.options
                assert sum(option.split(" at ")[0] in others for option in fact.options) == 1


def test_days_lie_in_the_two_years_before_and_options_have_the_shape_of_the_answer() -> None:
    days = [fact for plan in plans(many(40)) for fact in plan.facts if fact.kind == "time"]
    with_clock = [" at " in fact.value for fact in days]
    assert 0.25 < sum(with_clock) / len(days) < 0.55
    for fact in days:
        for value in (fact.value, *fact.options):
            assert (" at " in value) == (" at " in fact.value)
            day = dt.datetime.strptime(value.split(" at ")[0], "%d %B %Y").date()  # noqa: DTZ007 - a day only
            assert TODAY - dt.timedelta(days=730) < day <= TODAY


def test_neither_facts_nor_options_name_what_a_picture_shows_or_what_something_is_called() -> None:
    pool = {
        f"i{number:02}": library_image(f"i{number:02}", noun) for number, noun in enumerate(("kite", "clock", "apple"))
    }
    made = [
        context("i00", pool=pool, scene_id=f"s{number}", place="harbour", further="book", edition="release")
        for number in range(150)
    ]
    said = {
        word
        for plan in plans(made)
        for fact in plan.facts
        for value in (fact.value, *fact.options)
        for word in value.lower().split()
    }
    assert not said & {"kite", "clock", "apple", "apples", "harbour", "book", "books"}
    everything = {
        word
        for seed in range(4000)
        for kind in ("place", "event")
        for word in draw_value(kind, "release", TODAY, Streams(seed).rng("any")).lower().split()  # type: ignore[arg-type]
    }
    assert everything >= {"kite", "clock", "apple", "harbour", "book"}, "each of them stands in some value"
    for plan in plans(made):
        names = {word.lower() for word in plan.handle.split() if word[0].isupper()}
        assert not names & {word for fact in plan.facts for word in fact.value.lower().split()}


def test_what_pictures_show_says_nothing_of_which_option_is_right() -> None:
    """The right value and the options keep off the same words, so that a word of the query picture excludes none."""
    made = [context("i00", scene_id=f"s{number}", place="harbour", edition="release") for number in range(300)]
    options = {word for plan in plans(made) for fact in plan.facts for one in fact.options for word in one.split()}
    assert "harbour" not in options


def test_a_third_of_the_values_is_for_releases_only() -> None:
    def told(edition: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for plan in plans(many(150, edition=edition)):
            for fact in plan.facts:
                found.setdefault(fact.kind, set()).add(fact.value)
        return found

    corpus, release = told("corpus"), told("release")
    fresh = release["event"] - corpus["event"]
    assert 0.25 < len(fresh) / len(release["event"]) < 0.42
    heads = {value.split()[0] for value in corpus["place"]}
    assert {value.split()[0] for value in release["place"]} > heads


def test_a_context_follows_from_its_own_id_alone() -> None:
    assert context("i00", "i10", scene_id="s7") == context("i00", "i10", scene_id="s7")
    other = context("i00", "i10", scene_id="s8")
    assert {one.plan.handle for one in other.entries} != {one.plan.handle for one in context("i00", "i10").entries}
    assert context("i00", scene_id="s7", seed=6) != context("i00", scene_id="s7")


def test_ten_look_alikes_of_each_of_four_concepts_have_values_enough() -> None:
    pool = {f"i{number:03}": library_image(f"i{number:03}") for number in range(60)}
    made = planned("i000", "i015", "i030", "i045", pool=pool, negatives=10)
    assert isinstance(made, PlannedContext)
    assert len(made.entries) == 44


def test_a_context_whose_values_run_out_is_left_out_with_the_kind() -> None:
    pool = {f"i{number:03}": library_image(f"i{number:03}") for number in range(90)}
    made = planned("i000", pool=pool, negatives=85)
    assert isinstance(made, Rejection)
    assert made.reason == "values_used_up"
    assert made.detail.startswith("no event is left after ")
