"""What answers: the protocols that the rest of the system sees, and the errors all backends raise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from lifeloom.records import DrawnSubject, PicturePlan, PictureReference, Provenance, SubjectKind
from lifeloom.tasks.base import GenerationTask, InputT, OutputT, TaskOutput

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "BudgetExhausted",
    "CapabilityMissing",
    "CaptionMaker",
    "Detection",
    "Detector",
    "DrawnPicture",
    "Generation",
    "GenerationRejected",
    "ImageEncoder",
    "ImageMaker",
    "InstallationBroken",
    "LanguageModel",
    "ModelError",
    "ModelIdentity",
    "ModelRefusesKey",
    "ModelUnavailable",
    "OptionScores",
    "PictureNotDrawn",
    "PictureSource",
    "Portrait",
    "RejectionReason",
    "TextEncoder",
    "TextListener",
    "Usage",
]

RejectionReason = Literal[
    "bad_json", "wrong_schema", "empty", "refusal", "truncated", "context_too_long", "picture_refused", "bad_request"
]
"""``context_too_long``: the prompt does not fit the model's window. ``picture_refused``: one picture of the question is
nothing that the model takes (broken, too large). ``bad_request``: another objection to the request itself."""


@dataclass(frozen=True)
class Usage:
    """What one answer cost."""

    prompt_tokens: int
    completion_tokens: int
    calls: int = 1
    """Calls paid for, re-asks included; 0 when it came from the cache."""
    cached: bool = False
    seconds: float = 0.0
    """Wall time; measured, so never part of a data set that must be the same byte for byte."""


class ModelError(Exception):
    """A model could not answer."""


class GenerationRejected(ModelError):
    """A model answered, but not with a valid output, also after one re-ask. The raw text is kept.

    Attributes:
        task: Name of the task.
        reason: What kind of failure.
        raw: The model's last words; empty where it gave none.
        detail: What is wrong.
        usage: What was paid for it.
    """

    def __init__(
        self, task: str, reason: RejectionReason, raw: str, detail: str = "", usage: Usage | None = None
    ) -> None:
        super().__init__(f"{task}: the model's answer was rejected ({reason}){': ' + detail if detail else ''}")
        self.task = task
        self.reason: RejectionReason = reason
        self.raw = raw
        self.detail = detail
        self.usage = usage or Usage(prompt_tokens=0, completion_tokens=0, calls=0)


class ModelUnavailable(ModelError):
    """A server did not answer within the retries; what is done so far is kept, a later run resumes."""


class ModelRefusesKey(ModelError):
    """Authentication or quota: not retried. The message names the variable to set."""


class BudgetExhausted(ModelError):
    """The budget has no room for the next call: not retried.

    What is finished is kept; the message says what to raise.
    """


class InstallationBroken(ModelError):
    """A package or file that a model needs is missing or damaged: not retried, since waiting mends nothing.

    The message says what to install.
    """


class PictureNotDrawn(ModelError):
    """An image maker cannot draw this plan: it asks for something that it does not know, or for too much."""

    def __init__(self, picture_id: str, reason: str) -> None:
        super().__init__(f"picture {picture_id} cannot be drawn: {reason}")
        self.picture_id = picture_id
        self.reason = reason


class CapabilityMissing(ModelError):
    """The model cannot do what was asked, for example give option likelihoods or take pictures."""


@dataclass(frozen=True)
class ModelIdentity:
    """Who answers."""

    backend: str
    model: str
    """Name and version. Changes whenever answers may change."""

    def provenance(self, task: GenerationTask[Any, Any] | None = None) -> Provenance:
        """Return the provenance of something this model made for ``task``."""
        return Provenance(
            backend=self.backend, model=self.model, prompt_version="" if task is None else task.prompt_version
        )


OutputT_co = TypeVar("OutputT_co", bound=TaskOutput, covariant=True)


@dataclass(frozen=True)
class Generation(Generic[OutputT_co]):
    """A typed answer with its cost."""

    output: OutputT_co
    usage: Usage
    provenance: Provenance
    repaired: bool = False
    """The answer had to be taken out of a Markdown fence or prose; counted, because it says how a model copes."""


@dataclass(frozen=True)
class OptionScores:
    """One score an option, higher is likelier, in the order asked; comparable within the call only."""

    scores: tuple[float, ...]
    usage: Usage
    provenance: Provenance


class TextListener(Protocol):
    """Is told an answer while it is being given."""

    def piece(self, text: str) -> None:
        """Take the next piece of the answer."""
        ...

    def restart(self) -> None:
        """Forget the pieces so far: the question is put once more, and the answer begins anew."""
        ...


@runtime_checkable
class LanguageModel(Protocol):
    """A language or vision-language model behind one call."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        ...

    @property
    def window_tokens(self) -> int:
        """Context window that the model declares, in tokens of ``lifeloom.models.tokens``."""
        ...

    @property
    def scores_options(self) -> bool:
        """Whether ``score_options`` works."""
        ...

    @property
    def takes_pictures(self) -> bool:
        """Whether ``images`` may be given: one for each ``<img>`` of the rendered prompt, in order."""
        ...

    def run(
        self,
        task: GenerationTask[InputT, OutputT],
        task_input: InputT,
        images: Sequence[PictureReference] = (),
        *,
        sample: int = 0,
        listener: TextListener | None = None,
    ) -> Generation[OutputT]:
        """Answer one question.

        Args:
            task: The question.
            task_input: What it is about.
            images: One for each ``<img>`` of the rendered prompt, in order.
            sample: Which of several answers to the same question: another sample is another answer, paid for and
                kept on its own (and the same text again where the temperature is 0).
            listener: Told the answer as it comes, for tasks of free text; all at once where the model cannot stream
                or the answer was kept.

        Raises:
            GenerationRejected: no valid output after one re-ask.
            ModelUnavailable: the server did not answer within the retries.
            ModelRefusesKey: authentication or quota.
            BudgetExhausted: the budget does not allow it.
            CapabilityMissing: pictures given to a model that takes none.
        """
        ...

    def score_options(
        self,
        task: GenerationTask[InputT, Any],
        task_input: InputT,
        options: Sequence[str],
        images: Sequence[PictureReference] = (),
    ) -> OptionScores:
        """Return a score for each of ``options`` as the answer (for likelihood-based choice).

        Raises:
            CapabilityMissing: ``scores_options`` is False.
        """
        ...

    def check(self) -> str:
        """Return one line saying that the model answers; raise ``ModelError`` when it does not."""
        ...


