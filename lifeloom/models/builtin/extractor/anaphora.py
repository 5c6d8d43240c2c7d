"""What the user says by pointing back: "I'll go with that one", "He's a firefighter", "Never touched it"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.extractor.frames import CIRCLE, CONVERSATION, REQUEST
from lifeloom.models.builtin.extractor.standing import bare_remark
from lifeloom.models.builtin.extractor.telling import Telling, names_in, told_by
from lifeloom.models.builtin.extractor.third_person import third_person
from lifeloom.models.builtin.extractor.wording import sentences_of, tidied
from lifeloom.models.builtin.reader.pointing import MARK
from lifeloom.models.builtin.reader.stance import commitment_to_antecedent
from lifeloom.models.builtin.reader.text import Sentence
from lifeloom.tasks.choice_answer import ContextMessage

__all__ = ["Pointer", "pointed_back"]

_LONGEST_ANSWER: Final = 200
"""Characters of an answer of the assistant that is quoted as what a pointer points to."""

_NEAR: Final = 12
"""Sentences of the same message among which what a pointer points to is looked for."""

_OWN: Final = re.compile(r"\b(?:i|my|me|we|our|i'm|i've|i'll|i'd)\b")
_BACK: Final = re.compile(
    r"\b(?:one|a|the last|the previous|my last|my previous) message(?: back| ago| before)?\b|"
    r"\bwhat (?:i|came up|you)(?: was| am| have|'ve)?(?: just| last)? (?:mentioned|named|said|wrote|told|wondering|"
    r"talking about|asked|suggested|"
    r"proposed|recommended|before|just now)|\bthe (?:one )?(?:i|you) (?:just )?(?:mentioned|named|suggested|"
    r"proposed)\b|"
    r"\b(?:i|i've|we|i'll|i'd) (?:[\w']+ ){0,3}(?:that|this|the (?:first|last|second|third|latter|former|"
    r"other)) ?(?:one|option|idea|"
    r"suggestion)?\b(?= ?[.,;!]| (?:is|for|as|with|and|it|then|now|please|too|one)\b|$)|"
    r"\bthat one\b|\bjust mentioned\b|\bas (?:mentioned|said) (?:above|before)\b|\b(?:brought|bring) (?:that|it|"
    r"this) up\b|"
    r"\bthe (?:very )?thing i\b|\bthe true answer\b|\bi just told you\b|\bwe were (?:just )?talking about\b|"
    r"\b(?:said|named|told|mentioned) (?:it|that|you about)? ?(?:just now|just before|before|a moment ago|earlier|"
    r"above)\b|"
    r"\b(?:is|was|'s) (?:exactly|precisely|just) (?:what|that|it)\b|\b(?:exactly|precisely) (?:that|this|it)\b|"
    r"\bthe (?:first|second|third|last|former|latter|other) (?:one|option|of (?:them|those|the two))\b|"
    r"\bboth of (?:them|those)\b|"
    r"\bsame here\b|\bme too\b|\bso do i\b|\bmine too\b|\bneither do i\b"
)
_PRONOUN_OBJECT: Final = re.compile(r"\b(?:it|that|this|them|those|one|so|both|neither|there)\b")
# A pronoun that ends what is said of the speaker or of somebody around them: "My brother has that."
_PRONOUN_ENDS: Final = re.compile(
    r"\b(?:that|this|it|those|them|one|there)(?: too| as well| myself| ,? ?actually|"
    r" ,? ?and never will| anyway| already)?"
    r"(?= ?[.,;!]|$)"
)
_SOMEBODY: Final = re.compile(
    r"^(?:(?:and|but|oh|well|yes|no|actually) ,? ?)*(?:he|she|they)(?:'s|'ve|'ll|'d|'re)? [\w']"
)
_COMMITS: Final = re.compile(
    r"^(?:(?:yes|yeah|ok|okay|and|so|well|now|right|oh|then|no|nope|sure|actually|exactly|perfect|great|done|"
    r"deal) ,? ?)*"
    r"(?:i(?:'ll| will|'m| am|'ve| have|'d)? (?:[\w']+ ){0,2}?(?:do|take|go|going|gone|went|decided|chosen|chose|"
    r"pick|picked|book\w*|bought|order\w*|love|loved|hate|hated|like|liked|prefer|tried|want|sold|settled|signed|"
    r"join\w*|have|use|own|speak|play|collect\w*|touched|grew|live|lived|work\w*)(?: up| for| with| on| off| in| to|"
    r"ing)*? "
    r"(?:it|that|this|them|those|one|both|there|so)\b|"
    r"(?:that|this|it)(?:'s| is| was) (?:my|mine|the one|what i|where i|how i|settled|decided)\b|you can count on it\b|"
    r"never again\b|not any ?more\b|(?:that|it) (?:didn't|did not|never) (?:work|happen|last)\b)"
)
# "I love it!" of what the assistant has just written.
_REACTS: Final = re.compile(
    r"^(?:[a-z]+ ?[,!.] ?)*i (?:really |just |also |quite )?(?:like|love|hate|knew|got|get|see|understand|appreciate|"
    r"did not know|didn't know|had no idea) ?(?:it|that|this|about that|about it)? ?[!.]*$"
)
_WEIGHED: Final = re.compile(
    r"\b(?:thinking (?:of|about)|considering|considered|looking (?:at|into)|looked (?:at|into)|wondering|came across|"
    r"come across|heard (?:of|about)|how about|what about|maybe|perhaps|might|tempt\w+|read about|recommended|"
    r"option|options|choice|between|candidate|idea of|talk of|mention\w*|told (?:me|us) (?:of|about)|saw|noticed|"
    r"there (?:is|'s|are)|"
    r"not sure about|curious about|advert\w*|suggest\w*)\b"
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A sentence that needs what was said before it."""

    sentence: Sentence
    antecedent: str
    """What it points to, in the third person."""
    of_somebody: bool
    """Whether it speaks of somebody else."""


