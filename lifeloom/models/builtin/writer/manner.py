"""The user's manner of speaking: Big Five scores as small habits of speech.

Each trait has habits for a high and for a low score (``data/manner.toml``). The chance of each grows
with the distance of the score from the neutral 3 (PersonaVLM Section 3.1 scores from 1 to 5), so at 3
a trait does not show. Habits add sentences around the message or change the full stop of a sentence
that carries no fact; what is stated is never touched. A message has one habit in each place at most, and
habits whose moods clash (a blunt one and an anxious one) never stand in one message.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from lifeloom.models.builtin.writer.spin import Wording, parse_wordings, take
from lifeloom.models.builtin.writer.wordings import load, words
from lifeloom.records import TRAITS, Edition
from lifeloom.tasks.persona_enrichment import TraitScores

__all__ = [
    "PLACES",
    "POLES",
    "Place",
    "Pole",
    "Sentence",
    "clashing_moods",
    "devices",
    "moods_of",
    "speak",
    "talkativeness",
]

Place = Literal["open", "aside", "close"]
Pole = Literal["high", "low"]
PLACES: tuple[Place, ...] = get_args(Place)
POLES: tuple[Pole, ...] = get_args(Pole)

_CHANCES = (0.8, 0.4)
"""Chance of a first and of a second habit of a trait at score 1 or 5."""
_EXCLAIM = 0.6
"""Chance, at extraversion 5, that a sentence without a fact ends in an exclamation mark."""
_WORDS_A_POINT = 6
"""Words that a message grows or shrinks by for each point of extraversion."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of a message in its place."""

    text: str
    free: bool = True
    """Carries no fact, so its full stop may change."""
    bound: bool = False
    """Refers to the message before, so nothing is put in front of it."""


@functools.cache
def devices(trait: str, pole: Pole, place: Place) -> tuple[Wording, ...]:
    """Return the habits of speech of one pole of a trait for one place of the message."""
    return parse_wordings(tuple(load("manner")[trait][pole][place]))


@functools.cache
def moods_of(trait: str, pole: Pole, source: str = "") -> frozenset[str]:
    """Return the moods of all habits of a pole and, if ``source`` is given, those of this habit besides."""
    moods = load("manner")["moods"]
    whole = moods["poles"].get(f"{trait}.{pole}")
    single = [name for name, habits in moods["habits"].items() if source in habits]
    return frozenset([*([whole] if whole else []), *single])


@functools.cache
def clashing_moods(moods: frozenset[str]) -> frozenset[str]:
    """Return the moods that cannot stand beside any of ``moods``."""
    pairs = load("manner")["moods"]["clashes"]
    return frozenset(other for pair in pairs for mood, other in (pair, pair[::-1]) if mood in moods)


def talkativeness(traits: TraitScores) -> int:
    """Return how many words a message grows (or shrinks, below 0) by for the user's extraversion."""
    return round((traits.extraversion - 3) * _WORDS_A_POINT)


def speak(
    message: Sequence[Sentence],
    traits: TraitScores,
    edition: Edition,
    rng: random.Random,
    *,
    room: int,
    used: set[Hashable],
    avoid: Sequence[str] = (),
    greeting: str = "",
) -> str:
    """Return ``message`` as this user says it.

    Args:
        message: The sentences in their order.
        traits: Scores from 1 to 5.
        edition: Which habits may be used.
        rng: Where the choices come from.
        room: Words that may be added at most.
        used: Habits used in this session; those chosen are added.
        avoid: Lower-case texts that no habit should contain.
        greeting: Comes first, before any habit.
    """
    added: dict[Place, str] = {}
    moods: frozenset[str] = frozenset()
    bound = bool(message) and message[0].bound
    order = list(TRAITS)
    rng.shuffle(order)
    # Second habits come after the first ones of all traits, so that no trait crowds out the others.
    for chance, trait in itertools.product(_CHANCES, order):
        distance = getattr(traits, trait) - 3
        pole: Pole = "high" if distance > 0 else "low"
        # The draw is made at every score, so that a higher score only ever adds.
        if rng.random() >= chance * abs(distance) / 2:
            continue
        clashing = clashing_moods(moods)
        free = [
            place
            for place in PLACES
            if place not in added and not (place == "open" and bound) and not (place == "aside" and len(message) < 2)
        ]
        if not free or moods_of(trait, pole) & clashing:
            continue
        place = rng.choice(free)
        unfit = _habits_of(clashing)
        habit = take(devices(trait, pole, place), edition, rng, used, (*avoid, *unfit))
        text = habit.say(rng)
        if words(text) <= room and not moods_of(trait, pole, habit.source) & clashing:
            added[place] = text
            moods |= moods_of(trait, pole, habit.source)
            room -= words(text)
    body = _exclaim(message, traits.extraversion, rng)
    if "aside" in added:
        body.insert(rng.randint(1, max(1, len(body) - 1)), added["aside"])
    return " ".join(text for text in (greeting, added.get("open"), *body, added.get("close")) if text)


@functools.cache
def _habits_of(moods: frozenset[str]) -> tuple[str, ...]:
    """Return in lower case the single habits of ``moods``."""
    habits = load("manner")["moods"]["habits"]
    return tuple(habit.lower() for mood in sorted(moods & habits.keys()) for habit in habits[mood])


def _exclaim(message: Sequence[Sentence], extraversion: float, rng: random.Random) -> list[str]:
    texts = []
    for sentence in message:
        text = sentence.text
        lively = rng.random() < _EXCLAIM * (extraversion - 3) / 2
        texts.append(text[:-1] + "!" if lively and sentence.free and text.endswith(".") else text)
    return texts
