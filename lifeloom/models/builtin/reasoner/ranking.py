"""Which sentence of what is remembered answers a question: by relation, words, meaning and time."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from lifeloom.models.builtin.reader.english import PEOPLE, RELATION_SYNONYMS, STOPWORDS, lexicon
from lifeloom.models.builtin.reader.holders import SELF, holder, people_named
from lifeloom.models.builtin.reader.stance import stance
from lifeloom.models.builtin.reader.text import Sentence, analyse, base, content_stems, stem, words_of
from lifeloom.models.builtin.reasoner.addressing import second_person, to_user
from lifeloom.models.builtin.reasoner.asking import keywords_of
from lifeloom.models.builtin.reasoner.periods import Span
from lifeloom.models.builtin.reasoner.reading import first_person
from lifeloom.models.builtin.reasoner.relations import Relation
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.choice_answer import PICTURE_MARK, ContextMessage
from lifeloom.tasks.response_step import ResponseStepInput

__all__ = ["Remembered", "best_answer", "is_question", "of_that_time", "remembered", "said_by_user"]

_FITS: Final = 0.62
"""Fit from which a sentence is taken for an answer."""
_AS_WELL: Final = 0.8
"""Share of the best fit from which a later sentence wins."""
_HALF: Final = 0.45
"""Below this share of the words, and this cosine, a sentence is about something else."""
_NOT_SO: Final = 0.5
"""Share of the fit that is left to what is another's or no longer so."""
_TELLS: Final = 0.7
"""Added where a sentence tells of the relation that is asked about."""
_NEAR: Final = 0.5
"""Share of the greatest nearness from which a later sentence replaces an earlier one of the same relation."""
_KIND: Final = 0.15
"""Added where a sentence has the kind of thing asked for: a name, a place, a number, a time."""
_LONGEST: Final = 300
_OWN: Final = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours"})
_ASKS: Final = re.compile(
    r"^(?:(?:and|so|but|well|ok(?:ay)?|please|hey|hi|now)\b,? )*(?:what|when|where|who|whom|whose|which|why|how|do|"
    r"does|did|am|is|are|was|were|have|has|had|can|could|will|would|should|may|might|tell me|remind me|show me|name)\b"
)
_REPORTED: Final = re.compile(
    r"^(?:[Tt]he user (?:asked|asks|is asking|wondered|wonders|wanted to know|wants to know|inquired|requested|"
    r"said hello|greeted|thanked)\b|Requests?:)"
)
_ENDED: Final = re.compile(
    r"\b(?:no longer|any ?more|sold|quit|gave up|given up|stopped|broke up|lost|died|cancelled|left|got rid of|"
    r"switched from|replaced|instead of|used to|passed away)\b"
)
_SYNONYMS: Final = tuple(
    frozenset(stem(word) for word in group.split())
    for group in (
        "live home moved based reside residence", "work job occupation profession career employed employer",
        "eat food diet dish meal", "allergic allergy intolerant intolerance", "called name named",
        "drive car vehicle", "afraid scared anxious nervous fear worried frightened", "hate dislike detest loathe",
        "film movie", "book novel reading read", "run running jog marathon", "buy bought purchase",
        "holiday vacation trip travel", "instrument piano guitar violin cello flute trumpet drums saxophone",
        "ill sick illness disease", "wed wedding marry married", "start began begin", "favourite favorite best",
        "photo picture photograph", "hobby pastime leisure", "school college university", "study degree course",
        "exam test", "drink tea coffee beer wine juice cocoa", "pet dog cat", "sport swim climb tennis football row",
        "born birth birthday", "garden allotment", "flat apartment", "bike bicycle cycle cycling",
        "doctor gp physician",
        "appointment meeting", "song music band singer", "colour color", "cat kitten siamese tabby tomcat",
        "dog greyhound whippet labrador spaniel terrier poodle collie beagle husky dachshund retriever alsatian "
        "bulldog pug corgi setter lurcher mastiff dalmatian puppy",
    )
)  # fmt: skip
_TIME: Final = re.compile(
    r"\d|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|tomorrow|today|tonight|yesterday|week|month|year|morning|evening|"
    r"noon|midnight|weekend|christmas|easter|spring|summer|autumn|winter)s?\b"
)
_TAG: Final = re.compile(
    r",? (?:(?:can|would) you believe (?:it|that)|right|you know|don't you think|isn't (?:it|that \w+)|eh|huh)\?"
)
"""Asks nothing: what it stands behind is told."""
_VERB: Final = re.compile(r"\b(?:do|did|am|have|was) (?:i|we) (?:still |also |now |usually |always )?([a-z]+)")
_SAME_VERB: Final = 0.6
"""Share of the words that a sentence has at least which says of the user what the question's verb asks."""
_NUMBER: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|once|twice|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety)\b"
)
_PLACE: Final = re.compile(r"\b(?:in|at|near|to|from|on|under|behind|by|above|inside) (?:the |my |our |a |an )?\w+")
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w-]+")
_KINDS: Final = (
    (re.compile(r"^(?:.*\b)?when\b|\bwhat (?:day|time|date|year|month)\b|\bwhich day\b"), _TIME),
    (re.compile(r"\bhow (?:many|much|old|often|long|far|tall|big)\b|\bwhat number\b"), _NUMBER),
    (re.compile(r"^(?:.*\b)?where\b"), _PLACE),
    (re.compile(r"^(?:.*\b)?who\b|\bcalled\b|\bname\b"), _NAME),
)
_ANYBODY: Final = "|".join(sorted((re.escape(one) for one in PEOPLE), key=len, reverse=True))
_BY_NAME: Final = re.compile(rf"\b[Mm]y (?:\w+ )?({_ANYBODY}),? ([A-Z][\w-]+)")
_ALIKE: Final = 0.7
"""What a word counts that means about the same as the one asked for."""
_ABOUT_SELF: Final = lexicon("i my me we our mine")


