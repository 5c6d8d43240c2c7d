"""Does an answer say what somebody had to do: the same doing with the same thing, in whatever words, and no other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Final

from lifeloom.models.builtin.reader.english import STOPWORDS, lexicon
from lifeloom.models.builtin.reader.life.asking import NUMBER_WORDS, without_dates
from lifeloom.models.builtin.reader.text import base, stem, words_of
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.action_judgement import ActionJudgementInput, ActionJudgementOutput

__all__ = ["judge_action"]

_UNKNOWN: Final = re.compile(
    r"\b(?:do not|don['’]t|did not|didn['’]t|does not|cannot|can['’]t|can not|not|unable to) "
    r"(?:know|tell|say|sure|clear|mention|determine|be determined)\b|\bunknown\b|\bno idea\b",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(r"\b(?:not|never|no|nothing|without|instead of|rather than)\b|n['’]t\b", re.IGNORECASE)
_OPEN: Final = re.compile(r"\beither\b|\bor\b|\bmaybe\b|\bperhaps\b|\bpossibly\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[,;.!?]+|\band\b", re.IGNORECASE)
_ADJUNCT: Final = re.compile(
    r"\b(?:at|to|from|for|before|after|about|of|on|onto|in|into|off|down|with|that|which|by|until)\b", re.IGNORECASE
)
_BACK: Final = re.compile(r"\b(?:bring|brings|bringing|brought|take|taking|took|taken|give|giving|gave|carry|carrying)"
                          r"\b(?P<what>[^.,;]{0,60}?)\bback\b", re.IGNORECASE)  # fmt: skip
_PICK: Final = re.compile(r"\bpick(?:ed|ing|s)?\b(?P<what>[^.,;]{0,40}?)\bup\b", re.IGNORECASE)
_GET: Final = re.compile(r"\b(?:get|gets|getting)\b(?! to\b)", re.IGNORECASE)
_SAME: Final = {
    one: words[0]
    for words in (
        ("collect", "fetch"),
        ("buy", "purchase"),
        ("book", "reserve"),
        ("post", "mail", "send"),
        ("finish", "complete"),
        ("rent", "rental", "hire"),
        ("take", "bring", "carry", "drive"),
        ("call", "phone", "ring", "telephone"),
        ("repair", "fix", "mend"),
        ("clean", "wash"),
        ("close", "shut"),
        ("begin", "start"),
        ("talk", "speak", "chat"),
        ("flat", "apartment"),
        ("present", "gift"),
        ("car", "automobile"),
        ("bicycle", "bike"),
        ("parcel", "package"),
        ("film", "movie"),
        ("rubbish", "garbage", "trash"),
    )
    for one in (stem(word) for word in words)
}
"""Stem to the first of its group: everyday words that mean the same of an errand."""
_CARRIERS: Final = frozenset(
    stem(one)
    for one in lexicon(
        """
        need needed able about way plan planned try busy task errand mention mentioned last time person image picture
        user soon later quickly must forgot forget remember reminded remind nearly just doing moment next on see met
        """
    )
)
"""Words about having something to do, which say nothing of what."""
_ENDS: Final = frozenset(".!?:")
_LEAST_CORE: Final = 2
_MOST_MISSING: Final = 1 / 3
_ALIKE: Final = 0.62
"""Cosine from which on words that differ may say the same."""
_STRANGE: Final = 2
"""Words of a part of an answer that is about something else."""


def judge_action(asked: ActionJudgementInput, encoder: Callable[[], TextEncoder]) -> ActionJudgementOutput:
    """Return Correct where the answer names the action, and nothing else that is to be done; else Wrong.

    What is done and to what must be said, in the same words or in others that mean the same. Where, when and what for
    may be left out and not be replaced. The text encoder decides where a part of the words is missing.
    """
    answer = asked.answer
    if _UNKNOWN.search(answer) or (_DENIED.search(answer) and not _DENIED.search(asked.action)):
        return _verdict(correct=False)
    if _OPEN.search(answer) and not _OPEN.search(asked.action):
        return _verdict(correct=False)
    core, rest = _core(asked.action)
    wanted = core | rest
    said = _stems(answer)
    if _numbers(said) and _numbers(wanted) and _numbers(said) != _numbers(wanted):
        return _verdict(correct=False)
    for part in _CLAUSE.split(answer):
        own = _stems(part) - _CARRIERS
        if len(own) >= _STRANGE and not own & wanted:
            return _verdict(correct=False)
    missing = core - said
    if not missing and (not rest or rest & said or not said - wanted - _CARRIERS):
        return _verdict(correct=True)
    if len(missing) > _MOST_MISSING * len(core):
        return _verdict(correct=False)
    first, second = encoder().encode([asked.action, answer])
    return _verdict(correct=float(first @ second) >= _ALIKE)


def _verdict(*, correct: bool) -> ActionJudgementOutput:
    return ActionJudgementOutput(verdict="Correct" if correct else "Wrong")


def _core(action: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of what is done to what, and those of where, when and what for."""
    plain = _folded(action)
    places = [0, *(match.start() for match in _ADJUNCT.finditer(plain)), len(plain)]
    parts = [_stems(plain[start:end]) for start, end in itertools.pairwise(places)]
    core: frozenset[str] = frozenset()
    for number, part in enumerate(parts):
        core |= part
        if len(core) >= _LEAST_CORE:
            return core, frozenset().union(*parts[number + 1 :]) - core
    return core, frozenset()


def _folded(text: str) -> str:
    """Return ``text`` with verbs of two words as one."""
    text = _BACK.sub(lambda match: f"return {match['what']}", text)
    text = _PICK.sub(lambda match: f"collect {match['what']}", text)
    return _GET.sub("buy", text)


def _stems(text: str) -> frozenset[str]:
    """Return the stems of content words, numbers as digits; names, days and keywords in capitals do not count."""
    found = set()
    before = "."
    for word in words_of(without_dates(_folded(text))):
        lowered, named = word.lower(), before not in _ENDS and word[0].isupper()
        before = word
        if not word[0].isalnum() or base(lowered) in STOPWORDS or named or (len(word) > 1 and word.isupper()):
            continue
        root = stem(lowered)
        found.add(str(NUMBER_WORDS[lowered]) if lowered in NUMBER_WORDS else _SAME.get(root, root))
    return frozenset(found)


def _numbers(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in stems if one.isdigit())
