"""Right answers of questions against lives counted by hand, and what must not be asked."""

from __future__ import annotations

import pytest

from lifeloom.records import LifeTask
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions import LifeWorld, counts_for, make_questions
from lifeloom.synthesis.life_questions.concept_questions import concept_vqa, recognition, text_concept_qa
from lifeloom.synthesis.life_questions.drafts import NOT_IN_IMAGE, Draft
from lifeloom.synthesis.life_questions.event_questions import fine_grained_scene, person_centric, scene_and_activity
from lifeloom.synthesis.life_questions.history_questions import counting, preference, temporal
from tests.lifeloom.synthesis.life_questions.worlds import Photo, boxed, world

FAMILY = (("Ana", "owner"), ("Rosa", "mother"), ("Ben", "uncle"), ("Zip", "dog"))
LIFE = world(
    FAMILY,
    [
        ("2023-01-10", "hiking", "forest", [Photo("ar", "red balloon"), Photo("r", "2 blue hat"), Photo("ra", "mug")]),
        ("2023-02-11", "baking", "kitchen", [Photo("ab", "cake, red mug"), Photo("b", "clock")]),
        ("2023-03-12", "hiking", "forest", [Photo("a", "camera"), Photo("ab", "backpack")]),
        ("2024-04-13", "hiking", "lake", [Photo("abr", "blue hat"), Photo("r", "camera")]),
        ("2024-05-14", "barbecue", "park", [Photo("ar", "chair"), Photo("a", "umbrella")]),
    ],
    [("beach", Photo("ba", "red balloon, guitar")), ("garden", Photo("r", "clock, drum")), ("park", Photo("", "cake"))],
)
DRAWS = (
    text_concept_qa,
    recognition,
    concept_vqa,
    scene_and_activity,
    person_centric,
    fine_grained_scene,
    preference,
    counting,
    temporal,
)


def drafts(life: LifeWorld, draw, task: LifeTask | None = None) -> list[Draft]:
    found = draw(life, "corpus", Streams(3).rng("test"))
    return [one for one in found if task is None or one.task == task]


def answers(life: LifeWorld, draw, template: str, *words: str, about: str = "") -> set[str]:
    """Answers to the questions of a template that hold all of some words, about everybody or one person."""
    return {
        one.answer
        for one in drafts(life, draw)
        if one.template == template
        and all(word in one.question for word in words)
        and about in ("", life.concepts[one.concept_ids[-1]].name)
    }


def day(text: str) -> tuple[str, ...]:
    """Ways to write a day of 2023."""
    names = {"01": "January", "02": "February", "03": "March"}
    _, month, number = text.split("-")
    return (text, f"{names[month]} {number}, 2023", f"{number} {names[month]} 2023")


def on(life: LifeWorld, draw, template: str, when: str, *words: str, about: str = "") -> set[str]:
    return {answer for way in day(when) for answer in answers(life, draw, template, way, *words, about=about)}


def test_what_happened_on_a_day_is_told_with_its_place() -> None:
    assert on(LIFE, scene_and_activity, "scene_activity", "2023-02-11") == {"It was baking, in a kitchen."}


def test_what_a_numbered_photo_shows_counts_and_colours_its_things() -> None:
    assert on(LIFE, scene_and_activity, "scene_things", "2023-01-10", "2 ") == {"It shows two blue hats."}
    assert "It shows a cake and a red mug." in on(LIFE, scene_and_activity, "scene_things", "2023-02-11", "1 ")


def test_colours_of_a_thing_are_asked_for_where_it_has_two() -> None:
    life = world(FAMILY, [("2023-01-10", "hiking", "forest", [Photo("a", "red hat"), Photo("a", "2 blue hat")])])
    assert answers(life, scene_and_activity, "scene_colours") == {"The hats are blue and red."}
    assert answers(LIFE, scene_and_activity, "scene_colours") == set()


def test_company_is_everybody_who_is_in_any_photo_of_the_day() -> None:
    assert on(LIFE, person_centric, "person_company", "2023-01-10", about="Rosa") == {"With Rosa: Ana; it was hiking."}
    assert answers(LIFE, person_centric, "person_company", "2024", about="Ben") == {
        "With Ben: Ana and Rosa; it was hiking.",
    }


def test_photos_of_somebody_are_counted() -> None:
    assert on(LIFE, person_centric, "person_count", "2023-01-10", about="Rosa") == {"3 photos, taken in the forest."}
    assert on(LIFE, person_centric, "person_count", "2023-02-11", about="Ana") == {"1 photo, taken in a kitchen."}


