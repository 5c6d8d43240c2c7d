"""The catalogue's invariants: what plans, writers and probes rely on."""

from __future__ import annotations

import itertools
import re
import statistics
from collections import Counter

import pytest

from lifeloom.records import AREAS
from lifeloom.synthesis.catalogue import (
    GIVEN_NAMES,
    RELATION_QUESTIONS,
    RELATIONS,
    Attribute,
    Stem,
    UnknownAttributeError,
    attribute,
    attributes,
)

ALL = attributes("release")
ids = [item.attribute_id for item in ALL]
each_attribute = pytest.mark.parametrize("item", ALL, ids=ids)


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def stems(item: Attribute) -> tuple[Stem, ...]:
    return item.questions + item.scenarios


def test_every_kind_has_enough_attributes() -> None:
    counts = Counter(item.kind for item in ALL)
    assert len(ALL) >= 90
    assert counts["preference"] >= 30
    assert counts["detail"] >= 18
    assert counts["goal"] >= 14
    assert counts["intent"] >= 14
    assert counts["interest"] >= 14
    assert "relationship" not in counts


@pytest.mark.parametrize("area", AREAS)
def test_every_area_can_be_talked_about_in_both_editions(area: str) -> None:
    counts = Counter(item.kind for item in ALL if item.area == area)
    assert counts["preference"] >= 2
    assert counts["detail"] >= 1
    assert counts["goal"] + counts["intent"] >= 1
    assert sum(item.area == area for item in attributes("corpus")) >= 2


def test_a_third_of_the_attributes_of_each_kind_is_for_releases_only() -> None:
    assert sum(item.release_only for item in ALL) >= len(ALL) / 3
    for kind in {item.kind for item in ALL}:
        of_kind = [item for item in ALL if item.kind == kind]
        assert 0.25 <= sum(item.release_only for item in of_kind) / len(of_kind) <= 0.4, kind


def test_a_third_of_the_stems_is_for_releases_only() -> None:
    questions = [stem for item in ALL for stem in item.questions]
    assert sum(stem.release_only for stem in questions) >= len(questions) / 3
    assert sum(stem.release_only for stem in RELATION_QUESTIONS) >= len(RELATION_QUESTIONS) / 3


def test_the_corpus_sees_nothing_that_is_for_releases_only() -> None:
    corpus = attributes("corpus")
    assert {item.attribute_id for item in corpus} == {item.attribute_id for item in ALL if not item.release_only}
    assert not any(stem.release_only for item in corpus for stem in stems(item))
    assert all(len(item.questions) >= 2 for item in corpus)


def test_attributes_can_be_asked_for_by_kind_and_id() -> None:
    assert {item.kind for item in attributes("corpus", "goal")} == {"goal"}
    assert attribute("evening-drink").phrase == "evening drink"
    with pytest.raises(UnknownAttributeError, match="no-such-thing"):
        attribute("no-such-thing")
    with pytest.raises(ValueError, match="corpus, release"):
        attributes("draft")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="use one of"):
        attributes("corpus", "mood")  # type: ignore[arg-type]


def test_no_phrase_is_part_of_another_and_none_is_a_name() -> None:
    phrases = [item.phrase.lower() for item in ALL]
    assert not [pair for pair in itertools.permutations(phrases, 2) if pair[0] in pair[1]]


def test_no_value_is_shared_by_two_attributes() -> None:
    counts = Counter(value.lower() for item in ALL for value in item.values)
    assert [value for value, count in counts.items() if count > 1] == []


def test_all_wordings_are_different() -> None:
    texts = [stem.text for item in ALL for stem in stems(item)] + [stem.text for stem in RELATION_QUESTIONS]
    assert len(set(texts)) == len(texts)
    stem_ids = [stem.stem_id for item in ALL for stem in stems(item)] + [stem.stem_id for stem in RELATION_QUESTIONS]
    assert len(set(stem_ids)) == len(stem_ids)
    assert all(re.fullmatch(r"[a-z0-9_-]{1,64}", stem_id) for stem_id in stem_ids)


@each_attribute
def test_values_are_exchangeable(item: Attribute) -> None:
    assert len(set(item.values)) == len(item.values) >= 12
    middle = statistics.median(len(value) for value in item.values)
    assert [value for value in item.values if not 0.6 * middle <= len(value) <= 1.4 * middle] == []
    assert [value for value in item.values if not re.fullmatch(r"[A-Za-z]+( [A-Za-z]+)*", value)] == []
    assert [pair for pair in itertools.permutations(item.values, 2) if pair[0].lower() in pair[1].lower()] == []


@each_attribute
def test_values_of_goals_and_intents_suit_any_speaker(item: Attribute) -> None:
    assert not [value for value in item.values if words(value) & {"my", "your", "i", "me"}]


@each_attribute
def test_stems_paraphrase_the_attribute_and_reveal_no_value(item: Attribute) -> None:
    assert len(item.questions) >= 3
    assert len(item.scenarios) >= (2 if item.kind == "preference" else 0)
    for stem in stems(item):
        assert 12 <= len(stem.text.split()) <= 35, stem
        assert item.phrase.lower() not in stem.text.lower(), stem
        assert not [value for value in item.values if value.lower() in stem.text.lower()], stem
    assert all(stem.carrier.count("{value}") == 1 and len(stem.carrier) > len("{value}") for stem in item.scenarios)
    assert all(stem.carrier == "{value}" for stem in item.questions)


def test_names_are_many_short_and_no_word_of_the_catalogue() -> None:
    assert len(set(GIVEN_NAMES)) == len(GIVEN_NAMES) >= 240
    assert [name for name in GIVEN_NAMES if not re.fullmatch(r"[A-Z][a-z]{2,11}", name)] == []
    spoken = set().union(
        *(words(" ".join((item.phrase, *item.values, *(stem.text for stem in stems(item))))) for item in ALL),
        *(words(relation) for relation in RELATIONS),
    )
    assert [name for name in GIVEN_NAMES if name.lower() in spoken] == []


def test_relations_are_enough_and_none_is_part_of_another() -> None:
    assert len(set(RELATIONS)) == len(RELATIONS) >= 18
    assert [pair for pair in itertools.permutations(RELATIONS, 2) if pair[0] in pair[1]] == []


def test_relation_questions_name_the_person_and_no_relation() -> None:
    for stem in RELATION_QUESTIONS:
        assert stem.text.count("{name}") == 1
        assert 12 <= len(stem.text.split()) <= 35
        assert not [relation for relation in RELATIONS if relation in stem.text.lower()]


@each_attribute
def test_phrases_can_be_said_after_my_now_and_of_someone_else(item: Attribute) -> None:
    # A determiner or "new" in the phrase would be said twice; "gadget plan" and the like are what nobody says.
    assert not re.search(r"^(?:my|your|the|a|new)\b", item.phrase)
    assert not re.search(r"^(?:gadget|checkup|office|handmade|planting|course) plan$|^making goal$", item.phrase)
    assert 1 <= len(item.phrase.split()) <= 4
