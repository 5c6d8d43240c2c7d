"""Questions whose options are the same things in different orders: compared with the order of the evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from lifeloom.models.builtin.reader.album import Shown
from lifeloom.models.builtin.reader.english import lexicon
from lifeloom.models.builtin.reader.evidence import Event, History, Terms, gather
from lifeloom.models.builtin.reader.holders import SELF
from lifeloom.models.builtin.reader.text import content_stems, stem
from lifeloom.models.protocol import TextEncoder

__all__ = ["common_items", "order_scores"]

_SENTENCES = 12  # of a message that are compared with the question
_AS_GOOD = 0.8  # share of the best relevance from which a picture counts too
# Words that say how one thing follows another, not what the things are.
_SEQUENCE = frozenset(
    stem(word)
    for word in lexicon(
        """
        first second third fourth last next final finally later earlier initially eventually afterwards start
        started begin began end ended finish move moved switch switched turn turned shift change follow
        followed following come came take took pick picked try tried drop dropped interest interests hobby
        pastime phase replace replaced lead led order
        beginning end present latest recent recently today nowadays currently followed afterward between went ended
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


def order_scores(
    history: History, query: str, options: Sequence[str], encoder: TextEncoder | None
) -> tuple[float, ...] | None:
    """Return, an option, how far its order agrees with the history (-1 to 1), or None when it is no order question."""
    common = common_items(options)
    if common is None:
        return None
    items, orders = common
    seen = _seen_order(history, query, items, encoder)
    if seen is not None:
        return _agreement(orders, seen)
    terms = []
    for item in items:
        weights = {s: idf for s in item if (idf := history.idf(s))}
        terms.append(Terms(weights, sum(weights.values()) or 1.0))
    events = gather(history, terms)
    votes = {(a, b): _before(a, b, events) for a, b in combinations(range(len(items)), 2)}  # > 0: a came before b
    return _agreement(orders, votes)


def _agreement(orders: Sequence[Sequence[int]], votes: Mapping[tuple[int, int], float]) -> tuple[float, ...]:
    scores = []
    for order in orders:
        rank = {item: place for place, item in enumerate(order)}
        agreement = sum(vote if rank[a] < rank[b] else -vote for (a, b), vote in votes.items())
        scores.append(agreement / max(1, len(votes)))
    return tuple(scores)


def _seen_order(
    history: History, query: str, items: Sequence[tuple[str, ...]], encoder: TextEncoder | None
) -> dict[tuple[int, int], float] | None:
    """Return how surely each item came before another where the items are people whom pictures show; None elsewhere.

    Only pictures count whose message speaks of what is asked, not those that no more than introduce somebody.
    """
    found: list[tuple[int, Shown]] = []
    for row in history.shown:
        for picture in row:
            if picture.introduces or picture.pointing is None:
                continue
            there = [i for i, item in enumerate(items) if any(stem(name) in item for name in picture.people if name)]
            found.extend((item, picture) for item in there)
    if len({item for item, _ in found}) < 2:
        return None
    relevance = _about_asked(history, query, [picture for _, picture in found], encoder)
    best: dict[int, float] = {}
    for (item, _), value in zip(found, relevance, strict=True):
        best[item] = max(best.get(item, 0.0), value)
    first: dict[int, float] = {}
    for item, most in best.items():
        own = [(picture, value) for (i, picture), value in zip(found, relevance, strict=True) if i == item]
        kept = [(picture.message, value) for picture, value in own if value >= _AS_GOOD * most]
        first[item] = sum(message * value for message, value in kept) / max(sum(value for _, value in kept), 1e-9)
    top = max(best.values())
    votes = {}
    for a, b in combinations(range(len(items)), 2):
        if a in first and b in first and first[a] != first[b]:
            surely = min(best[a], best[b]) / max(top, 1e-9)
            votes[a, b] = surely if first[a] < first[b] else -surely
        else:
            votes[a, b] = 0.0
    return votes


def _about_asked(history: History, query: str, pictures: Sequence[Shown], encoder: TextEncoder | None) -> list[float]:
    """Return how much the message of each picture is about what is asked, 0 to about 1."""
    weights = {s: history.idf_said(s) for s in dict.fromkeys(content_stems(query))}
    total = sum(weights.values()) or 1.0
    values = []
    for picture in pictures:
        message = history.messages[picture.message]
        said = sum(weight for s, weight in weights.items() if s in message.stem_set) / total
        if encoder is not None:
            near = [sentence.text for sentence in message.sentences if not sentence.is_question][:_SENTENCES]
            vectors = encoder.encode([query, *near])
            said += max((max(0.0, float(value)) for value in vectors[1:] @ vectors[0]), default=0.0)
        pointing = picture.pointing
        values.append(said * (0.6 if pointing is not None and pointing.shows_only else 1.0) / len(picture.people))
    return values


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
