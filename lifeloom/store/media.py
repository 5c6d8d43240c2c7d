"""Media by content: a file's name is the SHA-256 of its bytes, so equal files are stored once."""

from __future__ import annotations

import hashlib
import re

from lifeloom.store.errors import InvalidKey, MediaCorrupt, MediaMissing
from lifeloom.store.place import Place
from lifeloom.store.processes import new_owner

__all__ = ["MediaStore"]

_HASH = re.compile(r"[0-9a-f]{64}")


class MediaStore:
    """The media of all data sets of a store."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def put(self, data: bytes) -> str:
        """Store ``data`` and return its content hash. Storing the same bytes again changes nothing.

        A file that was damaged since, also one that kept its size, is written anew.

        Raises:
            StoreFull: The disk is full.
        """
        content = hashlib.sha256(data).hexdigest()
        if self._is_whole(content, len(data)):
            return content
        # Written aside: whoever looks sees the whole file or none.
        owner = f"staging/{new_owner()}"
        try:
            self._place.write(f"{owner}/{content}", data)
            self._place.move(f"{owner}/{content}", _name(content))
        except OSError as error:
            self._place.remove(owner)
            if full := self._place.when_full(error):
                raise full from error
            raise
        finally:
            self._place.remove(owner)
        return content

    def get(self, content: str) -> bytes:
        """Return the bytes with the content hash ``content`` (64 hexadecimal digits), verified.

        Raises:
            InvalidKey: ``content`` is not a hash.
            MediaMissing: No such bytes are stored.
            MediaCorrupt: The stored bytes were changed or cut short.
        """
        try:
            data = self._place.read(_name(content))
        except FileNotFoundError as error:
            raise MediaMissing(
                f"no media file with the content {content} is stored; make its data set again"
            ) from error
        if hashlib.sha256(data).hexdigest() != content:
            raise MediaCorrupt(
                f"the media file {content} has other content than its name says ({len(data)} bytes); remove "
                f"{self._place}/{_name(content)} and make its data set again"
            )
        return data

    def path(self, content: str) -> str:
        """Return where the file with this content hash lies, or would lie, for people to open.

        Raises:
            InvalidKey: ``content`` is not a hash.
        """
        return f"{self._place}/{_name(content)}"

    def has(self, content: str) -> bool:
        """Say whether bytes with this content hash are stored (not whether they are whole)."""
        return self._place.size(_name(content)) is not None

    def _is_whole(self, content: str, size: int) -> bool:
        """Say whether the file is there with the content that its name says; the size spares most of the reading."""
        name = _name(content)
        try:
            return self._place.size(name) == size and self._place.sha256(name) == content
        except OSError:  # removed in between, or unreadable: writing it anew mends it, or says why not
            return False


def _name(content: str) -> str:
    if not _HASH.fullmatch(content):
        raise InvalidKey(f"{content[:80]!r} is not a content hash (64 hexadecimal digits)")
    return f"media/{content[:2]}/{content}"
