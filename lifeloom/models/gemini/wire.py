"""A Gemini model as a wire: one attempt, in the richest dialect that the model understands."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lifeloom.models.calls.keys import Key
from lifeloom.models.calls.letters import letter_scores, letters_of, letters_prompt
from lifeloom.models.calls.retries import Timing
from lifeloom.models.calls.wire import BadRequest, OptionReply, Question, Reply, ShownOption, encodable
from lifeloom.models.gemini.connection import GeminiConnection
from lifeloom.models.gemini.dialect import Dialect, contents_of, likelihood_settings, picture_settings, settings_of
from lifeloom.models.gemini.replies import GeminiResponse
from lifeloom.models.protocol import CapabilityMissing, ModelIdentity, TextListener

__all__ = ["GeminiWire", "PictureReply"]

_log = logging.getLogger(__name__)

_PICTURE_TOKENS = 1290
"""What a picture of up to 1024 x 1024 pixels counts. Source: https://ai.google.dev/gemini-api/docs/pricing."""


@dataclass(frozen=True)
class PictureReply(Reply):
    """An answer with a picture: ``content`` holds the words beside it."""

    file: bytes = b""
    """As the model gave it; empty when there is none."""


class GeminiWire:
    """A model on a server of the generateContent protocol.

    Args:
        model: Name as the server knows it.
        base_url: The server, without the version of the API; empty: ``PROVIDER_URL``.
        key: The key; an empty one only makes sense for a server that wants none.
        thinking: Whether the model may think before it answers. Without, it is asked not to, or as little as it can.
        connections: Kept open at most.
        connect_seconds: Longest time to reach the server.
        timing: Clocks.

    Raises:
        ValueError: ``model`` is no name of a model, or ``base_url`` is no HTTP address, or has credentials in it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        key: Key,
        thinking: bool = False,
        connections: int = 64,
        connect_seconds: float = 10.0,
        timing: Timing | None = None,
    ) -> None:
        self._connection = GeminiConnection(
            model,
            base_url=base_url,
            key=key,
            connections=connections,
            connect_seconds=connect_seconds,
            timing=timing,
        )
        self._identity = ModelIdentity(backend="gemini", model=model)
        self._key = key
        self._thinking = thinking
        self._timing = timing or Timing()
        self._first_dialect = Dialect(thinking="free" if thinking else "off")
        self._dialects: dict[str, Dialect] = {}

    def __repr__(self) -> str:
        return f"GeminiModel({self._identity.model!r}, base_url={self.address!r})"

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        return self._identity

    @property
    def address(self) -> str:
        """The server."""
        return self._connection.address

    @property
    def parameters(self) -> Mapping[str, float | int | str]:
        """Whether the model thinks, where it does."""
        return {"thinking": 1} if self._thinking else {}

    @property
    def scores_options(self) -> bool:
        """True: asked for as log-probabilities of the options' letters; whether the model gives them shows then."""
        return True

    @property
    def extra_tokens(self) -> int:
        """Tokens that thoughts may take beside an answer, as far as is known by now."""
        return max(dialect.thought_tokens for dialect in [self._first_dialect, *self._dialects.values()])

    def send(self, question: Question, seconds: float, listener: TextListener | None = None) -> Reply:
        """Ask once, in the richest dialect that the model understands; streamed where somebody listens.

        Raises:
            TransientFailure, BadRequest, ModelRefusesKey, ModelUnavailable: see ``lifeloom.models.calls.wire.Wire``.
            InstallationBroken: the SDK is not installed.
        """
        return self._reply(self._generate(question, seconds, settings_of, question.task.name, listener))

    def draw(self, question: Question, seconds: float) -> PictureReply:
        """Ask once for a square picture; the task's instructions go before the prompt.

        Raises:
            TransientFailure, BadRequest, ModelRefusesKey, ModelUnavailable, InstallationBroken: as ``send``.
        """
        self._connection.require_sdk()
        contents = contents_of(question, Dialect(system=False))  # image models know no instructions of their own
        response = self._connection.generate(contents, picture_settings(), seconds, pictures=bool(question.pictures))
        reply = self._reply(response)
        if response.picture and not reply.completion_tokens:  # no picture is free
            reply = replace(reply, completion_tokens=_PICTURE_TOKENS)
        return PictureReply(**vars(reply), file=response.picture)

    def look_up(self, seconds: float) -> None:
        """Ask the server whether it has the model, which costs nothing.

        Raises:
            TransientFailure, BadRequest, ModelRefusesKey, ModelUnavailable: as ``send``.
        """
        self._connection.look_up(seconds)

    def score(
        self, question: Question, options: Sequence[str], shown: Sequence[ShownOption], seconds: float
    ) -> OptionReply:
        """Return the likelihood of each option: of its letter, as the first token of the answer.

        See ``lifeloom.models.calls.letters.letter_scores`` for what the scores are.

        Raises:
            CapabilityMissing: the model declines to give log-probabilities. One that answers without them has to be
                paid: the reply says so.
            TransientFailure, BadRequest, ModelRefusesKey, ModelUnavailable, InstallationBroken: as ``send``.
        """
        letters = letters_of(options, shown)
        asked = replace(question, prompt=letters_prompt(question.prompt, options, shown))
        missing = (
            f'{self!r} gives no log-probabilities: set options = "letter" for it in the profile, to ask for the letter '
            "alone"
        )
        try:
            response = self._generate(asked, seconds, likelihood_settings, f"{question.task.name} by likelihood")
        except BadRequest as error:
            if "logprobs" not in str(error).lower():
                raise
            raise CapabilityMissing(f"{missing} (the server says: {error})") from None
        tokens = response.prompt_tokens, response.completion_tokens
        if response.finish == "refusal":
            return OptionReply((), *tokens, said=self._key.blotted(response.refusal), refused=True)
        alternatives = response.first_alternatives
        if not alternatives:
            return OptionReply((), *tokens, missing=missing)
        scores = letter_scores(alternatives, letters)
        said = "" if scores else encodable(", ".join(repr(token) for token, _ in alternatives))
        return OptionReply(scores, *tokens, said=self._key.blotted(said))

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def _reply(self, response: GeminiResponse) -> Reply:
        return Reply(
            content=self._key.blotted(response.text),
            finish=response.finish,
            refusal=self._key.blotted(response.refusal) if response.finish == "refusal" else "",
            prompt_tokens=response.prompt_tokens,
            completion_tokens=response.completion_tokens,
        )

    def _generate(
        self,
        question: Question,
        seconds: float,
        settings: Callable[[Question, Dialect], dict[str, Any]],
        purpose: str,
        listener: TextListener | None = None,
    ) -> GeminiResponse:
        """Return the response to a question, put in lesser words while the server objects to its words."""
        self._connection.require_sdk()
        deadline = self._timing.monotonic() + seconds
        while True:  # ends: a dialect only ever steps down
            dialect = self._dialects.get(purpose, self._first_dialect)
            try:
                return self._connection.generate(
                    contents_of(question, dialect),
                    settings(question, dialect),
                    max(0.001, deadline - self._timing.monotonic()),
                    pictures=bool(question.pictures),
                    listener=listener,
                )
            except BadRequest as error:
                lesser = dialect.after(str(error))
                if lesser is None:
                    raise
                said = str(error)
            if listener is not None:
                listener.restart()  # an objection may come in the middle of a stream
            if self._dialects.get(purpose, self._first_dialect) == dialect:  # else another thread was here before
                _log.warning("%r does not take a request of %s (%s); from now on: %s", self, purpose, said, lesser)
                self._dialects = {**self._dialects, purpose: lesser}
