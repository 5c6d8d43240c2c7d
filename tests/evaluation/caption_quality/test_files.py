"""DOCCI's and MMHal-Bench's files: good rows are read, bad ones are rejected with their reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.caption_quality.errors import FileUnreadable
from evaluation.caption_quality.files import parse_rating, read_docci, read_mmhal


def docci(example: str, **more: Any) -> dict[str, Any]:
    return {"example_id": example, "split": "test", "image_file": f"{example}.jpg", "description": "A dog."} | more


def question(**more: Any) -> dict[str, Any]:
    fields = {
        "question_type": "attribute",
        "question_topic": "food",
        "image_id": "ab12",
        "image_src": "https://example.org/ab12_o.jpg",
        "image_content": ["Apple", "Table"],
        "question": "What colour is the apple?",
        "gt_answer": "It is red.",
        "model_answer": "",
    }
    return fields | more


def lines(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in rows))
    return path


def test_docci_gives_its_rows_and_says_why_others_are_not_there(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "d.jsonlines",
        docci("test_00000", aar_license="more"),
        "{broken",
        docci("test_00001", description=""),
        docci("train_00000", split="train"),
        docci("test_00000"),
        "[1]",
        "",
        docci("test_00002", description="One line.\u2028Still the same row."),
    )
    read = read_docci(path, split="test")
    assert [one.example_id for one in read.rows] == ["test_00000", "test_00002"]
    assert "Still the same row" in read.rows[1].description
    told = {one.item: one.reason for one in read.rejections}
    assert told == {
        "d.jsonlines row 2": "bad_json",
        "d.jsonlines row 3": "bad_row",
        "d.jsonlines row 5": "duplicate",
        "d.jsonlines row 6": "bad_row",
    }
    assert "description" in read.rejections[1].detail


def test_mmhal_gives_its_questions_with_one_content_or_several(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    rows = [question(), question(image_content="Apple", model_answer="Red."), question(question=""), "text"]
    path.write_text(json.dumps(rows))
    read = read_mmhal(path)
    assert [one.image_content for one in read.rows] == [("Apple", "Table"), ("Apple",)]
    assert read.rows[1].model_answer == "Red."
    assert [(one.item, one.reason) for one in read.rejections] == [
        ("m.json row 3", "bad_row"),
        ("m.json row 4", "bad_row"),
    ]


@pytest.mark.parametrize("content", ["{}", "nonsense", "[]", '[{"question": "?"}]', b"\xff\xfe\x00"])
def test_a_file_without_one_good_question_is_an_error(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FileUnreadable, match=r"m\.json"):
        read_mmhal(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable, match="cannot be read"):
        read_docci(tmp_path / "none.jsonlines")


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("It is right.\nRating: 4", 4),
        ("**Rating: 0**", 0),
        ("Rating: 6.", 6),
        ("Rating: 2\nand once more\nRating: 2", 2),
        ("Rating: 2\nRating: 3", None),
        ("Rating: 7", None),
        ("Rating: -1", None),
        ("Rating: 3.5", None),
        ("I would give a rating: 4 of 6", None),
        ("four", None),
        ("", None),
    ],
)
def test_a_rating_is_one_whole_number_on_a_line_of_its_own(text: str, rating: int | None) -> None:
    assert parse_rating(text) == rating
