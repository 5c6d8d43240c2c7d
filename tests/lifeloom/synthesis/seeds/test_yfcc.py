from __future__ import annotations

import datetime as dt
import gzip
import random
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.records import CaptionSeed
from lifeloom.synthesis.seeds import CaptionReader, SeedFileTruncated

Write = Callable[..., Path]
Row = Callable[..., str]


def read(path: Path, **options: object) -> tuple[list[CaptionSeed], dict[str, int], dict[str, int]]:
    reader = CaptionReader(path, **options)  # type: ignore[arg-type]
    captions = list(reader)
    report = reader.report
    assert report.read == report.kept + report.rejected_total
    assert report.kept == len(captions)
    for caption in captions:
        assert CaptionSeed.model_validate(caption.model_dump()) == caption
    return captions, {e.reason: e.count for e in report.rejected}, {e.reason: e.count for e in report.noted}


def only(path: Path) -> CaptionSeed:
    captions, rejected, _ = read(path)
    assert rejected == {}
    return captions[0]


@pytest.mark.parametrize("columns", [23, 24, 25])
def test_each_published_layout_gives_the_same_caption(write: Write, row: Row, columns: int) -> None:
    line = row("Grandma's plum jam", "Eleven jars, and one for the cat.", tags="jam,late+summer", columns=columns)
    assert only(write([line])) == CaptionSeed(
        caption_id="yfcc-4100000001",
        account_id="account-55500001-n07",
        title="Grandma's plum jam",
        description="Eleven jars, and one for the cat.",
        caption="Grandma's plum jam. Eleven jars, and one for the cat.",
        taken_at=dt.datetime(2009, 8, 14, 19, 5, 11),  # noqa: DTZ001 - wall-clock time
        tags=("jam", "late summer"),
        licence="CC BY-NC 2.0",
        line=1,
        use="event",
    )


def test_the_layouts_may_be_mixed_and_packed_with_windows_line_ends(write: Write, row: Row) -> None:
    content = "\ufeff" + "".join(row(photo=str(n), columns=n) + "\r\n" for n in (23, 24, 25))
    captions, rejected, _ = read(write(content.encode(), packed=True))
    assert [caption.caption_id for caption in captions] == ["yfcc-23", "yfcc-24", "yfcc-25"]
    assert rejected == {}