def test_photos_that_show_somebody_alone_give_their_things_and_the_verb_agrees() -> None:
    assert on(LIFE, person_centric, "person_alone", "2023-01-10", about="Rosa") == {"There are two blue hats."}
    assert on(LIFE, person_centric, "person_alone", "2023-02-11", about="Ben") == {"There is a clock."}
    assert on(LIFE, person_centric, "person_alone", "2023-02-11", about="Ana") == set()


def test_the_first_photo_of_somebody_is_the_first_in_order() -> None:
    assert on(LIFE, person_centric, "person_first", "2023-01-10", about="Rosa") == {"There is a red balloon."}
    assert on(LIFE, person_centric, "person_first", "2023-02-11", about="Ben") == {"There are a cake and a red mug."}


def test_relational_questions_name_the_person_only_by_relations() -> None:
    own = drafts(LIFE, person_centric, "relational_person_centric")
    assert own
    ana, rosa, ben, _ = LIFE.plan.concepts
    for one in own:
        about = LIFE.concepts[one.concept_ids[-1]]
        allowed = {ana: {"Rosa's child"}, rosa: {"Ana's mother", "account owner's mother", "Rosa's child's mother"}}
        allowed[ben] = {"Ana's uncle", "account owner's uncle", "Rosa's child's uncle"}
        assert any(phrase in one.question for phrase in allowed[about]), one.question


def test_people_stand_in_the_order_of_their_boxes() -> None:
    assert on(LIFE, fine_grained_scene, "fine_people", "2023-01-10", "red balloon") == {
        "From left to right: Ana, Rosa."
    }
    assert on(LIFE, fine_grained_scene, "fine_people", "2023-01-10", "mug") == {"From left to right: Rosa, Ana."}


def test_other_things_are_asked_for_beside_the_one_that_tells_a_photo_apart() -> None:
    assert on(LIFE, fine_grained_scene, "fine_other", "2023-02-11", "red mug") == {"There is also a cake."}


def test_a_thing_that_two_photos_of_a_day_show_tells_neither_apart() -> None:
    photos = [Photo("ab", "red mug, cake"), Photo("br", "2 red mug, clock"), Photo("ar", "blue mug, 2 drum")]
    life = world(FAMILY, [("2023-01-10", "baking", "kitchen", photos)])
    questions = {one.question for one in drafts(life, fine_grained_scene) if one.template == "fine_other"}
    assert not any("the red mug" in one for one in questions)  # the second photo has red mugs too
    assert any("the two red mugs" in one for one in questions)
    assert any("the blue mug" in one for one in questions)
    assert answers(life, fine_grained_scene, "fine_other", "blue mug") == {"There are also two drums."}


def test_a_group_that_two_photos_of_a_day_show_is_not_asked_about() -> None:
    photos = [Photo("ab", "cake"), Photo("ba", "clock"), Photo("abr", "2 drum")]
    life = world(FAMILY, [("2023-01-10", "baking", "kitchen", photos)])
    assert answers(life, fine_grained_scene, "fine_together") == {"There are two drums."}


def test_who_is_nearest_to_a_thing_is_measured_across_and_left_out_where_two_are_as_near() -> None:
    # Boxes: Ana's middle at 20, Ben's at 120, the thing's at 80: 60 and 40 away, too close to call.
    close = world(FAMILY, [("2023-01-10", "baking", "kitchen", [Photo("ab", "cake")])])
    assert answers(close, fine_grained_scene, "fine_nearest") == set()
    # The second thing's middle at 180, Ben's at 120 and Ana's at 20: 60 and 160.
    clear = world(FAMILY, [("2023-01-10", "baking", "kitchen", [Photo("ab", "cake, drum")])])
    assert answers(clear, fine_grained_scene, "fine_nearest") == {"Ben is nearest to it, in a kitchen."}


@pytest.mark.parametrize(
    ("template", "about", "words", "numbers"),
    [
        ("count_activity", "Ana", ("hiking",), {"3"}),
        ("count_activity", "Ana", ("cooking",), {"2"}),  # baking and a barbecue are forms of it
        ("count_activity_with", "Ben", ("hiking",), {"2"}),
        ("count_activity_with", "Rosa", ("cooking",), {"1"}),
        ("count_activity_with", "Zip", ("hiking",), {"0"}),
        ("count_place", "Ana", ("in the forest",), {"2"}),
        ("count_together", "Ana", ("and Rosa ",), {"3"}),
        ("count_together", "Rosa", ("and Ben ",), {"1"}),
        ("count_year", "Ana", ("2023",), {"3"}),
        ("count_year", "Rosa", ("2024",), {"2"}),
    ],
)
def test_days_are_counted_by_what_who_where_and_when(
    template: str, about: str, words: tuple[str, ...], numbers: set[str]
) -> None:
    assert answers(LIFE, counting, template, *words, about=about) == numbers
    own = [one for one in drafts(LIFE, counting) if one.template == template]
    assert all(len(one.event_ids) == int(one.answer) for one in own)


