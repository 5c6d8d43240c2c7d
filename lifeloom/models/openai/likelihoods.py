"""The likelihood of options as answers, from the log-probabilities of the first token: request and reply as data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from lifeloom.models.calls.letters import letter_scores, letters_prompt
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.calls.wire import OptionReply, Question, ShownOption, encodable
from lifeloom.models.openai.chat import Dialect, ReplyText, TokenUsage, UsageTold, messages_of

__all__ = ["NO_LIKELIHOODS", "likelihood_request", "parse_likelihoods"]

NO_LIKELIHOODS = 'gives no log-probabilities: set options = "letter" for it in the profile, to ask for the letter alone'


class _Alternative(BaseModel):
    token: str
    logprob: float | None = None


class _First(BaseModel):
    top_logprobs: list[_Alternative] = []


class _LogProbabilities(BaseModel):
    content: list[_First] | None = None


def _or_none(value: object, read: ValidatorFunctionWrapHandler) -> _LogProbabilities | None:
    """Take what is not of the protocol for no log-probabilities: the answer has to be paid all the same."""
    try:
        told: _LogProbabilities | None = read(value)
    except ValidationError:
        return None
    return told


class _Said(BaseModel):
    content: ReplyText = ""
    refusal: ReplyText = ""


class _Choice(BaseModel):
    message: _Said = _Said()
    finish_reason: ReplyText = ""
    logprobs: Annotated[_LogProbabilities | None, WrapValidator(_or_none)] = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: UsageTold = TokenUsage()


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
    choice, usage = completion.choices[0], completion.usage
    refusal = choice.message.refusal
    if refusal or choice.finish_reason == "content_filter":
        reply = OptionReply((), said=encodable(refusal or choice.message.content), refused=True)
    else:
        told = choice.logprobs.content if choice.logprobs is not None else None
        tops = told[0].top_logprobs if told else []
        alternatives = [(one.token, one.logprob) for one in tops if one.logprob is not None]
        if not alternatives:
            reply = OptionReply((), missing=NO_LIKELIHOODS)
        else:
            scores = letter_scores(alternatives, letters)
            said = "" if scores else encodable(", ".join(repr(token) for token, _ in alternatives))
            reply = OptionReply(scores, said=said)
    return replace(reply, prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)
