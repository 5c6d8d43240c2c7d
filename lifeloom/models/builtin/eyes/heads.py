"""Heads on features, fitted in closed form: whitening within a class, then the axes on which classes differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.eyes.weights import EyesWeights, EyesWeightsUnusable
from lifeloom.models.efficientnet import unit_rows

__all__ = ["Head", "fit_head"]

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Head:
    """A linear map to unit vectors in which what belongs together lies close, with a prototype a class."""

    mean: Array
    """(D,), of the features it was fitted on."""
    axes: Array
    """(D, K)."""
    prototypes: Array
    """Unit rows, (classes, K); empty where classes are not known beforehand (faces)."""

    def embed(self, features: Array) -> Array:
        """Return unit rows, (N, K), of ``features``, (N, D)."""
        return unit_rows(_by_row(features - self.mean, self.axes))

    def scores(self, embedded: Array) -> Array:
        """Return cosines, (N, classes), of embedded rows with the prototypes."""
        return _by_row(embedded, self.prototypes.T)

    @staticmethod
    def read(weights: EyesWeights, name: str) -> Head:
        """Return the head called ``name``.

        Raises:
            EyesWeightsUnusable: the file lacks it.
        """
        try:
            mean, axes = weights.arrays[f"{name}/mean"], weights.arrays[f"{name}/axes"]
            prototypes = weights.arrays[f"{name}/prototypes"]
        except KeyError as error:
            raise EyesWeightsUnusable(f"the weights of the eyes lack {error}: run scripts/fit_eyes.py") from error
        if mean.shape != axes.shape[:1] or (len(prototypes) and prototypes.shape[1:] != axes.shape[1:]):
            raise EyesWeightsUnusable(f"the weights of the eyes disagree about {name}: run scripts/fit_eyes.py")
        return Head(mean, axes, prototypes)

    def arrays(self, name: str) -> dict[str, Array]:
        """Return the arrays to store under ``name``."""
        return {f"{name}/mean": self.mean, f"{name}/axes": self.axes, f"{name}/prototypes": self.prototypes}


def _by_row(rows: Array, matrix: Array) -> Array:
    """Return ``rows @ matrix``, row by row: a product of several rows may round differently for another number."""
    found = np.empty((len(rows), matrix.shape[1]), dtype=np.float32)
    for number, row in enumerate(rows):
        found[number] = row @ matrix
    return found


def fit_head(
    features: Array,
    classes: npt.NDArray[np.int64],
    axes: int,
    *,
    shrinkage: float = 0.03,
    components: int = 256,
    prototypes: bool = True,
) -> Head:
    """Fit a head in closed form.

    Principal components, whitening by the shrunk scatter within classes, then the leading axes of the class means:
    linear discriminants (Fisher, 1936) by the singular values of whitened means.

    Args:
        features: (N, D).
        classes: (N,), 0..C-1, every class present.
        axes: at most this many dimensions; no more than ``components`` and C - 1 carry anything.
        shrinkage: share of the mean variance added to every direction before whitening.
        components: principal components kept first.
        prototypes: whether to keep the classes' mean directions.
    """
    wide = features.astype(np.float64)
    mean = wide.mean(axis=0)
    centred = wide - mean
    basis = _principal(centred, components)  # (D, kept)
    kept = basis.shape[1]
    reduced = centred @ basis
    count = int(classes.max()) + 1
    means = np.stack([reduced[classes == one].mean(axis=0) for one in range(count)])
    within = reduced - means[classes]
    scatter = within.T @ within / len(within)
    scatter += shrinkage * np.trace(scatter) / kept * np.eye(kept)
    values, vectors = np.linalg.eigh(scatter)
    whitening = vectors / np.sqrt(values)
    _, _, leading = np.linalg.svd((means - means.mean(axis=0)) @ whitening, full_matrices=False)
    matrix = basis @ whitening @ leading[: min(axes, kept, count - 1)].T
    matrix /= np.abs(matrix).max()  # lengths are dropped afterwards; this keeps half precision safe
    head = Head(mean.astype(np.float32), matrix.astype(np.float32), np.zeros((0, 0), dtype=np.float32))
    if not prototypes:
        return head
    embedded = head.embed(features)
    centres = unit_rows(np.stack([embedded[classes == one].mean(axis=0) for one in range(count)]).astype(np.float32))
    return Head(head.mean, head.axes, centres)


def _principal(centred: npt.NDArray[np.float64], components: int) -> npt.NDArray[np.float64]:
    """Return the leading principal directions, (D, at most ``components``), of ``centred``, (N, D).

    By subspace iteration (Halko et al. 2011, algorithm 4.4) where that is far fewer than D: a full decomposition of
    some thousand dimensions takes half a minute.
    """
    size = min(components, *centred.shape)
    wide = min(size + 32, *centred.shape)
    start = np.random.default_rng(0).standard_normal((centred.shape[1], wide))
    basis, _ = np.linalg.qr(start)
    for _ in range(4):
        basis, _ = np.linalg.qr(centred.T @ (centred @ basis))
    _, lengths, turned = np.linalg.svd(centred @ basis, full_matrices=False)
    kept = min(size, int((lengths > lengths[0] * 1e-6).sum()))
    return np.asarray(basis @ turned[:kept].T, dtype=np.float64)
