"""Answers about a life: from pictures, from captions, from facts and from notes, and no more than these tell."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lifeloom.models.builtin.reader.life import answer_life
from lifeloom.models.protocol import ModelIdentity
from lifeloom.tasks import FactAttribute, GraphFact, KnownConcept, LifeAnswerInput, OptionText, SeenImage
from tests.lifeloom.models.builtin.reader.life.seeing import THRESHOLD, picture

UNKNOWN = "I do not know."
PEOPLE = (
    KnownConcept(
        concept_id="c-ana", name="Ana", role="Account Owner", persona="Ana is a vet. Ana likes old maps.", shown=True
    ),
    KnownConcept(
        concept_id="c-rui", name="Rui", role="Owner's Brother", persona="Rui is fond of fado and figs.", shown=True
    ),
    KnownConcept(concept_id="c-rex", name="Rex", role="Owner's Dog"),
)
PORTRAITS = (picture({"Ana": 50}, []), picture({"Rui": 50}, []))


class NoEncoder:
    """An encoder for questions that must be answered without one."""

    identity = ModelIdentity("test", "none")
    dimensions = 2

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        raise AssertionError("what is known answers this")


class SameEverything(NoEncoder):
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.ones((len(texts), 2), dtype=np.float32)


def image(number: int, date: str, description: str, event: int = 0, **fields: Any) -> SeenImage:
    return SeenImage(
        image_id=f"e-{event}-{number}", event_id=f"e-{event}", date=date, description=description, **fields
    )


def ask(question: str, shown: Sequence[Any] = (), *, encoder: Any = NoEncoder, **fields: Any) -> str:
    """Answer with these pictures, in the order of the prompt's marks."""
    asked = LifeAnswerInput(owner="Ana", question=question, **fields)
    return answer_life(asked, encoder, [look for look, _ in shown], [looks for _, looks in shown], THRESHOLD)


def options(*texts: str) -> tuple[OptionText, ...]:
    return tuple(OptionText(letter="abcd"[number], text=text) for number, text in enumerate(texts))


CRABBING = (
    image(0, "2025-03-01", "Crabbing with my brother!", shown=True),
    image(1, "2025-03-01", "Crabbing with my brother!", shown=True),
)
CRABBING_SHOWN = (
    picture({"Ana": 20, "Rui": 70}, [("hat", "red", 80), ("hat", "red", 90), ("mug", "blue", 15)], "harbour"),
    picture({"Rui": 40}, [("book", "grey", 60)], "harbour"),
)
SEEN: dict[str, Any] = {"concepts": PEOPLE, "images": CRABBING}
ALL_SHOWN = (*PORTRAITS, *CRABBING_SHOWN)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was with Ana on 2025-03-01, and what were they doing?", "With Ana: Rui; it was crabbing."),
        ("Who was with Ana's brother on March 1, 2025, and what was it?", "With Rui: Ana; it was crabbing."),
        ("What was the main activity on 1 March 2025, and where?", "It was crabbing, in the harbour."),
        ("How many photos from 2025-03-01 show Rui, and where were they taken?", "2 photos, taken in the harbour."),
        ("What objects does photo 1 from 2025-03-01 show?", "It shows two red hats and a blue mug."),
        ("Which objects are in the photos of 2025-03-01 that show Rui alone?", "There is a book."),
        ("Which objects are in the first photo from 2025-03-01 with Rui?", "There are two red hats and a blue mug."),
        (
            "In the photo from 2025-03-01 with the red hats, who stands from left to right?",
            "From left to right: Ana, Rui.",
        ),
        (
            "In the photo from 2025-03-01 with the blue mug, who is nearest to it?",
            "Ana is nearest to it, in the harbour.",
        ),
        ("In the photo from 2025-03-01 with the blue mug, what other object is there?", "There is also two red hats."),
        ("How many hats does photo 1 from 2025-03-01 show?", "2"),
        ("How many hats does the second photo from 2025-03-01 show?", "0"),
        ("How many hats does photo number 7 of 2025-03-01 show?", "I do not know."),
        ("Which colours do the hats of 2025-03-01 have?", "The hats are red."),
        ("Was Rui there on 2025-03-01?", "Yes, Rui was there."),
        ("Was Rex there on 2025-03-01?", "No, Rex was not there."),
    ],
)
def test_an_event_is_read_from_its_pictures_and_its_description(question: str, answer: str) -> None:
    assert ask(question, ALL_SHOWN, **SEEN) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Tell me who joined Rui on 2025-03-01 and what they got up to.", "With Rui: Ana; it was crabbing."),
        ("What were people up to on March 1st, 2025, and at which location?", "It was crabbing, in the harbour."),
        ("What does the second photo from 2025-03-01 contain?", "It shows a book."),
        ("Count the pictures of 2025-03-01 with Rui in them.", "2 photos, taken in the harbour."),
        ("When Rui is the only one in the picture on 2025-03-01, which objects are around?", "There is a book."),
        ("Apart from the blue mug, what else does that picture of 2025-03-01 show?", "There is also two red hats."),
    ],
)
def test_other_words_ask_the_same(question: str, answer: str) -> None:
    assert ask(question, ALL_SHOWN, **SEEN) == answer


