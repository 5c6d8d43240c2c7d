"""What is kept of one turn: what people say of themselves and of those around them, and nothing else."""

import pytest

from lifeloom.models.builtin.extractor import semantic_text
from lifeloom.models.builtin.reader.looking import looked_at
from tests.eyes import sight
from tests.lifeloom.models.builtin.extractor.asking import contents, remembered, semantic_input


@pytest.mark.parametrize(
    ("said", "kind", "kept"),
    [
        ("I work as a welder in Gdansk.", "fact", "The user works as a welder in Gdansk."),
        ("I can't stand coriander.", "preference", "The user can't stand coriander."),
        ("My sister Edith keeps bees on her roof.", "fact", "The user's sister Edith keeps bees on her roof."),
        ("I want to walk the whole coast path.", "fact", "The user wants to walk the whole coast path."),
        ("Every Sunday I bake two loaves of rye.", "preference", "Every Sunday the user bakes two loaves of rye."),
        ("I used to row, but now I sail.", "fact", "The user used to row, but now the user sails."),
        ("I don't eat pork.", "fact", "The user doesn't eat pork."),
        ("It's not Bristol but Bath that I live in.", "fact", "It's not Bristol but Bath that the user lives in."),
        ("Please remember that my locker code is 4711.", "directive", "The user's locker code is 4711."),
        ("Call me Kit.", "directive", "The user wants to be called Kit."),
    ],
)
def test_what_is_told_is_kept_in_the_third_person_with_its_kind(said, kind, kept):
    (entry,) = remembered(f"Hello there. {said} Could you suggest a film?")
    assert (entry.kind, entry.content) == (kind, kept)
    assert entry.reason


@pytest.mark.parametrize(
    "said",
    [
        "Why do cats purr?",
        "Write a short poem about rain, please. Make it rhyme.",
        "Good morning! Let me ask you something.",
        "The bus was late again and somebody sang in the street.",
        "Thanks, that was helpful. Have a good day!",
        "Suppose I lived on the moon. How high could I jump?",
        "Translate into French: my name is Otto and I live in Bonn.",
        "He wrote: 'I am a lonely shepherd and I love my seventeen sheep dearly.' Is that a good opening?",
    ],
)
def test_small_talk_errands_quotations_and_fiction_leave_nothing(said):
    assert contents(said) == []
    assert "decision: no" in semantic_text(semantic_input(said))


def test_several_things_in_one_message_are_kept_one_by_one():
    kept = contents("I'm a cellist. My brother Jonas paints. I also hate mornings. Any tips for an audition?")
    assert kept == ["The user is a cellist.", "The user's brother Jonas paints.", "The user also hates mornings."]


def test_a_sentence_that_takes_back_the_one_before_it_is_kept_with_it():
    (kept,) = contents("I wanted to buy a houseboat this year. I've given up on that.")
    assert kept == "The user wanted to buy a houseboat this year. The user has given up on that."


def test_that_one_is_kept_with_what_it_means():
    (kept,) = contents("I'll take that one.", "I am wondering about the oak desk for my study.", "It would look good.")
    assert "oak desk" in kept
    assert kept.startswith("The user will take that one.")


def test_he_and_she_are_kept_with_the_person_of_the_message_before():
    (entry,) = remembered("She collects clocks.", "My aunt Greta is visiting.", "How nice!")
    assert "aunt Greta" in entry.content
    assert "collects clocks" in entry.content
    assert entry.kind == "fact"


def test_an_answer_is_kept_with_the_question_of_the_assistant():
    (kept,) = contents("Never tried it.", "What goes with rice?", "Have you ever had durian?")
    assert "durian" in kept


def test_please_remember_that_takes_up_the_sentence_before_it():
    (entry,) = remembered("My landlady's phone number ends in 88. Please remember that.")
    assert entry.kind == "directive"
    assert "ends in 88" in entry.content


def test_a_portrait_is_a_concept_by_name_and_relation_and_the_relation_a_fact_too():
    entries = remembered("This is Fatou, my cousin <img>. What do you think?")
    assert (entries[0].kind, entries[0].content, entries[0].picture) == (
        "visual_concept",
        "Fatou, the user's cousin <img>",
        1,
    )
    assert any(entry.kind == "fact" and "cousin" in entry.content for entry in entries[1:])


def test_a_thing_of_the_users_is_a_concept_with_its_name():
    (entry, *_) = remembered("Look, this is my dog Rex <img>")
    assert (entry.kind, entry.content) == ("visual_concept", "Rex, the user's dog <img>")


def test_to_remember_somebody_in_a_picture_is_a_concept():
    (entry, *_) = remembered("Remember the boy in this picture. <img>")
    assert (entry.kind, entry.content, entry.picture) == ("visual_concept", "the boy <img>", 1)


def test_a_portrait_without_a_relation_is_a_concept_by_name():
    (entry,) = remembered("So that you know the face, this is Yasmin. <img>")
    assert (entry.kind, entry.content) == ("visual_concept", "Yasmin <img>")


