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
from lifeloom.models.builtin.reader.holders import SELF, holder, last_person, person_key
from lifeloom.models.builtin.reader.shown_stance import DENIES, ENDS, FROM_OTHERS, HOLDS_ON, REPLACES, WEIGHS
from lifeloom.models.builtin.reader.stance import Stance, ends_it, stance
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
        re.sub(rf"(?<=[^.!?…\s]) {MARK} (?=[\"'(“]?[A-Z])", f" {MARK}. ", spaced),
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
    of_place: bool
    """Whether it speaks of a place: "this is where I end up"."""
    replaces: bool
    """Whether what is shown takes the place of what was said or shown before."""
    text: str
    """The sentence that points to the picture, and the one after it."""


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
    telling = position
    if position + 1 < len(sentences) and not _tells(sentences[position]) and _points(sentences[position + 1]):
        telling, mark = position + 1, 0  # "Good evening! <img> That's what I always end up with."
    sentence = sentences[telling]
    following = sentences[telling + 1] if telling + 1 < len(sentences) else None
    at = min(mark, len(sentence.words) - 1)
    span = _span(sentence, at)
    start, end = span or (at, at + 1)
    text = " ".join(word for word in sentence.words if word != MARK)
    said = _said(sentence, span, text, following)
    carried = SELF
    if telling:
        carried = last_person(sentences[telling - 1], names, carried)
    who = _whose(sentence, start, end, text, names, carried)
    if who == SELF and following is not None and _takes_up(following) and not _own(sentence, names):
        who = _person_of(following, names)  # "My cousin was delighted. It's quite Priya's colour."
    near = " ".join(one.text for one in (sentence, following) if one is not None and not one.is_question)
    near = " ".join(near.replace(MARK, " ").split())
    shows_only = bool(_SHOWS_ONLY.search(text)) and not _SAYS_MORE.search(text)
    return Pointing(said, who, telling, shows_only, bool(_ABOUT_PLACE.search(text)), bool(REPLACES.search(text)), near)


def _tells(sentence: Sentence) -> bool:
    """Whether the sentence that the mark follows speaks of the picture, or only leads up to it."""
    words = [word for word in sentence.words if word != MARK]
    inside = any(
        word == MARK and 0 < i < len(sentence.words) - 1 and sentence.words[i + 1].isalnum()
        for i, word in enumerate(sentence.words)
    )
    text = " ".join(words)
    if inside or REPLACES.search(text) or ENDS.search(text) or _SHOWING.search(text):
        return True
    return bool(_POINTS.search(text)) and not _SAYING.search(text)


def _points(sentence: Sentence) -> bool:
    return bool(re.search(r"\b(?:this|that|these|those|here|there)\b", " ".join(sentence.words)))


_SHOWING: Final = re.compile(r"\b(?:show\w*|see|seen|look\w*|picture\w*|photo\w*|proof)\b")
_SAYING: Final = re.compile(
    r"\b(?:say|said|saying|tell|told|share|mention|write|writing|typing|typed|add|ask|asking|bring|know|hear)\b|"
    r"\bhiding in\b|\bwanted to\b|\bnot sure\b|\b(?:place|day|world|feeling) (?:this|that) is\b"
)


def _said(sentence: Sentence, span: tuple[int, int] | None, text: str, following: Sentence | None) -> Stance:
    """Return what a sentence says of the picture it points to: one thing only, so all of the sentence is about it."""
    if REPLACES.search(text):
        return Stance("held", 0.95)
    if ENDS.search(text) or (following is not None and ends_it(following)):
        return Stance("left", 0.9)
    if DENIES.search(text) and not HOLDS_ON.search(text):
        return Stance("denied", 0.9)
    if following is not None and _TAKEN_BACK.match(" ".join(following.words)):
        return Stance("denied", 0.9)
    # Where no word points to the picture, none stands beside what it shows either.
    plain = Stance("held", 0.6) if span is None else stance(sentence, *span, None)
    if WEIGHS.search(text) and plain.kind == "held" and span is None:
        return Stance("tentative", 0.3)
    if plain.kind in ("left", "denied"):
        negative = _NEGATIVE.search(text) and not HOLDS_ON.search(text)
        return Stance(plain.kind, 0.8) if negative else Stance("held", 0.6)
    if plain.kind == "tentative" and not WEIGHS.search(text):
        return Stance("held", 0.55)
    return plain


_TAKEN_BACK: Final = re.compile(
    r"(?:but |well , |no , )?(?:it|that|this) (?:isn't|wasn't|is not|was not|never (?:is|was)|doesn't|didn't|won't)\b"
)
_NEGATIVE: Final = re.compile(r"\b(?:not|never|no|\w+n't|hate|dislike|avoid\w*|except|unlike|left|old|former)\b")


def _own(sentence: Sentence, names: frozenset[str]) -> bool:
    """Whether the sentence speaks of the user's own: I, me, mine, or "my" before anything but a person."""
    words = [base(word) for word in sentence.words]
    for i, word in enumerate(words):
        if word in ("i", "me", "mine", "myself", "we", "us"):
            return True
        if word in ("my", "our") and not any(w in PEOPLE or w in names for w in words[i + 1 : i + 4]):
            return True
    return False


def _person_of(sentence: Sentence, names: frozenset[str]) -> str:
    """Return the key of the person whom ``sentence`` mentions, by name where it can; the user where nobody is."""
    words = [base(word) for word in sentence.words]
    named = [word for word in words if word in names]
    others = [word for word in words if word in PEOPLE and word not in _ANYBODY]
    return person_key((named or others or [SELF])[0])


def _takes_up(sentence: Sentence) -> bool:
    return bool(re.match(r"(?:and |so |now )?(?:it|that|this|these|those|such)\b", " ".join(sentence.words)))


def _whose(sentence: Sentence, start: int, end: int, text: str, names: frozenset[str], carried: str) -> str:
    person = _person_of(sentence, names)
    if person == SELF:
        pronoun = re.search(r"\b(?:he|she|his|hers?|him)\b", text)
        return carried if pronoun and carried != SELF and not _own(sentence, names) else SELF
    if (
        not _own(sentence, names)
        or FROM_OTHERS.search(text)
        or re.search(r"\b(?:not|never) (?:mine|me|my own)\b", text)
    ):
        return person
    words = sentence.words
    if re.search(r"\b(?:not|\w+n't|never)\b.*\bbut (?:for |my |our )*(?:[\w']+ )?", text):
        behind = words[len(words) - words[::-1].index("but") :]
        if any(base(word) in names or base(word) in PEOPLE for word in behind[:4]):
            return person
    for i, word in enumerate(words[:-1]):
        known = base(word) in names or base(word) in PEOPLE
        if known and word.endswith("'s") and base(words[i + 1]) not in PEOPLE and base(words[i + 1]) not in names:
            return person  # "since it shows Priya's colour"
        if known and i and words[i - 1] == "from" and base(word) in names:
            return person
    who = holder(sentence, start, end, names, carried)
    return who if who in (SELF, person) or who in names else SELF


_ANYBODY: Final = lexicon(
    "people everybody everyone somebody someone man woman lady guy friends guest guests relatives relative folks"
)


_ABOUT_PLACE: Final = re.compile(r"\b(?:here|there|where|place|spot|corner|somewhere|location)\b")
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
