"""Questions as filters over events: many ways to ask, and questions that ask nothing of a whole history."""

from __future__ import annotations

from typing import Any

import pytest

from lifeloom.models.builtin.reasoner.graph import plan_of
from lifeloom.models.builtin.reasoner.graph.moments import Moment, moment_in
from lifeloom.models.builtin.reasoner.graph.places import place_in
from lifeloom.tasks import EntityLine, GraphPlanInput

PEOPLE = (
    EntityLine(name="David", type="PersonAnimal"),
    EntityLine(name="Rylen", type="PersonAnimal", aliases=("grandson", "David's grandson")),
    EntityLine(name="Zosime", type="PersonAnimal", aliases=("Mom", "mother", "David's mother")),
)


def _plan(question: str) -> dict[str, Any]:
    """Return the parts of the plan that say something."""
    plan = plan_of(GraphPlanInput(owner="David", question=question, people=PEOPLE))
    return {key: value for key, value in plan.model_dump().items() if value}


@pytest.mark.parametrize(
    "question",
    [
        "Who attended the event on 2011-04-15?",
        "Is David's mother present in the photos from 15 April 2011?",
        "How many photos from April 15, 2011 show Rylen, and where were they taken?",
        "In the photo from April 15, 2011, where David is taking a selfie in a car, who is sitting next to him?",
        "What does David do for a living?",
        "What is the hair colour of Rylen's grandfather?",
        "Is David in this picture?",
        "How many balloons are there in this picture?",
        "Which two things is Rylen said to be fond of?",
    ],
)
def test_a_question_about_a_day_a_picture_or_a_person_counts_nothing(question: str) -> None:
    assert _plan(question)["operation"] == "none"


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("How often did I go cycling in 2024?", ("David",)),
        ("On how many days were Rylen and I together?", ("David", "Rylen")),
        ("On how many days was my mother with us at the lake?", ("David", "Zosime")),
        ("Tell me on how many days Rylen went fishing.", ("Rylen",)),
    ],
)
def test_whoever_asks_is_the_owner(question: str, who: tuple[str, ...]) -> None:
    plan = _plan(question)
    assert plan["operation"] == "count"
    assert set(plan["who"]) == set(who)


def test_what_no_filter_says_is_not_counted() -> None:
    assert _plan("How often did my mother go fishing without me?")["operation"] == "none"


@pytest.mark.parametrize(
    "question",
    [
        "Once the fishing trip to the lake with my mother was over, what did Rylen do next?",
        "Once the fishing trip to the lake with my mother had ended, what did Rylen do next?",
        "After the fishing trip to the lake with my mother, what did Rylen do next?",
    ],
)
def test_what_follows_the_end_of_an_event_is_stepped_to(question: str) -> None:
    plan = _plan(question)
    assert (plan["operation"], plan["who"], plan["anchor_who"]) == ("after", ("Rylen",), ("Zosime",))
    assert plan["anchor_where"] == "lake"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "How many different days feature some form of fishing activity, as suggested by the images?",
            {"operation": "count", "what": "fishing activity", "of": "days"},
        ),
        (
            "On how many days was my mother at the lake in 2023?",
            {
                "operation": "count",
                "who": ("Zosime",),
                "where": "lake",
                "when_from": "2023-01-01",
                "when_to": "2023-12-31",
                "of": "days",
            },
        ),
        (
            "How often did Rylen's grandfather go hiking with Mom?",
            {"operation": "count", "who": ("David", "Zosime"), "what": "hiking", "of": "events"},
        ),
        (
            "Between 2011-04-15 and 2011-08-01, how many events did Rylen attend?",
            {
                "operation": "count",
                "who": ("Rylen",),
                "when_from": "2011-04-15",
                "when_to": "2011-08-01",
                "of": "events",
            },
        ),
        (
            "How many different places did Rylen visit?",
            {"operation": "count", "who": ("Rylen",), "of": "place"},
        ),
        (
            "On how many days does a red umbrella appear?",
            {"operation": "count", "what": "red umbrella", "of": "days"},
        ),
    ],
)
def test_what_is_counted_and_under_which_conditions(question: str, wanted: dict[str, Any]) -> None:
    assert _plan(question) == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When did David and Rylen last go camping?", ("last", ("David", "Rylen"), "camping")),
        ("What was the first time that the owner's mother went to a concert?", ("first", ("Zosime",), "concert")),
        ("On which date did Rylen most recently bake?", ("last", ("Rylen",), "bake")),
    ],
)
def test_first_and_last_times(question: str, wanted: tuple[Any, ...]) -> None:
    plan = _plan(question)
    assert (plan["operation"], plan["who"], plan["what"]) == wanted


@pytest.mark.parametrize(
    ("question", "of", "who"),
    [
        ("Based on David's history, what is his most frequent type of activity?", "activity", None),
        ("At which two places is David's mother photographed most often?", "place", ("Zosime",)),
        ("Who does Rylen spend the most time with?", "person", ("Rylen",)),
    ],
)
def test_the_most_frequent_of_what_for_whom(question: str, of: str, who: tuple[str, ...] | None) -> None:
    plan = _plan(question)
    assert (plan["operation"], plan["of"], plan.get("who")) == ("most", of, who)


def test_what_is_asked_and_the_anchor_are_told_apart() -> None:
    plan = _plan(
        "Who was David with on his trip to the Christmas tree farm, which took place right before the family's "
        "Christmas morning celebration in 2011?"
    )
    assert plan["operation"] == "before"
    assert (plan["who"], plan["where"]) == (("David",), "christmas tree farm")
    assert "christmas morning celebration" in plan["anchor_what"]
    assert (plan["anchor_from"], plan["anchor_to"]) == ("2011-01-01", "2011-12-31")


@pytest.mark.parametrize(
    "question",
    [
        "After the ice fishing at the lake with David, Rylen and Zosime, what did Rylen do next, and where?",
        "What was the next thing Rylen took part in following the day of ice fishing at the lake with David, Rylen and "
        "Zosime, and in what place?",
    ],
)
def test_a_comma_between_names_does_not_end_the_anchor(question: str) -> None:
    plan = _plan(question)
    assert (plan["operation"], plan["who"]) == ("after", ("Rylen",))
    assert (plan["anchor_what"], plan["anchor_where"]) == ("ice fishing", "lake")
    assert plan["anchor_who"] == ("David", "Rylen", "Zosime")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("in March 2012", Moment("2012-03-01", "2012-03-31")),
        ("since 2012", Moment("2012-01-01", "")),
        ("before May 2012", Moment("", "2012-04-30")),
        ("after 2012-02-28", Moment("2012-02-29", "")),
        ("from June 2012 to August 2013", Moment("2012-06-01", "2013-08-31")),
        ("in the summer of 2012", Moment("2012-06-01", "2012-08-31")),
        ("on February 30, 2012", Moment()),
        ("with 3 people", Moment()),
    ],
)
def test_stretches_of_days_that_words_name(text: str, moment: Moment) -> None:
    assert moment_in(text)[0] == moment


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("was she in the snowy mountains", "snowy mountains"),
        ("were they on a station platform", "station platform"),
        ("a picnic in a street in town", "street"),
        ("photographed at the same event", ""),
        ("take part in fishing", ""),
        ("moved to Lisbon", "lisbon"),
        ("in March", ""),
    ],
)
def test_places_that_words_name(text: str, place: str) -> None:
    assert place_in(text)[0] == place
