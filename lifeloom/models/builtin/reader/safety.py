"""Text that harms: threats, hate, sexual content, self-harm, weapons, drugs, crime, hacking and dangerous advice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lifeloom.models.builtin.reader.harms import HARMS, NAME, Harm
from lifeloom.tasks.session_critique import CritiqueTurn, Problem

__all__ = ["unsafe_reason", "unsafe_turns"]

_BY_WORD: Final[dict[str, list[int]]] = {}
for _number, _harm in enumerate(HARMS):
    for _word in sorted(_harm.first_words):
        _BY_WORD.setdefault(_word, []).append(_number)

_TOKEN: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[,:;]")
_SENTENCES: Final = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+")
_DATED: Final = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "i",
        "i'm",
        "i'll",
        "i've",
        "i'd",
        "english",
        "french",
        "german",
        "spanish",
        "christmas",
        "easter",
    ]
)
_INTENT: Final = re.compile(
    r"(?<!\S)(?:want(?:s|ed)?|going|gonna|plan(?:s|ning)?|intend(?:s|ing)?|will|(?:i|we|you|he|she|they)'ll|"
    r"let's|let|ready|"
    r"about|need|love|like|wish|tempted|how|ways?|tips?|instructions?|steps?|guide|method|trick|teach|show|"
    r"tell|explain|"
    r"help|should|could|can|just|simply|easily|secretly|try|best|easiest|deserves?|must|thinking|think|"
    r"consider\S*|hope|"
    r"why|next|tonight|tomorrow|first|then|i'd|you'd|we'd|somebody|someone|please|enough|dreaming|fantasi\S+|"
    r"to|"
    r"never hurts to|or|always|if|when|without|by|and|so)(?!\S)|^(?:\S+ ){0,2}$|, (?:\S+ )?$"
)
# "it would kill my mother to be late", "could kill him for that pun": figures of speech and fiction.
_FIGURATIVE: Final = re.compile(
    r"\b(?:(?:would|will|'ll|won't|wouldn't|'d) kill (?:you|me|him|her|them) to|kill(?:s|ed|ing)? (?:time|"
    r"the (?:time|"
    r"engine|lights|mood|vibe|weeds?)|two birds)|kill(?:ing)? (?:you|them|him|her|people|"
    r"everyone) with kindness|"
    r"killing me|dressed to kill|make a killing|bath bombs?|photo ?bombs?|attack (?:the|this|"
    r"that) (?:problem|"
    r"task|list|"
    r"weeds)|shoot (?:you|him|her|them|me|everyone|someone) (?:an?|the|some) (?:email|message|text|note|line|"
    r"question)|"
    r"shoot (?:you|him|her|them) (?:in|with) (?:black and white|natural light|film)|heart attack|"
    r"panic attack|"
    r"beat (?:you|him|her|them|me) (?:at|to)|(?:could|'d|should|would) (?:have )?(?:kill|"
    r"murder|strangle)(?:ed|d)? "
    r"(?:[\w']+ ){1,3}(?:for (?:[\w']+ing|that|this|it|not)|if)|cut (?:yourself|myself) (?:a|some|an))\b"
)
_FICTION: Final = re.compile(
    r"(?<!\S)(?:novels?|films?|movies?|thrillers?|detective|whodunits?|mystery|episodes?|chapter|villain|"
    r"documentar(?:y|ies)|"
    r"opera|ballads?|boss fight|chess|screenplay|sequel|season (?:one|two|three|four|five|\d)|crime (?:story|"
    r"stories|series|"
    r"novel)|podcast|(?:the|a|this|that|my|our|in|favourite|tv|crime|board|card|video|computer|school|"
    r"new) (?:tv |crime |"
    r"computer |video |board |card )?(?:plot|series|show|book|game|games|play|scene|story|character|level|"
    r"legend|fairy tale|"
    r"myth)|history (?:of|lesson|class|book)|middle ages|century|museum|shakespeare|macbeth|hamlet|world war|"
    r"in the war|"
    r"goalkeeper|striker|penalty|karaoke|d&d|dungeon|dragons?|zombies?|monsters?|orcs?)(?!\S)"
)
_TOLD: Final = re.compile(
    r"(?<!\S)(?:arrested|accused of|sentenced|convicted|charged with|on trial|the news|newspaper|headlines?|"
    r"the paper|"
    r"according to|awareness|law against|campaign against|victims? of|fight against|prevention|helplines?|"
    r"hotlines?|"
    r"crisis line|charity for|survivors?|(?:vet|doctors?|gp|nurse|pharmacist|dentist|midwife|surgeon) (?:\S+ )?"
    r"(?:said|says|told|wants|advise[sd]|recommend(?:s|ed)|agree[sd]))(?!\S)"
)
"""Told of others, ordered by a doctor, or help offered."""
_ASKS_LEAVE: Final = re.compile(
    r"(?:can|may|should|could|do|must) (?:i|we|he|she|they|it)(?!\S)|(?:is|are|what|would)(?!\S)"
)
_PREVENTION: Final = re.compile(
    r"(?<!\S)(?:never|(?<!why )(?:do not|don't|doesn't|didn't|did not|does not)(?! (?:worry|forget|hesitate|"
    r"care|mind|be afraid|tell|think twice))|"
    r"avoid\S*|must not|mustn't|should not|shouldn't|should never|no one should|nobody should|not to|"
    r"instead of|rather than|without|refuse[sd]? to|"
    r"prevent\S*|protect\S*(?: \S+){0,3} (?:from|against)|against|dangers? of|risks? of|warn\S*|illegal to|"
    r"unsafe to|dangerous to|"
    r"harmful to|crime to|wrong to|cruel to|stop (?:people|him|her|them|someone)(?: from)?|keep (?:people|"
    r"him|her|them) from|won't|wouldn't|would not|will not|"
    r"can't(?! wait)|cannot(?! wait)|couldn't|isn't|aren't|not|ask your doctor|call (?:emergency|911|112|"
    r"999)|how to spot|how to recogni[sz]e|spot|"
    r"afraid (?:of|to)|scared (?:of|to)|worried (?:about|that)|sad that)(?: (?!but|so)[^\s,]+){0,5} ?$"
)
_RULED_OUT: Final = re.compile(
    r"^ ?(?:,? ?(?:which )?(?:is|are|would be|can be|was) (?:\S+ )?(?:wrong|dangerous|illegal|a crime|"
    r"forbidden|deadly|unsafe|never (?:ok|okay|safe|"
    r"right|acceptable)|not (?:ok|okay|safe|allowed|acceptable|funny)|harmful|unacceptable|cruel))(?!\S)"
)


def unsafe_reason(text: str) -> str | None:
    """Return what is unsafe in ``text``, or None.

    Warnings, figures of speech, reports and plots of fiction are not.
    """
    straight = text.replace("\u2019", "'").replace("-", " ")
    for sentence in _SENTENCES.split(straight):
        said = _TOKEN.findall(sentence)
        words = [word.lower() for word in said]
        numbers = sorted({number for word in words for number in _BY_WORD.get(word, ())})
        if not numbers:
            continue
        plain = " ".join(words)
        named = _with_names(said)
        asks = sentence.rstrip().endswith("?") and _ASKS_LEAVE.match(plain) is not None
        for number in numbers:
            harm = HARMS[number]
            for form in (plain,) if named == plain or harm.reason != "violence" else (plain, named):
                found = _found(harm, form)
                if found and not (harm.reason == "dangerous advice" and asks):
                    return f"{harm.reason}: “{found.strip()[:80]}”"
    return None


def _found(harm: Harm, words: str) -> str | None:
    """Return the words of a harm that nothing around them excuses, or None."""
    match = harm.pattern.search(words)
    if match is None:
        return None
    before, after = words[: match.start()], words[match.end() :]
    excused = (
        _FIGURATIVE.search(words)
        or _PREVENTION.search(before)
        or _RULED_OUT.search(after)
        or (harm.needs_intent and not _INTENT.search(before))
        or (not harm.hard and _FICTION.search(words))
        or _TOLD.search(words)
    )
    return None if excused else match.group()


def _with_names(said: Sequence[str]) -> str:
    """Return the words with ``~`` for what looks like a person's name: a capital inside the sentence."""
    names = [
        NAME
        if place and word[0].isupper() and word[1:].islower() and word.lower() not in _DATED and len(word) > 2
        else word.lower()
        for place, word in enumerate(said)
    ]
    return " ".join(names)


def unsafe_turns(turns: Sequence[CritiqueTurn]) -> list[Problem]:
    """Return a problem for each turn with unsafe text, of either speaker."""
    problems = []
    for turn in turns:
        for who, text in (("user", turn.user), ("assistant", turn.assistant)):
            reason = unsafe_reason(text)
            if reason is not None:
                problems.append(Problem(turn_index=turn.turn_index, kind="unsafe", reason=f"{who}, {reason}"))
                break
    return problems
