"""Reading the letter or the yes or no of an answer, as each benchmark reads it.

Persona-MME takes what stands before the first ``)`` and the first word (its release's protocol). Life-Bench reads an
answer as a person would: option letter or option text, yes or no with common variants, case and punctuation folded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

__all__ = ["Lettered", "leading_letter", "leading_verdict", "read_letter", "read_verdict"]

_PREFIX = re.compile(
    r"^[\s*_#>`]*(?:the |my |final |correct |best )*(?:answer|option|choice)(?: is| to the question is)?[\s*_:=-]*",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?:^|[\s(\[{*_])([A-Da-d])(?=[)\]}.,:;*_\s]|$)")
_BARE = re.compile(r"^[\s*_(\[]*([A-Da-d])[\s*_)\].:,]*$")
_STATED = re.compile(
    r"\b(?:answer|option|choice)(?: is)?[\s*_:=-]*[(\[]?([A-Da-d])[)\]]?[\s*_.]*$", re.IGNORECASE | re.MULTILINE
)
"""A line that ends in ``Answer: B``, after some words of reasoning."""
_ARTICLE = re.compile(r"\s+(?!(?:or|and|is|because|since|as)\b)[a-z]")
"""What follows an ``A`` that is no letter of an option but an article."""
_BOTH = re.compile(r"\byes\s*(?:/|and|or)\s*no\b|\bno\s*(?:/|and|or)\s*yes\b", re.IGNORECASE)
_DENIED = re.compile(r"\bnot (?:true|correct)\b", re.IGNORECASE)
_YES = frozenset(["yes", "yeah", "yep", "true", "correct", "affirmative"])
_NO = frozenset(["no", "nope", "false", "incorrect", "negative"])


class Lettered(Protocol):
    """An option: what a reading looks at."""

    @property
    def letter(self) -> str:
        """In small."""
        ...

    @property
    def text(self) -> str:
        """What it says."""
        ...


def leading_letter(answer: str, options: Sequence[Lettered]) -> str:
    """Return the letter of the option that stands before the first ``)``; empty where no option has it."""
    letter = answer.partition(")")[0].strip().lstrip("(").strip().lower()
    return letter if any(option.letter == letter for option in options) else ""


def leading_verdict(answer: str) -> str:
    """Return the first word where it is ``yes`` or ``no``, case and punctuation folded; else nothing."""
    words = answer.lower().split(maxsplit=1)
    verdict = words[0].strip("\"'*.,:;!()") if words else ""
    return verdict if verdict in ("yes", "no") else ""


def read_letter(answer: str, options: Sequence[Lettered]) -> tuple[str, ...]:
    """Return the letters of the options that an answer chooses: one where it can be read."""
    text = _PREFIX.sub("", answer.strip())
    bare = _BARE.match(text)
    if bare:
        return (bare[1].lower(),)
    first = re.match(r"^[\s*_(\[]*([A-Da-d])[\s*_]*[)\].:]", text)
    marked = {one.lower() for one in re.findall(r"\(([A-Da-d])\)", text)}
    if len(marked) > 1:
        return tuple(sorted(marked))
    if first:
        return (first[1].lower(),)
    if marked:
        return tuple(marked)
    folded = _folded(text)
    by_text = [one.letter for one in options if _folded(one.text) == folded]
    if by_text:
        return tuple(by_text)
    stated = {one.lower() for one in _STATED.findall(text)}
    if stated:
        return tuple(sorted(stated))
    found = {
        one[1].lower()
        for one in _LETTER.finditer(text)
        if (one[1].isupper() or len(text) < 12) and not (one[1] in "Aa" and _ARTICLE.match(text, one.end(1)))
    }
    if found:
        return tuple(sorted(found))
    inside = [one.letter for one in options if _folded(one.text) and f" {_folded(one.text)} " in f" {folded} "]
    return tuple(inside)


def read_verdict(answer: str) -> str | None:
    """Return ``yes`` or ``no``; None where an answer says neither, or both."""
    if _BOTH.search(answer):
        return None
    words = _folded(_DENIED.sub("no", _PREFIX.sub("", answer.strip()))).split()
    first = words[0] if words else ""
    if first in _YES or first in _NO:
        return "yes" if first in _YES else "no"
    yes, no = not _YES.isdisjoint(words), not _NO.isdisjoint(words)
    if yes == no:
        return None
    return "yes" if yes else "no"


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())
