"""Answers of several prompts at once, each row by its own rules: limit, stops, temperature, seed, schema."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lifeloom.models.calls.wire import Finish, Reply
from lifeloom.models.huggingface.batching import Ticket
from lifeloom.models.huggingface.constraints import Constraint
from lifeloom.models.huggingface.loading import LoadedModel
from lifeloom.models.huggingface.pieces import TokenPieces
from lifeloom.models.huggingface.prompts import EncodedPrompt
from lifeloom.models.protocol import InstallationBroken, ModelUnavailable

__all__ = ["THINKING_ENDS", "AnswerJob", "Generator", "NoNumbers", "free_memory", "is_out_of_memory", "stacked"]

_log = logging.getLogger(__name__)

THINKING_ENDS = "</think>"
_TAIL = 16  # tokens decoded to look for the end of thinking


class NoNumbers(InstallationBroken):
    """A model computes NaN or infinity: every answer that it seems to give means nothing.

    Args:
        name: Of the model.
        loaded: The model.
    """

    def __init__(self, name: str, loaded: LoadedModel) -> None:
        dtype = str(loaded.model.dtype).removeprefix("torch.")
        super().__init__(
            f"the weights of {name} give no numbers (NaN or infinity) in {dtype}: either they are damaged, then fetch "
            'or train them anew, or too large for this type, then set dtype = "float32"'
        )


@dataclass(frozen=True)
class AnswerJob:
    """One prompt and the rules of its answer."""

    prompt: EncodedPrompt
    limit: int
    """Most tokens."""
    seconds: float
    """Longest time, from when the work on it begins."""
    temperature: float = 0.0
    """0: the likeliest token each time."""
    seed: int = 0
    """Of the draws, where the temperature is above 0."""
    stops: tuple[str, ...] = ()
    constraint: Constraint | None = None
    thinking: bool = False
    """The constraint begins after the end of thinking."""
    keeps_thoughts: bool = False
    """The thoughts are part of the answer."""
    listened: bool = False
    """Whoever asks is told the answer as it comes."""

    @property
    def width(self) -> int:
        """Tokens that it may come to, prompt and answer."""
        return self.prompt.length + self.limit


AnswerTicket = Ticket[AnswerJob, Reply]


@dataclass(eq=False)
class _Row:
    """An answer under way."""

    ticket: AnswerTicket
    until: float
    """By the monotonic clock."""
    tokens: list[int] = field(default_factory=list)
    noise: Any = None
    """A generator of torch."""
    constrained: bool = False
    pieces: TokenPieces | None = None
    """Where somebody listens."""

    def __post_init__(self) -> None:
        constraint = self.ticket.job.constraint
        if constraint is not None:
            constraint.reset()
            self.constrained = not self.ticket.job.thinking


class _Control:
    """Chooses the next token of each row and ends rows; called by transformers at every step.

    As a logits processor it shapes the scores so that their maximum is the choice; as a stopping criterion it takes
    the chosen tokens. An answer is handed over as soon as it is complete, however long the others take.
    """

    def __init__(
        self,
        loaded: LoadedModel,
        name: str,
        rows: Sequence[_Row],
        monotonic: Callable[[], float],
        closed: Callable[[], bool],
    ) -> None:
        self._loaded = loaded
        self._name = name
        self._rows = rows
        self._monotonic = monotonic
        self._closed = closed
        for row in rows:
            job = row.ticket.job
            if job.listened:
                thinks = job.thinking and not job.keeps_thoughts
                row.pieces = TokenPieces(self._decoded, job.stops, THINKING_ENDS if thinks else "")

    def processor(self, input_ids: Any, scores: Any) -> Any:
        """Return ``scores``, shape (rows, vocabulary), with what may not be taken at minus infinity."""
        import torch

        # NaN is larger than everything; a model may rule some tokens out by minus infinity, but not all.
        numbers = scores.amax(-1).isfinite().tolist()
        for number, row in enumerate(self._rows):
            if not numbers[number]:
                row.ticket.fail(NoNumbers(self._name, self._loaded))
            if row.ticket.settled:
                continue
            job = row.ticket.job
            if row.constrained and job.constraint is not None:
                allowed = torch.from_numpy(job.constraint.allowed()).to(scores.device)
                scores[number, : len(allowed)].masked_fill_(~allowed, -torch.inf)
                scores[number, len(allowed) :] = -torch.inf
            if job.temperature > 0.0:
                if row.noise is None:
                    row.noise = torch.Generator(device=scores.device).manual_seed(job.seed)
                # Gumbel-max: the maximum of log-probability plus noise is an exact draw, and since the noise is the
                # row's own the draw does not depend on the company it is in.
                exponential = torch.empty_like(scores[number]).exponential_(generator=row.noise)
                scores[number] = scores[number] / job.temperature - exponential.log()
        return scores

    def criterion(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Take the tokens just chosen; return which rows have ended, shape (rows,)."""
        import torch

        now, closed = self._monotonic(), self._closed()
        for row, token in zip(self._rows, input_ids[:, -1].tolist(), strict=True):
            if not row.ticket.settled:
                self._take(row, token, now)
        ended = [closed or row.ticket.settled for row in self._rows]
        return torch.tensor(ended, dtype=torch.bool, device=input_ids.device)

    def _take(self, row: _Row, token: int, now: float) -> None:
        job = row.ticket.job
        if token in self._loaded.ends:
            self._finish(row, "stop", ended=True)
            return
        row.tokens.append(token)
        if row.pieces is not None and (piece := row.pieces.add(token)):
            row.ticket.tell(piece)
        if row.constrained and job.constraint is not None:
            if job.constraint.accept(token):
                self._finish(row, "stop")
                return
        elif job.constraint is not None and THINKING_ENDS in self._decoded(row.tokens[-_TAIL:]):
            row.constrained = True
        if job.stops and self._stopped(row):
            self._finish(row, "stop")
        elif len(row.tokens) >= job.limit:
            self._finish(row, "length")
        elif now > row.until:
            row.ticket.fail(
                ModelUnavailable(
                    f"the answer was not complete after {job.seconds:.0f} s ({len(row.tokens)} tokens so far): allow "
                    "more call_seconds, ask for shorter answers, or use a faster device"
                )
            )

    def _finish(self, row: _Row, finish: Finish, *, ended: bool = False) -> None:
        job = row.ticket.job
        text = self._decoded(row.tokens)
        if job.thinking and not job.keeps_thoughts and THINKING_ENDS in text:
            text = text.rpartition(THINKING_ENDS)[2].lstrip()
        places = [place for stop in job.stops if (place := text.find(stop)) >= 0]
        row.ticket.answer(
            Reply(
                content=text[: min(places)] if places else text,
                finish=finish,
                prompt_tokens=job.prompt.length,
                completion_tokens=len(row.tokens) + ended,
            )
        )

    def _stopped(self, row: _Row) -> bool:
        stops = row.ticket.job.stops
        if row.ticket.job.thinking and THINKING_ENDS not in self._decoded(row.tokens):
            return False
        # A token is at least a byte, so the tokens of the longest stop and a few more hold every new stop.
        tail = row.tokens[-(max(len(stop.encode()) for stop in stops) + 4) :]
        text = self._decoded(tail)
        return any(stop in text for stop in stops)

    def _decoded(self, tokens: Sequence[int]) -> str:
        text: str = self._loaded.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text


