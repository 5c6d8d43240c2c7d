"""Is an open answer right? Held against the ground truth by what both say: names, numbers, days, things, activities."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from lifeloom.models.builtin.reader.activities import ActivityMention
from lifeloom.models.builtin.reader.kinship import RELATION_WORDS
from lifeloom.models.builtin.reader.life.asking import AskedThing, anchor_span
from lifeloom.models.builtin.reader.life.said import Said, asks_who, left_over, names_in, said, says_none
from lifeloom.tasks.life_judgement import LifeJudgementInput, LifeJudgementOutput

__all__ = ["judge_answer"]

_UNKNOWN: Final = re.compile(
    r"\b(?:do not|don['’]t|does not|doesn['’]t|cannot|can['’]t|can not|not|impossible to|unable to|hard to) "
    r"(?:know|tell|say|sure|determine|be determined)\b|\bunknown\b|\bno idea\b|\bnot (?:enough|clear)\b",
    re.IGNORECASE,
)
_HEDGE: Final = re.compile(r"\beither\b|\bor (?:perhaps|maybe|possibly)\b|\bmaybe\b.*\bor\b", re.IGNORECASE)
_YES_OR_NO: Final = re.compile(r"\s*(yes|no)\b", re.IGNORECASE)
_ASKS_YES_OR_NO: Final = re.compile(r"\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b", re.IGNORECASE)
_ORDERED: Final = re.compile(r"left to right|in order\b|most frequent first|\bthen\b|\border\b", re.IGNORECASE)
_ASKS_ACTIVITY: Final = re.compile(
    r"\bdo(?:ing|es|ne)?\b|\bdid\b|\bactivit|going on|\bwhat (?:was|is) (?:it|shown)|\babout\b|happen|\bcame\b|follow"
    r"|takes? part|took part"
)
_ASKS_THINGS: Final = re.compile(r"\bobjects?\b|\bthings?\b|\bwhat else\b|can be seen|beside|hold|wear|colou?r")
_OPPOSITES: Final = (("before", "after"), ("earlier", "later"), ("first", "last"))
_MOST_OF_LONG: Final = 0.4
_STEM: Final = 4
"""Letters from which on one word may be another with an ending."""
_LONG: Final = 7
"""Words that a free truth has when it tells more than one key fact."""
_GENERIC: Final = {
    "celebration": "celebrations",
    "playing music": "music",
    "crafts": "crafts",
    "having tea": "tea and coffee",
}
"""Activities that say no more than the family that they are of."""


def judge_answer(asked: LifeJudgementInput) -> LifeJudgementOutput:
    """Return whether the answer states what the truth states, and nothing that contradicts it.

    What the question says itself an answer need not repeat. An answer that names more of a kind than the truth does
    (people, days, places, activities, things) contradicts it; one that leaves open which of several holds is no answer.
    """
    answer = asked.answer.strip()
    if not answer or (_UNKNOWN.search(answer) and not _UNKNOWN.search(asked.truth)):
        return _wrong("The candidate gives no answer.")
    if _HEDGE.search(answer) and not _HEDGE.search(asked.truth):
        return _wrong("The candidate leaves open which of several it is.")
    names = names_in(asked.question, asked.truth, answer)
    start, end = anchor_span(asked.question)  # what an event is told apart by, the answer may well say again
    question = said(f"{asked.question[:start]} {asked.question[end:]}", names)
    truth, given = said(asked.truth, names), said(answer, names)
    if _YES_OR_NO.match(asked.truth) and _ASKS_YES_OR_NO.match(asked.question):
        whole = said(asked.question, names)
        problem = _polarity(whole, truth, given) or _strangers(whole, truth, given)
    else:
        checks = (_dates, _people, _order, _counted, _activity, _place, _time, _objects, _rest)
        problem = next((found for check in checks if (found := check(question, truth, given))), "")
    if problem:
        return _wrong(problem)
    return LifeJudgementOutput(verdict="Correct", reason="The candidate states what the ground truth states.")


def _wrong(reason: str) -> LifeJudgementOutput:
    return LifeJudgementOutput(verdict="Wrong", reason=reason)


def _polarity(question: Said, truth: Said, given: Said) -> str:
    """Return whether the answer says no where the truth says yes, or the reverse."""
    no = (_YES_OR_NO.match(truth.text) or [""])[0].strip().lower() == "no"
    plain = _YES_OR_NO.match(given.text)
    if plain is not None:
        says_no = plain[1].lower() == "no"
    else:
        says_no = given.denies
        for pair in _OPPOSITES:
            theirs = [word for word in pair if re.search(rf"\b{word}\b", given.text.lower())]
            asked = [word for word in pair if re.search(rf"\b{word}\b", question.text.lower())]
            if len(theirs) == 1 and len(asked) == 1:
                says_no = says_no != (theirs != asked)
    return "The candidate says the opposite." if says_no != no else ""


def _strangers(question: Said, truth: Said, given: Said) -> str:
    extra = [name for name in given.names if name not in truth.names and name not in question.names]
    return f"The candidate names {', '.join(extra)}, whom the ground truth does not." if extra else ""


def _dates(question: Said, truth: Said, given: Said) -> str:
    wanted = truth.dates - question.dates
    if not wanted <= given.dates or given.dates - truth.dates - question.dates:
        return f"The ground truth is {', '.join(sorted(wanted or truth.dates) or ['no other day'])}."
    return ""


def _subject(truth: Said) -> frozenset[str]:
    """Return of whom a truth speaks (``With Ana: Bo``, ``Ana was with Bo``), not whom it tells."""
    match = re.match(r"\s*(?:with ([\w-]+):|([\w-]+) (?:was|is|were) (?:there )?with\b)", truth.text, re.IGNORECASE)
    return frozenset() if match is None else frozenset({match[1] or match[2]}) & frozenset(truth.names)


def _people(question: Said, truth: Said, given: Said) -> str:
    subject, theirs = _subject(truth), _subject(given)
    if subject and theirs and subject != theirs:
        return f"The candidate speaks of {', '.join(theirs)}."
    known = {*question.names, *subject}
    wanted = [name for name in truth.names if name not in known] if asks_who(question.text) else []
    missing = [name for name in wanted if name not in given.names and not _by_relation(name, truth, given)]
    if missing:
        return f"The candidate does not name {', '.join(missing)}."
    extra = [name for name in given.names if name not in truth.names and name not in known]
    if extra:
        return f"The candidate names {', '.join(extra)}, whom the ground truth does not."
    if given.denied & set(truth.names):
        return f"The candidate says that {', '.join(sorted(given.denied & set(truth.names)))} was not there."
    if asks_who(question.text) and truth.nobody and not given.nobody:
        return "The candidate does not say that there was nobody."
    if given.nobody and not truth.nobody and wanted:
        return "The candidate says that there was nobody."
    return ""


def _by_relation(name: str, truth: Said, given: Said) -> bool:
    """Whether the answer means somebody by the relation that the truth gives: ``David's mother, Zosime``."""
    match = re.search(rf"({'|'.join(RELATION_WORDS)}),? {re.escape(name)}\b", truth.text, re.IGNORECASE)
    return match is not None and bool(re.search(rf"\b{re.escape(match[1])}\b", given.text, re.IGNORECASE))


