"""Planned diagnostic cases: nothing but the query picture says who is meant, unless the paper's contexts are wanted."""

from __future__ import annotations

from collections import Counter

import pytest

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue.diagnostic_facts import ACTIONS, KEYWORDS
from lifeloom.synthesis.diagnostics import people_of
from lifeloom.synthesis.scenes import LibraryUnfit
from tests.diagnosing import ENDS_ON, people, planned
from tests.scenes import library_image


def test_three_people_recur_and_the_query_is_one_of_them() -> None:
    for case in planned(24):
        counts = Counter(one.plan.identity for one in case.meetings)
        assert sorted(counts.values()) == [1, 3, 3, 3]
        assert counts[case.query.identity] == 3
        assert [one.plan.dialogue_id for one in case.meetings] == [f"{case.case_id}-c{index}" for index in range(10)]


def test_no_picture_is_there_twice_and_the_query_picture_not_at_all() -> None:
    for case in planned(24) + planned(24, as_printed=True):
        pictures = [one.image.image_id for one in case.meetings]
        assert len(set(pictures)) == 10
        assert case.query.image_id not in pictures


def test_everybody_is_asked_about_equally_often_and_by_each_of_their_pictures() -> None:
    cases = planned(48)
    assert set(Counter(case.query.identity for case in cases).values()) == {4}
    assert set(Counter(case.query.image_id for case in cases).values()) == {1}


def test_days_and_the_words_of_places_are_told_once_in_a_context() -> None:
    for case in planned(24):
        plans = [one.plan for one in case.meetings]
        assert len({one.met_on for one in plans}) == 10
        assert max(one.met_on for one in plans) <= ENDS_ON
        words = [word for one in plans for word in one.location.lower().split()]
        assert len(words) == len(set(words)) == 20


def test_a_person_has_one_name_and_nobody_else_has_it() -> None:
    for case in planned(24):
        named = {(one.plan.identity, one.plan.person) for one in case.meetings}
        assert len(named) == len({person for _, person in named}) == 4


def test_every_last_dialogue_has_an_action_and_so_do_some_earlier_ones() -> None:
    earlier = 0
    for case in planned(60):
        for identity in {one.plan.identity for one in case.meetings}:
            own = sorted((one.plan for one in case.meetings if one.plan.identity == identity), key=lambda x: x.met_on)
            assert own[-1].action
            earlier += sum(bool(one.action) for one in own[:-1])
        actions = [one.plan.action for one in case.meetings if one.plan.action]
        assert len(actions) == len(set(actions))
    assert 0.4 < earlier / (60 * 6) < 0.6


def test_half_of_the_cases_have_an_instruction_about_their_person_and_all_have_one_about_somebody() -> None:
    cases = planned(60)
    assert sum(bool(case.keyword) for case in cases) == 30
    for case in cases:
        recurring = [identity for identity, n in Counter(p.plan.identity for p in case.meetings).items() if n == 3]
        told = [one.plan for one in case.meetings if one.plan.keyword and one.plan.identity in recurring]
        assert 1 <= len(told) <= 2
        assert len(set(case.keywords)) == len(case.keywords)
        for one in told:  # the instruction is in the last dialogue: the person has not shown up again since
            assert one.met_on == max(p.plan.met_on for p in case.meetings if p.plan.identity == one.identity)


def test_the_latest_dialogue_is_no_oftener_about_the_query_than_about_others_who_recur() -> None:
    cases = planned(600)
    hits = sum(max((m.plan for m in case.meetings), key=lambda x: x.met_on) == case.last for case in cases)
    # Three of ten dialogues are about the query's person: 180 of 600 expected, four standard deviations are 45.
    assert 135 < hits < 225


def test_the_place_of_a_dialogue_in_the_context_says_nothing_of_whose_it_is() -> None:
    cases = planned(600)
    places = Counter(int(case.last.dialogue_id.rsplit("-c", 1)[1]) for case in cases)
    assert all(60 - 30 < places[index] < 60 + 30 for index in range(10))


def test_the_papers_contexts_have_seven_others_and_one_action_and_instruction() -> None:
    for case in planned(24, as_printed=True):
        counts = Counter(one.plan.identity for one in case.meetings)
        assert sorted(counts.values()) == [1] * 7 + [3]
        told = [one.plan for one in case.meetings if one.plan.action or one.plan.keyword]
        assert told == [case.last]
        assert (case.keyword, case.keywords) == ("SKS", ("SKS",))


def test_a_case_is_the_same_whatever_others_are_wanted() -> None:
    assert planned(30)[:5] == planned(5)
    assert planned(5) != planned(5, streams=Streams(6))


def test_the_corpus_keeps_from_what_is_for_releases_only() -> None:
    for case in planned(60, edition="corpus"):
        for one in case.meetings:
            assert not one.plan.action or one.plan.action in for_edition(ACTIONS, "corpus")
            assert not one.plan.keyword or one.plan.keyword in for_edition(KEYWORDS, "corpus")
    assert any(
        one.plan.action and one.plan.action not in for_edition(ACTIONS, "corpus")
        for case in planned(60)
        for one in case.meetings
    )


@pytest.mark.parametrize(("there", "as_printed", "least"), [(3, False, 4), (7, True, 8)])
def test_too_few_people_are_refused_with_what_to_do(there: int, as_printed: bool, least: int) -> None:
    with pytest.raises(LibraryUnfit, match=rf"has {there} people .* at least {least} are needed: raise captions"):
        planned(1, of=there, as_printed=as_printed)
    assert len(planned(1, of=least, as_printed=as_printed)) == 1


def test_without_cases_nobody_is_needed() -> None:
    assert planned(0, of=0) == []


def test_people_with_too_few_different_pictures_are_named_and_not_asked_about() -> None:
    library = people(2)
    library += people(3, pictures=3)[6:]  # d02 has three
    same = library_image("d03-0", identity="d03", use="diagnostic", split="benchmark")
    library += [same.model_copy(update={"image_id": f"d03-{number}"}) for number in range(5)]  # one file five times
    library += [library_image("p1"), library_image("dog1", "dog", use="diagnostic", split="benchmark")]
    enough, few = people_of(library)
    assert list(enough) == ["d00", "d01"]
    assert few == {"d02": 3, "d03": 1}
