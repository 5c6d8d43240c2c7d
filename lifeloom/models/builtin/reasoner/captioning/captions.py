"""Captions: what a picture shows, and what the user told of those in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reader.pictured import caption_of
from lifeloom.models.builtin.reasoner.captioning.likeness import likest
from lifeloom.models.builtin.reasoner.captioning.telling import statements
from lifeloom.tasks.personal_caption import GroundedCaptionInput, PersonalCaptionInput

__all__ = ["grounded_caption", "zero_shot_caption"]

_FIRST_TURNS = 1
"""Of a dialogue that a caption without recognition retells: it seizes on what was said first."""


def zero_shot_caption(
    asked: PersonalCaptionInput,
    query: Sequence[LookedAt],
    traits: Sequence[tuple[PersonTraits, ...]],
    vectors: npt.NDArray[np.float32],
) -> str:
    """Return a caption as a model without an eye for identity gives it.

    The picture is described; of the context it retells the beginning of what was said of the pictures that resemble the
    new one most as a whole, by features of a network that was trained on everyday things and not on who is who.

    Args:
        asked: the context.
        query: the new picture, looked at.
        traits: of the people in it.
        vectors: of whole pictures, those of the context in order, then the query's.
    """
    told = [line for number in likest(vectors) for line in statements(asked.parts[number], turns=_FIRST_TURNS)]
    return " ".join([caption_of(query, traits), *told])


def grounded_caption(
    asked: GroundedCaptionInput, query: Sequence[LookedAt], traits: Sequence[tuple[PersonTraits, ...]]
) -> str:
    """Return a caption that describes the picture and retells all that was said of those in it, each once."""
    told: list[str] = []
    for part in asked.parts:
        told += [line for line in statements(part) if line not in told]
    return " ".join([caption_of(query, traits), *told])
