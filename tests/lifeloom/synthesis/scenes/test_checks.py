"""What stops query pictures from being published."""

from __future__ import annotations

import hashlib

import pytest

from lifeloom.records import PictureReference, Rejection, SceneImage
from lifeloom.store import MediaMissing
from lifeloom.synthesis.scenes.checks import (
    account_problems,
    file_problems,
    identity_problems,
    near_duplicate_problems,
    same_file_problems,
    verdict_problems,
)
from tests.lifeloom.synthesis.scenes.test_filtering import verdict
from tests.lifewords import png
from tests.scenes import image_of, library_image, scene

PLANS = [scene("s1", "p1"), scene("s2", "p1", "p2")]
IMAGES = [image_of(plan) for plan in PLANS]
LIBRARY = [library_image("p1"), library_image("p2")]


def rejected(item: str) -> Rejection:
    return Rejection(stage="x", item=item, reason="picture_not_drawn")


def test_every_scene_has_a_picture_or_a_reason_and_not_both() -> None:
    assert account_problems(2, PLANS, IMAGES, []) == []
    assert account_problems(2, PLANS, IMAGES[:1], [rejected("s2")]) == []
    assert account_problems(0, [], [], []) == []
    assert account_problems(2, PLANS, IMAGES[:1], []) == ["s2 has neither a picture nor a reason why not"]
    assert account_problems(2, PLANS, IMAGES, [rejected("s2")]) == ["s2 is accounted for 2 times"]
    assert account_problems(3, PLANS, IMAGES, []) == ["2 scenes instead of 3 are planned"]
    assert account_problems(2, PLANS, [*IMAGES, image_of(scene("s9", "p1"))], []) == ["s9 was never planned"]


def test_an_identity_of_the_other_split_is_a_leak() -> None:
    assert identity_problems(PLANS, IMAGES, LIBRARY, "train") == []
    leaking = [LIBRARY[0], library_image("p2", split="benchmark")]
    assert identity_problems(PLANS, IMAGES, leaking, "train") == [
        "s2 shows p2, an identity of the split benchmark, not train"
    ]
    assert identity_problems(PLANS, IMAGES, leaking, None) == [], "shared identities leak nothing"


def test_scenes_show_each_identity_once_and_only_pictures_of_the_library_that_are_for_captioning() -> None:
    assert identity_problems(PLANS, IMAGES, LIBRARY[:1], "train") == ["s2: the library has no picture p2"]
    twice = [LIBRARY[0], library_image("p2", identity="p1")]
    assert identity_problems(PLANS, IMAGES, twice, "train") == ["s2 shows one identity twice"]
    diagnostic = [LIBRARY[0], library_image("p2", use="diagnostic")]
    assert identity_problems(PLANS, IMAGES, diagnostic, "train") == ["s2 shows p2, who is for diagnostics"]
    other = [IMAGES[0], image_of(PLANS[1], image_ids=("p2", "p1"))]
    assert identity_problems(PLANS, other, LIBRARY, "train") == ["s2 was planned with other pictures of the library"]


def stored(name: str, data: bytes, side: int = 16) -> tuple[SceneImage, dict[str, bytes]]:
    content = hashlib.sha256(data).hexdigest()
    picture = PictureReference(content_hash=content, width=side, height=side)
    return image_of(scene(name, "p1"), picture=picture), {content: data}


def test_pictures_that_are_gone_corrupt_or_of_another_size_are_found() -> None:
    good, files = stored("s1", png((9, 9, 9)))
    corrupt, more = stored("s2", png((1, 1, 1))[:40])
    small, still_more = stored("s3", png((2, 2, 2), side=8))
    gone, _ = stored("s4", png((3, 3, 3)))
    files |= more | still_more

    def source(picture: PictureReference) -> bytes:
        if picture.content_hash not in files:
            raise MediaMissing("no such file")
        return files[picture.content_hash]

    problems = file_problems([good, corrupt, small, gone], source)
    assert [one.partition(":")[0] for one in problems] == ["s2", "s3", "s4"]
    assert "8 x 8" in problems[1]


def test_a_picture_without_verdict_lost_or_taken_against_its_verdict_is_found() -> None:
    (good, yes), (bad, no) = verdict("s1", 1), verdict("s2", 1, "blurred")
    left_out = Rejection(stage="x", item="s2", reason="not_as_asked")
    assert verdict_problems([good, bad], [yes, no], [good], [left_out]) == []
    assert verdict_problems([good, bad], [yes], [good], [left_out]) == ["s2 has no verdict"]
    assert verdict_problems([good, bad], [yes, no], [good], []) == ["s2 is not exactly one of kept and left out"]
    assert verdict_problems([good, bad], [yes, no], [good, bad], []) == ["s2 is taken, though the critic refused it"]


def test_one_file_on_both_sides_or_twice_on_one_is_found() -> None:
    theirs = image_of(scene("t1", "p1"), picture=IMAGES[0].picture)
    assert same_file_problems(IMAGES, []) == []
    assert same_file_problems(IMAGES, [theirs]) == ["s1 is the same file as t1 of the other side"]
    again = image_of(scene("s3", "p1"), picture=IMAGES[0].picture)
    assert len(same_file_problems([*IMAGES, again], [])) == 1


def test_pictures_that_look_alike_are_found_on_both_sides(striped: dict[str, tuple[SceneImage, bytes]]) -> None:
    files = {image.picture.content_hash: data for image, data in striped.values()}

    def source(picture: PictureReference) -> bytes:
        return files[picture.content_hash]

    wide, wide_again, tall = (striped[name][0] for name in ("wide", "wide-again", "tall"))
    assert near_duplicate_problems([wide, tall], [], source) == []
    (found,) = near_duplicate_problems([wide_again], [wide, tall], source)
    assert found.startswith("wide-again: looks like wide of the other side")
    (twice,) = near_duplicate_problems([wide, wide_again], [], source)
    assert twice.startswith("wide-again: looks like wide ")


@pytest.fixture
def striped() -> dict[str, tuple[SceneImage, bytes]]:
    """Drawn stripes: two alike but for one corner, one quite different."""
    import io
    import random

    from PIL import Image, ImageDraw

    made = {}
    for name, seed, dot in (("wide", 1, False), ("wide-again", 1, True), ("tall", 2, False)):
        rng, picture = random.Random(seed), Image.new("RGB", (128, 128), "white")
        pen = ImageDraw.Draw(picture)
        for _ in range(14):
            left, top = rng.randrange(100), rng.randrange(100)
            pen.rectangle((left, top, left + 30, top + 30), fill=tuple(rng.randrange(256) for _ in range(3)))
        if dot:
            pen.rectangle((0, 0, 3, 3), fill="black")
        out = io.BytesIO()
        picture.save(out, "PNG")
        made[name] = (stored(name, out.getvalue(), side=128)[0], out.getvalue())
    return made