def _order(question: Said, truth: Said, given: Said) -> str:
    if not _ORDERED.search(f"{question.text} {truth.text}"):
        return ""
    for mine, theirs in (
        (truth.names, given.names),
        (truth.places, given.places),
        (_families(truth.activities), _families(given.activities)),
    ):
        both = [one for one in theirs if one in mine]
        if len(mine) >= 2 and both != [one for one in mine if one in both]:
            return "The candidate gives another order."
    return ""


def _families(mentions: Sequence[ActivityMention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.family for one in mentions))


def _counted(question: Said, truth: Said, given: Said) -> str:
    wanted = truth.numbers - question.numbers
    if not wanted:
        return ""
    if wanted == {0} and says_none(given):
        return ""
    if not wanted <= given.numbers:
        return f"The ground truth is {', '.join(map(str, sorted(wanted)))}."
    if given.numbers - truth.numbers - question.numbers:
        return "The candidate gives other numbers as well."
    return ""


def _activity(question: Said, truth: Said, given: Said) -> str:
    if _ASKS_THINGS.search(question.text.lower()) and not _ASKS_ACTIVITY.search(question.text.lower()):
        return ""
    if not truth.activities or len(frozenset().union(*left_over(truth.text, frozenset(truth.names)))) >= 3:
        return ""  # a truth in many words of its own is compared by all of them
    asked = set(_families(question.activities))
    for one in truth.activities:
        if one.family in asked and one.name == one.family:
            continue
        if not any(_same_activity(one, other) for other in given.activities):
            return f"The ground truth is {one.name}."
    for other in given.activities:
        if other.family not in asked and not any(_same_activity(one, other) for one in truth.activities):
            return f"The candidate names {other.name} as well."
    return ""


