from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lifeloom.synthesis.seeds import (
    CaptionReader,
    PersonaReader,
    SeedFileEmpty,
    SeedFileMissing,
    SeedFileTruncated,
    SeedFileUnreadable,
)
from lifeloom.synthesis.seeds.files import MAX_LINE_BYTES, SeedLines

Write = Callable[..., Path]


def lines_of(path: Path) -> list[bytes]:
    return [line for block in SeedLines(path).blocks() for line in block.lines]


@pytest.mark.parametrize("reader", [PersonaReader, CaptionReader])
class TestBothReaders:
    def test_a_missing_file_is_named_and_the_builtin_seeds_are_offered(self, reader: type, tmp_path: Path) -> None:
        with pytest.raises(SeedFileMissing, match=r"nowhere\.jsonl.*built-in seeds"):
            list(reader(tmp_path / "nowhere.jsonl"))

    def test_an_empty_file_is_an_error(self, reader: type, write: Write) -> None:
        with pytest.raises(SeedFileEmpty, match="is empty"):
            list(reader(write(b"")))

    @pytest.mark.parametrize("content", [b"\n\n  \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n", b"   "])
    def test_a_file_of_white_space_is_empty(self, reader: type, write: Write, content: bytes) -> None:
        with pytest.raises(SeedFileEmpty):
            list(reader(write(content)))

    def test_an_empty_gzip_file_is_empty(self, reader: type, write: Write) -> None:
        with pytest.raises(SeedFileEmpty):
            list(reader(write(b"", packed=True)))

    def test_a_folder_is_unreadable(self, reader: type, tmp_path: Path) -> None:
        with pytest.raises(SeedFileUnreadable, match="it is a folder"):
            list(reader(tmp_path))

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_a_file_without_permission_is_unreadable(self, reader: type, write: Write) -> None:
        path = write(b"{}")
        path.chmod(0)
        with pytest.raises(SeedFileUnreadable, match="permission denied"):
            list(reader(path))

    def test_a_path_with_nul_is_unreadable(self, reader: type) -> None:
        with pytest.raises(SeedFileUnreadable, match="null"):
            list(reader("seeds\0.jsonl"))

    @pytest.mark.parametrize(
        ("content", "named"),
        [
            (bytes(range(256)) * 40, "not UTF-8 text"),
            (b"PK\x03\x04" + b"rest", "a zip archive"),
            (b"BZh91AY&SY", "bzip2"),
            ('{"persona": "A cook"}\n'.encode("utf-16"), "UTF-16"),
            ("Ein Bäcker aus Köln\nUn garçon\n".encode("latin-1"), "not UTF-8 text"),
        ],
    )
    def test_what_is_not_text_is_unreadable_and_named(
        self, reader: type, write: Write, content: bytes, named: str
    ) -> None:
        with pytest.raises(SeedFileUnreadable, match=named):
            list(reader(write(content)))

    def test_binary_inside_gzip_is_unreadable(self, reader: type, write: Write) -> None:
        with pytest.raises(SeedFileUnreadable, match="not UTF-8 text"):
            list(reader(write(bytes(range(256)) * 40, packed=True)))

    def test_a_gzip_file_cut_in_its_head_is_an_error(self, reader: type, write: Write) -> None:
        with pytest.raises(SeedFileTruncated, match="again"):
            list(reader(write(gzip.compress(b"nothing much")[:12])))


def test_gzip_is_told_by_content_not_by_name(write: Write) -> None:
    assert lines_of(write(b"one\ntwo\n", "packed.jsonl", packed=True)) == [b"one", b"two"]
    assert lines_of(write(b"one\ntwo\n", "plain.jsonl.gz")) == [b"one", b"two"]


def test_several_gzip_members_are_read_on(write: Write) -> None:
    assert lines_of(write(gzip.compress(b"one\n") + gzip.compress(b"two\n"))) == [b"one", b"two"]


def test_a_byte_order_mark_is_skipped_plain_and_packed(write: Write) -> None:
    assert lines_of(write(b"\xef\xbb\xbfone\n")) == [b"one"]
    assert lines_of(write(b"\xef\xbb\xbfone\n", packed=True)) == [b"one"]


def test_lines_keep_their_numbers_over_many_blocks(write: Write) -> None:
    wanted = [b"%07d %s" % (number, b"x" * (number % 300)) for number in range(1, 20_001)]
    blocks = list(SeedLines(write(b"\n".join(wanted))).blocks())
    assert len(blocks) > 2
    assert [line for block in blocks for line in block.lines] == wanted
    assert all(int(line[:7]) == n for block in blocks for n, line in enumerate(block.lines, block.first))
    assert blocks[-1].unterminated == 20_000


def test_an_endless_line_is_flagged_and_the_next_one_is_read(write: Write) -> None:
    content = b"before\n" + b"x" * (3 * MAX_LINE_BYTES) + b"\nafter\n"
    seen = {
        number: (line, number in block.oversize)
        for block in SeedLines(write(content)).blocks()
        for number, line in enumerate(block.lines, block.first)
    }
    assert seen == {1: (b"before", False), 2: (b"", True), 3: (b"after", False)}


def test_an_endless_last_line_is_flagged(write: Write) -> None:
    blocks = list(SeedLines(write(b"before\n" + b"x" * (3 * MAX_LINE_BYTES))).blocks())
    assert blocks[-1].oversize == {2}
    assert blocks[-1].unterminated == 2


def test_a_few_stray_control_bytes_do_not_make_a_file_binary(write: Write) -> None:
    assert len(lines_of(write(b"a line of text that is long enough\x00 to be text\n" * 100))) == 100
