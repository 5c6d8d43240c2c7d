"""Is an answer to a choice or to a yes-or-no question right? By exact match, as far as a person would read it so."""

from __future__ import annotations

from dataclasses import dataclass

from lifeloom.records import LifeQuestion
from lifeloom.scoring.answer_reading import read_letter, read_verdict

__all__ = ["Matched", "match_answer"]


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
