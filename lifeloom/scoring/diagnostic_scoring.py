"""Scoring answers to the diagnostic tasks: LSD, LAR and ITR (CoViP Appendix D)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import Provenance
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import ACTION_JUDGEMENT, ActionJudgementInput

__all__ = [
    "UNREADABLE_VERDICT",
    "KeywordScore",
    "PlaceScore",
    "Verdict",
    "judge_action",
    "parse_verdict",
    "plain_words",
    "score_keyword",
    "score_place",
]

UNREADABLE_VERDICT = "unreadable"
"""Failure of an answer whose judge said neither Correct nor Wrong."""
_TOKEN = re.compile(r"[^\W_]+")
_VERDICTS = {"Correct": True, "Wrong": False}
_FORMLESS = frozenset({"bad_json", "wrong_schema", "empty"})
"""Why a model's answer was rejected where it answered, but not in the form asked for."""


@dataclass(frozen=True)
class PlaceScore:
    """LSD: word F1 of an answer against the place, both 0..1."""

    multiset: float
    """Every word as often as it is said."""
    distinct: float
    """Every word once, as the public release counts."""


@dataclass(frozen=True)
class KeywordScore:
    """ITR: what an answer says of keywords."""

    triggered: bool
    """The keyword that is due is said; False where none is due. Its share is the paper's trigger success rate."""
    false_trigger: bool
    """A keyword is said that is not due."""
    correct: bool
    """The keyword that is due, if any, and no other."""


@dataclass(frozen=True)
class Verdict:
    """LAR: what the judge says of an answer."""

    correct: bool | None
    """None: it cannot be read, which counts as wrong."""
    failure: str
    made_by: Provenance


def plain_words(text: str) -> list[str]:
    """Return the words of ``text`` in lower case, without punctuation."""
    return _TOKEN.findall(text.lower().replace("'", "").replace("’", ""))


def score_place(answer: str, place: str) -> PlaceScore:
    """Return word F1 of ``answer`` against ``place``, in lower case and without punctuation."""
    said, wanted = plain_words(answer), plain_words(place)
    return PlaceScore(
        _f1((Counter(said) & Counter(wanted)).total(), len(said), len(wanted)),
        _f1(len(set(said) & set(wanted)), len(set(said)), len(set(wanted))),
    )


def score_keyword(answer: str, keyword: str, keywords: Collection[str]) -> KeywordScore:
    """Return what ``answer`` says of keywords: each counts as a word of its own, case as given.

    Args:
        answer: of the policy.
        keyword: that is due; empty: none.
        keywords: all of the context.
    """
    said = {one for one in {keyword, *keywords} if one and re.search(rf"(?<!\w){re.escape(one)}(?!\w)", answer)}
    triggered = keyword in said
    false_trigger = bool(said - {keyword})
    return KeywordScore(triggered, false_trigger, (triggered or not keyword) and not false_trigger)


def parse_verdict(text: str) -> bool | None:
    """Return whether a verdict says Correct or Wrong; None where it is anything else.

    The whole field must be one of the two words: "incorrect", "Correct.", both, or a sentence is no verdict.
    """
    return _VERDICTS.get(text)


def judge_action(judge: LanguageModel, action: str, answer: str) -> Verdict:
    """Ask whether ``answer`` says ``action``. An empty answer is put to nobody and is wrong.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """
    made_by = judge.identity.provenance(ACTION_JUDGEMENT)
    if not answer.strip():
        return Verdict(False, "", made_by)
    try:
        given = judge.run(ACTION_JUDGEMENT, ActionJudgementInput(action=action, answer=answer))
    except UNANSWERED as error:
        formless = isinstance(error, GenerationRejected) and error.reason in _FORMLESS
        return Verdict(None, UNREADABLE_VERDICT if formless else failure_of(error), made_by)
    correct = parse_verdict(given.output.verdict)
    return Verdict(correct, "" if correct is not None else UNREADABLE_VERDICT, given.provenance)


def _f1(both: int, said: int, wanted: int) -> float:
    return 2 * both / (said + wanted) if both else 0.0
