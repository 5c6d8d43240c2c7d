"""Plans of Vaccounts: who is where, when, doing what, in which picture."""

from __future__ import annotations

import datetime as dt
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.models.builtin.painter.people import distance
from lifeloom.records import CaptionSeed
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.life_activities import activities_for, activity
from lifeloom.synthesis.vaccounts.caption_seeds import EventSeed
from lifeloom.synthesis.vaccounts.checks import plan_problems
from lifeloom.synthesis.vaccounts.planning import plan_vaccount
from lifeloom.synthesis.vaccounts.shape import LifeShape
from tests.lives import LAST_DAY, SMALL, drawn_seed, life_plan, relative, vaccount_seed

PAPER = [
    life_plan(drawn_seed(21, number), LifeShape(), seed=21, edition="release" if number % 2 else "corpus")
    for number in range(8)
]


def event_seed(number):
    day = dt.datetime(2012, 5, 1 + number, 9)  # noqa: DTZ001 - wall clock
    caption = CaptionSeed(
        caption_id=f"caption-{number}",
        account_id="a-1",
        title="",
        description="",
        caption=f"Harbour {number}",
        taken_at=day,
        licence="CC BY 2.0",
        line=1,
        use="event",
    )
    return EventSeed(f"event-{number}", "a-1", day.date(), (caption,))


# --- Any seed ------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    pictures=st.integers(1, 120),
    questions=st.integers(0, 20),
    edition=st.sampled_from(["corpus", "release"]),
)
def test_any_seed_gives_a_plan_without_problems(seed, pictures, questions, edition):
    plan = life_plan(
        drawn_seed(seed), LifeShape(pictures=pictures, question_pictures=questions), seed=seed, edition=edition
    )
    assert plan_problems(plan) == []
    assert sum(len(event.shots) for event in plan.events) == pictures
    assert len(plan.question_shots) == questions


def test_one_vaccount_alone_is_the_same_whatever_others_are_planned():
    def bytes_of(number):
        return life_plan(drawn_seed(3, number), seed=3).model_dump_json()

    alone = bytes_of(2)
    together = [bytes_of(number) for number in range(4)]
    assert together[2] == alone
    assert len(set(together)) == 4


# --- A life of the paper's size ------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", PAPER, ids=[plan.vaccount_id for plan in PAPER])
def test_a_life_of_the_papers_size_has_events_over_several_years(plan):
    assert plan_problems(plan) == []
    days = [event.date for event in plan.events]
    assert 30 <= len(days) <= 55
    assert days[-1] <= LAST_DAY
    assert 2 * 365 <= (days[-1] - days[0]).days <= 3 * 365


def test_owners_are_in_most_events_and_nobody_is_left_out_of_a_life():
    there = Counter()
    events = 0
    for plan in PAPER:
        attended = Counter(who for event in plan.events for who in event.attendees)
        assert all(attended[one.concept_id] >= 2 for one in plan.concepts)
        events += len(plan.events)
        there["owner"] += attended[plan.concepts[0].concept_id]
    assert 0.75 <= there["owner"] / events <= 0.95


def test_nobody_is_left_out_of_a_short_life_either():
    """Forty pictures are five to eight events; one who is in none can be asked about, but never be recalled."""
    short = LifeShape(pictures=40, question_pictures=0)
    for number in range(60):
        plan = life_plan(drawn_seed(77, number), short, seed=77)
        there = {who for event in plan.events for shot in event.shots for who in shot.who}
        if len(plan.events) > len(plan.concepts):
            assert there == {one.concept_id for one in plan.concepts}


def test_favourites_show_in_the_numbers():
    clear = 0
    for plan in PAPER:
        owner = plan.concepts[0].concept_id
        ranked = Counter(event.activity for event in plan.events if owner in event.attendees).most_common(2)
        clear += ranked[0][1] - ranked[1][1] >= 2
    assert clear >= 5


def test_descriptions_are_to_name_about_half_of_the_attendees_and_of_the_places():
    events = [event for plan in PAPER for event in plan.events]
    owners = {plan.concepts[0].concept_id for plan in PAPER}
    others = sum(who not in owners for event in events for who in event.attendees)
    assert 0.4 <= sum(len(event.named) for event in events) / others <= 0.6
    assert 0.4 <= sum(event.says_place for event in events) / len(events) <= 0.6


def test_an_event_is_where_and_when_such_a_thing_is_done():
    for plan in PAPER:
        for event in plan.events:
            known = activity(event.activity)
            assert event.place in known.places
            assert {thing.name for shot in event.shots for thing in shot.things} <= set(known.things)
            assert not known.months or event.date.month in known.months


def test_things_differ_between_the_pictures_of_an_event():
    repeated = total = 0
    for plan in PAPER:
        for event in plan.events:
            things = Counter(thing for shot in event.shots for thing in shot.things)
            total += things.total()
            repeated += things.total() - len(things)
    assert repeated < 0.12 * total


def test_a_third_of_the_activities_is_done_in_releases_only():
    corpus, release = activities_for("corpus"), activities_for("release")
    assert set(corpus) < set(release)
    assert 0.25 <= 1 - len(corpus) / len(release) <= 0.4
    done = {event.activity for plan in PAPER if plan.edition == "corpus" for event in plan.events}
    assert done <= {one.activity_id for one in corpus}


