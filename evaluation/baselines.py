"""Baseline policies (P20): full context and RAG over the user's messages."""

from __future__ import annotations

import collections
import functools
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import LanguageModel, TextEncoder, Usage
from lifeloom.models.tokens import count_tokens
from lifeloom.records import LETTERS, PictureReference
from lifeloom.scoring.policy import Answer, CaseQuestion, History, HistoryView, TrackedPolicy, policy_fingerprint
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import (
    ALIGNMENT_JUDGEMENT,
    CHOICE_ANSWER,
    AlignmentJudgementInput,
    ChoiceAnswerInput,
    ContextMessage,
    OptionText,
)

__all__ = ["FullContextPolicy", "RagPolicy", "ReaderPolicy"]


@dataclass(frozen=True)
class _Shown:
    """What a reader is shown of a history."""

    messages: tuple[ContextMessage, ...]
    pictures: tuple[PictureReference, ...]
    tokens: int
    """Of both, with the heading over them."""


class ReaderPolicy(TrackedPolicy):
    """A policy that shows some messages to a reader and passes its answer on.

    Subclasses say which messages. A reader that takes pictures gets those of the messages shown, in the order of
    their ``<img>`` marks; another reader gets none and pays for none. The choice is made by option scores where the
    reader gives them, else by its generated letter. Prompt tokens are those of the whole prompt, instructions and
    pictures included, as ``lifeloom.models.tokens`` counts; messages, question and the longest answer fit into the
    reader's window unless the question alone does not.
    """

    policy_name = "reader"
    version = 2

    def __init__(self, reader: LanguageModel, *, code: str) -> None:
        """Read with ``reader``; ``code`` is the revision of the code, part of the fingerprint."""
        self.reader = reader
        self._code = code

    @property
    def name(self) -> str:
        """Short id of the policy."""
        return self.policy_name

    @functools.cached_property
    def fingerprint(self) -> str:
        """Digest of code, reader, prompts and parameters."""
        return policy_fingerprint(
            self.policy_name,
            code=f"{self._code}/{self.version}",
            models=self.models(),
            prompts=self.prompts(),
            parameters=self.parameters(),
        )

    def models(self) -> list[str]:
        """Return ``backend/model`` of everything that is asked."""
        return [f"{self.reader.identity.backend}/{self.reader.identity.model}"]

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts for choices and judgements."""
        return (CHOICE_ANSWER.prompt_version, ALIGNMENT_JUDGEMENT.prompt_version)

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides the answers."""
        return {
            "window_tokens": self.reader.window_tokens,
            "pictures": int(self.reader.takes_pictures),
            "by_likelihood": int(self.reader.scores_options),
        }

    def select(self, query: str, history: HistoryView, room: int) -> Sequence[int]:
        """Return the indices of the messages to show, ascending; at most ``room`` tokens of them.

        Pictures need room where the reader takes them.
        """
        raise NotImplementedError

    def choose(self, question: CaseQuestion, history: HistoryView) -> Answer:
        """Return the letter of the likeliest option, the earlier one of equals."""
        asked = _choice_frame(len(question.options)) + count_tokens(question.asked_at) + question.tokens
        shown = self._shown(question.query, history, self._room(asked, CHOICE_ANSWER.max_tokens))
        task_input = ChoiceAnswerInput(
            context=shown.messages, asked_at=question.asked_at, query=question.query, options=question.options
        )
        prompt_tokens, made_by = asked + shown.tokens, self.reader.identity.provenance(CHOICE_ANSWER)
        try:
            if self.reader.scores_options:
                texts = [option.text for option in question.options]
                scores = self.reader.score_options(CHOICE_ANSWER, task_input, texts, shown.pictures).scores
                best = max(range(len(texts)), key=lambda i: (scores[i], -i))
                return Answer(
                    question.options[best].letter,
                    prompt_tokens,
                    1,
                    tuple(round(score, 4) for score in scores),
                    made_by=made_by,
                )
            generation = self.reader.run(CHOICE_ANSWER, task_input, shown.pictures)
        except UNANSWERED as error:
            return Answer("", prompt_tokens, 0, failure=failure_of(error), made_by=made_by)
        return Answer(generation.output.letter, prompt_tokens, _completion(generation.usage), made_by=made_by)

    def judge(self, question: CaseQuestion, response: str, history: HistoryView) -> Answer:
        """Return whether the response suits the user."""
        asked = _judgement_frame() + count_tokens(question.asked_at) + question.query_tokens + count_tokens(response)
        shown = self._shown(question.query, history, self._room(asked, ALIGNMENT_JUDGEMENT.max_tokens))
        task_input = AlignmentJudgementInput(
            context=shown.messages, asked_at=question.asked_at, query=question.query, response=response
        )
        prompt_tokens, made_by = asked + shown.tokens, self.reader.identity.provenance(ALIGNMENT_JUDGEMENT)
        try:
            generation = self.reader.run(ALIGNMENT_JUDGEMENT, task_input, shown.pictures)
        except UNANSWERED as error:
            return Answer("", prompt_tokens, 0, failure=failure_of(error), made_by=made_by)
        return Answer(generation.output.verdict, prompt_tokens, _completion(generation.usage), made_by=made_by)

    def _shown(self, query: str, history: HistoryView, room: int) -> _Shown:
        pictures = self.reader.takes_pictures
        indices = self.select(query, history, room)
        return _Shown(
            history.messages_of(indices),
            history.pictures_of(indices) if pictures else (),
            history.tokens_of(indices, pictures=pictures) + (_heading() if indices else 0),
        )

    def _room(self, asked: int, answer: int) -> int:
        """Return the tokens left for messages once prompt and answer have theirs."""
        return self.reader.window_tokens - asked - _heading() - answer