def test_of_a_day_that_was_not_retrieved_nothing_is_known() -> None:
    assert ask("Who was with Ana on 2025-03-02?", ALL_SHOWN, **SEEN) == UNKNOWN
    assert ask("Who was with Ana on 2025-03-01?") == UNKNOWN


def test_people_whose_portrait_was_not_retrieved_are_not_recognised() -> None:
    alone = (PEOPLE[0],)
    question = "Who is in the photo of 2025-03-01 with the blue mug, from left to right?"
    answer = ask(question, (PORTRAITS[0], *CRABBING_SHOWN), concepts=alone, images=CRABBING)
    assert answer == "From left to right: Ana, somebody unknown."


def test_captions_are_read_where_the_pictures_are_not_shown() -> None:
    told = (
        image(0, "2025-03-01", "A day with my brother.", caption="Ana and Rui with two red hats, in the harbour."),
        image(1, "2025-03-01", "A day with my brother.", caption="A blue mug."),
    )
    assert (
        ask("What objects does photo 1 from 2025-03-01 show?", concepts=PEOPLE, images=told) == "It shows two red hats."
    )
    assert (
        ask("What was going on on 2025-03-01, and where?", concepts=PEOPLE, images=told)
        == "It was unclear, in the harbour."
    )


def fact(
    head: str, relation: str, tail: str, kind: str, head_type: str = "Event", **attributes: tuple[str, ...]
) -> GraphFact:
    rows = tuple(FactAttribute(key=key, values=values) for key, values in attributes.items())
    return GraphFact(head=head, head_type=head_type, relation=relation, tail=tail, tail_type=kind, attributes=rows)


