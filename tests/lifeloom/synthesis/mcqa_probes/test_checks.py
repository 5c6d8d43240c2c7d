"""What stops questions from being published."""

from __future__ import annotations

from typing import Any

from lifeloom.records import BY_CODE, ConceptDialoguePlan, DialogueFact, ProbeQuestion, Rejection
from lifeloom.synthesis.mcqa_probes.checks import (
    account_problems,
    balance_problems,
    form_problems,
    length_problems,
    repeat_problems,
    truth_problems,
)
from tests.lifeloom.synthesis.contexts.test_checks import sample

NEVER = "The answer cannot be determined"


def question(number: int = 0, **more: Any) -> ProbeQuestion:
    fields = {
        "question_id": f"s1-c0-q{number}",
        "sample_id": "s1",
        "dialogue_id": "s1-c0",
        "entry": 0,
        "positive": False,
        "concepts": 1,
        "fact": "place",
        "question": "Where was Nadia?",
        "options": ("Dunmore Bakery", "Garrow Cinema", "Calloway Bridge", NEVER),
        "answer": "A",
        "made_by": BY_CODE,
    }
    return ProbeQuestion.model_validate(fields | more)


def options(*three: str) -> tuple[str, ...]:
    return (*three, NEVER)


PLAN = ConceptDialoguePlan(
    dialogue_id="s1-c0",
    sample_id="s1",
    image_id="p2",
    handle="Nadia",
    edition="corpus",
    facts=(
        DialogueFact(kind="place", value="Dunmore Bakery", options=("Garrow Cinema", "Calloway Bridge"), turn=0),
        DialogueFact(kind="event", value="the map fair", options=("the orchid show", "the jazz brunch"), turn=1),
        DialogueFact(kind="object", value="four stamps", options=("six stamps", "two ribbons"), turn=2),
    ),
)


def truth(**more: Any) -> list[str]:
    return truth_problems([question(**more)], {"s1": sample()}, {"s1-c0": PLAN})


def test_ids_are_unique_and_options_differ_whatever_their_case() -> None:
    assert form_problems([question(0), question(1)]) == []
    assert form_problems([question(0), question(0)]) == ["s1-c0-q0 occurs 2 times"]
    twice = question(options=options("Two ribbons", "two ribbons", "x"))
    assert form_problems([twice]) == ["s1-c0-q0 has two equal options"]


def test_the_right_option_is_what_the_dialogue_says() -> None:
    assert truth() == []
    event = {"fact": "event", "options": options("The orchid show", "The map fair", "The jazz brunch"), "answer": "B"}
    assert truth(**event) == []
    assert truth(answer="B") == ["s1-c0-q0 takes 'Garrow Cinema' for right, which s1-c0 does not say"]
    assert truth(fact="event")[0].startswith("s1-c0-q0 takes 'Dunmore Bakery' for right")
    strange = options("Dunmore Bakery", "Garrow Cinema", "Oakhaven Viaduct")
    assert truth(options=strange) == ["s1-c0-q0 has a wrong option that was not planned"]


def test_a_question_is_filed_under_its_entry() -> None:
    assert truth(entry=1) == ["s1-c0-q0 is filed under another entry than s1-c1"]
    assert truth(positive=True) == ["s1-c0-q0 is filed under another entry than s1-c0"]
    assert truth(concepts=2) == ["s1-c0-q0 is filed under another entry than s1-c0"]


def test_a_question_gives_no_option_away_and_says_whom_it_is_about() -> None:
    assert truth(question="Was Nadia at Garrow Cinema?") == ["s1-c0-q0: it names the option 'Garrow Cinema'"]
    assert truth(question="Where was she?") == ["s1-c0-q0: it does not say 'Nadia'"]


def test_no_letter_is_right_too_often() -> None:
    fair = [question(number, answer="ABC"[number % 3]) for number in range(90)]
    assert balance_problems(fair) == []
    tilted = [question(number, answer="ABC"[number % 3] if number < 60 else "B") for number in range(90)]
    # B is right in 20 of the first 60 and in all of the other 30: 50 of 90.
    assert balance_problems(tilted) == ["B is right in 55.6 % of the questions"]
    assert balance_problems(tilted[60:]) == [], "thirty questions say nothing"


def test_length_gives_nothing_away() -> None:
    long = options("a", "bb", "cccc")
    fair = [question(number, options=long, answer="ABC"[number % 3]) for number in range(90)]
    assert length_problems(fair) == []
    assert length_problems([question(number, options=long, answer="C") for number in range(90)]) == [
        "the longest option is right in 100.0 % of the questions"
    ]
    assert length_problems([question(number, options=long, answer="A") for number in range(90)]) == [
        "the shortest option is right in 100.0 % of the questions"
    ]
    same = [question(number, options=options("aa", "bb", "cc"), answer="A") for number in range(90)]
    assert length_problems(same) == [], "of three equally long ones a guess takes the right one in a third"


def test_nothing_is_asked_twice_about_one_sample() -> None:
    again = question(
        1, question="WHERE was Nadia?", options=options("Calloway Bridge", "Dunmore Bakery", "Garrow Cinema")
    )
    assert repeat_problems([question(), again]) == ["s1: 'where was nadia?' is asked 2 times"]
    assert repeat_problems([question(), question(1, options=options("x", "y", "z"))]) == []
    assert repeat_problems([question(), question(1, sample_id="s2")]) == []


def test_every_dialogue_has_its_three_questions_or_a_reason() -> None:
    rows = [
        question(number, question_id=f"s1-c{entry}-q{number}", dialogue_id=f"s1-c{entry}")
        for entry in range(3)
        for number in range(3)
    ]
    assert account_problems([sample()], rows, []) == []
    assert account_problems([sample()], rows[:-1], []) == ["s1-c2 has 2 questions"]
    lost = Rejection(stage="x", item="s1-c2", reason="questions_not_worded")
    assert account_problems([sample()], rows[:6], [lost]) == []
    assert account_problems([sample()], rows[:6], []) == ["s1-c2 has 0 questions"]
