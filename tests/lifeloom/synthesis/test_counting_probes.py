"""Counting questions: right by the plan, with near distractors."""

from __future__ import annotations

import collections

from lifeloom.records import CountingQuestion
from lifeloom.synthesis.counting_probes import counting_questions
from tests.lifeloom.synthesis.plan_books import PlanBook


def book(number: int = 1) -> PlanBook:
    """Five tellings of an evening drink, of three values, on two days."""
    told = PlanBook(turns=40, number=number)
    cocoa = told.fact("evening-drink", "hot cocoa", "replaced", ended=10)
    wine = told.fact("evening-drink", "red wine", "replaced", ended=30)
    tea = told.fact("evening-drink", "mint tea", "current")
    told.tell(1, cocoa)
    told.tell(4, cocoa, "indirect")
    told.tell(10, wine, "shift")
    told.tell(12, wine)
    told.tell(30, tea, "shift")
    return told


def asked(*books: PlanBook, each: int = 9, seed: int = 7) -> list[CountingQuestion]:
    # an hour between two turns from 10:00 on: turn 13 is the last one of the first day on the user's clock
    return counting_questions([one.plan(minutes_between=60) for one in books], each=each, seed=seed)


def right(question: CountingQuestion) -> int:
    return int(question.options["abcd".index(question.answer)])


def test_the_right_number_is_that_of_the_plan():
    found = {one.counted: one for one in asked(book())}
    assert {counted: right(one) for counted, one in found.items()} == {"times": 5, "days": 2, "values": 3}
    assert found["times"].evidence_turns == (1, 4, 10, 12, 30)
    assert found["values"].evidence_turns == (1, 10, 30)
    assert all("my evening drink" in one.query or "my evening" in one.query for one in found.values())
    assert all(one.history_turns == 40 for one in found.values())


def test_options_are_four_numbers_next_to_each_other_with_the_right_one_at_any_place():
    ranks = collections.Counter()
    for number in range(1, 41):
        for one in asked(book(number)):
            numbers = [int(option) for option in one.options]
            assert numbers == list(range(numbers[0], numbers[0] + 4))
            assert numbers[0] >= 1
            if one.counted == "times":
                ranks[one.answer] += 1
    assert set(ranks) == set("abcd")


def test_what_was_told_once_or_is_in_doubt_or_of_somebody_else_or_shown_is_not_asked():
    told = PlanBook(turns=20)
    told.tell(1, told.fact("local-bakery", "Crumb", "current", kind="detail"))
    doubted = told.fact("evening-drink", "hot cocoa", "corrected")
    told.tell(2, doubted)
    told.tell(3, told.fact("evening-drink", "mint tea", "current"))
    theirs = told.fact("coffee-order", "flat white", "someone_else")
    told.tell(4, theirs, "other_person")
    told.tell(5, told.fact("coffee-order", "espresso", "current"))
    mentioned = told.fact("pizza-topping", "olives", "current")
    told.tell(6, mentioned, "mention")
    told.tell(7, mentioned, "anaphora")
    mug = told.fact("mug-picture", "red", "current")
    told.facts[mug]["pictured"] = True
    told.tell(8, mug)
    told.tell(9, mug)
    # the drink was told of twice; which it is remains open
    assert {(one.attribute, one.counted) for one in asked(told)} == {("evening-drink", "times")}


def test_a_plan_alone_gives_the_same_questions():
    alone = asked(book(2))
    assert [one for one in asked(book(1), book(2), book(3)) if one.persona_id == "persona-2"] == alone
    assert asked(book(2)) == alone
    assert len(asked(book(2), each=2)) == 2
