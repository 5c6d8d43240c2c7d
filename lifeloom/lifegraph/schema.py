"""What a graph may hold: names, relations and kinship as the builder accepts them (Life-Bench Section 8.1).

Types of entities are fixed, relations are open: they are only written in one way, and kinship must not go in circles.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

__all__ = [
    "MOST_NAME",
    "MOST_RELATION",
    "Reason",
    "Unfit",
    "clean_name",
    "elder_and_younger",
    "folded",
    "is_kinship",
    "kinship_word",
    "relation_name",
    "short_name",
]

MOST_NAME: Final = 200
"""Characters of a name."""
MOST_RELATION: Final = 60
"""Characters of a relation."""

Reason = Literal[
    "unknown_type",
    "bad_name",
    "bad_relation",
    "bad_date",
    "wrong_date",
    "no_source",
    "unknown_source",
    "several_events",
    "unknown_person",
    "ambiguous_person",
    "not_a_candidate",
    "self_loop",
    "kinship_of_things",
    "kinship_cycle",
    "duplicate",
    "too_many",
]
"""Why a candidate or triple is not taken.

``unknown_source``: it cites none of the sources that were shown. ``several_events``: an event of no event, or of
several. ``unknown_person``: neither known nor named in a text that it cites. ``wrong_date``: an event on another day
than its pictures. ``kinship_cycle``: somebody would be their own ancestor.
"""

_ARTICLE: Final = re.compile(r"^(?:the|an|a|my|our|some)\s+(?=\S)", re.IGNORECASE)
_ELDER: Final = re.compile(
    r"(?:great)*(?:grand|step|foster)?(?:mother|father|parent|mum|mom|dad)|(?:great)?(?:aunt|uncle)"
)
_YOUNGER: Final = re.compile(r"(?:great)*(?:grand|step|foster)?(?:son|daughter|child)|(?:great|grand)?(?:niece|nephew)")
_EQUALS: Final = re.compile(
    r"(?:half|step)?(?:sister|brother|sibling)|twin|cousin|partner|spouse|wife|husband|fianc[eé]e?|"
    r"(?:best)?friend|(?:mother|father|sister|brother|son|daughter)inlaw"
)


class Unfit(ValueError):
    """Something that a model gave does not fit the schema.

    Attributes:
        reason: why.
        detail: what a person needs to understand it.
    """

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason: Reason = reason
        self.detail = detail


def clean_name(text: str) -> str:
    """Return a name in one line, without control characters.

    Raises:
        Unfit: nothing is left, or it is too long (``bad_name``).
    """
    kept = "".join(" " if char.isspace() else char for char in text if char.isspace() or char.isprintable())
    plain = " ".join(kept.encode("utf-8", "replace").decode("utf-8").split())
    if not any(char.isalnum() for char in plain):
        raise Unfit("bad_name", f"{text[:80]!r} is no name")
    if len(plain) > MOST_NAME:
        raise Unfit("bad_name", f"a name of {len(plain)} characters: {plain[:80]}...")
    return plain


def short_name(text: str, length: int = 80) -> str:
    """Return ``text`` cut to ``length`` characters at a blank, with a mark for the cut."""
    plain = " ".join(text.split())
    return plain if len(plain) <= length else plain[: length - 1].rsplit(" ", 1)[0] + "…"


def folded(name: str, *, article: bool = True, plural: bool = False) -> str:
    """Return the normal form by which names are the same: small letters, no article, no marks at the ends.

    Args:
        name: the name.
        article: leave an article or "my" at the beginning out.
        plural: read the last word in the singular: "the umbrellas" is "umbrella".
    """
    plain = " ".join(unicodedata.normalize("NFKC", name).casefold().replace("’", "'").split())
    plain = plain.strip(" .,;:!?\"'()")
    if article:
        plain = _ARTICLE.sub("", plain)
    if plural:
        plain = _singular(plain)
    return plain


def _singular(plain: str) -> str:
    head, blank, last = plain.rpartition(" ")
    if len(last) > 4 and last.endswith("ies"):
        last = f"{last[:-3]}y"
    elif len(last) > 4 and last.endswith(("ches", "shes", "xes", "sses")):
        last = last[:-2]
    elif len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is")):
        last = last[:-1]
    return f"{head}{blank}{last}"


def relation_name(text: str) -> str:
    """Return a relation in camelCase: ``has activity``, ``has_activity`` and ``HasActivity`` are ``hasActivity``.

    Raises:
        Unfit: it has no letter, or is too long (``bad_relation``).
    """
    words = re.findall(r"[^\W_]+", text)
    name = "".join(word if not number else word[:1].upper() + word[1:] for number, word in enumerate(words))
    name = name[:1].lower() + name[1:]
    if not any(char.isalpha() for char in name):
        raise Unfit("bad_relation", f"{text[:80]!r} is no relation")
    if len(name) > MOST_RELATION:
        raise Unfit("bad_relation", f"a relation of {len(name)} characters: {name[:MOST_RELATION]}...")
    return name


def kinship_word(relation: str) -> tuple[str, bool]:
    """Return what a relation makes of somebody in small letters, and whether it is of the head.

    ``motherOf`` and ``isMotherOf`` make a mother of the head, ``hasMother`` of the tail; other relations: empty.
    """
    if match := re.fullmatch(r"(?:is)?(\w+)Of", relation):
        word, of_head = match[1], True
    elif match := re.fullmatch(r"(?:has)([A-Z]\w+)", relation):
        word, of_head = match[1], False
    else:
        return "", True
    word = word.lower()
    known = any(pattern.fullmatch(word) for pattern in (_ELDER, _YOUNGER, _EQUALS))
    return (word if known else "", of_head)


def is_kinship(relation: str) -> bool:
    """Whether a relation is one between relatives or friends."""
    return bool(kinship_word(relation)[0])


def elder_and_younger(head: str, relation: str, tail: str) -> tuple[str, str] | None:
    """Return who of the two is of the generation before; None where the relation does not say."""
    word, of_head = kinship_word(relation)
    one, other = (head, tail) if of_head else (tail, head)
    if _ELDER.fullmatch(word):
        return one, other
    if _YOUNGER.fullmatch(word):
        return other, one
    return None
