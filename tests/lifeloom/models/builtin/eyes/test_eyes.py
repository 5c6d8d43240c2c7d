"""Tests of lifeloom.models.builtin.eyes: real weights on really drawn pictures of people that nothing was fitted on."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest
from PIL import Image

from lifeloom.models.builtin.eyes import DrawnPictureDetector, Eyes, EyesWeightsUnusable, Sight
from lifeloom.models.builtin.eyes.detector import overlap
from lifeloom.models.builtin.eyes.recognition import certainty
from lifeloom.models.builtin.eyes.sight import pack, unpack
from lifeloom.models.builtin.eyes.weights import WEIGHTS_PATH, load_weights
from lifeloom.models.builtin.painter import BuiltinPainter, WantedPerson, draw_people
from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS
from lifeloom.models.byte_cache import CacheFileUnusable
from lifeloom.models.protocol import Detector, DrawnPicture
from lifeloom.records import PicturePlan, PictureReference, PictureSubject
from lifeloom.store.pictures import PictureRejected

ANA, BEN, CLEO = draw_people(Random(20611), [WantedPerson(), WantedPerson(), WantedPerson()], min_distance=3.0)


def person(name, appearance):
    return PictureSubject(kind="person", name=name, identity=name, appearance=appearance)


def scene(number, *subjects, place="park", time_of_day="day"):
    return PicturePlan(
        picture_id=f"test-{number}", kind="scene", place=place, time_of_day=time_of_day, subjects=subjects, seed=number
    )


def portrait(number, subject):
    return PicturePlan(picture_id=f"test-{number}", kind="portrait", subjects=(subject,), seed=number)


class Album:
    """Pictures by content hash; counts how often one is read."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.reads = 0

    def add(self, data: bytes) -> PictureReference:
        found = PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=512, height=512)
        self.files[found.content_hash] = data
        return found

    def __call__(self, picture: PictureReference) -> bytes:
        self.reads += 1
        return self.files[picture.content_hash]


