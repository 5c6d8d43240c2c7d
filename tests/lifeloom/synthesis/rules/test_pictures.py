"""What the rules on pictures catch and what they let pass, on a plan by hand."""

from __future__ import annotations

import datetime as dt

import pytest

from lifeloom.records import (
    Appearance,
    ConversationPlan,
    PersonLook,
    PicturePlan,
    PictureReference,
    PictureSubject,
    PlannedFact,
    PlannedPicture,
    SessionPlan,
    Statement,
    Turn,
    TurnPlan,
)
from lifeloom.synthesis.review import ReviewAnswers
from lifeloom.synthesis.rules.pictures import PictureRules
from lifeloom.synthesis.rules.structure import structural_problems
from lifeloom.synthesis.rules.wording import WordingRules
from lifeloom.synthesis.validation import Validator
from tests.written import ANSWER, CALM, USER, Scripted, conversation, persona, plan

START = dt.datetime(2025, 3, 13, 14, 30, tzinfo=dt.UTC)
SHOWN = PictureReference(content_hash="0" * 64, width=512, height=512)
LOOK = Appearance(hair="bob", hair_colour="#000000", skin="#ffccaa", brows="up")

ALBUM, PORTRAIT, COLOUR, PLACE, PERSON, THING, PLAIN, TWO = range(8)


def scene(*subjects: PictureSubject, place: str = "beach") -> PicturePlan:
    return PicturePlan(picture_id="picture-1", kind="scene", place=place, subjects=subjects, seed=1)


def someone(name: str) -> PictureSubject:
    return PictureSubject(kind="person", name=name, identity=name.lower(), appearance=LOOK)


def fact(fact_id: str, value: str, kind: str = "hidden_taste", phrase: str = "next big buy", **more: object):
    return PlannedFact(
        fact_id=fact_id,
        area="home",
        kind=kind,
        attribute=f"attribute-{fact_id}",
        phrase=phrase,
        value=value,
        status="current",
        stated_in=(0,),
        pictured=True,
        **more,
    )


def shows(fact_id: str, *subjects: PictureSubject, place: str = "office") -> PlannedPicture:
    return PlannedPicture(role="statement", picture=scene(*subjects, place=place), fact_id=fact_id)


def pictured_plan() -> ConversationPlan:
    album = PlannedPicture(
        role="album",
        handle="the kite weekend",
        picture=scene(
            someone("Priya"),
            PictureSubject(kind="animal", name="sheep", count=3),
            PictureSubject(kind="object", name="umbrella", colour="red"),
            PictureSubject(kind="object", name="kite"),
        ),
    )
    portrait = PlannedPicture(
        role="portrait",
        person_id="person-priya",
        picture=PicturePlan(picture_id="picture-2", kind="portrait", subjects=(someone("Priya"),), seed=2),
    )
    car = PictureSubject(kind="object", name="car", colour="orange")
    mouse = PictureSubject(kind="animal", name="mouse")
    turns = [
        ("picture", (album,), ()),
        ("picture", (portrait,), ()),
        ("statement", (shows("colour", car),), (Statement(fact_id="colour", kind="direct"),)),
        (
            "statement",
            (shows("place", place="living room"),),
            (Statement(fact_id="place", kind="shift", previous_fact_id="before"),),
        ),
        ("statement", (shows("person", someone("Will")),), (Statement(fact_id="person", kind="direct"),)),
        ("statement", (shows("thing", mouse),), (Statement(fact_id="thing", kind="other_person"),)),
        ("small_talk", (), ()),
        ("picture", (portrait, album), ()),
    ]
    return ConversationPlan(
        plan_id="plan-1",
        persona_id="persona-1",
        setting="train",
        edition="corpus",
        offset_minutes=0,
        facts=(
            fact("colour", "orange", phrase="favourite colour for a car"),
            fact("place", "living room", kind="pattern", phrase="Sunday spot"),
            fact("before", "beach", kind="pattern", phrase="Sunday spot"),
            fact("person", "Will", kind="bond", phrase="Saturday company"),
            fact("thing", "mouse", holder_name="Olu", holder_relation="colleague"),
        ),
        shifts=(),
        sessions=(
            SessionPlan(
                session_id="session-1", session_index=0, first_turn=0, last_turn=7, topics=("home",), big_five=CALM
            ),
        ),
        turns=tuple(
            TurnPlan(
                turn_index=index,
                session_index=0,
                at=START + index * dt.timedelta(minutes=3),
                act=act,
                area="home",
                statements=statements,
                pictures=pictures,
            )
            for index, (act, pictures, statements) in enumerate(turns)
        ),
        looks=tuple(
            PersonLook(person_id=f"person-{name.lower()}", name=name, appearance=LOOK)
            for name in ("Priya", "Will", "Olu", "May")
        ),
    )