FACTS = (
    fact("Crabbing", "onDate", "2025-03-01", "Date"),
    fact("Crabbing", "hasActivity", "crabbing", "Activity", attendee=("Ana", "Rui"), place=("harbour",)),
    fact("Crabbing", "attendedBy", "Ana", "PersonAnimal", image=("e-0-0",)),
    fact("Crabbing", "attendedBy", "Rui", "PersonAnimal", image=("e-0-0", "e-0-1")),
    fact("Crabbing", "shows", "hat", "Object", image=("e-0-0",), colour=("red",), count=("2",), beside=("Ana", "Rui")),
    fact("Crabbing", "shows", "book", "Object", image=("e-0-1",), colour=("none",), count=("1",)),
    fact("Hike", "onDate", "2025-03-09", "Date"),
    fact("Hike", "hasActivity", "hiking", "Activity", attendee=("Rui",), place=("forest",)),
    fact("Rui", "brotherOf", "Ana", "PersonAnimal", "PersonAnimal"),
    fact("Rui", "hasCareer", "tailor", "Object", "PersonAnimal"),
    fact("Rui", "likes", "figs", "Object", "PersonAnimal"),
    fact("Rui", "hasHair", "black short hair", "Object", "PersonAnimal"),
    fact("Rui", "hasBeard", "beard", "Object", "PersonAnimal"),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was with Ana's brother on 2025-03-01, and what was it?", "With Rui: Ana; it was crabbing."),
        ("How many photos of 2025-03-01 show Rui?", "2 photos, taken in the harbour."),
        ("What objects does photo 1 from 2025-03-01 show?", "It shows two red hats."),
        ("Which objects are in the photos of 2025-03-01 that show Rui alone?", "There is a book."),
        (
            "In the photo from 2025-03-01 with the red hats, who is nearest to them?",
            "Ana is nearest to it, in the harbour.",
        ),
        ("On how many different days was Rui there?", "2"),
        ("How many days of fishing did Rui take part in?", "1"),
        ("When was the last day of hiking that Rui was there for?", "On 2025-03-09."),
        (
            "What did Rui do next after the day of fishing in the harbour with Ana and Rui, and in what place?",
            "hiking, in the forest.",
        ),
        (
            "What came right before the day of hiking in the forest with Rui, and who was there?",
            "crabbing, with Ana and Rui.",
        ),
        ("What does Ana's brother like, by the profile?", "Rui likes figs."),
        ("The day of fishing with Ana and Rui was followed by which activity, and with whom?", "hiking, with Rui."),
        ("How often was Rui out fishing?", "1"),
        ("Which kinds of activity rank first and second for Rui?", "Most often fishing, then hiking."),
        ("What is Rui's occupation, and which activity does Rui do most?", "Rui is a tailor; most often fishing."),
    ],
)
def test_facts_alone_are_enough(question: str, answer: str) -> None:
    assert ask(question, facts=FACTS) == answer


@pytest.mark.parametrize(
    ("question", "texts", "letter"),
    [
        ("What does Ana's brother do for a living?", ("a vet", "a tailor", "a sailor"), "(b)"),
        ("What is Rui's hair like?", ("curly hair", "long hair", "short hair"), "(c)"),
        ("What colour is Rui's hair?", ("black", "blond", "red"), "(a)"),
        ("What does Rui have on their face?", ("glasses and a beard", "a beard and no glasses", "a moustache"), "(b)"),
    ],
)
def test_options_are_held_against_facts(question: str, texts: tuple[str, ...], letter: str) -> None:
    assert ask(question, facts=FACTS, options=options(*texts)) == letter


@pytest.mark.parametrize(
    ("question", "texts", "letter"),
    [
        ("What does Ana do for a living?", ("a pilot", "a vet"), "(b)"),
        ("What is the account owner's brother fond of?", ("old maps", "fado and figs"), "(b)"),
        ("What is Ana's hair like?", ("short hair", "long hair"), "(b)"),
        ("Which of these is true of Ana's face?", ("glasses and no beard", "neither glasses nor a beard"), "(a)"),
    ],
)
def test_options_are_held_against_personas_and_portraits(question: str, texts: tuple[str, ...], letter: str) -> None:
    assert ask(question, PORTRAITS, concepts=PEOPLE, options=options(*texts)) == letter


NEW = picture({"Rui": 30, "stranger": 80}, [("kite", "green", 35), ("tent", "red", 90)], "lake")


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which object is nearest to Rui in this picture?", "kite"),
        ("Which objects are with Ana's brother in this picture?", "a green kite and a red tent"),
        ("Where is Rui in this picture?", "by the lake"),
        ("How does Rui wear their hair in the photo?", "short hair"),
        ("Which object is nearest to Ana in this picture?", "Not in image."),
    ],
)
def test_a_new_picture_is_read_and_who_is_not_in_it_is_said(question: str, right: str) -> None:
    texts = ("a blue mug", right, "in the desert", "Not in image." if right != "Not in image." else "kite")
    shown = (NEW, *PORTRAITS)
    assert ask(question, shown, concepts=PEOPLE, picture_shown=True, options=options(*texts)) == "(b)"


