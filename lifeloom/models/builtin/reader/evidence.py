"""Where a history speaks of each option, and what it says there: events in time order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.reader.album import Shown, shown_pictures
from lifeloom.models.builtin.reader.holders import SELF, holder, last_person, people_named
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reader.pointing import Pointing, introduced
from lifeloom.models.builtin.reader.stance import Stance, commitment_to_antecedent, stance
from lifeloom.models.builtin.reader.text import Message, Sentence, analyse, base, content_stems
from lifeloom.tasks.choice_answer import PICTURE_MARK, ContextMessage

__all__ = ["Event", "History", "Terms", "discriminating_terms", "gather"]

_MIN_COVERAGE = 0.55
_ONLY_SHOWN = 0.5  # "here's one from the lake" says little of what the picture holds
_MAX_GAP = 3  # words that may stand between two words of an option


@dataclass(frozen=True, slots=True)
class History:
    """The shown messages, analysed."""

    messages: tuple[Message, ...]
    by_user: tuple[bool, ...]
    names: frozenset[str]
    """Lower-case names of people."""
    marked: frozenset[int] = frozenset()
    """Messages that show pictures, whether the reader has these or not."""
    texts: tuple[str, ...] = ()
    """What the messages say, without marks."""
    shown: tuple[tuple[Shown, ...], ...] = ()
    """The pictures of each message; empty where the reader has none at all."""

    @classmethod
    def of(cls, context: Sequence[ContextMessage], looked: Sequence[LookedAt] = (), threshold: float = 1.0) -> History:
        """Return the analysis of ``context``, oldest message first.

        Args:
            context: the messages.
            looked: their pictures in words, in the order of their marks.
            threshold: cosine from which two faces are one person's.
        """
        texts = tuple(message.text.replace(PICTURE_MARK, " ") for message in context)
        messages = tuple(analyse(text) for text in texts)
        users = tuple(message.role == "user" for message in context)
        spoken = (message for message, user in zip(messages, users, strict=True) if user)
        names = people_named(spoken)
        marked = frozenset(i for i, message in enumerate(context) if PICTURE_MARK in message.text)
        own = [context[i].text for i in sorted(marked) if users[i]]
        names |= {name for text in own if (name := introduced(text, names))}
        shown = shown_pictures(context, looked, names, threshold) if looked else ()
        names |= {picture.introduces for row in shown for picture in row if picture.introduces}
        return cls(messages, users, names, marked, texts, shown)

    def shown_in(self, message: int) -> tuple[Shown, ...]:
        """Return the pictures of a message."""
        return self.shown[message] if self.shown else ()

    def stems_in(self, message: int) -> frozenset[str]:
        """Return the stems of what a message says and of what its pictures show."""
        stems = self.messages[message].stem_set
        return stems.union(*(picture.stems for picture in self.shown_in(message)))

    def idf(self, stem: str) -> float:
        """Return the inverse document frequency of ``stem`` over messages, pictures included; 0 when it is nowhere."""
        frequency = sum(stem in message.stem_set for message in self.messages)
        frequency += sum(
            stem not in self.messages[i].stem_set and any(stem in picture.stems for picture in pictures)
            for i, pictures in enumerate(self.shown)
            if pictures
        )
        return math.log(1 + len(self.messages) / frequency) if frequency else 0.0

    def idf_said(self, stem: str) -> float:
        """Return the same over words alone."""
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
    picture: Shown | None = None
    """The picture that shows it, where no word does."""


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
        here.extend(_in_pictures(history, number, terms))
        if user:
            if number not in history.marked:  # there "this one" is what the picture shows
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


def _in_pictures(history: History, number: int, terms: Sequence[Terms]) -> list[Event]:
    """Return what a message says of options by showing them."""
    found: list[Event] = []
    for picture in history.shown_in(number):
        said = picture.pointing
        if said is None:
            continue
        stems = _pointed_at(picture, said)
        coverages = [
            sum(weight for stem, weight in own.weights.items() if stem in stems) / own.total if own.total else 0.0
            for own in terms
        ]
        best = max(coverages, default=0.0)
        for option, coverage in enumerate(coverages):
            if coverage < _MIN_COVERAGE or coverage < best - 0.15:
                continue
            strength = said.stance.strength * (_ONLY_SHOWN if said.shows_only else 1.0)
            kind = Stance(said.stance.kind, strength)
            found.append(Event(option, number, said.sentence, 0, kind, said.holder, True, coverage, picture))
    return found


def _pointed_at(picture: Shown, said: Pointing) -> frozenset[str]:
    """Return the stems of what a message points to: the place or the people only where nothing else is there."""
    things = picture.looked.thing_stems
    if things and not said.of_place:
        return things
    return picture.stems if said.of_place or not things else things


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
