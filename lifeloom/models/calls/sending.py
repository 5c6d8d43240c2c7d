"""One question sent to one model: in its turn, within the budget, again where a failure may pass, and counted."""

from __future__ import annotations

import collections
import os
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from lifeloom.models.calls.cache import ResponseCache
from lifeloom.models.calls.counting import counted, most_tokens_sent
from lifeloom.models.calls.limits import Gate
from lifeloom.models.calls.metering import Meter, NoMeter
from lifeloom.models.calls.retries import RetryPolicy, Timing, call_with_retries
from lifeloom.models.calls.stopping import CallStopped, Stop, pause, stops_here
from lifeloom.models.calls.wire import OptionReply, Question, Reply, Wire
from lifeloom.models.protocol import BudgetExhausted, ModelRefusesKey, Usage
from lifeloom.streams import Streams

__all__ = ["CallSettings", "ModelTally", "Sender"]

ReplyT = TypeVar("ReplyT", Reply, OptionReply)


_PROBE_ADVICE = "Check that the server runs and that its address is right."
_ADVICE = f"What is finished is kept. {_PROBE_ADVICE} Then run again."


@dataclass(frozen=True)
class CallSettings:
    """What surrounds the calls of one model."""

    cache: ResponseCache | None = None
    """Answers already paid for; None: every call is paid."""
    gate: Gate = field(default_factory=Gate)
    """Bounds what runs at once and goes out a minute; models on one server may share it."""
    meter: Meter = field(default_factory=NoMeter)
    """Counts, prices, and stops at the budget."""
    retries: RetryPolicy = field(default_factory=RetryPolicy)
    call_seconds: float = 600.0
    """Longest time one attempt may take, however slowly the server drips."""
    timing: Timing = field(default_factory=Timing)
    rng: random.Random | None = None
    """Jitter of the waits; never touches an answer. None: one for this model and process."""


@dataclass(frozen=True)
class ModelTally:
    """What a model did since it was made."""

    usage: Usage
    """Tokens and calls paid for, rejected answers included; answers from the cache not."""
    events: Mapping[str, int]
    """How often what happened: ``http_429``, ``timeout``, ``bad_body``, ``reask_bad_json``, ``rejected_refusal``,
    ``repaired``, ``from_cache``, ``cache_outdated``, ``pictures_refused``, ``key_refused``."""


