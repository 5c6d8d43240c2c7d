"""What encoders and detectors with weights of their own share: files and their digest, the device, the number type.

The hub is asked only for what its cache on this machine does not hold: a run then needs no network, and does not
change when somebody uploads a new version.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from lifeloom.models.protocol import InstallationBroken

__all__ = [
    "CheckpointFiles",
    "CheckpointUnreadable",
    "NotOnHub",
    "NumberType",
    "folder_files",
    "hub_file",
    "hub_folder",
    "resolve_device",
    "resolve_number_type",
]

NumberType = Literal["auto", "float32", "float16", "bfloat16"]

_OF_A_MODEL = (".json", ".txt", ".model", ".safetensors", ".bin", ".pth", ".pt")
"""Files that say how a model answers; a README or a training log beside them does not."""

Stamp = tuple[int, int, int, int]
"""Device, inode, size in bytes and time of change in nanoseconds."""


class NotOnHub(InstallationBroken):
    """The hub's cache does not hold what is wanted, and the hub does not give it."""


class CheckpointUnreadable(InstallationBroken):
    """A file of a model is there but cannot be read."""


@dataclass(frozen=True)
class CheckpointFiles:
    """The files that a model is loaded from, as they were when their digest was taken."""

    paths: tuple[Path, ...]
    digest: str
    """16 hexadecimal digits over names and contents."""
    stamps: tuple[Stamp, ...]

    @classmethod
    def read(cls, paths: Iterable[Path]) -> CheckpointFiles:
        """Take the digest of ``paths``; a second of reading a gigabyte or so, once a process as long as they stay.

        Raises:
            CheckpointUnreadable: a file cannot be read.
        """
        ordered = tuple(sorted(paths, key=lambda path: path.name))
        digest = hashlib.sha256()
        try:
            stamps = tuple(_stamp(path) for path in ordered)
            for path, stamp in zip(ordered, stamps, strict=True):
                digest.update(f"{path.name}\n".encode() + _content_digest(path, stamp))
        except OSError as error:
            raise CheckpointUnreadable(f"a file of the model cannot be read: {error}") from error
        return cls(ordered, digest.hexdigest()[:16], stamps)

    def unchanged(self) -> bool:
        """Return whether the files are still those that the digest was taken of."""
        try:
            return self.stamps == tuple(_stamp(path) for path in self.paths)
        except OSError:
            return False  # gone is changed


def folder_files(folder: Path) -> list[Path]:
    """Return the files directly in ``folder`` that say how a model answers.

    Raises:
        CheckpointUnreadable: the folder cannot be read.
    """
    try:
        return [path for path in folder.iterdir() if path.suffix in _OF_A_MODEL and path.is_file()]
    except OSError as error:
        raise CheckpointUnreadable(f"the folder of the model cannot be read: {error}") from error


def hub_file(repository: str, names: Sequence[str]) -> Path:
    """Return the first of the files ``names`` that ``repository`` has, fetched when the cache has none of them.

    Raises:
        NotOnHub: none is to be had.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import LocalEntryNotFoundError, RemoteEntryNotFoundError

    for name in names:
        try:
            return Path(hf_hub_download(repository, name, local_files_only=True))
        except LocalEntryNotFoundError:
            continue
        except Exception as error:
            raise _not_on_hub(repository, error) from error
    missing: Exception | None = None
    for name in names:
        try:
            return Path(hf_hub_download(repository, name))
        except RemoteEntryNotFoundError as error:
            missing = error  # the next name, then
        except Exception as error:
            raise _not_on_hub(repository, error) from error
    raise _not_on_hub(repository, missing) from missing


def hub_folder(repository: str, patterns: Sequence[str], complete: Callable[[Path], bool]) -> Path:
    """Return a folder with the files of ``repository`` that match ``patterns``.

    It is fetched when the cache has none, or one that is not ``complete``.

    Raises:
        NotOnHub: it is not to be had.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(repository, allow_patterns=[*patterns], local_files_only=True))
        if complete(folder):
            return folder
    except LocalEntryNotFoundError:
        pass  # fetched below
    except Exception as error:
        raise _not_on_hub(repository, error) from error
    try:
        return Path(snapshot_download(repository, allow_patterns=[*patterns]))
    except Exception as error:
        raise _not_on_hub(repository, error) from error


def _not_on_hub(repository: str, error: Exception | None) -> NotOnHub:
    # The client's errors are of a dozen types, those of its HTTP library among them; all come to the same.
    return NotOnHub(
        f"{repository!r} is no folder here and cannot be had from the hub ({error}): check the name, let this machine "
        "reach the hub (HF_HUB_OFFLINE=0), or fetch it elsewhere and name the folder"
    )


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, max(status.st_mtime_ns, status.st_ctime_ns)


@functools.lru_cache(maxsize=256)
def _content_digest(path: Path, stamp: Stamp) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def resolve_device(device: str) -> str:
    """Return a name that torch takes: ``auto`` is ``cuda`` where there is one, else ``cpu``.

    Raises:
        InstallationBroken: a device of NVIDIA's is asked for and torch sees none.
    """
    if device == "cpu":
        return device
    import torch

    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise InstallationBroken(f"device {device!r}: torch sees no such device here; set device to 'auto' or 'cpu'")
    return device


def resolve_number_type(dtype: NumberType, automatic: NumberType) -> NumberType:
    """Return ``dtype``, or ``automatic`` for ``auto``.

    Raises:
        ValueError: there is no such number type.
    """
    if dtype not in get_args(NumberType):
        raise ValueError(f"dtype is one of {', '.join(get_args(NumberType))}, not {dtype!r}")
    return automatic if dtype == "auto" else dtype