@pytest.mark.parametrize(
    "said",
    [
        "Remember the boy in this picture: he is my son Leo. <img>",
        "Remember the person in this picture, this is my son Leo <img>",
    ],
)
def test_who_is_to_be_remembered_has_the_name_that_is_told(said):
    assert remembered(said)[0].content == "Leo, the user's son <img>"


def test_what_a_picture_stands_for_is_named_where_it_was_looked_at():
    looked = [looked_at(sight("; red mug; kitchen"))]
    (entry,) = remembered("My usual way to have tea looks like this. <img>", looked=looked)
    assert "red mug" in entry.content
    assert "The user's usual way to have tea" in entry.content
    assert "<img>" not in entry.content


def test_the_words_for_a_picture_may_stand_before_or_after_it():
    looked = [looked_at(sight("; green hat"))]
    (after,) = remembered("What a lovely day it was! <img> That is my usual hat colour.", looked=looked)
    (before,) = remembered("My usual hat colour came out wrong. Here is the true one. <img>", looked=looked)
    assert "green hat" in after.content
    assert "usual hat colour" in after.content
    assert "green hat" in before.content
    assert "came out wrong" in before.content


def test_a_caption_beside_a_picture_does_not_shift_its_place():
    quoted = (
        "I wrote: “One goat. Two goats. Three goats, and no fence in sight.” My usual Sunday looks like this. <img>"
    )
    (entry,) = remembered(quoted, looked=[looked_at(sight("; goat; farm"))])
    assert "usual Sunday" in entry.content
    assert "goat" in entry.content


def test_an_abstract_liking_of_a_picture_is_kept_as_text():
    (entry,) = remembered("I like this style a lot. <img>")
    assert entry.kind == "preference"
    assert "likes this style" in entry.content


def test_keywords_begin_with_the_people_and_hold_no_function_words():
    (entry,) = remembered("My colleague Stefan plays the tuba.")
    assert entry.keywords == ("Stefan", "colleague", "plays", "tuba")


def test_haste_in_typing_changes_nothing():
    assert contents("im allergic to cats") == ["The user is allergic to cats."]
    assert contents("Just moved to Oslo.") == ["The user just moved to Oslo."]


def test_a_very_long_sentence_is_cut_to_fit_the_form():
    (entry,) = remembered(f"I love {'very ' * 30_000}strong coffee.")
    assert len(entry.content) <= 500


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "From Monday I'm working for a private clinic in Harrogate.",
            "From Monday the user is working for a private clinic in Harrogate.",
        ),
        ("We're in York now.", "The user is in York now."),
        ("We've moved! We're in York now.", "The user has moved! The user is in York now."),
        (
            "Finished Middlemarch last night, started Wolf Hall.",
            "The user finished Middlemarch last night, started Wolf Hall.",
        ),
        ("Olek is actually five, not four. I mixed it up, sorry.", "Olek is actually five, not four."),
        ("I've been reading Dune lately.", "The user has been reading Dune lately."),
        ("I got a new job as a baker.", "The user got a new job as a baker."),
    ],
)
def test_how_things_stand_now_and_what_is_put_right_is_kept(said, kept):
    assert contents(said) == [kept]


@pytest.mark.parametrize(
    "said",
    [
        "Sorry, I mixed it up.",
        "I got that wrong, sorry about that.",
        "My mistake.",
        "Anyway.",
        "I'm back now.",
        "I've just finished lunch.",
        "The capital of Australia is actually Canberra, not Sydney.",
    ],
)
def test_a_remark_about_the_telling_or_a_passing_state_leaves_nothing(said):
    assert contents(said) == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Short answers, please.", "The user wants short answers."),
        ("I'd like you to keep your answers short.", "The user wants the assistant to keep its answers short."),
        ("Don't use emojis with me, please.", "The user wants the assistant not to use emojis with the user."),
        ("I like it when you give examples.", "The user likes it when the assistant gives examples."),
        ("Please remember to answer in Polish.", "The user wants the assistant to answer in Polish."),
        ("You're far too formal for me.", "The assistant is far too formal for the user."),
    ],
)
def test_a_wish_for_the_manner_says_who_wants_what_of_whom(said, kept):
    (entry,) = remembered(said)
    assert (entry.kind, entry.content) == ("directive", kept)


def test_a_name_beside_does_not_make_we_somebody_elses():
    assert contents("We have two kids, Olek and Maja.") == ["The user has two kids, Olek and Maja."]
    (kept,) = contents("My nephew Tom is coming to stay with us.")
    assert kept == "The user's nephew Tom is coming to stay with the user."


@pytest.mark.parametrize(
    "said", ["Remember the boy: he is my son Leo. <img>", "Remember the boy, he is my son Leo <img>"]
)
def test_the_boy_who_is_to_be_remembered_keeps_his_name(said):
    assert remembered(said)[0].content == "Leo, the user's son <img>"


def test_a_portrait_of_a_nephew_keeps_the_relation():
    assert remembered("This is my nephew Tom <img>")[0].content == "Tom, the user's nephew <img>"
