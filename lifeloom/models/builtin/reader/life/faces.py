"""Whose face is it? Faces in a picture against the portraits of the people who are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["ANYONE", "name_faces"]

ANYONE = ""
"""Name of somebody whom nobody known is like."""
_SLACK = 0.1
"""How far below the threshold a face may stay that is like one person alone."""
_ALONE = 0.25
"""By how much everybody else must be less alike."""


def name_faces(
    faces: npt.NDArray[np.float32], portraits: npt.NDArray[np.float32], names: Sequence[str], threshold: float
) -> list[str]:
    """Return a name for each face: likest first, nobody twice, ``ANYONE`` for who is like nobody.

    A face somewhat below the threshold is still somebody's when it is like them and like nobody else that is known:
    kin look alike, so that the threshold must be high, but not everybody has kin among the known.

    Args:
        faces: (faces, dimensions), unit rows.
        portraits: (people, dimensions), unit rows.
        names: of the portraits.
        threshold: cosine from which two faces are one person's.
    """
    found = [ANYONE] * len(faces)
    if not len(faces) or not len(portraits):
        return found
    cosines = faces @ portraits.T
    ranked = np.sort(cosines, axis=1)
    second = ranked[:, -2] if len(names) > 1 else np.full(len(faces), -1.0, dtype=np.float32)
    for flat in np.argsort(-cosines, axis=None, kind="stable"):
        face, person = divmod(int(flat), len(names))
        alike = float(cosines[face, person])
        if alike < threshold - _SLACK:
            break
        if alike < threshold and alike - float(second[face]) < _ALONE:
            continue
        if found[face] == ANYONE and names[person] not in found:
            found[face] = names[person]
    return found
