r"""Recognition of concepts: reading ``\boxed{[0,1,3]}`` and its F1 (CoViP Eq. 5, Table S.10)."""

from __future__ import annotations

import re
from collections.abc import Collection

__all__ = ["parse_boxed_list", "recognition_f1"]

_BOX = re.compile(r"\\boxed\s*\{([^{}]*)\}")
_LIST = re.compile(r"\s*\[?\s*(\d{1,6}(?:\s*,\s*\d{1,6})*)?\s*\]?\s*")


def parse_boxed_list(text: str) -> frozenset[int] | None:
    """Return the numbers in the last box, repeats folded; None where there is no box or it holds something else.

    Numbers that no concept has stay: they are false positives.
    """
    boxes = _BOX.findall(text)
    if not boxes:
        return None
    found = _LIST.fullmatch(boxes[-1])
    if found is None:
        return None
    return frozenset(int(one) for one in found[1].split(",")) if found[1] else frozenset()


def recognition_f1(predicted: Collection[int] | None, truth: Collection[int]) -> float:
    """Return the F1 of two sets of indices, 0..1 (Eq. 5); 1 where both are empty, 0 where one is or none was read."""
    if predicted is None:
        return 0.0
    named, right = set(predicted), set(truth)
    if not named and not right:
        return 1.0
    return 2 * len(named & right) / (len(named) + len(right))
