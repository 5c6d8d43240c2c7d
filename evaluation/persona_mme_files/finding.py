"""Finding the JSON files of a release that nobody vouches for, and reading them."""

from __future__ import annotations

import errno
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.persona_mme_files.shapes import CASE_FILE, ReleaseUnreadable

__all__ = ["Problem", "find_case_file", "read_json_file"]

_MAX_JSON_BYTES = 256 * 2**20
_OF_THE_MACHINE = (errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Errors that say nothing of the file that was being read."""


def find_case_file(path: Path) -> Path:
    """Return the case list of a release.

    Raises:
        ReleaseUnreadable: there is none.
    """
    try:
        return _look_for_cases(path)
    except OSError as error:
        raise ReleaseUnreadable(f"{path} cannot be looked at ({error.strerror})") from error


def _look_for_cases(path: Path) -> Path:
    if path.is_file():
        return path
    if not path.is_dir():
        raise ReleaseUnreadable(f"{path} is not there; name the folder of a release or its case list")
    if (path / CASE_FILE).is_file():
        return path / CASE_FILE
    lists = sorted(path.glob("*.json"))
    if len(lists) == 1:
        return lists[0]
    found = f"it holds {len(lists)} JSON files, name one" if lists else "it holds no JSON file"
    raise ReleaseUnreadable(f"{path} has no case list {CASE_FILE}; {found}")


@dataclass(frozen=True)
class Problem:
    """Why something cannot be read."""

    reason: str
    detail: str


def read_json_file(file: Path, root: Path) -> tuple[Any, str] | Problem:
    """Return the value in a JSON file within ``root`` and the hash of its bytes.

    Raises:
        OSError: the machine fails; not for what the file can cause.
    """
    try:
        if _leads_in_a_circle(file):
            return Problem("symbolic_link", f"{file} is a symbolic link that leads back to itself")
        if not file.resolve().is_relative_to(root.resolve()):
            return Problem("outside_folder", f"{file} lies outside of {root}")
        if not file.is_file():
            return Problem("missing", f"there is no file {file}")
        if file.stat().st_size > _MAX_JSON_BYTES:
            return Problem("too_large", f"{file} has more than {_MAX_JSON_BYTES:,} bytes")
        data = file.read_bytes()
        return json.loads(data.decode("utf-8-sig")), hashlib.sha256(data).hexdigest()
    except (ValueError, RecursionError) as error:
        return Problem("bad_json", f"{file} is not readable JSON ({error})")
    except OSError as error:
        if error.errno in _OF_THE_MACHINE:
            raise
        return Problem("unreadable", f"{file} cannot be read ({error.strerror})")


def _leads_in_a_circle(file: Path) -> bool:
    try:
        file.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False
