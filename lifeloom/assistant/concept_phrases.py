"""Which of the people and things in a picture a description means: "Fatou, the user's bandmate", "the tall boy"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from lifeloom.models.builtin.reader.english import PEOPLE

__all__ = ["ConceptPhrase", "Side", "line_of", "read_phrase", "without_mark"]

Side = Literal["", "left", "middle", "right"]

# Blanks are single ones where these are tried, so that none takes longer than the text is long.
_MARK = re.compile(r" ?< ?(?:img|image) ?> ?", re.IGNORECASE)
_SIDE = re.compile(
    r",?\s*(?:\b(?:on|to|at) the (?:far )?(?P<on>left|right)(?:[- ]hand side| side)?|"
    r"\b(?:furthest|farthest) (?:to the )?(?P<far>left|right)|\b(?P<most>left|right)(?:most|-hand)\b|"
    r"\b(?:in|at) the (?P<mid>middle|centre|center))\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;:()]|\s[-–—]\s|\b(?:who|which|that) is\b|\bis (?=the\b|an?\b|my\b|our\b)", re.IGNORECASE)
_NAMED = re.compile(r"\s*\b(?:called|named|by the name of)\b.*", re.IGNORECASE)
_OWNER = re.compile(r"^.*(?:'s|s')\s+", re.IGNORECASE)
_LEADS = re.compile(r"^(?:(?:the|an?|this|that|these|those|my|our|his|her|their|your|user)\s+)+", re.IGNORECASE)
_AFTER_HEAD = re.compile(
    r"\s+(?:with|in|on|at|of|from|by|under|behind|beside|near|next|holding|wearing|carrying|playing|who|that|which)\b.*",
    re.IGNORECASE,
)
_SEEN = frozenset(
    {
        *("person", "people", "man", "woman", "boy", "girl", "guy", "bloke", "lady", "gentleman"),
        *("child", "kid", "baby", "toddler", "teenager"),
    }
)
"""Words for people that say something of how they look: the others are all asked for as a person."""


@dataclass(frozen=True)
class ConceptPhrase:
    """A description as a detector can be asked for it."""

    noun: str
    """What it is, with what tells it apart: ``boy with the kite``; empty where only a name is told."""
    head: str
    """The noun alone."""
    is_person: bool
    side: Side

    @property
    def seen(self) -> bool:
        """Whether the noun says more of a person's look than that it is one."""
        return self.is_person and self.head.split()[-1].lower() in _SEEN


def without_mark(description: str) -> str:
    """Return a description without the mark of its picture, blanks and a full stop at its end."""
    single = " ".join(description.split())
    return " ".join(_MARK.sub(" ", single).split()).rstrip(" .")


def read_phrase(description: str) -> ConceptPhrase:
    """Return what to look for.

    Args:
        description: Such as ``Rex, the user's dog`` or ``the boy with the kite on the left``; a mark does not count.
    """
    text = without_mark(description).replace("’", "'")
    found = _SIDE.search(text)
    side: Side = ""
    if found:
        told = (found["on"] or found["far"] or found["most"] or "middle").lower()
        side = "left" if told == "left" else "right" if told == "right" else "middle"
        text = f"{text[: found.start()]} {text[found.end() :]}"
    nouns = [noun for part in _PARTS.split(text) if (noun := _noun(part))]
    if not nouns:
        return ConceptPhrase("", "", is_person=False, side=side)
    heads = [_AFTER_HEAD.sub("", noun) for noun in nouns]
    # "Ana, the boy's sister": the first that is somebody, else the first thing.
    chosen = next((i for i, head in enumerate(heads) if _is_person(head)), 0)
    return ConceptPhrase(nouns[chosen], heads[chosen], _is_person(heads[chosen]), side)


def line_of(description: str, kind: str, side: Side, picture: int, pictures: int) -> str:
    """Return the words in which a recognised concept is told to the model.

    Args:
        description: What is remembered of it, without a mark.
        kind: ``person``, ``animal`` or ``object``.
        side: Where it stands; empty where nothing else of its kind is there.
        picture: Number of the picture, from 1.
        pictures: How many there are.
    """
    what = "thing" if kind == "object" else kind
    where = {"": "", "left": " on the left", "right": " on the right", "middle": " in the middle"}[side]
    which = f" in picture {picture}" if pictures > 1 else "" if side else " in the picture"
    if re.search(r"\b(?:is|are)\b", description):  # a sentence already
        return f"What is remembered of the {what}{where}{which}: {description}."
    named = re.sub(r"^(?:The|A|An)\b", lambda article: article[0].lower(), description)
    return f"The {what}{where}{which} is {named}."


def _noun(part: str) -> str:
    """Return the noun phrase of a part of a description; empty where it is a name."""
    words = _NAMED.sub("", part).strip()
    owned = _OWNER.sub("", words)
    bare = _LEADS.sub("", owned)
    is_marked = bare != words  # "the user's dog" and "the boy", not "Fatou"
    kept = [word for number, word in enumerate(bare.split()) if not word[:1].isupper() or (number == 0 and is_marked)]
    return " ".join(kept) if is_marked or kept else ""


def _is_person(head: str) -> bool:
    words = head.lower().split()
    return bool(words) and (words[-1] in PEOPLE or words[-1] in _SEEN)