def test_ways_to_say_an_activity_that_only_releases_use_are_in_no_corpus():
    for one in activities_for("corpus"):
        assert len(one.words_for("corpus")) < len(one.words_for("release"))
        assert set(one.words_for("corpus")) < set(one.words_for("release"))


def test_questions_have_pictures_of_one_of_several_and_of_nobody_known():
    shots = [shot for plan in PAPER for shot in plan.question_shots]
    assert {len(shot.who) for shot in shots} == {0, 1, 2, 3}
    strangers = [shot for shot in shots if len(shot.picture.subjects) > len(shot.who) + len(shot.things)]
    assert strangers
    assert all(shot in strangers for shot in shots if not shot.who)


def test_kin_have_the_owners_skin_and_yet_everybody_can_be_told_apart():
    for plan in PAPER:
        looks = {one.concept_id: one.appearance for one in plan.concepts if one.appearance is not None}
        owner = plan.concepts[0].appearance
        for one in plan.concepts[1:]:
            if one.appearance is not None and one.relation not in ("partner", "best friend"):
                assert one.appearance.skin == owner.skin
        pairs = [(a, b) for a in looks for b in looks if a < b]
        assert all(distance(looks[a], looks[b]) >= 2 for a, b in pairs)


# --- Seeds ---------------------------------------------------------------------------------------------------------


def test_each_event_seed_is_used_at_most_once_and_events_beyond_them_go_without():
    seeds = [event_seed(number) for number in range(3)]
    plan = plan_vaccount(
        drawn_seed(1), LifeShape(pictures=60), Streams(1), edition="corpus", ends_on=LAST_DAY, event_seeds=seeds
    )
    used = [event.seed_event_id for event in plan.events if event.seed_event_id]
    assert sorted(used) == ["event-0", "event-1", "event-2"]
    assert len(plan.events) > 3
    assert plan_problems(plan) == []
    for event in plan.events:
        assert bool(event.seed_caption_ids) == bool(event.seed_event_id)


def test_captions_of_one_subject_colour_concepts_as_far_as_they_go():
    caption = event_seed(0).captions[0]
    plan = plan_vaccount(drawn_seed(1), SMALL, Streams(1), edition="corpus", ends_on=LAST_DAY, concept_seeds=[caption])
    assert [one.seed_caption for one in plan.concepts if one.seed_caption_id] == ["Harbour 0"]


# --- Bad input -----------------------------------------------------------------------------------------------------


def test_an_owner_without_relatives_is_in_every_picture():
    plan = life_plan(vaccount_seed())
    assert plan_problems(plan) == []
    assert {shot.who for event in plan.events for shot in event.shots} == {("ana-c-ana",)}


def test_a_life_of_one_picture_is_one_event():
    plan = life_plan(shape=LifeShape(pictures=1, question_pictures=0))
    assert plan_problems(plan) == []
    (event,) = plan.events
    assert event.attendees == event.shots[0].who


def test_two_relatives_of_one_name_and_one_of_the_owners_are_three_concepts():
    plan = life_plan(
        vaccount_seed(relative("Bo", "brother", 38), relative("Bo", "uncle", 60), relative("Ana", "aunt", 60))
    )
    assert [one.concept_id for one in plan.concepts] == ["ana-c-ana", "ana-c-bo", "ana-c-bo-2", "ana-c-ana-2"]
    assert [one.name for one in plan.concepts] == ["Ana", "Bo", "Bo", "Ana"]
    assert plan_problems(plan) == []


def test_long_foreign_and_many_names_are_planned():
    family = [relative(f"{name}{'x' * 70}", "cousin", 30) for name in "abcdefghijklmnop"]
    plan = life_plan(vaccount_seed(*family, relative("李", "aunt", 60), name="Ж" * 50))
    assert plan.vaccount_id == "x"
    assert len(plan.concepts) == 18
    assert plan_problems(plan) == []


def test_a_relation_that_is_in_no_catalogue_is_kept_and_nobody_is_taken_for_kin():
    plan = life_plan(vaccount_seed(relative("Bo", "landlady", 50)))
    assert plan.concepts[1].role == "Owner's Landlady"
    assert plan.concepts[1].kin_traits == ()
    assert plan_problems(plan) == []


def test_a_life_larger_than_its_years_goes_further_back():
    plan = life_plan(shape=LifeShape(pictures=5000, question_pictures=0, years=1))
    assert plan_problems(plan) == []
    assert sum(len(event.shots) for event in plan.events) == 5000
    assert len({event.date for event in plan.events}) == len(plan.events)


@pytest.mark.parametrize(
    "wrong",
    [
        {"pictures": 0},
        {"question_pictures": -1},
        {"years": 0},
        {"concepts": (0, 3)},
        {"concepts": (5, 3)},
        {"pictures_an_event": (4, 2)},
    ],
)
def test_a_shape_that_no_life_has_is_refused(wrong):
    with pytest.raises(ValueError, match=r"a life has|a range goes"):
        LifeShape(**wrong)
