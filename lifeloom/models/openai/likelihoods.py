"""The likelihood of options as answers, from the log-probabilities of the first token: request and reply as data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from lifeloom.models.calls.letters import letter_scores, letters_prompt
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.calls.wire import OptionReply, Question, ShownOption, encodable
from lifeloom.models.openai.chat import Dialect, TokenUsage, messages_of

__all__ = ["NO_LIKELIHOODS", "likelihood_request", "parse_likelihoods"]

NO_LIKELIHOODS = 'gives no log-probabilities: set options = "letter" for it in the profile, to ask for the letter alone'


class _Alternative(BaseModel):
    token: str
    logprob: float


class _First(BaseModel):
    top_logprobs: list[_Alternative] = []


class _LogProbabilities(BaseModel):
    content: list[_First] | None = None


class _Said(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Said = _Said()
    finish_reason: str | None = None
    logprobs: _LogProbabilities | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: TokenUsage | None = None


def likelihood_request(
    model: str, question: Question, options: Sequence[str], shown: Sequence[ShownOption], dialect: Dialect
) -> dict[str, Any]:
    """Return the body of a chat completion of one token that tells how likely each letter is.

    Where the prompt does not show the options, a list of them with letters follows it.

    Args:
        model: Name as the server knows it.
        question: What is asked.
        options: Texts.
        shown: The options with their letters; empty where the prompt does not show them.
        dialect: What the server understands.

    Raises:
        CapabilityMissing: as ``letters_of``.
    """
    prompt = letters_prompt(question.prompt, options, shown)
    request: dict[str, Any] = {
        "model": model,
        "messages": messages_of(replace(question, prompt=prompt), question.task.instructions),
        dialect.limit: 1,
        "logprobs": True,
        "top_logprobs": dialect.alternatives,
    }
    if dialect.temperature:
        request["temperature"] = 0.0
    return request


def parse_likelihoods(body: bytes, letters: Sequence[str]) -> OptionReply:
    """Return a score for each of ``letters`` from the body of a 200.

    See ``letter_scores`` for what the scores are. Where the server tells of no letter, there are no scores, and what
    was said instead stands in the reply; so does what is missing where there are no log-probabilities at all.

    Args:
        body: As sent by the server.
        letters: Lower case, in the order wanted.

    Raises:
        TransientFailure: ``bad_body``: this is no chat completion.
    """
    try:
        completion = _Completion.model_validate(json.loads(body))
    except (ValidationError, ValueError, RecursionError):
        completion = None
    if completion is None:
        raise TransientFailure("bad_body", "the body is not a chat completion")
    choice, usage = completion.choices[0], completion.usage or TokenUsage()
    refusal = choice.message.refusal or ""
    if refusal or choice.finish_reason == "content_filter":
        reply = OptionReply((), said=encodable(refusal or choice.message.content or ""), refused=True)
    else:
        told = choice.logprobs.content if choice.logprobs is not None else None
        if not told or not told[0].top_logprobs:
            reply = OptionReply((), missing=NO_LIKELIHOODS)
        else:
            alternatives = [(one.token, one.logprob) for one in told[0].top_logprobs]
            scores = letter_scores(alternatives, letters)
            said = "" if scores else encodable(", ".join(repr(token) for token, _ in alternatives))
            reply = OptionReply(scores, said=said)
    return replace(reply, prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)
