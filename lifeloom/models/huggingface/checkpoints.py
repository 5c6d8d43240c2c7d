"""Where a checkpoint lies, and a digest that changes whenever its answers may change."""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import json
import logging
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lifeloom.models.checkpoints import NotOnHub
from lifeloom.models.protocol import InstallationBroken

__all__ = ["Checkpoint", "content_digest", "find_checkpoint"]

_log = logging.getLogger(__name__)

_PACKAGE = "package:"
_HUB_ID = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
_ADAPTER_CONFIG = "adapter_config.json"
_WEIGHTS = "*.safetensors"  # never the older .bin: it is pickle
_SMALL_FILES = ("*.json", "*.jinja", "*.txt", "*.model")
_WANTED = [*_SMALL_FILES, _WEIGHTS]
_NOT_READ = {"trainer_state.json"}  # a log of the training; no answer depends on it

_LONGEST_SHOWN = 200  # characters of a name in a message

_WHOLE = 256 << 20  # files of up to 256 MiB are hashed whole: 0.3 s
_SAMPLE = 4096
_SAMPLES = 8192


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint or an adapter, found but not loaded."""

    name: str
    """As it was given."""
    digest: str
    """Twelve hex digits; another whenever answers may change."""
    folder: Path | None
    """None while it lies on the hub only."""
    gguf: str = ""
    """Name of the file in the folder, for weights in that format."""
    commit: str = ""
    """Of the hub's repository; empty for what lies on this machine."""

    @property
    def version(self) -> str:
        """Name and digest."""
        return f"{self.name}@{self.digest}"

    def fetch(self) -> Path:
        """Return the folder, downloaded from the hub where it is not here yet.

        Raises:
            NotOnHub: the hub does not give it.
        """
        return self.folder or _download(self.name, self.commit)


def find_checkpoint(name: str, *, adapter: bool = False) -> Checkpoint:
    """Return the checkpoint called ``name``; the hub is asked only for what is not on this machine.

    Args:
        name: A folder, a ``.gguf`` file, ``package:NAME`` for an installed Python package that carries one ``.gguf``
            file or a checkpoint, or a hub id (``organisation/model``). The digest of a hub id is its commit.
        adapter: It is an adapter to be put on a model.

    Raises:
        InstallationBroken: there is none.
        NotOnHub: there is none, not on the hub either.
    """
    try:
        return _found(name, adapter=adapter)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise InstallationBroken(f"{_short(name)} cannot be read: {error}") from error
        raise InstallationBroken(f"{_short(name)} is too long for the name of a model, a folder or a file") from None


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}... ({len(name)} characters)"


def _found(name: str, *, adapter: bool) -> Checkpoint:
    if name.startswith(_PACKAGE):
        checkpoint = _in_folder(name, _package_folder(name.removeprefix(_PACKAGE)))
    elif (path := _path(name)).is_dir():
        checkpoint = _in_folder(name, path, adapter=adapter)
    elif path.is_file():
        if path.suffix != ".gguf":
            raise InstallationBroken(f"{name} is a file: give the folder of the checkpoint, or a .gguf file")
        checkpoint = Checkpoint(name, content_digest(path.parent, path.name), path.parent, path.name)
    elif _HUB_ID.fullmatch(name) and path.suffix != ".gguf":
        checkpoint = _on_hub(name)
    else:
        raise InstallationBroken(f"there is no folder or file {name}, and it is no hub id (organisation/model)")
    return checkpoint


