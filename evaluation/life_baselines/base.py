"""What the baselines share: one answering model, an index a life, k items in all (Life-Bench Section 5.1)."""

from __future__ import annotations

import functools
import re
import threading
from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from lifeloom.lifegraph.recognition import ConceptRecogniser
from lifeloom.models.protocol import LanguageModel, TextEncoder
from lifeloom.records import Concept, Life, LifeImage, PictureReference, Rejection
from lifeloom.scoring.life_policy import AskedQuestion, Found, LifeAnswer, answer_from
from lifeloom.scoring.policy import policy_fingerprint
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import LIFE_ANSWER, GenerationTask
from lifeloom.tasks.base import InputT, OutputT

__all__ = ["Baseline", "best", "life_key"]

IndexT = TypeVar("IndexT")
_KEPT = 16


def life_key(life: Life) -> tuple[str, int, int]:
    """Return what tells lives apart while a process runs."""
    pictures = tuple(image.picture.content_hash if image.picture else "" for image in life.images)
    return life.vaccount_id, len(life.images), hash((pictures, life.concepts))


class Baseline(Generic[IndexT]):
    """A ``LifePolicy`` that ranks concepts and pictures and shows the best ``k``.

    Args:
        model: answers, and describes pictures where the method wants that.
        encoder: turns texts into vectors.
        recogniser: names people in the question's picture; None: nobody is recognised.
        k: concepts and pictures that are shown.
        code: revision of the code, part of the fingerprint.
    """

    method: str
    version = 2
    extra_prompts: tuple[GenerationTask, ...] = ()  # type: ignore[type-arg]

    def __init__(
        self, model: LanguageModel, encoder: TextEncoder, recogniser: ConceptRecogniser | None, *, k: int, code: str
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.recogniser = recogniser
        self.k = k
        self._code = code
        self._indices: OrderedDict[tuple[str, int, int], IndexT] = OrderedDict()
        self._lock = threading.Lock()
        self._refused: dict[str, Rejection] = {}

    @property
    def name(self) -> str:
        """``rap-k3``."""
        return f"{self.method}-k{self.k}"

    @functools.cached_property
    def fingerprint(self) -> str:
        """Digest of code, models, prompts and parameters."""
        return policy_fingerprint(
            self.name,
            code=f"{self._code}/{self.version}",
            models=self.models(),
            prompts=self.prompts(),
            parameters=self.parameters(),
        )

    def models(self) -> list[str]:
        """Return answering model, encoder, and what recognises."""
        asked = [f"{one.identity.backend}/{one.identity.model}" for one in (self.model, self.encoder)]
        return asked + list(self.recogniser.models if self.recogniser is not None else ())

    def prompts(self) -> tuple[str, ...]:
        """Return the versions of the prompts."""
        return tuple(task.prompt_version for task in (LIFE_ANSWER, *self.extra_prompts))

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """Pictures that could not be described so far, once each, by content hash: they are found by words alone."""
        return tuple(self._refused[item] for item in sorted(self._refused))

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides the answers."""
        return {"k": self.k, "window_tokens": self.model.window_tokens, "pictures": int(self.model.takes_pictures)}

    def answer(self, asked: AskedQuestion, life: Life) -> LifeAnswer:
        """Rank, show the best k, and ask."""
        with self._lock:
            key = life_key(life)
            if key not in self._indices:
                self._indices[key] = self.index(life)
                while len(self._indices) > _KEPT:
                    self._indices.popitem(last=False)
            index = self._indices[key]
        return answer_from(self.model, asked, life, self.found(asked, life, index))

    @abstractmethod
    def index(self, life: Life) -> IndexT:
        """Return what the method keeps of a life."""

    @abstractmethod
    def found(self, asked: AskedQuestion, life: Life, index: IndexT) -> Found:
        """Return what the method shows for a question."""

    def recognised(self, asked: AskedQuestion, life: Life) -> list[str]:
        """Return the concepts in the question's picture, nearest first."""
        if asked.picture is None or self.recogniser is None:
            return []
        return [one.concept_id for one in self.recogniser.recognise(asked.picture, life)]

    def named(self, asked: AskedQuestion, life: Life) -> list[str]:
        """Return the concepts whose name, or whose role's last word, the question says."""
        by_name = [one.concept_id for one in life.concepts if _says(asked.question, one.name)]
        by_role = [one.concept_id for one in life.concepts if _says(asked.question, one.role.split("'s ")[-1])]
        return list(dict.fromkeys([*by_name, *by_role]))

    def described(
        self, task: GenerationTask[InputT, OutputT], task_input: InputT, picture: PictureReference | None
    ) -> OutputT | None:
        """Return what the model makes of a picture; None without one, and where it fails: ``rejections`` has those."""
        if picture is None or not self.model.takes_pictures:
            return None
        try:
            return self.model.run(task, task_input, [picture]).output
        except UNANSWERED as error:
            item = picture.content_hash
            self._refused[item] = Rejection(
                stage=f"life_baselines/{self.name}", item=item, reason=failure_of(error), detail=str(error)[:500]
            )
            return None

    def question_vector(self, asked: AskedQuestion) -> npt.NDArray[np.float32]:
        """Return the vector of the question with its options."""
        text = " ".join([asked.question, *(option.text for option in asked.options)])
        vector: npt.NDArray[np.float32] = self.encoder.encode([text])[0]
        return vector

    def shown(self, life: Life, ids: Sequence[str], **more: object) -> Found:
        """Return the first k of ``ids`` as what was found."""
        chosen = list(dict.fromkeys(ids))[: self.k]
        concepts = {one.concept_id: one for one in life.concepts}
        images = {one.image_id: one for one in life.images}
        return Found(
            concepts=tuple(concepts[one] for one in chosen if one in concepts),
            images=tuple(images[one] for one in chosen if one in images),
            retrieved_ids=tuple(chosen),
            **more,  # type: ignore[arg-type]
        )


def _says(text: str, phrase: str) -> bool:
    """Return whether ``text`` has ``phrase`` as whole words: a person is no son, and a banana no Ana."""
    return bool(phrase) and re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE) is not None


def best(ids: Sequence[str], scores: npt.NDArray[np.float32]) -> list[str]:
    """Return ids by score, best first, equal ones in their order."""
    return [ids[number] for number in np.argsort(-scores, kind="stable")]


def concept_text(concept: Concept) -> str:
    """Return a concept as a text to search."""
    return f"{concept.name}, {concept.role}. {concept.persona}"


def image_text(image: LifeImage, caption: str = "") -> str:
    """Return a picture of the history as a text to search; its day in the ways in which people write one."""
    day = image.event_date
    written = f"{day.isoformat()}, {day:%B} {day.day}, {day.year}, {day.day} {day:%B} {day.year}"
    return f"{written}: {image.event_description} {caption}".strip()
