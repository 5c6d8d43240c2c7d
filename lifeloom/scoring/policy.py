"""The policy protocol: given the messages so far, answer. What every benchmark takes."""

from __future__ import annotations

import bisect
import functools
import hashlib
import itertools
import json
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lifeloom.models.tokens import count_many, picture_tokens
from lifeloom.records import BY_CODE, PictureReference, Provenance, Turn, local_time
from lifeloom.tasks import ContextMessage, OptionText
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = [
    "Answer",
    "CaseQuestion",
    "History",
    "HistoryView",
    "Policy",
    "TrackedPolicy",
    "policy_fingerprint",
]


class History:
    """All messages of one user's conversation, viewed at any moment.

    Messages and their token counts are made when a policy first asks for them: a blind policy never pays for them.

    A ``<img>`` in a message stands for a picture shown at that place. The first pictures of a turn belong to the
    first marks of the user's text. A picture without a mark is not shown: where it belongs is not known. A mark
    without a picture, as in a question about HTML, is written ``< img>``, so that the marks that readers see are
    always as many as the pictures that they are given.
    """

    def __init__(self, turns: Iterable[Turn]) -> None:
        """Take ``turns``, which must be complete and in order from index 0, all of one persona.

        Raises:
            ValueError: a turn is missing or out of order, or belongs to somebody else.
        """
        self._turns = tuple(turns)
        for expected, turn in enumerate(self._turns):
            if turn.persona_id != self._turns[0].persona_id:
                raise ValueError(f"history of {self._turns[0].persona_id}: a turn of {turn.persona_id} is in it")
            if turn.turn_index != expected:
                raise ValueError(f"history of {turn.persona_id}: turn {expected} expected, {turn.turn_index} found")

    @property
    def persona_id(self) -> str:
        """Whose conversation it is; empty where nothing was said yet."""
        return self._turns[0].persona_id if self._turns else ""

    def offset_minutes(self, turns: int) -> int:
        """Return the user's zone, minutes east of UTC, when the last of the first ``turns`` turns was said; 0: none."""
        return self._turns[turns - 1].offset_minutes if 0 < turns <= len(self._turns) else 0

    @functools.cached_property
    def messages(self) -> tuple[ContextMessage, ...]:
        """Two messages a turn, the user's and the assistant's, oldest first."""
        messages: list[ContextMessage] = []
        for turn in self._turns:
            at = local_time(turn.at, turn.offset_minutes).isoformat(" ", "minutes")
            messages.append(ContextMessage(at=at, role="user", text=_marked(turn.user, len(turn.pictures))))
            messages.append(ContextMessage(at=at, role="assistant", text=_marked(turn.assistant, 0)))
        return tuple(messages)

    @functools.cached_property
    def pictures(self) -> tuple[tuple[PictureReference, ...], ...]:
        """The pictures of each message, one for each of its marks, in order."""
        pictures: list[tuple[PictureReference, ...]] = []
        for turn in self._turns:
            pictures.append(turn.pictures[: turn.user.count(PICTURE_MARK)])
            pictures.append(())
        return tuple(pictures)

    @functools.cached_property
    def cumulative_tokens(self) -> tuple[int, ...]:
        """Tokens of the first 0, 1, 2, ... messages, each with its time and role as prompts show it."""
        # Tokens never reach across a space, so heading and text count apart; texts then repeat known words only.
        headings = count_many([f"[{message.at}] {message.role}:" for message in self.messages])
        texts = count_many([message.text for message in self.messages])
        return (0, *itertools.accumulate(map(operator.add, headings, texts)))

    @functools.cached_property
    def cumulative_tokens_with_pictures(self) -> tuple[int, ...]:
        """The same with those of the messages' pictures (``picture_tokens``)."""
        seen = itertools.accumulate(
            sum(picture_tokens(picture.width, picture.height) for picture in pictures) for pictures in self.pictures
        )
        return tuple(map(operator.add, self.cumulative_tokens, (0, *seen)))

    def before(self, turns: int) -> HistoryView:
        """Return the first ``turns`` turns.

        Raises:
            ValueError: the history is shorter than that, or ``turns`` is negative.
        """
        if not 0 <= turns <= len(self._turns):
            raise ValueError(f"the history has {len(self._turns)} turns, {turns} were asked for")
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
        """Tokens of all messages, each with its time and role, and of their pictures."""
        return self._cumulative(pictures=True)[self.count]

    @property
    def turns(self) -> int:
        """Number of turns up to the moment."""
        return self.count // 2

    @property
    def offset_minutes(self) -> int:
        """The user's zone, minutes east of UTC, at the last turn; 0 where nothing was said yet."""
        return self.history.offset_minutes(self.turns)

    def newest(self, tokens: int, *, pictures: bool = True) -> range:
        """Return the indices of the newest messages that fit into ``tokens``; none where nothing fits.

        Args:
            tokens: room for the messages.
            pictures: whether their pictures need room too.
        """
        cumulative = self._cumulative(pictures=pictures)
        first = bisect.bisect_left(cumulative, cumulative[self.count] - max(tokens, 0), 0, self.count)
        return range(first, self.count)

    def tokens_of(self, indices: Sequence[int], *, pictures: bool = True) -> int:
        """Return the tokens of the messages at ``indices``, each below ``count``, with or without their pictures."""
        cumulative = self._cumulative(pictures=pictures)
        if isinstance(indices, range) and indices.step == 1:
            return cumulative[indices.stop] - cumulative[indices.start] if indices else 0
        return sum(cumulative[i + 1] - cumulative[i] for i in indices)

    def messages_of(self, indices: Sequence[int]) -> tuple[ContextMessage, ...]:
        """Return the messages at ``indices``, in the order given."""
        return tuple(self.history.messages[i] for i in indices)

    def pictures_of(self, indices: Sequence[int]) -> tuple[PictureReference, ...]:
        """Return the pictures of the messages at ``indices``: one for each ``<img>`` of their texts, in order."""
        return tuple(picture for i in indices for picture in self.history.pictures[i])

    def _cumulative(self, *, pictures: bool) -> tuple[int, ...]:
        return self.history.cumulative_tokens_with_pictures if pictures else self.history.cumulative_tokens