def _path(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError as error:  # ~somebody, and there is no such user
        raise InstallationBroken(f"there is no folder {name}: {error}") from error


def content_digest(folder: Path, gguf: str = "") -> str:
    """Return twelve hex digits that change when the configuration, the tokenizer or the weights in ``folder`` change.

    Small files count whole. Of weights over 256 MiB what counts is the size and 4 KiB from the middle of every tensor
    (safetensors) or from 8,192 places spread evenly (GGUF): training moves the values of the tensors that
    it touches all over, so a checkpoint trained further in the same folder gets another digest, in a second instead
    of a minute. A file edited by hand at one place may escape. Names of files count; their dates do not.

    Args:
        folder: With the checkpoint or adapter.
        gguf: The one file that counts, for weights in that format.
    """
    digest = hashlib.sha256()
    patterns = [gguf] if gguf else _WANTED
    paths = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    for path in sorted(paths, key=lambda path: path.name):
        if path.name in _NOT_READ:
            continue
        size = path.stat().st_size
        digest.update(f"{path.name}\x1f{size}\x1f".encode())
        with path.open("rb") as file:
            if size <= _WHOLE:
                digest.update(file.read())
                continue
            for place in _places(path, size):
                file.seek(place)
                digest.update(file.read(_SAMPLE))
    return digest.hexdigest()[:12]


def _places(path: Path, size: int) -> Iterator[int]:
    """Yield where to look into a large file."""
    tensors = _tensor_middles(path, size) if path.suffix == ".safetensors" else []
    step = max(1, size // _SAMPLES)
    yield from tensors or range(0, size, step)


def _tensor_middles(path: Path, size: int) -> list[int]:
    """Return where in a safetensors file the middle of each tensor lies; empty for a file that is none.

    Source: https://github.com/huggingface/safetensors (format): 8 bytes of length, a JSON header, the data.
    """
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > min(size, 100 << 20):
            return []
        try:
            header = json.loads(file.read(length))
            offsets = [entry["data_offsets"] for name, entry in header.items() if name != "__metadata__"]
            return sorted(8 + length + max(start, (start + end - _SAMPLE) // 2) for start, end in offsets)
        except (ValueError, TypeError, KeyError):
            return []


def _in_folder(name: str, folder: Path, *, adapter: bool = False) -> Checkpoint:
    if adapter:
        if not (folder / _ADAPTER_CONFIG).is_file():
            raise InstallationBroken(f"{name} is no adapter: it has no {_ADAPTER_CONFIG}")
        return Checkpoint(name, content_digest(folder), folder)
    if (folder / "config.json").is_file():
        return Checkpoint(name, content_digest(folder), folder)
    if (folder / _ADAPTER_CONFIG).is_file():
        raise InstallationBroken(f"{name} holds an adapter only: give it as adapter, and as model what it was made for")
    found = sorted(path.name for path in folder.glob("*.gguf"))
    if len(found) != 1:
        raise InstallationBroken(
            f"{name} is no checkpoint: it has no config.json and {len(found)} .gguf files (one would do; of several "
            "give the path of one)"
        )
    return Checkpoint(name, content_digest(folder, found[0]), folder, found[0])


def _package_folder(package: str) -> Path:
    try:
        spec = importlib.util.find_spec(package)  # finds a top-level package without running any of it
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise InstallationBroken(f"the Python package {package}, which carries the weights, is not installed")
    return Path(next(iter(spec.submodule_search_locations)))


def _on_hub(name: str) -> Checkpoint:
    """Return what lies in the hub's cache on this machine, else the newest commit, which is downloaded when loaded.

    The cache goes first: a run that was made once can be made again without a network, and does not change when
    somebody uploads a new version.
    """
    from huggingface_hub import HfApi, snapshot_download

    try:
        folder = Path(snapshot_download(name, allow_patterns=_WANTED, local_files_only=True))
        if _complete(folder):
            return Checkpoint(name, folder.name[:12], folder, commit=folder.name)
    except Exception as error:  # those of whichever HTTP library the hub's client is built on, and its own
        _log.debug("%s is not in the hub's cache: %s", name, error)
    try:
        commit = HfApi().model_info(name, timeout=20.0).sha
    except Exception as error:  # as above
        raise NotOnHub(
            f"{name} is no folder on this machine and cannot be had from the hub ({_first_line(error)}): check the "
            "name and the network, set HF_TOKEN for a model that wants one, set HF_HUB_OFFLINE=0, or download it and "
            "give its folder"
        ) from None
    if not commit:
        raise NotOnHub(f"the hub names no commit of {name}: download it and give its folder")
    return Checkpoint(name, commit[:12], None, commit=commit)


def _complete(folder: Path) -> bool:
    """Return whether all weights of a download are here."""
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        return all((folder / file).is_file() for file in json.loads(index.read_bytes())["weight_map"].values())
    return any(folder.glob(_WEIGHTS))


def _download(name: str, commit: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        # By the branch and not by the commit, or the cache would not know later that this is the model's version.
        folder = Path(snapshot_download(name, allow_patterns=_WANTED))
    except Exception as error:  # as above; a full disk, too
        raise NotOnHub(
            f"{name} cannot be downloaded from the hub ({_first_line(error)}): set HF_TOKEN for a model that wants "
            "one, see that HF_HOME has room, or download it and give its folder"
        ) from None
    if folder.name != commit:
        raise NotOnHub(f"{name} was changed on the hub a moment ago, to {folder.name[:12]}: run again")
    return folder


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:300]
