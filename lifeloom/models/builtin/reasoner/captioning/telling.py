"""What a user told of a picture, as statements to the user."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lifeloom.models.builtin.reader.text import analyse
from lifeloom.models.builtin.reasoner.addressing import second_person
from lifeloom.tasks.personal_caption import ContextTurn, ShownPart

__all__ = ["names_of", "statements", "turn_statements"]

_ASKS_TO_LOOK = re.compile(
    r"^(?:please |just )?(?:look|have a look|take a look|see|let me|check|guess)\b", re.IGNORECASE
)
_SHOWS = re.compile(r"^(?:I am|I'm|we are|we're) showing you (?P<what>.+?)(?: here)?[.!]?$", re.IGNORECASE)
_NAME = re.compile(r"[A-Z][^\W\d_]+(?:['’][^\W\d_]+)?")


def statements(part: ShownPart, *, turns: int | None = None) -> list[str]:
    """Return what the user states in the first ``turns`` turns (None: all), addressed to the user, each once."""
    found: list[str] = []
    for turn in part.turns[:turns]:
        found += [one for one in turn_statements(turn) if one not in found]
    return found


def turn_statements(turn: ContextTurn) -> list[str]:
    """Return the statements of one turn: questions go, and what only asks to look keeps what it announces."""
    found = []
    for sentence in analyse(turn.user).sentences:
        if sentence.is_question:
            continue
        text = sentence.text.strip()
        if _ASKS_TO_LOOK.match(text):
            _, colon, rest = text.partition(":")
            if not colon or not rest.strip():
                continue
            text = rest.strip()
        elif shown := _SHOWS.match(text):
            text = f"This is {shown['what']}."
        said = second_person(text)
        found.append(said[:1].upper() + said[1:])
    return found


def names_of(texts: Sequence[str]) -> set[str]:
    """Return capitalised words that do not begin their sentence, lower case."""
    found = set()
    for text in texts:
        for sentence in analyse(text).sentences:
            for match in _NAME.finditer(sentence.text):
                if match.start() > 0:
                    found.add(match[0].lower())
    return found