@functools.cache
def _choice_frame(options: int) -> int:
    """Return the tokens of a choice prompt, instructions included, beside time, messages, query and options."""
    empty = tuple(OptionText(letter=letter, text="") for letter in LETTERS[:options])
    prompt = CHOICE_ANSWER.render(ChoiceAnswerInput(context=(), asked_at="", query="", options=empty))
    return count_tokens(CHOICE_ANSWER.instructions) + count_tokens(prompt)


@functools.cache
def _judgement_frame() -> int:
    """Return the tokens of an alignment prompt, instructions included, beside time, messages, query and response."""
    prompt = ALIGNMENT_JUDGEMENT.render(AlignmentJudgementInput(context=(), asked_at="", query="", response=""))
    return count_tokens(ALIGNMENT_JUDGEMENT.instructions) + count_tokens(prompt)


@functools.cache
def _heading() -> int:
    """Return the tokens that stand over the messages, where there are any."""
    message = ContextMessage(at="", role="user", text="")
    shown = AlignmentJudgementInput(context=(message,), asked_at="", query="", response="")
    empty = AlignmentJudgementInput(context=(), asked_at="", query="", response="")
    with_message, without = (count_tokens(ALIGNMENT_JUDGEMENT.render(item)) for item in (shown, empty))
    return with_message - without - count_tokens("[] user:")


class FullContextPolicy(ReaderPolicy):
    """The whole history, cut at the reader's declared window; the newest messages are kept."""

    policy_name = "full_context"

    def select(self, query: str, history: HistoryView, room: int) -> Sequence[int]:
        """Return the newest messages that fit, their pictures included."""
        return history.newest(room, pictures=self.reader.takes_pictures)


_HISTORIES = 16
"""Users whose vectors are kept: cases are asked user by user, several at once."""


class RagPolicy(ReaderPolicy):
    """Retrieval-augmented: the messages nearest to the query by embedding (top 5 in the paper, P20).

    A message with a picture is found by its text; once found, it brings its picture.
    """

    policy_name = "rag"

    def __init__(self, reader: LanguageModel, encoder: TextEncoder, *, messages: int = 5, code: str) -> None:
        """Show ``messages`` messages found with ``encoder``.

        Raises:
            ValueError: ``messages`` is below 1.
        """
        if messages < 1:
            raise ValueError(f"RAG shows at least one message, not {messages}")
        super().__init__(reader, code=code)
        self.encoder = encoder
        self.top = messages
        self._vectors: collections.OrderedDict[int, tuple[History, npt.NDArray[np.float32]]] = collections.OrderedDict()
        self._encoding = threading.Lock()

    def models(self) -> list[str]:
        """Return reader and encoder."""
        return [*super().models(), f"{self.encoder.identity.backend}/{self.encoder.identity.model}"]

    def parameters(self) -> dict[str, str | int | float]:
        """Return window and number of messages."""
        return {**super().parameters(), "messages": self.top}

    def select(self, query: str, history: HistoryView, room: int) -> Sequence[int]:
        """Return the nearest messages in order of time; ties go to the newer one, what does not fit is left out."""
        if history.count == 0:
            return ()
        vectors = self._vectors_of(history.history)[: history.count]  # (messages, dimensions)
        similarity = np.round(vectors @ self.encoder.encode([query])[0], 6)  # rounded: ties are ties everywhere
        nearest = np.lexsort((-np.arange(history.count), -similarity))[: self.top]
        return _fitting([int(index) for index in nearest], history, room, pictures=self.reader.takes_pictures)

    def _vectors_of(self, history: History) -> npt.NDArray[np.float32]:
        # A user's messages are encoded together, later ones included; select looks only at those of the moment.
        with self._encoding:
            if id(history) not in self._vectors:
                made = self.encoder.encode([message.text for message in history.messages])
                self._vectors[id(history)] = history, made  # with the history: its id stays its own
                while len(self._vectors) > _HISTORIES:
                    self._vectors.popitem(last=False)
            return self._vectors[id(history)][1]


def _fitting(nearest: Sequence[int], history: HistoryView, room: int, *, pictures: bool) -> list[int]:
    """Return those of ``nearest``, best first, that fit into ``room`` tokens, in order of time."""
    kept: list[int] = []
    used = 0
    for index in nearest:
        tokens = history.tokens_of([index], pictures=pictures)
        if used + tokens <= room:
            kept.append(index)
            used += tokens
    return sorted(kept)


def _completion(usage: Usage) -> int:
    return max(usage.completion_tokens, 1)
