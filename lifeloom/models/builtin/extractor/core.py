"""Who the user is, and how they wish to be answered, in the lines of the core update (PersonaVLM Appendix A.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.extractor.lines import keywords_of, one_line
from lifeloom.models.builtin.extractor.telling import told_by
from lifeloom.models.builtin.extractor.wishes import told_wish
from lifeloom.models.builtin.extractor.wording import sentences_of
from lifeloom.models.builtin.reader.english import lexicon
from lifeloom.models.builtin.reader.pointing import MARK
from lifeloom.tasks import CoreUpdateInput
from lifeloom.tasks.response_step import ProfileLine

__all__ = ["core_text"]

_NUMBER_WORDS: Final = {
    **{word: 20 + 10 * i for i, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"))},
    **{word: 1 + i for i, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
         "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"))},
}  # fmt: skip
_AGE_WORD: Final = "|".join(_NUMBER_WORDS)
_NOT_NOW: Final = re.compile(
    r"\b(?:not|never|no longer|used to|was|were|wasn't|won't|would|wouldn't|if|wish|once|almost|nearly|when i was|"
    r"could|isn't|ain't|don't|doesn't|didn't|want to|hope to|plan to|dream)\b"
)
_NAME: Final = r"(?P<value>[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})"
_PLACE: Final = r"(?P<value>(?:the )?[A-Z][\w'-]+(?:(?:,? | of | upon | on )(?:the )?[A-Z][\w'-]+){0,3})"
_NOT_JOBS: Final = lexicon(
    """
    lover drinker beginner newcomer believer eater riser fighter member winner loser outsider dreamer thinker
    procrastinator hoarder foodie sleeper starter owner talker newbie fan person man woman stranger smoker non-smoker
    reader viewer listener regular perfectionist optimist pessimist realist introvert extrovert pensioner
    mother father grandmother grandfather stepmother stepfather godmother godfather brother sister grandparent parent
    """
)
_JOB: Final = re.compile(
    r"^(?:[\w-]+ ){0,3}?(?:[\w-]+(?:er|or|ist|ian|eer|ant|ent|man|woman|smith|wright|keeper|hand|maker)|nurse|chef|"
    r"cook|vet|"
    r"clerk|judge|pilot|coach|guide|monk|nun|priest|imam|rabbi|midwife|surgeon|mechanic|architect|diplomat|"
    r"bartender|barista|au pair|paramedic|freelancer|tailor|florist|sailor|critic)$"
)

# Patterns work on the sentence as it is written; the first group is the value.
_HUMAN: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (key, re.compile(pattern))
    for key, pattern in (
        ("name", rf"\b[Mm]y (?:full |first |real |actual )?name(?:'s| is)(?: actually| now)? {_NAME}"),
        ("name", rf"\b(?:I am|I'm|^[Tt]his is(?= [A-Z][\w'-]+(?: here| speaking|, and this is my first))|hello from|"
                 rf"hi from|signed,?) {_NAME}(?=[.,!]|$| and\b| by the way|"
                 rf" here\b|,)"),
        ("age", rf"\bI(?:'m| am| just turned|'ve just turned| turned| have just turned)(?: now| already| just|"
                rf" actually)? "
                rf"(?P<value>\d{{1,3}}|(?:{_AGE_WORD})(?:[- ](?:{_AGE_WORD}))?)"
                rf"(?= years?| now|[.,;!]|$| not\b| and\b| today| this| last| on)"),
        ("age", r"\b(?P<value>\d{1,3})[- ]years?[- ]old (?:here|myself)\b|\b[Mm]y age is (?P<value2>\d{1,3})\b"),
        ("birthday", r"\b[Mm]y birthday(?:'s| is| falls)(?: on)? (?P<value>[^.,;!?]{3,40})"),
        ("birthday", r"\bI was born on (?P<value>[^.,;!?]{3,40})"),
        ("birthplace", rf"\bI was born(?: and (?:raised|bred|grew up))? in {_PLACE}"),
        ("hometown", rf"\b(?:I(?:'m| am) (?:originally )?from|I grew up in|I hail from|[Mm]y home ?town is) {_PLACE}"),
        ("home", rf"\b(?:(?:I|[Ww]e)(?: now| currently| actually)* live (?:in|near|just outside)|(?:I|[Ww]e)(?:'m|"
                 rf"'re| am|"
                 rf" are)(?: now| currently| actually)* (?:living|based|settled) in|(?:I|[Ww]e)(?:'ve| have)? "
                 rf"(?:just |recently |finally |now )*(?:moved|relocated)(?: back)?(?: from [\w ]+)?(?: back)? to|"
                 rf"[Mm]y (?:new )?home is(?: now)? in) {_PLACE}"),
        ("home", rf"\b(?:I|[Ww]e)(?:'m|'re| am| are) (?:now )?in {_PLACE}(?= now(?:[.,;!]|$))"),
        ("job", r"\bI(?:'m| am|'ve| have)?(?: now| currently| just| actually| recently)* (?:(?:work|working|started|"
                r"start|"
                r"starting|started work|found work|got (?:an?|my) (?:new )?(?:job|post|position)) as) (?:an? |the )?"
                r"(?P<value>[^.,;!?]{3,50}?)(?= (?:in|at|for|and|but|with|on|from|now|these|since|again|instead|"
                r"next)\b|"
                r"[.,;!?]|$)"),
        ("job", r"\bI(?:'ve| have)?(?: now| just| recently| finally)* (?:become|became|been made|retrained as) an? "
                r"(?P<job>[a-z][\w -]{2,40}?)(?= (?:in|at|for|and|but|with|on|now|instead|again)\b|[.,;!?]|$)"),
        ("job", r"\b[Mm]y (?:job|profession|occupation)(?: is|'s) (?:an? |that of an? )?(?P<value>[^.,;!?]{3,40})"),
        ("job", r"\bI(?:'m| am)(?: now| actually)* an? (?P<job>[a-z][\w -]{2,40}?)(?= (?:in|at|for|and|but|with|on|"
                r"by|from|"
                r"who|now|these|since|instead|again|not|working)\b|[.,;!?]|$)"),
        ("job", r"\bI(?:'m| am|'ve)(?: now| been| just| already| recently| have)* (?P<value>retired|unemployed|"
                r"self-employed)\b"),
        ("employer", r"\bI(?:'m| am|'ve| have)?(?: now| currently| just| actually)* (?:work|working|"
                     r"started work(?:ing)?|"
                     r"starting work) (?:for|at) (?!home\b|night|weekends?\b|the moment\b|the weekend|least\b|all\b|"
                     r"it\b)"
                     r"(?P<value>(?:an? |the )?[\w'& -]{2,40}?(?: in [A-Z][\w-]+)?)(?= (?:in|and|but|as|on|from|now|"
                     r"these|since|instead|not)\b|[.,;!?]|$)"),
        ("studies", r"\bI(?:'m| am) (?:studying|reading for) (?P<value>[^.,;!?]{3,50})|"
                    r"\bI study (?P<value2>[^.,;!?]{3,50})"),
        ("diet", r"\bI(?:'m| am|'ve been| have been)(?: now| a| strictly| mostly)* (?P<value>vegan|vegetarian|"
                 r"pescatarian|teetotal)\b"),
        ("allergy", r"\bI(?:'m| am)(?: very| badly| severely)? allergic to (?P<value>[^.,;!?]{3,40})|"
                    r"\bI have an? (?P<value2>[\w -]{3,30} allergy)\b"),
        ("intolerance", r"\bI(?:'m| am) (?P<value>[\w -]{3,20} intolerant)\b|\bI have (?P<value2>coeliac disease|"
                        r"celiac disease)\b"),
        ("marital status", r"\b(?:I|[Ww]e)(?:'m| am|'re| are|'ve been|'ve| have)?(?: now| just| happily| recently|"
                           r" got| been)* (?P<value>married|single|divorced|widowed|"
                           r"engaged)\b"),
        ("partner", rf"\b[Mm]y (?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?)(?:'s name is| is called|"
                    rf" is named|,?) {_NAME}"),
        ("children", r"\b(?:(?:I|[Ww]e) have|(?:I|[Ww]e)'ve got) (?P<value>(?:an?|one|two|three|four|five|six|"
                     r"no) (?:[\w-]+ )?(?:sons?|daughters?|"
                     r"children|kids?|boys|girls|twins)(?: and (?:an?|one|two|three|four) (?:sons?|daughters?|boys?|"
                     r"girls?))?)\b"),
        ("siblings", r"\bI have (?P<value>(?:an?|one|two|three|four|five|six|no) (?:[\w-]+ )?(?:brothers?|sisters?|"
                     r"siblings?)(?: and (?:an?|one|"
                     r"two|three|four) (?:brothers?|sisters?))?)\b"),
        ("pet", r"\b(?:I have|I own|we have|I've got|we've got) (?P<value>(?:an?|one|two|three|"
                r"four) (?:[\w-]+ ){0,2}(?:dogs?|cats?|rabbits?|"
                r"parrots?|horses?|hamsters?|tortoise|puppy|kitten|pony)(?:,? (?:called|named) [A-Z]\w+)?)"),
        ("languages", r"\bI speak (?P<value>(?:[\w-]+ ){0,2}?[A-Z]\w+(?:(?:,| and|, and) (?:[a-z]+ )?[A-Z]\w+)*)"),
        ("mother tongue", r"\b[Mm]y (?:mother tongue|first language|native language)(?: is|'s) (?P<value>[A-Z]\w+)"),
        ("handedness", r"\bI(?:'m| am) (?P<value>left[- ]handed|right[- ]handed|ambidextrous)\b"),
    )
)  # fmt: skip
_NEW_FAVOURITE: Final = re.compile(
    r"(?:^|, |and |but |[Nn]ow )(?P<value>[A-Z][^.,;!?]{1,50}?) (?:is|has become)(?: now| definitely)* my (?:new |"
    r"all-time |"
    r"absolute |current )?favou?rite (?P<what>[\w-]+(?: (?!now\b|these\b|of\b|at\b|and\b)[\w-]+)?)"
)
_FAVOURITE: Final = re.compile(
    r"\b[Mm]y (?:new |all-time |absolute |current )?favou?rite (?P<what>[\w-]+(?: [\w-]+)?) (?:is|are|has become|"
    r"remains)"
    r"(?: now| still| always| definitely)? (?P<value>(?!not\b|no\b|n't)[^.,;!?]{2,60})"
)
_JOB_ENDS: Final = re.compile(
    r"\bI(?:'ve| have)? (?:just |recently |finally )?(?:quit|left|lost|resigned from|given up) my (?:[\w-]+ )?job\b|"
    r"\bI(?:'ve| have)? (?:was|got|been) (?:just )?(?:fired|laid off|made redundant|sacked)\b|\bI no longer work as\b|"
    r"\bI(?:'m| am) out of work\b|\bI(?:'m| am) not (?:an? )?[^.,?!]*(?:er|or|ist|man|nurse|chef) any ?more\b"
)
_EMPLOYER_ENDS: Final = re.compile(
    rf"{_JOB_ENDS.pattern}|\bI no longer work (?:at|for)\b|"
    r"\bI(?:'m| am|) (?:not|don't|do not) (?:work|working)(?: there)?(?: (?:at|for) [^.,?!]+)? any ?more\b"
)
_ENDS: Final = (
    ("job", _JOB_ENDS),
    ("employer", _EMPLOYER_ENDS),
    ("home", re.compile(r"\b(?:I|[Ww]e) (?:no longer live|don't live) (?:in|there)\b")),
    ("marital status", re.compile(r"\bno longer (?:married|engaged|single)\b")),
    ("partner", re.compile(r"\b(?:I|[Ww]e)(?:'ve| have)? (?:just |recently |finally )?(?:broke|broken|split|"
                           r"splitted) up\b|"
                           r"\b[Mm]y (?:wife|husband|partner|girlfriend|boyfriend)(?: [A-Z]\w+)? (?:has )?left me\b")),
    ("pet", re.compile(r"\b(?:[Mm]y|[Oo]ur) (?:dog|cat|rabbit|parrot|horse|hamster|tortoise|puppy|kitten|pony)"
                       r"(?: [A-Z]\w+)? (?:has |just )?(?:died|passed away)\b")),
    ("diet", re.compile(r"\b(?:no longer|not) (?:an? )?(?:vegan|vegetarian|pescatarian)\b|\bI eat meat again\b")),
)  # fmt: skip
_TRAVEL: Final = re.compile(
    r"\b(?:holiday|holidays|vacation|trip|visiting|travell?ing|weekend|conference|sightseeing|flight|hotel|airport|"
    r"for a "
    r"few|until|tour|back home)\b"
)
_NATIONAL: Final = re.compile(r"(?:ish|ese|ian|can|ch|i)$")
_WISHES: Final = (
    ("length of answers", re.compile(r"\b(?:short|shorter|brief|briefly|concise|long|longer|length|lengthy|detail\w*|"
                                     r"sentences?|to the point)\b")),
    ("humour", re.compile(r"\b(?:jokes?|funny|humou?r|sarcas\w+|serious)\b")),
    ("tone of answers", re.compile(r"\b(?:formal\w*|informal\w*|tone|polite\w*|warm\w*|friendly|blunt\w*|direct\w*|"
                                   r"sugar-?coat\w*|flatter\w*|"
                                   r"gentle|honest\w*|emojis?|exclamation)\b")),
    ("language of answers", re.compile(r"\b(?:in (?:plain |simple )?(?:english|german|french|spanish|italian|dutch|"
                                       r"polish|chinese|japanese|"
                                       r"arabic|turkish)|language|metric|celsius|kilometres|fahrenheit)\b")),
    ("form of answers", re.compile(r"\b(?:bullets?|lists?|tables?|steps?|numbered|paragraphs?|headings?|prose|"
                                   r"examples?)\b")),
)  # fmt: skip
_IS_IN: Final = re.compile(r"\b(?:I|[Ww]e)(?:'m|'re| am| are) (?:now )?in\b")
_OF_SELF: Final = re.compile(
    r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur|myself)\b|\b(?:hello|hi) from\b|\b[Tt]his is\b|\bsigned\b|\bhere\b"
)
_KEEP_A_FACT: Final = re.compile(
    r"\b(?:remember|forget|keep in mind|bear in mind|memori[sz]e|note|write down|save|hold on to)\b"
)
_OF_ANSWERS: Final = re.compile(r"\b(?:answer|reply|replies|answers|respond|when you|explain|tone|language)\b")


@dataclass(frozen=True, slots=True)
class _Value:
    block: str
    key: str
    content: str
    """Empty: it holds no longer."""
    turn: int


def core_text(task_input: CoreUpdateInput) -> str:
    """Return what the session changes of the core memory, a line a value; ``none`` where nothing changes.

    human: what the user says of themselves (name, age, home, work, family, languages, health, favourites).
    persona: how they wish to be addressed and answered.
    """
    values: dict[tuple[str, str], _Value] = {}
    for turn in task_input.turns:
        for value in _values(turn.user, turn.number):
            values[value.block, value.key] = value
    known: dict[tuple[str, str], ProfileLine] = {(line.block, line.key.lower()): line for line in task_input.profile}
    changed = [value for value in values.values() if _changes(value, known.get((value.block, value.key)))]
    return "\n".join(f"{v.block}.{v.key}: {v.content or 'null'} [{v.turn}]" for v in changed) or "none"


def _changes(value: _Value, line: ProfileLine | None) -> bool:
    if line is None:
        return bool(value.content)
    return value.content.casefold() != line.content.casefold()


def _values(text: str, turn: int) -> Iterator[_Value]:
    """Yield what a message says; what it says is lost counts before what it says is new, wherever it stands."""
    sentences = [one for one in sentences_of(text) if MARK not in one.words]
    told = [" ".join(one.text.split()) for one in sentences if not one.is_question]
    told = [said for said in told if _OF_SELF.search(said)]
    for said in told:
        for key, pattern in _ENDS:
            if pattern.search(said):
                yield _Value("human", key, "", turn)
    away = _TRAVEL.search(text) is not None
    for said in told:
        for value in _human(said, turn):
            if not (away and value.key == "home" and _IS_IN.search(said)):
                yield value
    for sentence in sentences:
        frames, _ = told_by(sentence, False)
        if frames and frames[0].name == "directive":
            wish = _wish(" ".join(sentence.text.split()), " ".join(sentence.words))
            if wish is not None:
                yield _Value("persona", *wish, turn)


def _human(said: str, turn: int) -> Iterator[_Value]:
    found: set[str] = set()
    for key, pattern in _HUMAN:
        match = pattern.search(said)
        if match is None or key in found or _NOT_NOW.search(_before(said, match).lower()):
            continue
        value = _value_of(key, match)
        if value:
            found.add(key)
            yield _Value("human", key, value, turn)
    favourite = _FAVOURITE.search(said) or _NEW_FAVOURITE.search(said)
    if favourite and not _NOT_NOW.search(_before(said, favourite).lower()):
        yield _Value("human", f"favourite {favourite['what'].lower()}", one_line(favourite["value"]), turn)


def _before(said: str, match: re.Match[str]) -> str:
    """Return the clause in front of the match and the match's own words before its value."""
    start = max(said.rfind(mark, 0, match.start()) for mark in (",", ";", ":", " but ", " and now ", ". "))
    groups = match.groupdict()
    name = next(name for name, value in groups.items() if value is not None)
    verb = said[match.start() : match.start(name)]
    return said[start + 1 : match.start()] + re.sub(r"\bI was born\b", "", verb)


