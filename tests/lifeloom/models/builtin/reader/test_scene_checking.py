"""What the built-in critic says of query pictures, from what eyes see."""

from __future__ import annotations

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.tasks import SCENE_CHECK, SceneCheckInput, SceneCheckOutput
from tests.eyes import ScriptedEyes


def checked(
    query: str,
    *concepts: tuple[str, str],
    place: str = "park",
    further: str = "",
    people: int | None = None,
    pictures: int | None = None,
) -> SceneCheckOutput:
    """Ask about a picture that shows ``query``; ``concepts`` are nouns and what their own pictures show."""
    eyes = ScriptedEyes()
    shown = [*(eyes.add(text) for _, text in concepts), eyes.add(query)]
    model = BuiltinModel(eyes=eyes, pictures=lambda picture: b"")  # type: ignore[arg-type]
    nouns = tuple(noun for noun, _ in concepts)
    asked = SceneCheckInput(
        instruction="They are in the park.",
        concepts=nouns,
        people=nouns.count("person") if people is None else people,
        place=place,
        further=further,
    )
    return model.run(SCENE_CHECK, asked, shown[:pictures]).output


NADIA, OMAR = ("person", "Nadia"), ("person", "Omar")
RED_MUG, DOG = ("red mug", "; red mug"), ("dog", "; dog")


def test_a_picture_that_shows_all_it_should_passes_without_a_problem() -> None:
    said = checked("Omar, Nadia; red mug, dog, cake; park", NADIA, RED_MUG, OMAR, DOG, further="cake")
    assert (said.adheres, said.visible, said.problems) == (True, (True, True, True, True), ())


def test_a_concept_that_is_left_out_is_named_and_no_other() -> None:
    said = checked("Nadia; dog; park", NADIA, RED_MUG, DOG)
    assert said.visible == (True, False, True)
    assert said.problems == ("concept 2, red mug, is not to be seen",)


def test_somebody_else_in_the_place_of_a_person_is_a_stranger() -> None:
    said = checked("Zoe; ; park", NADIA)
    assert said.visible == (False,)
    assert not said.adheres
    assert "1 of the people are nobody of the concepts" in said.problems


def test_the_same_thing_in_another_colour_is_not_the_concept() -> None:
    assert checked("; blue mug; park", RED_MUG).visible == (False,)
    assert checked("; blue mug, red mug; park", RED_MUG).visible == (True,)


def test_a_thing_whose_noun_tells_no_colour_is_known_by_its_name() -> None:
    assert checked("; dog; park", DOG).visible == (True,)
    assert checked("; cat; park", DOG).visible == (False,)


def test_another_place_one_person_too_many_and_a_missing_further_thing_are_not_as_asked() -> None:
    assert not checked("Nadia; ; kitchen", NADIA).adheres
    assert not checked("Nadia, Zoe; ; park", NADIA).adheres
    assert not checked("Nadia; dog; park", NADIA, further="cake").adheres
    assert checked("Nadia; ; kitchen", NADIA, place="").adheres, "where no place is asked for any will do"


def test_one_face_does_not_stand_for_two_people() -> None:
    assert checked("Nadia; ; park", NADIA, OMAR).visible == (True, False)


def test_pictures_that_are_missing_are_told_and_pass_nothing() -> None:
    said = checked("Nadia; ; park", NADIA, OMAR, pictures=2)
    assert (said.adheres, said.visible) == (False, (False, False))
    assert said.problems == ("2 pictures were given for 2 concepts and the picture itself",)
