"""Does a question have its answer, and one alone, by the ground truth?"""

from __future__ import annotations

import re
from typing import Literal

from lifeloom.models.builtin.reader.life.answering import meant, so
from lifeloom.models.builtin.reader.life.asking import Understood, understand
from lifeloom.models.builtin.reader.life.choices import fitting
from lifeloom.models.builtin.reader.life.events import UNKNOWN, of_event
from lifeloom.models.builtin.reader.life.evidence import Evidence
from lifeloom.models.builtin.reader.life.history import of_history
from lifeloom.models.builtin.reader.life.judging import judge_answer
from lifeloom.models.builtin.reader.life.truths import evidence_of
from lifeloom.tasks.life_judgement import LifeJudgementInput
from lifeloom.tasks.question_critique import QuestionCritiqueInput, QuestionCritiqueOutput

__all__ = ["critique_question"]

_Verdict = Literal["good", "wrong", "ambiguous", "unanswerable"]


def critique_question(asked: QuestionCritiqueInput) -> QuestionCritiqueOutput:
    """Return what is wrong with a question: answered anew from the ground truth, and held against its answer.

    unanswerable: the truth does not lead to an answer. ambiguous: the question means several people, or several options
    fit. wrong: the truth leads to another answer.
    """
    if not asked.truth:
        return _says("unanswerable", "The ground truth says nothing of it.")
    known = evidence_of(asked.truth)
    question = understand(asked.question, known.persons, "")
    several = next((names for names in question.people if len(names) > 1), None)
    if several is not None:
        return _says("ambiguous", f"The question may mean {' or '.join(several)}.")
    who = question.people[0][0] if question.people else None
    if asked.options:
        return _of_choice(asked, question, known, who)
    if asked.answer.strip().lower() in ("yes", "no") and known.shown is not None:
        return _of_yes_or_no(asked, question, known, who)
    return _of_open(asked, question, known, who)


def _says(verdict: _Verdict, reason: str) -> QuestionCritiqueOutput:
    return QuestionCritiqueOutput(verdict=verdict, reason=reason)


def _of_choice(
    asked: QuestionCritiqueInput, question: Understood, known: Evidence, who: str | None
) -> QuestionCritiqueOutput:
    texts = [option.text for option in asked.options]
    letters = [option.letter for option in asked.options]
    if asked.answer not in letters:
        return _says("wrong", f"There is no option {asked.answer!r}.")
    plain = [re.sub(r"\W+", " ", text.lower()).strip() for text in texts]
    if len(set(plain)) < len(plain):
        return _says("ambiguous", "Two options are the same.")
    found = fitting(question, known, who, texts)
    if found is None:
        return _says("unanswerable", "The ground truth does not tell.")
    right = letters.index(asked.answer)
    if not found:
        return _says("wrong", "By the ground truth none of the options holds.")
    if right not in found:
        return _says("wrong", f"By the ground truth it is {texts[found[0]]!r}.")
    if len(found) > 1:
        return _says("ambiguous", f"{' and '.join(repr(texts[n]) for n in found)} fit as well as each other.")
    return _says("good", "The ground truth says so, and no other option fits.")


def _of_yes_or_no(
    asked: QuestionCritiqueInput, question: Understood, known: Evidence, who: str | None
) -> QuestionCritiqueOutput:
    if who is None:
        return _says("unanswerable", "The ground truth does not tell who is meant.")
    right = "yes" if so(question, known, who) else "no"
    if right != asked.answer.strip().lower():
        return _says("wrong", f"By the ground truth it is {right}.")
    return _says("good", "It follows from who is in the picture.")


def _of_open(
    asked: QuestionCritiqueInput, question: Understood, known: Evidence, who: str | None
) -> QuestionCritiqueOutput:
    told = of_history(question, known, who)
    if told is None:
        event = meant(question, known)
        told = UNKNOWN if event is None else of_event(question, event, who)
    if told == UNKNOWN:
        return _says("unanswerable", "The ground truth does not lead to an answer.")
    verdict = judge_answer(LifeJudgementInput(question=asked.question, truth=asked.answer, answer=told))
    if verdict.verdict == "Wrong":
        return _says("wrong", f"By the ground truth it is: {told}")
    return _says("good", "The ground truth leads to the same answer.")