def pointed_back(
    context: Sequence[ContextMessage], sentences: Sequence[Sentence], found: Sequence[Telling], names: frozenset[str]
) -> Pointer | None:
    """Return the first sentence of a message that points back to what was said before it, with what it points to.

    Args:
        context: The session before the message, oldest first.
        sentences: The message's.
        found: What the message tells by itself.
        names: Lower-case names of people known in the session.
    """
    said = {sentence for telling in found for sentence in telling.sentences}
    for position, sentence in enumerate(sentences):
        words = " ".join(sentence.words)
        if sentence.is_question or MARK in sentence.words or REQUEST.match(words) or _REACTS.match(words):
            continue
        if bare_remark(words):
            continue
        points = _BACK.search(words) is not None and (_OWN.search(words) is not None or len(sentence.words) < 8)
        somebody = position == 0 and _SOMEBODY.match(words) is not None and not names_in(sentence, names)
        bare = position < 2 and len(sentence.stem_set) < 4 and CONVERSATION.match(words) is None
        ends = bare and sentence in said and len(sentence.stem_set) < 3 and _PRONOUN_ENDS.search(words) is not None
        commits = bare and _PRONOUN_OBJECT.search(words) is not None
        commits = commits and (commitment_to_antecedent(sentence) != 0 or _COMMITS.match(words) is not None)
        if not (points or somebody or ends or commits):
            continue
        tells_itself = sentence in said and (len(sentence.stem_set) > 2 or bool(names_in(sentence, names)))
        if tells_itself and not (points or somebody or ends):
            continue
        if any(one in said for one in sentences[max(0, position - 1) : position]):
            continue  # told in this message already
        antecedent = (
            _of_whom(context, names)
            if somebody
            else _of_what(context, sentences[max(0, position - _NEAR) : position], sentence, names)
        )
        if antecedent:
            return Pointer(sentence, antecedent, somebody or CIRCLE.search(words) is not None)
    return None


def _of_whom(context: Sequence[ContextMessage], names: frozenset[str]) -> str:
    """Return the sentence of the user that last spoke of somebody around them; empty where neither message does."""
    for text in reversed([said.text for said in context if said.role == "user"][-2:]):
        for one in reversed(sentences_of(text)):
            if names_in(one, names) or CIRCLE.search(" ".join(one.words)):
                return third_person(tidied(one.text.rstrip("?")))
    return ""


def _of_what(
    context: Sequence[ContextMessage], before: Sequence[Sentence], sentence: Sentence, names: frozenset[str]
) -> str:
    """Return what a pointer points to: what was weighed last, in this message or in the two of the user before it.

    A sentence that shares a word with the pointer ("my bakery") goes before one that does not. Where the user weighed
    and told nothing, it is what they asked last, with the assistant's answer.
    """
    earlier = [said.text for said in context if said.role == "user"][-2:]
    last: Sentence | None = None
    for back, sentences in enumerate((before, *(sentences_of(text) for text in reversed(earlier)))):
        weighed = [one for one in sentences if _WEIGHED.search(" ".join(one.words)) and len(one.stem_set) > 1]
        weighed = [one for one in weighed if _OWN.search(" ".join(one.words))]
        told = [one for one in sentences if told_by(one, bool(names_in(one, names)))[0]]
        shared = [one for one in (*weighed, *told) if one.stem_set & sentence.stem_set]
        if shared:
            return third_person(tidied(shared[-1].text.rstrip("?")))
        if (weighed or told) and last is None and back == 1:
            last = (weighed or told)[-1]
    answer = context[-1].text if context and context[-1].role == "assistant" else ""
    if answer.rstrip().endswith("?") and len(answer) <= _LONGEST_ANSWER:  # "Do you use tobacco?" "Never touched it."
        return f"{third_person(last.text)} The assistant: {answer}" if last is not None else f"The assistant: {answer}"
    if last is not None:
        return third_person(tidied(last.text.rstrip("?")))
    if not earlier:
        return ""
    asked = " ".join(one.text for one in sentences_of(earlier[-1])[-2:])
    short = answer if len(answer) <= _LONGEST_ANSWER else f"{answer[: answer.rfind(' ', 0, _LONGEST_ANSWER)]}…"
    return f"{third_person(asked)} {short}".strip()
