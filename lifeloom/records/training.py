"""Training examples: supervised conversations, prompts of RL (PersonaVLM Section 3.2; CoViP Section 3.2).

A user message has an ``<img>`` mark for each of its pictures, in order; the pictures stand
beside the messages. In instructions and in what an assistant says a mark is a word like any other.
"""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from pydantic import Field, model_validator

from lifeloom.records.base import Identifier, Part, Record, UtcTime
from lifeloom.records.benchmark import Letter, TaskName
from lifeloom.records.conversation import PictureReference
from lifeloom.records.provenance import Provenance

__all__ = [
    "CAPTIONING_KINDS",
    "RL_KINDS",
    "SFT_FAMILIES",
    "CaptioningKind",
    "CaptioningPrompt",
    "PromptOption",
    "RlKind",
    "RlPrompt",
    "SftExample",
    "SftFamily",
    "TrainingMessage",
]

SftFamily = Literal["reasoning_qa", "personality_inference", "memory_operation", "concept"]
SFT_FAMILIES: tuple[SftFamily, ...] = get_args(SftFamily)
"""What supervision is of (PersonaVLM Section 3.2, Appendix B.2); ``concept`` is in RAP's style, beside the others."""

RlKind = Literal["open", "choice", "binary"]
RL_KINDS: tuple[RlKind, ...] = get_args(RlKind)

CaptioningKind = Literal["combined", "recognition", "caption"]
CAPTIONING_KINDS: tuple[CaptioningKind, ...] = get_args(CaptioningKind)
"""``combined``: both rewards for one prompt, as the paper's sum. The others: a row for each reward, as the release."""

_MARK = "<img>"


class TrainingMessage(Part):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str = Field(min_length=1)


class SftExample(Record):
    """A conversation whose assistant messages are learnt (loss on assistant tokens only)."""

    KIND: ClassVar[str] = "sft_example"

    example_id: Identifier
    family: SftFamily
    kind: str
    """reasoning_qa: ``choice``, ``binary``, ``open`` or ``turn`` (a turn of the conversation). memory_operation:
    ``semantic``, ``core``, ``procedural`` or ``episodic``. concept: ``presence`` or ``caption``;
    of a captioner's warm-up a ``CaptioningKind``."""
    user_id: str
    """Persona, or release of the pictures where there is none."""
    case_id: str = ""
    """The case or operation that it comes from."""
    retrievals: int = Field(default=0, ge=0, le=3)
    """reasoning_qa: how often memories were looked for."""
    messages: tuple[TrainingMessage, ...] = Field(min_length=2)
    """At most one system message first, then user and assistant in turn; the last is the assistant's."""
    pictures: tuple[PictureReference, ...] = ()
    made_by: Provenance
    """The teacher, or whoever worded the answer."""

    @model_validator(mode="after")
    def _sound(self) -> SftExample:
        roles = [one.role for one in self.messages]
        turns = roles[1:] if roles[0] == "system" else roles
        expected = ["user" if number % 2 == 0 else "assistant" for number in range(len(turns))]
        if turns != expected or turns[-1:] != ["assistant"]:
            raise ValueError(f"messages alternate between user and assistant and end with the assistant, not {roles}")
        marks = sum(one.text.count(_MARK) for one in self.messages if one.role == "user")
        if marks != len(self.pictures):
            raise ValueError(f"the messages have {marks} marks for {len(self.pictures)} pictures")
        return self


class PromptOption(Part):
    """An option of a multiple-choice prompt."""

    letter: Letter
    text: str = Field(min_length=1)


class RlPrompt(Record):
    """A question whose trajectories are sampled, tied to a memory database and a moment (PersonaVLM Section 3.2)."""

    KIND: ClassVar[str] = "rl_prompt"

    prompt_id: Identifier
    kind: RlKind
    task: TaskName
    case_id: Identifier
    user_id: str
    memories: str
    """Key of the data set of the user's memories."""
    dialogues: str
    """Key of the conversations they were made from."""
    asked_at: UtcTime
    offset_minutes: int
    history_turns: int = Field(ge=1)
    """Only what followed from the first so many turns was known."""
    query: str = Field(min_length=1)
    options: tuple[PromptOption, ...] = ()
    """Four for ``choice``, else none."""
    response: str = ""
    """binary: the response that suits the user or not."""
    answer: str = Field(min_length=1)
    """choice: a letter. binary: yes or no. open: the right answer in words. Never part of a prompt."""
    evidence_turns: tuple[int, ...] = ()
    """From which the answer follows; none for ``binary``, which asks of the manner alone."""

    @model_validator(mode="after")
    def _sound(self) -> RlPrompt:
        letters = [one.letter for one in self.options]
        if self.kind == "choice" and (len(letters) != 4 or self.answer not in letters):
            raise ValueError("a choice has four options, and one of their letters is right")
        if self.kind != "choice" and letters:
            raise ValueError(f"{self.kind} prompts have no options")
        if (self.kind == "binary") != bool(self.response):
            raise ValueError("a response is judged by binary prompts and by no others")
        if self.kind == "binary" and self.answer not in ("yes", "no"):
            raise ValueError(f"the answer of a binary prompt is yes or no, not {self.answer!r}")
        return self


class CaptioningPrompt(Record):
    """A query picture with its context, to be captioned or recognised (CoViP Section 3.2; C6)."""

    KIND: ClassVar[str] = "captioning_prompt"

    prompt_id: Identifier
    kind: CaptioningKind
    sample_id: Identifier
    concepts: int = Field(ge=1, le=4)
    messages: tuple[TrainingMessage, ...] = Field(min_length=1)
    """System and user message. ``combined`` and ``caption``: asks for a caption. ``recognition``: for the numbers."""
    pictures: tuple[PictureReference, ...]
    positives: tuple[int, ...]
    """Indices of the context's concepts that the query shows: the truth of r_vis. Never part of a prompt."""
    questions: tuple[Identifier, ...] = ()
    """Those of CapEval-QAs that r_caps asks; none for ``recognition``."""

    @model_validator(mode="after")
    def _sound(self) -> CaptioningPrompt:
        marks = sum(one.text.count(_MARK) for one in self.messages if one.role == "user")
        if marks != len(self.pictures):
            raise ValueError(f"the messages have {marks} marks for {len(self.pictures)} pictures")
        if (self.kind == "recognition") == bool(self.questions):
            raise ValueError("captions are asked questions, recognition is asked none")
        return self