class Sender:
    """Sends questions to a model and counts. Safe to use from threads.

    Args:
        wire: The backend, for its name and address.
        calls: Limits, retries, meter, clocks.
    """

    def __init__(self, wire: Wire, calls: CallSettings) -> None:
        self._name = f"{wire.identity.model}{f' at {wire.address}' if wire.address else ''}"
        self._calls = calls
        self._timing = calls.timing
        # The process is in the name so that processes that failed together do not come back together.
        self._rng = calls.rng or Streams(0).rng("calls", wire.identity.model, os.getpid())
        self._lock = threading.Lock()
        self._halt = Stop()
        self._events: collections.Counter[str] = collections.Counter()
        self._paid = Usage(prompt_tokens=0, completion_tokens=0, calls=0)

    @property
    def tally(self) -> ModelTally:
        """What was paid and what happened so far."""
        with self._lock:
            return ModelTally(usage=self._paid, events=dict(sorted(self._events.items())))

    @property
    def halt(self) -> Stop:
        """Thrown by an error that makes all calls senseless that have begun by now."""
        return self._halt

    def happened(self, prompt_version: str, event: str) -> None:
        """Count something that happened to a question of a task."""
        with self._lock:
            self._events[event] += 1
        self._calls.meter.happened(prompt_version, event)

    def recalled(self, prompt_version: str, prompt_tokens: int, completion_tokens: int) -> None:
        """Count an answer from the cache; the tokens are those paid the first time."""
        with self._lock:
            self._events["from_cache"] += 1
        self._calls.meter.recalled(prompt_version, prompt_tokens, completion_tokens)

    def send(
        self,
        question: Question,
        call: Callable[[float], ReplyT],
        *,
        answer_tokens: int,
        halt: Stop,
        policy: RetryPolicy | None = None,
        options: Sequence[str] = (),
        rescue: Callable[[ReplyT], None] | None = None,
    ) -> ReplyT:
        """Return the reply to a question, its tokens counted and paid.

        An error that makes further calls of this model senseless, a refused key or a spent budget, also ends the calls
        that wait for their turn or for their next attempt.

        Args:
            question: What is asked.
            call: Makes one attempt of at most so many seconds.
            answer_tokens: The most that the answer may have.
            halt: As ``halt`` was when the caller began, before it waited for anything.
            policy: Other retries than those of the model.
            options: Texts of which the likelihood is asked.
            rescue: Given an answer whose cost could not be written down, before that is raised: what was paid for
                need not be lost with it.

        Raises:
            BadRequest: as ``call``.
            ModelError: as ``call``; ModelUnavailable too when the retries are used up, BudgetExhausted when the budget
                does not allow the call, LedgerError when what it cost cannot be written down, CallStopped when the
                calls it belongs to were stopped while it waited.
        """
        cause: BaseException | None
        try:
            return self._send(question, call, answer_tokens, policy or self._calls.retries, halt, options, rescue)
        except BudgetExhausted as error:
            self._stop_the_others(halt, error)
            raise
        except CallStopped as stopped:
            if stopped.stop is not halt:
                raise
            cause = halt.cause
        # A new one: the old one has the traceback of another thread.
        raise (BudgetExhausted if isinstance(cause, BudgetExhausted) else ModelRefusesKey)(str(cause))

    def _send(
        self,
        question: Question,
        call: Callable[[float], ReplyT],
        answer_tokens: int,
        policy: RetryPolicy,
        halt: Stop,
        options: Sequence[str],
        rescue: Callable[[ReplyT], None] | None,
    ) -> ReplyT:
        calls, version, stops = self._calls, question.task.prompt_version, (*stops_here(), halt)
        wanted = calls.meter.wants_estimates or calls.gate.wants_estimates
        estimate = most_tokens_sent(question, options) if wanted else 0
        spending = calls.meter.reserve(version, estimate, answer_tokens)
        waited = 0.0
        began = ended = self._timing.monotonic()

        def attempt(seconds_left: float) -> ReplyT:
            nonlocal waited, began, ended
            asked = self._timing.monotonic()
            with calls.gate.slot(estimate + answer_tokens, stops) as slot:
                began = self._timing.monotonic()
                waited += began - asked
                try:
                    reply = call(max(1.0, min(calls.call_seconds, seconds_left)))
                except ModelRefusesKey as error:
                    self._stop_the_others(halt, error)  # before the place is free for the next
                    raise
                ended = self._timing.monotonic()
                reply = counted(reply, question, options)
                slot.used((reply.prompt_tokens or 0) + (reply.completion_tokens or 0))
            return reply

        try:
            reply = call_with_retries(
                attempt,
                policy=policy,
                timing=self._timing,
                rng=self._rng,
                what=self._name,
                advice=_ADVICE if policy is calls.retries else _PROBE_ADVICE,
                on_failure=lambda failure: self.happened(version, failure.kind),
                idle=lambda: waited,
                pause=lambda seconds: pause(seconds, self._timing, stops),
            )
        except BaseException as error:
            spending.free()
            if isinstance(error, ModelRefusesKey):
                self.happened(version, "key_refused")
            raise
        sent, received = reply.prompt_tokens or 0, reply.completion_tokens or 0
        with self._lock:
            paid = self._paid
            self._paid = Usage(paid.prompt_tokens + sent, paid.completion_tokens + received, paid.calls + 1)
        try:
            spending.paid(sent, received, ended - began)
        except Exception:
            if rescue is not None:
                rescue(reply)
            raise
        return reply

    def _stop_the_others(self, halt: Stop, error: ModelRefusesKey | BudgetExhausted) -> None:
        if self._halt is halt:
            self._halt = Stop()  # calls that begin later are made: the key or the budget may have been mended
        halt.throw(error)
