"""Checks of Vaccounts: a good one passes, and every way of being wrong is found and named."""

from __future__ import annotations

import datetime as dt

import pytest

from lifeloom.records import PictureSubject, PlannedThing
from lifeloom.synthesis.vaccounts.checks import life_problems, plan_problems
from tests.lives import life_plan, made, relative, vaccount_seed

PLAN = life_plan(vaccount_seed(relative("Bo", "brother", 38), relative("Moss", "dog", 4, "animal")))
OWNER, BROTHER, DOG = PLAN.concepts
CONCEPTS, IMAGES = made(PLAN)


def changed(record, **fields):
    return record.model_copy(update=fields)


def with_event(place_in_time=0, /, **fields):
    events = list(PLAN.events)
    events[place_in_time] = changed(events[place_in_time], **fields)
    return changed(PLAN, events=tuple(events))


def with_concept(number, /, **fields):
    concepts = list(PLAN.concepts)
    concepts[number] = changed(concepts[number], **fields)
    return changed(PLAN, concepts=tuple(concepts))


def with_shot(event=0, number=0, **fields):
    shots = list(PLAN.events[event].shots)
    shots[number] = changed(shots[number], **fields)
    return with_event(event, shots=tuple(shots))


def with_question(**fields):
    first, *others = PLAN.question_shots
    return changed(PLAN, question_shots=(changed(first, **fields), *others))


def drawing(shot, *more):
    return changed(shot.picture, subjects=(*shot.picture.subjects[: 5 - len(more)], *more))


def test_a_good_plan_and_a_life_as_planned_have_no_problems():
    assert plan_problems(PLAN) == []
    assert life_problems(PLAN, CONCEPTS, IMAGES) == []


SHOT = PLAN.events[0].shots[0]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (with_concept(0, role="Owner's Sister"), "0 concepts are the owner"),
        (with_concept(1, role="Account Owner"), "2 concepts are the owner"),
        (with_concept(1, concept_id=OWNER.concept_id), "concept 'ana-c-ana' is there 2 times"),
        (with_concept(1, concept_id="bo"), "the id does not begin with ana-c-"),
        (with_concept(1, appearance=None), "ana-c-bo: a person without a look"),
        (with_concept(2, species="ferret"), "species that can be drawn, not 'ferret'"),
        (with_concept(1, portrait=OWNER.portrait), "ana-c-bo: the portrait does not show this concept alone"),
        (with_concept(1, appearance=OWNER.appearance), "ana-c-ana and ana-c-bo look too much alike: 0 of 2"),
        (with_concept(1, kin_traits=("a green hat",)), "traits of kin that are none of its own"),
        (
            with_concept(1, traits=("a beak",), kin_traits=("a beak",)),
            "ana-c-bo: traits of kin that no blood relative has",
        ),
        (
            with_concept(1, appearance=changed(BROTHER.appearance, skin="#614335", hair="fro", hair_colour="#c93f12")),
            "ana-c-bo: a blood relative of another skin",
        ),
        (with_event(1, event_id="ana-e-0"), "event 'ana-e-0' is there 2 times"),
        (with_event(1, title=PLAN.events[0].title), "the title"),
        (with_event(1, date=PLAN.events[0].date), "not after ana-e-0"),
        (with_event(1, date=PLAN.events[0].date - dt.timedelta(1)), "not after ana-e-0"),
        (with_event(1, number=7), "ana-e-1: has number 7 and place 1"),
        (with_event(1, event_id="bo-e-1"), "the id does not begin with ana-e-"),
        (with_event(activity="knitting-on-mars"), "is no activity of the corpus edition"),
        (with_event(activity_family="nothing"), "is no activity of the corpus edition"),
        (with_event(place="the moon"), "ana-e-0: 'the moon' is no place that can be drawn"),
        (with_event(attendees=()), "ana-e-0: attended by []"),
        (with_event(named=("ana-c-nobody",)), "name somebody who is not there"),
        (with_shot(image_id="ana-e-0-9"), "ana-e-0-9: is picture 0 of ana-e-0"),
        (with_shot(picture=changed(SHOT.picture, place="desert")), "is at 'desert'"),
        (with_shot(who=()), "ana-e-0-0: shows nobody"),
        (with_shot(who=("ana-c-nobody",)), "ana-e-0-0: shows somebody unknown"),
        (with_shot(picture=changed(SHOT.picture, picture_id="x")), "ana-e-0-0: drawn as x"),
        (with_shot(picture=changed(SHOT.picture, subjects=())), "ana-e-0-0: others are drawn than the plan says"),
        (with_shot(things=(PlannedThing(name="drum"),)), "ana-e-0-0: other things are drawn than the plan says"),
        (
            with_shot(picture=drawing(SHOT, PictureSubject(kind="animal", name="dog"))),
            "ana-e-0-0: a dog that is not ana-c-moss",
        ),
        (
            with_shot(picture=drawing(SHOT, PictureSubject(kind="person", name="stranger", identity="stranger-ana-0"))),
            "ana-e-0-0: a stranger in the history",
        ),
        (with_question(image_id="ana-s-7"), "ana-s-7: is picture 0 of the questions"),
        (
            with_question(who=SHOT.who, things=SHOT.things, picture=SHOT.picture),
            "ana-s-0: shows the same as ana-e-0-0 of the history",
        ),
    ],
)
def test_a_fault_in_a_plan_is_found_and_named(wrong, named):
    assert any(named in problem for problem in plan_problems(wrong)), plan_problems(wrong)


