"""RAP: a key-value database of concepts and pictures, looked up by name and by look (Life-Bench Section 5.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.life_baselines.base import Baseline, best, concept_text, image_text
from lifeloom.records import Life
from lifeloom.scoring.life_policy import AskedQuestion, Found

__all__ = ["RapIndex", "RapPolicy"]


@dataclass(frozen=True)
class RapIndex:
    """Keys of a life."""

    ids: tuple[str, ...]
    vectors: npt.NDArray[np.float32]
    """(items, dimensions), of the texts."""


class RapPolicy(Baseline[RapIndex]):
    """Concepts that are named or recognised first, then what is nearest by text."""

    method = "rap"

    def index(self, life: Life) -> RapIndex:
        """Return the vectors of concepts and of dated event descriptions."""
        ids = [one.concept_id for one in life.concepts] + [one.image_id for one in life.images]
        texts = [concept_text(one) for one in life.concepts] + [image_text(one) for one in life.images]
        return RapIndex(tuple(ids), self.encoder.encode(texts))

    def found(self, asked: AskedQuestion, life: Life, index: RapIndex) -> Found:
        """Return named and recognised concepts, then the nearest items."""
        keyed = [*self.named(asked, life), *self.recognised(asked, life)]
        nearest = best(index.ids, index.vectors @ self.question_vector(asked)) if len(index.ids) else []
        return self.shown(life, [*keyed, *nearest])
