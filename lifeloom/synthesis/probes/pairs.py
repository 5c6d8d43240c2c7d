"""Alignment pairs (PA): which cases carry one, on which trait, so that high and low scores occur equally often.

A response's manner shows a trait and a pole. If users high on a trait were more frequent than low ones, a policy
that knows nobody could say yes to every response in the frequent manner. So cases are taken in twos: for each
high scorer on a trait a low scorer on the same trait.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.records import TRAITS, BigFiveProfile

__all__ = ["PairChoice", "choose_pairs"]

_SHARE = 5
"""One case in so many carries a pair."""
_MARKED = 0.5
"""Distance from neutral (3) from which the most marked trait shows in a manner."""
_MARKED_SECOND = 1.0
"""The same for a trait that is not the most marked one."""


@dataclass(frozen=True)
class PairChoice:
    """A case that gets a pair, and the trait on which its responses differ."""

    index: int
    trait: str
    balanced: bool
    """Whether its counterpart of the other pole is chosen as well."""


def choose_pairs(profiles: Sequence[BigFiveProfile], rng: random.Random) -> tuple[PairChoice, ...]:
    """Choose about a fifth of the cases, given the personality in force in each, by index ascending.

    First by each user's most marked trait, in twos of opposite poles; where these run out by further marked traits;
    what is then missing is filled without a counterpart and said so.
    """
    wanted = 2 * round(len(profiles) / _SHARE / 2)
    order = list(range(len(profiles)))
    rng.shuffle(order)
    marked = [_marked_traits(profile, rng) for profile in profiles]
    chosen: dict[int, PairChoice] = {}
    for rank in range(len(TRAITS)):
        _take_in_twos(chosen, order, marked, rank, wanted)
    for index in order:
        if len(chosen) >= wanted:
            break
        if index not in chosen and marked[index]:
            chosen[index] = PairChoice(index, marked[index][0][0], balanced=False)
    return tuple(chosen[index] for index in sorted(chosen))


def _marked_traits(profile: BigFiveProfile, rng: random.Random) -> list[tuple[str, bool]]:
    """Return the marked traits with whether the score is high, most marked first, ties at random."""
    scores = list(zip(TRAITS, profile.vector(), strict=True))
    rng.shuffle(scores)
    scores.sort(key=lambda item: -abs(item[1] - 3))
    return [
        (trait, score > 3)
        for rank, (trait, score) in enumerate(scores)
        if abs(score - 3) >= (_MARKED if rank == 0 else _MARKED_SECOND)
    ]


def _take_in_twos(
    chosen: dict[int, PairChoice],
    order: Sequence[int],
    marked: Sequence[Sequence[tuple[str, bool]]],
    rank: int,
    wanted: int,
) -> None:
    pools: defaultdict[tuple[str, bool], list[int]] = defaultdict(list)
    for index in order:
        if index not in chosen and len(marked[index]) > rank:
            pools[marked[index][rank]].append(index)
    progress = True
    while progress and len(chosen) < wanted:
        progress = False
        for trait in TRAITS:
            high, low = pools[trait, True], pools[trait, False]
            if high and low and len(chosen) < wanted:
                for index in (high.pop(), low.pop()):
                    chosen[index] = PairChoice(index, trait, balanced=True)
                progress = True