def image_of(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def same(one: Sight, other: Sight) -> bool:
    return pack(one) == pack(other)


PLANS = (
    scene(
        12,
        person("Ana", ANA),
        person("Ben", BEN),
        PictureSubject(kind="animal", name="dog"),
        PictureSubject(kind="object", name="umbrella", colour="red"),
    ),
    scene(2, person("Ana", ANA), place="kitchen", time_of_day="night"),
    scene(3, person("Ben", BEN), place="beach"),
    scene(4, PictureSubject(kind="object", name="balloon", colour="blue", count=3), place="street"),
    portrait(5, person("Ana", ANA)),
    portrait(6, person("Cleo", CLEO)),
)


@pytest.fixture(scope="module")
def drawn() -> tuple[DrawnPicture, ...]:
    painter = BuiltinPainter()
    return tuple(painter.draw(plan) for plan in PLANS)


@pytest.fixture(scope="module")
def sights(drawn) -> list[Sight]:
    return Eyes().see([image_of(one.data) for one in drawn])


def test_the_people_and_things_of_a_scene_are_found_where_they_stand(drawn, sights):
    picture, sight = drawn[0], sights[0]
    assert (sight.width, sight.height) == (512, 512)
    assert len(sight.people) == 2
    assert {one.name for one in sight.things} == {"dog", "umbrella"}
    for subject in picture.subjects:
        box = (subject.box.left, subject.box.top, subject.box.right, subject.box.bottom)
        boxes = [one.box for one in sight.people] if subject.kind == "person" else [one.box for one in sight.things]
        assert max(overlap(box, found) for found in boxes) > 0.5


def test_things_have_their_kind_and_colour(sights):
    by_name = {one.name: one for one in sights[0].things}
    assert by_name["dog"].kind == "animal"
    assert (by_name["umbrella"].kind, by_name["umbrella"].colour) == ("object", "red")


def test_equal_things_are_seen_one_by_one(sights):
    assert [(one.name, one.colour) for one in sights[3].things] == [("balloon", "blue")] * 3


def test_place_and_time_of_day_are_seen_and_a_portrait_has_none(sights):
    assert [one.place for one in sights] == ["park", "kitchen", "beach", "street", "", ""]
    assert sights[1].time_of_day == "night"
    assert [one.time_of_day for one in sights[4:]] == ["", ""]


def test_a_person_looks_like_themselves_and_not_like_others(sights):
    ana, ben, ana_again, cleo = (sights[row].people[0].face for row in (1, 2, 4, 5))
    assert Eyes.same_person(ana, ana_again) > Eyes().person_threshold
    assert Eyes.same_person(ana, ana_again) > max(Eyes.same_person(ana, other) for other in (ben, cleo)) + 0.2


def test_faces_are_unit_vectors_and_sizes_are_shares_of_the_picture(sights):
    for person_seen in (one for sight in sights for one in sight.people):
        assert person_seen.face.shape == (64,)
        assert np.linalg.norm(person_seen.face) == pytest.approx(1.0, abs=1e-5)
        assert 0 < person_seen.size <= 1
    assert sights[4].people[0].size > sights[0].people[0].size


def test_the_mean_of_several_faces_may_be_compared(sights):
    ana, ana_again = sights[1].people[0].face, sights[4].people[0].face
    assert Eyes.same_person((ana + ana_again) / 2, ana) > Eyes.same_person(ana_again, ana)


def test_a_picture_is_seen_the_same_alone_and_in_any_company(drawn, sights):
    alone = [Eyes().see([image_of(one.data)])[0] for one in drawn[:3]]
    assert all(same(one, other) for one, other in zip(alone, sights[:3], strict=True))


def test_an_empty_picture_shows_nothing():
    [sight] = Eyes().see([Image.new("RGB", (300, 200), (210, 220, 230))])
    assert (sight.width, sight.height, sight.people, sight.things) == (300, 200, (), ())


def test_a_picture_looked_at_before_is_never_read_again(drawn):
    album, eyes = Album(), Eyes()
    pictures = [album.add(one.data) for one in drawn[:2]]
    first = eyes.look([*pictures, pictures[0]], album)
    assert (album.reads, eyes.pictures_seen) == (2, 2)
    album.files.clear()
    again = eyes.look(pictures, album)
    assert all(same(one, other) for one, other in zip(first, again, strict=False))
    assert same(first[2], first[0])
    assert album.reads == 2


def test_the_same_pixels_in_another_file_are_decoded_but_not_looked_at(drawn):
    album, eyes = Album(), Eyes()
    [first] = eyes.look([album.add(drawn[0].data)], album)
    file = io.BytesIO()
    image_of(drawn[0].data).save(file, "BMP")
    [second] = eyes.look([album.add(file.getvalue())], album)
    assert (eyes.pictures_read, eyes.pictures_seen) == (2, 1)
    assert same(first, second)


def test_later_eyes_read_the_cache_file_and_not_the_pictures(drawn, tmp_path):
    album, first = Album(), Eyes(tmp_path / "deep" / "sights.sqlite")
    pictures = [album.add(one.data) for one in drawn]
    seen = first.look(pictures, album)
    first.close()
    album.files.clear()
    second = Eyes(tmp_path / "deep" / "sights.sqlite")
    assert all(same(one, other) for one, other in zip(second.look(pictures, album), seen, strict=True))
    assert second.pictures_read == 0


def test_threads_share_eyes(drawn):
    album, eyes = Album(), Eyes()
    pictures = [album.add(one.data) for one in drawn[:3]]
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda _: eyes.look(pictures, album), range(3)))
    assert eyes.pictures_seen == 3
    assert all(same(one, other) for result in results[1:] for one, other in zip(result, results[0], strict=True))


def test_no_pictures_give_no_sights():
    assert Eyes().look([], Album()) == []
    assert Eyes().see([]) == []


def test_a_picture_that_cannot_be_decoded_is_refused_with_the_reason():
    album = Album()
    with pytest.raises(PictureRejected):
        Eyes().look([album.add(b"no picture at all")], album)


def test_a_torn_entry_of_the_cache_counts_as_missing(sights):
    packed = pack(sights[0])
    assert same(unpack(packed), sights[0])
    assert unpack(packed[:-3]) is None
    assert unpack(packed[:40]) is None
    assert unpack(b"") is None
    assert unpack(b"{}\n") is None


