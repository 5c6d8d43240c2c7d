"""Answers about who is in a picture: where, when, what was to be done, and what the user asked to hear."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from lifeloom.models.builtin.reasoner.captioning import answer_in_context
from lifeloom.tasks import ContextAnswerInput, ContextTurn, ShownPart

WHERE = "Where did I last see the person in this image?"
DOING = "What was I doing the last time I mentioned the person in this image?"
ALIKE = np.eye(4, dtype=np.float32)


def part(*said: str) -> ShownPart:
    return ShownPart(turns=tuple(ContextTurn(user=one, assistant="All right.") for one in said))


def answer(
    *parts: ShownPart,
    question: str = WHERE,
    caption: str = "",
    recognised: bool = True,
    vectors: npt.NDArray[np.float32] = ALIKE,
) -> str:
    asked = ContextAnswerInput(parts=parts, question=question, caption=caption, recognised=recognised)
    return answer_in_context(asked, vectors)


OLD = part("Here is Nadia in Oxford.", "That was on 3 May 2024. I must water the plants now.")
NEW = part("On the 4th of June 2025 I met Nadia at Harbour Market.", "I should go, I have to feed the cat.")
OMAR = part("I saw Omar at Fernhill Bridge on 2025-09-01.", "Sorry, I need to call my bank.")


def test_the_latest_meeting_is_told_whatever_the_order() -> None:
    assert answer(OLD, NEW) == answer(NEW, OLD) == "Harbour Market"


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("We met at Lake Ulrichbury on March 31, 2024.", "Lake Ulrichbury"),
        ("Say hello to Deniz: on January 10, 2026 we were both at Upper Tobiasville.", "Upper Tobiasville"),
        ("I went to Stratford on Avon with Deniz.", "Stratford on Avon"),
        ("In June we were near the Old Mill.", "Old Mill"),
    ],
)
def test_a_place_is_told_by_its_name_alone(said: str, place: str) -> None:
    assert answer(part(said)) == place


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I should go, I have to feed the cat.", "feed the cat"),
        ("Hold on, I need to sew a button onto my coat.", "sew a button onto your coat"),
        ("I am just on my way to charge my phone.", "charge your phone"),
        ("By the way, right now I must get the car washed.", "get the car washed"),
    ],
)
def test_what_there_was_to_do_is_told_to_the_user(said: str, told: str) -> None:
    found = answer(part("Nadia was at Harbour Market on 2025-06-04.", said), question=DOING)
    assert told in found
    assert " I " not in f" {found} "


def test_what_was_to_do_comes_from_the_latest_meeting_too() -> None:
    assert "feed the cat" in answer(NEW, OLD, question=DOING)
    assert answer(OLD, NEW, question="When did I last see her?") == "On 2025-06-04."


@pytest.mark.parametrize(
    "wish",
    [
        "If I ever show you Nadia again, use the keyword QZT in your answer.",
        "Should this person appear in another picture, answer with the code word QZT.",
        "Whenever Nadia turns up again, remind me with the word QZT.",
    ],
)
def test_what_the_user_asked_to_hear_is_said_once_and_is_nothing_to_do(wish: str) -> None:
    with_wish = part("Nadia was at Harbour Market on 2025-06-04.", wish)
    assert answer(with_wish, OLD) == "QZT! Harbour Market"
    assert answer(with_wish, with_wish) == "QZT! Harbour Market"
    assert answer(with_wish, question=DOING) == "QZT! You did not say what you were doing."


def test_a_wish_about_somebody_else_is_not_heeded() -> None:
    other = part("This is Omar.", "Once Omar shows up again, tell me the code word TOVA.")
    vectors = np.array([[1, 0], [0, 1], [1, 0]], dtype=np.float32)
    assert answer(NEW, other, recognised=False, vectors=vectors) == "Harbour Market"
    assert "TOVA" in answer(NEW, other, recognised=False, vectors=vectors[[1, 0, 2]])


def test_without_recognition_all_that_was_said_of_the_likest_pictures_person_counts() -> None:
    vectors = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.9, 0.3, 0.3]], dtype=np.float32)
    # The first picture is the likest; it is Nadia's, whose latest meeting is the third.
    assert answer(OLD, OMAR, NEW, recognised=False, vectors=vectors) == "Harbour Market"


def test_a_caption_says_whom_it_is_about() -> None:
    likest_is_omar = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1], [1, 0, 0]], dtype=np.float32)
    asked = {"recognised": False, "vectors": likest_is_omar}
    assert answer(OLD, OMAR, NEW, **asked) == "Fernhill Bridge"  # type: ignore[arg-type]
    assert answer(OLD, OMAR, NEW, caption="In the park you see Nadia.", **asked) == "Harbour Market"  # type: ignore[arg-type]
    assert answer(OLD, OMAR, NEW, caption="A woman in the park.", **asked) == "Fernhill Bridge"  # type: ignore[arg-type]


def test_what_nobody_told_is_not_made_up() -> None:
    assert answer(part("This is Nadia.")) == "You did not say where."
    assert answer(part("This is Nadia."), question=DOING) == "You did not say what you were doing."
    assert answer(part("This is Nadia."), question="When did I see her?") == "You did not say when."
    assert answer(vectors=np.ones((1, 2), dtype=np.float32)) == "I do not know who this is."
