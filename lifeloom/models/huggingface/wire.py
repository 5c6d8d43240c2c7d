"""A checkpoint in this process as a wire: one attempt, sorted."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from lifeloom.models.calls.retries import Timing
from lifeloom.models.calls.wire import BadRequest, OptionReply, Question, Reply, ShownOption
from lifeloom.models.huggingface.batching import Batcher, Ticket
from lifeloom.models.huggingface.checkpoints import Checkpoint, find_checkpoint
from lifeloom.models.huggingface.constraints import Constraints
from lifeloom.models.huggingface.generation import AnswerJob, AnswerTicket, Generator
from lifeloom.models.huggingface.loading import LoadedModel, load
from lifeloom.models.huggingface.prompts import PromptEncoder
from lifeloom.models.huggingface.scoring import Normalisation, OptionScorer, ScoreJob, ScoreTicket
from lifeloom.models.protocol import InstallationBroken, ModelIdentity, ModelUnavailable, TextListener
from lifeloom.streams import stable_hash

__all__ = ["HuggingFaceWire"]

Job = AnswerJob | ScoreJob


@dataclass(frozen=True)
class _Engine:
    """All that is there once the weights are loaded."""

    loaded: LoadedModel
    prompts: PromptEncoder
    constraints: Constraints
    batcher: Batcher[Job, Reply | OptionReply]


class HuggingFaceWire:
    """A checkpoint of transformers in this process. It is found when asked for its identity, and loaded on first use.

    Args:
        model: Folder, ``.gguf`` file, ``package:NAME`` or hub id; see ``find_checkpoint``.
        adapter: Folder or hub id of a LoRA to put on it; empty for none.
        device: Device of torch, or ``auto``.
        dtype: Type of the weights, or ``auto``.
        batch: Most questions at once.
        thinking: Whether the model may think before it answers, where its chat template knows the difference.
        thinking_tokens: How many tokens that may take, beside those of the answer.
        normalise: By what the likelihood of an option is divided.
        timing: Clocks.

    Raises:
        ValueError: ``model`` is empty, or ``batch`` is less than 1.
    """

    def __init__(
        self,
        model: str,
        *,
        adapter: str = "",
        device: str = "auto",
        dtype: str = "auto",
        batch: int = 8,
        thinking: bool = False,
        thinking_tokens: int = 4096,
        normalise: Normalisation = "bytes",
        timing: Timing | None = None,
    ) -> None:
        if not model:
            raise ValueError("a model needs a folder, a .gguf file, package:NAME or a hub id")
        if batch < 1:
            raise ValueError("batch must be at least 1")
        self._model = model
        self._adapter = adapter
        self._device = device
        self._dtype = dtype
        self._batch = batch
        self._thinking = thinking
        self._thinking_tokens = thinking_tokens if thinking else 0
        self._normalise: Normalisation = normalise
        self._timing = timing or Timing()
        self._lock = threading.RLock()
        self._found: tuple[Checkpoint, Checkpoint | None] | None = None
        self._engine: _Engine | None = None
        self._end: weakref.finalize[..., HuggingFaceWire] | None = None
        self._broken = ""
        self._closed = False
        self._process = 0  # which has begun to load the weights

    def __repr__(self) -> str:
        adapter = f", adapter={self._adapter!r}" if self._adapter else ""
        return f"HuggingFaceModel({self._model!r}{adapter})"

    @property
    def identity(self) -> ModelIdentity:
        """Backend, and the model's name with a digest of its files (and the adapter's).

        Raises:
            InstallationBroken: there is no such checkpoint or adapter.
        """
        return ModelIdentity(backend="huggingface", model=_name(*self._checkpoints()))

    @property
    def address(self) -> str:
        """Empty: it answers in this process."""
        return ""

    @property
    def parameters(self) -> Mapping[str, float | int | str]:
        """Settings that decide answers."""
        return {
            "dtype": self._dtype,
            "thinking": self._thinking,
            "thinking_tokens": self._thinking_tokens,
            "normalise": self._normalise,
        }

    @property
    def extra_tokens(self) -> int:
        """What thinking may take."""
        return self._thinking_tokens

    @property
    def scores_options(self) -> bool:
        """True."""
        return True

    def send(self, question: Question, seconds: float, listener: TextListener | None = None) -> Reply:
        """Answer, together with what other threads ask at the same time; token by token where somebody listens.

        A prompt that leaves no room in the context is refused; one that leaves less than the task's limit gets what
        is left.

        Raises:
            BadRequest: the prompt is too long, or a picture is none.
            ModelUnavailable: not answered within ``seconds`` of work, no memory, closed, or loaded in another process
                that this one is a copy of.
            InstallationBroken: the checkpoint cannot be loaded, its template cannot say the question, or its weights
                give no numbers.
            CallStopped: the batch of the caller was ended before the answer was complete.
        """
        engine, task = self._ready(), question.task
        prompt = engine.prompts.encode(question, with_schema=True)
        room = _room(engine, prompt.length)
        again = question.again
        job = AnswerJob(
            prompt,
            limit=min(task.max_tokens + self._thinking_tokens, room),
            seconds=seconds,
            temperature=task.temperature,
            # Another draw for the second attempt.
            seed=question.seed if again is None else stable_hash(question.seed, again.answer, again.problem),
            stops=task.stop,
            constraint=engine.constraints.constraint(task.output_type),
            thinking=self._thinking,
            keeps_thoughts=task.keeps_thoughts,
            listened=listener is not None,
        )
        reply = engine.batcher.ask(job, kind=("answer", prompt.kind), width=job.width, listener=listener)
        if not isinstance(reply, Reply):
            raise TypeError(f"{self!r} answered a question with a {type(reply).__name__}")
        return reply

    def score(
        self, question: Question, options: Sequence[str], shown: Sequence[ShownOption], seconds: float
    ) -> OptionReply:
        """Return the log-likelihood of each option's text as the assistant's whole answer, by its length.

        Raises:
            BadRequest: the prompt with the longest option is too long, a picture is none, or an option is empty.
            ModelUnavailable, InstallationBroken, CallStopped: as ``send``.
        """
        engine = self._ready()
        prompt = engine.prompts.encode(question, with_schema=False)
        job = ScoreJob(prompt, tuple(options), tuple(tuple(engine.prompts.encode_option(text)) for text in options))
        if not all(job.tokens):
            raise BadRequest("an option without any text cannot be scored")
        _room(engine, prompt.length + max(map(len, job.tokens)) - 1)
        reply = engine.batcher.ask(job, kind="score", width=job.width)
        if not isinstance(reply, OptionReply):
            raise TypeError(f"{self!r} scored options with a {type(reply).__name__}")
        return reply

    def close(self) -> None:
        """Stop at the next token, fail whoever waits, free the weights. A closed model is not opened again."""
        if self._is_copy():
            self._closed = True
            return
        with self._lock:
            self._closed = True
            self._engine = None
        if self._end is not None:
            self._end()

    def _checkpoints(self) -> tuple[Checkpoint, Checkpoint | None]:
        found = self._found  # without the lock, which is held for as long as the weights are being loaded
        if found is not None:
            return found
        with self._lock:
            if self._found is None:
                self._found = self._look()
            return self._found

    def _look(self) -> tuple[Checkpoint, Checkpoint | None]:
        return find_checkpoint(self._model), find_checkpoint(self._adapter, adapter=True) if self._adapter else None

    def _is_copy(self) -> bool:
        """Return whether this process was forked from one that had loaded the weights.

        The thread that works is not here, nor are the threads of torch, and a GPU cannot be used from here at all.
        """
        return self._process not in {0, os.getpid()}

    def _ready(self) -> _Engine:
        if self._is_copy():
            raise ModelUnavailable(
                f"{self!r} was loaded by process {self._process}, of which this one is a copy: make the model in the "
                "process that asks, and start that process by spawn, not by fork"
            )
        with self._lock:
            if self._closed:
                raise ModelUnavailable(f"{self!r} is closed")
            if self._broken:
                raise InstallationBroken(self._broken)
            if self._engine is None:
                self._process = os.getpid()
                try:
                    self._engine = self._started(self._loaded())
                except InstallationBroken as error:
                    self._broken = str(error)  # other threads need not load it all again to find the same
                    raise
            return self._engine

    def _loaded(self) -> LoadedModel:
        name = _name(*self._checkpoints())
        loaded = load(*self._checkpoints(), device=self._device, dtype=self._dtype)
        if _name(*self._look()) != name:
            # Its answers would be kept, and recorded, under the name of what lay there before.
            raise InstallationBroken(f"the files of {self!r} have changed since it was made: make it anew")
        return loaded

    def _started(self, loaded: LoadedModel) -> _Engine:
        name = repr(self)
        work = _Work(loaded, name, self._batch, self._normalise, self._timing.monotonic)
        batcher: Batcher[Job, Reply | OptionReply] = Batcher(work, largest=self._batch, name=name)
        # At the end of the process the thread must not be in the middle of a step; a wire that nobody holds any more
        # must not leave a thread behind.
        self._end = weakref.finalize(self, batcher.close)
        return _Engine(loaded, PromptEncoder(loaded, thinking=self._thinking), Constraints(loaded, name), batcher)


class _Work:
    """What the thread does with a batch."""

    def __init__(
        self, loaded: LoadedModel, name: str, batch: int, normalise: Normalisation, monotonic: Callable[[], float]
    ) -> None:
        self._generator = Generator(loaded, name=name, monotonic=monotonic)
        self._scorer = OptionScorer(loaded, name=name, batch=batch, normalise=normalise)

    def __call__(self, tickets: list[Ticket[Job, Reply | OptionReply]], closed: Callable[[], bool]) -> None:
        answers = [cast("AnswerTicket", ticket) for ticket in tickets if isinstance(ticket.job, AnswerJob)]
        self._generator.answer(answers, closed)
        for ticket in tickets:
            if isinstance(ticket.job, ScoreJob) and not ticket.settled and not closed():
                self._scorer.score(cast("ScoreTicket", ticket), closed)


def _name(checkpoint: Checkpoint, adapter: Checkpoint | None) -> str:
    return checkpoint.version if adapter is None else f"{checkpoint.version}+{adapter.version}"


def _room(engine: _Engine, tokens: int) -> int:
    room = engine.loaded.context_tokens - tokens
    if room < 1:
        raise BadRequest(
            f"the prompt has {tokens} tokens and leaves no room for an answer in a context of "
            f"{engine.loaded.context_tokens}",
            "context_too_long",
        )
    return room
