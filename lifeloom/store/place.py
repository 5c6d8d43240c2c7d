"""One root on one file system: the few operations that the store needs, local or in a bucket."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import posixpath
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

import filelock
import fsspec
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem

from lifeloom.store.errors import StoreFull

__all__ = ["Place"]

_CHUNK = 2**20
_thread_locks: dict[tuple[str, str], threading.Lock] = {}
_thread_locks_guard = threading.Lock()


class Place:
    """A folder of an fsspec file system. Paths given to its methods are relative, with ``/``.

    On local file systems ``move`` is one atomic rename and ``lock`` holds between processes. On
    others ``move`` is a copy whose target appears whole (as buckets do it), and ``lock`` holds within
    this process only.
    """

    def __init__(self, url: str | os.PathLike[str], filesystem: Any = None) -> None:
        if filesystem is None:
            self.filesystem, self.root = fsspec.core.url_to_fs(os.fspath(url))
        else:
            self.filesystem, self.root = filesystem, os.fspath(url)
        self.root = self.root.rstrip("/")
        self.local_root = _local_path(self.filesystem, self.root)
        """The folder on this machine, None for other file systems."""

    def __str__(self) -> str:
        return str(self.local_root) if self.local_root else str(self.filesystem.unstrip_protocol(self.root))

    def path(self, name: str) -> str:
        """Return the file system's path of ``name``."""
        return f"{self.root}/{name}" if self.root else name

    def open_new(self, name: str) -> IO[bytes]:
        """Open ``name`` for writing, its folder made."""
        self.filesystem.makedirs(posixpath.dirname(self.path(name)), exist_ok=True)
        return cast("IO[bytes]", self.filesystem.open(self.path(name), "wb"))

    def open(self, name: str) -> IO[bytes]:
        """Open ``name`` for reading.

        Raises:
            FileNotFoundError: There is no such file.
        """
        return cast("IO[bytes]", self.filesystem.open(self.path(name), "rb"))

    def write(self, name: str, data: bytes) -> None:
        """Write a small file in place. Use on files that nobody reads yet."""
        with self.open_new(name) as file:
            file.write(data)
            self.settle(file)

    def settle(self, file: IO[bytes]) -> None:
        """Bring what was written to the disk, so that a rename never outlives its data in a power cut."""
        file.flush()
        if self.local_root is not None:
            os.fsync(file.fileno())

    def read(self, name: str) -> bytes:
        """Return the bytes of ``name``.

        Raises:
            FileNotFoundError: There is no such file.
        """
        with self.open(name) as file:
            return file.read()

    def move(self, source: str, target: str) -> None:
        """Put the file ``source`` at ``target``, over what is there."""
        self.filesystem.makedirs(posixpath.dirname(self.path(target)), exist_ok=True)
        if self.local_root is not None:
            destination = self.local_root / target
            (self.local_root / source).replace(destination)
            folder = os.open(destination.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        else:
            self.filesystem.mv(self.path(source), self.path(target))

    def size(self, name: str) -> int | None:
        """Return the size of ``name`` in bytes; None when there is no such file."""
        try:
            return int(self.filesystem.info(self.path(name))["size"])
        except FileNotFoundError:
            return None

    def sha256(self, name: str) -> str:
        """Return the SHA-256 of the bytes of ``name``, read as a stream.

        Raises:
            FileNotFoundError: There is no such file.
        """
        digest = hashlib.sha256()
        with self.open(name) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def names(self, folder: str) -> list[str]:
        """Return the sorted names of what lies in ``folder``; empty when there is no such folder."""
        self.filesystem.invalidate_cache(self.path(folder))
        try:
            found = self.filesystem.ls(self.path(folder), detail=False)
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(posixpath.basename(str(path).rstrip("/")) for path in found)

    def remove(self, name: str) -> None:
        """Remove a file, or a folder with all in it. Fine when it is gone already."""
        with contextlib.suppress(FileNotFoundError):
            self.filesystem.rm(self.path(name), recursive=True)

    def free_bytes(self) -> int | None:
        """Return how many bytes are free, None where the file system does not say."""
        if self.local_root is None:
            return None
        folder = self.local_root
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        return shutil.disk_usage(folder).free

    def when_full(self, error: OSError) -> StoreFull | None:
        """Return the typed error for ``error`` when it says that the disk is full, else None."""
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            return None
        return StoreFull(str(self), self.free_bytes())

    @contextlib.contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Hold the lock ``name``, waiting for whoever holds it. A dead process holds nothing."""
        if self.local_root is not None:
            path = self.local_root / "locks" / f"{name}.lock"
            path.parent.mkdir(parents=True, exist_ok=True)
            with filelock.FileLock(path):
                yield
            return
        with _thread_locks_guard:
            lock = _thread_locks.setdefault((str(self), name), threading.Lock())
        with lock:
            yield


def _local_path(filesystem: Any, root: str) -> Path | None:
    if isinstance(filesystem, LocalFileSystem):
        return Path(root or "/").absolute()
    if isinstance(filesystem, DirFileSystem):
        return _local_path(filesystem.fs, f"{filesystem.path}/{root}".rstrip("/"))
    return None
