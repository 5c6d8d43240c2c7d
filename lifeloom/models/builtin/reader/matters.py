"""Which pictures are about the matter that is asked about, where no word names an option.

People come back to one matter in the same words ("my dream prize"), and the options of a question are things that came
up in one matter. So the words that pictures of several options have in common tell the matter.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.reader.evidence import Event, History
from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.models.protocol import TextEncoder

__all__ = ["ShownTopics", "shown_topics"]

_ELSEWHERE = 0.3  # how much pictures of other matters count
_FOLLOWS = 12  # messages within which "here is the right one" still speaks of the matter


@dataclass(frozen=True, slots=True)
class ShownTopics:
    """How much what is shown is about what is asked, 0 to 1."""

    by_event: Mapping[int, float]
    """By number of the event; those that words name are not in it."""
    said: float
    """How much words that happen to name an option count beside the pictures, 0 to 1."""


def shown_topics(history: History, query: str, events: Sequence[Event], encoder: TextEncoder | None) -> ShownTopics:
    """Return how much each event that a picture shows is about what ``query`` asks."""
    pointed = {
        i: event.picture.pointing.text
        for i, event in enumerate(events)
        if event.picture is not None and event.picture.pointing is not None
    }
    if not pointed:
        return ShownTopics({}, 1.0)
    near = _near(history, query, list(dict.fromkeys(pointed.values())), encoder)
    best = max(near.values())
    topics = {i: (near[text] / best if best > 0 else 1.0) ** 2 for i, text in pointed.items()}
    keys = {text: _keys(text) for text in near}
    everywhere = [
        _keys(picture.pointing.text) for row in history.shown for picture in row if picture.pointing is not None
    ]
    matter, options = _matter(events, pointed, keys, near, everywhere)
    if matter is None:
        return ShownTopics(topics, 1.0)
    last = -_FOLLOWS - 1
    for i, text in pointed.items():
        event = events[i]
        pointing = event.picture.pointing if event.picture is not None else None
        about = matter in keys[text]
        if about:
            last = event.message
        follows = pointing is not None and pointing.replaces and event.message - last <= _FOLLOWS
        topics[i] = 1.0 if about else 0.9 if follows else _ELSEWHERE * topics[i]
    return ShownTopics(topics, 0.5 if options == 2 else 0.25)


def _near(history: History, query: str, texts: Sequence[str], encoder: TextEncoder | None) -> dict[str, float]:
    """Return how near each text is to ``query``, by words and by meaning."""
    weights = {stem: history.idf_said(stem) for stem in sorted(set(content_stems(query)))}
    total = sum(weights.values()) or 1.0
    values = {
        text: sum(weight for stem, weight in weights.items() if stem in set(content_stems(text))) / total
        for text in texts
    }
    if encoder is not None:
        vectors = encoder.encode([query, *texts])
        for text, close in zip(texts, vectors[1:] @ vectors[0], strict=True):
            values[text] += max(0.0, float(close))
    return values


def _keys(text: str) -> frozenset[tuple[str, ...]]:
    """Return what may name a matter in ``text``: its content words, alone and with the next one."""
    stems = content_stems(text)
    return frozenset([*((stem,) for stem in stems), *itertools.pairwise(stems)])


def _matter(
    events: Sequence[Event],
    pointed: Mapping[int, str],
    keys: Mapping[str, frozenset[tuple[str, ...]]],
    near: Mapping[str, float],
    everywhere: Sequence[frozenset[tuple[str, ...]]],
) -> tuple[tuple[str, ...] | None, int]:
    """Return the words that pictures of most options have in common, and how many options these are."""
    options: dict[tuple[str, ...], set[int]] = {}
    closeness: dict[tuple[str, ...], float] = {}
    for i, text in pointed.items():
        for key in keys[text]:
            options.setdefault(key, set()).add(events[i].option)
            closeness[key] = max(closeness.get(key, 0.0), near[text])
    best: tuple[float, tuple[str, ...]] | None = None
    for key in sorted(options):
        count = len(options[key])
        if count < 2:
            continue
        spread = sum(key in other for other in everywhere) / len(everywhere)
        value = count * (1.0 - spread) ** 2 + closeness[key] + 0.5 * (len(key) - 1)
        if best is None or value > best[0]:
            best = (value, key)
    return (None, 0) if best is None else (best[1], len(options[best[1]]))
