"""The policy protocol: given the messages so far, answer. What every benchmark takes."""

from __future__ import annotations

import bisect
import hashlib
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lifeloom.models.tokens import count_many
from lifeloom.records import Turn, local_time
from lifeloom.tasks import ContextMessage, OptionText

__all__ = [
    "MESSAGE_OVERHEAD_TOKENS",
    "Answer",
    "CaseQuestion",
    "History",
    "HistoryView",
    "Policy",
    "policy_fingerprint",
]

MESSAGE_OVERHEAD_TOKENS = 12
"""Tokens that a prompt spends on a message beside its text: time, role and separators."""


class History:
    """All messages of one user's conversation, prepared once and viewed at any moment."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        """Prepare ``turns``, which must be complete and in order from index 0.

        Raises:
            ValueError: a turn is missing or out of order.
        """
        messages: list[ContextMessage] = []
        for expected, turn in enumerate(turns):
            if turn.turn_index != expected:
                raise ValueError(f"history of {turn.persona_id}: turn {expected} expected, {turn.turn_index} found")
            at = local_time(turn.at, turn.offset_minutes).strftime("%Y-%m-%d %H:%M")
            messages.append(ContextMessage(at=at, role="user", text=turn.user))
            messages.append(ContextMessage(at=at, role="assistant", text=turn.assistant))
        self.messages: tuple[ContextMessage, ...] = tuple(messages)
        counts = (n + MESSAGE_OVERHEAD_TOKENS for n in count_many([m.text for m in messages]))
        self._cumulative: list[int] = [0, *itertools.accumulate(counts)]

    def before(self, turns: int) -> HistoryView:
        """Return the first ``turns`` turns.

        Raises:
            ValueError: the history is shorter than that.
        """
        if 2 * turns > len(self.messages):
            raise ValueError(f"the history has {len(self.messages) // 2} turns, {turns} were asked for")
        return HistoryView(self, 2 * turns)


@dataclass(frozen=True)
class HistoryView:
    """The messages up to a moment."""

    history: History
    count: int
    """Number of messages, two a turn."""

    @property
    def messages(self) -> tuple[ContextMessage, ...]:
        """The messages, oldest first."""
        return self.history.messages[: self.count]

    @property
    def tokens(self) -> int:
        """Tokens of all messages, with what a prompt spends on each."""
        return self.history._cumulative[self.count]

    def newest(self, tokens: int) -> tuple[ContextMessage, ...]:
        """Return the newest messages that fit into ``tokens``, oldest first."""
        cumulative = self.history._cumulative
        first = bisect.bisect_left(cumulative, cumulative[self.count] - max(tokens, 0), 0, self.count)
        return self.history.messages[first : self.count]

    def tokens_of(self, indices: Sequence[int]) -> int:
        """Return the tokens of the messages at ``indices``."""
        cumulative = self.history._cumulative
        return sum(cumulative[i + 1] - cumulative[i] for i in indices)


@dataclass(frozen=True)
class CaseQuestion:
    """What a policy may see of a case: no answer, no ids, no sources."""

    asked_at: str
    """``YYYY-MM-DD HH:MM`` on the user's clock."""
    query: str
    options: tuple[OptionText, ...]
    tokens: int = field(default=0, compare=False)
    """Tokens of query and options."""


@dataclass(frozen=True)
class Answer:
    """What a policy answered."""

    text: str
    """A letter, ``yes`` or ``no``; empty when there is no answer."""
    prompt_tokens: int
    completion_tokens: int
    option_scores: tuple[float, ...] = ()
    failure: str = ""


class Policy(Protocol):
    """Answers questions about a user from the messages so far."""

    @property
    def name(self) -> str:
        """Short id, ``[a-z0-9_-]{1,64}``."""
        ...

    @property
    def fingerprint(self) -> str:
        """Digest of code version, model, prompts and parameters."""
        ...

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        """Return the letter of one option."""
        ...

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        """Return ``yes`` when ``response`` suits the user's personality, else ``no``."""
        ...


def policy_fingerprint(
    name: str, *, code: str, models: Sequence[str], prompts: Sequence[str], parameters: Mapping[str, str | int | float]
) -> str:
    """Return 16 hex digits that change whenever a policy's answers may change."""
    text = json.dumps([name, code, list(models), list(prompts), dict(parameters)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
