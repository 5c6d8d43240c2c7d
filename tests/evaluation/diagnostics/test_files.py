"""Published diagnostic rows: what is written reads back the same, and what is broken is left out and said."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from evaluation.diagnostics.files import ROWS, ReleaseUnreadable, export_diagnostics, read_diagnostics
from evaluation.persona_mme_files.placing import ExportRefused
from lifeloom.records import BY_CODE, DiagnosticCase, DiagnosticEntry, DialogueTurn, PictureReference

FILES: dict[str, bytes] = {}
WORDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)


def picture(number: int) -> PictureReference:
    out = io.BytesIO()
    Image.new("RGB", (32, 24), (number % 256, number // 256 % 256, 7)).save(out, "PNG")
    content = hashlib.sha256(out.getvalue()).hexdigest()
    FILES[content] = out.getvalue()
    return PictureReference(content_hash=content, width=32, height=24)


def source(reference: PictureReference) -> bytes:
    return FILES[reference.content_hash]


def case(number: int, entries: int = 3, *, said: str = "Saw John.", keyword: str = "SKS") -> DiagnosticCase:
    name = f"r-d{number:04d}"
    return DiagnosticCase(
        case_id=name,
        release_id="published",
        query=picture(100 * number),
        entries=tuple(
            DiagnosticEntry(
                picture=picture(100 * number + 1 + index),
                dialogue_id=f"{name}-c{index}",
                turns=(DialogueTurn(user=said, assistant="Noted."), DialogueTurn(user="Bye.", assistant="Bye.")),
            )
            for index in range(entries)
        ),
        location="Lake Francesborough",
        action="return a package",
        keyword=keyword,
        keywords=(keyword, "QZT") if keyword else (),
        made_by=BY_CODE,
    )


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / ROWS).read_text(encoding="utf-8").splitlines()]


def rewrite(folder: Path, values: list[Any]) -> None:
    (folder / ROWS).write_text("".join(json.dumps(one) + "\n" for one in values), encoding="utf-8")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(1, 4), WORDS, st.sampled_from(["SKS", ""])), min_size=1, max_size=4))
def test_what_is_written_reads_back_the_same(tmp_path_factory: pytest.TempPathFactory, drawn: list[Any]) -> None:
    folder = tmp_path_factory.mktemp("rows") / "out"
    cases = [case(n, entries, said=said, keyword=keyword) for n, (entries, said, keyword) in enumerate(drawn)]
    assert export_diagnostics(folder, cases, source) == sum(1 + len(one.entries) for one in cases)
    found = read_diagnostics(folder)
    assert found.cases == cases
    assert found.rejections == []
    assert all(found.picture(one.query) == source(one.query) for one in cases)


def test_rows_without_our_own_keys_get_numbers_and_the_papers_keyword_where_it_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export_diagnostics(folder, [case(0, said="If John shows up, say SKS."), case(1)], source)
    plain = [{k: v for k, v in row.items() if k not in ("case_id", "keyword", "keywords")} for row in rows(folder)]
    plain[1]["dialogues_context"][0] = [
        {"role": "user", "content": "Saw John."}, {"role": "assistant", "content": "Noted."},
    ]  # fmt: skip
    rewrite(folder, plain)
    one, two = read_diagnostics(folder, release_id="theirs").cases
    assert (one.case_id, one.keyword, one.keywords) == ("theirs-d0000", "SKS", ("SKS",))
    assert (two.case_id, two.keyword, two.keywords) == ("theirs-d0001", "", ())
    assert two.entries[0].turns == (DialogueTurn(user="Saw John.", assistant="Noted."),)


def test_broken_rows_are_left_out_with_file_line_and_reason(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export_diagnostics(folder, [case(number) for number in range(9)], source)
    values: list[Any] = rows(folder)
    del values[1]["answer"]
    values[2]["dialogues_context"].pop()
    values[3]["dialogues_context"][1] = []
    values[4]["query_image"] = values[4]["images_context"][0]
    values[5]["images_context"][0] = "../elsewhere.png"
    values[6]["case_id"] = values[0]["case_id"]
    values[7]["dialogues_context"][0] = [{"role": "assistant", "content": "Hi."}, {"role": "user", "content": "Hi."}]
    broken = folder / values[8]["query_image"]
    broken.write_bytes(b"no picture")
    rewrite(folder, values)
    with (folder / ROWS).open("a", encoding="utf-8") as file:
        file.write("{not json\n")
    found = read_diagnostics(folder)
    assert [one.case_id for one in found.cases] == ["r-d0000"]
    reasons = {one.item: one.reason for one in found.rejections}
    assert reasons[f"{ROWS} line 2"] == "missing_key"
    assert reasons[f"{ROWS} line 3"] == "wrong_shape"
    assert reasons[f"{ROWS} line 4"] == "no_dialogue"
    assert reasons[f"{ROWS} line 5"] == "query_in_context"
    assert reasons[f"{ROWS} line 7"] == "duplicate"
    assert reasons[f"{ROWS} line 8"] == "no_dialogue"
    assert reasons[f"{ROWS} line 10"] == "bad_json"
    assert {f"{ROWS} line 6", f"{ROWS} line 9"} <= set(reasons)
    assert len(found.cases) + len(found.rejections) == found.lines == 10


def test_a_release_without_a_usable_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseUnreadable, match="there is no file"):
        read_diagnostics(tmp_path)
    (tmp_path / ROWS).write_text("{}\n")
    with pytest.raises(ReleaseUnreadable, match="line 1: missing_key"):
        read_diagnostics(tmp_path)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ExportRefused):
        export_diagnostics(tmp_path, [case(0)], source)