def _marked(text: str, pictures: int) -> str:
    """Return ``text`` with at most ``pictures`` marks; further ones are written so that nobody takes them for one."""
    parts = text.split(PICTURE_MARK)
    if len(parts) <= pictures + 1:
        return text
    return PICTURE_MARK.join(parts[: pictures + 1]) + "".join(f"< img>{part}" for part in parts[pictures + 1 :])


@dataclass(frozen=True)
class CaseQuestion:
    """What a policy may see of a case: no answer, no ids, no sources."""

    asked_at: str
    """``YYYY-MM-DD HH:MM`` on the user's clock."""
    query: str
    options: tuple[OptionText, ...]
    tokens: int = field(default=0, compare=False)
    """Tokens of query and options."""
    query_tokens: int = field(default=0, compare=False)
    """Tokens of the query alone: what an alignment question shows of it."""


@dataclass(frozen=True)
class Answer:
    """What a policy answered."""

    text: str
    """A letter, ``yes`` or ``no``; empty when there is no answer."""
    prompt_tokens: int
    completion_tokens: int
    option_scores: tuple[float, ...] = ()
    failure: str = ""
    made_by: Provenance = BY_CODE
    """The model that answered, or that failed to."""
    trace: str = field(default="", compare=False, repr=False)
    """How a policy that takes steps came to it, as JSON of ``lifeloom.assistant.Trace``; empty for others."""


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


class TrackedPolicy(Policy, Protocol):
    """A policy that says what its answers depend on, so that they can be kept and compared."""

    def models(self) -> list[str]:
        """Return ``backend/model`` of everything that is asked."""
        ...

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts that it puts."""
        ...

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides the answers."""
        ...


def policy_fingerprint(
    name: str, *, code: str, models: Sequence[str], prompts: Sequence[str], parameters: Mapping[str, str | int | float]
) -> str:
    """Return 16 hex digits that change whenever a policy's answers may change."""
    text = json.dumps([name, code, list(models), list(prompts), dict(parameters)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
