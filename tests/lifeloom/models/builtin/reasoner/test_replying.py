"""Open questions over a small life: what the built-in reasoner replies, and how it speaks to the user."""

import re
from typing import Any

import numpy as np
import pytest

from lifeloom.assistant.parsing import Answer, Retrieve, parse_step
from lifeloom.models.builtin.reasoner import step_text
from lifeloom.models.builtin.reasoner.acknowledging import acknowledged
from lifeloom.models.builtin.reasoner.addressing import second_person, to_user
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.tasks import ContextMessage, ProfileLine, ResponseStepInput, RetrievedMemory, RetrievedRound

ENCODER = MiniLmEncoder()
UNKNOWN = "I do not know that yet. If you tell me, I will remember it."

PROFILE = tuple(
    ProfileLine(block="human", key=key, content=content)
    for key, content in (
        ("name", "Mirela"), ("age", "41"), ("home", "Lund"), ("job", "bookbinder"), ("employer", "the city archive"),
        ("allergy", "hazelnuts"), ("intolerance", "lactose intolerant"), ("languages", "Swedish and Romanian"),
        ("favourite composer", "Satie"),
    )
)  # fmt: skip
KNOWN = (
    ("2026-01-03 09:00", "The user's favourite film is Paddington."),
    ("2026-01-04 09:00", "The user drives an old Saab."),
    ("2026-01-05 09:00", "The user works late on most Thursdays."),
    ("2026-01-06 09:00", "The user goes swimming on Tuesday mornings."),
    ("2026-01-07 09:00", "The user has a whippet called Biscuit."),
    ("2026-01-08 09:00", "The user can't stand the smell of fennel."),
    ("2026-01-09 09:00", "The user is terrified of lifts."),
    ("2026-01-10 09:00", "The user's sister Dorina teaches chemistry in Cluj."),
    ("2026-01-11 09:00", "The user's neighbour Anders keeps bees behind the garage."),
    ("2026-01-12 09:00", "The user plays the accordion in a folk band."),
    ("2026-01-13 09:00", "The user has an appointment with the dentist on 14 April."),
    ("2026-01-14 09:00", "The user parks the bicycle in the cellar."),
    ("2026-01-15 09:00", "The user's mother turned seventy in January."),
    ("2026-01-16 09:00", "The user's brother Radu is a tram driver in Gothenburg."),
    ("2026-01-17 09:00", "The user is reading The Magic Mountain."),
    ("2026-01-20 09:00", "The user's son Emil broke his arm while skating."),
    ("2026-01-22 09:00", "The user sold the Saab and bought a Polestar."),
    ("2026-01-23 09:00", "The user's favourite film is now Paris, Texas."),
    ("2026-01-24 09:00", "The user has finished The Magic Mountain and is reading Stoner now."),
    ("2026-01-25 09:00", "The user stopped swimming on Tuesdays because of a sore shoulder."),
    ("2026-01-26 09:00", "The user's spare keys are with the neighbour Anders."),
    ("2026-01-27 09:00", "The user hikes in the Sarek mountains every August."),
    ("2026-01-28 09:00", "The user's colleague Petra is moving to Malmö."),
    ("2026-01-29 09:00", "The user paid 900 kronor for the accordion repair."),
    ("2026-01-30 09:00", "The user takes iron tablets before breakfast."),
)
SPOKEN = (
    ("2026-02-01 09:00", "The user asked: Where does the user live?", "Where do I live?"),
    ("2026-02-02 09:00", "The user asked: What car does the user drive?", "What car do I drive again?"),
    (
        "2026-02-03 09:00",
        "The user talked about a concert.",
        "We played at the Blekingska hall last night, full house!",
    ),
    ("2026-02-04 09:00", "The user talked about Emil.", "Emil has his cast off since today. He starts skating again."),
    ("2026-02-05 09:00", "The user spoke of a wedding.", "Radu is getting married to Ilse on 6 June."),
    ("2026-02-06 09:00", "The user asked for a film.", "Can you recommend a film for a rainy evening?"),
    ("2026-02-07 09:00", "The user spoke of the kitchen.", "I painted the kitchen walls dark green."),
)
GOALS = (("language goal", "The user wants to pass the B2 exam in Danish by summer."),)

