"""A server of the chat-completions protocol as a wire: one attempt, sorted."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lifeloom.models.calls.http import HttpReply, HttpServer
from lifeloom.models.calls.keys import Key
from lifeloom.models.calls.letters import letters_of
from lifeloom.models.calls.objections import ServerError, objection_kind, refuses_key, server_error
from lifeloom.models.calls.retries import Timing, TransientFailure
from lifeloom.models.calls.wire import BadRequest, OptionReply, Question, Reply, ShownOption
from lifeloom.models.openai.chat import Dialect, chat_request, parse_reply
from lifeloom.models.openai.likelihoods import NO_LIKELIHOODS, likelihood_request, parse_likelihoods
from lifeloom.models.openai.streams import ChatStream
from lifeloom.models.protocol import (
    CapabilityMissing,
    ModelIdentity,
    ModelRefusesKey,
    ModelUnavailable,
    TextListener,
)

__all__ = ["PROVIDER_URL", "OpenAiWire"]

PROVIDER_URL = "https://api.openai.com/v1"
"""Server when no base URL is given."""

_log = logging.getLogger(__name__)

_BAD_REQUEST = {400, 413, 422}
_NO_PICTURES = "image input is not supported"  # llama.cpp says so with a 500
_FILTERED = {"content_filter", "content_policy_violation"}  # a filter over the model declines
_TRANSIENT = {408, 409, 425, 429}  # and every 5xx


class OpenAiWire:
    """A model on a server of the chat-completions protocol.

    Args:
        model: Name as the server knows it.
        base_url: The server, up to and including ``/v1``; empty: ``PROVIDER_URL``.
        key: The key; an empty one only makes sense for servers that want none.
        connections: Kept open at most.
        connect_seconds: Longest time to reach the server.
        timing: Clocks.

    Raises:
        ValueError: no model, or ``base_url`` is no HTTP address, or has credentials in it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        key: Key,
        connections: int = 64,
        connect_seconds: float = 10.0,
        timing: Timing | None = None,
    ) -> None:
        if not model:
            raise ValueError("a model needs the name by which its server knows it")
        self._identity = ModelIdentity(backend="openai", model=model)
        self._key = key
        self._first_dialect = Dialect(limit="max_tokens" if base_url else "max_completion_tokens")
        self._dialects: dict[str, Dialect] = {}
        self._timing = timing or Timing()
        self._server = HttpServer(
            base_url or PROVIDER_URL,
            key=key,
            headers={"Authorization": f"Bearer {key.reveal()}"} if key else {},
            connections=connections,
            connect_seconds=connect_seconds,
            timing=self._timing,
        )

    def __repr__(self) -> str:
        return f"OpenAiModel({self._identity.model!r}, base_url={self.address!r})"

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        return self._identity

    @property
    def address(self) -> str:
        """The server."""
        return self._server.base_url

    @property
    def parameters(self) -> Mapping[str, float | int | str]:
        """Nothing beside the question decides."""
        return {}

    @property
    def extra_tokens(self) -> int:
        """0: what a hosted model thinks counts within the limit of its answer."""
        return 0

    @property
    def scores_options(self) -> bool:
        """True: asked for as log-probabilities of the options' letters; whether the server gives them shows then."""
        return True

    def send(self, question: Question, seconds: float, listener: TextListener | None = None) -> Reply:
        """Ask once, in the richest dialect that the server understands; streamed where somebody listens.

        Raises:
            TransientFailure, BadRequest, ModelRefusesKey, ModelUnavailable: see ``lifeloom.models.calls.wire.Wire``.
        """
        stream = None if listener is None else ChatStream(self._key, listener)
        reply = self._exchange(
            lambda dialect: chat_request(self._identity.model, question, dialect, streamed=stream is not None),
            seconds,
            question.task.name,
            stream,
        )
        if reply.status == 200:
            if stream is not None and stream.is_stream:
                return stream.reply()
            return parse_reply(reply.body, self._key.blotted)
        error = server_error(reply.body)
        if reply.status in _BAD_REQUEST and error.code in _FILTERED:
            return Reply(content="", finish="refusal", refusal=self._server.clean(error.message))
        raise self._problem(reply, error, pictures=bool(question.pictures))

    def score(
        self, question: Question, options: Sequence[str], shown: Sequence[ShownOption], seconds: float
    ) -> OptionReply:
        """Return the likelihood of each option: of its letter, as the first token of the answer.

        See ``lifeloom.models.calls.letters.letter_scores`` for what the scores are.

        Raises:
            CapabilityMissing: the server or the model declines to give log-probabilities. One that answers without
                them has to be paid: the reply says so.
            TransientFailure, BadRequest, ModelRefusesKey, ModelUnavailable: as ``send``.
        """
        letters = letters_of(options, shown)
        reply = self._exchange(
            lambda dialect: likelihood_request(self._identity.model, question, options, shown, dialect),
            seconds,
            f"{question.task.name} by likelihood",
        )
        if reply.status == 200:
            scored = parse_likelihoods(reply.body, letters)
            missing = f"{self!r} {scored.missing}" if scored.missing else ""
            return replace(scored, said=self._key.blotted(scored.said), missing=missing)
        error = server_error(reply.body)
        if reply.status in _BAD_REQUEST and error.code in _FILTERED:
            return OptionReply((), said=self._server.clean(error.message), refused=True)
        if (
            reply.status in _BAD_REQUEST
            and not refuses_key(reply.status, error)
            and "logprob" in (f"{error.parameter} {error.message}")
        ):
            raise CapabilityMissing(f"{self!r} {NO_LIKELIHOODS} (the server says: {self._server.clean(error.message)})")
        raise self._problem(reply, error, pictures=bool(question.pictures))

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _exchange(
        self,
        request: Callable[[Dialect], dict[str, Any]],
        seconds: float,
        purpose: str,
        stream: ChatStream | None = None,
    ) -> HttpReply:
        """Return the reply to a request, put in lesser words while the server objects to its words."""
        deadline = self._timing.monotonic() + seconds
        while True:  # ends: a dialect only ever steps down
            dialect = self._dialects.get(purpose, self._first_dialect)
            left = max(0.001, deadline - self._timing.monotonic())
            hear = None if stream is None else stream.feed
            reply = self._server.post("/chat/completions", request(dialect), left, hear)
            lesser = self._lesser(dialect, reply, streamed=stream is not None)
            if lesser is None:
                return reply
            _log.warning("%r does not take a request of %s; from now on: %s", self, purpose, lesser)
            self._dialects[purpose] = lesser

    def _lesser(self, dialect: Dialect, reply: HttpReply, *, streamed: bool) -> Dialect | None:
        if reply.status not in _BAD_REQUEST:
            return None
        error = server_error(reply.body)
        if refuses_key(reply.status, error):
            return None
        return dialect.after(code=error.code, parameter=error.parameter, message=error.message, streamed=streamed)

    def _problem(self, reply: HttpReply, error: ServerError, *, pictures: bool) -> Exception:
        """Return what a reply other than 200 means."""
        status, said = reply.status, self._server.clean(error.message)
        refused = refuses_key(status, error)
        if refused:
            what = "the quota or credit is used up" if refused == "quota" else "the key is missing or refused"
            return ModelRefusesKey(
                f"{self.address}: {what} ({status}: {said}). The key is read from the environment variable "
                f"{self._key.variable}{'' if self._key else ', which is not set'}; set it to a key that may use "
                f"{self._identity.model}"
            )
        if status in _BAD_REQUEST or (pictures and _NO_PICTURES in said):
            return BadRequest(said, objection_kind(error, pictures=pictures))
        if status in _TRANSIENT or status >= 500:
            return TransientFailure(f"http_{status}", said, reply.retry_after)
        return ModelUnavailable(
            f"{self.address} answered {status}: {said}. Check base_url (it ends in /v1 with most servers) and that "
            f"the server knows the model {self._identity.model}"
        )
