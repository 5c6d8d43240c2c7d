"""The home: the one folder (``LIFELOOM_HOME``) that everything a person makes lands in."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import filelock

from lifeloom.store.errors import HomeBusy, HomeUnusable, StoreFormatError
from lifeloom.store.place import Place
from lifeloom.store.processes import new_owner
from lifeloom.store.recipe import canonical_json

__all__ = ["HOME_FORMAT", "Home"]

HOME_FORMAT = 1
"""Raised by one whenever the layout of the home changes."""


class Home:
    """The home folder, created or opened.

    Args:
        path: The folder; it is created when it is not there.
        data_url: Where the data sets lie, an fsspec URL; None means the folder ``data`` in the home.

    Raises:
        HomeUnusable: It cannot be created or written, or is not a folder.
        StoreFormatError: An older or newer version of Lifeloom made it. Nothing was touched.
        StoreFull: The disk is full.
    """

    def __init__(self, path: str | os.PathLike[str], *, data_url: str | None = None) -> None:
        self.path = Path(path).expanduser().absolute()
        if strange := sorted(set(str(self.path)) & set("%?#")):
            raise HomeUnusable(
                f"the home {self.path} has {' '.join(strange)} in its path, which database addresses cannot hold; set "
                "LIFELOOM_HOME to another folder"
            )
        self.data_url = data_url or str(self.path / "data")
        """URL for ``DatasetStore``."""
        self.dagster = self.path / "dagster"
        """Dagster's instance (``DAGSTER_HOME``)."""
        self.mlflow = self.path / "mlflow"
        """MLflow's database and artifacts."""
        self.review = self.path / "review"
        """The review queue and its answers."""
        self.users = self.path / "users"
        """Memories of the people who talk with the assistant, one file each. Made when there is the first."""
        self.cache = self.path / "cache"
        """What can be thrown away: model responses, embeddings."""
        self._open()

    def __repr__(self) -> str:
        return f"Home({str(self.path)!r})"

    def _open(self) -> None:
        place = Place(self.path)
        try:
            known = self._check_format()
            self.path.mkdir(parents=True, exist_ok=True)
            if not os.access(self.path, os.W_OK | os.X_OK):
                raise HomeUnusable(
                    f"the home {self.path} cannot be written; change its permissions, or set LIFELOOM_HOME to another "
                    "folder"
                )
            if not known:
                self._write_aside("home.json", canonical_json({"format": HOME_FORMAT, "made_by": "lifeloom"}))
            for folder in (self.dagster, self.mlflow, self.review, self.cache):
                folder.mkdir(exist_ok=True)
        except OSError as error:
            if full := place.when_full(error):
                raise full from error
            raise HomeUnusable(
                f"the home {self.path} cannot be created or written ({error.strerror or error}); set LIFELOOM_HOME to "
                "another folder"
            ) from error

    def _check_format(self) -> bool:
        """Return whether there is a home of this format; False when there is none yet."""
        file = self.path / "home.json"
        try:
            raw = file.read_bytes()
        except FileNotFoundError:
            return False
        try:
            value = json.loads(raw)
        except ValueError as error:
            raise StoreFormatError(f"{file} is not readable JSON; {_other_folder(self.path)}") from error
        found = value.get("format") if isinstance(value, dict) else None
        if found == HOME_FORMAT:
            return True
        if isinstance(found, int) and found > HOME_FORMAT:
            raise StoreFormatError(
                f"the home {self.path} has format {found}, newer than {HOME_FORMAT}, which this version of Lifeloom "
                "knows; get a newer Lifeloom, or set LIFELOOM_HOME to another folder. Nothing was touched"
            )
        raise StoreFormatError(
            f"the home {self.path} has format {found!r}, older than {HOME_FORMAT}, which this version of Lifeloom "
            "makes; " + _other_folder(self.path)
        )

    def _write_aside(self, name: str, text: str) -> None:
        temporary = self.path / f".{name}.{new_owner()}"
        try:
            temporary.write_text(text)
            temporary.replace(self.path / name)
        finally:
            temporary.unlink(missing_ok=True)

    @contextlib.contextmanager
    def busy_lock(self, purpose: str) -> Iterator[None]:
        """Hold the home for a run over the whole lineage. A dead process holds nothing.

        Args:
            purpose: What the run is for, shown to whoever else asks: ``make demo``.

        Raises:
            HomeBusy: Another run holds it; the message names its process and purpose.
        """
        lock = filelock.FileLock(self.path / "busy.lock")
        try:
            lock.acquire(blocking=False)
        except filelock.Timeout as error:
            raise HomeBusy(
                f"{self._holder()} works on {self.path}; wait for it or stop it, or set LIFELOOM_HOME to another folder"
            ) from error
        try:
            self._write_aside("busy.json", canonical_json({"pid": os.getpid(), "purpose": purpose}))
            yield
        finally:
            (self.path / "busy.json").unlink(missing_ok=True)
            lock.release()

    def _holder(self) -> str:
        try:
            value = json.loads((self.path / "busy.json").read_text())
            return f"process {value['pid']} ({value['purpose']})"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process (it has not said which)"  # between its lock and its note, or just ended


def _other_folder(path: Path) -> str:
    return (
        f"use the version of Lifeloom that made it, or move {path} away (or set LIFELOOM_HOME to another folder) and "
        "make the data again. Nothing was touched"
    )
