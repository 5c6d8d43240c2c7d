"""DOCCI and MMHal-Bench from folders with pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.caption_quality.errors import FileUnreadable
from evaluation.caption_quality.published import digest_of, load_docci, load_mmhal
from tests.evaluation.caption_quality.test_files import docci, lines, question
from tests.lifewords import png


class Shelf:
    """Keeps pictures by a number."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []

    def put(self, data: bytes) -> str:
        self.kept.append(data)
        return f"{len(self.kept):064x}"


def folder(tmp_path: Path, **pictures: bytes) -> Path:
    (tmp_path / "images").mkdir()
    for name, data in pictures.items():
        (tmp_path / "images" / f"{name}.png").write_bytes(data)
    return tmp_path


def test_pictures_of_docci_are_stored_with_their_descriptions(tmp_path: Path) -> None:
    root = folder(tmp_path, a=png((1, 2, 3), side=40), b=b"\x89PNG\r\n\x1a\nbroken", d=png((9, 9, 9), side=40))
    names = {"a": "a.png", "b": "b.png", "c": "c.png", "up": "../a.png", "d": "d.png"}
    rows = [docci(one, image_file=name) for one, name in names.items()]
    lines(root / "docci_descriptions.jsonlines", docci("x", split="train"), *rows)
    shelf = Shelf()
    found, rejections = load_docci(root, shelf.put, most=10)
    assert [(one.row_id, one.row.example_id) for one in found] == [("docci-0000", "a"), ("docci-0001", "d")]
    assert (found[0].picture.width, found[0].picture.content_hash) == (40, f"{1:064x}")
    assert shelf.kept[0] == png((1, 2, 3), side=40)
    assert [one.item for one in rejections] == ["b.png", "c.png", "../a.png"]
    assert all(one.reason for one in rejections)
    few, _ = load_docci(root, Shelf().put, most=1)
    assert len(few) == 1


def test_pictures_of_mmhal_are_named_as_the_last_part_of_their_address(tmp_path: Path) -> None:
    root = folder(tmp_path, a=png((1, 2, 3), side=40))
    rows = [question(image_src="https://farm1.example.org/2/a.png"), question(image_src="https://example.org/b.png")]
    (root / "response_template.json").write_text(json.dumps(rows))
    found, rejections = load_mmhal(root, Shelf().put)
    assert [one.row.question for one in found] == ["What colour is the apple?"]
    assert [one.item for one in rejections] == ["b.png"]


def test_a_set_without_any_picture_says_where_they_belong(tmp_path: Path) -> None:
    lines(tmp_path / "docci_descriptions.jsonlines", docci("a"))
    with pytest.raises(FileUnreadable, match="a folder called images beside the file"):
        load_docci(tmp_path, Shelf().put, most=10)


def test_a_set_is_another_when_its_file_or_pictures_are(tmp_path: Path) -> None:
    root = folder(tmp_path, a=png((1, 2, 3), side=40))
    lines(root / "docci_descriptions.jsonlines", docci("a"))
    first = digest_of(root, "docci_descriptions.jsonlines")
    assert digest_of(root, "docci_descriptions.jsonlines") == first
    (root / "images" / "b.png").write_bytes(png((1, 2, 3), side=41))
    second = digest_of(root, "docci_descriptions.jsonlines")
    lines(root / "docci_descriptions.jsonlines", docci("b"))
    assert len({first, second, digest_of(root, "docci_descriptions.jsonlines")}) == 3
    with pytest.raises(FileUnreadable, match="cannot be read"):
        digest_of(root, "none.json")
