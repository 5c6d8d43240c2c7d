"""Does an answer follow from the thoughts before it? By the option or the words at which the thoughts arrive."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lifeloom.models.builtin.reader.claims import CARRIERS, Claims, Piece, claims_of, told, unknowing
from lifeloom.tasks.answer_reward_judgement import RewardVerdictOutput
from lifeloom.tasks.choice_answer import OptionText
from lifeloom.tasks.consistency_judgement import ConsistencyInput

__all__ = ["judge_consistency"]

_LEADING: Final = re.compile(r"^[\s*_(\[]*([A-Da-d])(?:[\s*_]*[)\].:,]|[\s*_]*$)")
_LETTERS: Final = re.compile(r"\(([A-Da-d])\)|\b(?:[Oo]ption|[Aa]nswer|[Cc]hoice|[Ll]etter)(?: is)?:? \(?([A-D])\b")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_OUT: Final = re.compile(
    r"\b(?:not|never|no longer|rules?d? out|ruling out|excludes?d?|(?:is|are) (?:therefore |thus )?out|unlike"
    r"|instead of|rather than|wrong|fails?|drops? out|eliminate[sd]?|except)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r",|;|\bbut\b|\bso\b|\bwhile\b|\bwhereas\b|\band\b|\bhence\b|\btherefore\b", re.IGNORECASE)
_YES_OR_NO: Final = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_CONCLUDES: Final = re.compile(r"\b(?:answer|verdict|so|therefore|hence)\b[^.;]{0,30}?\b(yes|no)\b", re.IGNORECASE)
_AGAINST: Final = re.compile(
    r"\b(?:too (?:\w+)|opposite|clash(?:es)?|contradicts?|at odds|mismatch|wrong|unsuitable|the reverse)\b",
    re.IGNORECASE,
)
_SHARE: Final = 0.6
"""Of an answer's own words that the thoughts must say."""
_GRADES: Final = ("0", "10")


def judge_consistency(asked: ConsistencyInput) -> RewardVerdictOutput:
    """Return whether the answer is what the thoughts arrive at.

    A choice must be the option at which the last thought arrives, by its letter or by its words. A yes or no must be
    what the last thought says. Of another answer the numbers, days and names, and most of the words, must have been
    thought, and not been ruled out last. No thought before the answer is inconsistent; so is knowing it after having
    found nothing, and the reverse.
    """
    last = asked.thoughts[-1].strip() if asked.thoughts else ""
    answer = asked.answer.strip()
    if not answer:
        return _verdict(asked, "there is no answer")
    if not last:
        return _verdict(asked, "no thought leads to the answer")
    if asked.options:
        chosen = _chosen(answer, asked.options)
        if chosen is None:
            return _verdict(asked, "it chooses no option")
        return _verdict(asked, _option(chosen, last, asked.options))
    said = _YES_OR_NO.match(answer)
    if said is not None:
        return _verdict(asked, "" if _leans(last) == said[1].lower() else "the thought says the opposite")
    return _verdict(asked, _open(asked, last, answer))


def _verdict(asked: ConsistencyInput, problem: str) -> RewardVerdictOutput:
    reason = f"It does not follow: {problem}."[:600] if problem else "The answer is what the thoughts arrive at."
    if asked.graded:
        return RewardVerdictOutput(reason=reason, verdict=_GRADES[not problem])
    return RewardVerdictOutput(reason=reason, verdict="Inconsistent" if problem else "Consistent")


