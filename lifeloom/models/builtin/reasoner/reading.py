"""What a step has before it, as one conversation in order of time that the reader can read.

Retrieved episodes bring the turns as they were said. Retrieved knowledge is told about the user ("The user likes
figs"); it is read as if the user had said so then ("I like figs"), unless the very turn is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reasoner.described import described_picture
from lifeloom.models.builtin.reasoner.verbs import plain_verb
from lifeloom.tasks.choice_answer import PICTURE_MARK, ContextMessage
from lifeloom.tasks.response_step import ResponseStepInput, RetrievedMemory

__all__ = ["Conversation", "first_person", "read_all"]


@dataclass(frozen=True)
class Conversation:
    """Messages, oldest first, with their pictures."""

    messages: tuple[ContextMessage, ...]
    looked: tuple[LookedAt, ...]
    """One for each ``PICTURE_MARK`` of the messages, in order; empty where there are no pictures at all."""


@dataclass(frozen=True)
class _Piece:
    """A text of the prompt with its pictures."""

    message: ContextMessage
    pictures: tuple[LookedAt, ...]


def read_all(step: ResponseStepInput, looked: Sequence[LookedAt]) -> Conversation:
    """Return everything that the prompt of ``step`` shows of the past, in order of time, nothing twice.

    What holds by now (core and procedural values) stands before the session, behind everything older.

    Args:
        step: what the model may know.
        looked: its pictures in words, in the order of the prompt's marks.
    """
    shown = _Pictures(looked)
    session = [_Piece(message, shown.take(message.text)) for message in step.context]
    shown.take(step.query)
    turns: dict[tuple[str, str, str], _Piece] = {}
    known: list[_Piece] = []
    values: list[_Piece] = [
        _Piece(ContextMessage(at="", role="user", text=_value(line.key, line.content)), ()) for line in step.profile
    ]
    for memory in (memory for found in step.rounds for memory in found.memories):
        pictures = shown.take(memory.content)
        for message in memory.turns:
            piece = _Piece(message, shown.take(message.text))
            turns.setdefault((message.at, message.role, message.text), piece)
        if memory.kind == "procedural":
            values.append(_Piece(ContextMessage(at=memory.at, role="user", text=_told(memory)), pictures))
        elif not memory.turns:
            known.append(_knowledge(memory, pictures))
    spoken = [piece for key, piece in turns.items() if key not in _keys(session)]
    said = {piece.message.at for piece in (*spoken, *session) if piece.message.role == "user"}
    spoken += [piece for piece in known if piece.message.at not in said]
    spoken.sort(key=lambda piece: piece.message.at)  # stable: question before reply
    pieces = [*spoken, *values, *session]
    pictured = any(piece.pictures for piece in pieces)
    return Conversation(
        tuple(_marked(piece, pictured) for piece in pieces),
        tuple(picture for piece in pieces for picture in piece.pictures),
    )


class _Pictures:
    """Deals the pictures out to the marks of one text after another."""

    def __init__(self, looked: Sequence[LookedAt]) -> None:
        self._left: Iterator[LookedAt] = iter(looked)

    def take(self, text: str) -> tuple[LookedAt, ...]:
        """Return the pictures of ``text``; its last marks go without where there are too few."""
        return tuple(picture for _, picture in zip(range(text.count(PICTURE_MARK)), self._left, strict=False))


def _keys(pieces: Sequence[_Piece]) -> frozenset[tuple[str, str, str]]:
    return frozenset((piece.message.at, piece.message.role, piece.message.text) for piece in pieces)


def _marked(piece: _Piece, pictures: bool) -> ContextMessage:
    """Return the message with as many marks as pictures, where there are pictures at all."""
    parts = piece.message.text.split(PICTURE_MARK)
    if not pictures or len(parts) <= len(piece.pictures) + 1:
        return piece.message
    kept = len(piece.pictures) + 1
    return piece.message.model_copy(update={"text": PICTURE_MARK.join(parts[:kept]) + " ".join(["", *parts[kept:]])})


def _knowledge(memory: RetrievedMemory, pictures: tuple[LookedAt, ...]) -> _Piece:
    """Return what a memory tells as a message; a picture that it describes is shown in it."""
    described = described_picture(memory.content)
    if described is None or pictures or PICTURE_MARK in memory.content:
        return _Piece(ContextMessage(at=memory.at, role="user", text=_told(memory)), pictures)
    said, picture = described
    message = ContextMessage(at=memory.at, role="user", text=f"{first_person(said)} {PICTURE_MARK}".strip())
    return _Piece(message, (picture,))


def _told(memory: RetrievedMemory) -> str:
    text = first_person(memory.content)
    phrase = text.removesuffix(PICTURE_MARK).strip()
    if phrase != text and PICTURE_MARK not in phrase:  # a visual concept: "Fatou, the user's bandmate <img>"
        return f"This is {phrase}. {PICTURE_MARK}"
    return _value(memory.key, text) if memory.kind == "procedural" and text == memory.content else text


def _value(key: str, content: str) -> str:
    """Return a value as its user would say it: ``name`` and ``Ana`` are "My name is Ana."."""
    said = first_person(content)
    if said != content or not key or re.match(r"(?:i|my|we|our)\b", content.lower()):
        return said if said.endswith((".", "!", "?")) else f"{said}."
    return f"My {key.replace('_', ' ').strip()} is {content.rstrip('. ')}."


_USER: Final = re.compile(r"\b([Tt]he [Uu]ser|User)(?P<owns>['’]s)?(?=\W|$)")
_VERBS: Final = {
    "is": "am", "has": "have", "does": "do", "doesn't": "don't", "goes": "go", "isn't": "am not", "hasn't": "haven't",
    "was": "was", "wasn't": "wasn't",
}  # fmt: skip
_OWN: Final = {
    "their": "my", "they": "I", "them": "me", "themselves": "myself", "themself": "myself", "theirs": "mine",
}  # fmt: skip


def first_person(text: str) -> str:
    """Return ``text`` about "the user" as the user would say it: "I", "my", with the verb that goes with it.

    "They" and "their" turn too where nothing but the user is spoken of in that sentence.
    """
    return " ".join(_sentence_in_first_person(sentence) for sentence in re.split(r"(?<=[.!?]) +", text))


def _sentence_in_first_person(sentence: str) -> str:
    if not _USER.search(sentence):
        return sentence
    owned = any(match["owns"] for match in _USER.finditer(sentence))
    out: list[str] = []
    position = 0
    for match in _USER.finditer(sentence):
        out.append(sentence[position : match.start()])
        first = not "".join(out).strip()
        if match["owns"]:
            out.append("My" if first else "my")
            position = match.end()
            continue
        subject = first or bool(re.search(r"(?:\b(?:that|and|but|because|so|what|which|where|when|if|as)|[,;:])\s*$",
                                          "".join(out)))  # fmt: skip
        rest = sentence[match.end() :]
        verb = re.match(r"((?:\s+(?:no longer|not|never|always|usually|often|now|also|still|sometimes|rarely|"
                        r"[a-z]+ly))*)\s+([a-z][a-z']*)", rest)  # fmt: skip
        if not subject:
            out.append("me")
            position = match.end()
        elif verb is None:
            out.append("I")
            position = match.end()
        else:
            out.append(f"I{verb[1]} {plain_verb(verb[2], _VERBS)}")
            position = match.end() + verb.end()
    out.append(sentence[position:])
    said = "".join(out)
    if owned:
        return said
    return re.sub(r"\b(their|they|them|themselves|themself|theirs)\b", lambda match: _OWN[match[0]], said)
