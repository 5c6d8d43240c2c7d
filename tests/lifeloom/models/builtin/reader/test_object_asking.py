"""Is there such a thing in the picture, by what eyes see."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.tasks import OBJECT_QUESTION, ObjectQuestionInput
from tests.eyes import ScriptedEyes


@pytest.mark.parametrize(
    ("shown", "thing", "said"),
    [
        ("Nadia; red mug, dog; park", "a dog", "Yes."),
        ("Nadia; red mug, dog; park", "a cup", "Yes."),
        ("Nadia; red mug, dog; park", "a cat", "No."),
        ("Nadia; red mug, dog; park", "a person", "Yes."),
        ("; red mug, dog; park", "a person", "No."),
        ("; owl; park", "a duck", "No."),
        ("; owl; park", "an owl", "Yes."),
        ("; teddy bear; park", "a teddy bear", "Yes."),
        ("; dog; park", "the", "No."),
    ],
)
def test_a_thing_is_there_where_eyes_see_one_of_its_name(shown: str, thing: str, said: str) -> None:
    eyes = ScriptedEyes()
    model = BuiltinModel(eyes=eyes, pictures=lambda picture: b"")  # type: ignore[arg-type]
    assert model.run(OBJECT_QUESTION, ObjectQuestionInput(thing=thing), [eyes.add(shown)]).output.text == said
