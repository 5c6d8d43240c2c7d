"""The captioners that a profile names, built on its models and eyes."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from lifeloom.store import code_revision
from resources.workbench import Workbench

if TYPE_CHECKING:
    from evaluation.captioners import ContextRecogniser
    from lifeloom.models.protocol import LanguageModel
    from lifeloom.scoring.caption_policy import CaptionPolicy

__all__ = ["caption_teacher", "captioners_of", "recogniser_of"]


def recogniser_of(workbench: Workbench) -> ContextRecogniser:
    """Return what recognises concepts by features, with the profile's detector and encoder."""
    from evaluation.captioners import ContextRecogniser

    return ContextRecogniser(workbench.concept_detector, workbench.crop_encoder, workbench.picture)


def caption_teacher(workbench: Workbench, stage: str) -> LanguageModel:
    """Return the reader of ``stage``, which captions pictures for others to learn from.

    Raises:
        CapabilityMissing: it takes no pictures.
    """
    from lifeloom.models.protocol import CapabilityMissing

    model = workbench.model("reader", stage)
    if not model.takes_pictures:
        raise CapabilityMissing(
            f"{model.identity.backend}/{model.identity.model} takes no pictures, so it cannot caption any for {stage}: "
            f"choose a reader that does in [models.stages.{stage.replace('/', '_')}.reader], or do without pictures "
            "(training.concept_samples = 0, captions.train_scenes = 0)"
        )
    return model


def captioners_of(workbench: Workbench, stage: str, names: Collection[str] | None = None) -> list[CaptionPolicy]:
    """Return captioners on the reader of ``stage``.

    Args:
        workbench: gives model, eyes and pictures.
        stage: whose reader.
        names: ``zero-shot``, ``rap-k3``, ``grounded``; None: those that the profile names.

    Raises:
        ValueError: there is no captioner of such a name.
        CapabilityMissing: the reader takes no pictures.
    """
    from evaluation.captioners import GroundedCaptioner, RapCaptioner, ZeroShotCaptioner

    settings, code = workbench.profile.captions, code_revision()
    model, recogniser = workbench.model("reader", stage), recogniser_of(workbench)
    found: list[CaptionPolicy] = []
    for name in settings.policies if names is None else names:
        if name == "zero-shot":
            found.append(ZeroShotCaptioner(model, tokens=settings.caption_tokens, code=code))
        elif name == "grounded":
            found.append(GroundedCaptioner(model, recogniser, tokens=settings.caption_tokens, code=code))
        elif re.fullmatch(r"rap-k[1-9][0-9]?", name):
            found.append(RapCaptioner(model, recogniser, int(name[5:]), tokens=settings.caption_tokens, code=code))
        else:
            raise ValueError(f"there is no captioner called {name!r}; there are zero-shot, rap-k<width> and grounded")
    return found
