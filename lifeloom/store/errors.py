"""What can go wrong with stored data, each with what to do about it."""

from __future__ import annotations

__all__ = [
    "DatasetCheckFailed",
    "DatasetCorrupt",
    "DatasetMissing",
    "HomeBusy",
    "HomeUnusable",
    "InvalidKey",
    "MediaCorrupt",
    "MediaMissing",
    "StoreError",
    "StoreFormatError",
    "StoreFull",
]


class StoreError(Exception):
    """Something is wrong with stored data. The base of every error of this package."""


class InvalidKey(StoreError, ValueError):
    """A key, a table name or a content hash is not of the allowed form. Nothing was read or written."""


class DatasetMissing(StoreError, LookupError):
    """The data set, or the table in it, has not been made."""


class DatasetCheckFailed(StoreError):
    """The data were made but did not pass their checks. Nothing was published.

    Attributes:
        key: The data set.
        problems: What the checks found, a sentence each.
    """

    def __init__(self, key: str, problems: list[str]) -> None:
        self.key = key
        self.problems = problems
        shown = "".join(f"\n  - {problem}" for problem in problems[:20])
        more = f"\n  and {len(problems) - 20} more" if len(problems) > 20 else ""
        super().__init__(f"{key} was not published, its checks found {len(problems)} problems:{shown}{more}")


class DatasetCorrupt(StoreError):
    """Published files are missing, cut short or changed. Making the data set again repairs it."""


class MediaMissing(DatasetMissing):
    """No media file with this content is stored."""


class MediaCorrupt(DatasetCorrupt):
    """A media file does not have the content that its name says."""


class StoreFormatError(StoreError):
    """Stored data have an older or newer format than this version of Lifeloom. Nothing was touched."""


class StoreFull(StoreError):
    """The disk is full. Nothing was published and what had been written was removed.

    Attributes:
        free_bytes: Bytes free after the clean-up; None where the file system does not say.
    """

    def __init__(self, place: str, free_bytes: int | None) -> None:
        self.free_bytes = free_bytes
        free = "an unknown amount" if free_bytes is None else f"{free_bytes / 2**20:,.1f} MiB"
        super().__init__(
            f"the disk under {place} is full: nothing was published, what had been written was removed, {free} is free "
            "now; make room, or set LIFELOOM_HOME to a folder on a larger disk, and run it again"
        )


class HomeUnusable(StoreError):
    """The home folder cannot be created or written."""


class HomeBusy(StoreError):
    """Another live process works on the whole lineage of this home."""
