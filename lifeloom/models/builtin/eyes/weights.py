"""The fitted weights of the eyes: one ``.npz`` of plain arrays beside this module, read in milliseconds."""

from __future__ import annotations

import functools
import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import InstallationBroken

__all__ = ["WEIGHTS_PATH", "WEIGHTS_VERSION", "EyesWeights", "EyesWeightsUnusable", "load_weights", "save_weights"]

WEIGHTS_VERSION = "lifeloom-eyes-1"
"""Goes up whenever the arrays change their meaning; ``scripts/fit_eyes.py`` writes it into the file."""

WEIGHTS_PATH = Path(__file__).parent / "weights" / f"{WEIGHTS_VERSION}.npz"

_ABOUT = "about"


class EyesWeightsUnusable(InstallationBroken):
    """The weights file is missing, damaged or of another version."""


@dataclass(frozen=True)
class EyesWeights:
    """Arrays by name, and what they say about themselves."""

    arrays: Mapping[str, npt.NDArray[np.float32]]
    """``detector/...``, ``face/...``, ``name/...``, ``colour/...``, ``place/...``, ``time/...``."""
    about: Mapping[str, Any]
    """``version``, ``labels`` (lists of words by head), thresholds, and how they were fitted."""
    digest: str
    """First 8 hexadecimal digits of the file's SHA-256: part of every identity, so that no cache outlives a refit."""

    def labels(self, head: str) -> tuple[str, ...]:
        """Return the words that ``head`` answers with, in the order of its rows."""
        return tuple(self.about["labels"][head])

    def threshold(self, name: str) -> float:
        """Return a fitted threshold."""
        return float(self.about["thresholds"][name])


def load_weights(path: Path = WEIGHTS_PATH) -> EyesWeights:
    """Read ``path`` and check it.

    Raises:
        EyesWeightsUnusable: it is missing, damaged or of another version.
    """
    return _load(path, _stamp(path))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError as error:
        raise EyesWeightsUnusable(
            f"the weights of the eyes cannot be read ({error}): reinstall, or run scripts/fit_eyes.py"
        ) from error
    return found.st_size, found.st_mtime_ns


@functools.lru_cache(maxsize=4)
def _load(path: Path, stamp: tuple[int, int]) -> EyesWeights:
    """Read once a process and file; ``stamp`` only tells a changed file from the one read before."""
    try:
        data = path.read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(bytes(arrays.pop(_ABOUT)).decode("utf-8"))
        found = about["version"]
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise EyesWeightsUnusable(
            f"{path} is damaged ({type(error).__name__}: {error}): reinstall, or run scripts/fit_eyes.py"
        ) from error
    if found != WEIGHTS_VERSION:
        raise EyesWeightsUnusable(f"{path} is of version {found}, not {WEIGHTS_VERSION}: run scripts/fit_eyes.py")
    return EyesWeights(
        arrays={name: array.astype(np.float32) for name, array in arrays.items()},
        about=about,
        digest=hashlib.sha256(data).hexdigest()[:8],
    )


def save_weights(
    arrays: Mapping[str, npt.NDArray[np.float32]], about: Mapping[str, Any], path: Path = WEIGHTS_PATH
) -> None:
    """Write ``arrays`` in half precision with ``about`` (the version is added), replacing the file in one step."""
    text = json.dumps({**about, "version": WEIGHTS_VERSION}, sort_keys=True).encode("utf-8")
    with np.errstate(over="ignore"):  # looked for below
        halves = {name: array.astype(np.float16) for name, array in sorted(arrays.items())}
    bad = [name for name, array in halves.items() if not np.isfinite(array).all()]
    if bad:
        raise ValueError(f"not finite in half precision: {', '.join(bad)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    everything: dict[str, Any] = {**halves, _ABOUT: np.frombuffer(text, dtype=np.uint8)}
    with temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **everything)
    temporary.replace(path)
