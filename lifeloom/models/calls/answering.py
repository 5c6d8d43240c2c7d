"""A language model over a wire: cache, limits, retries, re-asking, typed rejections, cost. The weather in one place."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lifeloom.models.calls.cache import Request
from lifeloom.models.calls.decoding import Undecodable
from lifeloom.models.calls.flights import Flights
from lifeloom.models.calls.keeping import Answer, Keeper, decoded
from lifeloom.models.calls.option_scores import are_scores, objection, shown_options
from lifeloom.models.calls.retries import RetryPolicy
from lifeloom.models.calls.schemas import output_schema
from lifeloom.models.calls.sending import CallSettings, ModelTally, Sender
from lifeloom.models.calls.sent_pictures import sent_pictures
from lifeloom.models.calls.stopping import Stop
from lifeloom.models.calls.telling import ListenerFailed, Telling
from lifeloom.models.calls.wire import BadRequest, OptionReply, Question, ReAsk, Reply, Wire, encodable
from lifeloom.models.protocol import (
    CapabilityMissing,
    Generation,
    ModelIdentity,
    ModelUnavailable,
    OptionScores,
    PictureSource,
    RejectionReason,
    TextListener,
    Usage,
)
from lifeloom.records import PictureReference
from lifeloom.tasks.base import GenerationTask, InputT, OutputT, TaskInput, TextOutput

__all__ = ["AnsweringModel", "CallSettings", "ModelTally"]


class _Check(TaskInput):
    pass


_CHECK = GenerationTask(
    name="check",
    version="1",
    input_type=_Check,
    output_type=TextOutput,
    instructions="You are being asked whether you answer.",
    template="Say OK.",
    max_tokens=16,
)


class AnsweringModel:
    """A ``LanguageModel`` that asks a ``Wire``. Safe to use from a pool of threads.

    The answer must be JSON of the task's schema (or any text, for a task of free text); a bad one is asked for once
    more with the error shown. Two threads that ask the same question at the same moment pay for it once.

    Args:
        wire: The backend; closed with the model.
        window_tokens: Context window to declare, in tokens of ``lifeloom.models.tokens``.
        pictures: Gives the files of pictures; None: the model takes none.
        scores_options: Whether choices are made by likelihood; only where the wire can.
        calls: Cache, limits, retries, meter, clocks.
    """

    def __init__(
        self,
        wire: Wire,
        *,
        window_tokens: int = 32768,
        pictures: PictureSource | None = None,
        scores_options: bool = False,
        calls: CallSettings | None = None,
    ) -> None:
        self._wire = wire
        self._window_tokens = window_tokens
        self._pictures = pictures
        self._scores_options = scores_options and wire.scores_options
        self._calls = calls or CallSettings()
        self._timing = self._calls.timing
        self._sender = Sender(wire, self._calls)
        self._kept = Keeper(self._calls.cache, self._sender)
        self._flights = Flights()

    def __repr__(self) -> str:
        return repr(self._wire)

    def __enter__(self) -> AnsweringModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the wire's connections or weights. The cache belongs to who made it and stays open."""
        self._wire.close()

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        return self._wire.identity

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
        """Whether choices are made by likelihood: configured so, and the backend can."""
        return self._scores_options

    @property
    def tally(self) -> ModelTally:
        """What was paid and what happened since this model was made."""
        return self._sender.tally

    def run(
        self,
        task: GenerationTask[InputT, OutputT],
        task_input: InputT,
        images: Sequence[PictureReference] = (),
        *,
        sample: int = 0,
        listener: TextListener | None = None,
    ) -> Generation[OutputT]:
        """Answer one question, from the cache when it was paid for before.

        Usage of a cached answer: the tokens that it cost, ``calls`` 0, ``cached`` true.

        Args:
            task: The question.
            task_input: What it is about.
            images: Sent at the ``<img>`` marks of the prompt where there are as many of them, else after it.
            sample: Which of several answers to the same question; part of the cache's key.
            listener: Told the answer as it comes, where it is free text; the pieces since the last restart, joined,
                are the answer. One that raises ends the call, and what it raised passes through. Where the call
                fails, what was told of it is void.

        Raises:
            GenerationRejected: no valid output after one re-ask; a refusal, a truncated answer or a request that the
                model finds wrong (for example too long) at once.
            ModelUnavailable: no answer within the retries, or no such model.
            ModelRefusesKey: authentication or quota.
            BudgetExhausted: the budget does not allow the call.
            CallStopped: another error ended the batch that this call was part of, while it waited.
            CapabilityMissing: pictures for a model that takes none, or none as many: said here or by the server.
            UnknownPictureFormat: a picture's file is of no format that models take.
            CacheError: the cache cannot be used.
            LedgerError: what the call cost cannot be written down; a valid answer is in the cache all the same.
        """
        started, halt = self._timing.monotonic(), self._sender.halt
        request = self._request(task, task_input, images, sample=sample)
        is_text = issubclass(task.output_type, TextOutput)
        telling = Telling(listener, keeps_thoughts=task.keeps_thoughts) if listener is not None and is_text else None
        try:
            with self._flights.alone(request.key):
                answer = self._kept.answer(task, request)
                if answer is None:
                    answer = self._ask(task, self._question(task, request, images), request, halt, telling)
                    self._kept.keep(request, answer.text, answer.usage)
            if telling is not None and isinstance(answer.decoded.output, TextOutput):
                telling.finish(answer.decoded.output.text)
        except ListenerFailed as failed:
            raise failed.error from None
        if answer.decoded.repaired:
            self._count(task, "repaired")
        return Generation(
            output=answer.decoded.output,
            usage=replace(answer.usage, seconds=self._timing.monotonic() - started),
            provenance=self.identity.provenance(task),
            repaired=answer.decoded.repaired,
        )

    def score_options(
        self,
        task: GenerationTask[InputT, Any],
        task_input: InputT,
        options: Sequence[str],
        images: Sequence[PictureReference] = (),
    ) -> OptionScores:
        """Return a score for each of ``options`` (texts) as the answer, from the cache when it was paid for before.

        Raises:
            CapabilityMissing: ``scores_options`` is False, or the server gives no likelihoods after all.
            GenerationRejected: the model declines, none of the options is among the answers that it tells of, or
                what it tells is no number.
            ValueError: there are no options.
            ModelError: as ``run``.
        """
        if not options:
            raise ValueError("there is nothing to choose from: give at least one option")
        if not self._scores_options:
            raise CapabilityMissing(
                f'{self!r} gives no option likelihoods: ask with run(), or set options = "likelihood" where it can'
            )
        started, halt = self._timing.monotonic(), self._sender.halt
        options = tuple(map(encodable, options))
        request = self._request(task, task_input, images, options=options)
        with self._flights.alone(request.key):
            kept = self._kept.scores(task, request)
            if kept is None:
                scores, usage = self._score(
                    task, self._question(task, request, images), task_input, options, request, halt
                )
                self._kept.keep(request, json.dumps(scores), usage)
            else:
                scores, usage = kept
        usage = replace(usage, seconds=self._timing.monotonic() - started)
        return OptionScores(scores=scores, usage=usage, provenance=self.identity.provenance(task))

    def _score(
        self,
        task: GenerationTask[InputT, Any],
        question: Question,
        task_input: InputT,
        options: Sequence[str],
        request: Request,
        halt: Stop,
    ) -> tuple[tuple[float, ...], Usage]:
        """Return scores that are numbers, with what they cost."""

        def rescue(reply: OptionReply) -> None:
            if are_scores(reply.scores):
                self._kept.keep(request, json.dumps(reply.scores), _usage_of(reply))

        try:
            reply = self._sender.send(
                question,
                lambda seconds: self._wire.score(question, options, shown_options(task_input, options), seconds),
                answer_tokens=1 + self._wire.extra_tokens,
                halt=halt,
                options=options,
                rescue=rescue,
            )
        except BadRequest as error:
            raise self._refused(question, error, request, Usage(0, 0, calls=0)) from None
        if reply.missing:
            raise CapabilityMissing(reply.missing)
        usage = _usage_of(reply)
        wrong = objection(reply)
        if wrong is not None:
            raise self._kept.rejection(task, request, *wrong, usage)
        return reply.scores, usage

    def check(self) -> str:
        """Ask for a few tokens, once and without the cache, and return one line with the time it took.

        Raises:
            ModelUnavailable: no answer, or no such model.
            ModelRefusesKey: authentication or quota.
        """
        started = self._timing.monotonic()
        once = RetryPolicy(max_attempts=1, max_total_seconds=60.0)
        question = Question(_CHECK, _CHECK.render(_Check()))
        try:
            self._ask_wire(question, self._sender.halt, once)
        except BadRequest as error:
            refused = str(error)
        else:
            seconds = self._timing.monotonic() - started
            where = f" at {self._wire.address}" if self._wire.address else ""
            return f"{self.identity.model}{where} answers, in {seconds:.2f} s"
        raise ModelUnavailable(
            f"{self!r} refuses a simple request: {refused}. Check the name of the model and its address"
        )

    def _request(
        self,
        task: GenerationTask[InputT, Any],
        task_input: InputT,
        images: Sequence[PictureReference],
        *,
        sample: int = 0,
        options: Sequence[str] | None = None,
    ) -> Request:
        if images and self._pictures is None:
            raise CapabilityMissing(
                f"{self!r} takes no pictures: give it text only, or make it with pictures and a picture source"
            )
        parameters: dict[str, float | int | str] = {
            **self._wire.parameters,
            "temperature": task.temperature,
            "max_tokens": task.max_tokens,
        }
        if task.stop:
            parameters["stop"] = json.dumps(task.stop)
        if options is not None:
            parameters["options"] = json.dumps(list(options))
        return Request(
            backend=self.identity.backend,
            base_url=self._wire.address,
            model=self.identity.model,
            prompt_version=task.prompt_version,
            instructions=task.instructions,
            prompt=encodable(task.render(task_input)),
            parameters=parameters,
            schema=output_schema(task.output_type),
            images=tuple(image.content_hash for image in images),
            sample=sample,
        )

    def _question(
        self, task: GenerationTask[Any, Any], request: Request, images: Sequence[PictureReference]
    ) -> Question:
        pictures = () if self._pictures is None or not images else sent_pictures(images, self._pictures)
        return Question(task, request.prompt, pictures, seed=int(request.key[:15], 16))

    def _ask(
        self,
        task: GenerationTask[InputT, OutputT],
        question: Question,
        request: Request,
        halt: Stop,
        telling: Telling | None,
    ) -> Answer[OutputT]:
        nothing = Usage(0, 0, calls=0)
        first, usage = self._reply(question, request, nothing, halt, telling)
        try:
            return Answer(first.content, decoded(first.content, task), usage)
        except Undecodable as error:
            problem = error
        self._count(task, f"reask_{problem.reason}")
        again = replace(question, again=ReAsk(first.content, problem.detail))
        second, usage = self._reply(again, request, usage, halt, telling)
        try:
            return Answer(second.content, decoded(second.content, task), usage)
        except Undecodable as error:
            problem = error
        raw = second.content or first.content
        raise self._kept.rejection(task, request, problem.reason, raw, problem.detail, usage)

    def _reply(
        self, question: Question, request: Request, before: Usage, halt: Stop, telling: Telling | None
    ) -> tuple[Reply, Usage]:
        """Return an answer that is worth decoding, with what it and what was ``before`` cost together."""
        task = question.task
        try:
            reply = self._ask_wire(
                question,
                halt,
                rescue=lambda reply: self._rescue(question, request, before, reply),
                telling=telling,
            )
        except BadRequest as error:
            raise self._refused(question, error, request, before) from None
        usage = _usage_of(reply, before)
        if reply.finish == "refusal":
            raise self._kept.rejection(task, request, "refusal", reply.refusal or reply.content, "", usage)
        if reply.finish == "length":
            detail = f"the answer is longer than {task.max_tokens} tokens"
            raise self._kept.rejection(task, request, "truncated", reply.content, detail, usage)
        return reply, usage

    def _rescue(self, question: Question, request: Request, before: Usage, reply: Reply) -> None:
        """Keep a valid answer that is about to be lost with an error."""
        if reply.finish != "stop":
            return
        try:
            decoded(reply.content, question.task)
        except Undecodable:
            return
        self._kept.keep(request, reply.content, _usage_of(reply, before))

    def _ask_wire(
        self,
        question: Question,
        halt: Stop,
        policy: RetryPolicy | None = None,
        rescue: Callable[[Reply], None] | None = None,
        telling: Telling | None = None,
    ) -> Reply:
        def attempt(seconds: float) -> Reply:
            if telling is None:
                return self._wire.send(question, seconds)
            telling.restart()
            return self._wire.send(question, seconds, telling)

        return self._sender.send(
            question,
            attempt,
            answer_tokens=question.task.max_tokens + self._wire.extra_tokens,
            halt=halt,
            policy=policy,
            rescue=rescue,
        )

    def _refused(self, question: Question, error: BadRequest, request: Request, before: Usage) -> Exception:
        """Return what becomes of a question that the model finds wrong."""
        if error.kind == "pictures" and question.pictures:
            self._count(question.task, "pictures_refused")
            return CapabilityMissing(
                f"{self!r} refuses a request for its pictures (it has {len(question.pictures)}): {error}. Choose a "
                "model that sees as many, or take pictures from its profile (pictures = false)"
            )
        reasons: dict[str, RejectionReason] = {"context_too_long": "context_too_long", "picture": "picture_refused"}
        # A re-ask that does not fit any more must not lose the answer that led to it.
        raw = question.again.answer if question.again else ""
        return self._kept.rejection(
            question.task, request, reasons.get(error.kind, "bad_request"), raw, str(error), before
        )

    def _count(self, task: GenerationTask[Any, Any], event: str) -> None:
        self._sender.happened(task.prompt_version, event)


def _usage_of(reply: Reply | OptionReply, before: Usage | None = None) -> Usage:
    """Return what a reply and what was ``before`` cost together."""
    sent, received, calls = (before.prompt_tokens, before.completion_tokens, before.calls) if before else (0, 0, 0)
    return Usage(sent + (reply.prompt_tokens or 0), received + (reply.completion_tokens or 0), calls + 1)
