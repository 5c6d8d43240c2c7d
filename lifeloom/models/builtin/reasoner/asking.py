"""What to look up next: words and a period for a retrieval, none twice in a trajectory."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lifeloom.models.builtin.reader.english import PEOPLE, RELATION_SYNONYMS, STOPWORDS, lexicon
from lifeloom.models.builtin.reader.orders import common_items
from lifeloom.models.builtin.reader.text import analyse, base, content_stems, stem, words_of
from lifeloom.models.builtin.reasoner.periods import period_in
from lifeloom.models.builtin.reasoner.reading import Conversation
from lifeloom.tasks.choice_answer import PICTURE_MARK
from lifeloom.tasks.response_step import ResponseStepInput, RetrievedRound

__all__ = ["Lookup", "clock", "keywords_of", "next_lookup"]

_MOST: Final = 12
"""Keywords a retrieval, at most."""
_ANYTHING: Final = ("news",)
"""Looked for where only a time is asked about: whatever was told then comes."""
# What people say of asking itself; it tells nothing of the matter.
_ABOUT_ASKING: Final = lexicon(
    """
    question questions quick quickly moment second minute answer answers remind reminder remember recall memory
    mention mentioned mentioning ask asked asking guess help hint idea choice choose pick option options best fit
    fits suit suits recommend suggest suggestion suggestions tip tips advise advice wondering wonder curious short
    shortly favour favor try going should might else thing things stuff kind sort way everything thought true right
    wrong sure certain exactly far judging according based conversation conversations chat chats showed shown show
    latest recent current present first last new different name names called word words please hey talk talked
    talking talks yesterday today tonight week weeks month months ago
    """
)


Urgency = Literal["needed", "missing", "rest"]
"""``needed``: without it nothing can be told. ``missing``: something was not heard of yet. ``rest``: what else there
is."""


@dataclass(frozen=True)
class Lookup:
    """A retrieval to ask for."""

    keywords: tuple[str, ...]
    why: str
    """In plain words, for the reasoning."""
    start: str = ""
    """``YYYY-MM-DD HH:MM`` on the user's clock; empty: open."""
    end: str = ""
    urgency: Urgency = "rest"


def clock(step: ResponseStepInput) -> dt.datetime | None:
    """Return the user's clock; None where it cannot be read."""
    try:
        return dt.datetime.strptime(step.now, "%Y-%m-%d %H:%M")  # noqa: DTZ007 - the user's clock has no zone here
    except ValueError:
        return None


def keywords_of(text: str, most: int = _MOST) -> tuple[str, ...]:
    """Return the words of ``text`` that say what it is about, in order, each once; names keep their capitals.

    Args:
        text: what is asked, or an option.
        most: how many at most; the first are kept.
    """
    found: dict[str, str] = {}
    for part in _telling(text.replace(PICTURE_MARK, " ")):
        found.update((root, word) for root, word in part.items() if root not in found)
    return tuple(found.values())[:most]


def _telling(text: str) -> list[dict[str, str]]:
    """Return the content words of each sentence of ``text`` by root.

    A sentence with next to none ("May I ask you something?") is left out where another says more.
    """
    rows = [_content(sentence.surface) for sentence in analyse(text).sentences]
    full = [row for row in rows if len(row) > 1]
    return full or rows