class Generator:
    """Answers batches of prompts.

    A batch that does not fit into memory is halved, and batches as large are not tried again; any other failure of a
    batch is narrowed down to the row that makes it.

    Args:
        loaded: The model.
        name: Of the model, for messages.
        monotonic: Clock.
    """

    def __init__(self, loaded: LoadedModel, *, name: str, monotonic: Callable[[], float]) -> None:
        self._loaded = loaded
        self._name = name
        self._monotonic = monotonic
        self._most_tokens: float = float("inf")
        """Rows times width that fit into memory, as far as is known."""

    def answer(self, tickets: Sequence[AnswerTicket], closed: Callable[[], bool]) -> None:
        """Settle ``tickets`` of one kind, unless ``closed`` says to stop."""
        for part in self._that_fit(tickets):
            self._answer(part, closed)

    def _that_fit(self, tickets: Sequence[AnswerTicket]) -> Iterator[list[AnswerTicket]]:
        part: list[AnswerTicket] = []
        for ticket in tickets:
            width = max(one.job.width for one in [*part, ticket])
            if part and (len(part) + 1) * width > self._most_tokens:
                yield part
                part = []
            part.append(ticket)
        if part:
            yield part

    def _answer(self, tickets: Sequence[AnswerTicket], closed: Callable[[], bool]) -> None:
        tickets = [ticket for ticket in tickets if not ticket.settled]
        if not tickets or closed():
            return
        try:
            self._generate(tickets, closed)
            return
        except Exception as error:
            no_room = is_out_of_memory(error)
            problem = f"{type(error).__name__}: {error}"
            if len(tickets) == 1:
                tickets[0].fail(self._failure(tickets[0], problem, no_room=no_room))
                return
        # Outside the handler: the error and the tensors that its frames hold are gone.
        if no_room:
            self._most_tokens = len(tickets) * max(ticket.job.width for ticket in tickets) / 2
            free_memory()
        _log.warning("%s: a batch of %d is done in halves (%s)", self._name, len(tickets), problem)
        for ticket in tickets:
            if ticket.job.listened and not ticket.settled:
                ticket.tell_anew()
        half = len(tickets) // 2
        self._answer(tickets[:half], closed)
        self._answer(tickets[half:], closed)

    def _failure(self, ticket: AnswerTicket, problem: str, *, no_room: bool) -> ModelUnavailable:
        if no_room:
            return ModelUnavailable(
                f"{self._name}: one prompt of {ticket.job.prompt.length} tokens does not fit into memory ({problem}): "
                "use a smaller window, another device or another dtype"
            )
        return ModelUnavailable(f"{self._name} failed: {problem}")

    def _generate(self, tickets: Sequence[AnswerTicket], closed: Callable[[], bool]) -> None:
        import torch

        now = self._monotonic()
        rows = [_Row(ticket, now + ticket.job.seconds) for ticket in tickets]
        control = _Control(self._loaded, self._name, rows, self._monotonic, closed)
        inputs = stacked([ticket.job.prompt for ticket in tickets], self._loaded)
        with torch.inference_mode():
            self._loaded.model.generate(
                **inputs,
                max_new_tokens=max(ticket.job.limit for ticket in tickets),
                do_sample=False,
                logits_processor=[control.processor],
                stopping_criteria=[control.criterion],
            )


def stacked(prompts: Sequence[EncodedPrompt], loaded: LoadedModel) -> dict[str, Any]:
    """Return ``prompts`` as one batch on the model's device, shorter ones padded on the left."""
    import torch

    longest = max(prompt.length for prompt in prompts)
    batch = {}
    for name in prompts[0].sequences:
        fill = loaded.pad if name == "input_ids" else 0
        rows = [
            torch.nn.functional.pad(prompt.sequences[name], (longest - prompt.length, 0), value=fill)
            for prompt in prompts
        ]
        batch[name] = torch.cat(rows).to(loaded.device)  # (B, longest)
    for name in prompts[0].pictures:
        values = torch.cat([prompt.pictures[name] for prompt in prompts])
        if values.is_floating_point():
            values = values.to(loaded.model.dtype)
        batch[name] = values.to(loaded.device)
    return batch


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether ``error`` says that memory, of the machine or of a GPU, is used up."""
    import torch

    on_cpu = isinstance(error, RuntimeError) and "can't allocate memory" in str(error)
    return on_cpu or isinstance(error, torch.OutOfMemoryError | MemoryError)


def free_memory() -> None:
    """Give back what nothing holds any more."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
