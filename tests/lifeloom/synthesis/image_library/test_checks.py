"""What stops a library from being published, and what is only said."""

from __future__ import annotations

from lifeloom.records import PictureReference
from lifeloom.store import MediaMissing
from lifeloom.synthesis.image_library.checks import (
    alike_problems,
    identity_problems,
    nearly_alike,
    picture_problems,
    too_small,
)
from tests.lifewords import png
from tests.scenes import library_image, reference

GOOD = [library_image("p1"), library_image("p2", split="benchmark")]


def test_every_picture_can_be_decoded() -> None:
    files = {reference("p1").content_hash: png((1, 2, 3)), reference("p2").content_hash: b"no picture"}

    def source(picture: PictureReference) -> bytes:
        if picture.content_hash not in files:
            raise MediaMissing(picture.content_hash)
        return files[picture.content_hash]

    assert picture_problems(GOOD[:1], source) == []
    broken, missing = picture_problems([*GOOD, library_image("p3")], source)
    assert broken.startswith("p2 cannot be read: ")
    assert missing.startswith("p3 cannot be read: ")


def test_an_identity_in_both_splits_or_of_two_categories_is_named() -> None:
    assert identity_problems(GOOD) == []
    leaking = library_image("p3", identity="p1", split="benchmark")
    assert identity_problems([*GOOD, leaking]) == ["p1 is for training and for benchmarks"]
    other = library_image("p3", "red mug", identity="p1")
    assert identity_problems([*GOOD, other]) == ["p1 is human and object"]
    assert identity_problems([*GOOD, GOOD[0]]) == ["p1 occurs 2 times"]


def test_one_file_is_not_of_two_identities() -> None:
    same = library_image("p3", picture=reference("p1"))
    assert alike_problems(GOOD) == []
    assert alike_problems([*GOOD, same]) == ["p3 is the same file as a picture of p1"]
    assert alike_problems([*GOOD, library_image("p1-again", identity="p1", picture=reference("p1"))]) == []


def test_one_picture_in_two_files_of_two_identities_is_named() -> None:
    files = {"p1": png((200, 30, 30)), "p2": png((30, 30, 200)), "p3": png((198, 31, 30))}
    images = [library_image(name) for name in files]

    def source(picture: PictureReference) -> bytes:
        return next(data for name, data in files.items() if reference(name) == picture)

    (problem,) = nearly_alike(images, source)
    assert problem.startswith("p3 looks like p1")
    again = [images[0], library_image("p3", identity="p1"), library_image("p2", use="diagnostic")]
    assert nearly_alike(again, source) == []


def test_too_few_identities_for_look_alikes_are_said_by_split() -> None:
    images = [library_image(f"t{number}") for number in range(3)]
    assert too_small(images, 2, disjoint=True) == ["benchmark: no identity, so there are no query pictures"]
    images += [library_image(f"b{number}", split="benchmark") for number in range(2)]
    assert too_small(images, 2, disjoint=True) == [
        "benchmark: 2 identities, and a query picture needs 2 look-alikes for each concept: no context can be made"
    ]
    assert too_small(images, 2, disjoint=False) == []
    assert too_small([library_image("p1"), library_image("again", identity="p1")], 1, disjoint=False) == [
        "train: 1 identities, and a query picture needs 1 look-alikes for each concept: no context can be made",
        "benchmark: 1 identities, and a query picture needs 1 look-alikes for each concept: no context can be made",
    ]


def test_somebody_must_have_a_second_picture_for_the_diagnostics() -> None:
    base = [library_image(f"t{number}", split=split) for number in range(3) for split in ("train", "benchmark")]
    once = [library_image(f"d{number}", use="diagnostic", split="benchmark") for number in range(3)]
    assert "nobody has a second picture" in too_small([*base, *once], 2, disjoint=True)[0]
    twice = [*once, library_image("d0-1", identity="d0", use="diagnostic", split="benchmark")]
    assert too_small([*base, *twice], 2, disjoint=True) == []
