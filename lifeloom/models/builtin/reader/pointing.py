"""What a message says around a picture: whom it introduces, and what it says of what the picture shows.

"This is Priya <img>" gives a face a name. "I keep coming back to this one <img>" says of what is shown what another
sentence would say of a thing it names; "Here's one from our trip <img>" only shows.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.english import PEOPLE, STOPWORDS, lexicon
from lifeloom.models.builtin.reader.holders import SELF, holder, last_person
from lifeloom.models.builtin.reader.stance import Stance, commitment_to_antecedent, ends_it, stance
from lifeloom.models.builtin.reader.text import Sentence, analyse, base
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["MARK", "Pointing", "introduced", "named_beside", "pointing", "without_marks"]

MARK: Final = "imgmark"
"""How a mark stands among the words of a sentence."""

_NOT_NAMES: Final = lexicon(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter halloween ramadan diwali english french german spanish
    italian chinese japanese look meet guess finally today yesterday tomorrow tonight here's there's morning evening
    """
)
_KIN = (
    r"(?:(?:my|our|the|a|an|his|her|their|dear|old|older|younger|elder|little|big|best|good|lovely|wonderful|own|only|"
    rf"famous|{'|'.join(sorted(re.escape(word) for word in PEOPLE))})(?:'s)?,? )*"
)
_NAME = r"(?P<name>[A-Z](?:[\w-]|'(?=[A-Z]))*[a-zà-öø-ÿ])\b(?!'s\b)(?!s' )(?! (?:and|&) [A-Z])"
# What presents somebody whose name follows.
_PRESENTS_NAME: Final = tuple(
    re.compile(pattern.replace("NAME", _KIN + _NAME))
    for pattern in (
        r"\b(?:[Tt]his|[Tt]hat|[Ii]t|[Tt]here|[Hh]ere)(?:'s| is| was|(?: she| he)? comes)(?: you)?,? "
        r"(?:also |really |indeed |finally |at last |then )?NAME",
        r"\b[Hh]ere (?:she|he|they) (?:is|are)[:,]? NAME",
        r"\b(?:[Mm]eet|[Ii]ntroduc\w+|[Pp]resenting|[Bb]ehold|[Ss]ay (?:hello|hi) to|[Gg]reet|[Ww]elcome) (?:you to )?"
        r"NAME",
        r"\b(?:picture|photo|photograph|snap|snapshot|shot|portrait|selfie|image|face|look|glimpse|one|pic) of NAME",
        r"\b(?:show|shown|showed|showing|sent|send|introduced|met|seen) (?:you )?NAME",
        r"\b(?:what|how) NAME looks?\b",
        r"\b[Ff]ace (?:to|for|that goes with|behind|that belongs to) (?:the |that )?(?:name)?[:,]?(?: -)? ?NAME",
        r"\bname (?:is|here is|was|of)[:,]? NAME",
        r"\b(?:called|named) NAME",
    )
)
_NAME_PRESENTED: Final = tuple(
    re.compile(pattern.replace("NAME", _NAME))
    for pattern in (
        r"\bNAME(?:,| -| –|:)? (?:here|in person|in the flesh|herself|himself|themselves)\b",
        r"\bNAME(?: is|'s)? (?:in|on) (?:this|the|that) (?:picture|photo|shot|one)\b",
    )
)
_PRONOUN_PRESENTED: Final = re.compile(
    r"\b(?:here (?:she|he|they) (?:is|are)|here's (?:her|him|them)|(?:that|this)(?:'s| is) (?:her|him|them)|"
    r"(?:what|how) (?:she|he|they) looks?|(?:her|his|their) (?:face|picture|photo|portrait)|"
    r"(?:picture|photo|shot|snap|one) of (?:her|him|them)|shown you (?:her|him|them)|(?:put|have) a face|"
    r"(?:looks|look) like this)\b",
    re.IGNORECASE,
)
_ONLY_A_NAME: Final = re.compile(rf"^\W*(?:[Aa]nd |[Nn]ow |[Ss]o |[Oo]h )?{_KIN}{_NAME}\W*$")

