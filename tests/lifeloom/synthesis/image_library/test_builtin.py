"""The project's own library: in the paper's shares, identities apart, look-alikes among them, diagnostic people."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import pytest

from lifeloom.models.builtin.painter import BuiltinPainter, distance
from lifeloom.models.protocol import PictureNotDrawn
from lifeloom.records import BY_CODE, PicturePlan
from lifeloom.streams import Streams
from lifeloom.synthesis.image_library import LibraryOrder, PlannedLibraryImage, draw_library, plan_library
from lifeloom.synthesis.image_library.builtin import TooManyIdentities, shares

PAPER = plan_library(LibraryOrder(), Streams(7))


def of(use: str) -> list[PlannedLibraryImage]:
    return [one for one in PAPER if one.use == use]


def test_the_papers_library_has_123_people_34_objects_31_animals_and_50_people_four_times() -> None:
    assert Counter(one.category for one in of("captioning")) == {"human": 123, "object": 34, "animal": 31}
    assert Counter(Counter(one.identity for one in of("diagnostic")).values()) == {4: 50}
    assert {one.category for one in of("diagnostic")} == {"human"}


@pytest.mark.parametrize(
    ("identities", "people", "objects", "animals"),
    [
        (188, 123, 34, 31),
        (40, 26, 7, 7),  # 26.17, 7.23, 6.60: the last has the largest remainder
        (100, 65, 18, 17),  # 65.43, 18.09, 16.49
        (1, 1, 0, 0),
        (0, 0, 0, 0),
    ],
)
def test_other_sizes_keep_the_shares_by_largest_remainder(
    identities: int, people: int, objects: int, animals: int
) -> None:
    assert shares(identities) == {"human": people, "object": objects, "animal": animals}


def test_identities_are_apart_between_splits_two_to_one_in_every_category() -> None:
    sides: dict[str, set[str]] = defaultdict(set)
    for one in PAPER:
        sides[one.identity].add(one.split)
    assert all(len(own) == 1 for own in sides.values())
    for category, count in (("human", 123), ("object", 34), ("animal", 31)):
        training = sum(one.split == "train" for one in of("captioning") if one.category == category)
        assert training == round(count * 2 / 3)
    assert {one.split for one in of("diagnostic")} == {"benchmark"}


def test_a_small_library_has_both_sides_in_every_category_of_two_or_more() -> None:
    sides: dict[str, set[str]] = defaultdict(set)
    for one in plan_library(LibraryOrder(12, 0), Streams(7)):
        sides[one.category].add(one.split)
    assert sides == {name: {"train", "benchmark"} for name in ("human", "object", "animal")}


def test_all_people_can_be_told_apart_the_diagnostic_ones_too() -> None:
    people = {one.identity: one.subject.appearance for one in PAPER if one.category == "human"}
    looks = [look for look in people.values() if look is not None]
    assert len(looks) == 173
    assert min(distance(one, other) for row, one in enumerate(looks) for other in looks[:row]) >= 2.0


def test_no_two_animals_or_objects_are_the_same_and_some_differ_in_colour_alone() -> None:
    for category in ("animal", "object"):
        nouns = [one.noun for one in of("captioning") if one.category == category]
        assert len(set(nouns)) == len(nouns)
        names = Counter(one.subject.name for one in of("captioning") if one.category == category)
        assert max(names.values()) >= 2
    for one in of("captioning"):
        if one.category != "human":
            assert one.noun == f"{one.subject.colour} {one.subject.name}".strip()


def test_everybody_stands_alone_on_their_picture() -> None:
    for one in PAPER:
        assert [subject.identity for subject in one.picture.subjects] == [one.identity]
    assert {one.picture.kind for one in of("captioning")} == {"portrait"}


def test_a_diagnostic_persons_pictures_are_of_four_lights_and_grounds() -> None:
    for identity in {one.identity for one in of("diagnostic")}:
        own = [one for one in of("diagnostic") if one.identity == identity]
        assert len({one.picture.time_of_day for one in own}) == 4
        assert len({one.picture.place for one in own}) == 4
        assert len({one.picture.seed for one in own}) == 4
        assert len({one.subject for one in own}) == 1
        assert [one.image_id for one in own] == [f"{identity}-{number}" for number in range(4)]


def test_a_library_follows_from_its_seed() -> None:
    assert plan_library(LibraryOrder(40, 6), Streams(7)) == plan_library(LibraryOrder(40, 6), Streams(7))
    assert plan_library(LibraryOrder(40, 6), Streams(8)) != plan_library(LibraryOrder(40, 6), Streams(7))


def test_nothing_wanted_is_an_empty_library() -> None:
    assert plan_library(LibraryOrder(0, 0), Streams(7)) == ()


@pytest.mark.parametrize(
    ("order", "category", "wanted"), [(LibraryOrder(300, 0), "animal", 50), (LibraryOrder(188, 700), "human", 823)]
)
def test_more_than_can_be_told_apart_is_refused_in_words_that_say_what_to_do(
    order: LibraryOrder, category: str, wanted: int
) -> None:
    with pytest.raises(TooManyIdentities, match=f"{category!r}, not {wanted}: lower captions.identities"):
        plan_library(order, Streams(7))


def test_drawn_pictures_carry_a_licence_and_the_look_and_what_was_not_drawn_its_reason() -> None:
    planned = plan_library(LibraryOrder(6, 1), Streams(7))
    painter = BuiltinPainter()
    files: dict[str, bytes] = {}

    def put(data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        files[name] = data
        return name

    def draw_many(plans: Iterable[PicturePlan]) -> Iterator[object]:
        for number, plan in enumerate(plans):
            yield PictureNotDrawn(plan.picture_id, "it is too dark") if number == 2 else painter.draw(plan)

    drawn = list(draw_library(planned, draw_many, put, BY_CODE))  # type: ignore[arg-type]
    assert [one.look.identity for one in drawn] == [one.identity for one in planned]
    lost = drawn.pop(2)
    assert lost.image is None
    assert lost.rejection is not None
    assert (lost.rejection.item, lost.rejection.reason) == (planned[2].image_id, "picture_not_drawn")
    images = [one.image for one in drawn if one.image is not None]
    assert len(images) == 9
    assert len({one.picture.content_hash for one in images}) == len(files) == 9
    assert all(one.source == "builtin" and "CC BY-SA 4.0" in one.licence for one in images)