def _value_of(key: str, match: re.Match[str]) -> str:
    groups = match.groupdict()
    value = one_line(groups.get("value") or groups.get("value2") or "")
    if key == "age":
        return _age(value)
    if key == "name" and match.group().startswith(("I am", "I'm")):
        # "I'm Polish", "I'm Catholic" is no name.
        return "" if _NATIONAL.search(value.lower()) and " " not in value and len(value) > 5 else value
    if key == "job" and "job" in groups:
        job = one_line(groups["job"])
        last = job.split()[-1]
        return job if _JOB.match(job) and last not in _NOT_JOBS else ""
    return value


def _age(value: str) -> str:
    if value.isdigit():
        return value if 5 <= int(value) <= 120 else ""
    total = sum(_NUMBER_WORDS.get(part, 0) for part in re.split(r"[- ]", value))
    return str(total) if 10 <= total <= 120 else ""


def _wish(said: str, words: str) -> tuple[str, str] | None:
    """Return key and value of a wish for the assistant's manner; None for something to remember."""
    called = re.search(r"\b(?:[Cc]all|[Aa]ddress) me (?:as |by )?(?P<name>[^,.;!?]+)", said)
    if called:
        return "form of address", f"The user wants to be called {one_line(called['name'])}."
    if _KEEP_A_FACT.search(words) and not _OF_ANSWERS.search(words):
        return None
    key = next((name for name, pattern in _WISHES if pattern.search(words)), "")
    if not key:
        key = " ".join(word.lower() for word in keywords_of(said, most=3))[:50].strip()
    return (key, told_wish(said)[:480]) if key else None