# Question, what the answer must hold (a regular expression), what it must not hold.
QUESTIONS = (
    ("Where do I live?", "Lund", "asked"),
    ("Which city do I live in these days?", "Lund", ""),
    ("How old am I?", "41", ""),
    ("How old am I this year?", "41", ""),
    ("What's my name?", "Mirela", ""),
    ("Who am I?", "Mirela", ""),
    ("What can't I eat?", "hazelnuts.*lactose", "fennel"),
    ("What am I allergic to?", "hazelnuts", ""),
    ("What do I do for a living?", "bookbinder", "swimming"),
    ("Where do I work?", "city archive", "swimming"),
    ("What is my job?", "bookbinder", ""),
    ("Which languages do I speak?", "Romanian", ""),
    ("Who is my favourite composer?", "Satie", ""),
    ("What is my favourite film?", "Paris, Texas", "Paddington"),
    ("Which film do I like best?", "Paris, Texas", ""),
    ("What car do I have?", "Polestar", ""),
    ("What do I drive?", "Polestar", "again"),
    ("What breed is my dog?", "whippet", ""),
    ("What's my dog called?", "Biscuit", ""),
    ("Do I have any pets?", "whippet", ""),
    ("Which smell do I hate?", "fennel", ""),
    ("What can't I stand?", "fennel", ""),
    ("What am I afraid of?", "lifts", ""),
    ("What scares me?", "lifts", ""),
    ("Who is Dorina?", "Dorina is your sister|Your sister Dorina", "the user"),
    ("What does my sister do?", "chemistry", "bookbinder"),
    ("Who has my spare keys?", "Anders", "the user"),
    ("Which instrument do I play?", "accordion", ""),
    ("When do I see the dentist?", "14 April", ""),
    ("Where is my bike?", "cellar", ""),
    ("How old is my mum?", "seventy", "41"),
    ("What does Radu do for work?", "tram driver", "bookbinder"),
    ("What book am I reading?", "Stoner", ""),
    ("What happened to Emil?", "arm|cast", ""),
    ("When is my brother's wedding?", "6 June", ""),
    ("What colour is my kitchen?", "dark green", ""),
    ("Where did we play our concert?", "Blekingska", ""),
    ("Do I still swim on Tuesdays?", "stopped", ""),
    ("What did the accordion repair cost?", "900", ""),
    ("What do I take before breakfast?", "iron", ""),
    ("What am I learning for?", "Danish", ""),
    ("Where do I go hiking?", "Sarek", ""),
    ("What is my blood type?", "do not know", ""),
    ("What is my passport number?", "do not know", ""),
    ("Which football club do I support?", "do not know", ""),
    ("What's my husband's name?", "do not know", ""),
)  # fmt: skip


def looked_for(keywords: tuple[str, ...], without: set[str]) -> tuple[RetrievedMemory, ...]:
    """The four best of knowledge and the two best episodes, by their vectors alone."""
    found = []
    for kind, rows, most in (("semantic", KNOWN, 4), ("episodic", SPOKEN, 2)):
        vectors = ENCODER.encode([", ".join(keywords), *(row[1] for row in rows)])
        order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")
        kept = [rows[i] for i in order if rows[i][1] not in without][:most]
        found += [
            RetrievedMemory(
                kind=kind, at=row[0], content=row[1],
                turns=(ContextMessage(at=row[0], role="user", text=row[2]),) if kind == "episodic" else (),
            )
            for row in kept
        ]  # fmt: skip
    goals = [one for one in GOALS if one[1] not in without]
    return tuple(
        RetrievedMemory(kind="procedural", at="2026-01-02 09:00", key=key, content=text) for key, text in goals
    ) + tuple(found)


def step(query: str, **given: Any) -> ResponseStepInput:
    plain: dict[str, Any] = {
        "now": "2026-03-09 10:00", "weekday": "Monday", "profile": PROFILE, "personality": "", "context": (),
        "retrievals_left": 3,
    }  # fmt: skip
    return ResponseStepInput(query=query, **{**plain, **given})


def replied(query: str, think: Any = step_text, **given: Any) -> str:
    """The answer after as many retrievals as the reasoner asks for."""
    rounds: tuple[RetrievedRound, ...] = ()
    for left in (3, 2, 1, 0):
        text = think(step(query, rounds=rounds, retrievals_left=left, **given), ENCODER, (), 1.0)
        action = parse_step(text, 0).action
        if isinstance(action, Answer):
            return action.text
        assert isinstance(action, Retrieve)
        without = {memory.content for found in rounds for memory in found.memories}
        found = RetrievedRound(keywords=action.keywords, memories=looked_for(action.keywords, without))
        rounds = (*rounds, found)
    raise AssertionError("no answer")


def is_right(answer: str, wanted: str, unwanted: str) -> bool:
    return bool(re.search(wanted, answer, re.DOTALL)) and not (unwanted and unwanted in answer)


@pytest.mark.parametrize(("question", "wanted", "unwanted"), QUESTIONS)
def test_a_question_about_a_life_is_answered(question, wanted, unwanted):
    answer = replied(question)
    assert is_right(answer, wanted, unwanted), answer
    assert "the user" not in answer.lower()


def test_core_memory_answers_without_a_retrieval():
    said = parse_step(step_text(step("Where do I live?"), ENCODER, (), 1.0), 0)
    assert isinstance(said.action, Answer)
    assert said.action.text == "You live in Lund."


