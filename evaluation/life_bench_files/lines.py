"""Files with a JSON value a line, of which single lines may be broken."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from evaluation.life_bench_files.shapes import ReleaseUnreadable
from evaluation.persona_mme_files.finding import Problem

__all__ = ["read_lines", "read_object", "shaped", "to_lines"]

_MAX_BYTES = 256 * 2**20
_Shape = TypeVar("_Shape", bound=BaseModel)


def read_lines(file: Path, root: Path) -> Iterator[tuple[int, Any]]:
    """Give the number of each line that is not blank, from 1, with its value or the ``Problem`` with it.

    Raises:
        ReleaseUnreadable: the file is not there, too large, outside ``root`` or cannot be read.
    """
    for number, line in enumerate(_bytes_of(file, root).splitlines(), start=1):
        if line.strip():
            yield number, _value(line)


def read_object(file: Path, root: Path) -> Any:
    """Return the value in a JSON file, or the ``Problem`` with it.

    Raises:
        ReleaseUnreadable: as ``read_lines``.
    """
    return _value(_bytes_of(file, root))


def shaped(value: Any, shape: type[_Shape]) -> _Shape | Problem:
    """Return a value in its shape, or what is wrong with it."""
    if isinstance(value, Problem):
        return value
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the entry"
        return Problem("missing_key" if first["type"] == "missing" else "wrong_shape", f"{place}: {first['msg']}")


def to_lines(rows: Iterable[Mapping[str, object]]) -> bytes:
    """Return rows a line each: the one way in which they are written here."""
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows).encode()


def _bytes_of(file: Path, root: Path) -> bytes:
    try:
        if not file.resolve().is_relative_to(root.resolve()):
            raise ReleaseUnreadable(f"{file} lies outside of {root}; copy it into the folder")
        if not file.is_file():
            raise ReleaseUnreadable(f"there is no file {file}")
        if file.stat().st_size > _MAX_BYTES:
            raise ReleaseUnreadable(f"{file} has more than {_MAX_BYTES:,} bytes")
        return file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except (OSError, RuntimeError) as error:
        raise ReleaseUnreadable(f"{file} cannot be read: {error}") from error


def _value(data: bytes) -> Any:
    try:
        value = json.loads(data.decode())
        json.dumps(value, ensure_ascii=False).encode()  # halves of characters cannot be written again
    except (ValueError, RecursionError) as error:
        return Problem("bad_json", f"not readable JSON ({error})")
    return value
