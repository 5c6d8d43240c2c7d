"""Questions about a picture that was shown: which picture is meant, and which option it bears out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from lifeloom.models.builtin.reader.album import Shown
from lifeloom.models.builtin.reader.evidence import History
from lifeloom.models.builtin.reader.looking import looks, time_words
from lifeloom.models.builtin.reader.relations import relation_scores, relations_of
from lifeloom.models.builtin.reader.text import base, content_stems, stem, words_of
from lifeloom.models.protocol import TextEncoder

__all__ = ["asks_about_picture", "visual_scores"]

_PICTURE_WORDS: Final = r"(?:picture|photo|photograph|snap|snapshot|shot|image|pic|selfie|portrait)s?"
_ASKS: Final = re.compile(
    rf"\b{_PICTURE_WORDS}\b|\b(?:i|you|we|me) (?:[\w']+ )?(?:showed|shown|sent|shared|saw)\b|\bshow(?:ed|n)? you\b",
    re.IGNORECASE,
)
_PICTURE_STEMS: Final = frozenset(
    content_stems(
        "picture photo photograph snap snapshot shot image pic selfie portrait show showed shown sent send shared saw "
        "see seen look looked took taken remember recall there camera visible colour color number kind sort which "
        "person people place thing animal object standing appear appears describe"
    )
)
_NUMBERS: Final = {
    word: number
    for number, words in enumerate(
        (
            "no none zero 0", "one 1 single", "two 2 pair couple", "three 3", "four 4", "five 5", "six 6", "seven 7",
            "eight 8", "nine 9", "ten 10", "eleven 11", "twelve 12",
        )
    )
    for word in words.split()
}  # fmt: skip
_COLOURS: Final = {
    "red": (220, 40, 40), "orange": (240, 140, 30), "yellow": (240, 215, 50), "green": (60, 160, 70),
    "blue": (50, 110, 210), "purple": (130, 70, 170), "pink": (240, 140, 185), "black": (35, 35, 35),
    "white": (250, 250, 250), "grey": (128, 128, 128), "gray": (128, 128, 128), "brown": (130, 85, 50),
    "violet": (130, 70, 170), "turquoise": (60, 190, 190), "beige": (225, 205, 170), "gold": (215, 170, 50),
    "navy": (30, 40, 100), "crimson": (190, 20, 50), "scarlet": (230, 40, 30),
}  # fmt: skip
_TELLING = 0.6  # share of the best picture's relevance that others must stay under to leave it alone


def asks_about_picture(query: str) -> bool:
    """Whether ``query`` asks about a picture."""
    return bool(_ASKS.search(query))


def visual_scores(
    history: History, query: str, options: Sequence[str], encoder: TextEncoder | None
) -> tuple[float, ...] | None:
    """Return a score an option, about -1 to 1, from the picture that ``query`` means; None when it means none."""
    if not asks_about_picture(query):
        return None
    pictures = [picture for row in history.shown for picture in row]
    if not pictures:
        return None
    if relations_of(options) is not None and any(base(word.lower()) in history.names for word in words_of(query)):
        return None  # asked about by name: what is said of them tells
    relevance = _relevance(history, pictures, query, encoder)
    best = max(relevance)
    if best <= 0:
        return None
    meant = [i for i in range(len(pictures)) if relevance[i] >= _TELLING * best]
    total = np.zeros(len(options))
    weight = 0.0
    for i in sorted(meant, key=lambda i: -relevance[i])[:3]:
        share = (relevance[i] / best) ** 4
        scores = _from_picture(history, pictures[i], query, options)
        if scores is None:
            return None
        total += share * np.array(scores)
        weight += share
    return tuple(float(value) for value in total / weight)


def _relevance(history: History, pictures: Sequence[Shown], query: str, encoder: TextEncoder | None) -> list[float]:
    """Return how far the message of each picture is the one that ``query`` speaks of, 0 to about 1."""
    wanted = [s for s in dict.fromkeys(content_stems(query)) if s not in _PICTURE_STEMS]
    weights = {s: history.idf_said(s) for s in wanted}
    weights = {s: weight for s, weight in weights.items() if weight}
    total = sum(weights.values())
    order = [s for s in content_stems(query) if s in weights]
    pairs = list(itertools.pairwise(order))
    lexical = []
    for picture in pictures:
        message = history.messages[picture.message]
        said = sum(weight for s, weight in weights.items() if s in message.stem_set) / total if total else 0.0
        stems = [s for sentence in message.sentences for s in sentence.stems if s]
        together = set(itertools.pairwise(stems))
        if pairs:
            said += 0.3 * sum(pair in together for pair in pairs) / len(pairs)
        # A message that only shows is likelier meant than one that makes a statement or introduces somebody.
        if picture.introduces:
            said *= 0.8
        lexical.append(said)
    if encoder is None:
        return lexical
    texts = [
        " ".join(sentence.text for sentence in history.messages[picture.message].sentences)[:300]
        for picture in pictures
    ]
    vectors = encoder.encode([query, *texts])
    near = vectors[1:] @ vectors[0]
    return [said + 0.35 * max(0.0, float(close)) for said, close in zip(lexical, near, strict=True)]


def _from_picture(history: History, picture: Shown, query: str, options: Sequence[str]) -> list[float] | None:
    if relations_of(options) is not None:
        return _by_relation(history, picture, query, options)
    named = [_names_in(option, history, picture) for option in options]
    if _tells_apart(named):
        return [_people_score(names, picture) for names in named]
    colours = [_colours_in(option) for option in options]
    if _tells_apart(colours):
        return [_colour_score(own, picture, query, option) for own, option in zip(colours, options, strict=True)]
    numbers = [_number_in(option) for option in options]
    if len(set(numbers)) > 1 and all(number is not None for number in numbers):
        counts = [_count(picture, query, option) for option in options]
        return [
            1.0 - min(2.0, abs(number - count) * 0.9) if number is not None else 0.0
            for number, count in zip(numbers, counts, strict=True)
        ]
    return _by_words(picture, options)


def _tells_apart(found: Sequence[Sequence[str]]) -> bool:
    return all(found) and len({tuple(own) for own in found}) > 1


def _by_relation(history: History, picture: Shown, query: str, options: Sequence[str]) -> list[float] | None:
    """Answer who the person in the picture is to the user, by name and what is said of that name."""
    named = [name for name in picture.people if name]
    likely = named or sorted(picture.likeness, key=lambda name: -picture.likeness[name])[:1]
    total = np.zeros(len(options))
    for name in likely:
        scores = relation_scores(history, name, options)
        if scores is not None:
            total += np.array(scores)
    return [float(value) for value in total] if likely else None


def _names_in(option: str, history: History, picture: Shown) -> list[str]:
    words = [base(word.lower()) for word in words_of(option)]
    return [word for word in dict.fromkeys(words) if word in picture.likeness or word in history.names]


def _people_score(names: Sequence[str], picture: Shown) -> float:
    """Return how far all of ``names``, and nobody else, are in the picture."""
    if not names:
        return 0.0
    there = sum(1.0 if name in picture.people else 0.5 * max(0.0, picture.likeness.get(name, 0.0)) for name in names)
    missed = sum(1 for name in picture.people if name and name not in names)
    return there / len(names) - (0.15 * missed if len(names) > 1 else 0.0)


def _colours_in(text: str) -> list[str]:
    return [word for word in (base(w.lower()) for w in words_of(text)) if word in _COLOURS]


def _colour_score(colours: Sequence[str], picture: Shown, query: str, option: str) -> float:
    """Return how far something that query or option names has one of ``colours``."""
    asked = frozenset(content_stems(f"{query} {option}"))
    things = [thing for thing in picture.looked.sight.things if not looks(thing.name).isdisjoint(asked)]
    pool = things or list(picture.looked.sight.things)
    best = 0.0
    for thing in pool:
        for colour in colours:
            best = max(best, _alike(colour, thing.colour))
    return best if things else 0.6 * best


def _alike(first: str, second: str) -> float:
    if first == second:
        return 1.0
    if first not in _COLOURS or second not in _COLOURS:
        return 0.0
    distance = float(np.linalg.norm(np.subtract(_COLOURS[first], _COLOURS[second])))
    return max(0.0, 0.5 - distance / 400)


def _number_in(text: str) -> int | None:
    for word in words_of(text):
        lowered = word.lower()
        if lowered in _NUMBERS:
            return _NUMBERS[lowered]
        if lowered.isdecimal() and len(lowered) < 4:
            return int(lowered)
    return None


def _count(picture: Shown, query: str, option: str) -> int:
    """Return how many of what query and option name there are."""
    asked = frozenset(content_stems(f"{query} {option}"))
    things = picture.looked.sight.things
    named = sorted({thing.name for thing in things if not looks(thing.name).isdisjoint(asked)})
    if named:
        return max(picture.looked.count_of(name) for name in named)
    words = {base(word.lower()) for word in words_of(query)}
    if words & {"people", "persons", "friends", "faces"}:
        return len(picture.people)
    if words & {"animals"}:
        return sum(thing.kind == "animal" for thing in things)
    return max((picture.looked.count_of(thing.name) for thing in things), default=0)


def _by_words(picture: Shown, options: Sequence[str]) -> list[float]:
    """Return how far the words that tell the options apart fit what is seen."""
    stems = [frozenset(content_stems(option)) for option in options]
    common = frozenset.intersection(*stems)
    seen = picture.stems | time_words(picture.looked.sight)
    exact = set()
    for thing in picture.looked.sight.things:
        exact |= set(content_stems(thing.name))
    exact |= set(content_stems(picture.looked.sight.place)) | {stem(name) for name in picture.people if name}
    scores = []
    for own in stems:
        telling = own - common or own
        if not telling:
            scores.append(0.0)
            continue
        hits = sum(1.0 if s in exact else 0.8 if s in seen else 0.0 for s in telling)
        scores.append(min(1.0, hits / len(telling) + (0.3 if hits else 0.0)))
    return scores