@pytest.mark.parametrize(
    ("title", "description", "caption"),
    [
        ("Half Dome", "", "Half Dome"),
        ("", "Posters at the charity in Bolgatanga", "Posters at the charity in Bolgatanga"),
        ("leaves in motion", "Leaves in motion", "Leaves in motion"),
        ("Lake walk", "Lake walk with Aunt Rosa and the twins", "Lake walk with Aunt Rosa and the twins"),
        ("Lake walk with Aunt Rosa", "Lake walk", "Lake walk with Aunt Rosa"),
        ("Who ate it?", "The dog did.", "Who ate it? The dog did."),
        ("20090720_Hostel_008", "a friend packs up the net", "a friend packs up the net"),
        ("IMG_0208", "Gao ferry", "Gao ferry"),
        ("IMG 0208", "Gao ferry", "Gao ferry"),
        ("Untitled", "Our boat at dawn", "Our boat at dawn"),
        ("Our boat at dawn", "OLYMPUS DIGITAL CAMERA", "Our boat at dawn"),
        ("38 pictures for you", "DSC_0219.JPG DSC_0030.JPG DSC_0142.JPG", "38 pictures for you"),
        ("", '<a href="http://x.example/" rel="nofollow">Serrota</a> rocks!', "Serrota rocks!"),
        ("", "Bread &amp;amp; jam, mum&#39;s &quot;best&quot;", 'Bread & jam, mum\'s "best"'),
        ("", "I <3 my dog & she loves me", "I <3 my dog & she loves me"),
        ("", "First day.<br/>Second <b>d</b>ay", "First day. Second day"),
        ("", "First day\n\nSecond day", "First day. Second day"),
        ("", "hard wrapped\nline of text", "hard wrapped line of text"),
        ("", "See http://photos.example/a?b=c and www.more.example/x for more", "See and for more"),
        ("", 'All here: <a href="http://x">photos.example/very/long...</a>', "All here:"),
        ("", "ask anna@photos.example about it", "ask about it"),
        ("", 'cut markup at the end <a href="http://photos', "cut markup at the end"),
        ("", r"Tea at Nan\'s\nand cake", "Tea at Nan's and cake"),
        ("", r"Caf\u00e9 by the sea", "Café by the sea"),
        ("", "bell\x07 and\x00 whistle\u202e", "bell and whistle"),
        ("", "  too   many\tblanks \u00a0 here ", "too many blanks here"),
        ("Mezquita de Tombuctú", "", "Mezquita de Tombuctú"),
        ("京都の紅葉", "", "京都の紅葉"),
        ("Summer-in-Rome", "", "Summer-in-Rome"),
        ("100% wool mittens", "", "100% wool mittens"),
    ],
)
def test_title_and_description_become_one_clean_caption(
    write: Write, row: Row, title: str, description: str, caption: str
) -> None:
    assert only(write([row(title, description)])).caption == caption


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"title": ""}, "no_text"),
        ({"title": "\\N", "encode": str}, "no_text"),
        ({"title": "IMG_0231"}, "file_name"),
        ({"title": "DSC_0030.JPG"}, "file_name"),
        ({"title": "20090720_Hostel_008"}, "file_name"),
        ({"title": "Burk2011 089"}, "file_name"),
        ({"title": "025BF:GC"}, "file_name"),
        ({"title": "Photo 12"}, "file_name"),
        ({"title": "00123"}, "no_letters"),
        ({"title": "2009-07-20 / 12"}, "no_letters"),
        ({"title": "!!! :-)"}, "no_letters"),
        ({"title": "Untitled"}, "placeholder"),
        ({"title": "Sin título"}, "placeholder"),
        ({"title": "SONY DSC"}, "camera_text"),
        ({"title": "Canon EOS 5D", "device": "Canon+EOS+5D"}, "camera_text"),
        ({"title": "Airstream"}, "too_few_words"),
        ({"title": "a b c d"}, "too_few_words"),
        ({"title": "", "description": '<img src="x.jpg"/>'}, "only_markup"),
        ({"title": "", "description": "http://photos.example/x"}, "only_markup"),
        ({"title": "%E9t%E9 en mer", "encode": str}, "not_utf8"),
        ({"marker": "1"}, "video"),
        ({"marker": "2"}, "bad_marker"),
        ({"marker": ""}, "bad_marker"),
        ({"licence": ""}, "licence_missing"),
        ({"licence": "all-rights"}, "licence_not_cc"),
        ({"photo": ""}, "no_id"),
        ({"account": ""}, "no_id"),
    ],
)
def test_an_unusable_row_is_counted_by_reason(write: Write, row: Row, change: dict[str, object], reason: str) -> None:
    captions, rejected, _ = read(write([row(), row(**change), row(photo="2")]))
    assert [caption.line for caption in captions] == [1, 3]
    assert rejected == {reason: 1}


def test_wrong_column_counts_blank_and_endless_lines_are_counted_with_their_numbers(write: Write, row: Row) -> None:
    lines = [row(), "\t".join(["x"] * 22), "\t".join(["x"] * 26), "", "x" * 3_000_000, row(photo="2")]
    reader = CaptionReader(write(lines))
    assert [caption.line for caption in reader] == [1, 6]
    numbers = {entry.reason: [sample.line for sample in entry.samples] for entry in reader.report.rejected}
    assert numbers == {"wrong_columns": [2, 3], "blank_line": [4], "too_long": [5]}


@pytest.mark.parametrize("columns", [23, 24, 25])
def test_a_last_line_cut_anywhere_is_half_written(write: Write, row: Row, columns: int) -> None:
    whole = row(photo="2", columns=columns)
    for length in range(1, len(whole)):
        captions, rejected, _ = read(write((row() + "\n" + whole[:length]).encode()))
        assert len(captions) == 1
        assert rejected == {"half_written": 1}
    assert len(read(write((row() + "\n" + whole).encode()))[0]) == 2


def test_the_allow_list_narrows_the_licences(write: Write, row: Row) -> None:
    path = write([row(licence="by"), row(licence="by-nc"), row(licence="by-nc-nd")])
    captions, rejected, _ = read(path, licences={"by"})
    assert [caption.licence for caption in captions] == ["CC BY 2.0"]
    assert rejected == {"licence_not_allowed": 2}


def test_an_unknown_licence_in_the_allow_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"by-xx.*allowed: .*by-nc-sa"):
        CaptionReader(tmp_path, licences={"by-xx"})


@pytest.mark.parametrize(
    "taken",
    [
        "0000-00-00 00:00:00.0", "2009-13-01 10:00:00.0", "2009-02-30 10:00:00.0", "1904-01-01 00:00:00.0",
        "1970-01-01 00:00:00.0", "2031-01-01 00:00:00.0", "2009-08-19 10:00:00.0", "null", "", "14/08/2009 10:00:00",
        "2009-08-14 19:05+02",
    ],
)  # fmt: skip
def test_an_impossible_date_makes_a_concept_seed_and_is_counted(write: Write, row: Row, taken: str) -> None:
    ((caption,), rejected, noted) = read(write([row(taken=taken, uploaded="1250500000")]))  # 17 August 2009, UTC
    assert (caption.taken_at, caption.use) == (None, "concept")
    assert rejected == {}
    assert noted == {"impossible_date": 1}


