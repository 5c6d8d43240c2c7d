"""Captions: what a picture shows and what the user told, with and without recognition."""

from __future__ import annotations

import numpy as np

from lifeloom.models.builtin.reader.looking import looked_at
from lifeloom.models.builtin.reasoner.captioning import grounded_caption, likest, recognise, zero_shot_caption
from lifeloom.models.builtin.reasoner.captioning.telling import names_of, statements
from lifeloom.scoring.degeneration import degeneration
from lifeloom.scoring.recognition import parse_boxed_list
from lifeloom.tasks import ContextTurn, GroundedCaptionInput, PersonalCaptionInput, ShownPart
from tests.eyes import sight

SCENE = (looked_at(sight("; red mug; beach")),)


def part(*said: str) -> ShownPart:
    return ShownPart(turns=tuple(ContextTurn(user=one, assistant="Noted. Anything else?") for one in said))


NADIA = part(
    "Look at this picture: it shows Nadia, whom I met at Harbour Market. Do you like it?",
    "My cousin Vera was with us, and I bought four postcards.",
    "It was 14 March 2025.",
)
MUG = part("I'm showing you the mug from Petra.", "We had it at the quiz evening.")


def test_statements_are_told_to_the_user_and_questions_are_not_told() -> None:
    assert statements(NADIA) == [
        "It shows Nadia, whom you met at Harbour Market.",
        "Your cousin Vera was with you, and you bought four postcards.",
        "It was 14 March 2025.",
    ]
    assert statements(NADIA, turns=1) == ["It shows Nadia, whom you met at Harbour Market."]
    assert statements(MUG)[0] == "This is the mug from Petra."


def test_what_is_said_twice_is_told_once() -> None:
    assert statements(part("This is Nadia.", "This is Nadia.")) == ["This is Nadia."]
    told = grounded_caption(GroundedCaptionInput(parts=(MUG, MUG)), SCENE, ((),))
    assert told.count("the mug from Petra") == 1


def test_a_grounded_caption_keeps_every_fact_and_is_not_degenerate() -> None:
    told = grounded_caption(GroundedCaptionInput(parts=(NADIA, MUG)), SCENE, ((),))
    for fact in (
        "beach", "red mug", "Nadia", "Harbour Market", "Vera", "four postcards", "14 March 2025",
        "the mug from Petra", "the quiz evening",
    ):  # fmt: skip
        assert fact in told
    assert not degeneration(told).degenerate


def test_of_nobody_known_the_picture_alone_is_described() -> None:
    told = grounded_caption(GroundedCaptionInput(parts=()), SCENE, ((),))
    assert "beach" in told
    assert "Nadia" not in told


def test_zero_shot_retells_the_beginning_of_what_was_said_of_the_likest_picture() -> None:
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)
    told = zero_shot_caption(PersonalCaptionInput(parts=(NADIA, MUG)), SCENE, ((),), vectors)
    assert "the mug from Petra" in told
    assert "quiz evening" not in told
    assert "Nadia" not in told
    assert "beach" in told


def test_pictures_that_are_as_like_as_the_likest_count_too() -> None:
    query = np.array([1, 0], dtype=np.float32)
    # Cosines 0.94, 0.955, 0.9: 0.015 below the highest counts, 0.055 does not.
    rows = [[cosine, np.sqrt(1 - cosine**2)] for cosine in (0.94, 0.955, 0.9)]
    vectors = np.vstack([np.array(rows, dtype=np.float32), query])
    assert likest(vectors) == [1, 0]
    assert parse_boxed_list(recognise(vectors)) == {0, 1}
    assert likest(vectors[-1:]) == []
    assert parse_boxed_list(recognise(vectors[-1:])) == frozenset()


def test_names_are_capitalised_words_within_sentences() -> None:
    assert names_of(["Here you see Nadia and Omar. Beautiful."]) == {"nadia", "omar"}