@dataclass(frozen=True)
class Remembered:
    """A sentence that the user said, or that is known of them."""

    told: str
    """As the user said it, or as they would say it."""
    at: str
    """Empty for what holds by now."""
    to_user: str
    """As said to the user, without its full stop."""
    quoted: bool
    """Whether ``told`` are the user's own words."""
    sentence: Sentence = field(compare=False, repr=False)


def is_question(sentence: str) -> bool:
    """Whether ``sentence`` asks something, with a question mark or without."""
    return sentence.rstrip("\"') ").endswith("?") or bool(_ASKS.match(sentence.lower()))


def remembered(step: ResponseStepInput, period: Span | None) -> list[Remembered]:
    """Return what the prompt shows that the user told, oldest first, nothing twice; questions are left out.

    Args:
        step: what may be known.
        period: only what was told then; None: everything.
    """
    rows: dict[str, Remembered] = {}
    memories = [memory for found in step.rounds for memory in found.memories]
    known: list[Remembered] = []
    for memory in memories:
        if memory.kind == "procedural":
            told = memory.content if memory.content.endswith((".", "!")) else f"{memory.content}."
            known += _sentences_of(told, memory.at, memory.key)
        elif memory.kind == "semantic":
            known += _sentences_of(memory.content, memory.at, "")
        else:
            for message in memory.turns:
                known += said_by_user(message)
    known.sort(key=lambda one: (one.at, one.quoted))
    for one in [*known, *(one for message in step.context for one in said_by_user(message))]:
        if _within(one.at, period):
            rows.setdefault(f"{one.at} {one.told.lower().rstrip(' .!')}", one)
    return list(rows.values())


def of_that_time(question: str, rows: Sequence[Remembered]) -> list[Remembered]:
    """Return those of ``rows`` that name a time that ``question`` names too: "last week", "in May"."""
    named = {match[0] for match in _TIME.finditer(question.lower()) if match[0].isalpha()}
    return [one for one in rows if named & {match[0] for match in _TIME.finditer(one.told.lower())}]


def said_by_user(message: ContextMessage) -> list[Remembered]:
    """Return the sentences of a message of the user's that ask nothing."""
    if message.role != "user":
        return []
    rows = []
    plain = _TAG.sub(".", message.text.replace(PICTURE_MARK, " ").replace("’", "'"))
    for sentence in analyse(plain).sentences:
        if not sentence.is_question and not re.match(_ASKS, sentence.text.lower()):
            text = sentence.text[:_LONGEST].rstrip(" .")
            rows.append(Remembered(text, message.at, second_person(text), True, sentence))
    return rows


def _sentences_of(content: str, at: str, key: str) -> list[Remembered]:
    """Return the sentences of a memory about "the user"; ``key`` says what a bare value is of."""
    plain = " ".join(content.replace(PICTURE_MARK, " ").split())
    if _REPORTED.match(plain):
        return []
    rows = []
    for one in analyse(plain).sentences:
        text = one.text[:_LONGEST].rstrip(" .")
        said = first_person(text)
        if key and said == text and not re.match(r"(?:i|my|we|our)\b", text.lower()):
            said = f"My {key.replace('_', ' ').strip()} is {text}"
            turned = f"Your {key.replace('_', ' ').strip()}: {text}"
        else:
            turned = second_person(to_user(text))
        found = analyse(said).sentences
        if found and not one.is_question:
            rows.append(Remembered(said, at, turned, False, found[0]))
    return rows