def test_a_photo_taken_a_zone_ahead_of_its_upload_keeps_its_date(write: Write, row: Row) -> None:
    ((caption,), _, noted) = read(write([row(taken="2009-08-18 06:00:00.0", uploaded="1250500000")]))
    assert caption.use == "event"
    assert noted == {}


def test_a_date_that_cannot_be_checked_makes_a_concept_seed(write: Write, row: Row) -> None:
    ((caption,), _, noted) = read(write([row(uploaded="")]))
    assert caption.use == "concept"
    assert noted == {"upload_unreadable": 1}


@pytest.mark.parametrize("odd", ["../../etc/passwd", "a/b", "a.b", "a\x00b", "é" * 300, "UPPER", " "])
def test_odd_ids_become_safe_ones_that_are_stable_and_distinct(write: Write, row: Row, odd: str) -> None:
    lines = [row(photo=odd, account=odd), row(photo=odd + "x", account=odd + "x")]
    (first, second), _, _ = read(write(lines))
    (again, _), _, _ = read(write(lines))
    assert (first.caption_id, first.account_id) == (again.caption_id, again.account_id)
    assert first.caption_id != second.caption_id
    assert first.account_id != second.account_id


def test_a_very_long_description_is_cut_after_a_sentence_and_noted(write: Write, row: Row) -> None:
    ((caption,), _, noted) = read(write([row("A long day", "We walked on and on. " * 200)]))
    assert len(caption.caption) <= 600
    assert caption.caption.endswith("We walked on and on.")
    assert noted == {"clipped": 1}


def test_hostile_markup_is_cleaned_in_bounded_time(write: Write, row: Row) -> None:
    hostile = ["<a>" + "/" * 400_000, "<script>" * 50_000, "&amp;" * 100_000, "\n" * 300_000, "<a " * 100_000]
    lines = [row("Some honest title", text, encode=quote_plus) for text in hostile]
    reader = CaptionReader(write(lines))
    assert all("Some honest title" in caption.caption for caption in reader)
    assert reader.report.read == 5


def test_a_packed_dump_that_breaks_off_is_used_up_to_the_break_or_refused(write: Write, row: Row) -> None:
    rng = random.Random(3)
    content = "".join(row(f"Walk in the hills {rng.random()}", photo=str(n)) + "\n" for n in range(3_000)).encode()
    packed = gzip.compress(content)
    captions, _, noted = read(write(packed[: len(packed) // 2]))
    assert 500 < len(captions) < 2_500
    assert noted == {"truncated_gzip": 1}
    with pytest.raises(SeedFileTruncated):
        read(write(gzip.compress(row(title="").encode() * 500)[:-9]))


words = st.lists(st.from_regex(r"[a-zà-öø-ÿа-я]{3,9}", fullmatch=True), min_size=2, max_size=12).map(" ".join)


@given(st.lists(st.tuples(words, words, st.sampled_from([23, 24, 25])), min_size=1, max_size=6), st.booleans())
def test_words_survive_encoding_and_reading(
    tmp_path_factory: pytest.TempPathFactory, row: Row, texts: list[tuple[str, str, int]], packed: bool
) -> None:
    lines = [
        row(title, description, photo=str(number), columns=columns)
        for number, (title, description, columns) in enumerate(texts)
    ]
    data = "\n".join(lines).encode()
    path = tmp_path_factory.mktemp("dump") / "dump.tsv"
    path.write_bytes(gzip.compress(data) if packed else data)
    captions, rejected, _ = read(path)
    assert rejected == {}
    assert [(caption.title, caption.description) for caption in captions] == [text[:2] for text in texts]


@given(st.binary(max_size=400))
def test_no_bytes_at_all_break_a_row(tmp_path_factory: pytest.TempPathFactory, row: Row, junk: bytes) -> None:
    good = row().encode()
    cells = good.split(b"\t")
    noise = junk.replace(b"\n", b"").replace(b"\t", b"")
    cells[6] = noise
    cells[8] = noise
    path = tmp_path_factory.mktemp("dump") / "dump.tsv"
    path.write_bytes(b"\n".join([*[good] * 60, junk.replace(b"\n", b"\t"), b"\t".join(cells), good]))
    captions, _, _ = read(path)
    assert len(captions) >= 61
    for caption in captions:
        assert caption.caption.isprintable() or not caption.caption.isascii()
