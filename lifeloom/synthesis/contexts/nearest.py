"""The nearest pictures of a library: exact cosine over all of them (C4, Section 3.2.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["NearestPictures"]

_SLACK = 8
"""Pictures looked up beyond those asked for, since some are excluded; more are looked up where that is not enough."""


class NearestPictures:
    """Pictures by their vectors, all compared at every search: nothing is approximated.

    Args:
        ids: of the pictures, each once.
        vectors: shape (pictures, dimensions), float32, unit rows, in the order of ``ids``.

    Raises:
        ValueError: ids repeat, or there are not as many vectors.
    """

    def __init__(self, ids: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        if len(set(ids)) != len(ids) or len(ids) != len(vectors):
            raise ValueError(f"{len(ids)} ids, {len(set(ids))} of them different, for {len(vectors)} vectors")
        self._ids = tuple(ids)
        self._rows = {one: row for row, one in enumerate(ids)}
        self._vectors = np.ascontiguousarray(vectors, dtype=np.float32)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, picture_id: object) -> bool:
        return picture_id in self._rows

    def of(self, picture_id: str, count: int, *, excluding: Collection[str] = ()) -> list[str]:
        """Return the ``count`` pictures nearest to one of them, nearest first, ties by id; all where there are fewer.

        Args:
            picture_id: one of the pictures; it is not returned.
            count: how many.
            excluding: ids that must not be returned.

        Raises:
            KeyError: there is no such picture.
        """
        out = {picture_id, *excluding}
        cosines = self._vectors @ self._vectors[self._rows[picture_id]]
        return self._best(cosines, count, out)

    def search(
        self, vectors: npt.NDArray[np.float32], count: int, *, excluding: Collection[str] = ()
    ) -> list[list[str]]:
        """Return for each of ``vectors``, shape (queries, dimensions), the ``count`` nearest, nearest first."""
        scores = self._vectors @ np.asarray(vectors, dtype=np.float32).T  # (pictures, queries)
        out = set(excluding)
        return [self._best(scores[:, query], count, out) for query in range(scores.shape[1])]

    def _best(self, cosines: npt.NDArray[np.float32], count: int, out: Collection[str]) -> list[str]:
        most = min(len(cosines), count + len(out) + _SLACK)
        top = np.argpartition(-cosines, most - 1)[:most] if most < len(cosines) else np.arange(len(cosines))
        # Pictures as near as the last one that was taken belong to it: ties go by id.
        if most < len(cosines):
            top = np.flatnonzero(cosines >= cosines[top].min())
        ranked = sorted((-float(cosines[row]), self._ids[row]) for row in top)
        return [one for _, one in ranked if one not in out][:count]