def turn(index: int, user: str, assistant: str = ANSWER, pictures: int | None = None) -> Turn:
    planned = pictured_plan().turns[index]
    return Turn(
        turn_id=f"turn-{index}",
        persona_id="persona-1",
        session_id="session-1",
        turn_index=index,
        at=planned.at,
        offset_minutes=0,
        user=user,
        assistant=assistant,
        pictures=(SHOWN,) * (len(planned.pictures) if pictures is None else pictures),
    )


RULES = PictureRules(pictured_plan())


def problems(index: int, user: str, assistant: str = ANSWER, pictures: int | None = None) -> list[str]:
    found = list(RULES.check(turn(index, user, assistant, pictures)))
    assert all(finding.certain and finding.detail for finding in found)
    assert all((finding.session_index, finding.turn_index) == (0, index) for finding in found)
    return [finding.reason for finding in found]


GOOD = {
    ALBUM: "Here is one from the kite weekend <img>. I had to show you, we laughed so much. Can you book a table?",
    PORTRAIT: "This is Priya <img>. You will hear of her more often.",
    COLOUR: "When I think of my favourite colour for a car, this one says it all: <img>",
    PLACE: "My Sunday spot has moved, this is where I sit these days <img>.",
    PERSON: "Saturday company again, <img>, as so often. I will remember it.",
    THING: "Olu, my colleague, keeps coming back to this one <img>.",
    PLAIN: "I walked the dog with Priya at the beach under an orange sky, what a car ride it was.",
    TWO: "This is Priya <img>, and this is from the kite weekend <img>.",
}


@pytest.mark.parametrize("index", GOOD)
def test_texts_that_mark_their_pictures_and_give_nothing_away_pass(index: int) -> None:
    assert problems(index, GOOD[index]) == []


@pytest.mark.parametrize(
    ("index", "user", "assistant"),
    [
        (ALBUM, "Here is one from the kite weekend.", ANSWER),
        (ALBUM, "Here <img> is one from the kite weekend <img>.", ANSWER),
        (ALBUM, GOOD[ALBUM], f"{ANSWER} <img>"),
        (ALBUM, "Here is one from the kite weekend <IMG>.", ANSWER),
        (TWO, "This is Priya <img>, and this is from the kite weekend.", ANSWER),
        (PLAIN, f"{GOOD[PLAIN]} <img>", ANSWER),
        (PLAIN, GOOD[PLAIN], f"{ANSWER} <img>"),
    ],
)
def test_each_picture_is_marked_once_by_the_user_and_never_by_the_assistant(
    index: int, user: str, assistant: str
) -> None:
    assert problems(index, user, assistant) == ["picture_marks"]


def test_a_turn_has_the_pictures_that_are_planned() -> None:
    assert problems(ALBUM, GOOD[ALBUM], pictures=0) == ["picture_marks"]
    assert problems(PLAIN, GOOD[PLAIN], pictures=1) == ["picture_marks"]


