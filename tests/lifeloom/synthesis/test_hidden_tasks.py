"""Tasks on what is never named: signs, habits, bonds and values that only pictures show, read off plans by hand."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.painter.vocabulary import place, thing
from lifeloom.records import FactKind, TaskName
from lifeloom.synthesis.catalogue import Attribute, attributes
from lifeloom.synthesis.planning.views import bond_id
from tests.lifeloom.synthesis.plan_books import PlanBook, make, right, wrong

CONSTELLATIONS: list[tuple[FactKind, bool, TaskName, str]] = [
    ("hidden_intent", False, "IIR", "Intent"),
    ("hidden_intent", True, "IIR", "Intent"),
    ("hidden_taste", False, "IPR", "Preference"),
    ("hidden_taste", True, "IPR", "Preference"),
    ("pattern", False, "BPR", "Behavior"),
    ("pattern", True, "BPR", "Behavior"),
    ("expertise", False, "TED", "Growth"),
]
EACH = [
    pytest.param(item, task, aspect, id=item.attribute_id)
    for kind, pictured, task, aspect in CONSTELLATIONS
    for item in attributes("release", kind, pictured)
]


def reads(item: Attribute, value: str) -> str:
    if item.pictured == "thing":
        return thing(value).with_article
    return place(value).phrase if item.pictured == "place" else value


def shifted(item: Attribute) -> PlanBook:
    """The first value is said in 1, the third is somebody else's in 3, the fourth dropped in 5; the second from 10."""
    book = PlanBook(20)
    old, new, his, dropped = item.values[:4]
    before = book.fact(item.attribute_id, old, "replaced", ended=10)
    now = book.fact(item.attribute_id, new, "current")
    book.tell(1, before)
    book.tell(3, book.fact(item.attribute_id, his, "someone_else"), "other_person")
    book.tell(5, book.fact(item.attribute_id, dropped, "given_up", ended=5), "given_up")
    book.tell(10, now, "shift")
    book.tell(14, now, "indirect")
    return book


@pytest.mark.parametrize(("item", "task", "aspect"), EACH)
def test_what_holds_now_is_right_and_the_other_roles_are_wrong(item: Attribute, task: TaskName, aspect: str) -> None:
    old, new, his, dropped = (reads(item, value) for value in item.values[:4])
    made = make(shifted(item), cases=8).cases
    assert made
    for case in made:
        assert (case.task, case.aspect, case.attribute) == (task, aspect, item.attribute_id)
        assert case.history_turns > 10, "the second value is only known from turn 10 on"
        assert new in right(case)
        sources = wrong(case)
        for text, source in ((old, "outdated"), (his, "someone_else"), (dropped, "given_up")):
            assert [found for option, found in sources.items() if text in option] == [source]
        evidence = (10,) if case.history_turns <= 14 else (10, 14)
        assert case.evidence_turns == evidence
        assert case.picture_turns == (evidence if item.pictured else ())
        assert case.needs_pictures == bool(item.pictured)
        assert "{" not in case.query + "".join(option.text for option in case.options)


@pytest.mark.parametrize("item", attributes("release", "bond", False), ids=lambda item: item.attribute_id)
def test_how_things_went_with_somebody_is_asked_by_name_in_four_orders(item: Attribute) -> None:
    book = PlanBook(16)
    a, b, c = item.values[:3]
    book.tell(2, book.bond(item.attribute_id, "amina", a, "replaced", ended=6))
    book.tell(6, book.bond(item.attribute_id, "amina", b, "replaced", ended=9), "shift")
    book.tell(9, book.bond(item.attribute_id, "amina", c, "current"), "shift")
    made = make(book, cases=6).cases
    assert made
    for case in made:
        assert (case.task, case.aspect) == ("RDC", "Relationship")
        assert case.attribute == bond_id(item.attribute_id, "amina")
        assert "Amina" in case.query
        assert "{name}" not in case.query
        assert right(case).index(a) < right(case).index(b) < right(case).index(c)
        assert set(wrong(case).values()) == {"other_order"}
        assert (case.evidence_turns, case.picture_turns) == ((2, 6, 9), ())


@pytest.mark.parametrize("item", attributes("release", "bond", True), ids=lambda item: item.attribute_id)
def test_who_kept_company_by_face_is_asked_once_all_three_have_a_name(item: Attribute) -> None:
    book = PlanBook(20)
    for turn, name in ((0, "Amina"), (1, "Bogdan"), (12, "Chidi")):
        book.portrait(turn, name)
    book.tell(2, book.fact(item.attribute_id, "Bogdan", "replaced", ended=6))
    book.tell(6, book.fact(item.attribute_id, "Chidi", "replaced", ended=9), "shift")
    book.tell(9, book.fact(item.attribute_id, "Amina", "current"), "shift")
    made = [case for seed in range(5) for case in make(book, cases=6, seed=seed).cases if case.task == "RDC"]
    assert made
    for case in made:
        assert case.history_turns > 12, "until turn 12 nobody can know who the second face is"
        assert right(case).index("Bogdan") < right(case).index("Chidi") < right(case).index("Amina")
        assert case.evidence_turns == case.picture_turns == (0, 1, 2, 6, 9, 12)
    book.pictures.pop(12)
    rejected = {item.reason for item in make(book, cases=6).rejections if " RDC " in item.item}
    assert rejected == {"no_portrait"}


def test_articles_suit_the_value() -> None:
    texts = [
        option.text
        for item in attributes("release", "hidden_taste", True)
        for case in make(shifted(item), cases=9).cases
        for option in case.options
    ]
    assert texts
    assert not [text for text in texts if " a orange" in text.casefold() or " a elephant" in text.casefold()]