_POINTS: Final = re.compile(
    r"\b(?:(?:this|that|these|those) (?:one|ones|sort|kind|type|place|spot|thing|person|friend|face|lot|very one|"
    r"beauty|little one|colou?r|shade|thing here)\b|the one(?= imgmark\b)|(?:one|some|another|more|two|both|each) of "
    r"(?:these|those)|(?:these|those|this|here|there|it|them|that)\b)"
)
_SHOWS_ONLY: Final = re.compile(
    r"\b(?:picture|photo|photograph|snap|snapshot|shot|pic|image|album|camera roll|selfie)s?\b|"
    r"\b(?:one|this|that|these|those|here(?:'s| is| are)?|it|imgmark|some|couple|few)\b[^.!?;]{0,24}\b"
    r"(?:from|of|at|during|taken|took) (?:the|my|our|that|last|this|when|a|an|back)\b"
)


def without_marks(text: str) -> str:
    """Return ``text`` with its marks as words, each in the sentence that it belongs to."""
    if PICTURE_MARK not in text:
        return text
    spaced = " ".join(text.replace(PICTURE_MARK, f" {MARK} ").split())
    # A mark that stands alone after a sentence belongs to it: "I love this one. <img> And you?"
    return re.sub(
        rf"([.!?…]+[\"')\]]*)((?: {MARK})+)(?=$| [\"'(“]?[A-Z0-9]|[.!?])",
        lambda match: f"{match[2]}{match[1]}",
        spaced,
    )


@dataclass(frozen=True, slots=True)
class Pointing:
    """What a message says of what its picture shows."""

    stance: Stance
    holder: str
    sentence: int
    """Number of the sentence in the message, marks counted as words."""
    shows_only: bool
    """Whether the message no more than shows: nothing is said of what the picture holds."""


@functools.lru_cache(maxsize=4_000)
def introduced(text: str, names: frozenset[str] = frozenset()) -> str:
    """Return whom a message with one picture introduces, lower case; empty when nobody or not one alone.

    Args:
        text: the message, with its mark.
        names: lower-case names of people in the conversation.
    """
    if text.count(PICTURE_MARK) != 1:
        return ""
    parts = [sentence.text.replace("’", "'") for sentence in analyse(without_marks(text)).sentences]
    marked = next((i for i, part in enumerate(parts) if MARK in part), None)
    if marked is None:
        return ""
    near = [parts[marked], *parts[max(0, marked - 1) : marked], *parts[marked + 1 : marked + 2]]
    for part in near:
        plain = " ".join(part.replace(MARK, " ").split())
        for pattern in (*_PRESENTS_NAME, *_NAME_PRESENTED):
            for match in pattern.finditer(plain):
                if _may_be_name(match["name"], names):
                    return base(match["name"].lower())
    alone = _ONLY_A_NAME.match(near[0].replace(MARK, " "))
    if alone and _may_be_name(alone["name"], names):
        return base(alone["name"].lower())
    if any(_PRONOUN_PRESENTED.search(part) for part in near):
        said = {base(word.lower()) for part in near for word in re.findall(r"[\w']+", part)}
        known = sorted(said & names)
        if len(known) == 1:
            return known[0]
    return ""


@functools.lru_cache(maxsize=4_000)
def named_beside(text: str, names: frozenset[str] = frozenset()) -> str:
    """Return the one person whom a message names where it shows its one picture, lower case; empty when none or more.

    Enough to tell whose portrait it is ("I asked Priya for a picture and got this"), not more.
    """
    if text.count(PICTURE_MARK) != 1:
        return ""
    sentences = analyse(without_marks(text)).sentences
    marked = next((i for i, sentence in enumerate(sentences) if MARK in sentence.words), None)
    if marked is None:
        return ""
    for i in (marked, marked - 1, marked + 1):
        if 0 <= i < len(sentences):
            found = _names_said(sentences[i], names)
            if found:
                return found[0] if len(found) == 1 else ""
    return ""


def _names_said(sentence: Sentence, names: frozenset[str]) -> list[str]:
    found = []
    starts = True
    for token, word in zip(sentence.surface, sentence.words, strict=True):
        lowered = base(word)
        named = token[0].isupper() and len(token) > 1 and not token.isupper()
        if named and (lowered in names or (not starts and _may_be_name(token, names))):
            found.append(lowered)
        starts = not word[0].isalnum() and word not in (",",) if word != MARK else starts
    return list(dict.fromkeys(found))


def _may_be_name(word: str, names: frozenset[str]) -> bool:
    lowered = base(word.lower())
    if lowered in names:
        return True
    return lowered not in STOPWORDS and lowered not in _NOT_NAMES and lowered not in PEOPLE