@pytest.mark.parametrize(
    ("index", "words"),
    [
        (ALBUM, "Look at the sheep!"),
        (ALBUM, "An umbrella came in handy."),
        (ALBUM, "My lovely red umbrella."),
        (ALBUM, "Umbrellas everywhere."),
        (ALBUM, "Their KITE flew off."),  # the handle may say it, the rest may not
        (ALBUM, "We were at the beach."),
        (ALBUM, "What a wide beach it is: the beach."),
        (ALBUM, "Priya was there."),
        (ALBUM, "May was there."),  # somebody else, who is not even in it
        (TWO, "Will was there."),
        (TWO, "We were at the beach."),
        (PORTRAIT, "She is a friend of May."),
        (COLOUR, "Orange it is."),
        (COLOUR, "The car is a beauty."),
        (PLACE, "It is the living room now."),
        (PLACE, "In a living room one rests."),
        (PLACE, "It used to be the beach."),  # what is left behind is not named either
        (PERSON, "Will it was."),
        (THING, "That mouse is so cute."),
        (THING, "Mice are so cute."),
        (THING, "May likes it too."),
    ],
)
def test_neither_user_nor_assistant_names_what_a_picture_shows(index: int, words: str) -> None:
    good = GOOD[index]

    assert problems(index, f"{good} {words}") == ["picture_described"]
    assert problems(index, good, f"{ANSWER} {words}") == ["picture_described"]
    assert problems(index, f"{words} {good}", f"{words} {ANSWER}") == ["picture_described"] * 2


@pytest.mark.parametrize(
    ("index", "words"),
    [
        (ALBUM, "The dog was not there, nor a drum."),  # not in it
        (ALBUM, "The market is far away."),
        (ALBUM, "It may rain, will it not?"),  # no names
        (ALBUM, "I kite surf, and it was red hot."),
        (ALBUM, "Good people."),
        (PORTRAIT, "Priya is a friend."),
        (COLOUR, "The red mug broke."),
        (COLOUR, "I care about carpets."),
        (PLACE, "The living is easy, there is room for all."),
        (THING, "Olu likes the owl in the office chair."),
    ],
)
def test_other_words_pass(index: int, words: str) -> None:
    if index == THING:
        words = words.replace(" in the office chair", "")

    assert problems(index, f"{GOOD[index]} {words}", f"{ANSWER} {words}") == []


@pytest.mark.parametrize(("name", "word"), [("bicycle", "bike"), ("telephone", "phones"), ("teddy bear", "teddy")])
def test_other_words_for_a_thing_count_as_its_name(name: str, word: str) -> None:
    made = pictured_plan()
    turns = list(made.turns)
    shown = turns[THING].pictures[0]
    subject = PictureSubject(kind="object", name=name)
    picture = shown.picture.model_copy(update={"subjects": (subject,)})
    turns[THING] = turns[THING].model_copy(update={"pictures": (shown.model_copy(update={"picture": picture}),)})
    rules = PictureRules(made.model_copy(update={"turns": tuple(turns)}))

    assert [f.reason for f in rules.check(turn(THING, f"{GOOD[THING]} My {word}!"))] == ["picture_described"]
    assert list(rules.check(turn(THING, GOOD[THING]))) == []


def test_things_that_no_vocabulary_knows_are_found_by_their_name() -> None:
    made = pictured_plan()
    album = made.turns[ALBUM].pictures[0]
    picture = scene(PictureSubject(kind="object", name="sundial"), place="orchard")
    shown = album.model_copy(update={"picture": picture})
    turns = (made.turns[ALBUM].model_copy(update={"pictures": (shown,)}), *made.turns[1:])
    rules = PictureRules(made.model_copy(update={"turns": turns}))

    for words in ("A sundial!", "Sundials!", "In the orchard."):
        assert [f.reason for f in rules.check(turn(ALBUM, f"{GOOD[ALBUM]} {words}"))] == ["picture_described"]
    assert list(rules.check(turn(ALBUM, GOOD[ALBUM]))) == []


