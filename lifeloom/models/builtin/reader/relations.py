"""Questions about who somebody is to the user: the name and a word for people, linked in a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.english import PEOPLE, STOPWORDS
from lifeloom.models.builtin.reader.evidence import History
from lifeloom.models.builtin.reader.holders import person_key
from lifeloom.models.builtin.reader.stance import stance
from lifeloom.models.builtin.reader.text import Sentence, base, stem, words_of

__all__ = ["relation_scores", "relations_of"]

_PRONOUNS: Final = frozenset({"he", "she", "they", "his", "her", "their", "him", "them"})
_FILL = r"(?:[\w']+ ){0,3}"
# What a description says somebody is.
_DESCRIPTIONS: Final = tuple(
    (relation, re.compile(pattern))
    for relation, pattern in (
        ("aunt", r"\bmy (?:mother|father|mum|mom|dad|parent)'?s? (?:\w+ )?sister\b"),
        ("uncle", r"\bmy (?:mother|father|mum|mom|dad|parent)'?s? (?:\w+ )?brother\b"),
        ("nephew", r"\bmy (?:sister|brother|sibling)'?s? (?:\w+ )?(?:son|boy)\b"),
        ("niece", r"\bmy (?:sister|brother|sibling)'?s? (?:\w+ )?(?:daughter|girl)\b"),
        ("cousin", r"\bmy (?:aunt|uncle|auntie)'?s? (?:\w+ )?(?:son|daughter|boy|girl|kid|child)\b"),
        ("grandmother", r"\bmy (?:mother|father|mum|mom|dad)'?s (?:mother|mum|mom)\b"),
        ("grandfather", r"\bmy (?:mother|father|mum|mom|dad)'?s (?:father|dad)\b"),
        ("neighbour", rf"\b(?:lives?|moved in|living) {_FILL}(?:next door|across the (?:hall|street|road|"
                      rf"landing)|upstairs|"
                      r"downstairs|two doors|above me|below me)|\b(?:from|lives?) next door\b"),
        ("colleague", r"\b(?:works? (?:with me|alongside me)|we work together|(?:shares?|sharing) (?:my|an|"
                      r"the) office|"
                      r"desk next to mine|next desk|from (?:work|the office|my team)|on my team)\b"),
        ("flatmate", r"\b(?:shares? (?:the|my|a) (?:flat|apartment|house)|we share (?:a|the) (?:flat|apartment|"
                     r"house)|"
                     r"rents? the other room)\b"),
        ("classmate", r"\b(?:(?:same|my) class\b|we (?:were|went) (?:at|to) (?:the same )?(?:school|university|"
                      r"college))"),
        ("teacher", r"\b(?:teaches me|gives me lessons|taught me)\b"),
        ("coach", r"\b(?:coaches me|trains me)\b"),
        ("boss", r"\b(?:i report to|reports? i hand|runs my (?:team|department)|signs off my)\b"),
        ("landlord", r"\b(?:owns my (?:flat|apartment|house)|i rent (?:my|the) \w+ from|collects (?:my|the) rent)\b"),
        ("doctor", r"\b(?:my check ?ups?|treats me|prescribed me)\b"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Link:
    """A relation word or description tied to the name: how tightly, and whether it is affirmed."""

    option: int
    order: tuple[int, int, int]
    strength: float
    affirmed: bool


def relation_scores(history: History, query: str, options: Sequence[str]) -> tuple[float, ...] | None:
    """Return a score an option for "who is NAME to me", or None when the question is of another kind."""
    relations = relations_of(options)
    name = _name_in(query, history)
    if relations is None or not name:
        return None
    links: list[_Link] = []
    for number, message in enumerate(history.messages):
        if not history.by_user[number] or stem(name) not in message.stem_set:
            continue
        recent = -9
        for position, sentence in enumerate(message.sentences):
            named = [i for i, word in enumerate(sentence.words) if base(word) == name]
            if named:
                recent = position
                links.extend(_links(sentence, named, relations, (number, position), message.sentences, name, 1.0))
            elif position - recent <= 2 and recent >= 0 and _continues(sentence, history.names):
                points = [i for i, word in enumerate(sentence.words) if base(word) in _PRONOUNS] or [0]
                links.extend(_links(sentence, points, relations, (number, position), message.sentences, name, 0.7))
    values = [0.0] * len(options)
    for link in sorted(links, key=lambda link: link.order):
        target = 1.0 if link.affirmed else -0.8
        values[link.option] += link.strength * (target - values[link.option])
        if link.affirmed and link.strength > 0.6:
            for other in range(len(options)):
                if other != link.option and values[other] > 0:
                    values[other] *= 0.6
    return tuple(values)


def relations_of(options: Sequence[str]) -> list[tuple[str, ...]] | None:
    """Return the relation keys of each option, or None when some option names none."""
    found = []
    for option in options:
        words = [base(word.lower()) for word in words_of(option)]
        keys = [person_key(word) for word in words if word in PEOPLE]
        if not keys:
            return None
        found.append(tuple(dict.fromkeys(keys)))
    common = set(found[0]).intersection(*found[1:])
    told_apart = [tuple(key for key in keys if key not in common) for keys in found]
    if all(told_apart):
        return told_apart
    return None if len(set(found)) < 2 else [keys or found[i] for i, keys in enumerate(told_apart)]


def _name_in(query: str, history: History) -> str:
    words = words_of(query)
    lowered = [base(word.lower()) for word in words]
    known = [word for word in lowered if word in history.names]
    if known:
        return known[0]
    capital = [
        base(word.lower())
        for i, word in enumerate(words)
        if i
        and word[0].isupper()
        and len(word) > 1
        and base(word.lower()) not in STOPWORDS
        and words[i - 1] not in ".?!"
    ]
    said = [word for word in capital if any(stem(word) in message.stem_set for message in history.messages)]
    return said[0] if said else ""


def _continues(sentence: Sentence, names: frozenset[str]) -> bool:
    """Whether the sentence goes on about the person named before it."""
    bases = [base(word) for word in sentence.words]
    return not any(word in names for word in bases) and any(word in _PRONOUNS | {"that's", "that"} for word in bases)


def _links(
    sentence: Sentence,
    named: Sequence[int],
    relations: Sequence[tuple[str, ...]],
    place: tuple[int, int],
    sentences: Sequence[Sentence],
    name: str,
    trust: float,
) -> list[_Link]:
    following = sentences[place[1] + 1] if place[1] + 1 < len(sentences) else None
    words = sentence.words
    links = []
    for option, keys in enumerate(relations):
        for i, word in enumerate(words):
            if person_key(word) not in keys or base(word) not in PEOPLE:
                continue
            distance = min(abs(i - at) for at in named)
            # "my brother's friend Ana": Ana is not the brother.
            if word.endswith("'s") and any(base(w) in PEOPLE for w in words[i + 1 : i + 4]):
                continue
            said = stance(sentence, i, i + 1, following)
            own = any(base(w) in ("my", "mine", "our", "me", "i") for w in words[max(0, i - 5) : i + 5])
            strength = (0.9 if distance <= 2 else 0.75 if distance <= 5 else 0.4) * trust * (1.0 if own else 0.7)
            links.append(_Link(option, (*place, i), min(0.97, strength), affirmed=said.kind not in ("denied", "left")))
        for relation, pattern in _DESCRIPTIONS:
            if relation in keys and (match := pattern.search(" ".join(words))):
                links.append(_Link(option, (*place, match.start()), 0.75 * trust, affirmed=True))
    return links
