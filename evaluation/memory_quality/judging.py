"""What a remembered text says of a value: whose it is, and whether it holds.

A memory is judged by the reader's rules for holders and stances, "the user" taken for the speaker, whoever wrote it,
with a few turns of phrase added that only ever end or deny. Where the rules err, the figures are too low: a share
"wrong holder" or "wrong polarity" is an upper bound of what memories get wrong.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.english import lexicon
from lifeloom.models.builtin.reader.holders import SELF, holder, last_person
from lifeloom.models.builtin.reader.stance import stance
from lifeloom.models.builtin.reader.text import Sentence, analyse, base, content_stems

__all__ = ["ANYBODY", "Reading", "as_spoken", "names_value", "readings"]

_NAMED: Final = 0.7
"""Share of a value's content words that a sentence must hold to name it."""

_OBJECT_BEFORE: Final = re.compile(
    r"\b(?:to|for|with|of|at|about|by|from|like|than|as|near|beside|behind|without|told|asked|sent|gave|give|show|"
    r"showed|"
    r"let|lets|made|makes|helped|taught|call|calls|called|reminds?|teased|finds?|found|caught|catch|see|saw|heard|met|"
    r"suits?|took|left|took|got|invited?|visits?|visited|joins?|joined)$"
)
ANYBODY: Final = "anybody"
_GENERIC: Final = lexicon(
    "people everybody everyone somebody someone they friend friends guy man woman couple guest folks"
)
# Turns of phrase that take back the whole of what their sentence says.
_ENDS: Final = re.compile(
    r"\bthought better of\b|\b(?:isn't|is not|wasn't) true\b|\b(?:is|was|would be|shows) (?:the )?wrong\b|\bmistaken\b|"
    r"\bnothing (?:came|will come) of\b|\bnever (?:did|happened)\b|\boff the table\b|\bwent nowhere\b|"
    r"\b(?:given|gave) (?:it|that) up\b|\bdidn't want to go on\b|\bcould have become\b|\bthere was a time when\b|"
    r"\bis something else\b|\bsomebody else\b|\bthe wrong (?:thing|picture|one)\b|\bgets? nothing out of\b|"
    r"\bno reason to be\b|\| i (?:stopped|did not|didn't)\b|\bwas going to be\b"
)
_VERBS: Final = {"is": "am", "has": "have", "does": "do", "doesn't": "don't", "hasn't": "haven't"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What one mention of a value says."""

    who: str
    """``self`` or the key of another person; ``anybody`` for "people", "everyone", "somebody"."""
    holds: bool
    """Whether it is said to be so; False: denied, left behind or given up."""
    beside: frozenset[str]
    """Words of the sentence, for people who are named in it without being its subject."""
    own: bool
    """Whether "I" or "my" stands directly before it."""


@functools.lru_cache(maxsize=20_000)
def as_spoken(text: str) -> str:
    """Return a third-person memory as the user would say it: "The user's tea is" becomes "my tea is"."""
    text = re.sub(r"\b[Tt]he user's\b", "my", text)
    parts = re.split(r"\b[Tt]he user\b", text)
    spoken = parts[0]
    for part in parts[1:]:
        if _OBJECT_BEFORE.search(spoken.rstrip()):
            spoken += f"me{part}"
        else:
            verb = re.match(r"\s+([\w']+)", part)
            bent = f" {_VERBS[verb[1]]}{part[verb.end() :]}" if verb and verb[1] in _VERBS else part
            spoken += f"I{bent}"
    return re.sub(r"(?<=[.!?] )my\b", "My", spoken[:1].upper() + spoken[1:])


def names_value(text: str, value: str) -> bool:
    """Whether ``text`` as a whole holds 70 % of the content words of ``value``."""
    wanted = set(content_stems(value))
    return bool(wanted) and len(wanted & set(content_stems(text))) >= _NAMED * len(wanted)


def readings(text: str, value: str, names: Collection[str]) -> list[Reading]:
    """Return what each sentence of a memory that names ``value`` says of it.

    Args:
        text: A memory's content.
        value: A noun or verb phrase.
        names: Lower-case names of people.
    """
    known = frozenset(names)
    sentences = analyse(as_spoken(text)).sentences
    found = []
    carried = SELF
    for number, sentence in enumerate(sentences):
        span = _span(sentence, set(content_stems(value)))
        if span is not None:
            following = sentences[number + 1] if number + 1 < len(sentences) else None
            said = stance(sentence, *span, following)
            who = holder(sentence, *span, known, carried)
            own = any(base(word) in ("i", "my", "mine") for word in sentence.words[max(0, span[0] - 3) : span[0]])
            around = " ".join((*sentence.words, "|", *(following.words if following is not None else ())))
            holds = said.kind in ("held", "tentative") and not _ENDS.search(around)
            words = frozenset(base(word) for word in sentence.words)
            found.append(Reading(ANYBODY if who in _GENERIC else who, holds, words, own))
        carried = last_person(sentence, known, carried)
    return found


def _span(sentence: Sentence, wanted: set[str]) -> tuple[int, int] | None:
    """Return the shortest run of tokens that holds 70 % of ``wanted``; None where the sentence does not."""
    if not wanted:
        return None
    places = [i for i, stem in enumerate(sentence.stems) if stem in wanted]
    need = max(1, -int(-_NAMED * len(wanted) // 1))
    best: tuple[int, int] | None = None
    for first, start in enumerate(places):
        seen: set[str] = set()
        for place in places[first:]:
            seen.add(sentence.stems[place])
            if len(seen) >= need:
                if best is None or place + 1 - start < best[1] - best[0]:
                    best = (start, place + 1)
                break
    return best
