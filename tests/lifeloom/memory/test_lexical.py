import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.memory.lexical import LexicalIndex, terms_of


def index_of(*memories):
    index = LexicalIndex()
    for position, keywords in enumerate(memories):
        index.add(position, keywords)
    return index


def matches(index, *keywords, among=None):
    positions, shares = index.match(keywords, among)
    return dict(zip(positions.tolist(), shares.tolist(), strict=True))


@pytest.mark.parametrize(
    ("asked", "filed"),
    [
        ("Drinks", "drink"),
        ("cycling", "cycled"),
        ("hoping", "hope"),
        ("running", "runs"),
        ("stories", "story"),
        ("cries", "cry"),
        ("boxes", "box"),
        ("STRASSE", "straße"),
        ("cafe", "Café"),
        ("cafe\u0301", "café"),
        ("ＡＢＣ", "abc"),
        ("Zoë’s", "zoe"),
        ("كتاب", "كِتاب"),
    ],
)
def test_case_width_accents_and_endings_are_folded(asked, filed):
    assert terms_of(asked) == terms_of(filed)


@pytest.mark.parametrize(
    ("one", "other"), [("hop", "hope"), ("tea", "team"), ("bus", "bu"), ("が", "か"), ("हिन्दी", "हनद")]
)
def test_different_words_stay_different(one, other):
    assert set(terms_of(one)).isdisjoint(terms_of(other))


def test_a_keyword_of_several_words_is_matched_by_each():
    index = index_of(("evening drink",), ("drink",), ("morning run",))

    found = matches(index, "evening drinks")

    assert set(found) == {0, 1}
    assert found[0] == 1.0
    assert 0 < found[1] < 0.5  # "drink" is the commoner of the two


def test_function_words_count_only_where_nothing_else_is_left():
    assert terms_of("the drink of the evening") == terms_of("drink evening")
    assert matches(index_of(("The Who",), ("the sea",)), "The Who") == {0: 1.0}
    assert matches(index_of(("the sea",)), "the mountain") == {}


def test_scripts_without_spaces_are_matched_by_their_characters():
    index = index_of(("喜欢喝绿茶",), ("绿色的茶杯",), ("咖啡",))

    found = matches(index, "绿茶")

    assert found[0] == 1.0
    assert 0 < found[1] < 1.0  # both characters, but apart
    assert 2 not in found
    assert 0 in matches(index, "茶")


def test_words_beside_such_scripts_and_symbols_are_found():
    assert matches(index_of(("我喝Cola了", "🎸")), "cola") == {0: 1.0}
    assert matches(index_of(("plays 🎸",), ("plays",)), "🎸") == {0: 1.0}


def test_shares_are_weighted_by_rarity_as_stated():
    # Of 4 memories 3 have "tea", 1 has "ginger"; nobody has "lemon".
    index = index_of(("tea",), ("tea", "ginger"), ("tea",), ())
    tea, ginger, lemon = math.log(1 + 4 / 4), math.log(1 + 4 / 2), math.log(1 + 4 / 1)

    found = matches(index, "ginger", "lemon tea")

    total = tea + ginger + lemon
    assert found == pytest.approx({0: tea / total, 1: (tea + ginger) / total, 2: tea / total})


def test_words_asked_for_twice_count_once():
    index = index_of(("tea",), ("ginger",))

    assert matches(index, "tea", "teas", "ginger") == matches(index, "ginger", "tea")


def test_nothing_asked_for_matches_nothing():
    index = index_of(("tea",), ("",))

    for keywords in ((), ("",), ("  ", "..."), ("absent",)):
        positions, shares = index.match(keywords)
        assert len(positions) == len(shares) == 0
    assert matches(LexicalIndex(), "tea") == {}


def test_what_came_later_does_not_change_what_a_past_moment_gives():
    then = index_of(("tea", "ginger"), ("tea",))
    now = index_of(("tea", "ginger"), ("tea",), ("ginger",), ("ginger tea",))

    assert matches(now, "ginger tea", among=np.array([True, True, False, False])) == matches(then, "ginger tea")


def test_many_matches_give_the_same_as_few():
    # 400 matches are counted in arrays, 2 in a dictionary; the shares follow the same rule.
    index = index_of(*(("tea", "cup") if i % 2 else ("tea",) for i in range(400)))
    tea, cup = math.log(1 + 400 / 401), math.log(1 + 400 / 201)

    found = matches(index, "tea cup")
    few = matches(index, "tea cup", among=np.arange(400) < 2)

    assert len(found) == 400
    assert found[1] == pytest.approx(1.0)
    assert found[0] == pytest.approx(tea / (tea + cup))
    assert few == pytest.approx({0: math.log(1 + 2 / 3) / (math.log(1 + 2 / 3) + math.log(2)), 1: 1.0})


def test_positions_out_of_order_are_refused():
    index = index_of(("tea",), ("tea",))

    with pytest.raises(ValueError, match="ascending"):
        index.add(1, ("tea",))


@given(st.lists(st.lists(st.text(max_size=12), max_size=3), max_size=20), st.lists(st.text(max_size=12), max_size=3))
def test_any_text_gives_ascending_positions_and_shares_up_to_one(memories, keywords):
    index = index_of(*memories)

    positions, shares = index.match(keywords)

    assert positions.dtype == np.int64
    assert shares.dtype == np.float32
    assert (np.diff(positions) > 0).all()
    assert ((shares > 0) & (shares <= 1)).all()
    asked = {term for keyword in keywords for term in terms_of(keyword)}
    for position, keywords_of in enumerate(memories):
        filed = {term for keyword in keywords_of for term in terms_of(keyword)}
        assert (position in positions) == bool(asked & filed)


@given(st.text())
def test_terms_are_stable_under_case(text):
    for term in terms_of(text):
        assert term
    if text.isascii():
        assert terms_of(text.upper()) == terms_of(text.lower())
