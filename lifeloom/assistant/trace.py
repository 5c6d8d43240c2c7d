"""What happened on the way to a reply, step by step, for a person to read and for a file."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from lifeloom.records import MemoryKind

__all__ = ["FoundMemory", "MustAnswer", "ShownThread", "Step", "Stopped", "Trace"]

Stopped = Literal["answered", "plain_text", "no_answer", "rejected"]
"""Why a trajectory ended. ``answered``: with an answer in its tags. ``plain_text``: the model kept no format, and its
words were taken for the answer. ``no_answer``: the last step asked to retrieve, or said nothing. ``rejected``: the
model's last output was refused."""

MustAnswer = Literal["", "steps", "tokens", "seconds"]
"""Why a step was told to answer: it was the last, or a budget was used up."""

_STOPPED: dict[Stopped, str] = {
    "answered": "the model answered",
    "plain_text": "the model wrote no tags, so its words were taken for the answer",
    "no_answer": "the last step gave no answer",
    "rejected": "the model's output was refused",
}
_MUST_ANSWER: dict[MustAnswer, str] = {
    "steps": "it was the last step",
    "tokens": "the token budget was used up",
    "seconds": "the time was used up",
}
_SHOWN = 200  # characters of a memory in the readable form


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FoundMemory(_Part):
    """A memory that a retrieval found."""

    memory_id: str
    kind: MemoryKind
    at: str
    """``YYYY-MM-DD HH:MM`` on the user's clock, of its first turn."""
    content: str
    score: float
    similarity: float
    """Cosine, -1..1."""
    lexical: float
    """Share of the keywords that match, 0..1."""


class ShownThread(_Part):
    """A thread of the memory graph that a retrieval brought."""

    thread_id: str
    title: str
    memory_ids: tuple[str, ...]
    """Of its memories that the retrieval allowed, oldest first."""
    summary: str
    score: float


class Step(_Part):
    """One question put to the model, and what followed from its answer."""

    number: int
    """From 0."""
    thought: str
    action: Literal["retrieve", "answer", "none"]
    """``none``: nothing that is known; a retrieval with the user's text may have followed."""
    retrieved: bool = False
    """Whether memories were looked for, and therefore ``found`` means something."""
    keywords: tuple[str, ...] = ()
    start_time: str = ""
    """``YYYY-MM-DD HH:MM`` on the user's clock; empty: open."""
    end_time: str = ""
    found: tuple[FoundMemory, ...] = ()
    threads: tuple[ShownThread, ...] = ()
    must_answer: MustAnswer = ""
    well_formed: bool = False
    repairs: tuple[str, ...] = ()
    """What departed from the format and how it was understood all the same (``lifeloom.assistant.parsing``)."""
    notes: tuple[str, ...] = ()
    """What the prompt had to leave out."""
    failure: str = ""
    """Why the model's output was refused."""
    output: str = ""
    """The model's words."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Trace(_Part):
    """All steps of a reply."""

    query: str
    asked_at: str
    """``YYYY-MM-DD HH:MM`` on the user's clock."""
    steps: tuple[Step, ...]
    stopped: Stopped
    first: Step | None = None
    """The retrieval that was made before the model was asked, where it does not reason."""
    concepts: tuple[str, ...] = ()
    """Who and what was known in the pictures, a line each."""

    @property
    def found(self) -> tuple[FoundMemory, ...]:
        """All memories found, in order, none twice."""
        steps = (self.first, *self.steps) if self.first else self.steps
        return tuple(memory for step in steps for memory in step.found)

    def as_text(self) -> str:
        """Return the trace for a person to read."""
        lines = [f"Asked [{self.asked_at}]: {_short(self.query)}"]
        lines += [f"Seen: {_short(line)}" for line in self.concepts]
        if self.first:
            lines += ["Before asking the model:", *_retrieval(self.first)]
        for step in self.steps:
            tokens = f"{step.prompt_tokens} + {step.completion_tokens} tokens"
            lines.append(f"Step {step.number + 1} ({tokens}):")
            if step.must_answer:
                lines.append(f"  told to answer: {_MUST_ANSWER[step.must_answer]}")
            if step.thought:
                lines.append(f"  thought: {_short(step.thought)}")
            if step.failure:
                lines.append(f"  refused: {step.failure}")
            if step.action == "answer":
                lines.append("  answered")
            elif step.action == "none" and not step.failure:
                lines.append(f"  said nothing that is known: {_short(step.output)}")
            if step.retrieved:
                lines += _retrieval(step)
            if step.repairs:
                lines.append(f"  repaired: {', '.join(step.repairs)}")
            lines += [f"  note: {note}" for note in step.notes]
        lines.append(f"Stopped: {_STOPPED[self.stopped]}.")
        return "\n".join(lines)


def _retrieval(step: Step) -> list[str]:
    asked = ", ".join(step.keywords) or "the user's own words"
    when = f", from {step.start_time}" if step.start_time else ""
    when += f", to {step.end_time}" if step.end_time else ""
    lines = [f"  looked for: {asked}{when}"]
    lines += [
        f"  found {memory.kind} [{memory.at}] {_short(memory.content)} "
        f"({memory.memory_id}, score {memory.score:.2f}: cosine {memory.similarity:.2f}, words {memory.lexical:.2f})"
        for memory in step.found
    ]
    lines += [
        f"  found thread {thread.title}: {_short(thread.summary)} ({len(thread.memory_ids)} memories, score "
        f"{thread.score:.2f})"
        for thread in step.threads
    ]
    return lines if step.found or step.threads else [*lines, "  found nothing new"]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