def _chosen(answer: str, options: Sequence[OptionText]) -> str | None:
    """Return the letter of the option that an answer gives, by letter or by text."""
    found = _LEADING.match(answer)
    if found and any(option.letter == found[1].lower() for option in options):
        return found[1].lower()
    plain = _folded(answer)
    by_text = [option.letter for option in options if _folded(option.text) and _folded(option.text) == plain]
    by_text = by_text or [option.letter for option in options if _folded(option.text) and _folded(option.text) in plain]
    return by_text[0] if len(by_text) == 1 else None


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _option(chosen: str, thought: str, options: Sequence[OptionText]) -> str:
    """Return why the thought does not arrive at ``chosen``; empty where it does."""
    for sentence in reversed(_SENTENCE.split(thought)):
        named = {
            (match[1] or match[2]).lower()
            for clause in _CLAUSE.split(sentence)
            if not _OUT.search(clause)
            for match in _LETTERS.finditer(clause)
        }
        if named:
            if named == {chosen}:
                return ""
            return f"the thought arrives at {' and '.join(sorted(named))}"
    support = _support(thought, options)
    best = max(support.values(), default=0)
    if not best or not support[chosen]:
        return "the thought says nothing of that option"
    if support[chosen] < best or sum(value == best for value in support.values()) > 1:
        return "the thought speaks for another option"
    return ""


def _support(thought: str, options: Sequence[OptionText]) -> dict[str, int]:
    """Return for each option in how late a piece of the thought its own words are said and not ruled out; 0: none."""
    stems: dict[str, frozenset[str]] = {option.letter: claims_of(option.text).stems - CARRIERS for option in options}
    own = {
        letter: frozenset(one for one in mine if sum(one in other for other in stems.values()) == 1)
        for letter, mine in stems.items()
    }
    found: dict[str, int] = dict.fromkeys(own, 0)
    for number, piece in enumerate(claims_of(thought).pieces, 1):
        for letter, mine in own.items():
            if mine and any(told(one, piece.stems) for one in mine):
                found[letter] = 0 if piece.denied else number
    return found


def _leans(thought: str) -> str:
    """Return yes or no: what the thought concludes, else whether its last sentence denies."""
    concluded = _CONCLUDES.findall(thought)
    if concluded:
        return str(concluded[-1]).lower()
    pieces = claims_of(thought).pieces
    last = [piece for piece in pieces if piece.sentence == pieces[-1].sentence] if pieces else []
    sentence = next((one for one in reversed(_SENTENCE.split(thought)) if one.strip()), "")
    return "no" if any(piece.denied for piece in last) or _AGAINST.search(sentence) else "yes"


def _open(asked: ConsistencyInput, last: str, answer: str) -> str:
    nothing, knows_not = unknowing(last), unknowing(answer)
    if knows_not:
        return "" if nothing else "the thought knows an answer"
    if nothing:
        return "the thought has found nothing"
    question, given, thought = claims_of(asked.question), claims_of(answer), claims_of(last)
    wanted = (given.affirmed or given.stems) - question.stems - CARRIERS
    problem = _unsupported(given, wanted, (question, thought))
    if problem and len(asked.thoughts) > 1:  # the last thought need not repeat what was thought before
        problem = _unsupported(given, wanted, (question, thought, *map(claims_of, asked.thoughts[:-1])))
    if problem:
        return problem
    if not wanted:
        return "" if given.days or given.numbers else _same_polarity(given, thought)
    about = [piece for piece in thought.pieces if any(told(one, piece.stems) for one in wanted)]
    return _ruled_out(about, given)


def _unsupported(given: Claims, wanted: frozenset[str], sources: Sequence[Claims]) -> str:
    """Return what of an answer none of ``sources``, the question and thoughts, says; empty where they say enough."""
    if not given.days <= frozenset().union(*(one.days for one in sources)):
        return "no thought names that day"
    if not given.numbers <= frozenset().union(*(one.numbers for one in sources)):
        return "no thought gives that number"
    known = frozenset().union(*(one.stems for one in sources[1:]))
    missing = frozenset(one for one in wanted if not told(one, known))
    if (given.names & missing) or len(missing) > (1 - _SHARE) * len(wanted):
        return f"no thought speaks of {', '.join(sorted(missing)[:4])}"
    return ""


def _same_polarity(given: Claims, thought: Claims) -> str:
    denies = any(piece.denied for piece in given.pieces)
    return "" if denies == any(piece.denied for piece in thought.pieces) else "the thought says the opposite"


def _ruled_out(about: Sequence[Piece], given: Claims) -> str:
    if not about or any(piece.denied for piece in given.pieces):
        return ""
    return "the thought rules it out" if all(piece.denied for piece in about) else ""
