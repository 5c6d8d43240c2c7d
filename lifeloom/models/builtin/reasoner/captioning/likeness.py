"""Which pictures resemble a new one as a whole: what a model without an eye for identity has to go by."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["likest", "recognise"]

_NEAR = 0.02
"""Cosines so close to the highest count as equally like."""


def likest(vectors: npt.NDArray[np.float32]) -> list[int]:
    """Return the context pictures most like the query, likest first.

    Args:
        vectors: shape (pictures, dimensions), unit rows; the query's last.
    """
    if len(vectors) < 2:
        return []
    cosines = vectors[:-1] @ vectors[-1]
    best = float(cosines.max())
    order = np.argsort(-cosines, kind="stable")
    return [int(one) for one in order if cosines[one] >= best - _NEAR]


def recognise(vectors: npt.NDArray[np.float32]) -> str:
    r"""Return the boxed list of those that resemble the query most: ``\boxed{[1]}``."""
    numbers = ",".join(str(one) for one in sorted(likest(vectors)))
    return f"Most like the query picture as a whole.\n\\boxed{{[{numbers}]}}"
