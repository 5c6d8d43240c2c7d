"""The lines of the core update: who the user is and how they want to be answered."""

import pytest

from tests.lifeloom.models.builtin.extractor.asking import core


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("Hello, I am Mohan.", "human.name", "Mohan"),
        ("My name is Ann-Marie Lund.", "human.name", "Ann-Marie Lund"),
        ("I'm thirty-four.", "human.age", "34"),
        ("I turned 61 last week.", "human.age", "61"),
        ("I work as a crane operator in Hamburg.", "human.job", "crane operator"),
        ("I'm a violin maker by trade.", "human.job", "violin maker"),
        ("We finally moved to New Orleans.", "human.home", "New Orleans"),
        ("I was born in Hanoi.", "human.birthplace", "Hanoi"),
        ("I've been vegan for years.", "human.diet", "vegan"),
        ("I have two sons and a daughter.", "human.children", "two sons and a daughter"),
        ("My wife Dora sings.", "human.partner", "Dora"),
        ("My favourite colour is teal.", "human.favourite colour", "teal"),
    ],
)
def test_what_the_user_is_has_a_line(said, key, value):
    values = core("How are you?", said)
    assert values[key].content.removeprefix("a ") == value
    assert values[key].numbers == (2,)


@pytest.mark.parametrize(
    "said",
    [
        "I'm Polish.",
        "My brother is a plumber and he lives in Perth.",
        "I was a teacher.",
        "I'm not vegan.",
        "I'm a big fan of jazz.",
        "If I lived in Rome I'd eat better.",
        "Is my name Bob?",
        "I'm a night owl.",
        "So that you know the face, this is Yasmin. < img>",
        "This is Yasmin, my accountant.",
    ],
)
def test_what_is_another_persons_past_denied_or_imagined_has_none(said):
    assert core(said) == {}


def test_the_latest_of_a_session_counts_and_what_is_known_already_is_left_out():
    known = [("human", "name", "Mohan"), ("human", "home", "Pune")]
    values = core("I'm Mohan. I live in Delhi.", "Sorry, I live in Agra now.", known=known)
    assert {key: entry.content for key, entry in values.items()} == {"human.home": "Agra"}


def test_a_job_that_is_lost_is_over():
    assert core("I quit my job.", known=[("human", "job", "baker")])["human.job"].content == ""
    assert core("I quit my job.") == {}


def test_wishes_for_the_manner_go_to_the_persona_block_one_a_matter():
    values = core("From now on keep your answers short, please.", "Please always answer me in French.", "Call me Jo.")
    assert set(values) == {"persona.length of answers", "persona.language of answers", "persona.form of address"}
    assert "short" in values["persona.length of answers"].content
    later = core("From now on your answers may be longer.", known=[("persona", "length of answers", "short")])
    assert "longer" in later["persona.length of answers"].content


def test_a_fact_to_remember_is_no_wish():
    assert core("Remember that my bike is in the shed.") == {}


KNOWN = [
    ("human", "job", "teacher"),
    ("human", "employer", "a school"),
    ("human", "home", "Leeds"),
    ("human", "favourite film", "Alien"),
]


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("From Monday I'm working for a private clinic in Harrogate.", {"employer": "a private clinic in Harrogate"}),
        ("We've moved! We're in York now.", {"home": "York"}),
        ("We're in Rome now, on holiday.", {}),
        ("I no longer live in Leeds.", {"home": ""}),
        ("I lost my job, I'm a bus driver now.", {"job": "bus driver", "employer": ""}),
        ("I'm a bus driver now. I lost my job.", {"job": "bus driver", "employer": ""}),
        ("I've been made redundant.", {"job": "", "employer": ""}),
        ("I got a new job as a baker.", {"job": "baker"}),
        ("I'm not working at the school any more.", {"employer": ""}),
        ("Heat is my favourite film now.", {"favourite film": "Heat"}),
        ("My favourite film is now Heat, not Alien.", {"favourite film": "Heat"}),
        ("I started a band.", {}),
        ("I'm working from home these days.", {}),
    ],
)
def test_a_change_takes_the_place_of_the_value_and_a_loss_ends_it(said, changed):
    values = core(said, known=KNOWN)
    assert {key.removeprefix("human."): entry.content for key, entry in values.items()} == changed


def test_a_wish_asked_as_a_question_is_a_wish():
    values = core("Could you please always answer me in French?")
    assert values["persona.language of answers"].content == (
        "The user wants the assistant to always answer the user in French."
    )