def test_a_file_that_is_no_cache_is_refused_with_what_to_do(drawn, tmp_path):
    path = tmp_path / "sights.sqlite"
    path.write_bytes(b"not a database, but long enough to look at" * 50)
    album = Album()
    with pytest.raises(CacheFileUnusable, match="delete it or name another"):
        Eyes(path).look([album.add(drawn[0].data)], album)


def test_damaged_missing_and_foreign_weights_are_refused_with_what_to_do(tmp_path):
    data = WEIGHTS_PATH.read_bytes()
    middle = len(data) // 2
    for name, content in {
        "cut": data[:middle],
        "flipped": data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :],
        "text": b"weights",
        "empty": b"",
    }.items():
        path = tmp_path / f"{name}.npz"
        path.write_bytes(content)
        with pytest.raises(EyesWeightsUnusable, match=r"damaged.*scripts/fit_eyes\.py"):
            Eyes(weights=path).see([Image.new("RGB", (64, 64))])
    with pytest.raises(EyesWeightsUnusable, match=r"cannot be read.*scripts/fit_eyes\.py"):
        load_weights(tmp_path / "missing.npz")


def test_weights_never_hold_pickled_objects(tmp_path):
    path = tmp_path / "objects.npz"
    np.savez(path, about=np.array([{"version": "x"}], dtype=object))
    with pytest.raises(EyesWeightsUnusable):
        load_weights(path)


def test_the_identity_changes_with_the_weights(tmp_path):
    with np.load(WEIGHTS_PATH, allow_pickle=False) as file:
        arrays = dict(file.items())
    arrays["face/mean"] = arrays["face/mean"] + np.float16(0.01)
    np.savez(tmp_path / "other.npz", **arrays)
    assert Eyes(weights=tmp_path / "other.npz").identity != Eyes().identity


def test_the_weights_were_fitted_on_the_painter_that_draws_and_know_its_whole_vocabulary():
    weights = load_weights()
    assert weights.about["painter"] == BuiltinPainter().identity.model  # otherwise: run scripts/fit_eyes.py
    assert set(weights.labels("name")) == {thing.name for thing in THINGS}
    assert set(weights.labels("place")) == {"", *(place.name for place in PLACES)}
    assert set(weights.labels("colour")) == {
        f"{thing.name}/{colour}" for thing in THINGS if thing.coloured for colour in COLOURS
    }


def test_clutter_that_looks_like_nothing_known_is_no_thing():
    assert certainty(0.9, 0.3) < load_weights().threshold("thing") < certainty(0.5, 0.9)
    assert certainty(0.9, -0.5) == 0.0


def test_the_detector_is_one_and_gives_best_finds_first(drawn):
    detector = DrawnPictureDetector()
    assert isinstance(detector, Detector)
    assert detector.identity.backend == "builtin"
    found, nothing = detector.detect([image_of(drawn[0].data), Image.new("RGB", (100, 100), "white")])
    assert sorted(one.kind for one in found) == ["animal", "object", "person", "person"]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert nothing == ()
    assert detector.detect([]) == []


def test_boxes_are_in_pixels_of_the_picture_as_given(drawn):
    image = image_of(drawn[2].data)
    [small] = DrawnPictureDetector().detect([image])
    [large] = DrawnPictureDetector().detect([image.resize((1024, 768))])
    assert len(small) == len(large) == 1
    left, top, right, bottom = small[0].box
    assert overlap((2 * left, 1.5 * top, 2 * right, 1.5 * bottom), large[0].box) > 0.9


def test_overlap_is_the_common_share_of_both_boxes():
    assert overlap((0, 0, 2, 2), (1, 0, 3, 2)) == pytest.approx(1 / 3)
    assert overlap((0, 0, 1, 1), (2, 2, 3, 3)) == 0.0


def test_importing_and_constructing_loads_neither_torch_nor_pillow():
    code = (
        "import sys; from lifeloom.models.builtin.eyes import Eyes; Eyes().identity; Eyes().person_threshold; "
        "print('torch' in sys.modules, 'PIL' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
