"""The catalogue's invariants: what plans, writers and probes rely on."""

from __future__ import annotations

import itertools
import re
import statistics
from collections import Counter

import pytest

from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS, thing
from lifeloom.records import AREAS
from lifeloom.synthesis.catalogue import (
    GIVEN_NAMES,
    HANDLES,
    RELATION_QUESTIONS,
    RELATIONS,
    SIGN_KINDS,
    Attribute,
    CatalogueError,
    Stem,
    UnknownAttributeError,
    attribute,
    attributes,
    handles,
)
from lifeloom.synthesis.catalogue.attributes import _Entry, shared_part

ALL = attributes("release")
WORDED = attributes("release", pictured=False)
PICTURED = attributes("release", pictured=True)


def over(items: tuple[Attribute, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("item", items, ids=[item.attribute_id for item in items])


each_attribute = over(ALL)
with_signs = over(tuple(item for item in ALL if item.signs))

LIGHT = set(
    re.findall(
        r"\S+",
        "a an the of to in on at for with and or but without from by as is are was it its up out off one how what who "
        "where when which that this these some any very two no not so be into until over under after before about each "
        "every only all give get go put see keep look do have had would like through way if given time between",
    )
) | {"s", "t", "i", "ll", "ve", "those"}
"""Words that say nothing of their own: a sign or a question may share them with a value."""


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def roots(text: str) -> set[str]:
    """The telling words of a text, roughly without their endings."""
    found = set()
    for word in words(text) - LIGHT:
        short = re.sub(r"(ing|ed|es|er|s)$", "", word) if len(word) > 4 else word
        found.add(re.sub(r"(.)\1$", r"\1", short).rstrip("e"))
    return found - LIGHT


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


def test_every_new_kind_has_enough_attributes_in_words_and_in_pictures() -> None:
    worded, pictured = (Counter(item.kind for item in items) for items in (WORDED, PICTURED))
    fewest = {"hidden_intent": 6, "hidden_taste": 6, "expertise": 14, "pattern": 10, "bond": 3}
    assert all(worded[kind] >= count for kind, count in fewest.items())
    shown = Counter((item.kind, item.pictured) for item in PICTURED)
    assert all(
        shown[pair] >= count
        for pair, count in {
            ("hidden_intent", "thing"): 3,
            ("hidden_taste", "colour"): 3,
            ("hidden_taste", "thing"): 1,
            ("pattern", "place"): 3,
            ("bond", "person"): 2,
        }.items()
    )
    assert set(pictured) == {"hidden_intent", "hidden_taste", "pattern", "bond"}


def test_the_corpus_has_two_attributes_of_every_new_kind_in_words_and_in_pictures() -> None:
    for shown in (False, True):
        counts = Counter(item.kind for item in attributes("corpus", pictured=shown))
        kinds = ["hidden_intent", "hidden_taste", "pattern", "bond", *([] if shown else ["expertise"])]
        assert all(counts[kind] >= 2 for kind in kinds), shown


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
    # What pictures show comes from one small vocabulary, so there the attributes share their values.
    counts = Counter(value.lower() for item in WORDED for value in item.values)
    assert [value for value, count in counts.items() if count > 1] == []


def test_all_wordings_are_different() -> None:
    texts = [stem.text for item in ALL for stem in stems(item)] + [stem.text for stem in RELATION_QUESTIONS]
    assert len(set(texts)) == len(texts)
    stem_ids = [stem.stem_id for item in ALL for stem in stems(item)] + [stem.stem_id for stem in RELATION_QUESTIONS]
    assert len(set(stem_ids)) == len(stem_ids)
    assert all(re.fullmatch(r"[a-z0-9_-]{1,64}", stem_id) for stem_id in stem_ids)


@over(WORDED)
def test_values_are_exchangeable(item: Attribute) -> None:
    assert len(set(item.values)) == len(item.values) >= (4 if item.kind == "expertise" else 12)
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
    if item.kind in SIGN_KINDS | {"pattern", "bond"}:
        assert len(item.questions) >= 6
        assert all(("{name}" in stem.text) == (item.kind == "bond" and not item.pictured) for stem in item.questions)
    for stem in stems(item):
        assert 12 <= len(stem.text.split()) <= 35, stem
        assert item.phrase.lower() not in stem.text.lower(), stem
        assert not [value for value in item.values if re.search(rf"\b{value.lower()}s?\b", stem.text.lower())], stem
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


@with_signs
def test_every_value_that_is_not_named_has_its_signs(item: Attribute) -> None:
    assert item.kind in SIGN_KINDS
    assert tuple(item.signs) == item.values
    assert len(item.values) == 4 or item.kind != "expertise"
    for signs in item.signs.values():
        assert len(set(signs)) == len(signs) >= (6 if item.kind == "expertise" else 5)
        assert all(re.match(r"[a-z]+ing\b", sign) for sign in signs)
        assert not [sign for sign in signs if words(sign) & {"i", "me", "my", "mine", "you", "your", "we", "our"}]
    everything = [sign for signs in item.signs.values() for sign in signs]
    assert len(set(everything)) == len(everything)


@with_signs
def test_no_sign_uses_a_word_of_its_value_or_of_another(item: Attribute) -> None:
    named = set().union(*(roots(value) for value in item.values))
    said = [(sign, roots(sign) & named) for signs in item.signs.values() for sign in signs]
    assert [pair for pair in said if pair[1]] == []


def share_a_root(one: str, other: str) -> bool:
    """Whether two words have a root in common, also as the first or last part of a compound: handover, handing."""
    short, long = sorted((one, other), key=len)
    # With fewer letters left over it is another word: read and bread, star and start.
    more = len(long) - len(short)
    compound = (more >= 2 and long.startswith(short)) or (more >= 3 and long.endswith(short))
    return one == other or (len(short) >= 4 and compound)


def test_a_root_is_found_in_compounds_too() -> None:
    assert share_a_root(*roots("handover") | roots("handing"))
    assert share_a_root(*roots("footpath") | roots("paths"))
    assert not share_a_root(*roots("bread") | roots("reading"))


@with_signs
def test_no_sign_shares_a_root_with_another_value_not_even_in_a_compound(item: Attribute) -> None:
    shared = [
        (sign, other)
        for value, signs in item.signs.items()
        for sign, other in itertools.product(signs, item.values)
        if other != value and any(share_a_root(*pair) for pair in itertools.product(roots(sign), roots(other)))
    ]
    assert shared == []


@over(attributes("release", "expertise"))
def test_questions_about_a_level_do_not_say_which_way_it_has_changed(item: Attribute) -> None:
    told = re.compile(r"how far|far i've|i've come|learnt|progress|improv|better by|steps\b")
    assert [stem.text for stem in item.questions if told.search(stem.text.lower())] == []


@over(attributes("release", "bond"))
def test_questions_about_a_bond_take_no_sides_and_bring_in_no_relative(item: Attribute) -> None:
    # They must fit every value of the attribute, "openly feuding" and "losing touch slowly" included.
    told = re.compile(
        r"\b(?:close|closer|kept up|stay|rituals?|customs?|sister|brother|mother|father|aunt|uncle|cousin)\b"
    )
    assert [stem.text for stem in item.questions if told.search(stem.text.lower())] == []


@over(tuple(item for item in WORDED if item.kind in SIGN_KINDS))
def test_no_question_about_what_is_hidden_uses_a_word_of_an_answer(item: Attribute) -> None:
    named = set().union(*(roots(value) for value in item.values))
    assert [stem.text for stem in item.questions if roots(stem.text) & named] == []


def test_only_what_words_hide_has_signs() -> None:
    assert {item.kind for item in ALL if item.signs} == SIGN_KINDS
    assert not [item.attribute_id for item in PICTURED if item.signs]


def test_the_corpus_sees_two_thirds_of_the_signs() -> None:
    for item in attributes("corpus"):
        for value, signs in item.signs.items():
            whole = attribute(item.attribute_id).signs[value]
            assert 4 <= len(signs) < len(whole)
            assert signs == whole[: len(signs)]


DRAWN = {
    "thing": {item.name for item in THINGS},
    "colour": set(COLOURS),
    "place": {item.name for item in PLACES},
    "person": set(),
}


@over(PICTURED)
def test_pictured_values_can_be_drawn_and_no_question_names_one(item: Attribute) -> None:
    assert set(item.values) <= DRAWN[item.pictured]
    assert len(item.values) >= {"person": 0, "colour": len(COLOURS)}.get(item.pictured, 12)
    assert bool(item.thing) == (item.pictured == "colour")
    assert all(thing(name).coloured for name in item.thing)
    plural = {one.plural for one in THINGS if one.name in item.values}
    for stem in item.questions:
        said = words(stem.text)
        assert not said & ({*item.values, *plural, *item.thing} | DRAWN["colour"]), stem


def test_pictured_values_of_one_attribute_are_all_things_to_own_or_all_animals() -> None:
    for item in PICTURED:
        if item.pictured == "thing":
            assert len({thing(name).kind for name in item.values}) == 1, item.attribute_id


def entry(**changes: object) -> dict[str, object]:
    signs = {f"value {letter}": [f"doing {letter} {number}" for number in range(4)] for letter in "abcdefghijkl"}
    whole: dict[str, object] = {
        "id": "some-thing",
        "kind": "hidden_intent",
        "area": "home",
        "phrase": "some thing",
        "questions": ["one", "two", "three"],
        "signs": signs,
    }
    return whole | changes


def test_an_entry_with_signs_takes_its_values_from_them() -> None:
    assert _Entry.model_validate(entry()).values == [f"value {letter}" for letter in "abcdefghijkl"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"signs": {"value a": ["one", "two", "three"]}}, "at least 4 different signs"),
        ({"signs": {"value a": ["one", "two", "two", "three", "four"]}}, "at least 4 different signs"),
        ({"signs": {f"value {letter}": list("abcd") for letter in "abcde"}}, "at least 12 values"),
        ({"values": ["value a"]}, "for every value"),
        ({"kind": "expertise"}, "4 levels"),
        ({"kind": "detail"}, "takes no signs"),
        ({"pictured": "person"}, "no values or signs"),
        ({"pictured": "thing"}, "can be drawn"),
        ({"pictured": "thing", "signs": {}, "values": ["unicorn"] * 12}, "unicorn"),
        ({"pictured": "colour", "signs": {}, "values": list(COLOURS)}, "'thing' must list"),
        ({"pictured": "colour", "signs": {}, "values": list(COLOURS), "thing": ["guitar"]}, "'thing' must list"),
        ({"pictured": "place", "signs": {}, "values": ["beach"] * 12}, "different values"),
        ({"thing": ["mug"]}, "leave it out"),
    ],
)
def test_an_entry_that_no_plan_could_use_is_refused_with_the_reason(changes: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        _Entry.model_validate(entry(**changes))


def test_an_entry_of_a_file_by_kind_needs_its_own_area() -> None:
    from lifeloom.synthesis.catalogue.attributes import _area

    with pytest.raises(CatalogueError, match="needs one area"):
        _area("bond.toml", "bond", _Entry.model_validate(entry(area=None)))
    with pytest.raises(CatalogueError, match="needs one area"):
        _area("food.toml", "food", _Entry.model_validate(entry(area="home")))


def test_handles_are_many_and_none_is_part_of_another() -> None:
    assert len(set(HANDLES)) == len(HANDLES) >= 110
    assert [pair for pair in itertools.permutations(HANDLES, 2) if pair[0].lower() in pair[1].lower()] == []
    assert not [handle for handle in HANDLES if not re.match(r"(our|my|the|that) ", handle)]


def test_a_handle_says_nothing_of_what_a_picture_shows() -> None:
    shown = {word for item in THINGS for word in (item.name, item.plural)} | set(COLOURS)
    shown |= {item.name for item in PLACES} | {"one", "two", "three", "four", "five"}
    shown |= {word for relation in RELATIONS for word in relation.split()} - {"best", "partner"}
    assert [handle for handle in HANDLES if words(handle) & shown] == []
    assert [name for name in GIVEN_NAMES if any(name.lower() in words(handle) for handle in HANDLES)] == []


def test_the_last_third_of_the_handles_is_for_releases_only() -> None:
    assert tuple(handles("release")) == HANDLES
    assert tuple(handles("corpus")) == HANDLES[: len(handles("corpus"))]
    assert len(HANDLES) - len(handles("corpus")) >= len(HANDLES) // 3
    assert list(shared_part(list("ab"))) == ["a"]
