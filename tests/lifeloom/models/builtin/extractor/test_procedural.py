"""Goals and habits: set, kept under their key, ended."""

import pytest

from tests.lifeloom.models.builtin.extractor.asking import procedural


def test_a_goal_is_set_under_what_it_is_called_or_what_it_is():
    values = procedural("My savings goal is to buy a cello.", "I want to learn Basque.")
    assert values["savings goal"].content == "The user's savings goal is to buy a cello."
    assert values["savings goal"].numbers == (1,)
    assert values["learn basque"].content == "The user wants to learn Basque."


def test_a_goal_that_changes_keeps_its_key():
    known = [("savings goal", "The user's savings goal is to buy a cello.")]
    values = procedural("My savings goal is now to build a sauna.", known=known)
    assert {key: "sauna" in entry.content for key, entry in values.items()} == {"savings goal": True}


def test_a_dropped_goal_is_over_whatever_words_name_it():
    known = [
        ("learn basque", "The user wants to learn Basque."),
        ("run a marathon", "The user wants to run a marathon."),
    ]
    values = procedural("I've given up on learning Basque.", known=known)
    assert {key: entry.content for key, entry in values.items()} == {"learn basque": ""}


def test_a_goal_set_and_dropped_in_one_session_leaves_nothing():
    assert procedural("I want to keep geese.", "I've changed my mind, I no longer want to keep geese.") == {}


def test_a_habit_told_time_by_time_is_kept_under_its_occasion():
    values = procedural("Another rainy afternoon, so I was sorting my stamps.")
    assert "sorting" in values["rainy afternoon"].content


def test_goals_of_others_are_not_the_users():
    assert procedural("My sister Ida wants to become a pilot.") == {}


def test_at_most_five_are_set_and_goals_go_before_habits():
    users = [f"I want to {verb} by next year." for verb in ("paint boats", "fix clocks", "learn Welsh", "write plays")]
    habits = ["Every Monday I swim.", "Every Friday I ride my horse."]
    values = procedural(*habits, *users)
    assert len(values) == 5
    assert sum("wants to" in entry.content for entry in values.values()) == 4


def test_small_talk_sets_nothing():
    assert procedural("What a lovely day!", "Why is the sky blue?") == {}


BERLIN = [("berlin marathon", "The user is training for the Berlin marathon.")]


@pytest.mark.parametrize(
    "said",
    [
        "I'm training for the Vienna marathon instead.",
        "I'm not running Berlin any more, I'm training for the Vienna marathon instead.",
        "I want to run the Vienna marathon, not Berlin.",
        "Forget Berlin, I'm going to run the Vienna marathon.",
    ],
)
def test_a_goal_that_takes_the_place_of_another_leaves_one_of_them(said):
    values = procedural(said, known=BERLIN)
    assert {key: "Vienna" in entry.content for key, entry in values.items()} == {"berlin marathon": True}


def test_a_goal_of_the_same_kind_stands_beside_the_other_where_nothing_is_replaced():
    assert set(procedural("I'm also training for the Vienna marathon.", known=BERLIN)) == {"vienna marathon"}
    assert set(procedural("I'm still training for the Berlin marathon.", known=BERLIN)) == {"berlin marathon"}
