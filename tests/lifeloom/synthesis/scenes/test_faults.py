"""Labelled faults in query pictures, and how the filter is measured on them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.builtin.eyes import Eyes
from lifeloom.models.builtin.painter import BuiltinPainter, distance
from lifeloom.models.protocol import DrawnPicture, LanguageModel, PictureNotDrawn
from lifeloom.records import LibraryImage, PicturePlan, PictureReference, ScenePlan
from lifeloom.streams import Streams
from lifeloom.synthesis.illustrating import DrawMany
from lifeloom.synthesis.scenes import SceneFilter
from lifeloom.synthesis.scenes.faults import FilterQuality, faulty_scene, measure_filter
from lifeloom.synthesis.vaccounts.candidates import PictureShelf
from lifeloom.tasks import SceneCheckOutput
from tests.lifeloom.synthesis.scenes.test_filtering import Critic, answered
from tests.lifewords import Crayon
from tests.scenes import scene, small_library

LIBRARY, LOOKS = small_library()
RNG = random.Random(1)


def test_a_concept_is_left_out_and_it_is_known_which() -> None:
    plan = scene("s1", "p0", "animal0", looks=LOOKS)
    fault = faulty_scene("concept_left_out", plan, LOOKS, RNG)
    assert fault is not None
    assert fault.concept is not None
    gone = plan.identities[fault.concept]
    assert [one.identity for one in fault.picture.subjects] == [one for one in plan.identities if one != gone]
    assert faulty_scene("concept_left_out", scene("s1", "p0", looks=LOOKS), LOOKS, RNG) is None, "nothing would be left"


def test_a_look_alike_is_the_nearest_person_or_the_same_thing_in_another_colour() -> None:
    fault = faulty_scene("look_alike_instead", scene("s1", "p0", looks=LOOKS), LOOKS, RNG)
    assert fault is not None
    own, other = LOOKS["p0"].subject.appearance, fault.picture.subjects[0].appearance
    people = [one.subject.appearance for name, one in LOOKS.items() if name.startswith("p") and name != "p0"]
    assert own is not None
    assert other is not None
    assert distance(own, other) == min(distance(own, one) for one in people if one is not None)
    mug = faulty_scene("look_alike_instead", scene("s1", "object0", looks=LOOKS), LOOKS, RNG)
    dog = faulty_scene("look_alike_instead", scene("s1", "animal0", looks=LOOKS), LOOKS, RNG)
    assert mug is not None
    assert dog is not None
    assert (mug.picture.subjects[0].name, mug.picture.subjects[0].colour) == ("mug", "blue")
    assert (dog.picture.subjects[0].name, dog.picture.subjects[0].colour) == ("dog", "black")


def test_a_look_alike_is_nobody_who_is_in_the_picture_anyway() -> None:
    looks = {name: LOOKS[name] for name in ("p0", "p1")}
    assert faulty_scene("look_alike_instead", scene("s1", "p0", "p1", looks=LOOKS), looks, RNG) is None


def test_another_place_and_a_stranger_leave_the_concepts_where_they_are() -> None:
    plan = scene("s1", "p0", "animal0", looks=LOOKS)
    assert plan.picture is not None
    moved = faulty_scene("another_place", plan, LOOKS, RNG)
    crowded = faulty_scene("stranger_added", plan, LOOKS, RNG)
    assert moved is not None
    assert crowded is not None
    assert moved.picture.place != plan.place
    assert moved.picture.subjects == plan.picture.subjects
    assert crowded.picture.subjects[:2] == plan.picture.subjects
    assert crowded.picture.subjects[2].kind == "person"
    assert crowded.picture.subjects[2].identity not in plan.identities


def measured(
    critic: LanguageModel, plans: list[ScenePlan], draw_many: DrawMany, shelf: PictureShelf | None = None
) -> FilterQuality:
    def lay(drawn: DrawnPicture) -> PictureReference:
        return (shelf or PictureShelf(missing)).put(drawn)

    library: dict[str, LibraryImage] = {one.image_id: one for one in LIBRARY}
    return measure_filter(
        plans, LOOKS, SceneFilter(critic, library), draw_many=draw_many, lay=lay, streams=Streams(3), most=4
    )


def missing(picture: PictureReference) -> bytes:
    raise AssertionError(f"{picture} was never drawn")


@pytest.mark.parametrize(
    ("answer", "recall", "false_alarms"), [(answered(), 0.0, 0.0), (answered(adheres=False), 1.0, 1.0)]
)
def test_a_critic_that_always_says_the_same_finds_all_or_nothing(
    answer: Callable[[Any], SceneCheckOutput], recall: float, false_alarms: float
) -> None:
    plans = [scene(f"s{number}", "p0", "animal0", looks=LOOKS) for number in range(6)]
    quality = measured(Critic(answer), plans, Crayon().draw_many)  # type: ignore[arg-type]
    assert (quality.good, quality.recall, quality.false_alarms) == (4, recall, false_alarms)
    assert [one.injected for one in quality.faults] == [4, 4, 4, 4]
    # It never says that a concept is not to be seen, so it never names the first two kinds.
    assert [one.named for one in quality.faults] == [0, 0, round(4 * recall), round(4 * recall)]


def test_faulty_pictures_that_cannot_be_drawn_are_counted_apart() -> None:
    crayon = Crayon(refuse=lambda plan: len(plan.subjects) == 3)
    plans = [scene(f"s{number}", "p0", "animal0", looks=LOOKS) for number in range(4)]
    quality = measured(Critic(answered()), plans, crayon.draw_many)  # type: ignore[arg-type]
    assert quality.not_drawn == 4
    assert quality.faults[-1].injected == 0
    assert "4 faulty pictures could not be drawn" in quality.to_markdown()


def test_scenes_without_a_plan_to_draw_are_passed_over() -> None:
    quality = measured(Critic(answered()), [scene("s1", "p0")], Crayon().draw_many)  # type: ignore[arg-type]
    assert (quality.good, quality.recall) == (0, 0.0)


def test_the_built_in_critic_finds_every_kind_of_fault_and_lets_good_pictures_pass() -> None:
    files: dict[str, bytes] = {}
    painter = BuiltinPainter()

    def source(picture: PictureReference) -> bytes:
        return files[picture.content_hash]

    def draw_many(plans: Any) -> Any:
        for plan in plans:
            try:
                yield painter.draw(plan)
            except PictureNotDrawn as error:
                yield error

    shelf = PictureShelf(source)
    library = {}
    for one in LIBRARY:
        portrait = PicturePlan(picture_id="x", kind="portrait", subjects=(LOOKS[one.identity].subject,), seed=4)
        drawn = painter.draw(portrait)
        library[one.image_id] = one.model_copy(update={"picture": shelf.put(drawn)})
    plans = [scene("s1", "p1", "object0", looks=LOOKS), scene("s2", "p2", "p3", "animal3", looks=LOOKS)]
    critic = BuiltinModel(eyes=Eyes(), pictures=shelf)
    quality = measure_filter(
        plans, LOOKS, SceneFilter(critic, library), draw_many=draw_many, lay=shelf.put, streams=Streams(3), most=2
    )
    assert [(one.kind, one.injected, one.named) for one in quality.faults] == [
        ("concept_left_out", 2, 2),
        ("look_alike_instead", 2, 2),
        ("another_place", 2, 2),
        ("stranger_added", 2, 2),
    ]
    assert quality.false_alarms == 0
