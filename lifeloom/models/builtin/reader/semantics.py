"""What statements imply without naming it: "comparing the prices of theory tests" for "learn to drive".

Phrases of what somebody does are compared with the options by sentence vectors. How near a phrase is to an option
says little by itself, so it is measured against the conversation's other phrases and against the other options; whose
it is and whether it still holds is read from the words around it, as for things that are named.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.reader.english import PEOPLE, SUBJECT_PRONOUNS, lexicon
from lifeloom.models.builtin.reader.evidence import History
from lifeloom.models.builtin.reader.holders import SELF, holder, last_person
from lifeloom.models.builtin.reader.stance import StanceKind, stance
from lifeloom.models.builtin.reader.text import Sentence, analyse, base
from lifeloom.models.protocol import TextEncoder

__all__ = ["Implied", "changes_among", "implied_scores", "phrases_of", "said_of"]

_NOT_DOING: Final = lexicon(
    """
    morning evening something nothing anything everything thing king ring spring string wedding building ceiling
    being having feeling sibling clothing during including according regarding considering concerning interesting
    boring amazing exciting annoying surprising darling bring sing swing wing sting cling fling sling pudding
    duckling stocking willing following going getting doing thinking wondering hoping saying telling asking
    """
)
# "asking the vet about ..." tells of a doing, "I was just asking" does not: these count with something behind them.
_DOING_WITH_OBJECT: Final = frozenset({"asking", "getting", "thinking", "telling", "going", "having", "doing"})
_CUTS: Final = frozenset({".", ";", ":", "!", "?", "(", ")", "—", "–", "--", "…", "...", '"'})
_CUT_WORDS: Final = lexicon("but because while although though since unless until so whereas when if")
_PERSONS: Final = lexicon("i me my mine myself we us our he him his she her they them their")
_TWO_SIDES: Final = re.compile(
    r"\b(?:swap|trad|exchang|ditch|dropp|gave|given|giv|left|leav|switch|mov|chang|replac|instead|rather|from|over)\w*"
)
_LONGEST: Final = 240
_FEW: Final = 24  # phrases from which the usual nearness of an option can be told
_USUAL: Final = (0.08, 0.085)  # mean and deviation of the cosine of unrelated phrases
_LEAST_SPREAD: Final = 0.05
_OTHERS: Final = 1.2  # weight of what others do, against the user's own doing
_GONE: Final = 2.0
_CHANGE: Final = 2.5
_FULL: Final = 6.0  # sum of evidence that is nearly all the trust there can be


@dataclass(frozen=True, slots=True)
class Implied:
    """A phrase of a message that may imply something."""

    sentence: int
    start: int
    end: int
    text: str


@functools.lru_cache(maxsize=12_000)
def phrases_of(text: str) -> tuple[Implied, ...]:
    """Return the gerund phrases of a message that say what somebody does: "I've been comparing prices" has one."""
    found: list[Implied] = []
    for position, sentence in enumerate(analyse(text).sentences):
        starts = [i for i in range(len(sentence.words)) if _starts_doing(sentence, i)]
        before = 0
        for start in starts:
            if start < before:
                continue
            before = _end_of(sentence, start)
            if before - start >= 3 and _somebody_does(sentence, start):
                found.append(Implied(position, start, before, " ".join(sentence.surface[start:before])[:_LONGEST]))
    return tuple(found)


def _starts_doing(sentence: Sentence, i: int) -> bool:
    word = sentence.words[i]
    if len(word) < 5 or not word.endswith("ing"):
        return False
    if word in _DOING_WITH_OBJECT:
        return i + 2 < len(sentence.words) and sentence.words[i + 1] not in _CUTS | {",", "to"}
    if word in _NOT_DOING:
        return False
    previous = sentence.words[i - 1] if i else ""
    return previous not in ("a", "an", "the", "my", "this", "that", "very", "so", "too")


def _end_of(sentence: Sentence, start: int) -> int:
    """Return one past the last token of the phrase that begins at ``start``."""
    words = sentence.words
    two_sides = bool(_TWO_SIDES.search(" ".join(words)))
    for i in range(start + 1, len(words)):
        word = words[i]
        following = words[i + 1] if i + 1 < len(words) else ""
        if word in _CUTS or word in _CUT_WORDS:
            return i
        if word == "," and (base(following) in SUBJECT_PRONOUNS or following in _CUT_WORDS | _AFTER_COMMA):
            return i
        if word == "and" and (base(following) in SUBJECT_PRONOUNS or following in ("now", "then")):
            return i
        if (
            two_sides
            and word in ("to", "for", "than", "from", "of", "with", "by", "over")
            and following.endswith("ing")
        ):
            return i
        if base(word) in ("i", "we", "he", "she", "they") and i > start + 1:
            return i
    return len(words)


_AFTER_COMMA: Final = lexicon("and so which not no now these lately again instead then too though or as my")


def _somebody_does(sentence: Sentence, start: int) -> bool:
    """Whether a person stands before the phrase, or nothing does: "Comparing prices again"."""
    before = sentence.words[:start]
    if not any(word[0].isalnum() for word in before):
        return True
    return any(
        base(word) in _PERSONS or base(word) in PEOPLE or sentence.surface[i][0].isupper()
        for i, word in enumerate(before)
    )


def implied_scores(
    history: History, query: str, options: Sequence[str], about: str, encoder: TextEncoder
) -> npt.NDArray[np.float64]:
    """Return how far the user's phrases imply each option as things stand, -1 to 1, 0 where nothing points to it.

    Args:
        history: the conversation.
        query: what is asked.
        options: what may be implied.
        about: whose matter is asked about.
        encoder: makes sentence vectors.
    """
    found = [
        (number, phrase)
        for number, text in enumerate(history.texts)
        if history.by_user[number]
        for phrase in phrases_of(text)
    ]
    if not found or len(options) < 2:
        return np.zeros(len(options))
    unusual, relevance = _nearness([phrase for _, phrase in found], query, options, encoder)
    rows = [row for row in range(len(found)) if relevance[row] > 0]
    spoken = {found[row][0] for row in rows}
    said = {row: said_of(history, *pair) for row, pair in enumerate(found) if pair[0] in spoken}
    changes = changes_among(found, said, about)
    scores = np.zeros(len(options))
    for row in rows:
        kind, strength, who = said[row]
        number = found[row][0]
        if who != about:
            weight = -_OTHERS
        elif kind == "held":
            weight = strength * (1 + 0.5 * number / len(history.texts))
            if row in changes:
                weight *= _CHANGE
            else:  # what was done before a change may be what was left
                later = max((relevance[other] for other in changes if found[other][0] > number), default=0.0)
                weight *= 1 - 0.8 * later
        elif kind == "tentative":
            weight = 0.15
        else:
            weight = -_GONE * strength
        scores += relevance[row] * weight * (unusual[row] - unusual[row].mean())
    result: npt.NDArray[np.float64] = np.tanh(scores / _FULL)
    return result


def _nearness(
    phrases: Sequence[Implied], query: str, options: Sequence[str], encoder: TextEncoder
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how unusually near each phrase is to each option, and how surely it means any of them (0 to 1)."""
    count = len(options)
    vectors = encoder.encode([*options, *(phrase.text for phrase in phrases)]).astype(np.float64)
    near = vectors[count:] @ vectors[:count].T  # (phrases, options)
    if len(phrases) >= _FEW:
        middle = np.median(near, axis=0)
        spread = np.maximum(1.4826 * np.median(np.abs(near - middle), axis=0), _LEAST_SPREAD)
    else:
        middle, spread = np.full(count, _USUAL[0]), np.full(count, _USUAL[1])
    unusual = (near - middle) / spread
    words = np.array([phrase.end - phrase.start for phrase in phrases])
    relevance = (
        np.clip((unusual.max(axis=1) - 0.5) / 2.0, 0.0, 1.0)
        * np.clip((near.max(axis=1) - 0.1) / 0.15, 0.0, 1.0)
        * np.minimum(1.0, words / 6)  # short phrases are near to much
    )
    return unusual, relevance


def said_of(history: History, number: int, phrase: Implied) -> tuple[StanceKind, float, str]:
    """Return what is said of a phrase, how surely, and whose it is."""
    message = history.messages[number]
    sentence = message.sentences[phrase.sentence]
    following = message.sentences[phrase.sentence + 1] if phrase.sentence + 1 < len(message.sentences) else None
    carried = SELF
    for earlier in message.sentences[: phrase.sentence]:
        carried = last_person(earlier, history.names, carried)
    who = holder(sentence, phrase.start, phrase.end, history.names, carried)
    said = stance(sentence, phrase.start, phrase.end, following)
    return said.kind, said.strength, who


def changes_among(
    found: Sequence[tuple[int, Implied]], said: Mapping[int, tuple[StanceKind, float, str]], about: str
) -> set[int]:
    """Return the phrases that are taken up in a sentence that leaves another."""
    left = {(found[row][0], found[row][1].sentence) for row, (kind, _, _) in said.items() if kind in ("left", "denied")}
    return {
        row
        for row, (kind, _, who) in said.items()
        if kind == "held" and who == about and (found[row][0], found[row][1].sentence) in left
    }