def _within(at: str, period: Span | None) -> bool:
    if period is None or not at:
        return period is None
    return (not period.start or at >= period.start) and (not period.end or at <= period.end)


def best_answer(
    question: str,
    rows: Sequence[Remembered],
    relation: Relation | None,
    encoder: TextEncoder | None,
    period: Span | None = None,
) -> Remembered | None:
    """Return what answers ``question`` best, the last of those that fit as well; None where nothing fits.

    Where the question says nothing but a time ("What did I tell you yesterday?"), that is the last thing told then.

    Args:
        question: as the user puts it.
        rows: what is remembered, oldest first.
        relation: what the question asks about the user, where that is plain.
        encoder: sentence vectors; None: words alone decide.
        period: the time that the question names.
    """
    if not rows:
        return None
    if relation is None and not keywords_of(question):
        own = [one for one in rows if any(base(word) in _OWN for word in one.sentence.words)]
        return own[-1] if own and period is not None else None
    fit, near = _fits(question, rows, relation, encoder)
    top = max(fit)
    if top < _FITS:
        return None
    if relation is not None and relation.changes:
        telling = [i for i, one in enumerate(rows) if _tells_of_user(one, relation)]
        close = max((near[i] for i in telling), default=0.0)
        newest = [i for i in telling if near[i] >= _NEAR * close]
        if newest:
            return _ended(question, rows, newest[-1]) or rows[newest[-1]]
    last = max(i for i, value in enumerate(fit) if value >= max(_AS_WELL * top, _FITS))
    return _ended(question, rows, last) or rows[last]


def _ended(question: str, rows: Sequence[Remembered], best: int) -> Remembered | None:
    """Return what was told later of the end of the very thing that ``rows[best]`` tells of; None where nothing was."""
    asked = frozenset(content_stems(question))
    value = frozenset(root for root in rows[best].sentence.stem_set - asked if not _TIME.search(root))
    for one in reversed(rows[best + 1 :]):
        if not _ENDED.search(one.told.lower()) or _of_others(one.sentence):
            continue
        stems = one.sentence.stem_set
        others = frozenset(
            stem(word.lower()) for word in one.sentence.surface[1:] if word[:1].isupper() and word != "I"
        )
        if stems & value or (len(stems & asked) > 1 and others <= asked | value):
            return one
    return None


def _of_others(sentence: Sentence) -> bool:
    return not any(word in _ABOUT_SELF for word in (base(one) for one in sentence.words))


def _fits(
    question: str, rows: Sequence[Remembered], relation: Relation | None, encoder: TextEncoder | None
) -> tuple[list[float], list[float]]:
    """Return how well each of ``rows`` answers ``question``, about 0 to 3, and how near it is in meaning, 0 to 1."""
    sentences = [one.sentence for one in rows]
    lowered = question.lower().replace("’", "'").strip()
    wanted = dict.fromkeys(root for word in keywords_of(question) for root in content_stems(word))
    called = _called(rows)
    shares = {root: [_names(one, root, called) for one in sentences] for root in wanted}
    weights = {
        root: math.log(1 + len(sentences) / max(1, sum(share > 0 for share in row))) for root, row in shares.items()
    }
    total = sum(weights.values()) or 1.0
    words = [sum(weights[root] * row[i] for root, row in shares.items()) / total for i in range(len(rows))]
    verb = _VERB.search(lowered)
    if verb is not None and verb[1] not in STOPWORDS:
        root = stem(verb[1])
        words = [
            max(share, _SAME_VERB) if root in one.stem_set else share
            for share, one in zip(words, sentences, strict=True)
        ]
    near = _nearness(question, rows, encoder)
    names = people_named(analyse(one.told) for one in rows)
    asked = [base(word.lower()) for word in words_of(question)]
    people = [word for word in asked if word in PEOPLE]
    about_self = not people and not any(word in names for word in asked) and any(word in _OWN for word in asked)
    kind = next((told for asks, told in _KINDS if asks.search(lowered)), None)
    fit: list[float] = []
    for i, one in enumerate(rows):
        tells = relation is not None and bool(relation.told.search(one.told.lower().replace("’", "'")))
        value = words[i] + near[i] if tells or max(words[i], near[i]) >= _HALF else 0.0
        if tells:
            value += _TELLS
        if value and kind is not None and kind.search(one.told if kind in (_NAME, _PLACE) else one.told.lower()):
            value += _KIND
        if about_self:
            value *= _holds(one.sentence, weights, names, tells)
        elif people:
            value *= 1.0 if _speaks_of(one.sentence, people, called) else _NOT_SO
        fit.append(value)
    named = {word.lower() for word in words_of(question)[1:] if word[:1].isupper() and base(word.lower()) not in _OWN}
    roots = {stem(base(word)) for word in named}
    if roots and any(roots & one.stem_set for one in sentences):
        fit = [value * (1.0 if roots & one.stem_set else _NOT_SO) for value, one in zip(fit, sentences, strict=True)]
    return fit, near


