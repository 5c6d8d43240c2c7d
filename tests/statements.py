"""Messages written by hand, with what a careful person would remember of them: tests/data/README.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = ["Expectation", "Message", "OddMessage", "Statement", "load_odd_messages", "load_statements", "occurs"]

DATA = Path(__file__).parent / "data"
STATEMENTS = DATA / "first_person_statements.jsonl"
ODD_MESSAGES = DATA / "odd_messages.jsonl"

Words = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^|]+(\|[^|]+)*$")]
"""A word or phrase; several parted by ``|`` where one of them is enough."""

StatementKind = Literal[
    "direct",
    "indirect",
    "negation",
    "correction",
    "change",
    "plan",
    "plan_dropped",
    "other_person",
    "relation",
    "directive",
    "manner_wish",
    "habit",
    "anaphora",
    "nothing",
]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Message(_Line):
    """An earlier message."""

    role: Literal["user", "assistant"]
    text: str = Field(min_length=1)


class Expectation(_Line):
    """One thing that should be remembered."""

    kind: Literal["fact", "preference", "directive", "goal", "habit", "relation", "persona"]
    must_include: Annotated[list[Words], Field(min_length=1)]
    """All occur in what is remembered."""
    must_not_be: str
    """A value that must not be remembered as true of the holder now; empty: none."""
    holder: Words
    """``user``, or a name or relation that occurs in what is remembered."""

    def met_by(self, remembered: str) -> bool:
        """Whether a remembered text names all that it must and whom it is about; its truth is for the caller."""
        named = self.holder == "user" or occurs(self.holder, remembered)
        return named and all(occurs(words, remembered) for words in self.must_include)


class Statement(_Line):
    """A message of a user and what should be remembered of it."""

    id: Annotated[str, StringConstraints(pattern=r"^s\d{3}$")]
    text: str = Field(min_length=1)
    kind: StatementKind
    context: list[Message]
    expect: list[Expectation]
    note: str


class OddMessage(_Line):
    """A message that no one should trip over."""

    text: str
    note: str = Field(min_length=1)


def occurs(words: str, text: str) -> bool:
    """Whether one of the words or phrases parted by ``|`` stands in the text, as whole words in any case.

    Contractions of "not" count as "not"; the last word may carry "s", "es" or "'s".
    """
    plain = _plain(text)
    return any(
        re.search(rf"(?<![\w-]){re.escape(_plain(each))}(?:'s|s|es)?(?![\w-])", plain) for each in words.split("|")
    )


def load_statements() -> tuple[Statement, ...]:
    """All statements in file order."""
    return tuple(Statement.model_validate_json(line) for line in _lines(STATEMENTS))


def load_odd_messages() -> tuple[OddMessage, ...]:
    """All odd messages in file order."""
    return tuple(OddMessage.model_validate_json(line) for line in _lines(ODD_MESSAGES))


def _lines(path: Path) -> list[str]:
    # Not splitlines: it would also cut at characters that a message may hold.
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _plain(text: str) -> str:
    lowered = text.lower().replace("’", "'")
    opened = lowered.replace("can't", "can not").replace("won't", "will not").replace("cannot", "can not")
    return " ".join(re.findall(r"[\w'-]+", opened.replace("n't", " not")))