# Among the other rules


def test_the_rules_on_words_leave_pictured_values_to_the_rules_on_pictures() -> None:
    rules = WordingRules(pictured_plan())

    for index in (COLOUR, PLACE, PERSON, THING):
        assert list(rules.check(turn(index, GOOD[index]))) == []
    told = turn(COLOUR, f"{GOOD[COLOUR]} Orange it is.")
    assert "picture_described" in [finding.reason for finding in rules.check(told)]
    # A pictured value is a plain word: elsewhere it says nothing about the user.
    assert list(rules.check(turn(PLAIN, "The living room is warm, and so are the mice in it."))) == []


def signed_plan(sign: str = "comparing theory tests", previous: str = "") -> ConversationPlan:
    made = plan()
    facts = tuple(
        fact.model_copy(update={"kind": "hidden_intent"}) if fact.fact_id in ("old", "new") else fact
        for fact in made.facts
    )
    turns = list(made.turns)
    turns[0] = turns[0].model_copy(update={"statements": (Statement(fact_id="old", kind="direct", sign=sign),)})
    turns[3] = turns[3].model_copy(
        update={
            "statements": (
                Statement(fact_id="new", kind="shift", previous_fact_id="old", sign=sign, previous_sign=previous),
            )
        }
    )
    return made.model_copy(update={"facts": facts, "turns": tuple(turns)})


@pytest.mark.parametrize(
    ("index", "text", "expected"),
    [
        (0, "I spent the whole evening comparing theory tests.", []),
        (0, "I spent the whole evening on the sofa.", ["value_not_worded"]),
        (0, "I was comparing theory tests, for green tea I mean.", ["value_given_away"]),
        (3, "I am done with reading maps; these days it is comparing theory tests.", []),
        (3, "These days it is comparing theory tests.", ["value_not_worded"]),
        (3, "I am done with reading maps; now it is comparing theory tests, so cocoa.", ["value_given_away"]),
        (3, "From green tea and reading maps to comparing theory tests.", ["value_given_away"]),
    ],
)
def test_what_only_signs_show_is_said_by_its_sign_alone(index: int, text: str, expected: list[str]) -> None:
    rules = WordingRules(signed_plan(previous="reading maps"))
    written = conversation().turns[index].model_copy(update={"user": text})

    found = [finding.reason for finding in rules.check(written)]

    assert [reason for reason in found if reason.startswith("value_")] == expected


# Structure and repair


def test_conversations_of_a_data_set_have_a_mark_for_every_picture() -> None:
    good = conversation()
    assert structural_problems(good.sessions, good.turns) == []

    turns = list(good.turns)
    turns[2] = turns[2].model_copy(update={"user": f"{turns[2].user} <img>"})
    turns[4] = turns[4].model_copy(update={"pictures": (SHOWN,)})
    turns[5] = turns[5].model_copy(update={"user": f"<img> {turns[5].user}", "pictures": (SHOWN,)})

    assert structural_problems(good.sessions, turns) == [
        "persona-1: turn 2 has 1 <img> for 0 pictures",
        "persona-1: turn 4 has 0 <img> for 1 pictures",
    ]


def test_a_stray_mark_is_written_again_and_rejected_where_it_stays() -> None:
    bad = {"user_5": f"{USER[5]} <img>"}
    validator = Validator(None, answers=ReviewAnswers({}), where="corpus/dialogues/shard-000")

    mended = validator.validate(plan(), persona(), conversation(**bad), Scripted())
    assert mended.conversation is not None
    assert mended.conversation.turns == conversation().turns
    assert "picture marks" in mended.repairs[0].why

    lost = validator.validate(plan(), persona(), conversation(**bad), Scripted(**bad))
    assert lost.conversation is None
    assert [rejection.reason for rejection in lost.rejections] == ["picture_marks"]