def test_who_is_in_a_new_picture_is_told_by_the_portraits() -> None:
    for name, answer in (("Rui", "yes"), ("Ana's brother", "yes"), ("Ana", "no"), ("Rex", "no"), ("Ottokar", "no")):
        said = ask(f"Is {name} in this picture?", (NEW, *PORTRAITS), concepts=PEOPLE, picture_shown=True, binary=True)
        assert said == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who can be seen in this picture?", "Rui and somebody unknown."),
        ("Who is this?", "Rui and somebody unknown."),
        ("Is Rui in this picture?", "Yes."),
        ("Are Rui and Ana in this photo?", "No, Ana cannot be seen."),
        ("Who was with Rui on 2025-03-01?", "With Rui: Ana; it was crabbing."),
    ],
)
def test_an_open_question_about_a_new_picture_is_read_off_it(question: str, answer: str) -> None:
    shown = (NEW, *PORTRAITS, *CRABBING_SHOWN)
    assert ask(question, shown, picture_shown=True, **SEEN) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Rui my brother?", "yes"),
        ("Is Rui my uncle?", "no"),
        ("Is Rui Ana's brother?", "yes"),
        ("Does Rui like figs?", "yes"),
        ("Does Rui like opera?", "no"),
        ("Does Rex like opera?", UNKNOWN),
        ("Was Rui with me on 2025-03-01?", "yes"),
        ("Was Rex there on 2025-03-01?", "no"),
        ("Was Rui there on 2025-03-09?", UNKNOWN),
        ("Was Rui with me when we went crabbing?", "yes"),
        ("Did Rui ever go crabbing?", "yes"),
        ("Did Rui ever go hiking?", UNKNOWN),
        ("Is it warm?", UNKNOWN),
    ],
)
def test_a_question_for_yes_or_no_without_a_picture_is_decided_only_by_what_is_known(
    question: str, answer: str
) -> None:
    assert ask(question, ALL_SHOWN, binary=True, **SEEN) == answer


def test_a_pet_is_told_by_its_species() -> None:
    dog = picture({"Rui": 30}, [("dog", "brown", 70)], "lake")
    shown = (dog, *PORTRAITS)
    assert ask("Is Rex in this picture?", shown, concepts=PEOPLE, picture_shown=True, binary=True) == "yes"
    beside = ask(
        "Who is to the right of Rui?", shown, concepts=PEOPLE, picture_shown=True, options=options("Ana", "Rex")
    )
    assert beside == "(b)"


@pytest.mark.parametrize(
    ("question", "note", "answer"),
    [
        (
            "On how many days was Rui there?",
            "7 different days match (with Rui): 2025-03-01 and 6 more.",
            "7 different days.",
        ),
        (
            "What are Rui's two most frequent kinds of activity, in order?",
            "Most frequent kinds of activity (with Rui), by days: fishing (4 days), hiking (2 days), music (1 days).",
            "Most often fishing, then hiking.",
        ),
        (
            "When did Rui go hiking for the last time?",
            "The last day that matches (hiking) is 2025-03-09: Hike; activity: hiking; people: Rui; place: forest.",
            "On 2025-03-09.",
        ),
    ],
)
def test_what_was_counted_or_ordered_is_taken_over_what_little_is_shown(question: str, note: str, answer: str) -> None:
    assert ask(question, facts=FACTS, notes=(note,)) == answer


def test_few_pictures_undercount() -> None:
    # two days are shown, however many there were
    images = (image(0, "2025-03-01", "Crabbing with Rui."), image(0, "2025-03-04", "Fishing with Rui again.", event=1))
    assert ask("How many days of fishing did Rui take part in?", concepts=PEOPLE, images=images) == "2"
    assert ask("How many days of hiking did Rui take part in?", concepts=PEOPLE, images=images) == "0"
    assert ask("How many days of fishing did Rui take part in?") == UNKNOWN


def test_where_nothing_is_known_the_likest_option_is_taken() -> None:
    said = ask("What does Ana do for a living?", encoder=SameEverything, options=options("a pilot", "a vet"))
    assert said in ("(a)", "(b)")


def test_two_events_of_one_day_are_two() -> None:
    images = (image(0, "2025-03-01", "Crabbing with Rui."), image(0, "2025-03-01", "A hike with Ana.", event=1))
    assert ask("How many days was Rui there?", concepts=PEOPLE, images=images) == "1"
    assert ask("How many days did Ana go hiking?", concepts=PEOPLE, images=images) == "1"