def test_two_events_on_one_day_count_as_one_day() -> None:
    same = [
        ("2023-01-10", "hiking", "forest", [Photo("ab", "mug")]),
        ("2023-01-10", "hiking", "lake", [Photo("a", "hat")]),
    ]
    assert answers(world(FAMILY, same), counting, "count_activity", "hiking") == {"1"}


def test_what_followed_an_event_is_asked_by_what_it_was_and_never_by_its_date() -> None:
    own = [one for one in drafts(LIFE, temporal) if one.template == "next_event"]
    by_anchor = {one.question.split("the day of ")[1].split(" in the history")[0].split(",")[0]: one for one in own}
    after_baking = next(one for anchor, one in by_anchor.items() if anchor.startswith("cooking in a kitchen"))
    assert after_baking.answer == "Hiking, with Ana and Ben."
    assert after_baking.event_ids == ("ana-e-1", "ana-e-2")
    assert not any(char.isdigit() for one in own for char in one.question)


def test_an_event_is_no_anchor_where_its_people_were_at_another_one_like_it_too() -> None:
    both = [
        ("2023-01-10", "hiking", "forest", [Photo("ab", "mug")]),
        ("2023-02-10", "hiking", "forest", [Photo("abr", "hat")]),
        ("2023-03-10", "baking", "kitchen", [Photo("a", "cake")]),
    ]
    anchors = {one.question for one in drafts(world(FAMILY, both), temporal) if one.template == "next_event"}
    assert anchors
    assert all("Ana, Rosa and Ben" in one for one in anchors)  # "with Ana and Ben" would fit both days


def test_the_next_time_with_somebody_skips_events_without_them() -> None:
    rosa = LIFE.plan.concepts[1].concept_id
    after_baking = {
        one.answer
        for one in drafts(LIFE, temporal)
        if one.template == "next_with" and "cooking in a kitchen" in one.question and one.concept_ids == (rosa,)
    }
    assert after_baking == {"Hiking, by the lake."}


def test_first_and_last_times_are_dates_of_that_activity_with_that_person() -> None:
    dates = {
        (one.template, one.event_ids)
        for one in drafts(LIFE, temporal)
        if one.template in ("first_time", "last_time") and one.concept_ids == (LIFE.plan.concepts[2].concept_id,)
    }
    assert dates == {("first_time", ("ana-e-2",)), ("last_time", ("ana-e-3",))}


def test_the_two_most_frequent_are_asked_for_in_order_and_ties_are_not() -> None:
    assert answers(LIFE, preference, "favourite_activities", about="Ana") == {"Most often hiking, then cooking."}
    # Ana: forest 2, kitchen, lake and park 1 each: the second place is a tie.
    assert answers(LIFE, preference, "favourite_places", about="Ana") == set()
    assert answers(LIFE, preference, "favourite_work", about="Ana") >= {"Ana is a vet; most often hiking."}
    assert answers(LIFE, preference, "favourite_tastes", about="Ben") == {"Ben likes taste 2 and liking 2."}


def test_a_picture_shows_just_those_who_are_planned_in_it() -> None:
    own = drafts(LIFE, recognition)
    for one in own:
        assert one.shot is not None
        assert (one.answer == "yes") == (one.concept_ids[-1] in one.shot.who)
    assert {one.answer for one in own if one.shot is not None and one.shot.image_id == "ana-s-2"} == {"no"}


def test_of_somebody_absent_the_answer_is_that_they_are_not_there_and_what_the_picture_shows_is_a_wrong_option() -> (
    None
):
    own = [one for one in drafts(LIFE, concept_vqa) if one.template == "vqa_place"]
    for one in own:
        assert one.shot is not None
        there = one.concept_ids[-1] in one.shot.who
        where = {"ana-s-0": "at the beach", "ana-s-1": "in a garden", "ana-s-2": "in the park"}[one.shot.image_id]
        assert one.answer == (where if there else NOT_IN_IMAGE)
        assert (where in [text for text, _ in one.wrong]) == (not there)


def test_neighbours_in_a_picture_stand_by_their_boxes() -> None:
    assert answers(LIFE, concept_vqa, "vqa_neighbour", "left", about="Ana") == {"Ben"}
    assert answers(LIFE, concept_vqa, "vqa_neighbour", "right", about="Ben") == {"Ana"}
    assert answers(LIFE, concept_vqa, "vqa_neighbour", about="Rosa") == set()