def _same_activity(one: ActivityMention, other: ActivityMention) -> bool:
    """Whether two activities are the same, or one of them says only what the other is a form of."""
    if one.family != other.family:
        return False
    return one.name == other.name or any(
        who.name == who.family or _GENERIC.get(who.name) == who.family for who in (one, other)
    )


def _place(question: Said, truth: Said, given: Said) -> str:
    wanted = [place for place in truth.places if place not in question.places]
    missing = [place for place in wanted if place not in given.places]
    if missing:
        return f"The ground truth is {', '.join(missing)}."
    if truth.places and set(given.places) - set(truth.places) - set(question.places):
        return "The candidate gives another place as well."
    return ""


def _time(question: Said, truth: Said, given: Said) -> str:
    if (
        truth.times
        and re.search(r"time of (?:the )?day|\bwhen\b", question.text.lower())
        and truth.times != given.times
    ):
        return f"The ground truth is {', '.join(sorted(truth.times))}."
    return ""


def _objects(question: Said, truth: Said, given: Said) -> str:
    asked = question.text.lower()
    if re.search(r"\bcolou?rs?\b", asked):
        if truth.colours != given.colours - (question.colours - truth.colours):
            return f"The ground truth is {', '.join(sorted(truth.colours))}."
        return ""
    wanted = [one for one in truth.things if not _said_by(one, question)]
    for one in wanted:
        if not any(_same_thing(one, other) for other in given.things):
            return f"The candidate does not name the {one.colour} {one.name}.".replace("  ", " ")
    if wanted:
        for other in given.things:
            if not _said_by(other, question) and not any(_same_thing(one, other) for one in truth.things):
                return f"The candidate names a {other.name} that is not there."
    return ""


def _said_by(one: AskedThing, question: Said) -> bool:
    """Whether the question names a thing itself; one of another colour is another thing."""
    return any(
        one.name == other.name and (not one.colour or not other.colour or one.colour == other.colour)
        for other in question.things
    )


def _same_thing(one: AskedThing, other: AskedThing) -> bool:
    """Whether ``other`` says all that the truth says of a thing."""
    if one.name != other.name or (one.colour and one.colour != other.colour):
        return False
    return max(one.count, 1) == max(other.count, 1)


def _rest(question: Said, truth: Said, given: Said) -> str:
    """Compare what is said in other words: each part of the truth in full, a long truth by the most of it."""
    names = frozenset({*truth.names, *given.names, *question.names})
    parts = [frozenset(one for one in part if not _told(one, question.stems)) for part in left_over(truth.text, names)]
    parts = [part for part in parts if part]
    whole = frozenset().union(*parts)
    if not whole:
        return ""
    told = frozenset(one for one in whole if _told(one, given.stems))
    if len(whole) >= _LONG:
        short = len(told) < _MOST_OF_LONG * len(whole)
        return f"The candidate does not say {', '.join(sorted(whole - told)[:4])}." if short else ""
    known = truth.stems | question.stems
    strange = any(not _told(one, known) for part in left_over(given.text, names) for one in part)
    for part in parts:
        missing = part - told
        if 2 * len(missing) > len(part) or (missing and strange):
            return f"The candidate does not say {', '.join(sorted(missing)[:4])}."
    return ""


def _told(stem: str, stems: Collection[str]) -> bool:
    """Whether a word is among others, in this or another form (``rain``, ``rainy``; ``visit``, ``revisit``)."""
    return stem in stems or any(
        min(len(stem), len(one)) >= _STEM
        and (stem.startswith(one) or one.startswith(stem) or f"re{stem}" == one or f"re{one}" == stem)
        for one in stems
    )
