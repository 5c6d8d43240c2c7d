"""Answers about who is in a picture: where and when they were met, what was to be done, what was asked for."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.reader.english import lexicon
from lifeloom.models.builtin.reader.life.asking import dates_in
from lifeloom.models.builtin.reader.text import analyse
from lifeloom.models.builtin.reasoner.addressing import second_person
from lifeloom.models.builtin.reasoner.captioning.likeness import likest
from lifeloom.models.builtin.reasoner.captioning.telling import names_of
from lifeloom.tasks.context_answer import ContextAnswerInput
from lifeloom.tasks.personal_caption import ShownPart

__all__ = ["answer_in_context"]

_WORD = r"[A-Z][^\W\d_]*(?:['’-][^\W\d_]+)*"
_MONTHS = lexicon(
    "January February March April May June July August September October November December Monday Tuesday Wednesday "
    "Thursday Friday Saturday Sunday"
)
_GOING = "go|goes|going|gone|went|came|drove|walked|travelled|flew|cycled|rode|trip|visit|way|journey|back|over|down|up"
_PLACE = re.compile(
    # "to" is of a place after going there, and not in "hello to Omar".
    rf"\b(?:at|in|near|by|through|outside|inside|(?:{_GOING}) to) "
    rf"(?P<place>(?:the )?{_WORD}(?: (?:(?:of|the|and|de|la|on) )?(?!(?:{'|'.join(sorted(_MONTHS))})\b){_WORD})*)"
)
_TO_DO = re.compile(
    r"\b(?:I|we)(?:'ve| have| had|'d)? (?:(?:really |still |just |now |also |actually |quickly )*)"
    r"(?:need|needs|have|got|must|should|ought|am|'m|was|were|promised|plan|planned|meant)\b.*|"
    r"\bI'm (?:about|supposed|going|off|late|on my way)\b.*|\bI (?:must|should|'ll|will)\b.*",
    re.IGNORECASE,
)
_REMIND = re.compile(
    r"\b(?:say|saying|use|using|mention|mentioning|include|including|answer|answering|write|writing|remind me with|"
    r"shout|whisper|keyword|code ?word|password|word)\b[^.!?]*?[\"“‘']?(?P<word>\b[A-Z][A-Z0-9]{1,15}\b)"
)
_WHENEVER = re.compile(
    r"\b(?:if|when|whenever|once|next time|as soon as|every time|each time|the moment)\b|(?:^|[,;:] )should\b",
    re.IGNORECASE,
)
_ASKS_DOING = re.compile(r"\bwhat\b.*\b(?:do|doing|did|up to|action|task|errand|plan)\b", re.IGNORECASE)
_ASKS_WHEN = re.compile(r"^\W*(?:when|on which (?:day|date)|what (?:day|date))\b", re.IGNORECASE)


def answer_in_context(asked: ContextAnswerInput, vectors: npt.NDArray[np.float32]) -> str:
    """Answer from what was told of whoever is in the new picture; the latest meeting comes first.

    Who that is: all parts, where that is known; else those whose names the caption says; else those of the person in
    the picture that resembles the new one most as a whole.

    Args:
        asked: context, question, perhaps a caption.
        vectors: of whole pictures, those of the context in order, then the query's.
    """
    parts = _about(asked, vectors)
    if not parts:
        return "I do not know who this is."
    latest = max(parts, key=lambda part: _date_of(part) or dt.date.min)
    reminders = [word for part in parts for word in _reminders(part)]
    said = _said(asked.question, latest, parts)
    return " ".join([*dict.fromkeys(f"{word}!" for word in reminders), said])


def _about(asked: ContextAnswerInput, vectors: npt.NDArray[np.float32]) -> list[ShownPart]:
    parts = list(asked.parts)
    if asked.recognised or not parts:
        return parts
    names = [_name_of(part) for part in parts]
    if asked.caption:
        called = names_of([asked.caption]) | {word.lower() for word in asked.caption.split()[:1]}
        found = [part for part, name in zip(parts, names, strict=True) if name and name in called]
        if found:
            return found
    best = likest(vectors)[:1]
    if not best:
        return []
    name = names[best[0]]
    return [part for part, own in zip(parts, names, strict=True) if own == name] if name else [parts[best[0]]]


def _name_of(part: ShownPart) -> str:
    """Return what the user calls who is in a picture: the first name that is said and is no place, lower case."""
    for turn in part.turns:
        text = turn.user
        places = {word.lower() for match in _PLACE.finditer(text) for word in match["place"].split()}
        for sentence in analyse(text).sentences:
            for place, word in enumerate(sentence.surface):
                lowered = word.split("'")[0].lower()
                if not word[:1].isupper() or word in _MONTHS or lowered in places or len(lowered) < 2:
                    continue
                if place == 0 and not _is_subject(sentence.words, place):
                    continue
                if lowered not in ("i", "it", "oh"):
                    return lowered
    return ""


def _is_subject(words: Sequence[str], place: int) -> bool:
    """Return whether the word that begins a sentence is a name: "Nadia was ..." and not "There was ..."."""
    following = words[place + 1] if place + 1 < len(words) else ""
    return following in ("was", "is", "and", "came", "met", "waited", "stood", "sat", "had") and words[place] not in (
        "there", "it", "that", "this", "he", "she", "they", "we", "what", "who", "here",
    )  # fmt: skip


def _date_of(part: ShownPart) -> dt.date | None:
    found = [day for turn in part.turns for day in dates_in(turn.user)]
    return max(found) if found else None


def _places(part: ShownPart) -> list[str]:
    found = []
    for turn in part.turns:
        for match in _PLACE.finditer(turn.user):
            words = match["place"].split()
            if words[0] not in _MONTHS:
                found.append(match["place"].removeprefix("the "))
    return found


def _said(question: str, latest: ShownPart, parts: Sequence[ShownPart]) -> str:
    if _ASKS_DOING.search(question):
        actions = _actions(latest) or [one for part in parts for one in _actions(part)]
        if actions:
            said = second_person(actions[-1])
            return f"{said[:1].upper()}{said[1:]}"
        return "You did not say what you were doing."
    if _ASKS_WHEN.search(question):
        day = _date_of(latest)
        return "You did not say when." if day is None else f"On {day.isoformat()}."
    places = _places(latest)
    if not places:
        return "You did not say where."
    return places[0]


def _actions(part: ShownPart) -> list[str]:
    """Return what the user says there is to do now."""
    found = []
    for turn in part.turns:
        for sentence in analyse(turn.user).sentences:
            match = _TO_DO.search(sentence.text)
            if match is not None and not dates_in(sentence.text) and not _WHENEVER.search(sentence.text):
                found.append(match[0].strip())
    return found


def _reminders(part: ShownPart) -> list[str]:
    """Return the words that the user wants to hear when this person shows up again."""
    found = []
    for turn in part.turns:
        for sentence in analyse(turn.user).sentences:
            match = _REMIND.search(sentence.text)
            if match is not None and _WHENEVER.search(sentence.text):
                found.append(match["word"])
    return found
