"""Whose a statement is: the user's own, or somebody else's who is named or described in it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Final

from lifeloom.models.builtin.reader.english import PEOPLE, RELATION_SYNONYMS, STOPWORDS, lexicon
from lifeloom.models.builtin.reader.text import Message, Sentence, base

__all__ = ["SELF", "holder", "last_person", "people_named", "person_key"]

SELF: Final = "self"

_FIRST: Final = frozenset({"i", "we"})
_THIRD: Final = frozenset({"he", "she", "they", "him", "her", "them", "his", "hers", "their", "theirs"})
_THIRD_SUBJECT: Final = frozenset({"he", "she", "they"})
_BEFORE_OBJECT: Final = lexicon(
    """
    with to for at from of by about like than near beside behind on into without via after before told tell
    asked ask met meet see saw seen visit visited visiting call called phone phoned thank thanked invite invited
    help helped gave give show showed bring brought drove took join joined joining owe promised remind reminds
    reminded beat
    """
)
_PERSON_VERBS: Final = lexicon(
    """
    says said loves likes swears told thinks prefers wants keeps drinks eats plays reads watches goes went works
    moved lives hates enjoys called texted asked laughed insists recommends recommended collects uses wears
    raves dropped brought came is was has won't can't never always still only just cooks plans planned started
    took bought
    """
)
# "so my brother loves it": what may stand before a subject.
_LEADS: Final = lexicon(
    """
    , and but so because since while whereas though although when if that what which where how why as now then
    meanwhile whatever even only unlike - — – ; : ( also apparently obviously sadly luckily funnily says think
    thinks know reckon guess heard hear said believe swear remember mean suppose
    """
)
_SERVICES: Final = lexicon(
    "dentist doctor gp vet hairdresser barber lawyer accountant plumber cleaner gardener therapist physiotherapist"
)
_KNOWN_PEOPLE: Final = (
    PEOPLE
    - _SERVICES
    - lexicon(
        "people everybody everyone somebody someone guy man woman lady girl boy couple friends guest guests folks"
    )
)
# "my dentist is in Leeds" tells of the user, "my dentist swears by floss" of the dentist.
_WHERE_OR_CALLED: Final = re.compile(r"(?:is|was|'s) (?:in|at|on|near|called|named|over) ?")
_FROM_WHERE: Final = frozenset(
    {"from work", "from school", "from class", "from upstairs", "from downstairs", "from next door", "from the office",
     "from my team", "next door", "at work", "down the road", "across the street", "from the gym"}
)  # fmt: skip
_OWNED: Final = lexicon(
    """
    thing favourite favorite choice pick go hobby dream plan idea birthday wedding house place turn mum mom dad brother
    sister husband wife kids son daughter boss job flat usual taste new old
    """
)
_DETERMINERS: Final = lexicon("my our a an the one old own dear best little big older younger oldest youngest new")
_RECEIVED: Final = re.compile(
    r"\b(?:got|gets|turned|dragged|talked|introduced|converted|hooked|made|put|had|has) (?:me|us)\b|"
    r"\brubbed off on me\b|"
    r"\b(?:told (?:me|us) about|recommended|suggested|mentioned|showed (?:me|us)|tipped me|pointed (?:me|us) to\w*|"
    r"talked up)\b|\b(?:so|and|but) (?:do|did|am) i\b|\bme too\b|\bsame (?:as|for) me\b|\blike me\b|\bwe both\b|"
    r"\bboth of us\b"
)


def person_key(word: str) -> str:
    """Return one name for a person word and its synonyms: ``mum`` and ``mother's`` are ``mother``."""
    lowered = base(word.lower())
    return RELATION_SYNONYMS.get(lowered, lowered)


@functools.lru_cache(maxsize=50_000)
def _names_in(sentence: Sentence) -> frozenset[str]:
    found = set()
    words, surface = sentence.words, sentence.surface
    for i, token in enumerate(surface):
        if not _capitalised(token) or base(words[i]) in STOPWORDS or base(words[i]) in PEOPLE:
            continue
        previous = base(words[i - 1]) if i else ""
        following = base(words[i + 1]) if i + 1 < len(words) else ""
        beside_person = previous in PEOPLE or (
            following == "," and any(base(word) in PEOPLE for word in words[i + 2 : i + 6])
        )
        apposed = previous == "," and any(base(word) in PEOPLE for word in words[max(0, i - 4) : i - 1])
        acts = following in _PERSON_VERBS and following not in ("is", "was", "has")
        is_person = following in ("is", "was") and any(base(word) in PEOPLE for word in words[i + 2 : i + 5])
        owns = words[i].endswith("'s") and following in _OWNED
        described = following == "," and words[i + 2 : i + 3] == ("who",)
        called = previous in ("called", "named")
        placed = " ".join(words[i + 1 : i + 3]) in _FROM_WHERE or " ".join(words[i + 1 : i + 4]) in _FROM_WHERE
        if beside_person or apposed or acts or is_person or called or placed or owns or described:
            found.add(base(words[i]))
    return frozenset(found)


def _capitalised(token: str) -> bool:
    return len(token) > 1 and token[0].isupper() and not token.isupper()


def people_named(messages: Iterable[Message]) -> frozenset[str]:
    """Return the lower-case names that ``messages`` use for people."""
    names: set[str] = set()
    for message in messages:
        for sentence in message.sentences:
            names |= _names_in(sentence)
    return frozenset(names)


def _speaks_of_own(words: tuple[str, ...], i: int, names: frozenset[str]) -> bool:
    """Whether the word at ``i`` marks something as the speaker's own: mine, for me, my (not before a person)."""
    previous = words[i - 1] if i else ""
    if base(words[i]) == "mine" or words[i] in ("myself", "personally"):
        return previous != "of"
    if words[i] == "me":
        return previous in ("for", "with", "suits", "gets") or (
            previous in ("to",) and i > 1 and words[i - 2] == "appeals"
        )
    if words[i] in ("my", "our"):
        return not any(base(word) in PEOPLE or base(word) in names for word in words[i + 1 : i + 4])
    return False


def _subjects(sentence: Sentence, names: frozenset[str], skip: range) -> list[tuple[int, str]]:
    """Return (position, holder) of each subject-like word, in order."""
    words = sentence.words
    subjects: list[tuple[int, str]] = []
    for i, word in enumerate(words):
        if i in skip:
            continue
        root = base(word)
        if root in _FIRST:
            subjects.append((i, SELF))
        elif root in _THIRD_SUBJECT:
            subjects.append((i, "*"))
        elif _speaks_of_own(words, i, names):
            subjects.append((i, SELF))
        elif root in PEOPLE or root in names:
            start = i
            while start and (base(words[start - 1]) in PEOPLE or base(words[start - 1]) in names):
                start -= 1
            possessive = word.endswith("'s") or (word.endswith("s'") and len(word) > 3)
            while start and words[start - 1] in _DETERMINERS:
                start -= 1
            lead = words[start - 1] if start else ","
            following = base(words[i + 1]) if i + 1 < len(words) else ""
            is_subject = following == "who" or base(lead) in _LEADS or lead.endswith("ly")
            if root in _SERVICES and _WHERE_OR_CALLED.match(" ".join(words[i + 1 : i + 3])):
                continue
            if (
                possessive
                or is_subject
                or (following in _PERSON_VERBS and base(lead) not in _BEFORE_OBJECT)
                or (lead == "to" and start > 1 and words[start - 2] == "according")
            ):
                subjects.append((i, person_key(word)))
            elif base(lead) in ("with", "for", "of", "like", "by"):
                subjects.append((i, f"?{person_key(word)}"))  # a companion, unless nobody else is there
    return subjects


@functools.lru_cache(maxsize=50_000)
def holder(sentence: Sentence, start: int, end: int, names: frozenset[str], carried: str = SELF) -> str:
    """Return whose tokens start..end-1 are: ``SELF``, or the key of another person.

    Args:
        sentence: where the mention stands.
        start: first token of the mention.
        end: one past its last token.
        names: lower-case names of people in the history.
        carried: whom the sentence before was about, for "she", "they" and sentences without a subject.
    """
    subjects = _subjects(sentence, names, range(start, end))
    described = _described_by_whose(sentence, start, names)
    if described:
        return described
    clause = range(
        next(i for i in range(len(sentence.words)) if sentence.clauses[i] == sentence.clauses[start]),
        max(i for i in range(len(sentence.words)) if sentence.clauses[i] == sentence.clauses[end - 1]) + 1,
    )
    clause_text = " ".join(sentence.words[clause.start : clause.stop])
    if _RECEIVED.search(clause_text):
        return SELF
    if end + 1 < len(sentence.words) and sentence.words[end] in ("is", "was", "are", "were"):
        owner = sentence.words[end + 1]
        if owner.endswith("'s") and sentence.surface[end + 1][0].isupper():
            return person_key(owner)
    # "crosswords for Mum": the person stands right behind.
    if sentence.words[end : end + 1] == ("for",):
        behind = [word for word in sentence.words[end + 1 : end + 4] if word not in _DETERMINERS][:1]
        if behind and (base(behind[0]) in PEOPLE or base(behind[0]) in names):
            return person_key(behind[0])
    certain = [(i, who) for i, who in subjects if not who.startswith("?")]
    inside = [(i, who) for i, who in certain if i in clause]
    before = [who for i, who in inside if i < start]
    after = [who for i, who in inside if i >= end]
    if before:
        return _resolve(before[-1], certain, carried)
    if after:
        return _resolve(after[0], certain, carried)
    companions = [who[1:] for i, who in subjects if who.startswith("?") and i in clause]
    if companions and not any(base(word) in ("i", "we", "me", "my", "mine") for word in _own_words(sentence, clause)):
        return companions[0]
    earlier = [who for i, who in certain if i < clause.start]
    if earlier:
        return _resolve(earlier[-1], certain, carried)
    if any(base(word) in _THIRD for word in sentence.words[clause.start : start]):
        return carried if carried != SELF else "they"
    # A clause of its own without anybody in it ("Oat milk, every single day"): the user speaks of themselves,
    # unless the sentence goes on about somebody ("Oat milk, that's what Ana always has").
    later = [who for i, who in certain if i >= clause.stop]
    if later and any(base(word) in ("that", "this", "what", "which") for word in sentence.words[end:]):
        return _resolve(later[0], certain, carried)
    # "Ana again: oysters." or "With my aunt Ana it has to be oysters." names somebody and nobody else; the user would
    # say "I", or "my" of a thing, somewhere.
    whole = range(len(sentence.words))
    if not any(base(word) in ("i", "we", "me", "mine", "my", "our", "i'm") for word in _own_words(sentence, whole)):
        present = [i for i in whole if i not in range(start, end) and base(sentence.words[i]) in names]
        present += [i for i in whole if i not in range(start, end) and base(sentence.words[i]) in _KNOWN_PEOPLE]
        if present:
            return person_key(sentence.words[present[0]])
    return SELF


def _described_by_whose(sentence: Sentence, start: int, names: frozenset[str]) -> str:
    """Return the person whom "whose" before the mention is about: "my friend Ana, whose hobby is chess"."""
    words = sentence.words
    at = max((i for i in range(start) if words[i] == "whose"), default=-1)
    if at < 1 or any(base(words[i]) in _FIRST for i in range(at + 1, start)):
        return ""
    before = [i for i in range(at) if base(words[i]) in names or base(words[i]) in PEOPLE]
    named = [i for i in before if base(words[i]) in names]
    return person_key(words[(named or before)[-1]]) if before else ""


def _own_words(sentence: Sentence, clause: range) -> list[str]:
    # "my" before a person says who that person is, not whose the mention is.
    words = sentence.words
    return [
        words[i]
        for i in clause
        if not (
            words[i] in ("my", "our") and i + 1 < len(words) and any(base(w) in PEOPLE for w in words[i + 1 : i + 3])
        )
    ]


def _resolve(who: str, certain: list[tuple[int, str]], carried: str) -> str:
    if who != "*":
        return who
    named = [other for _, other in certain if other not in ("*", SELF)]
    if named:
        return named[0]
    return carried if carried != SELF else "they"


@functools.lru_cache(maxsize=50_000)
def last_person(sentence: Sentence, names: frozenset[str], carried: str) -> str:
    """Return whom a following "she" or "they" would mean: the person that ``sentence`` is about."""
    subjects = _subjects(sentence, names, range(0))
    people = [who.lstrip("?") for _, who in subjects if who not in (SELF, "*")]
    if people:
        return people[0]
    if any(who == SELF for _, who in subjects):
        return SELF
    return carried
