"""Users and their files: any id a person may have, one file each, never named after the text of the id."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lifeloom.memory.errors import MemoryCorrupt, MemoryFailure, UserIdInvalid

__all__ = ["MAX_USER_ID", "UserFiles", "check_user_id", "list_users", "user_file"]

MAX_USER_ID: Final = 200
"""Characters of a user's id."""

_FILE: Final = re.compile(r"[0-9a-f]{64}\.sqlite")
_REFUSED: Final = {
    "Cc": "a control character",
    "Cs": "half of a surrogate pair",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
    "Cf": "an invisible character",
}
_JOINERS: Final = frozenset("\u200c\u200d") | frozenset(map(chr, range(0xE0020, 0xE0080)))
"""Invisible, but part of how Persian, Indian scripts and emoji are written."""


def check_user_id(user_id: str) -> str:
    """Return ``user_id`` as it is, if it may be one: 1..200 printable characters of any script, not blank.

    Slashes, dots, quotes, Chinese, emoji and right-to-left scripts are fine. Ids are told apart by their exact
    characters: ``Ann`` and ``ann`` are two users.

    Raises:
        UserIdInvalid: it is empty, blank, too long, or holds characters that cannot be seen; the message names them.
    """
    if not user_id.strip():
        raise UserIdInvalid("a user's id is empty or blank; give 1 to 200 printable characters")
    if len(user_id) > MAX_USER_ID:
        raise UserIdInvalid(
            f"a user's id has {len(user_id)} characters, at most {MAX_USER_ID} are taken; give a shorter one"
        )
    for position, character in enumerate(user_id):
        refused = _REFUSED.get(unicodedata.category(character))
        if refused and character not in _JOINERS:
            raise UserIdInvalid(
                f"a user's id holds {refused} (U+{ord(character):04X}) at character {position + 1}; leave it out"
            )
    return user_id


def user_file(folder: str | os.PathLike[str], user_id: str) -> Path:
    """Return where the memory of a user lies in ``folder``; the disk is not touched.

    The name is a digest of the id in lower-case hexadecimal digits, so no id leads out of the folder, and two ids never
    share a file, also where file systems fold case or accents. The file itself knows its user.

    Raises:
        UserIdInvalid: see ``check_user_id``.
    """
    digest = hashlib.sha256(check_user_id(user_id).encode("utf-8")).hexdigest()
    return Path(folder) / f"{digest}.sqlite"


@dataclass(frozen=True)
class UserFiles:
    """Whose memories lie in a folder."""

    files: Mapping[str, Path]
    """By user, sorted."""
    unreadable: Mapping[Path, str]
    """Files that do not say whose they are, and why."""


def list_users(folder: str | os.PathLike[str]) -> UserFiles:
    """Return whose memories lie in ``folder``: each file is opened and asked, since its name does not say.

    A file under another name than ``user_file`` gives its user is told as unreadable, not as that user's. A folder that
    is not there holds nobody.
    """
    from lifeloom.memory.database import read_user_id  # it checks ids with this module

    found: dict[str, Path] = {}
    unreadable: dict[Path, str] = {}
    place = Path(folder)
    for path in sorted(place.iterdir()) if place.is_dir() else ():
        if not _FILE.fullmatch(path.name):
            continue
        try:
            user_id = read_user_id(path)
            if user_file(place, user_id) != path:
                raise MemoryCorrupt(f"{path} says that it is of {user_id!r}, whose file has another name; rename it")
        except MemoryFailure as error:
            unreadable[path] = str(error)
        else:
            found[user_id] = path
    return UserFiles(dict(sorted(found.items())), unreadable)