def test_two_pets_of_a_species_are_found():
    plan = life_plan(vaccount_seed(relative("Moss", "dog", 4, "animal"), relative("Tango", "dog", 6, "animal")))
    assert any("a pet that is a 'dog' is there 2 times" in problem for problem in plan_problems(plan))


def test_an_event_seed_that_is_used_twice_is_found():
    events = tuple(changed(event, seed_event_id="event-1") for event in PLAN.events[:2])
    wrong = changed(PLAN, events=(*events, *PLAN.events[2:]))
    assert "event seed 'event-1' is there 2 times" in plan_problems(wrong)


def test_an_activity_of_releases_is_wrong_in_a_corpus():
    plan = life_plan(seed=4, edition="release")
    assert plan_problems(plan) == []
    other = changed(plan, edition="corpus")
    assert all("corpus edition" in problem for problem in plan_problems(other))


def swapped(records, number, **fields):
    return [changed(one, **fields) if place == number else one for place, one in enumerate(records)]


@pytest.mark.parametrize(
    ("concepts", "images", "named"),
    [
        (CONCEPTS[:-1], IMAGES, "ana-c-moss: planned, but not there"),
        ([*CONCEPTS, CONCEPTS[0]], IMAGES, "concept 'ana-c-ana' is there 2 times"),
        (swapped(CONCEPTS, 1, concept_id="ana-c-x"), IMAGES, "ana-c-x: a concept that nobody planned"),
        (swapped(CONCEPTS, 1, role="Owner's Uncle"), IMAGES, "Bo, Owner's Uncle, person is not what was planned"),
        (swapped(CONCEPTS, 1, persona="  "), IMAGES, "ana-c-bo: no persona"),
        (swapped(CONCEPTS, 1, portrait=None), IMAGES, "ana-c-bo: no portrait"),
        (CONCEPTS, IMAGES[1:], "ana-e-0-0: planned, but neither there nor left out"),
        (CONCEPTS, [*IMAGES, IMAGES[0]], "picture 'ana-e-0-0' is there 2 times"),
        (CONCEPTS, swapped(IMAGES, 0, image_id="ana-e-99-0"), "ana-e-99-0: nobody planned it"),
        (CONCEPTS, swapped(IMAGES, 0, image_id="ana-s-0"), "ana-s-0: a question's picture in the history"),
        (CONCEPTS, swapped(IMAGES, 0, event_id="ana-e-1"), "ana-e-0-0: is of ana-e-0, not of ana-e-1"),
        (CONCEPTS, swapped(IMAGES, 0, event_description="Other"), "ana-e-0: its pictures have 2 descriptions"),
        (CONCEPTS, swapped(IMAGES, 0, event_description=""), "ana-e-0: no description"),
        (CONCEPTS, swapped(IMAGES, 0, event_date=dt.date(1999, 1, 1)), "ana-e-0-0: dated 1999-01-01"),
        (CONCEPTS, swapped(IMAGES, 0, picture=None), "ana-e-0-0: no picture"),
    ],
)
def test_a_life_that_is_not_as_planned_is_found_and_named(concepts, images, named):
    assert any(named in problem for problem in life_problems(PLAN, concepts, images))


def test_what_was_left_out_with_a_reason_is_no_problem_and_what_is_both_is_one():
    shots = {shot.image_id for shot in PLAN.events[1].shots}
    images = [one for one in IMAGES if one.image_id != "ana-e-0-0" and one.image_id not in shots]
    concepts = swapped(CONCEPTS, 2, portrait=None)
    assert life_problems(PLAN, concepts, images, left_out=["ana-e-0-0", "ana-e-1", DOG.concept_id]) == []
    assert life_problems(PLAN, CONCEPTS, IMAGES, left_out=["ana-e-0-0"]) == ["ana-e-0-0: there and left out"]


def test_other_vaccounts_do_not_count():
    others, pictures = made(life_plan(vaccount_seed(name="Cem")))
    assert life_problems(PLAN, [*CONCEPTS, *others], [*IMAGES, *pictures]) == []
