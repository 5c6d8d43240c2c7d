"""How a life graph is built: degrees, power law or not, diameter, effective depth (Life-Bench Sections 4.4, 5.3)."""

from __future__ import annotations

import io
import math
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lifeloom.lifegraph.graph import LifeGraph

if TYPE_CHECKING:
    import powerlaw

__all__ = [
    "ALTERNATIVES",
    "AlternativeFit",
    "PowerLawFit",
    "Structure",
    "fit_degrees",
    "structure_figure",
    "structure_of",
]

ALTERNATIVES = ("exponential", "lognormal", "truncated_power_law", "stretched_exponential")
"""Distributions that a power law is held against."""
_LEAST_TAIL = 10
"""Nodes from x_min on below which nothing is fitted: any curve would pass."""
_LEAST_NODES = 30
_EXACT = 1000


@dataclass(frozen=True)
class AlternativeFit:
    """A power law against another distribution, on the same tail (Clauset, Shalizi and Newman 2009)."""

    name: str
    log_likelihood_ratio: float
    """Normalised; above 0: the power law fits better."""
    p: float
    """Chance of a ratio this far from 0 if both fitted alike; large: the two cannot be told apart."""


@dataclass(frozen=True)
class PowerLawFit:
    """A discrete power law fitted to degrees."""

    alpha: float
    x_min: int
    """Degree from which on it is fitted: where the distance to the data is smallest."""
    tail: int
    """Nodes from there on."""
    distance: float
    """Kolmogorov-Smirnov distance between data and fit."""
    p: float | None
    """Share of data sets drawn from the fit itself that lie further from their own fits (goodness of fit, bootstrap);
    below 0.1 the power law is ruled out. None: not asked for."""
    alternatives: tuple[AlternativeFit, ...]


@dataclass(frozen=True)
class Structure:
    """The structure report of one graph."""

    life_id: str
    nodes: int
    facts: int
    edges: int
    """Pairs of distinct nodes with at least one fact between them."""
    degrees: tuple[int, ...]
    """Distinct neighbours of each node that has any."""
    parallel_degrees: tuple[int, ...]
    """The same with parallel facts counted."""
    parts: int
    """Connected parts of the undirected graph, single nodes included."""
    largest: int
    """Nodes of the largest part."""
    diameter: int | None
    """Of the largest part, in hops; None: there are no nodes."""
    fit: PowerLawFit | None
    """None: too small to fit."""

    @property
    def verdict(self) -> str:
        """What the fit says, in a sentence."""
        return _verdict(self.fit)


def structure_of(graph: LifeGraph, *, bootstrap: int = 0, rng: np.random.Generator | None = None) -> Structure:
    """Return the structure of a graph.

    Args:
        graph: a life's.
        bootstrap: data sets for the goodness of fit; 0: not asked for.
        rng: where they come from; needed with ``bootstrap``.
    """
    neighbours: dict[str, set[str]] = {one: set() for one in graph.entities}
    parallel: Counter[str] = Counter()
    for fact in graph.facts.values():
        if fact.head != fact.tail:
            neighbours[fact.head].add(fact.tail)
            neighbours[fact.tail].add(fact.head)
            parallel.update((fact.head, fact.tail))
    parts = _parts(neighbours)
    largest = max(parts, key=len, default=[])
    degrees = tuple(len(own) for own in neighbours.values() if own)
    return Structure(
        life_id=graph.life_id,
        nodes=len(graph.entities),
        facts=len(graph.facts),
        edges=sum(degrees) // 2,
        degrees=degrees,
        parallel_degrees=tuple(parallel[one] for one in neighbours if parallel[one]),
        parts=len(parts),
        largest=len(largest),
        diameter=max((max(_distances(neighbours, one).values()) for one in largest), default=None),
        fit=fit_degrees(degrees, bootstrap=bootstrap, rng=rng),
    )


def _parts(neighbours: Mapping[str, set[str]]) -> list[list[str]]:
    left = dict.fromkeys(neighbours)
    found = []
    while left:
        part = list(_distances(neighbours, next(iter(left))))
        for one in part:
            del left[one]
        found.append(part)
    return found


def _distances(neighbours: Mapping[str, set[str]], start: str) -> dict[str, int]:
    """Return hops from ``start`` to all that it reaches."""
    hops = {start: 0}
    frontier = [start]
    while frontier:
        following = []
        for one in frontier:
            for other in neighbours[one]:
                if other not in hops:
                    hops[other] = hops[one] + 1
                    following.append(other)
        frontier = following
    return hops


def fit_degrees(
    degrees: Sequence[int], *, bootstrap: int = 0, rng: np.random.Generator | None = None
) -> PowerLawFit | None:
    """Fit a power law to degrees and hold it against alternatives; None where there are too few to say anything.

    Args:
        degrees: at least 1 each.
        bootstrap: data sets for the goodness of fit (100: p to about 0.05); 0: not asked for.
        rng: where they come from.

    Raises:
        ValueError: ``bootstrap`` without ``rng``.
    """
    if bootstrap and rng is None:
        raise ValueError("a bootstrap needs a generator: give rng=numpy.random.default_rng(seed)")
    values = np.array(sorted(degrees), dtype=np.int64)
    if len(values) < _LEAST_NODES or len(set(values.tolist())) < 3:
        return None
    fitted = _fitted(values)
    if fitted is None:
        return None
    alpha, x_min, distance, fit = fitted
    tail = int((values >= x_min).sum())
    if tail < _LEAST_TAIL:
        return None
    p = None if rng is None or not bootstrap else _goodness(values, alpha, x_min, distance, bootstrap, rng)
    alternatives = []
    for name in ALTERNATIVES:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            ratio, chance = fit.distribution_compare("power_law", name, normalized_ratio=True)
        if math.isfinite(ratio) and math.isfinite(chance):
            alternatives.append(AlternativeFit(name, float(ratio), float(chance)))
    return PowerLawFit(alpha, x_min, tail, distance, p, tuple(alternatives))


