"""Rows and files in the published formats, made up for the tests."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import quote_plus

import pytest

LICENCES = {
    "by": "Attribution License",
    "by-nc": "Attribution-NonCommercial License",
    "by-nc-nd": "Attribution-NonCommercial-NoDerivs License",
}


def photo_row(
    title: str = "Our first harvest supper",
    description: str = "",
    *,
    photo: str = "4100000001",
    account: str = "55500001@N07",
    taken: str = "2009-08-14 19:05:11.0",
    uploaded: str = "1250500000",
    device: str = "",
    tags: str = "",
    licence: str = "by-nc",
    marker: str = "0",
    columns: int = 23,
    encode: Callable[[str], str] = quote_plus,
) -> str:
    """Return one line of the dump without its line feed."""
    name = LICENCES.get(licence, "")
    url = f"http://creativecommons.org/licenses/{licence}/2.0/" if licence else ""
    row = [
        photo, account, "somebody", taken, uploaded, device, encode(title), encode(description), tags, "", "-1.0",
        "-1.0", "16", f"http://photos.example/{photo}/", f"http://photos.example/{photo}.jpg", name, url, "2411", "3",
        "abcdef0123", "abcdef0123", "jpg", marker,
    ]  # fmt: skip
    if columns >= 24:
        row.insert(1, "0f" * 16)
    if columns == 25:
        row.insert(0, "77")
    return "\t".join(row)


@pytest.fixture(scope="session")
def row() -> Callable[..., str]:
    return photo_row


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes, text lines or persona texts to a file and return its path."""

    def write(content: bytes | Iterable[str], name: str = "seeds.txt", *, packed: bool = False) -> Path:
        data = content if isinstance(content, bytes) else "".join(line + "\n" for line in content).encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
        return path

    return write


@pytest.fixture
def persona_line() -> Callable[..., str]:
    return lambda text, **others: json.dumps({"persona": text, **others})
