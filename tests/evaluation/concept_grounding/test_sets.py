"""Sets of concepts and test pictures: of a library of ours through the published layouts, and of folders given."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evaluation.concept_grounding import names_of, read_set, write_own_sets
from lifeloom.records import PictureReference, SceneImage
from lifeloom.streams import Streams
from lifeloom.synthesis.image_library import LayoutUnusable, WrittenConcept, WrittenTest, write_layout
from tests.lifewords import png
from tests.scenes import image_of, library_image, scene

LIBRARY = [
    library_image("p0"),
    library_image("p1"),
    library_image("d0", "dog"),
    library_image("m0", "red mug"),
    library_image("x0", use="diagnostic"),
]


def image(*identities: str) -> SceneImage:
    name = "-".join(identities)
    return image_of(scene(f"s-{name}", *identities))


SCENES = [image("p0"), image("p1"), image("d0"), image("m0"), image("m0", "p1"), image("d0", "p0", "m0")]


def file_of(picture: PictureReference) -> bytes:
    """A picture of its own for each reference."""
    digest = hashlib.sha256(picture.content_hash.encode()).digest()
    return png((digest[0], digest[1], digest[2]))


def put(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_library_of_ours_comes_back_from_the_published_layouts_with_who_is_on_which_picture(tmp_path: Path) -> None:
    names = names_of(LIBRARY[:4], Streams(1))
    written = write_own_sets(tmp_path, LIBRARY, SCENES, file_of, Streams(1), most=10)
    assert written == ["myvlm", "yollava", "dreambooth", "rap"]
    expected = {
        "myvlm": (("p0", "p1", "m0"), (("p0",), ("p1",), ("m0",))),
        "yollava": (("p0", "p1", "d0", "m0"), (("p0",), ("p1",), ("d0",), ("m0",))),
        "dreambooth": (("d0", "m0"), (("d0",), ("m0",))),
        "rap": (("p0", "p1", "d0", "m0"), (("m0", "p1"), ("d0", "p0", "m0"))),
    }
    hashes = {put(file_of(one.picture)): one.image_ids for one in SCENES}
    for name in written:
        concepts, tests = expected[name]
        found = read_set(name, tmp_path / name, put, most=10)
        assert found.rejections == ()
        pictures = {one.name: one.picture.content_hash for one in found.concepts}
        assert pictures == {
            names[one.image_id]: put(file_of(one.picture)) for one in LIBRARY if one.image_id in concepts
        }
        assert sorted(one.shows for one in found.tests) == sorted(tuple(names[one] for one in shows) for shows in tests)
        for test in found.tests:
            assert tuple(names[one] for one in hashes[test.picture.content_hash]) == test.shows


def test_what_the_user_says_of_a_concept_is_its_name_and_what_the_set_has_of_it(tmp_path: Path) -> None:
    names = names_of(LIBRARY[:4], Streams(1))
    write_own_sets(tmp_path, LIBRARY, SCENES, file_of, Streams(1), most=10)

    def said(name: str) -> dict[str, str]:
        return {one.name: one.said for one in read_set(name, tmp_path / name, put, most=9).concepts}  # type: ignore[arg-type]

    assert said("rap")[names["m0"]] == f"This is {names['m0']}, a red mug."
    assert said("rap")[names["p0"]] == f"This is {names['p0']}."
    assert said("yollava")[names["m0"]] == f"This is {names['m0']}."  # which has no place for nouns
    concept = WrittenConcept("bo", png((1, 2, 3)), "owl", "<bo> is well-groomed.")
    write_layout("rap", tmp_path / "own", [concept], [])
    assert read_set("rap", tmp_path / "own", put, most=1).concepts[0].said == "This is bo, an owl. bo is well-groomed."


def test_no_name_is_a_word_of_what_is_drawn_and_none_is_given_twice() -> None:
    # More dogs than there are names of pets.
    library = [library_image(f"d{number}", "dog") for number in range(400)]
    library += [library_image("n0", name="Ada"), library_image("n1", name="ada"), library_image("n2", name="../up")]
    names = names_of(library, Streams(4))
    lowered = [name.lower() for name in names.values()]
    assert len(set(lowered)) == len(library)
    assert "pepper" in lowered
    lowered = [name.lower() for name in names_of([*library, library_image("n3", "pepper mill")], Streams(4)).values()]
    assert "pepper" not in lowered
    assert names["n0"] == "Ada"
    assert names["n1"].lower() != "ada"
    assert "/" not in names["n2"]
    assert names_of(library, Streams(4)) == names


def test_of_many_test_pictures_some_of_every_part_of_the_set_are_taken(tmp_path: Path) -> None:
    concepts = [WrittenConcept(f"c{number}", png((number, 0, 0))) for number in range(5)]
    tests = [WrittenTest(png((number, 9, 9 + shot)), (f"c{number}",)) for number in range(5) for shot in range(4)]
    write_layout("yollava", tmp_path / "y", concepts, tests)
    found = read_set("yollava", tmp_path / "y", put, most=5)
    assert [one.shows for one in found.tests] == [(f"c{number}",) for number in range(5)]
    assert len(read_set("yollava", tmp_path / "y", put, most=100).tests) == 20
    assert read_set("yollava", tmp_path / "y", put, most=0).tests == ()


def test_pictures_that_cannot_be_read_are_left_out_with_reasons(tmp_path: Path) -> None:
    concepts = [WrittenConcept(name, png((number, 0, 0))) for number, name in enumerate(("whole", "broken"))]
    tests = [WrittenTest(png((9, number, 0)), (one.name,)) for number, one in enumerate(concepts)]
    tests.append(WrittenTest(png((9, 9, 9)), ("whole",)))
    write_layout("yollava", tmp_path / "y", concepts, tests)
    (tmp_path / "y/train/broken/0.png").write_bytes(png((1, 2, 3))[:40])
    (tmp_path / "y/test/whole/1.png").write_bytes(b"")
    found = read_set("yollava", tmp_path / "y", put, most=10)
    assert [one.name for one in found.concepts] == ["whole"]
    assert [one.test_id for one in found.tests] == ["test/whole/0.png"]
    assert {(one.item, one.reason) for one in found.rejections} == {
        ("yollava/train/broken/0.png", "truncated"),
        ("yollava/test/whole/1.png", "truncated"),
        ("yollava/test/broken/0.png", "concept_unreadable"),
    }


def test_sets_without_a_test_picture_are_not_written_and_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    assert write_own_sets(tmp_path, LIBRARY, SCENES[-2:], file_of, Streams(1), most=10) == ["rap"]
    assert write_own_sets(tmp_path / "none", LIBRARY, [], file_of, Streams(1), most=10) == []
    with pytest.raises(LayoutUnusable, match="there is no folder"):
        read_set("myvlm", tmp_path / "myvlm", put, most=10)
