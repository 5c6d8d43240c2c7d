"""RAG-Cap: text search over captions of the pictures (Life-Bench Section 5.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.life_baselines.base import Baseline, best, concept_text, image_text
from lifeloom.records import Life, PictureReference
from lifeloom.scoring.life_policy import AskedQuestion, Found
from lifeloom.tasks import PICTURE_CAPTION, PictureCaptionInput

__all__ = ["CaptionIndex", "RagCapPolicy"]


@dataclass(frozen=True)
class CaptionIndex:
    """Captions of a life with their vectors."""

    ids: tuple[str, ...]
    vectors: npt.NDArray[np.float32]
    captions: dict[str, str]


class RagCapPolicy(Baseline[CaptionIndex]):
    """The concepts and pictures whose text, caption included, is nearest to the question's."""

    method = "rag-cap"
    extra_prompts = (PICTURE_CAPTION,)

    def index(self, life: Life) -> CaptionIndex:
        """Caption all pictures and embed them with date and description."""
        captions = {image.image_id: self._caption(image.picture) for image in life.images}
        ids = [one.concept_id for one in life.concepts] + [one.image_id for one in life.images]
        texts = [f"{concept_text(one)} {self._caption(one.portrait)}" for one in life.concepts]
        texts += [image_text(one, captions[one.image_id]) for one in life.images]
        return CaptionIndex(tuple(ids), self.encoder.encode(texts), captions)

    def found(self, asked: AskedQuestion, life: Life, index: CaptionIndex) -> Found:
        """Return the nearest items; a question's picture is searched with by its caption too."""
        text = " ".join([asked.question, *(option.text for option in asked.options), self._caption(asked.picture)])
        vector = self.encoder.encode([text])[0]
        ranked = best(index.ids, index.vectors @ vector) if index.ids else []
        return self.shown(life, ranked, captions=index.captions)

    def _caption(self, picture: PictureReference | None) -> str:
        described = self.described(PICTURE_CAPTION, PictureCaptionInput(), picture)
        return "" if described is None else described.text
