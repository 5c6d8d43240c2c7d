"""Where a history speaks of each option, and what it says there: events in time order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.reader.holders import SELF, holder, last_person, people_named
from lifeloom.models.builtin.reader.stance import Stance, commitment_to_antecedent, stance
from lifeloom.models.builtin.reader.text import Message, Sentence, analyse, base, content_stems
from lifeloom.tasks.choice_answer import ContextMessage

__all__ = ["Event", "History", "Terms", "discriminating_terms", "gather"]

_MIN_COVERAGE = 0.55
_MAX_GAP = 3  # words that may stand between two words of an option


@dataclass(frozen=True, slots=True)
class History:
    """The shown messages, analysed."""

    messages: tuple[Message, ...]
    by_user: tuple[bool, ...]
    names: frozenset[str]
    """Lower-case names of people."""

    @classmethod
    def of(cls, context: Sequence[ContextMessage]) -> History:
        """Return the analysis of ``context``, oldest message first."""
        messages = tuple(analyse(message.text) for message in context)
        users = tuple(message.role == "user" for message in context)
        spoken = (message for message, user in zip(messages, users, strict=True) if user)
        return cls(messages, users, people_named(spoken))

    def idf(self, stem: str) -> float:
        """Return the inverse document frequency of ``stem`` over messages; 0 when it does not occur."""
        frequency = sum(stem in message.stem_set for message in self.messages)
        return math.log(1 + len(self.messages) / frequency) if frequency else 0.0


@dataclass(frozen=True, slots=True)
class Terms:
    """Weighted stems that tell one option from the others."""

    weights: dict[str, float]
    total: float


@dataclass(frozen=True, slots=True)
class Event:
    """One thing said about one option."""

    option: int
    message: int
    sentence: int
    start: int
    stance: Stance
    holder: str
    by_user: bool
    coverage: float
    """How much of what makes the option out is named, 0 to 1."""


def discriminating_terms(options: Sequence[str], history: History) -> tuple[Terms, ...]:
    """Return the terms of each option: a stem weighs more the fewer options and messages have it."""
    stems = [dict.fromkeys(content_stems(option)) for option in options]
    count = len(options)
    in_options = {stem: sum(stem in other for other in stems) for own in stems for stem in own}
    idf = {stem: history.idf(stem) for stem in in_options}
    terms = []
    for own in stems:
        weights = {}
        total = 0.0
        for stem in own:
            shared = math.log((count + 1) / in_options[stem]) - math.log((count + 1) / count)
            if shared <= 0:
                continue
            if idf[stem]:
                weights[stem] = shared * idf[stem]
                total += weights[stem]
            else:
                total += 0.3 * shared  # never said: it takes a little from what the other words can prove
        terms.append(Terms(weights, total))
    return tuple(terms)


def _spans(sentence: Sentence, terms: Terms) -> list[tuple[int, int, float]]:
    """Return (start, end, coverage) of each place of ``sentence`` that names enough of an option."""
    hits = [i for i, stem in enumerate(sentence.stems) if stem and stem in terms.weights]
    if not hits:
        return []
    present = {sentence.stems[i] for i in hits}
    if sum(terms.weights[stem] for stem in sorted(present)) < _MIN_COVERAGE * terms.total:
        return []
    rarest = max(sorted(present), key=lambda stem: terms.weights[stem])
    spans = []
    for anchor in (i for i in hits if sentence.stems[i] == rarest):
        # Around its rarest word the option's other words are taken where they stand nearest.
        group = [anchor]
        for stem in sorted(present - {rarest}):
            nearest = min((i for i in hits if sentence.stems[i] == stem), key=lambda i: (abs(i - anchor), i))
            if abs(nearest - anchor) <= _MAX_GAP + len(present):
                group.append(nearest)
        coverage = sum(terms.weights[sentence.stems[i]] for i in group) / terms.total
        if coverage >= _MIN_COVERAGE:
            spans.append((min(group), max(group) + 1, coverage))
    return spans


def gather(history: History, terms: Sequence[Terms]) -> list[Event]:
    """Return what is said about each option, in the order said."""
    wanted = frozenset(stem for option in terms for stem in option.weights)
    events: list[Event] = []
    previous_user: list[Event] = []  # what the user's last message named
    for number, message in enumerate(history.messages):
        user = history.by_user[number]
        here: list[Event] = []
        if not message.stem_set.isdisjoint(wanted):
            here = _in_message(history, number, terms, wanted)
        if user:
            here.extend(_pointing_back(history, number, here, previous_user))
            previous_user = [event for event in here if event.holder == SELF] or [
                event for event in previous_user if number - event.message <= 2 and not here
            ]
        events.extend(here)
    return events


def _in_message(history: History, number: int, terms: Sequence[Terms], wanted: frozenset[str]) -> list[Event]:
    message, user = history.messages[number], history.by_user[number]
    found: list[Event] = []
    carried = SELF
    for position, sentence in enumerate(message.sentences):
        if not sentence.stem_set.isdisjoint(wanted):
            following = message.sentences[position + 1] if position + 1 < len(message.sentences) else None
            places = [
                (start, end, coverage, option)
                for option, own in enumerate(terms)
                for start, end, coverage in _spans(sentence, own)
            ]
            for start, end, coverage, option in sorted(places):
                if _overshadowed(places, start, end, coverage, option):
                    continue
                who = holder(sentence, start, end, history.names, carried) if user else SELF
                if who == SELF and user and following is not None and _is_about_another(sentence, following):
                    who = "they"
                said = stance(sentence, start, end, following)
                found.append(Event(option, number, position, start, said, who, user, coverage))
        carried = last_person(sentence, history.names, carried)
    return found


def _is_about_another(sentence: Sentence, following: Sentence) -> bool:
    """Whether a sentence without "I" or "my" is taken up with "she": "Oysters again. She loves them."."""
    speaks = any(base(word) in ("i", "we", "me", "my", "mine", "our", "us") for word in sentence.words)
    return not speaks and base(following.words[0]) in ("she", "he", "they")


def _overshadowed(
    places: list[tuple[int, int, float, int]], start: int, end: int, coverage: float, option: int
) -> bool:
    """Whether another option is named more fully by the same words."""
    return any(
        other != option and other_start < end and start < other_end and other_coverage > coverage + 0.15
        for other_start, other_end, other_coverage, other in places
    )


def _pointing_back(history: History, number: int, here: Sequence[Event], previous_user: Sequence[Event]) -> list[Event]:
    """Return events for "that one it is": what the message before, or the sentence before, named."""
    found: list[Event] = []
    for position, sentence in enumerate(history.messages[number].sentences):
        if any(event.sentence == position for event in here):
            continue
        degree = commitment_to_antecedent(sentence)
        if not degree:
            continue
        earlier = [event for event in here if event.sentence == position - 1 and event.holder == SELF]
        if not earlier and not any(event.sentence < position for event in here):
            last = max((event.message for event in previous_user), default=-1)
            earlier = [event for event in previous_user if event.message == last]
        open_ones = [event for event in earlier if event.stance.kind == "tentative"] or [
            event for event in earlier if event.stance.kind == "held"
        ]
        if len({event.option for event in open_ones}) != 1:
            continue
        option = open_ones[-1].option
        kind = Stance("held", degree) if degree > 0 else Stance("left", -degree)
        found.append(Event(option, number, position, 0, kind, SELF, True, open_ones[-1].coverage))
    return found
