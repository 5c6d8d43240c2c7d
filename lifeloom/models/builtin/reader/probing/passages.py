"""Which parts of a caption speak of whom: names as topics, from one mention to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lifeloom.models.builtin.reader.english import STOPWORDS, lexicon

__all__ = ["Passage", "names_in", "passages_about"]

_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+|(?<=;)\s+")
_TOKEN = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}|[^\W_]+(?:['’][^\W_]+)?|[^\w\s]")
_NOT_NAMES = lexicon(
    "i january february march april may june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday user assistant the a an"
)
_PLACING = lexicon("at in to through into towards inside outside around via near")
"""Words before the name of a place."""
_TOGETHER = lexicon("with besides alongside by")
_OWNERS = lexicon("my your his her their our user's users")
_TOPIC_WORDS = lexicon(
    "is are was were see sees shows show shown called named meet met of and for it's that's here this says together "
    "from beside dog cat"
)
_PLACES = lexicon("place location venue spot site destination setting event occasion town city")
"""What "was" tells the name of where it is no person, animal or thing."""
_PUNCTUATION = frozenset(",:;.!?()\"'-–—")


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        return self.text.lower().replace("’", "'")

    @property
    def base(self) -> str:
        return self.lower.split("'", 1)[0]


@dataclass(frozen=True)
class Passage:
    """A part of a caption that speaks of what was asked about."""

    text: str


def names_in(text: str) -> frozenset[str]:
    """Return the proper names of a question, lower case: capitalised words that do not begin it."""
    tokens = _tokens(text)
    return frozenset(
        one.base
        for number, one in enumerate(tokens)
        if number > 0 and _is_name(one) and tokens[number - 1].text not in ".?!"
    )


def passages_about(caption: str, names: frozenset[str], options: tuple[str, ...]) -> list[Passage]:
    """Return the parts of ``caption`` that speak of all of ``names``; the whole of it where there are no names.

    A part goes from a mention to the next mention of somebody or something else with a name of its own. What comes
    before the first mention in its sentence belongs to it where nobody else is named there.

    Args:
        caption: what the judge reads.
        names: lower case.
        options: of the question: names in them are answers, not topics.
    """
    if not caption.strip():
        return []
    if not names:
        return [Passage(caption)]
    answers = {token.base for option in options for token in _tokens(option) if _is_name(token)} - names
    found: list[Passage] = []
    speaking = False
    for sentence in filter(None, _SENTENCE.split(caption)):
        mentions = _topics(sentence, names, answers)
        if not mentions:
            if speaking:
                found.append(Passage(sentence))
            continue
        before = sentence[: mentions[0][0]]
        if mentions[0][1] and len({one for _, one in mentions}) == 1:
            found.append(Passage(sentence))
            speaking = True
            continue
        if speaking and before.strip():
            found.append(Passage(before))
        for number, (start, own) in enumerate(mentions):
            end = mentions[number + 1][0] if number + 1 < len(mentions) else len(sentence)
            if own:
                found.append(Passage(sentence[start:end]))
            speaking = own
    return found


def _topics(sentence: str, names: frozenset[str], answers: set[str]) -> list[tuple[int, bool]]:
    """Return where somebody or something with a name comes up, and whether it is what was asked about."""
    tokens = _tokens(sentence)
    found: list[tuple[int, bool]] = []
    for number, token in enumerate(tokens):
        if token.base in names:
            start = _phrase_start(tokens, number)
            if not found or found[-1] != (start, True):
                found.append((start, True))
        elif _is_name(token) and token.base not in answers and _is_topic(tokens, number):
            found.append((_phrase_start(tokens, number), False))
    return found


def _is_topic(tokens: list[_Token], number: int) -> bool:
    """Return whether the name at ``number`` is what a sentence speaks of, and no place or company."""
    before = tokens[number - 1] if number else None
    if before is not None and _is_name(before) and number > 1:
        return False  # a further word of a longer name
    after = tokens[number + 1] if number + 1 < len(tokens) else None
    if before is None or before.text in '.!?"(':
        # A sentence begins with a capital whatever it begins with.
        return after is not None and (after.lower in _AFTER_A_TOPIC or after.text in (",", "and"))
    if before.lower in _PLACING or before.lower in _TOGETHER:
        return False
    if number > 1 and tokens[number - 2].lower in _OWNERS:
        return False  # "your cousin Petra"
    if before.lower in ("is", "was", "were", "are") and number > 1 and tokens[number - 2].lower in _PLACES:
        return False
    return before.lower in _TOPIC_WORDS or before.text in _PUNCTUATION


_AFTER_A_TOPIC = lexicon(
    "is was were are has had and who whom which stands sits stood sat came went walks joined appears wears holds "
    "lies looks poses smiles can"
)


def _phrase_start(tokens: list[_Token], number: int) -> int:
    """Return where the noun phrase of a name begins: ``the mug from Petra`` at its article."""
    first = number
    if number >= 2 and tokens[number - 1].lower == "from":
        first = number - 2
        if first >= 1 and tokens[first - 1].lower in ("the", "a", "an", *_OWNERS):
            first -= 1
    return tokens[first].start


def _is_name(token: _Token) -> bool:
    known = token.base in STOPWORDS or token.base in _NOT_NAMES
    return token.text[:1].isupper() and token.text[:1].isalpha() and len(token.base) > 1 and not known


def _tokens(text: str) -> list[_Token]:
    return [_Token(one[0], one.start(), one.end()) for one in _TOKEN.finditer(text)]
