"""What people in pictures look like, in words: hair, glasses, beard, skin, from the vector of a face.

The heads are linear, fitted by ``scripts/fit_traits.py`` on drawn people of their own.
"""

from __future__ import annotations

import functools
import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import InstallationBroken

__all__ = [
    "TRAITS_PATH",
    "TRAITS_VERSION",
    "TRAIT_NAMES",
    "PersonTraits",
    "TraitsUnusable",
    "traits_digest",
    "traits_of",
]

TRAITS_PATH = Path(__file__).with_name("weights") / "traits.npz"
TRAITS_VERSION = "traits-1"
TRAIT_NAMES = ("hair", "hair_colour", "glasses", "beard", "skin")


class TraitsUnusable(InstallationBroken):
    """The file with the heads is missing, damaged, or of another version: install Lifeloom again."""


@dataclass(frozen=True)
class PersonTraits:
    """The looks of one person in a picture."""

    hair: str
    """``short hair``, ``long hair``, ``curly hair``, ``dreadlocks``, ``a hijab``, ..."""
    hair_colour: str
    """Of the hair, or of the head cover where it hides the hair."""
    glasses: str
    """``none`` or ``glasses``."""
    beard: str
    """``none``, ``beard`` or ``moustache``."""
    skin: str
    """``light``, ``medium`` or ``dark``."""

    def phrases(self) -> tuple[str, ...]:
        """Return the looks in words, skin aside: ``red long hair``, ``glasses``, ``a beard``."""
        words = self.hair.split(" ", 1)
        article = "an" if self.hair_colour[:1] in "aeiou" else "a"
        hair = f"{article} {self.hair_colour} {words[1]}" if words[0] == "a" else f"{self.hair_colour} {self.hair}"
        extra = [self.glasses] if self.glasses != "none" else []
        return (hair, *extra, *([f"a {self.beard}"] if self.beard != "none" else []))


@dataclass(frozen=True, eq=False)
class _Head:
    labels: tuple[str, ...]
    coefficients: npt.NDArray[np.float32]
    """(labels, 64)."""
    intercepts: npt.NDArray[np.float32]
    """(labels,)."""


def traits_of(faces: npt.NDArray[np.float32]) -> tuple[PersonTraits, ...]:
    """Return what the people with these ``faces`` look like, (people, 64), one each.

    Raises:
        TraitsUnusable: the file with the heads is missing, damaged, or of another version.
    """
    if not len(faces):
        return ()
    found: Mapping[str, Sequence[str]] = {
        name: [head.labels[row] for row in (faces @ head.coefficients.T + head.intercepts).argmax(axis=1)]
        for name, head in _heads().items()
    }
    return tuple(PersonTraits(**dict(zip(found, values, strict=True))) for values in zip(*found.values(), strict=True))


@functools.cache
def traits_digest() -> str:
    """Return 8 hex digits of the file with the heads: part of the identity of whoever uses them.

    Raises:
        TraitsUnusable: it is missing.
    """
    try:
        return hashlib.sha256(TRAITS_PATH.read_bytes()).hexdigest()[:8]
    except OSError as error:
        raise TraitsUnusable(f"{TRAITS_PATH.name} cannot be read ({error}): install Lifeloom again") from error


@functools.cache
def _heads() -> dict[str, _Head]:
    try:
        with np.load(TRAITS_PATH, allow_pickle=False) as arrays:
            if bytes(arrays["version"]).decode() != TRAITS_VERSION:
                raise TraitsUnusable(f"{TRAITS_PATH.name} is of another version: install Lifeloom again")
            return {name: _head(arrays, name) for name in TRAIT_NAMES}
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise TraitsUnusable(f"{TRAITS_PATH.name} cannot be read ({error}): install Lifeloom again") from error


def _head(arrays: Any, name: str) -> _Head:
    labels = json.loads(bytes(arrays[f"{name}/labels"]))
    return _Head(tuple(labels), arrays[f"{name}/coefficients"], arrays[f"{name}/intercepts"])
