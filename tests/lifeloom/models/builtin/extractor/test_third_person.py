"""The speaker becomes "the user", with verbs that fit; nothing else changes."""

import pytest

from lifeloom.models.builtin.extractor.third_person import third_person


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I drink green tea.", "The user drinks green tea."),
        ("I'm a nurse and I've got two sons", "The user is a nurse and the user has got two sons."),
        ("I really love my garden!", "The user really loves the user's garden!"),
        ("Do I like opera? I don't.", "Does the user like opera? The user doesn't."),
        ("They asked me, and I carried it myself.", "They asked the user, and the user carried it themselves."),
        ("I'd rather walk; I'd been ill.", "The user would rather walk; the user had been ill."),
        (
            "I try, I wash, I was late, I went home",
            "The user tries, the user washes, the user was late, the user went home.",
        ),
        ("My name is Ines and I live in Lyon.", "The user's name is Ines and the user lives in Lyon."),
        ("We live in Leeds.", "The user lives in Leeds."),
        ("What can't I stand?", "What can't the user stand?"),
        ("I'd never have thought it.", "The user would never have thought it."),
        ("I'd always wanted a dog.", "The user had always wanted a dog."),
        ("I work in Leeds and live in York.", "The user works in Leeds and lives in York."),
        ("I want to go and live in Spain.", "The user wants to go and live in Spain."),
        ("My wife and I live in Leeds.", "The user's wife and the user live in Leeds."),
        ("I have a wife and I love her.", "The user has a wife and the user loves her."),
    ],
)
def test_the_first_person_becomes_the_user(said, told):
    assert third_person(said) == told


def test_two_people_who_share_a_verb_keep_its_plural():
    assert third_person("Ana and I are rivals; we row.", several=True) == "Ana and the user are rivals; they row."
    assert third_person("I and Ana are friends.", several=True) == "The user and Ana are friends."


def test_a_list_number_or_another_language_is_left_alone():
    assert third_person("Room i, section ii") == "Room i, section ii."
    assert third_person("我喜欢喝茶。") == "我喜欢喝茶。"
