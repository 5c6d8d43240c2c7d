"""Questions whose options are the same things in different orders: compared with the order of the evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from lifeloom.models.builtin.reader.english import lexicon
from lifeloom.models.builtin.reader.evidence import Event, History, Terms, gather
from lifeloom.models.builtin.reader.holders import SELF
from lifeloom.models.builtin.reader.text import content_stems, stem

__all__ = ["common_items", "order_scores"]

# Words that say how one thing follows another, not what the things are.
_SEQUENCE = frozenset(
    stem(word)
    for word in lexicon(
        """
        first second third fourth last next final finally later earlier initially eventually afterwards start
        started begin began end ended finish move moved switch switched turn turned shift change follow
        followed following come came take took pick picked try tried drop dropped interest interests hobby
        pastime phase replace replaced lead led order
        """
    )
)


def common_items(options: Sequence[str]) -> tuple[list[tuple[str, ...]], list[tuple[int, ...]]] | None:
    """Return the items that all options list, and each option's order of them; None when it is no order question.

    An item is a run of content words that stay together in every option.
    """
    stems = [[s for s in content_stems(re.sub(r"[-/]", " ", option)) if s not in _SEQUENCE] for option in options]
    shared = set(stems[0]).intersection(*stems[1:])
    shared = {s for s in shared if all(own.count(s) == 1 for own in stems)}
    rows = [[s for s in own if s in shared] for own in stems]
    if len(shared) < 2 or any(len(set(own)) > len(shared) + 1 for own in stems):
        return None
    followers = [dict(pairwise(row)) for row in rows]
    items: list[tuple[str, ...]] = []
    for s in rows[0]:
        if items and all(follower.get(items[-1][-1]) == s for follower in followers):
            items[-1] = (*items[-1], s)
        else:
            items.append((s,))
    orders = [tuple(sorted(range(len(items)), key=lambda i, row=row: row.index(items[i][0]))) for row in rows]  # type: ignore[misc]
    if len(items) < 2 or len(set(orders)) < 2:
        return None
    return items, orders


def order_scores(history: History, options: Sequence[str]) -> tuple[float, ...] | None:
    """Return, an option, how far its order agrees with the history (-1 to 1), or None when it is no order question."""
    common = common_items(options)
    if common is None:
        return None
    items, orders = common
    terms = []
    for item in items:
        weights = {s: idf for s in item if (idf := history.idf(s))}
        terms.append(Terms(weights, sum(weights.values()) or 1.0))
    events = gather(history, terms)
    votes = {(a, b): _before(a, b, events) for a, b in combinations(range(len(items)), 2)}  # > 0: a came before b
    scores = []
    for order in orders:
        rank = {item: place for place, item in enumerate(order)}
        agreement = sum(vote if rank[a] < rank[b] else -vote for (a, b), vote in votes.items())
        scores.append(agreement / max(1, len(votes)))
    return tuple(scores)


def _before(a: int, b: int, events: Sequence[Event]) -> float:
    """Return -1 to 1: evidence that the user took up ``a`` before ``b``."""
    own = [event for event in events if event.by_user and event.holder == SELF]
    vote = 0.0
    # One sentence that leaves one for the other says the order outright.
    for left in (event for event in own if event.stance.kind == "left"):
        for new in (event for event in own if event.stance.kind == "held"):
            if (left.message, left.sentence) == (new.message, new.sentence) and {left.option, new.option} == {a, b}:
                vote += 2.0 if left.option == a else -2.0
    first = [_first_held(option, own) for option in (a, b)]
    last = [_last_held(option, own) for option in (a, b)]
    if first[0] is not None and first[1] is not None and first[0] != first[1]:
        vote += 1.0 if first[0] < first[1] else -1.0
    elif (first[0] is None) != (first[1] is None):
        # Only one was ever plainly taken up; the other may at least have been named or left at some time.
        named = [min((e.message for e in own if e.option == option), default=None) for option in (a, b)]
        if named[0] is not None and named[1] is not None and named[0] != named[1]:
            vote += 0.5 if named[0] < named[1] else -0.5
    if last[0] is not None and last[1] is not None and last[0] != last[1]:
        vote += 0.5 if last[0] < last[1] else -0.5
    left_a, left_b = (any(e.stance.kind == "left" for e in own if e.option == option) for option in (a, b))
    if left_a != left_b:
        vote += 0.5 if left_a else -0.5
    return max(-1.0, min(1.0, vote / 2.0))


def _first_held(option: int, events: Sequence[Event]) -> tuple[int, int, int] | None:
    held = [(e.message, e.sentence, e.start) for e in events if e.option == option and e.stance.kind == "held"]
    return min(held, default=None)


def _last_held(option: int, events: Sequence[Event]) -> tuple[int, int, int] | None:
    held = [(e.message, e.sentence, e.start) for e in events if e.option == option and e.stance.kind == "held"]
    return max(held, default=None)