@functools.lru_cache(maxsize=8_000)
def pointing(text: str, names: frozenset[str]) -> tuple[Pointing, ...]:
    """Return for each picture of a message what the message says of it.

    Args:
        text: the message, with its marks.
        names: lower-case names of people in the conversation.
    """
    sentences = analyse(without_marks(text)).sentences
    found: list[Pointing] = []
    for position, sentence in enumerate(sentences):
        for mark in (i for i, word in enumerate(sentence.words) if word == MARK):
            found.append(_about(sentences, position, mark, names))
    return tuple(found)


def _about(sentences: tuple[Sentence, ...], position: int, mark: int, names: frozenset[str]) -> Pointing:
    own = _span(sentences[position], mark)
    pieces = [(position, *own)] if own is not None else []
    for i, sentence in enumerate(sentences):
        if i != position and MARK not in sentence.words and not sentence.is_question:
            span = _span(sentence, len(sentence.words) if i < position else 0)
            if span is not None and abs(i - position) <= 2:
                pieces.append((i, *span))
    if not pieces:
        pieces = [(position, mark, mark + 1)]
    carried = SELF
    holders: list[str] = []
    for i, sentence in enumerate(sentences):
        spans = [(start, end) for number, start, end in pieces if number == i]
        for start, end in spans:
            holders.append(holder(sentence, start, end, names, carried))
        carried = last_person(sentence, names, carried)
    stances = [
        stance(sentences[i], start, end, sentences[i + 1] if i + 1 < len(sentences) else None)
        for i, start, end in sorted(pieces)
    ]
    for i, sentence in enumerate(sentences):
        if abs(i - position) <= 2 and ends_it(sentence):
            stances.append(Stance("left", 0.8))
        elif i != position and (degree := commitment_to_antecedent(sentence)) > 0:
            stances.append(Stance("held", degree))
    whole = " ".join(word for sentence in sentences for word in sentence.words)
    others = [who for who in holders if who != SELF]
    said = _strongest(stances)
    near = " ".join(sentences[position].words)
    shows_only = bool(_SHOWS_ONLY.search(near)) and not _SAYS_MORE.search(whole)
    return Pointing(said, others[0] if others else SELF, position, shows_only)


_SAYS_MORE: Final = re.compile(
    r"\b(?:keep|kept|always|again|every|each|another|usual|ended up|end up|favou?rite|love|prefer|want|need|going to|"
    r"bought|buy|chose|choose|pick|picked|got|getting|ordered|settled|decided|switch|moved on|any ?more|no longer|"
    r"instead|dropped|gave up|given up|swear|swears|sold on|set on|after|saving)\w*\b"
)


def _span(sentence: Sentence, mark: int) -> tuple[int, int] | None:
    """Return the tokens that point to the picture: the mark where it stands in for a noun, else "this one"."""
    words = sentence.words
    joined = " ".join(words)
    offsets = []
    at = 0
    for word in words:
        offsets.append(at)
        at += len(word) + 1
    best: tuple[int, int, int] | None = None
    for match in _POINTS.finditer(joined):
        first = offsets.index(match.start()) if match.start() in offsets else None
        if first is None:
            continue
        last = first + len(match.group().split())
        weak = match.group() in ("it", "them", "that", "here", "there")
        rank = (abs(first - mark) + (20 if weak else 0), first, last)
        if best is None or rank < best:
            best = rank
    inside = 0 < mark < len(words) - 1 and words[mark : mark + 1] == (MARK,) and words[mark + 1].isalnum()
    if inside and words[mark - 1].isalnum() and (best is None or best[0] > 1):
        return mark, mark + 1
    return None if best is None else (best[1], best[2])


def _strongest(stances: list[Stance]) -> Stance:
    """Return what weighs most: what was left or denied outright, then what is held, then what was only considered."""
    gone = [one for one in stances if one.kind in ("left", "denied") and one.strength >= 0.6]
    if gone:
        return max(gone, key=lambda one: one.strength)
    held = [one for one in stances if one.kind == "held"]
    open_ones = [one for one in stances if one.kind == "tentative"]
    if open_ones and (not held or max(one.strength for one in held) <= 0.6):
        return open_ones[0]
    return max(held, key=lambda one: one.strength) if held else stances[0]