def _fitted(values: np.ndarray[Any, np.dtype[np.int64]]) -> tuple[float, int, float, powerlaw.Fit] | None:
    """Return exponent, x_min, distance and the fit itself."""
    import powerlaw

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of tails that are too short, which are sorted out below
        try:
            fit = powerlaw.Fit(values, discrete=True, verbose=False)
            alpha, distance = float(fit.power_law.alpha), float(fit.power_law.D)
        except ValueError:  # with two or three different values it may find no degree to begin at
            return None
    if not (math.isfinite(alpha) and math.isfinite(distance) and alpha > 1):
        return None
    return alpha, int(fit.xmin), distance, fit


def _goodness(
    values: np.ndarray[Any, np.dtype[np.int64]],
    alpha: float,
    x_min: int,
    distance: float,
    sets: int,
    rng: np.random.Generator,
) -> float:
    """Return the share of drawn data sets that fit worse than the data: head as it is, tail from the power law."""
    head = values[values < x_min]
    tail_share = float((values >= x_min).mean())
    worse = usable = 0
    for _ in range(sets):
        in_tail = int(rng.binomial(len(values), tail_share))
        drawn = _zeta(alpha, x_min, in_tail, rng)
        below = rng.choice(head, len(values) - in_tail) if len(head) else np.zeros(0, dtype=np.int64)
        again = _fitted(np.sort(np.concatenate([below, drawn])))
        if again is not None:
            usable += 1
            worse += again[2] >= distance
    return worse / usable if usable else float("nan")


def _zeta(alpha: float, x_min: int, count: int, rng: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Draw from the discrete power law: exactly up to ``_EXACT``, beyond by the continuous law, rounded."""
    from scipy.special import zeta

    support = np.arange(x_min, x_min + _EXACT)
    at_least = zeta(alpha, support) / zeta(alpha, x_min)
    left = rng.random(count)
    drawn: np.ndarray[Any, np.dtype[np.int64]] = x_min - 1 + np.searchsorted(-at_least, -left, side="right")
    far = left < at_least[-1]
    beyond = support[-1] * (left[far] / at_least[-1]) ** (-1 / (alpha - 1))
    drawn[far] = np.minimum(beyond, 1e9).astype(np.int64)
    return drawn.astype(np.int64)


def _verdict(fit: PowerLawFit | None) -> str:
    if fit is None:
        return "too small to fit"
    better = [one.name for one in fit.alternatives if one.log_likelihood_ratio < 0 and one.p < 0.1]
    worse = [one.name for one in fit.alternatives if one.log_likelihood_ratio > 0 and one.p < 0.1]
    parts = [f"alpha {fit.alpha:.2f} from degree {fit.x_min} on ({fit.tail} nodes)"]
    if fit.p is not None:
        parts.append(f"goodness of fit p = {fit.p:.2f}, {'ruled out' if fit.p < 0.1 else 'plausible'}")
    if better:
        parts.append(f"{', '.join(better)} fits better")
    if worse:
        parts.append(f"better than {', '.join(worse)}")
    if not better and not worse:
        parts.append("cannot be told from the alternatives")
    return "; ".join(parts).replace("_", " ")


def structure_figure(structures: Sequence[Structure], fit: PowerLawFit | None) -> bytes:
    """Return Fig. 3 as PNG: how frequent each degree is, log-log, pooled and for each life, with the pooled fit."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.4), dpi=120, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for one in structures:
        counts = sorted(Counter(one.degrees).items())
        if counts:
            axes.plot(*zip(*counts, strict=True), ".", color="0.75", markersize=4)
    pooled = Counter(degree for one in structures for degree in one.degrees)
    if pooled:
        axes.plot(*zip(*sorted(pooled.items()), strict=True), "o", color="tab:blue", markersize=5, label="all lives")
        axes.set_xscale("log")
        axes.set_yscale("log")
    if fit is not None:
        degrees = np.arange(fit.x_min, max(pooled) + 1)
        shares = degrees ** (-fit.alpha)
        label = f"power law, alpha {fit.alpha:.2f} from {fit.x_min} on"
        axes.plot(degrees, fit.tail * shares / shares.sum(), "-", color="tab:red", label=label)
    axes.set_xlabel("degree: distinct neighbours")
    axes.set_ylabel("nodes")
    axes.set_title(f"Degrees of {len(structures)} life graphs: {'too small to fit' if fit is None else 'with fit'}")
    if pooled:
        axes.legend(frameon=False)
    out = io.BytesIO()
    canvas.print_figure(out, format="png", metadata={"Software": None})
    return out.getvalue()
