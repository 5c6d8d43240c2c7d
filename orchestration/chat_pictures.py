"""Pictures in what a person types: files named in a message, or given to `/picture`."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lifeloom.store.pictures import PictureRejected, read_picture_file
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["Message", "message_with_pictures", "names_file", "picture_command"]

_NAME: Final = re.compile(r"\.(?:png|jpe?g|webp|gif|bmp)$", re.IGNORECASE)
_WORDS: Final = re.compile(r""""[^"\n]+"|'[^'\n]+'|(?:\\.|[^\s\\])+|\\""")
_AFTER: Final = ".,;:!?)"
_MARK: Final = re.compile(re.escape(PICTURE_MARK), re.IGNORECASE)


@dataclass(frozen=True)
class Message:
    """What is said."""

    text: str
    """With an ``<img>`` for each picture."""
    pictures: tuple[bytes, ...] = ()
    """Their files."""
    missing: tuple[str, ...] = ()
    """Names of pictures that are not there, left in the text."""
    others: tuple[str, ...] = ()
    """Paths of files that are no pictures, left in the text; of their content nothing is sent."""


def names_file(word: str) -> bool:
    """Return whether there is a file at the path ``word``; what cannot be a path is none."""
    path = _path(word)
    try:
        return path is not None and path.is_file()
    except OSError:  # a name longer than the system takes
        return False


def message_with_pictures(line: str) -> Message:
    """Return a message with an ``<img>`` where it names a picture file, and the files.

    A path with blanks stands in quotes, or has backslashes before them. A file without an extension is known for a
    picture by its content, and is looked at only where the word is a path, with a slash in it.

    Raises:
        PictureRejected: a file that is named as a picture is none that can be read safely.
        OSError: it cannot be read.
    """
    pictures: list[bytes] = []
    missing: list[str] = []
    others: list[str] = []

    def replace(match: re.Match[str]) -> str:
        word = match[0].rstrip(_AFTER)
        rest = match[0][len(word) :]
        name = word[1:-1] if word[:1] in "\"'" and word[-1:] == word[:1] else re.sub(r"\\(.)", r"\1", word)
        if _NAME.search(name):
            if not names_file(name):
                missing.append(name)
                return match[0]
            pictures.append(_read(name))
            return PICTURE_MARK + rest
        if "/" not in name or not names_file(name):
            return match[0]
        try:
            pictures.append(_read(name))
        except PictureRejected:
            others.append(name)
            return match[0]
        return PICTURE_MARK + rest

    # A mark that was typed is no picture.
    text = _WORDS.sub(replace, _MARK.sub("< img >", line))
    return Message(text, tuple(pictures), tuple(missing), tuple(others))


def picture_command(rest: str) -> Message | None:
    """Return what `/picture FILE [WORDS]` says; None where no file is named.

    Raises:
        PictureRejected: the file is no picture that can be read safely.
        OSError: it cannot be read.
    """
    if rest and names_file(rest):
        return Message(PICTURE_MARK, (_read(rest),))
    try:
        parts = shlex.split(rest)
    except ValueError:  # a quote without its other half
        parts = rest.split()
    if not parts:
        return None
    words = _MARK.sub("< img >", " ".join(parts[1:]))
    return Message(f"{words} {PICTURE_MARK}".strip(), (_read(parts[0]),))


def _read(name: str) -> bytes:
    path = _path(name)
    if path is None:
        raise FileNotFoundError(f"there is no file {name}")
    path = path.resolve()
    return read_picture_file(path.name, path.parent, extension_needed=False)


def _path(name: str) -> Path | None:
    if "\0" in name:
        return None
    try:
        return Path(name).expanduser()
    except RuntimeError:  # ~ of somebody who is not known here
        return Path(name)
