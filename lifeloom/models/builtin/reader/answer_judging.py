"""Is an assistant's open answer right? Held against the right answer by numbers, days, names and words, no weights."""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.reader.claims import CARRIERS, Claims, claims_of, told, unknowing
from lifeloom.models.builtin.reader.english import PEOPLE, SUBJECT_PRONOUNS, lexicon
from lifeloom.models.builtin.reader.text import stem
from lifeloom.tasks.answer_reward_judgement import AnswerRewardInput, RewardVerdictOutput

__all__ = ["judge_open_answer"]

_HEDGES: Final = frozenset({"either", "or", "maybe", "perhaps", "possibly"})
_YES_OR_NO: Final = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_ASKS_YES_OR_NO: Final = re.compile(
    r"\W*(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should)\b", re.IGNORECASE
)
_REPORTED: Final = re.compile(r"\b(?:told|said|mentioned|wrote|noted|shared|memory|message)\b", re.IGNORECASE)
_JOINS: Final = frozenset({"and", "plus"})
_BEGINS_CLAUSE: Final = SUBJECT_PRONOUNS | lexicon("is was are were has had will would can then there also so that")
_SHORT: Final = 3
"""Words of a right answer up to which none may be missing."""
_MOST_MISSING: Final = 0.34
_LONGEST_VALUE: Final = 3
"""Words that a second value, joined by ``and``, has at most."""
_PEOPLE: Final = frozenset(stem(word) for word in PEOPLE)
_GRADES: Final = 10


def judge_open_answer(asked: AnswerRewardInput) -> RewardVerdictOutput:
    """Return whether the answer says what the right answer says in reply to the question, and nothing against it.

    What the question says need not be said again. Another number or day, several values, a denial of the value, and not
    knowing are wrong. Graded, a right answer has 10, one that only lacks words has their share, all else 0.
    """
    answer = asked.answer.strip()
    if not answer or (unknowing(answer) and not unknowing(asked.right)):
        return _verdict(asked, "it gives no answer", 0.0)
    if _folded(answer) == _folded(asked.right):
        return _verdict(asked, "", 1.0)
    question, right, given = claims_of(asked.question), claims_of(asked.right), claims_of(answer)
    if not _HEDGES.isdisjoint(given.words) and _HEDGES.isdisjoint(right.words):
        return _verdict(asked, "it leaves open which of several it is", 0.0)
    said = _YES_OR_NO.match(asked.right)
    if said is not None and _ASKS_YES_OR_NO.match(asked.question):
        problem = _polarity(said[1].lower(), given) or _days(question, right, given, needed=False)
        return _verdict(asked, problem, 0.0 if problem else 1.0)
    wanted = _wanted(question, right)
    problem = (
        _days(question, right, given, needed=True)
        or _numbers(question, right, given)
        or _denied(wanted, right, given)
        or _several(question, right, given)
    )
    if problem:
        return _verdict(asked, problem, 0.0)
    present = given.stems if right.denied else given.affirmed
    missing = frozenset(one for one in wanted if not told(one, present))
    if _enough(wanted, missing, right):
        return _verdict(asked, "", 1.0)
    return _verdict(asked, f"it does not say {', '.join(sorted(missing)[:4])}", 1.0 - len(missing) / len(wanted))


def _verdict(asked: AnswerRewardInput, problem: str, share: float) -> RewardVerdictOutput:
    reason = f"The answer is wrong: {problem}."[:600] if problem else "The answer says what the right answer says."
    if asked.graded:
        return RewardVerdictOutput(reason=reason, verdict=str(min(int(_GRADES * share), _GRADES - bool(problem))))
    return RewardVerdictOutput(reason=reason, verdict="Wrong" if problem else "Correct")


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _wanted(question: Claims, right: Claims) -> frozenset[str]:
    """Return the stems that an answer must say; of a question that names alternatives, the one that is right."""
    own = frozenset(one for one in right.stems - CARRIERS if not one[0].isdigit()) | right.numbers
    if "or" in question.words:
        alternatives = _around_or(question)
        chosen = own & alternatives
        if chosen:
            return chosen
    return own - question.stems or own


def _around_or(question: Claims) -> frozenset[str]:
    place = question.words.index("or")
    near = " ".join(question.words[max(0, place - _LONGEST_VALUE) : place + _LONGEST_VALUE + 1])
    return claims_of(near).stems


def _polarity(right: str, given: Claims) -> str:
    plain = _YES_OR_NO.match(given.text)
    says = plain[1].lower() if plain else ("no" if any(piece.denied for piece in given.pieces) else "yes")
    return "" if says == right else "it says the opposite"


def _days(question: Claims, right: Claims, given: Claims, *, needed: bool) -> str:
    """Compare days; one on which something was told is no part of the answer."""
    wanted = right.days - question.days
    if not wanted:
        return ""
    if needed and not all(any(_same_day(one, other) for other in given.days) for one in wanted):
        return f"the day is {', '.join(sorted(wanted))}"
    known = right.days | question.days
    extra = [one for one in given.days if not any(_same_day(one, other) for other in known)]
    return "it names another day" if extra and not _REPORTED.search(given.text) else ""


def _same_day(one: str, other: str) -> bool:
    return one == other or (len(one) != len(other) and (one.endswith(other) or other.endswith(one)))


def _numbers(question: Claims, right: Claims, given: Claims) -> str:
    wanted = right.numbers - question.numbers
    if not wanted:
        return ""
    if not wanted <= given.numbers:
        return f"the number is {', '.join(sorted(wanted))}"
    return "it gives other numbers as well" if given.numbers - right.numbers - question.numbers else ""


def _denied(wanted: frozenset[str], right: Claims, given: Claims) -> str:
    """Whether what is asked for is said to be otherwise: denied in every place that speaks of it."""
    about = [piece for piece in given.pieces if any(told(one, piece.stems) for one in wanted)]
    if not about:
        return ""
    denies = all(piece.denied for piece in about)
    if right.denied & wanted:
        return "" if any(piece.denied for piece in given.pieces) else "it says what is not so"
    return "it denies it" if denies else ""


def _several(question: Claims, right: Claims, given: Claims) -> str:
    """Whether a second value is joined to the first: ``the violin and the piano``."""
    known = right.stems | question.stems | CARRIERS
    words = given.words
    for place, word in enumerate(words):
        if word not in _JOINS:
            continue
        joined: list[str] = []
        for following in words[place + 1 :]:
            if not following[0].isalnum() or following in _JOINS or following == "but":
                break
            joined.append(following)
        if not joined or joined[0] in _BEGINS_CLAUSE:
            continue
        stems = claims_of(" ".join(joined)).stems
        if stems and len(stems) <= _LONGEST_VALUE and not any(told(one, known) for one in stems):
            return "it gives another value as well"
    return ""


def _enough(wanted: frozenset[str], missing: frozenset[str], right: Claims) -> bool:
    if not missing:
        return True
    names = right.names & wanted
    if names and not names & missing:  # who is named need not be called an aunt as well
        missing = missing - _PEOPLE
        if not missing:
            return True
    if missing & names or len(wanted) <= _SHORT:
        return False
    return len(missing) <= _MOST_MISSING * len(wanted)
