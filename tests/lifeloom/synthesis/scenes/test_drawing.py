"""Query pictures drawn from plans, or from words and pictures."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.models.protocol import DrawnPicture, ModelIdentity, PictureNotDrawn, Portrait
from lifeloom.records import PicturePlan
from lifeloom.synthesis.scenes import LibraryUnfit, SceneIllustrator
from tests.lifewords import Crayon, png
from tests.scenes import scene, small_library

LIBRARY, LOOKS = small_library()
BY_ID = {one.image_id: one for one in LIBRARY}


class Generator:
    """An image maker that draws words; captions with ``refuse`` in them it declines."""

    identity = ModelIdentity("test", "generator-1")

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[Portrait], int]] = []

    def draw(self, plan: PicturePlan) -> DrawnPicture:
        raise AssertionError("it draws words")

    def draw_caption(
        self, caption: str, portraits: Sequence[Portrait] = (), *, sample: int = 0, size: int | None = None
    ) -> DrawnPicture:
        self.asked.append((caption, list(portraits), sample))
        if "refuse" in caption:
            raise PictureNotDrawn("x", "not such a picture")
        return DrawnPicture(png((1, 2, 3)), 16, 16, ())

    def check(self) -> str:
        return "a generator"


def test_the_built_in_maker_draws_every_concept_and_says_where_it_stands() -> None:
    painter = BuiltinPainter()
    plan = scene("s1", "p1", "animal1", "object0", looks=LOOKS)
    (drawn,) = SceneIllustrator(
        painter, lambda plans: (painter.draw(one) for one in plans), BY_ID, stage="release/scenes"
    ).draw([plan])
    assert drawn.image is not None
    assert drawn.image.image_ids == plan.image_ids
    assert {one.identity for one in drawn.plan.drawn} == {"p1", "animal1", "object0"}
    assert drawn.data.startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_left_out_with_the_reason_and_the_others_are_drawn() -> None:
    crayon = Crayon()
    plans = [scene(name, "p1", looks=LOOKS) for name in ("s1", "broken", "s3")]
    drawn = list(SceneIllustrator(crayon, crayon.draw_many, BY_ID, stage="release/scenes").draw(plans))
    assert [one.plan.scene_id for one in drawn] == ["s1", "broken", "s3"]
    assert [one.image is None for one in drawn] == [False, True, False]
    left_out = drawn[1].rejection
    assert left_out is not None
    assert (left_out.item, left_out.reason, left_out.detail) == ("broken", "picture_not_drawn", "no such thing")


def test_a_maker_of_plans_that_knows_no_look_says_what_to_configure() -> None:
    crayon = Crayon()
    with pytest.raises(LibraryUnfit, match=r"no look of p1.*pictures\.backend"):
        list(SceneIllustrator(crayon, crayon.draw_many, BY_ID, stage="x").draw([scene("s1", "p1")]))


def test_a_maker_of_captions_gets_the_instruction_and_the_concepts_pictures_in_order() -> None:
    generator = Generator()
    plan = scene("s1", "animal1", "p1", instruction="The cat of picture 1 waits for the person of picture 2.")
    refused = scene("s2", "p1", instruction="refuse this")
    drawn = list(SceneIllustrator(generator, lambda plans: iter(()), BY_ID, stage="x").draw([plan, refused]))
    caption, portraits, _ = generator.asked[0]
    assert caption == plan.instruction
    assert [(one.name, one.picture) for one in portraits] == [
        ("the cat of picture 1", BY_ID["animal1"].picture),
        ("the person of picture 2", BY_ID["p1"].picture),
    ]
    assert [one.image is None for one in drawn] == [False, True]
    assert drawn[0].plan.drawn == ()
    assert generator.asked[0][2] != generator.asked[1][2]
