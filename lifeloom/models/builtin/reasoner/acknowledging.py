"""Answers to messages that ask for nothing: what was understood is said back in few words."""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.reader.english import STOPWORDS
from lifeloom.models.builtin.reader.text import analyse, base
from lifeloom.models.builtin.reasoner.addressing import second_person
from lifeloom.streams import stable_hash

__all__ = ["acknowledged"]

_LONGEST: Final = 140
"""Characters of a sentence that is said back."""
_OWN: Final = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours"})
_YOU: Final = re.compile(r"\b(?:you|your|yours|yourself)\b")
_OPENER: Final = re.compile(
    r"^(?:(?:actually|oh|well|so|and|but|ok(?:ay)?|hi|hello|hey|by the way|btw|anyway|sorry|no|yes|yeah|right|now|ah|"
    r"good (?:morning|evening|afternoon)|just so you know|for the record|i mean|also)\b(?: there)?[,!.:]* +)+",
    re.IGNORECASE,
)
_KEEP: Final = re.compile(
    r"^(?:please,? )?(?:remember|don't forget|do not forget|keep in mind|bear in mind|note(?: down)?)(?: that|:)? ",
    re.IGNORECASE,
)
_NOW_ON: Final = re.compile(
    r"\b(?:from now on|in future|call me|please (?:answer|reply|be|keep|use|do not|don't|stop|always|never))\b|"
    r"^(?:always|never|answer|reply|keep it|be brief|be short|use|stop)\b"
)
_REMARK: Final = re.compile(
    r"\b(?:mixed (?:it|that|them) up|my mistake|made a mistake|said that wrong|got that wrong|correct myself)\b|"
    r"^i(?:'m| am)?(?: so| very)? sorry\b"
)
_SAD: Final = re.compile(
    r"\b(?:died|passed away|funeral|broke up|divorc\w+|lost my|got fired|was fired|laid off|in hospital|cancer|"
    r"heartbroken|so sad|very sad|depressed|miserable|awful day|terrible day|broke my|stolen)\b"
)
_GLAD: Final = re.compile(
    r"\b(?:passed my|passed the|got the job|promoted|promotion|engaged|got married|was born|won|i graduated|"
    r"so happy|overjoyed|thrilled|delighted)\b"
)
_LEADS: Final = ("Noted: {}", "I see, {}", "Understood: {}", "Good to know: {}")
_PLAIN: Final = ("Thank you for telling me.", "I see, I will remember that.", "Noted, thank you.", "Understood.")
_PAST: Final = re.compile(r"^[A-Z][a-z]+ed\b|^(?:Got|Met|Saw|Went|Bought|Sold|Moved|Made|Took|Lost|Found|Ran|Won|Had) ")


def acknowledged(text: str) -> str:
    """Return a short acknowledgement of ``text``, which asks nothing, with what was understood where that is plain.

    Args:
        text: what the user says.
    """
    if not text:
        return "I am listening."
    lowered = text.lower().replace("’", "'")
    if _NOW_ON.search(lowered):
        return "Understood, I will remember to do so."
    said, kept = _said_back(text)
    if kept:
        return f"I will remember that {said}." if said else "I will remember that."
    if not said:
        return "I am sorry to hear that." if _SAD.search(lowered) else _one_of(_PLAIN, text)
    if _SAD.search(lowered):
        return f"I am sorry to hear that {said}."
    if _GLAD.search(lowered):
        return f"That is good news: {said}."
    return f"{_one_of(_LEADS, text).format(said)}."


def _said_back(text: str) -> tuple[str, bool]:
    """Return the first sentence about the user as said to them, small at its start, and whether it is to be kept."""
    for sentence in analyse(text).sentences:
        words = _OPENER.sub("", " ".join(sentence.text.split()).replace("’", "'"))
        kept = _KEEP.match(words)
        told = (words[kept.end() :] if kept else words).strip(" .!…")
        lowered = told.lower()
        if _REMARK.search(lowered):
            continue
        own = any(base(word.lower()) in _OWN for word in re.findall(r"[\w']+", told))
        bare = not own and _PAST.match(told[:1].upper() + told[1:])
        if (own or bare) and len(told) <= _LONGEST and not _YOU.search(lowered) and not sentence.is_question:
            return (f"you {_small(told)}" if bare else _small(second_person(told))), kept is not None
        if kept:
            return "", True
    return "", False


def _small(text: str) -> str:
    first = re.match(r"[\w']+", text)
    if first is None:
        return text
    word = base(first[0].lower())
    common = word in STOPWORDS or word in ("you", "your", "yours") or first[0].endswith("ed") or text[:1].islower()
    return text[:1].lower() + text[1:] if common or _PAST.match(text) else text


def _one_of(choices: tuple[str, ...], text: str) -> str:
    return choices[stable_hash("acknowledgement", text) % len(choices)]
