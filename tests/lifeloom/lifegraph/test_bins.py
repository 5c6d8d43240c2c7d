from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from lifeloom.lifegraph.bins import binned


def _binned(groups: Sequence[Sequence[str]], tokens: int = 100, pictures: int = 4) -> list[list[str]]:
    return binned(groups, tokens=tokens, pictures=pictures, cost=lambda item: (10, 1))


def test_events_share_a_bin_while_they_fit_and_are_not_torn_apart() -> None:
    assert _binned([["a1", "a2"], ["b1", "b2"], ["c1", "c2", "c3"]]) == [["a1", "a2", "b1", "b2"], ["c1", "c2", "c3"]]


def test_an_event_larger_than_a_bin_has_bins_of_its_own_cut_between_pictures() -> None:
    groups = [["a1"], ["b1", "b2", "b3", "b4", "b5"], ["c1"]]
    assert _binned(groups) == [["a1"], ["b1", "b2", "b3", "b4"], ["b5"], ["c1"]]


def test_tokens_bound_a_bin_as_pictures_do() -> None:
    assert _binned([["a1", "a2"], ["b1"]], tokens=25, pictures=9) == [["a1", "a2"], ["b1"]]


def test_a_picture_larger_than_a_bin_has_one_to_itself() -> None:
    assert _binned([["a1", "a2"]], tokens=5) == [["a1"], ["a2"]]
    assert _binned([["a1", "a2"]], tokens=-50, pictures=-1) == [["a1"], ["a2"]]


@given(st.lists(st.lists(st.integers(1, 60), max_size=6), max_size=12), st.integers(1, 150), st.integers(1, 8))
def test_nothing_is_lost_and_the_order_stays_and_no_bin_of_several_is_too_full(
    costs: list[list[int]], tokens: int, pictures: int
) -> None:
    groups = [[(event, place, cost) for place, cost in enumerate(own)] for event, own in enumerate(costs)]
    bins = binned(groups, tokens=tokens, pictures=pictures, cost=lambda item: (item[2], 1))
    assert [item for one in bins for item in one] == [item for group in groups for item in group]
    for one in bins:
        assert one
        assert len(one) == 1 or (sum(item[2] for item in one) <= tokens and len(one) <= pictures)