def _content(words: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for i, word in enumerate(words):
        lowered = base(word.lower())
        name = i > 0 and word[0].isupper() and lowered != "i"
        if not word[0].isalnum() or len(lowered) < 2 or lowered in STOPWORDS or (lowered in _ABOUT_ASKING and not name):
            continue
        found.setdefault(stem(lowered), base(word) if name else lowered)
    return found


def next_lookup(step: ResponseStepInput, heard: Conversation) -> Lookup | None:
    """Return what to look up now; None where every word has been tried.

    First the words of the question in the time that it names. Then, or where it names none, these and the words by
    which the options differ, if these tell much. Then the options of which nothing was heard; then other words for
    the people that are spoken of.

    Args:
        step: what may be known.
        heard: the same as a conversation.
    """
    now = clock(step)
    period = period_in(step.query, now) if now is not None else None
    asked = keywords_of(step.query)
    timeless = [found for found in step.rounds if not (found.start_time or found.end_time)]
    if period is not None and not step.rounds:
        words = asked or _told_apart(step)[:_MOST] or _ANYTHING
        return Lookup(words, "what it speaks of, in the time that it names", period.start, period.end, "needed")
    if not timeless:
        words = _mixed(asked, _told_apart(step)) if _tell_much(step) else asked or _told_apart(step)
        why = "what it and its options speak of" if step.options else "what it speaks of"
        return Lookup(words, why, urgency="needed") if words else None
    tried = {_root(word) for found in timeless for phrase in found.keywords for word in words_of(phrase)}
    candidates: tuple[tuple[tuple[str, ...], str, Urgency], ...] = (
        (_in_turn(_missing(step, heard)), "the options of which I have heard nothing", "missing"),
        (asked, "what it speaks of", "rest"),
        (_other_words(asked), "other words for the same", "rest"),
    )
    for wanted, why, urgency in candidates:
        fresh = tuple(word for word in wanted if _root(word) not in tried)
        words = tuple(dict.fromkeys([*fresh, *wanted]))[:_MOST]
        if words and (fresh or not _asked_alone(words, timeless)):
            return Lookup(words, why, urgency=urgency)
    return None


def _root(word: str) -> str:
    return stem(base(word.lower()))


def _asked_alone(words: Sequence[str], rounds: Sequence[RetrievedRound]) -> bool:
    """Whether a retrieval asked for these words and few others, so that asking again brings little."""
    wanted = {_root(word) for word in words}
    for found in rounds:
        roots = {_root(word) for phrase in found.keywords for word in words_of(phrase)}
        if wanted <= roots and len(roots) <= 2 * len(wanted):
            return True
    return False


def _missing(step: ResponseStepInput, heard: Conversation) -> list[tuple[str, ...]]:
    """Return the words of each option, or of each item that the options put in order, of which nothing was heard."""
    said = frozenset(
        root for message in heard.messages if message.role == "user" for root in content_stems(message.text)
    ).union(*(picture.stems for picture in heard.looked))
    return [words for words in _rows(step) if words and not any(_root(word) in said for word in words)]


def _rows(step: ResponseStepInput) -> list[tuple[str, ...]]:
    """Return the words that tell each option from the others; the words of each item where options only order them."""
    texts = [option.text for option in step.options]
    common = common_items(texts) if len(texts) > 1 else None
    rows = [keywords_of(text) for text in texts]
    if common is not None:
        spelled = {_root(word): word for row in rows for word in row}
        return [tuple(spelled.get(root, root) for root in item) for item in common[0]]
    counts = Counter(_root(word) for row in rows for word in row)
    return [tuple(word for word in row if counts[_root(word)] < len(rows)) for row in rows]


def _tell_much(step: ResponseStepInput) -> bool:
    """Whether memories can be found by the options: they name people or more than a colour or a number each."""
    rows = [row for row in _rows(step) if row]
    if not rows:
        return False
    words = sum(len(row) for row in rows)
    named = any(word[0].isupper() for row in rows for word in row)
    return named or words >= 2 * len(rows)


def _told_apart(step: ResponseStepInput) -> tuple[str, ...]:
    return _in_turn(_rows(step))


def _in_turn(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    longest = max((len(row) for row in rows), default=0)
    return tuple(dict.fromkeys(row[i] for i in range(longest) for row in rows if i < len(row)))


def _mixed(asked: Sequence[str], options: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*asked[:6], *options]))[:_MOST]


def _other_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return synonyms of the words for people among ``words``."""
    found: list[str] = []
    for word in words:
        lowered = base(word.lower())
        if lowered not in PEOPLE:
            continue
        head = RELATION_SYNONYMS.get(lowered, lowered)
        found += [other for other, group in RELATION_SYNONYMS.items() if group == head and other != lowered]
    return tuple(found)
