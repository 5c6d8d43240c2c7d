"""Backend ``openai``: any server of the chat-completions protocol, through the official client."""

from __future__ import annotations

import collections
import logging
import os
import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from lifeloom.models.cache import CachedAnswer, Request, ResponseCache
from lifeloom.models.chat import (
    Dialect,
    ReAsk,
    Reply,
    chat_request,
    encodable,
    output_schema,
    refuses_pictures,
    text_of,
)
from lifeloom.models.chat_client import PROVIDER_URL, BadRequest, ChatClient
from lifeloom.models.decoding import Decoded, Undecodable, decode
from lifeloom.models.picture_urls import data_url
from lifeloom.models.protocol import (
    CapabilityMissing,
    Generation,
    GenerationRejected,
    ModelIdentity,
    ModelRefusesKey,
    ModelUnavailable,
    OptionScores,
    PictureSource,
    RejectionReason,
    Usage,
)
from lifeloom.models.retries import RetryPolicy, Timing
from lifeloom.models.tokens import count_tokens, picture_tokens
from lifeloom.records import PictureReference
from lifeloom.streams import Streams
from lifeloom.tasks.base import GenerationTask, InputT, OutputT, TaskInput, TaskOutput

__all__ = ["PROVIDER_URL", "ModelTally", "OpenAiModel"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ModelTally:
    """What a model did since it was made."""

    usage: Usage
    """Tokens and calls paid for, rejected answers included; answers from the cache not."""
    events: Mapping[str, int]
    """How often what happened: ``http_429``, ``timeout``, ``bad_body``, ``reask_bad_json``, ``rejected_refusal``,
    ``repaired``, ``from_cache``, ``cache_outdated``, ``dialect_changed``, ``pictures_refused``."""


@dataclass(frozen=True)
class _Answer(Generic[OutputT]):
    """A valid answer with what was paid for it."""

    text: str
    decoded: Decoded[OutputT]
    prompt_tokens: int
    completion_tokens: int
    calls: int


@dataclass(frozen=True)
class _Prompt:
    """A user message with its pictures, as data URLs."""

    text: str
    urls: tuple[str, ...] = ()
    images: tuple[PictureReference, ...] = ()


class _Check(TaskInput):
    pass


class _CheckOutput(TaskOutput):
    pass


_CHECK = GenerationTask(
    name="check",
    version="1",
    input_type=_Check,
    output_type=_CheckOutput,
    instructions="You are being asked whether you answer.",
    template="Say OK.",
    max_tokens=16,
)


class OpenAiModel:
    """A model behind a server of the OpenAI protocol: the provider's own, vLLM, SGLang, Ollama, llama.cpp...

    Safe to use from a pool of threads. The answer must be JSON of the task's schema; a bad one is asked
    for once more with the error shown. See ``docs/backends.md``.

    Args:
        model: Name as the server knows it.
        base_url: The server, up to and including ``/v1``; empty: ``PROVIDER_URL``. The client's own environment
            variable for it is not read: a profile says where its calls go.
        api_key: The key; empty only makes sense for servers that want none.
        api_key_variable: Where the key came from, named in messages.
        window_tokens: Context window to declare, in tokens of ``lifeloom.models.tokens``.
        cache: Answers already paid for; None: every call is paid.
        retries: How often and how long a call is repeated.
        call_seconds: Longest time one attempt may take, however slowly the server drips.
        connect_seconds: Longest time to reach the server.
        takes_pictures: Whether the model sees; False for one that reads text only.
        pictures: Gives the files of pictures; without it none can be sent, and the model takes none.
        timing: Clocks and sleep.
        rng: Jitter of the waits; never touches an answer.

    Raises:
        ValueError: ``base_url`` is no HTTP address, or has credentials in it.
        ModelRefusesKey: the key has characters that no key has.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        api_key: str = "",
        api_key_variable: str = "OPENAI_API_KEY",
        window_tokens: int = 32768,
        cache: ResponseCache | None = None,
        retries: RetryPolicy | None = None,
        call_seconds: float = 600.0,
        connect_seconds: float = 10.0,
        takes_pictures: bool = True,
        pictures: PictureSource | None = None,
        timing: Timing | None = None,
        rng: random.Random | None = None,
    ) -> None:
        if not model:
            raise ValueError("a model needs the name by which its server knows it")
        self._identity = ModelIdentity(backend="openai", model=model)
        self._window_tokens = window_tokens
        self._cache = cache
        self._pictures = pictures if takes_pictures else None
        self._retries = retries or RetryPolicy()
        self._timing = timing or Timing()
        self._default_dialect = Dialect(limit="max_tokens" if base_url else "max_completion_tokens")
        self._dialects: dict[str, Dialect] = {}
        self._lock = threading.Lock()
        self._events: collections.Counter[str] = collections.Counter()
        self._paid = Usage(prompt_tokens=0, completion_tokens=0, calls=0)
        self._client = ChatClient(
            base_url=(base_url or PROVIDER_URL).rstrip("/"),
            api_key=api_key,
            api_key_variable=api_key_variable,
            call_seconds=call_seconds,
            connect_seconds=connect_seconds,
            timing=self._timing,
            # The process is in the name so that processes that failed together do not come back together.
            rng=rng or Streams(0).rng("models/openai", model, os.getpid()),
            on_event=self._count,
        )

    @classmethod
    def from_environment(
        cls,
        model: str,
        *,
        base_url: str = "",
        api_key_variable: str = "OPENAI_API_KEY",
        environment: Mapping[str, str] | None = None,
        **options: Any,
    ) -> OpenAiModel:
        """Return a model whose key stands in an environment variable.

        With a ``base_url`` the variable may be unset: servers on one's own machines mostly want no key.

        Args:
            model: Name as the server knows it.
            base_url: The server; empty: ``PROVIDER_URL``.
            api_key_variable: Name of the variable.
            environment: Where to look it up; None: the process's environment.
            **options: Further arguments of the constructor.

        Raises:
            ModelRefusesKey: the variable is unset and the server is the provider's own.
        """
        key = (os.environ if environment is None else environment).get(api_key_variable, "").strip()
        if not key and not base_url:
            raise ModelRefusesKey(
                f"{model} needs a key: set the environment variable {api_key_variable}, or base_url for a server that "
                "needs none"
            )
        return cls(model, base_url=base_url, api_key=key, api_key_variable=api_key_variable, **options)

    def __repr__(self) -> str:
        return f"OpenAiModel({self._identity.model!r}, base_url={self._client.base_url!r})"

    def __enter__(self) -> OpenAiModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections to the server. The cache belongs to who made it and stays open."""
        self._client.close()

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        return self._identity

    @property
    def window_tokens(self) -> int:
        """Declared context window, in tokens of ``lifeloom.models.tokens``."""
        return self._window_tokens

    @property
    def takes_pictures(self) -> bool:
        """Whether the model sees and there is somewhere to get pictures from."""
        return self._pictures is not None

    @property
    def scores_options(self) -> bool:
        """False: option likelihoods are not asked for yet."""
        return False

    @property
    def tally(self) -> ModelTally:
        """What was paid and what happened since this model was made."""
        with self._lock:
            return ModelTally(usage=self._paid, events=dict(sorted(self._events.items())))

    def run(
        self,
        task: GenerationTask[InputT, OutputT],
        task_input: InputT,
        images: Sequence[PictureReference] = (),
        *,
        sample: int = 0,
    ) -> Generation[OutputT]:
        """Answer one question, from the cache when it was paid for before.

        Usage of a cached answer: the tokens that it cost, ``calls`` 0, ``cached`` true.

        Args:
            task: The question.
            task_input: What it is about.
            images: Sent at the ``<img>`` marks of the prompt where there are as many of them, else after it.
            sample: Which of several answers to the same question; part of the cache's key.

        Raises:
            GenerationRejected: no valid output after one re-ask; a refusal, a truncated answer or a request that the
                server finds wrong (for example too long) at once.
            ModelUnavailable: the server did not answer within the retries, or does not know the model.
            ModelRefusesKey: authentication or quota.
            CapabilityMissing: pictures for a model that takes none, or none as many: said here or by the server.
            UnknownPictureFormat: a picture's file is of no format that servers take.
            CacheError: the cache cannot be used.
        """
        if images and self._pictures is None:
            raise CapabilityMissing(
                f"{self!r} takes no pictures: give it text only, or make it with takes_pictures and a picture source"
            )
        started = self._timing.monotonic()
        prompt = encodable(task.render(task_input))
        request = Request(
            backend=self._identity.backend,
            base_url=self._client.base_url,
            model=self._identity.model,
            prompt_version=task.prompt_version,
            instructions=task.instructions,
            prompt=prompt,
            parameters={"temperature": task.temperature, "max_tokens": task.max_tokens},
            schema=output_schema(task.output_type),
            images=tuple(image.content_hash for image in images),
            sample=sample,
        )
        known = self._recall(task, request)
        cached = known is not None
        answer = known or self._ask(task, _Prompt(prompt, self._data_urls(images), tuple(images)))
        if self._cache is not None and not cached:
            self._cache.put(request, CachedAnswer(answer.text, answer.prompt_tokens, answer.completion_tokens))
        if answer.decoded.repaired:
            self._count("repaired")
        usage = Usage(
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            calls=answer.calls,
            cached=cached,
            seconds=self._timing.monotonic() - started,
        )
        return Generation(
            output=answer.decoded.output,
            usage=usage,
            provenance=self._identity.provenance(task),
            repaired=answer.decoded.repaired,
        )

    def score_options(
        self,
        task: GenerationTask[InputT, Any],
        task_input: InputT,
        options: Sequence[str],
        images: Sequence[PictureReference] = (),
    ) -> OptionScores:
        """Not possible yet.

        Raises:
            CapabilityMissing: always.
        """
        raise CapabilityMissing(f"{self!r} gives no option likelihoods: ask with run(), or choose another backend")

    def check(self) -> str:
        """Ask for a few tokens, once and without the cache, and return one line with the time it took.

        Raises:
            ModelUnavailable: no answer, or the server does not know the model.
            ModelRefusesKey: authentication or quota.
        """
        started = self._timing.monotonic()
        once = RetryPolicy(max_attempts=1, max_total_seconds=60.0)
        no_schema = Dialect("prompt", self._default_dialect.limit)  # whatever it says, it answers
        try:
            self._complete(_CHECK, _Prompt(_CHECK.render(_Check())), None, once, no_schema)
        except BadRequest as error:
            refused = str(error)
        else:
            seconds = self._timing.monotonic() - started
            return f"{self._identity.model} at {self._client.base_url} answers, in {seconds:.2f} s"
        raise ModelUnavailable(
            f"{self!r} refuses a simple request: {refused}. Check the name of the model and base_url"
        )

    def _data_urls(self, images: Sequence[PictureReference]) -> tuple[str, ...]:
        source = self._pictures
        if source is None:
            return ()
        urls = {image.content_hash: image for image in images}
        made = {name: data_url(source(image), name) for name, image in urls.items()}
        return tuple(made[image.content_hash] for image in images)

    def _recall(self, task: GenerationTask[InputT, OutputT], request: Request) -> _Answer[OutputT] | None:
        known = self._cache.get(request) if self._cache is not None else None
        if known is None:
            return None
        try:
            decoded = decode(known.text, task.output_type)
        except Undecodable:
            self._count("cache_outdated")  # a validator became stricter without a change of the schema: ask again
            return None
        self._count("from_cache")
        return _Answer(known.text, decoded, known.prompt_tokens, known.completion_tokens, calls=0)

    def _ask(self, task: GenerationTask[InputT, OutputT], prompt: _Prompt) -> _Answer[OutputT]:
        first = self._answer(task, prompt, None)
        try:
            decoded = decode(first.content, task.output_type)
        except Undecodable as error:
            problem = error
        else:
            return _paid_answer(decoded, first)
        self._count(f"reask_{problem.reason}")
        second = self._answer(task, prompt, ReAsk(first.content, problem.detail))
        try:
            decoded = decode(second.content, task.output_type)
        except Undecodable as error:
            problem = error
        else:
            return _paid_answer(decoded, first, second)
        raise self._rejection(task, problem.reason, second.content or first.content, problem.detail)

    def _answer(self, task: GenerationTask[Any, Any], prompt: _Prompt, again: ReAsk | None) -> Reply:
        """Return an answer that is worth decoding."""
        try:
            reply = self._complete(task, prompt, again, self._retries, self._dialects.get(task.name))
        except BadRequest as error:
            # A re-ask that does not fit any more must not lose the answer that led to it.
            raw, detail = again.answer if again else "", str(error)
            blind = bool(prompt.urls) and refuses_pictures(error.code, error.parameter, error.message)
        else:
            if reply.refusal or reply.finish_reason == "content_filter":
                raise self._rejection(task, "refusal", reply.refusal or reply.content, "")
            if reply.finish_reason == "length":
                raise self._rejection(
                    task, "truncated", reply.content, f"the answer is longer than {task.max_tokens} tokens"
                )
            return reply
        if blind:
            self._count("pictures_refused")
            raise CapabilityMissing(
                f"{self!r} refuses a request for its pictures (it has {len(prompt.urls)}): {detail}. Choose a model "
                "that sees as many, or take pictures from its profile (takes_pictures = false)"
            )
        raise self._rejection(task, "bad_request", raw, detail)

    def _complete(
        self,
        task: GenerationTask[Any, Any],
        prompt: _Prompt,
        again: ReAsk | None,
        policy: RetryPolicy,
        dialect: Dialect | None,
    ) -> Reply:
        dialect = dialect or self._default_dialect
        while True:  # ends: a dialect only ever steps down
            request = chat_request(
                model=self._identity.model,
                task=task,
                prompt=prompt.text,
                dialect=dialect,
                again=again,
                pictures=prompt.urls,
            )
            try:
                reply = self._client.complete(request, policy)
            except BadRequest as error:
                lesser = dialect.after(code=error.code, parameter=error.parameter, message=error.message)
                if lesser is None:
                    raise
                _log.warning("%r does not take a request of %s; from now on: %s", self, task.name, lesser)
                self._count("dialect_changed")
                dialect = self._dialects[task.name] = lesser
            else:
                return self._counted(reply, request, prompt)

    def _counted(self, reply: Reply, request: Mapping[str, Any], prompt: _Prompt) -> Reply:
        """Return ``reply`` with its tokens counted, by us where the server does not say, and add them to the tally."""
        sent, received = reply.prompt_tokens, reply.completion_tokens
        if sent is None:
            sent = sum(count_tokens(text_of(message)) for message in request["messages"])
            sent += sum(picture_tokens(image.width, image.height) for image in prompt.images)
        if received is None:
            received = count_tokens(reply.content)
        with self._lock:
            self._paid = Usage(
                prompt_tokens=self._paid.prompt_tokens + sent,
                completion_tokens=self._paid.completion_tokens + received,
                calls=self._paid.calls + 1,
            )
        return replace(reply, prompt_tokens=sent, completion_tokens=received)

    def _rejection(
        self, task: GenerationTask[Any, Any], reason: RejectionReason, raw: str, detail: str
    ) -> GenerationRejected:
        self._count(f"rejected_{reason}")
        return GenerationRejected(task.name, reason, raw, detail)

    def _count(self, event: str) -> None:
        with self._lock:
            self._events[event] += 1


def _paid_answer(decoded: Decoded[OutputT], *replies: Reply) -> _Answer[OutputT]:
    return _Answer(
        text=replies[-1].content,
        decoded=decoded,
        prompt_tokens=sum(reply.prompt_tokens or 0 for reply in replies),
        completion_tokens=sum(reply.completion_tokens or 0 for reply in replies),
        calls=len(replies),
    )
