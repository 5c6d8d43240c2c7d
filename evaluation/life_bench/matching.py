"""Is an answer to a choice or to a yes-or-no question right? By exact match, as far as a person would read it so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.records import LifeOption, LifeQuestion

__all__ = ["Matched", "match_answer", "read_letter", "read_verdict"]

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


@dataclass(frozen=True)
class Matched:
    """Whether an answer is right, and how it was read."""

    correct: bool
    reason: str
    unreadable: str = ""
    """Why it could not be read: ``no_answer``, ``no_letter``, ``two_letters``, ``no_verdict``."""


def match_answer(question: LifeQuestion, answer: str) -> Matched:
    """Return whether an answer to a choice or a binary question is right (option letter or text, yes or no).

    Case and punctuation are folded; two letters, and both words, are wrong.

    Raises:
        ValueError: the question is an open one, which a judge decides.
    """
    if question.answer_type == "open_generation":
        raise ValueError(f"{question.question_id} is an open question: it is decided by a judge")
    if not answer.strip():
        return Matched(False, "no answer", "no_answer")
    if question.answer_type == "binary":
        verdict = read_verdict(answer)
        if verdict is None:
            return Matched(False, "neither yes nor no", "no_verdict")
        return Matched(verdict == question.answer.strip().lower(), f"read as {verdict}")
    letters = read_letter(answer, question.options)
    if len(letters) != 1:
        why = "two_letters" if letters else "no_letter"
        return Matched(False, "two options" if letters else "no option", why)
    return Matched(letters[0] == question.answer.strip().lower(), f"read as {letters[0]}")


def read_letter(answer: str, options: Sequence[LifeOption]) -> tuple[str, ...]:
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
