"""Shares of a training set: held exactly, and nothing left out in silence."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from lifeloom.synthesis.supervision import MEMORY_SHARES, RL_SHARES, SFT_SHARES, Composed, compose, share_problems

Item = tuple[str, str, int]


def composed(items: list[Item], shares: dict[str, Fraction], seed: int = 1) -> Composed[Item]:
    return compose(
        items,
        shares,
        part_of=lambda one: one[0],
        stratum_of=lambda one: one[1],
        id_of=lambda one: f"{one[0]}-{one[1]}-{one[2]}",
        rng=random.Random(seed),
    )


def items(**counts: int) -> list[Item]:
    return [(part, "x", number) for part, count in counts.items() for number in range(count)]


def test_the_shares_are_the_papers() -> None:
    assert {name: float(share) for name, share in SFT_SHARES.items()} == {
        "reasoning_qa": 0.436,
        "personality_inference": 0.103,
        "memory_operation": 0.461,
    }
    assert {name: float(share) for name, share in RL_SHARES.items()} == {"open": 0.21, "choice": 0.556, "binary": 0.234}
    for shares in (SFT_SHARES, RL_SHARES, MEMORY_SHARES):
        assert sum(shares.values()) == 1


def test_the_scarcest_part_decides_how_many_there_are() -> None:
    # 10 are a fifth: 50 in all, so 30 and 10 of the others.
    shares = {"a": Fraction(3, 5), "b": Fraction(1, 5), "c": Fraction(1, 5)}
    done = composed(items(a=100, b=10, c=40), shares)
    assert Counter(one[0] for one in done.kept) == {"a": 30, "b": 10, "c": 10}
    assert Counter(one.detail for one in done.left_out) == {"a": 70, "c": 30}
    assert {one.reason for one in done.left_out} == {"beyond_share"}


def test_a_part_without_items_leaves_nothing_of_the_others() -> None:
    done = composed(items(a=5), {"a": Fraction(1, 2), "b": Fraction(1, 2)})
    assert done.kept == ()
    assert len(done.left_out) == 5


def test_parts_without_a_share_are_all_kept() -> None:
    done = composed(items(a=2, extra=7), {"a": Fraction(1)})
    assert Counter(one[0] for one in done.kept) == {"a": 2, "extra": 7}


def test_no_kind_crowds_out_another() -> None:
    many = [("a", "common", number) for number in range(96)] + [("a", "rare", number) for number in range(4)]
    done = composed([*many, *items(b=10)], {"a": Fraction(1, 2), "b": Fraction(1, 2)})
    assert Counter(one[1] for one in done.kept if one[0] == "a") == {"rare": 4, "common": 6}


def test_another_seed_draws_others() -> None:
    shares = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    first, again, other = (composed(items(a=50, b=5), shares, seed).kept for seed in (1, 1, 2))
    assert first == again
    assert first != other


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_what_goes_in_comes_out_or_is_left_out_with_its_reason(a: int, b: int, c: int) -> None:
    shares = {"a": Fraction(436, 1000), "b": Fraction(103, 1000), "c": Fraction(461, 1000)}
    given_items = items(a=a, b=b, c=c)
    done = composed(given_items, shares)
    assert len(done.kept) + len(done.left_out) == len(given_items)
    kept = {f"{one[0]}-{one[1]}-{one[2]}" for one in done.kept}
    assert kept.isdisjoint(one.item for one in done.left_out)
    assert share_problems([one[0] for one in done.kept], shares) == []
    assert [one for one in given_items if one in done.kept] == list(done.kept)  # in their order


def test_a_set_that_is_off_is_told_by_part() -> None:
    shares = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    assert share_problems(["a"] * 60 + ["b"] * 40, shares) == [
        "a is 60 of 100 (60.0%), not 50.0%",
        "b is 40 of 100 (40.0%), not 50.0%",
    ]
    assert share_problems(["a"] * 51 + ["b"] * 49, shares) == []
    assert share_problems(["a", "b", "b"], shares) == []  # one more or less is no matter
    assert share_problems([], shares) == []
