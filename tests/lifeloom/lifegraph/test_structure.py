"""Degrees, parts and diameter by hand; the power-law test on draws whose law is known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lifeloom.lifegraph import LifeGraph
from lifeloom.lifegraph.structure import Structure, fit_degrees, structure_figure, structure_of
from lifeloom.lifegraph.trace import RetrievalTrace, RoundTrace
from tests.lifeloom.lifegraph.searching import GraphMaker, fishing_graph


def _path(length: int) -> GraphMaker:
    maker = GraphMaker()
    names = [maker.entity("Object", f"o{number}") for number in range(length)]
    for head, tail in itertools.pairwise(names):
        maker.fact(head, "near", tail)
    return maker


def test_degrees_count_distinct_neighbours_with_parallel_facts_beside_them() -> None:
    maker = _path(3)  # o0 - o1 - o2
    maker.fact("Object/o1", "beside", "Object/o0")
    maker.fact("Object/o2", "is", "Object/o2")  # itself: no neighbour
    found = structure_of(maker.graph("nobody"))
    assert sorted(found.degrees) == [1, 1, 2]
    assert sorted(found.parallel_degrees) == [1, 2, 3]
    assert (found.nodes, found.facts, found.edges) == (3, 4, 2)


def test_the_diameter_is_that_of_the_largest_part() -> None:
    maker = _path(6)
    maker.fact(maker.entity("Object", "p"), "near", maker.entity("Object", "q"))
    maker.entity("Object", "alone")
    found = structure_of(maker.graph("nobody"))
    assert (found.parts, found.largest, found.diameter) == (3, 6, 5)


@pytest.mark.parametrize(("length", "diameter"), [(0, None), (1, 0), (2, 1)])
def test_graphs_too_small_to_fit_say_so(length: int, diameter: int | None) -> None:
    found = structure_of(_path(length).graph("nobody"))
    assert (found.diameter, found.fit, found.verdict) == (diameter, None, "too small to fit")


def test_a_graph_without_edges_has_no_degrees() -> None:
    maker = GraphMaker()
    for number in range(50):
        maker.entity("Object", str(number))
    found = structure_of(maker.graph("nobody"))
    assert (found.degrees, found.parts, found.verdict) == ((), 50, "too small to fit")


def test_degrees_that_are_all_alike_are_not_fitted() -> None:
    assert fit_degrees([2] * 500) is None


@pytest.mark.parametrize("degrees", [[1] * 20 + [2] * 15 + [3] * 5, [1] * 40 + [2] * 3 + [40], [1, 2] + [1000] * 60])
def test_degrees_of_three_different_values_are_too_few_or_fitted_but_never_an_error(degrees: list[int]) -> None:
    assert fit_degrees(degrees) is None


def _power_law(alpha: float, count: int, seed: int) -> list[int]:
    """Draws from a zeta distribution by numpy, which is not what the module draws with."""
    return np.random.default_rng(seed).zipf(alpha, count).tolist()


def test_a_power_law_is_found_with_its_exponent_beats_the_exponential_and_is_seldom_ruled_out() -> None:
    fits = [fit_degrees(_power_law(2.5, 800, seed), bootstrap=8, rng=np.random.default_rng(seed)) for seed in range(3)]
    plausible = 0
    for fit in fits:
        assert fit is not None
        assert fit.alpha == pytest.approx(2.5, abs=0.2)
        exponential = next(one for one in fit.alternatives if one.name == "exponential")
        assert exponential.log_likelihood_ratio > 0
        assert exponential.p < 0.05
        assert fit.p is not None
        plausible += fit.p >= 0.1
    assert plausible >= 2


def test_a_poisson_law_is_ruled_out_and_something_else_fits_better() -> None:
    degrees = np.random.default_rng(2).poisson(20, 500).clip(1).tolist()
    fit = fit_degrees(degrees, bootstrap=5, rng=np.random.default_rng(1))
    assert fit is not None
    assert fit.p == 0
    assert any(one.log_likelihood_ratio < 0 and one.p < 0.05 for one in fit.alternatives)


def test_the_goodness_of_fit_is_the_same_for_the_same_generator() -> None:
    degrees = _power_law(2.2, 300, 5)
    first, second = (fit_degrees(degrees, bootstrap=5, rng=np.random.default_rng(9)) for _ in range(2))
    assert first == second


def test_a_bootstrap_without_a_generator_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a generator"):
        fit_degrees([1, 2, 3] * 40, bootstrap=5)


def _trace(depth: int, rounds: int, stopped: str = "enough") -> RetrievalTrace:
    one = RoundTrace(number=1, searched=1, considered=1, candidates=(), references=(), sufficient=None)
    return RetrievalTrace.model_validate(
        {"question": "q", "depth": depth, "width": 3, "rounds": (one,) * rounds, "stopped": stopped}
    )


def test_the_figure_is_a_picture_also_of_nothing() -> None:
    structures = [structure_of(fishing_graph()), structure_of(LifeGraph.of("x", "", (), ()))]
    pooled = fit_degrees(_power_law(2.5, 400, 1))
    for own, fit in ((structures, None), ([], None), ([_many()], pooled)):
        assert structure_figure(own, fit).startswith(b"\x89PNG")


def _many() -> Structure:
    maker = GraphMaker()
    rng = np.random.default_rng(4)
    for number in range(1, 60):
        maker.fact(
            maker.entity("Object", f"o{number}"),
            "near",
            maker.entity("Object", f"o{int(rng.integers(number))}"),
        )
    return structure_of(maker.graph("nobody"))
