"""Where a release is written: into a folder that is new or empty, whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["ExportRefused", "aside_of", "free_place", "write_file"]

_MOST_SHOWN = 20


class ExportRefused(ValueError):
    """A release cannot be written so that it reads back the same, or not where it should be. Nothing was written.

    Attributes:
        problems: What stands in the way, a sentence each.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        shown = "".join(f"\n  - {problem}" for problem in self.problems[:_MOST_SHOWN])
        more = f"\n  and {len(self.problems) - _MOST_SHOWN} more" if len(self.problems) > _MOST_SHOWN else ""
        super().__init__(f"the release was not exported:{shown}{more}")


def free_place(folder: Path) -> Path:
    """Return where the files of ``folder`` are to lie: itself, or the folder that it links to.

    Raises:
        ExportRefused: there is something already, or there can be no such folder.
    """
    try:
        place = folder.resolve()
        if folder.is_symlink() and not place.exists():
            raise _refused(folder, f"is a link to {folder.readlink()}, which is not there; name another one")
        found = place.stat()
        if not stat.S_ISDIR(found.st_mode) or any(place.iterdir()):
            raise _refused(folder, "is there already and not an empty folder; name another one")
    except FileNotFoundError:
        return place
    except RuntimeError as error:  # pathlib's own, for links
        raise _refused(folder, "is a link that leads back to itself; name another one") from error
    except OSError as error:
        raise _refused(folder, _why(error, place)) from error
    return place


@contextmanager
def aside_of(folder: Path, place: Path) -> Iterator[Path]:
    """Give a new folder beside ``place``, which becomes ``place`` in the end; gone without a trace after an error.

    Args:
        folder: what is to be written, as its user names it.
        place: what ``free_place`` said of it.

    Raises:
        ExportRefused: there can be no such folder, or it has been filled meanwhile.
    """
    # A short name: that of the folder may be as long as names can be.
    aside = place.with_name(f".{uuid.uuid4().hex[:16]}")
    missing = [parent for parent in place.parents if not os.path.lexists(parent)]
    written = False
    try:
        try:
            aside.mkdir(parents=True)
            with suppress(FileNotFoundError):
                place.lstat()  # whether its name can be one shows only now
        except OSError as error:
            raise _refused(folder, _why(error, aside, place)) from error
        yield aside
        try:
            aside.rename(place)  # takes the place of an empty folder, and of no other
        except OSError as error:
            raise _refused(folder, _why(error, place, aside)) from error
        written = True
    finally:
        if not written:
            shutil.rmtree(aside, ignore_errors=True)
            _remove(missing)


def write_file(folder: Path, file: Path, data: bytes) -> None:
    """Write one of the files of ``folder``, with the folders on the way to it.

    Raises:
        ExportRefused: it cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise _refused(folder, _why(error, file)) from error


def _remove(made: Sequence[Path]) -> None:
    """Remove the folders that were made on the way, innermost first, up to one that others use meanwhile."""
    for parent in made:
        try:
            parent.rmdir()
        except OSError:
            return


def _refused(folder: Path, why: str) -> ExportRefused:
    return ExportRefused([f"{folder} {why}"])


def _why(error: OSError, *paths: Path) -> str:
    """Say what went wrong with one of ``paths``, or on the way to the first of them."""
    for parent in reversed(paths[0].parents):
        if os.path.lexists(parent) and not parent.is_dir():
            return f"cannot be made: {parent} is not a folder"
    said = error.strerror or str(error)
    if error.filename is None or Path(os.fsdecode(error.filename)) in paths:
        return f"cannot be written: {said}"
    return f"cannot be written: {said} ({os.fsdecode(error.filename)})"
