"""A message as its sentences, mended where people type in haste, and without what is not the user's own speech."""

from __future__ import annotations

import functools
import re
from typing import Final

from lifeloom.models.builtin.reader.pointing import MARK, without_marks
from lifeloom.models.builtin.reader.text import Sentence, analyse
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["QUOTED", "sentences_of", "tidied", "whole_sentences_of"]

QUOTED: Final = "quotedmark"
"""Stands for a longer quotation; a sentence that leads up to one tells nothing itself."""

_MARK_NOT_SHOWN: Final = re.compile(r"< ?img ?>")
"""As session tasks spell the mark of a picture that they do not show."""
_CAPTION: Final = re.compile(r"[“\"][^“”\"]{30,}[”\"]")
_SPOKEN: Final = re.compile(r"(?<!\w)'(?=[^']*(?:\b[Ii]\b|\b[Mm]y\b|\bI'))(?:[^']|(?<=\w)'(?=\w)){24,}'(?!\w)")
_HASTE: Final = (
    (re.compile(r"\bi\b(?=['’ ,.!?])"), "I"),
    (re.compile(r"\b[Ii]m\b"), "I'm"),
    (re.compile(r"\b[Ii]ve\b"), "I've"),
    (re.compile(r"\b[Dd]ont\b"), "don't"),
    (re.compile(r"\b[Cc]ant\b"), "can't"),
    (re.compile(r"\b[Dd]idnt\b"), "didn't"),
    (re.compile(r"\b[Dd]oesnt\b"), "doesn't"),
    (re.compile(r"\b[Ii]snt\b"), "isn't"),
    (re.compile(r"\b[Ww]ont\b(?= [a-z])"), "won't"),
)
_NO_SUBJECT: Final = re.compile(
    r"(?P<before>^|[.!?…] +)(?P<verb>(?:(?:Just|Finally|Never|Still|Already|Recently|Always|Usually|Have|Only) )?"
    r"(?:[Gg]ot|[Ss]pent|[Bb]een|[Bb]ought|[Ww]ent|[Mm]oved|[Ss]tarted|[Ff]inished|[Qq]uit|[Tt]ried|[Jj]oined|[Gg]ave|"
    r"[Tt]ook|[Mm]et|[Ll]ost|[Ss]old|[Bb]ecame|[Aa]dopted|[Ss]igned|[Bb]ooked|[Hh]ad|[Tt]ouched|[Ll]oved?|[Hh]ated?|"
    r"[Ee]njoyed|[Aa]te|[Dd]rank|[Rr]an|[Ss]witched|[Dd]ropped|[Cc]ancelled|[Pp]assed|[Ff]ailed|[Tt]urned|[Ww]orked))"
    r"(?= (?!by\b|in the mail\b|for sale\b|it\?|you\b|any\b)[\w'])"
)
_FICTION: Final = re.compile(
    r"\brole-? ?play|\blet's (?:play|pretend|imagine)\b|\bpretend (?:that )?(?:i|you|we)\b|\bimagine (?:that )?i\b|"
    r"\bsuppose (?:that )?i\b|\bmy character\b|\bonce upon a time\b|\bmade-up (?:customer|person|character)\b|"
    r"\b[\w]+'s memory\b|\banother user|\bother users?\b|\bhypothetical"
)
_TO_WORK_ON: Final = re.compile(
    r"^(?:(?:please|could you|can you|would you|now) )*(?:translate|transcribe|proofread|rewrite|paraphrase|rephrase|"
    r"edit|"
    r"summari[sz]e|convert|correct (?:the|this|all|my) (?:spelling|grammar|text|sentence|typos?)|check (?:the|this|my) "
    r"(?:spelling|grammar|text|sentence)|fix (?:the|this|my) (?:spelling|grammar|text|sentence|typos?)|spell)\b"
)

_LEAD_IN: Final = re.compile(
    r"^(?:(?:so that you (?:know|have it|are aware|don't wonder)|well|(?:so|now)(?! that\b)|oh|ah|and|but|also|"
    r"anyway|honestly|frankly|hi|hello|hey|ok|okay|haha|(?:yes|no)(?=[,.])|by the way|"
    r"to be honest|fun fact|just so you know|for the record|for what it's worth|in case you wonder|you know|"
    r"i should mention(?: that)?|i have to (?:say|admit)(?: that)?|i must (?:say|admit)(?: that)?|"
    r"did i (?:ever )?(?:tell you|mention)(?: that)?|let me tell you(?: that)?)\b[,:;]? +)+",
    re.IGNORECASE,
)
_TRAILER: Final = re.compile(
    r",? (?:so (?:that )?you (?:know|have)[^,.;]*|by the way|you know|to be honest|if you (?:must|want to) know|please|"
    r"i (?:guess|suppose|believe|think)|mind you|honestly)(?=[.!?;]|$)",
    re.IGNORECASE,
)


@functools.lru_cache(maxsize=4_000)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences in which a user speaks for themselves, pictures as words.

    Longer quotations are left out (captions, drafts), and so is what follows "let's pretend" or "translate this:".
    """
    plain = _MARK_NOT_SHOWN.sub(PICTURE_MARK, text.replace("‘", "'").replace("’", "'"))
    plain = _SPOKEN.sub(f" {QUOTED} ", _CAPTION.sub(f" {QUOTED} ", plain))
    for pattern, put in _HASTE:
        plain = pattern.sub(put, plain)
    plain = _NO_SUBJECT.sub(_with_subject, plain)
    kept: list[Sentence] = []
    for sentence in analyse(without_marks(plain)).sentences:
        said = " ".join(sentence.words)
        if _FICTION.search(said) or (_TO_WORK_ON.match(said) and ":" in sentence.words):
            break
        kept.append(sentence)
    return tuple(kept)


def whole_sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a message as they are, quotations included, pictures as words."""
    return analyse(without_marks(_MARK_NOT_SHOWN.sub(PICTURE_MARK, text.replace("’", "'")))).sentences


def _with_subject(match: re.Match[str]) -> str:
    verb = match["verb"]
    return f"{match['before']}I {verb[0].lower()}{verb[1:]}"


def tidied(text: str) -> str:
    """Return a sentence without its picture marks and without what only leads up to it or trails behind it."""
    plain = re.sub(r" +(?=[.,;:!?])", "", " ".join(text.replace(MARK, " ").split()))
    return _TRAILER.sub("", _LEAD_IN.sub("", plain))