def test_the_nearest_thing_is_clearly_nearer_than_the_second() -> None:
    # Rosa's middle at 20; the clock's at 80, the drum's at 180.
    assert answers(LIFE, concept_vqa, "vqa_nearest", about="Rosa") - {NOT_IN_IMAGE} == {"clock"}
    # Ana's at 120 between the balloon's at 80 and the guitar's at 180: 40 and 60.
    assert answers(LIFE, concept_vqa, "vqa_nearest", about="Ana") - {NOT_IN_IMAGE} == {"balloon"}


@pytest.mark.parametrize(
    ("relation", "rival", "phrase"),
    [
        ("mother", "brother", "Rosa's child"),
        ("sister", "brother", "Rosa's sibling"),
        ("daughter", "partner", "Rosa's parent"),
        ("grandmother", "cousin", "Rosa's grandchild"),
        ("cousin", "sister", "Rosa's cousin"),
    ],
)
def test_the_owner_is_not_meant_through_a_relative_who_has_another_one_like_them(
    relation: str, rival: str, phrase: str
) -> None:
    events = [("2023-01-10", "hiking", "forest", [Photo("arb", "mug")])]
    alone = world((("Ana", "owner"), ("Rosa", relation), ("Ben", "best friend")), events)
    rivalled = world((("Ana", "owner"), ("Rosa", relation), ("Ben", rival)), events)
    assert phrase in alone.relational(alone.owner)
    assert phrase not in rivalled.relational(rivalled.owner)


def test_a_wrong_option_is_never_true_of_the_person_too() -> None:
    one, other, *rest = LIFE.plan.concepts
    other = other.model_copy(update={"tastes": (one.tastes[1], "something else")})
    life = boxed(LIFE.plan.model_copy(update={"concepts": (one, other, *rest)}))
    for draft in drafts(life, text_concept_qa):
        if draft.template == "concept_taste" and draft.concept_ids[-1] == one.concept_id:
            assert one.tastes[1] not in [text for text, _ in draft.wrong]


def test_two_of_one_name_are_never_asked_about() -> None:
    life = world(
        (("Ana", "owner"), ("Rosa", "mother"), ("Rosa", "aunt"), ("Ben", "uncle")),
        [("2023-01-10", "hiking", "forest", [Photo("ab", "red mug, hat"), Photo("ar", "drum")])],
        [("beach", Photo("ar", "balloon, cake")), ("park", Photo("ab", "guitar, clock"))],
    )
    made = make_questions(life, "release-1", counts_for(400), Streams(1), edition="corpus")
    rosas = {one.concept_id for one in life.plan.concepts if one.name == "Rosa"}
    assert made.questions
    for one in made.questions:
        assert "Rosa" not in one.question.question
        if one.question.task != "fine_grained_scene":
            assert not rosas & set(one.question.reference_ids)


def test_events_of_one_day_are_not_asked_about_by_their_date_nor_put_in_order() -> None:
    same = [
        ("2023-01-10", "hiking", "forest", [Photo("ab", "red mug"), Photo("a", "hat")]),
        ("2023-01-10", "baking", "kitchen", [Photo("ar", "cake"), Photo("a", "clock")]),
        ("2023-02-11", "hiking", "lake", [Photo("ab", "drum"), Photo("b", "camera")]),
    ]
    life = world(FAMILY, same)
    for draw in (scene_and_activity, person_centric, fine_grained_scene):
        found = drafts(life, draw)
        assert found
        assert {one.event_ids for one in found} == {("ana-e-2",)}
    assert {one.template for one in drafts(life, temporal)} == {"first_time", "last_time"}


def test_a_picture_that_was_left_out_is_neither_counted_nor_asked_about() -> None:
    life = boxed(LIFE.plan, left_out=["ana-e-0-0", "ana-e-0-1", "ana-e-0-2", "ana-e-1-1", "ana-s-0"])
    assert answers(life, counting, "count_activity", "hiking") == {"2"}
    assert on(life, scene_and_activity, "scene_activity", "2023-01-10") == set()
    assert on(life, person_centric, "person_count", "2023-02-11", about="Ben") == {"1 photo, taken in a kitchen."}
    assert all(one.shot is not None and one.shot.image_id != "ana-s-0" for one in drafts(life, recognition))


def test_the_critic_is_told_who_is_who() -> None:
    assert LIFE.people == (
        "Ana is the account owner.",
        "Rosa is the account owner's mother.",
        "Ben is the account owner's uncle.",
        "Zip is the account owner's dog.",
    )


@pytest.mark.parametrize("draw", DRAWS)
def test_every_question_says_what_it_follows_from(draw) -> None:
    found = drafts(LIFE, draw)
    assert found
    for one in found:
        assert one.truth
        assert one.concept_ids
        assert "nobody" not in one.answer.replace("With", "") or one.template == "person_company"