def _called(rows: Sequence[Remembered]) -> dict[str, frozenset[str]]:
    """Return the stems of the names of each kind of relative and friend: "my brother Radu"."""
    found: dict[str, set[str]] = {}
    for one in rows:
        for match in _BY_NAME.finditer(one.told):
            found.setdefault(_head(match[1].lower()), set()).add(stem(match[2].lower()))
    return {head: frozenset(names) for head, names in found.items()}


def _head(word: str) -> str:
    return RELATION_SYNONYMS.get(base(word), base(word))


def _names(sentence: Sentence, root: str, called: Mapping[str, frozenset[str]]) -> float:
    """Return 1 where a sentence has a word of ``root`` or the name of that relative, less for words like it; else 0."""
    if root in sentence.stem_set or any(
        stem(head) == root and names & sentence.stem_set for head, names in called.items()
    ):
        return 1.0
    return _ALIKE if any(root in group and group & sentence.stem_set for group in _SYNONYMS) else 0.0


def _nearness(question: str, rows: Sequence[Remembered], encoder: TextEncoder | None) -> list[float]:
    """Return the cosine of each of ``rows`` with the question or its statement, whichever is nearer; 0 to 1."""
    if encoder is None:
        return [0.0] * len(rows)
    vectors = encoder.encode([question, _statement(question), *(one.told[:_LONGEST] for one in rows)]).astype(
        np.float64
    )
    return [max(0.0, float(near)) for near in np.max(vectors[2:] @ vectors[:2].T, axis=1)]


_WH: Final = re.compile(
    r"^(?:(?:and|so|please|hey|hi|ok(?:ay)?|now),? )*(?:(?:do|can|could) you (?:remember|recall|know|tell me|remind me)"
    r"(?: of)? |tell me |remind me )?(?:what(?:'s| is| are| was)?|when|where(?:'s| is)?|who(?:'s| is| are)?|which|why|"
    r"how(?: many| much| old| often| long)?)\b ?",
    re.IGNORECASE,
)


def _statement(question: str) -> str:
    """Return ``question`` without its asking words, in the order of a statement: "I drive car"."""
    rest = _WH.sub("", question.strip()).rstrip("?!. ")
    rest = re.sub(r"^(.*?)\b(?:do|did|does) (I|we)\b ?(.*)$", r"\2 \3 \1", rest, flags=re.IGNORECASE)
    rest = re.sub(r"^(.*?)\b(am|have|was|can|can't|should) (I|we)\b ?(.*)$", r"\3 \2 \4 \1", rest, flags=re.IGNORECASE)
    return " ".join(rest.split()) or question


def _speaks_of(sentence: Sentence, people: Sequence[str], called: Mapping[str, frozenset[str]]) -> bool:
    spoken = {_head(word) for word in sentence.words}
    heads = {_head(word) for word in people}
    return bool(heads & spoken) or any(called.get(head, frozenset()) & sentence.stem_set for head in heads)


def _tells_of_user(one: Remembered, relation: Relation) -> bool:
    """Whether a sentence tells of ``relation``, and of the user rather than of somebody of theirs."""
    if not relation.told.search(one.told.lower().replace("’", "'")) or _of_others(one.sentence):
        return False
    words = [base(word) for word in one.sentence.words[:5]]
    return not (words[:1] and words[0] in ("my", "our") and any(word in PEOPLE for word in words[1:]))


def _holds(sentence: Sentence, weights: Mapping[str, float], names: frozenset[str], tells: bool) -> float:
    """Return 1 where the sentence says of the user, and as something that holds, what weighs most; else less."""
    places = [i for i, root in enumerate(sentence.stems) if root in weights]
    if not places:
        first = base(sentence.words[0]) if sentence.words else ""
        owns = first in ("my", "our") and any(base(word) in PEOPLE for word in sentence.words[1:4])
        return _NOT_SO if (owns or _of_others(sentence)) and not tells else 1.0
    start = max(places, key=lambda i: (weights[sentence.stems[i]], -i))
    if holder(sentence, start, start + 1, names) != SELF:
        return _NOT_SO
    return 1.0 if stance(sentence, start, start + 1).kind == "held" else _NOT_SO