@runtime_checkable
class TextEncoder(Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return unit vectors, shape (len(texts), dimensions)."""
        ...


PictureSource = Callable[[PictureReference], bytes]
"""Gives the file of a picture, as it was stored."""


@dataclass(frozen=True)
class DrawnPicture:
    """A picture as an image maker gives it."""

    data: bytes
    """The file, PNG."""
    width: int
    height: int
    subjects: tuple[DrawnSubject, ...]
    """What stands where, from back to front; empty where the maker does not know."""


@runtime_checkable
class ImageMaker(Protocol):
    """Turns picture plans into pictures."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        ...

    def draw(self, plan: PicturePlan) -> DrawnPicture:
        """Draw ``plan``; the same plan gives the same bytes where the maker is deterministic.

        Raises:
            PictureNotDrawn: the plan asks for something that the maker does not know.
            InstallationBroken: a package or file that the maker needs is missing.
            ModelUnavailable: the maker's server did not answer within the retries.
        """
        ...

    def check(self) -> str:
        """Return one line saying that it works; raise ``ModelError`` when it does not."""
        ...


@dataclass(frozen=True)
class Portrait:
    """How somebody of a caption looks."""

    name: str
    """As the caption calls them."""
    picture: PictureReference


@runtime_checkable
class CaptionMaker(Protocol):
    """An image maker that also draws captions, given portraits of who is in them."""

    def draw_caption(
        self, caption: str, portraits: Sequence[Portrait] = (), *, sample: int = 0, size: int | None = None
    ) -> DrawnPicture:
        """Draw what ``caption`` says.

        Args:
            caption: plain words.
            portraits: how those that it calls by name look.
            sample: which of several pictures of the same caption.
            size: side in pixels of the square that it is cut to; None: as the maker gives it.

        Raises:
            PictureNotDrawn: the maker declines, or gives no picture that can be read.
            ModelError: it cannot work at all, or takes no portraits.
        """
        ...


@dataclass(frozen=True)
class Detection:
    """Something that a detector found."""

    kind: SubjectKind
    score: float
    """0..1."""
    box: tuple[float, float, float, float]
    """Pixels ``(left, top, right, bottom)`` of the picture as given."""
    label: str = ""
    """What an open-vocabulary detector was asked for and found; empty where it only tells kinds."""


@runtime_checkable
class Detector(Protocol):
    """Finds people, animals and objects in pictures."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        ...

    def detect(self, pictures: Sequence[Image]) -> list[tuple[Detection, ...]]:
        """Return what stands in each of ``pictures`` (RGB, upright), best first."""
        ...

    def check(self) -> str:
        """Return one line saying that it works; raise ``ModelError`` when it does not."""
        ...


@runtime_checkable
class ImageEncoder(Protocol):
    """Turns pictures, or crops of them, into vectors."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, pictures: Sequence[Image]) -> npt.NDArray[np.float32]:
        """Return unit vectors, shape (len(pictures), dimensions), of RGB pictures."""
        ...

    def check(self) -> str:
        """Return one line saying that it works; raise ``ModelError`` when it does not."""
        ...
