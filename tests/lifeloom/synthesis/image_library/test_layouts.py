"""Folders of published concept sets: read, left out with reasons, written and read back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from lifeloom.store.pictures import decode_picture, picture_hash
from lifeloom.synthesis.image_library import (
    Layout,
    LayoutTest,
    LayoutUnusable,
    WritableLayout,
    WrittenConcept,
    WrittenTest,
    category_of,
    library_rows,
    read_layout,
    read_library,
    write_layout,
    write_manifest,
)
from tests.lifewords import png

MMPB = (
    "index", "question", "A", "B", "C", "D", "image_path", "answer", "attribute", "category", "l2-category", "concept",
    "target", "name", "preference", "description_simple", "description_moderate", "description_detailed",
    "description_super_detailed", "prompt",
)  # fmt: skip


def put(root: Path, *names: str) -> None:
    """Write a picture of its own at each of these places."""
    for number, name in enumerate(names):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture(number) if name.endswith((".png", ".jpg")) else b"{}")


def picture(number: int) -> bytes:
    return png((40 * number % 256, 90, 160))


def reasons(root: Path, layout: Layout) -> list[tuple[str, str]]:
    return [(one.item, one.reason) for one in read_layout(layout, root).rejections]


def test_yollavas_training_pictures_introduce_and_its_test_pictures_are_asked_about(tmp_path: Path) -> None:
    put(tmp_path, *(f"train/bo/{number}.png" for number in (10, 2, 1)), "train/bo/conversation.json")
    put(
        tmp_path,
        "train/bo/negative_example/0.png",
        "train/mam/0.png",
        "test/bo/0.png",
        "test/bo/11.png",
        "test/bo/9.png",
    )
    read = read_layout("yollava", tmp_path)
    assert [(one.name, one.file, one.category) for one in read.concepts] == [
        ("bo", "train/bo/1.png", ""),
        ("mam", "train/mam/0.png", ""),
    ]
    assert [one.file for one in read.tests] == ["test/bo/0.png", "test/bo/9.png", "test/bo/11.png"]
    assert read.rejections == ()


def test_in_myvlms_folders_the_first_picture_introduces_and_captions_go_with_the_others(tmp_path: Path) -> None:
    put(tmp_path, "asian-doll/a.jpg", "asian-doll/b.jpg", "red-mug/0.jpg", "red-mug/1.jpg")
    captions = {"b.jpg": ["asian-doll on a shelf", "A shelf with asian-doll"]}
    (tmp_path / "asian-doll/captions.json").write_text(json.dumps(captions))
    (tmp_path / "red-mug/captions.json").write_text("[]")
    read = read_layout("myvlm", tmp_path)
    assert [one.file for one in read.concepts] == ["asian-doll/a.jpg", "red-mug/0.jpg"]
    assert read.tests == (
        LayoutTest("asian-doll/b.jpg", ("asian-doll",), ("asian-doll on a shelf", "A shelf with asian-doll")),
        LayoutTest("red-mug/1.jpg", ("red-mug",)),
    )
    assert [(one.item, one.reason) for one in read.rejections] == [("red-mug/captions.json", "bad_captions")]


def test_dreambooth_says_in_a_file_of_its_own_what_each_subject_is(tmp_path: Path) -> None:
    put(tmp_path, "dog6/00.jpg", "dog6/01.jpg", "wolf_plushie/00.jpg")
    listed = "Classes\n\nsubject_name,class\ndog6,dog\nwolf_plushie,stuffed animal\n\nPrompts\n"
    (tmp_path / "prompts_and_classes.txt").write_text(listed)
    read = read_layout("dreambooth", tmp_path)
    assert [(one.name, one.noun, one.category) for one in read.concepts] == [
        ("dog6", "dog", "animal"),
        ("wolf_plushie", "stuffed animal", "object"),
    ]
    assert [(one.file, one.shows) for one in read.tests] == [("dog6/01.jpg", ("dog6",))]


def test_of_mmpb_only_recognition_rows_that_show_their_concept_give_pictures(tmp_path: Path) -> None:
    base = {"attribute": "human", "category": "recognition", "target": "", "name": "Ada", "description_simple": "tall"}
    rows = [
        base | {"image_path": "human/test/Ada/0.png"},
        base | {"image_path": "human/test/Ada/1.png"},
        base | {"image_path": "human/test/Ada/1.png", "question": "the same picture, asked again"},
        base | {"image_path": "human/test/Ada/negative0.png", "target": "Homo"},
        base | {"image_path": "human/test/Ada/likes0.png", "category": "preference"},
        base | {"image_path": "", "name": ""},
        base | {"image_path": "character/test/Zed/0.png", "attribute": "character", "name": "Zed"},
    ]
    file = io.StringIO()
    writer = csv.DictWriter(file, MMPB)
    writer.writeheader()
    writer.writerows(rows)
    (tmp_path / "dataset.csv").write_text(file.getvalue())
    read = read_layout("mmpb", tmp_path)
    assert [(one.name, one.category, one.noun, one.info) for one in read.concepts] == [
        ("Ada", "human", "person", "tall"),
        ("Zed", "", "character", "tall"),
    ]
    assert [one.file for one in read.tests] == ["human/test/Ada/1.png"]
    assert [(one.item, one.reason) for one in read.rejections] == [
        ("line 5", "shows_another"),
        ("line 6", "shows_no_concept"),
        ("line 7", "bad_row"),
    ]


def test_raps_database_is_read_with_paths_from_within_its_folder_or_from_above_it(tmp_path: Path) -> None:
    put(tmp_path, "bo.png", "cup.png", "both.png")
    entries = {
        "<bo>": {"name": "bo", "image": "example_database/bo.png", "info": "<bo> is a Shiba Inu.", "category": "dog"},
        "<cup>": {"name": "cup", "image": "cup.png", "info": "", "category": "cup"},
        "<lost>": {"name": "lost"},
    }
    (tmp_path / "database.json").write_text(json.dumps({"concept_dict": entries, "path_to_concept": {}}))
    tests = {"both.png": ["<bo>", "<cup>"], "bo.png": "<bo>", "cup.png": ["<unheard-of>"]}
    (tmp_path / "test.json").write_text(json.dumps(tests))
    read = read_layout("rap", tmp_path)
    assert [(one.name, one.file, one.noun, one.category) for one in read.concepts] == [
        ("bo", "bo.png", "dog", "animal"),
        ("cup", "cup.png", "cup", "object"),
    ]
    assert [(one.file, one.shows) for one in read.tests] == [("both.png", ("bo", "cup")), ("bo.png", ("bo",))]
    assert [(one.item, one.reason) for one in read.rejections] == [
        ("<lost>", "no_picture"),
        ("cup.png", "unknown_concept"),
    ]


def test_what_belongs_to_no_concept_is_left_out_with_its_reason(tmp_path: Path) -> None:
    put(tmp_path, "train/bo/0.png", "train/empty/notes.txt", "test/nobody/0.png")
    assert reasons(tmp_path, "yollava") == [("empty", "no_picture"), ("test/nobody/0.png", "unknown_concept")]


@pytest.mark.parametrize(
    ("layout", "file", "text", "says"),
    [
        ("yollava", "", "", "no concept of a yollava set"),
        ("mmpb", "", "", "dataset.csv"),
        ("mmpb", "dataset.csv", "index,question\n1,what\n", "lacks image_path"),
        ("rap", "database.json", "{", "is no JSON"),
        ("rap", "database.json", "[]", "holds no JSON object"),
        ("rap", "database.json", "{}", "no concept_dict"),
    ],
)
def test_a_folder_of_another_layout_is_refused_in_words_that_say_what_was_looked_for(
    tmp_path: Path, layout: Layout, file: str, text: str, says: str
) -> None:
    if file:
        (tmp_path / file).write_text(text)
    with pytest.raises(LayoutUnusable, match=says):
        read_layout(layout, tmp_path)
    with pytest.raises(LayoutUnusable, match="there is no folder"):
        read_layout(layout, tmp_path / "elsewhere")


def test_a_set_becomes_a_library_only_with_a_licence_and_a_category(tmp_path: Path) -> None:
    put(tmp_path, "dog6/00.png", "can/00.png")
    (tmp_path / "prompts_and_classes.txt").write_text("dog6,dog\n")
    read = read_layout("dreambooth", tmp_path)
    with pytest.raises(ValueError, match="licence"):
        library_rows(read, licence=" ", source="DreamBooth")
    rows, left_out = library_rows(read, licence="CC BY 4.0", source="DreamBooth")
    assert [(one.identity, one.category, one.noun, one.licence) for one in rows] == [
        ("dog6", "animal", "dog", "CC BY 4.0")
    ]
    assert [(one.item, one.reason) for one in left_out] == [("can/00.png", "no_category")]
    rows, left_out = library_rows(read, licence="CC BY 4.0", source="DreamBooth", category="object")
    assert [(one.identity, one.category, one.noun) for one in rows] == [
        ("can", "object", "thing"),
        ("dog6", "animal", "dog"),
    ]
    # The rows are a manifest that lies in the folder of the set.
    write_manifest(rows, tmp_path / "library.jsonl")
    library = read_library(tmp_path / "library.jsonl")
    assert [one.name for one in library.images] == ["can", "dog6"]


@pytest.mark.parametrize(
    ("noun", "category"),
    [("person", "human"), ("young woman", "human"), ("black dog", "animal"), ("plush toy", "object"), ("", "")],
)
def test_a_noun_tells_its_category(noun: str, category: str) -> None:
    assert category_of(noun) == category


CONCEPTS = (
    WrittenConcept("Nadia", picture(0), "person"),
    WrittenConcept("red mug", picture(1), "mug", "<red mug> shines."),
)
TESTS = (
    WrittenTest(picture(2), ("Nadia",), ("Nadia waves.",)),
    WrittenTest(picture(3), ("red mug",)),
    WrittenTest(picture(4), ("Nadia",)),
)


@pytest.mark.parametrize("layout", ["yollava", "myvlm", "dreambooth", "rap"])
def test_what_is_written_is_read_back(tmp_path: Path, layout: WritableLayout) -> None:
    root = tmp_path / layout
    several = (WrittenTest(picture(5), ("red mug", "Nadia")),) if layout == "rap" else ()
    write_layout(layout, root, CONCEPTS, (*TESTS, *several))
    read = read_layout(layout, root)
    assert read.rejections == ()
    assert {one.name for one in read.concepts} == {"Nadia", "red mug"}
    by_name = {one.name: one for one in read.concepts}
    assert (root / by_name["red mug"].file).read_bytes() == picture(1)
    found = sorted((one.shows, (root / one.file).read_bytes()) for one in read.tests)
    assert found == sorted((one.shows, one.picture) for one in (*TESTS, *several))
    if layout in ("dreambooth", "rap"):
        assert [by_name[name].category for name in ("Nadia", "red mug")] == ["human", "object"]
    if layout == "rap":
        assert by_name["red mug"].info == "<red mug> shines."
    if layout == "myvlm":
        assert [one.captions for one in read.tests if one.captions] == [("Nadia waves.",)]


def test_yollavas_files_are_png_whatever_came_in(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGB", (16, 16), (200, 30, 40)).save(out, "JPEG")
    write_layout("yollava", tmp_path, [WrittenConcept("bo", out.getvalue())], [])
    written = (tmp_path / "train/bo/0.png").read_bytes()
    assert written.startswith(b"\x89PNG")
    assert picture_hash(decode_picture(written)) == picture_hash(decode_picture(out.getvalue()))


@pytest.mark.parametrize(
    ("layout", "concepts", "tests", "says"),
    [
        ("yollava", [WrittenConcept("../up", picture(0))], [], "cannot be the name of a folder"),
        ("yollava", [WrittenConcept("Bo", picture(0)), WrittenConcept("bo", picture(1))], [], "the same name"),
        ("myvlm", CONCEPTS, [WrittenTest(picture(2), ("Nadia", "red mug"))], "write a rap folder"),
        ("rap", CONCEPTS, [WrittenTest(picture(2), ("Omar",))], "Omar, which is no concept"),
        ("rap", CONCEPTS, [WrittenTest(picture(2), ())], "nothing, which is no concept"),
    ],
)
def test_what_a_layout_has_no_place_for_is_not_written(
    tmp_path: Path,
    layout: WritableLayout,
    concepts: list[WrittenConcept],
    tests: list[WrittenTest],
    says: str,
) -> None:
    with pytest.raises(ValueError, match=says):
        write_layout(layout, tmp_path, concepts, tests)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    write_layout("rap", tmp_path, CONCEPTS, TESTS)
    with pytest.raises(FileExistsError, match="is not empty"):
        write_layout("rap", tmp_path, CONCEPTS, TESTS)
