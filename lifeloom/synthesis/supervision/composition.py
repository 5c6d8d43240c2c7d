"""What a training set is made of: shares held by leaving out what is too much, nothing silently (P13, P14)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Generic, TypeVar

from lifeloom.records import Rejection

__all__ = ["MEMORY_SHARES", "RL_SHARES", "SFT_SHARES", "Composed", "compose", "share_problems"]

SFT_SHARES: Mapping[str, Fraction] = MappingProxyType(
    {
        "reasoning_qa": Fraction(436, 1000),
        "personality_inference": Fraction(103, 1000),
        "memory_operation": Fraction(461, 1000),
    }
)
"""Of the supervised examples, concept samples apart (PersonaVLM Appendix B.2: 78k)."""
MEMORY_SHARES: Mapping[str, Fraction] = MappingProxyType(
    {kind: Fraction(1, 4) for kind in ("semantic", "core", "procedural", "episodic")}
)
"""Of the memory operations by type: the paper names the four and gives no shares."""
RL_SHARES: Mapping[str, Fraction] = MappingProxyType(
    {"open": Fraction(210, 1000), "choice": Fraction(556, 1000), "binary": Fraction(234, 1000)}
)
"""Of the prompts of RL (5.6k)."""

_STAGE = "training_set"
ItemT = TypeVar("ItemT")


@dataclass(frozen=True)
class Composed(Generic[ItemT]):
    """What was chosen, in the order given, and what was left out."""

    kept: tuple[ItemT, ...]
    left_out: tuple[Rejection, ...]
    """Reason ``beyond_share``."""


def compose(
    items: Sequence[ItemT],
    shares: Mapping[str, Fraction],
    *,
    part_of: Callable[[ItemT], str],
    stratum_of: Callable[[ItemT], str],
    id_of: Callable[[ItemT], str],
    rng: random.Random,
) -> Composed[ItemT]:
    """Choose as many items as the shares allow.

    The scarcest part decides the number; of the others as many are drawn, evenly over their strata, so that no kind of
    item crowds out another.

    Args:
        items: to choose from; items of a part that ``shares`` does not name are all kept.
        shares: of each part, 0..1, summing to 1.
        part_of: the part of an item.
        stratum_of: the kind of item within its part.
        id_of: for the record of what was left out.
        rng: draws.
    """
    by_part: dict[str, dict[str, list[int]]] = {part: {} for part in shares}
    for index, item in enumerate(items):
        if (part := part_of(item)) in shares:
            by_part[part].setdefault(stratum_of(item), []).append(index)
    counts = {part: sum(map(len, strata.values())) for part, strata in by_part.items()}
    total = min((int(counts[part] / share) for part, share in shares.items() if share), default=0)
    chosen = {index for index, item in enumerate(items) if part_of(item) not in shares}
    for part, share in shares.items():
        chosen.update(_evenly(by_part[part], min(counts[part], round(total * share)), rng))
    return Composed(
        tuple(item for index, item in enumerate(items) if index in chosen),
        tuple(
            Rejection(stage=_STAGE, item=id_of(item)[:200], reason="beyond_share", detail=part_of(item))
            for index, item in enumerate(items)
            if index not in chosen
        ),
    )


def _evenly(strata: Mapping[str, Sequence[int]], wanted: int, rng: random.Random) -> list[int]:
    """Draw ``wanted`` numbers, one of each stratum in turn while it has any."""
    waiting = {name: rng.sample(list(own), len(own)) for name, own in sorted(strata.items())}
    drawn: list[int] = []
    while len(drawn) < wanted:
        for own in waiting.values():
            if own and len(drawn) < wanted:
                drawn.append(own.pop())
    return drawn


def share_problems(parts: Iterable[str], shares: Mapping[str, Fraction], *, tolerance: float = 0.01) -> list[str]:
    """Return a sentence for each part whose share is off by more than ``tolerance`` and more than one item.

    Args:
        parts: of the items, one for each; parts that ``shares`` does not name do not count.
        shares: as they should be.
        tolerance: absolute.
    """
    counts = dict.fromkeys(shares, 0)
    for part in parts:
        if part in counts:
            counts[part] += 1
    total = sum(counts.values())
    return [
        f"{part} is {counts[part]} of {total} ({counts[part] / total:.1%}), not {float(share):.1%}"
        for part, share in shares.items()
        if total and abs(counts[part] - total * share) > max(1, tolerance * total)
    ]
