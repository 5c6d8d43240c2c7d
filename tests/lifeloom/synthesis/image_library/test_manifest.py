"""A library of one's own: what a manifest gives, and the reason for every line that gives nothing."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.records import PicturePlan, PictureSubject
from lifeloom.synthesis.image_library import (
    LibraryRead,
    LibraryRow,
    LibraryUnusable,
    library_digest,
    read_library,
    write_manifest,
)
from tests.scenes import small_library


def picture(number: int, form: str = "PNG", side: int = 96) -> bytes:
    """A file whose pattern depends on its number, so that no two are alike."""
    image = Image.new("L", (8, 8))
    image.putdata([255 * ((number * 2654435761 >> bit % 31) + bit * number & 1) for bit in range(64)])
    out = io.BytesIO()
    image.resize((side, side), Image.Resampling.NEAREST).convert("RGB").save(out, form)
    return out.getvalue()


def row(file: str = "a.png", **more: Any) -> dict[str, Any]:
    return {
        "file": file,
        "identity": file.partition(".")[0],
        "category": "human",
        "noun": "person",
        "licence": "CC0",
    } | more


def read(folder: Path, *rows: dict[str, Any] | str, files: dict[str, bytes] | None = None) -> LibraryRead:
    for name, data in ({"a.png": picture(1), "b.png": picture(2), "c.png": picture(3)} | (files or {})).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    manifest = folder / "library.jsonl"
    lines = [one if isinstance(one, str) else json.dumps(one) for one in rows]
    manifest.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_library(manifest)


def reasons(given: LibraryRead) -> dict[str, str]:
    return {one.item: one.reason for one in given.rejections}


def test_a_line_gives_a_picture_with_its_identity_licence_and_source(tmp_path: Path) -> None:
    given = read(tmp_path, row(name="Nadia", source="own photo", noun="woman"), row("below/d.jpg", category="object"),
                 files={"below/d.jpg": picture(4, "JPEG")})  # fmt: skip
    image, other = given.images
    assert (image.image_id, image.identity, image.name, image.noun) == ("lib-a-0", "lib-a", "Nadia", "woman")
    assert (image.licence, image.source, image.use, image.category) == ("CC0", "own photo", "captioning", "human")
    assert image.picture.content_hash == hashlib.sha256(picture(1)).hexdigest()
    assert (image.picture.width, image.picture.height) == (96, 96)
    assert other.identity == "lib-below-d"
    assert given.rejections == ()
    assert given.lines == 2


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({key: value for key, value in row().items() if key != "licence"}, "no_licence"),
        (row(licence="  "), "no_licence"),
        (row(category="plant"), "unknown_category"),
        (row(noun=""), "bad_row"),
        (row(category="plant", licence=""), "bad_row"),
        ("{", "bad_json"),
        ("[1]", "bad_row"),
        ('"' + "x" * 30_000 + '"', "bad_json"),
        ("[" * 15_000, "bad_json"),
        (row("gone.png"), "missing"),
        (row("../a.png", identity="x"), "outside_folder"),
        (row("/etc/a.png"), "outside_folder"),
        (row("broken.png"), "truncated"),
        (row("text.png"), "wrong_extension"),
        (row("c.png", use="sale"), "bad_row"),
        (row("c.png", split="test"), "bad_row"),
        (row("c.png", identity="\ud800"), "bad_row"),
    ],
)
def test_a_bad_line_is_left_out_with_its_number_and_reason_and_the_others_stay(
    tmp_path: Path, bad: dict[str, Any] | str, reason: str
) -> None:
    files = {"broken.png": picture(5)[:200], "text.png": b"hello there, this is no picture"}
    given = read(tmp_path, row("b.png"), bad, row("c.png"), files=files)
    (lost,) = given.rejections
    assert (lost.item, lost.reason) == ("line 2", reason)
    assert lost.detail
    assert [image.identity for image in given.images] == ["lib-b", "lib-c"]
    assert given.lines == 3


def test_two_files_of_one_picture_under_two_names_are_found_whatever_their_format_and_size(tmp_path: Path) -> None:
    files = {"same.png": picture(1), "small.jpg": picture(1, "JPEG", side=64)}
    given = read(tmp_path, row(), row("same.png"), row("small.jpg"), row("b.png"), files=files)
    assert reasons(given) == {"line 2": "same_picture_two_identities", "line 3": "same_picture_two_identities"}
    assert "looks like a.png of a" in given.rejections[0].detail
    assert len(given.images) == 2


def test_only_what_is_taken_is_kept_one_file_after_another(tmp_path: Path) -> None:
    read(tmp_path, row("b.png"), row("gone.png"), row(), row())
    kept: list[bytes] = []
    read_library(tmp_path / "library.jsonl", kept.append)
    assert kept == [picture(2), picture(1)]


def test_a_digest_changes_with_the_lines_and_with_every_file_that_they_name_and_with_nothing_else(
    tmp_path: Path,
) -> None:
    manifest = tmp_path / "library.jsonl"
    read(tmp_path, row("b.png"), row("gone.png"), "{", row("c.png", licence=""))
    seen = [library_digest(manifest)]
    (tmp_path / "other.png").write_bytes(picture(8))
    assert library_digest(manifest) == seen[0]
    (tmp_path / "gone.png").write_bytes(picture(9))
    seen.append(library_digest(manifest))
    (tmp_path / "b.png").write_bytes(picture(10))
    seen.append(library_digest(manifest))
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("CC0", "CC BY"), encoding="utf-8")
    seen.append(library_digest(manifest))
    assert len(set(seen)) == 4
    with pytest.raises(LibraryUnusable, match=r"captions\.library names a manifest"):
        library_digest(tmp_path / "none.jsonl")


def test_one_identity_may_have_several_pictures_each_once(tmp_path: Path) -> None:
    given = read(tmp_path, row(), row("b.png", identity="a"), row(), row("b.png", identity="a"))
    assert [image.image_id for image in given.images] == ["lib-a-0", "lib-a-1"]
    assert reasons(given) == {"line 3": "duplicate", "line 4": "duplicate"}


def test_look_alikes_are_no_copies(tmp_path: Path) -> None:
    """Two mugs in two colours, drawn alike, are two identities."""
    painter = BuiltinPainter()
    files = {}
    for colour in ("red", "blue"):
        subject = PictureSubject(kind="object", name="mug", colour=colour, identity=colour)
        plan = PicturePlan(picture_id=colour, kind="portrait", subjects=(subject,), seed=3)
        files[f"{colour}.png"] = painter.draw(plan).data
    given = read(tmp_path, row("red.png", category="object"), row("blue.png", category="object"), files=files)
    assert reasons(given) == {}


def test_an_identity_is_of_one_split_and_one_category(tmp_path: Path) -> None:
    given = read(
        tmp_path,
        row(split="train"),
        row("b.png", identity="a", split="benchmark"),
        row("c.png", identity="a", category="object", noun="mug"),
    )
    assert reasons(given) == {"line 2": "two_splits", "line 3": "two_categories"}


def test_a_further_picture_follows_the_split_of_the_first(tmp_path: Path) -> None:
    for side in ("train", "benchmark"):
        given = read(tmp_path, row(split=side), row("b.png", identity="a"))
        assert [image.split for image in given.images] == [side, side]


def test_diagnostic_pictures_are_for_benchmarks(tmp_path: Path) -> None:
    given = read(tmp_path, row(use="diagnostic", split="train"), row("b.png", identity="a", use="diagnostic"))
    assert [(image.use, image.split) for image in given.images] == [("diagnostic", "benchmark")] * 2


def test_identities_without_a_split_are_shared_out_by_themselves_alone_two_thirds_for_training(tmp_path: Path) -> None:
    files = {f"p{number}.png": picture(1000 + number) for number in range(60)}
    rows = [row(name) for name in files]
    given = read(tmp_path, *rows, files=files)
    sides = {image.identity: image.split for image in given.images}
    training = sum(side == "train" for side in sides.values()) / len(sides)
    assert 0.5 < training < 0.83
    alone = read(tmp_path, *rows[10:20], files=files)
    assert all(sides[image.identity] == image.split for image in alone.images)


def test_names_that_differ_in_signs_alone_are_different_identities(tmp_path: Path) -> None:
    given = read(tmp_path, row(identity="Ana B."), row("b.png", identity="ana-b"), row("c.png", identity="大"))
    ids = [image.identity for image in given.images]
    assert len(set(ids)) == 3
    assert ids[0] == "lib-ana-b"
    assert all(one.startswith("lib-") and one.isascii() for one in ids)


def test_a_line_separator_within_a_text_does_not_break_a_line(tmp_path: Path) -> None:
    given = read(tmp_path, json.dumps(row(name="Ana\u2028B"), ensure_ascii=False), row("b.png"))
    assert [image.name for image in given.images] == ["Ana\u2028B", ""]
    (tmp_path / "library.jsonl").write_bytes(
        b"\xef\xbb\xbf" + (json.dumps(row()) + "\r\n\r\n" + json.dumps(row("b.png")) + "\r\n").encode()
    )
    assert len(read_library(tmp_path / "library.jsonl").images) == 2


def test_a_library_of_one_picture_is_read(tmp_path: Path) -> None:
    assert len(read(tmp_path, row()).images) == 1


def test_a_manifest_that_is_missing_or_gives_nothing_is_refused_in_words_that_say_why(tmp_path: Path) -> None:
    with pytest.raises(LibraryUnusable, match=r"captions\.library names a manifest"):
        read_library(tmp_path / "none.jsonl")
    with pytest.raises(LibraryUnusable, match="it has no lines"):
        read(tmp_path)
    with pytest.raises(LibraryUnusable, match="line 1: unknown_category"):
        read(tmp_path, row(category="plant"))
    (tmp_path / "library.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LibraryUnusable, match="cannot be read"):
        read_library(tmp_path / "library.jsonl")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    images, looks = small_library(people=2)
    painter = BuiltinPainter()
    rows = []
    for number, image in enumerate(images):
        plan = PicturePlan(
            picture_id=image.image_id, kind="portrait", subjects=(looks[image.identity].subject,), seed=number
        )
        (tmp_path / f"{image.image_id}.png").write_bytes(painter.draw(plan).data)
        rows.append(
            LibraryRow(
                file=f"{image.image_id}.png",
                identity=image.identity,
                category=image.category,
                noun=image.noun,
                licence=image.licence,
                split=image.split,
            )
        )
    manifest = tmp_path / "library.jsonl"
    assert write_manifest(rows, manifest) == len(images)
    given = read_library(manifest)
    assert given.rejections == ()
    assert [(one.category, one.noun, one.split) for one in given.images] == [
        (one.category, one.noun, one.split) for one in images
    ]
    assert {one.picture.width for one in given.images} == {512}
