"""The extractor on messages written by hand: what a careful person would remember of each, and what not.

The file is one JSON object a line with ``id``, ``text``, ``kind``, ``context`` (earlier messages with ``role`` and
``text``) and ``expect``: things to remember, each with ``must_include`` (all must occur in one remembered text; ``|``
parts words of which one is enough), ``must_not_be`` (a value that must not be said to hold) and ``holder`` (``user``,
or words of which one must occur). Of a message with nothing to expect, nothing should be remembered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from evaluation.memory_quality.judging import readings
from lifeloom.models.builtin.reader.holders import SELF
from lifeloom.tasks.choice_answer import ContextMessage

__all__ = ["WrittenExpectation", "WrittenRow", "WrittenStatement", "read_written", "score_written"]

Remember = Callable[[str, Sequence[ContextMessage]], Sequence[str]]
"""What is remembered of a message said after a context, as texts."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class WrittenExpectation(_Line):
    """One thing that should be remembered."""

    must_include: tuple[str, ...] = Field(min_length=1)
    must_not_be: str = ""
    holder: str = "user"


class _Said(_Line):
    role: Literal["user", "assistant"]
    text: str


class WrittenStatement(_Line):
    """A message and what should be remembered of it."""

    id: str
    text: str
    kind: str
    context: tuple[_Said, ...] = ()
    expect: tuple[WrittenExpectation, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """Messages of one kind, or ``told`` (all that expect something), or ``nothing``."""

    kind: str
    messages: int
    met: int
    """Messages of which everything expected was remembered, or, where nothing is, nothing was."""
    contradicted: int
    """Messages of which something was remembered that must not be."""


def read_written(path: Path | str) -> tuple[WrittenStatement, ...]:
    """Read a file of statements.

    Raises:
        OSError: it cannot be read.
        ValidationError: a line is not of the form above.
    """
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    return tuple(WrittenStatement.model_validate_json(line) for line in lines if line.strip())


def score_written(statements: Iterable[WrittenStatement], remember: Remember) -> tuple[WrittenRow, ...]:
    """Return a row for each kind of message, in order of first appearance, then ``told`` for all but ``nothing``."""
    messages: Counter[str] = Counter()
    met: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for statement in statements:
        context = tuple(
            ContextMessage(at="2025-06-01 10:00", role=said.role, text=said.text) for said in statement.context
        )
        texts = remember(statement.text, context)
        if statement.expect:
            good = all(any(_meets(one, text) for text in texts) for one in statement.expect)
            bad = any(_contradicts(one, text) for one in statement.expect for text in texts)
        else:
            good, bad = not texts, False
        for kind in (statement.kind, *(("told",) if statement.expect else ())):
            messages[kind] += 1
            met[kind] += good
            wrong[kind] += bad
    kinds = [kind for kind in messages if kind != "told"] + (["told"] if messages["told"] else [])
    return tuple(WrittenRow(kind, messages[kind], met[kind], wrong[kind]) for kind in kinds)


def _meets(expected: WrittenExpectation, text: str) -> bool:
    named = expected.holder == "user" or _occurs(expected.holder, text)
    return named and all(_occurs(words, text) for words in expected.must_include)


def _contradicts(expected: WrittenExpectation, text: str) -> bool:
    """Whether a text says of the user that what must not be is so, as the reader reads it."""
    if not expected.must_not_be or expected.holder != "user":
        return False
    found = [one for one in readings(text, expected.must_not_be, ()) if one.who == SELF]
    return bool(found) and found[-1].holds


def _occurs(words: str, text: str) -> bool:
    plain = _plain(text)
    return any(
        re.search(rf"(?<![\w-]){re.escape(_plain(each))}(?:'s|s|es)?(?![\w-])", plain) for each in words.split("|")
    )


def _plain(text: str) -> str:
    lowered = text.lower().replace("’", "'").replace("can't", "can not").replace("won't", "will not")
    return " ".join(re.findall(r"[\w'-]+", lowered.replace("cannot", "can not").replace("n't", " not")))
