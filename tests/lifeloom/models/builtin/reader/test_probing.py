"""The built-in judge of captions: evidence about whom the question names, else D."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.reader.probing import judge_probe
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.scoring.probe_judging import parse_boxed
from lifeloom.tasks.probe_judgement import ProbeJudgementInput

D = "The answer cannot be determined"
PLACES = ("Birch Bridge", "Harbour Market", "Quarry Cinema", D)
DAYS = ("14 March 2025", "3 April 2025", "14 March 2024", D)
CLOCKS = ("14 March 2025 at 17:30", "14 March 2025 at 9:15", "3 April 2025 at 17:30", D)
THINGS = ("Four postcards", "Six postcards", "Four candles", D)
PEOPLE = ("Cousin Petra", "Neighbour Hakon", "Cousin Bruno", D)
WHERE, WHEN = "Where was the user with Nadia?", "When was the user there with Nadia?"
WHAT, WHO = "What did the user take home from the time with Nadia?", "Who came along when the user was with Nadia?"
encoder = MiniLmEncoder()


def judged(caption: str, question: str, options: tuple[str, ...]) -> str | None:
    return parse_boxed(
        judge_probe(ProbeJudgementInput(caption=caption, question=question, options=options), lambda: encoder)
    )


@pytest.mark.parametrize(
    ("caption", "question", "options", "letter"),
    [
        ("This is Nadia, whom you met at Harbour Market.", WHERE, PLACES, "B"),
        ("At Harbour Market you met Nadia.", WHERE, PLACES, "B"),
        ("Nadia is here. You spent that day at the Harbour Market together.", WHERE, PLACES, "B"),
        ("You met Nadia on March 14th, 2025.", WHEN, DAYS, "A"),
        ("You met Nadia on 2025-03-14.", WHEN, DAYS, "A"),
        ("You met Nadia on the 14th of March 2024.", WHEN, DAYS, "C"),
        ("You met Nadia on 14 March 2025 at 5:30 pm.", WHEN, CLOCKS, "A"),
        ("You met Nadia on 14 March 2025 at 9:15.", WHEN, CLOCKS, "B"),
        ("You left Nadia with 4 postcards in your bag.", WHAT, THINGS, "A"),
        ("You left Nadia with six postcards.", WHAT, THINGS, "B"),
        ("Nadia is to be seen. Your cousin Petra came along.", WHO, PEOPLE, "A"),
    ],
)
def test_what_the_caption_says_of_who_is_asked_about_is_the_answer(
    caption: str, question: str, options: tuple[str, ...], letter: str
) -> None:
    assert judged(caption, question, options) == letter


@pytest.mark.parametrize(
    ("caption", "question", "options"),
    [
        ("", WHERE, PLACES),
        ("A woman with red hair stands in a park.", WHERE, PLACES),
        ("This is Omar, whom you met at Harbour Market.", WHERE, PLACES),  # somebody else
        ("Nadia stands on the left. Omar, whom you met at Harbour Market, is on the right.", WHERE, PLACES),
        ("You did not meet Nadia at Harbour Market.", WHERE, PLACES),  # denied
        ("You met Nadia at Larkspur Observatory.", WHERE, PLACES),  # another value
        ("You met Nadia on 15 March 2025.", WHEN, DAYS),
        ("You met Nadia in March 2025.", WHEN, DAYS),
        ("You met Nadia on 14 March 2025 at 11:45.", WHEN, CLOCKS),
        ("You left Nadia with five postcards.", WHAT, THINGS),  # another number
        ("You met Nadia at Harbour Market or at Quarry Cinema.", WHERE, PLACES),  # two options
        ("Nadia is to be seen. Your cousin Irena came along.", WHO, PEOPLE),
    ],
)
def test_without_evidence_the_judge_abstains(caption: str, question: str, options: tuple[str, ...]) -> None:
    assert judged(caption, question, options) == "D"


def test_a_thing_is_known_by_whose_gift_it_is() -> None:
    question = "Where was the user with the mug from Petra?"
    assert judged("You carried the mug from Petra to Quarry Cinema.", question, PLACES) == "C"
    assert judged("You carried the mug from Ines to Quarry Cinema.", question, PLACES) == "D"


def test_several_people_each_keep_their_own_place() -> None:
    caption = (
        "Here is Nadia. You met at Harbour Market. Here is Omar. You ran into Omar at Birch Bridge. "
        "It was in the evening."
    )
    assert judged(caption, WHERE, PLACES) == "B"
    assert judged(caption, "Where was the user with Omar?", PLACES) == "A"
    assert judged(caption, "Where was the user with Ines?", PLACES) == "D"
