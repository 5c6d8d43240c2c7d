"""What statements imply without naming it: intentions by their signs, ways of explaining by signs of skill."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lifeloom.models.builtin.reader.semantics import phrases_of
from tests.lifeloom.models.builtin.reader.test_visual import best, scores

TALK = (
    "The buses have been late all week, so I walked along the canal instead.",
    "Could you tidy up this note for the board and make it sound friendly?",
    "I was waiting for the post when the alarm went off next door.",
    "My neighbours were painting their fence in the rain.",
    "The kettle is broken and I keep forgetting to buy a new one.",
)
PLANS = ["To learn how to swim", "To move abroad", "To keep bees", "To write a novel"]
SWIM = [
    "trying on goggles at the pool",
    "practising the front crawl on a bench",
    "looking up lessons for nervous bathers",
]
ABROAD = [
    "reading about visas and residence permits",
    "comparing rents in Lisbon and Porto",
    "sorting boxes for shipping",
]
BEES = ["looking at hives and smokers in a catalogue", "planting clover for honey"]
NOVEL = ["making up names for a heroine and a villain", "scribbling chapters at night"]


def ask(query: str, options: Sequence[str], *told: str) -> str:
    return best(query, options, *TALK, *told, *TALK)


def test_signs_of_a_plan_stand_for_it() -> None:
    told = [f"I've been {sign} again." for sign in SWIM]
    assert ask("What am I up to?", PLANS, *told) == "To learn how to swim"


def test_signs_of_others_plans_are_not_the_users() -> None:
    told = [f"My cousin Ana has been {sign} for weeks." for sign in ABROAD]
    told += [f"I keep {sign}." for sign in BEES]
    assert ask("What am I up to?", PLANS, *told) == "To keep bees"


def test_a_sign_that_was_left_behind_stands_for_what_was() -> None:
    told = [f"Lately I keep {sign}." for sign in NOVEL]
    told += [f"No more {NOVEL[0]} for me, these days I'm {ABROAD[0]}.", f"I spent the evening {ABROAD[1]}."]
    assert ask("What am I up to?", PLANS, *told) == "To move abroad"


def test_a_plan_that_was_dropped_is_no_plan() -> None:
    told = [f"I had started {sign}, but I've dropped the idea." for sign in SWIM]
    told += [f"I've been {sign} lately." for sign in NOVEL]
    assert ask("What am I up to?", PLANS, *told) == "To write a novel"


def test_what_is_named_outright_outweighs_what_is_only_implied() -> None:
    told = [f"I've been {sign} again." for sign in SWIM]
    told += ["I want to keep bees, that's settled.", "I don't want to move abroad."]
    assert ask("What do I want to do?", PLANS, *told) == "To keep bees"


WAYS = [
    "from scratch, in tiny steps, without any jargon",
    "in simple words, with easy examples",
    "briskly, with the usual pitfalls",
    "as among colleagues, in full technical depth",
]
BEGINNER = ["asking what a shutter is", "wondering why everything comes out black", "holding the camera upside down"]
EXPERT = ["teaching a master class on studio light", "judging competitions", "publishing articles on rare lenses"]


@pytest.mark.parametrize(("signs", "right"), [(BEGINNER, WAYS[0]), (EXPERT, WAYS[3])])
def test_signs_of_skill_decide_how_to_explain(signs: Sequence[str], right: str) -> None:
    told = [f"In my photography I keep {sign}." for sign in signs]
    assert ask("How should you explain exposure to me, given my photography?", WAYS, *told) == right


def test_somebody_elses_skill_does_not() -> None:
    told = [f"As for photography, my uncle Karl keeps {sign}." for sign in EXPERT]
    told += [f"In my own photography I keep {sign}." for sign in BEGINNER]
    assert ask("How should you explain exposure to me, given my photography?", WAYS, *told) == WAYS[0]


PHRASES = [
    ("I've been comparing the prices of theory tests again.", ["comparing the prices of theory tests again"]),
    ("I went from tying knots on deck to reading the wind off flags.",
     ["tying knots on deck", "reading the wind off flags"]),
    ("Comparing rents in Lisbon, once more.", ["Comparing rents in Lisbon , once more"]),
    ("In the morning something interesting happened.", []),
    ("The wedding was in spring.", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "phrases"), PHRASES)
def test_phrases_say_what_somebody_does(text: str, phrases: list[str]) -> None:
    assert [phrase.text for phrase in phrases_of(text)] == phrases


def test_without_any_sign_options_score_nearly_the_same() -> None:
    found = scores("What am I up to?", PLANS, "Good morning.", "The hall opens at nine.")
    assert max(found) - min(found) < 1.0
