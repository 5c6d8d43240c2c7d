"""Which captions become whose occasions: one account's photos serve one user's conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lifeloom.records import CaptionSeed, Split
from lifeloom.streams import Streams, stable_hash
from lifeloom.synthesis.planning.occasions import speaks_of_the_photo

__all__ = ["MOST_CAPTIONS", "NoCaptions", "account_split", "assign_captions"]

MOST_CAPTIONS = 60
"""Captions kept of an account: more than any conversation can tell of."""


class NoCaptions(Exception):
    """There is no account of captions for a split. The message says what to do."""


def account_split(account_id: str) -> Split:
    """Return the split of an account, by a stable hash, 5:2 as for personas."""
    return "train" if stable_hash("account", account_id) % 7 < 5 else "benchmark"


def assign_captions(
    read: Callable[[], Iterable[CaptionSeed]], persona_ids: Sequence[str], *, split: Split, streams: Streams
) -> dict[str, list[CaptionSeed]]:
    """Give every persona the captions of one account of ``split``, accounts shared as evenly as they go.

    Captions that speak of the photo itself and texts that an account repeats take no place among its
    ``MOST_CAPTIONS``: no conversation would tell of them.

    Args:
        read: reads the caption seeds from the start, grouped by account; called twice, so that only
            the chosen accounts' captions are held.
        persona_ids: whose conversations want occasions.
        split: train or benchmark; accounts never serve both.
        streams: the seed's random streams.

    Raises:
        NoCaptions: no account belongs to ``split``.
    """
    accounts = sorted({seed.account_id for seed in read() if account_split(seed.account_id) == split})
    if not accounts:
        raise NoCaptions(
            f"no account of the captions falls to the {split} split, so nobody has occasions to tell of; give a dump "
            "with more accounts (YFCC=...), or leave it out to use the project's own rows"
        )
    chosen: dict[str, str] = {}
    for start in range(0, len(persona_ids), len(accounts)):
        order = list(accounts)
        streams.rng("accounts", split, start).shuffle(order)
        chosen.update(zip(persona_ids[start : start + len(accounts)], order, strict=False))
    wanted: dict[str, list[CaptionSeed]] = {account: [] for account in chosen.values()}
    seen: set[tuple[str, str, str]] = set()
    for seed in read():
        captions = wanted.get(seed.account_id)
        if captions is None or len(captions) >= MOST_CAPTIONS or speaks_of_the_photo(seed.caption):
            continue
        text = (seed.account_id, seed.use, seed.caption)
        if text not in seen:
            seen.add(text)
            captions.append(seed)
    return {persona_id: wanted[account] for persona_id, account in chosen.items()}