def test_what_the_user_says_in_the_session_is_newer_than_core_memory():
    moved = (ContextMessage(at="2026-03-09 09:50", role="user", text="We moved to Ystad on Saturday."),)
    assert "Ystad" in replied("Where do I live?", context=moved)
    mine = (ContextMessage(at="2026-03-09 09:50", role="user", text="My cousin moved to Ystad."),)
    assert replied("Where do I live?", context=mine) == "You live in Lund."


def test_without_a_profile_the_last_that_was_told_of_a_home_is_found():
    told = (
        ("2026-01-01 09:00", "The user lives in Porto."),
        ("2026-02-01 09:00", "The user's uncle has moved to Bergen."),
        ("2026-01-20 09:00", "The user has moved to a flat in Faro."),
    )
    memories = tuple(RetrievedMemory(kind="semantic", at=at, content=content) for at, content in told)
    rounds = (RetrievedRound(keywords=("home",), memories=memories),)
    thought = step_text(step("Where do I live?", profile=(), rounds=rounds, retrievals_left=0), ENCODER, (), 1.0)
    assert "Faro" in thought


def test_a_question_asked_earlier_is_never_an_answer():
    asked = RetrievedMemory(
        kind="episodic", at="2026-01-01 09:00", content="The user asked: Where does the user keep the ladder?",
        turns=(ContextMessage(at="2026-01-01 09:00", role="user", text="Where do I keep the ladder?"),),
    )  # fmt: skip
    known = RetrievedMemory(kind="semantic", at="2026-01-01 09:00", content=asked.content)
    rounds = (RetrievedRound(keywords=("ladder",), memories=(known, asked)),)
    said = step_text(step("Where do I keep the ladder?", rounds=rounds, retrievals_left=0), ENCODER, (), 1.0)
    assert UNKNOWN in said


def test_the_personality_in_the_prompt_is_told_when_asked_for():
    told = (
        "openness 4.3 (high: likes ideas and novelty); conscientiousness 3.0 (middle); extraversion 1.8 (low: quiet); "
        "agreeableness 3.2 (middle); neuroticism 3.0 (middle)"
    )
    answer = replied("What is my personality like?", personality=told)
    assert answer == "From how you write, you are high in openness and low in extraversion."


def test_a_goal_is_told_from_its_value():
    assert replied("What am I learning for?").startswith("You want to pass the B2 exam in Danish")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("The user stands on the left.", "You stand on the left."),
        ("The person on the right is Ciaran, the user's neighbour.",
         "The person on the right is Ciaran, your neighbour."),
        ("What does the user like?", "What do you like?"),
        ("The user has no idea what the user was told.", "You have no idea what you were told."),
        ("The user is vegan and works in Umeå.", "You are vegan and work in Umeå."),
        ("The user lost their keys.", "You lost your keys."),
        ("The user's brother sold their boat.", "Your brother sold their boat."),
        ("Olga waters the plants when the user is away.", "Olga waters the plants when you are away."),
        ("Olga thanked the user yesterday.", "Olga thanked you yesterday."),
        ("The user doesn't eat fish.", "You don't eat fish."),
        ("The user usually catches the early bus.", "You usually catch the early bus."),
    ],
)  # fmt: skip
def test_what_is_told_about_the_user_is_said_to_them(told, said):
    assert to_user(told) == said


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("My dog is old and I am sad, I've lost my keys", "Your dog is old and you are sad, you have lost your keys"),
        ("We’re moving, and I wasn't asked", "You are moving, and you weren't asked"),
        ("I also was there with our son", "You also were there with your son"),
    ],
)
def test_the_second_person_is_spoken_to_the_user(told, said):
    assert second_person(told) == said


@pytest.mark.parametrize(
    ("message", "understood"),
    [
        ("Actually, we live in Visby now.", "you live in Visby now."),
        ("I bought a red bicycle today.", "you bought a red bicycle today."),
        ("Sorry, I mixed it up. My niece is six.", "your niece is six."),
        ("Don't forget that I hate olives!", "I will remember that you hate olives."),
        ("My grandfather died on Sunday.", "I am sorry to hear that your grandfather died on Sunday."),
        ("I passed my driving test!", "That is good news: you passed my".replace("my", "your")),
    ],
)
def test_a_statement_is_acknowledged_with_what_was_understood(message, understood):
    assert understood in acknowledged(message)


def test_acknowledgements_vary_and_orders_are_not_repeated_as_facts():
    leads = {acknowledged(f"I own {n} chairs.").split(" ")[0] for n in range(12)}
    assert len(leads) > 2
    assert acknowledged("From now on, answer in one sentence.") == "Understood, I will remember to do so."
    assert acknowledged("It rains.")


def test_a_greeting_that_tells_something_is_no_mere_greeting():
    assert "you moved to Visby" in replied("Hello! I moved to Visby.")
