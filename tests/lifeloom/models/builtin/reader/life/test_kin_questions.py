"""Who somebody is, and what somebody is called."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.reader.life import answer_life
from lifeloom.tasks import KnownConcept, LifeAnswerInput

PEOPLE = (
    KnownConcept(
        concept_id="v-c-javier", name="Javier", role="Account Owner", persona="Javier works as a lighthouse keeper."
    ),
    KnownConcept(
        concept_id="v-c-giulia",
        name="Giulia",
        role="Owner's Aunt",
        persona="Giulia, who is 81, is fond of old maps and opera.",
    ),
    KnownConcept(concept_id="v-c-filip", name="Filip", role="Owner's Grandson"),
)


def _answer(question: str) -> str:
    def never():
        raise AssertionError("no vector is needed")

    return answer_life(LifeAnswerInput(owner="Javier", question=question, concepts=PEOPLE), never, [], [], 1.0)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is my aunt's name?", "Giulia"),
        ("What is the name of Javier's grandson?", "Filip"),
        ("Who is Filip to me?", "grandson"),
        ("Who is Giulia?", "aunt"),
        ("How is Giulia related to Javier?", "aunt"),
        ("Who is Javier?", "account owner"),
        ("Who is my grandson?", "Filip"),
        ("How old is Giulia?", "81"),
        ("What does Javier do for a living?", "lighthouse keeper"),
        ("What is my aunt keen on?", "old maps"),
        ("How old is my grandson?", "I do not know"),
    ],
)
def test_people_are_told_by_name_and_by_relation(question: str, words: str) -> None:
    assert words in _answer(question)


def test_whoever_is_unknown_stays_unknown() -> None:
    assert _answer("What is my uncle's name?") == "I do not know."
