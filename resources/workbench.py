"""The workbench: what assets and the command line work with, built from a profile and a home."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import (
    Detector,
    DrawnPicture,
    ImageEncoder,
    ImageMaker,
    LanguageModel,
    PictureNotDrawn,
    PictureSource,
    TextEncoder,
)
from lifeloom.records import MemoryOperation, PicturePlan, PictureReference
from lifeloom.store import DatasetStore, Home
from lifeloom.streams import Streams
from lifeloom.synthesis.illustrating import DrawMany
from lifeloom.tracking import Tracker
from resources.model_settings import Role
from resources.profile import Profile

if TYPE_CHECKING:
    from lifeloom.assistant import ResponseSettings, UpdateStage
    from lifeloom.assistant.concepts import ConceptMemory
    from lifeloom.models.builtin.eyes import Eyes
    from lifeloom.models.calls.ledger import Ledger
    from lifeloom.models.grounding_dino import GroundingDinoDetector
    from resources.memories import MemoryLibrary
    from resources.models import Models

__all__ = ["Workbench"]

_NAMED_CROP = 0.1
"""Confidence from which on PersonaVLM's release takes a crop for what a description names."""


@dataclass(frozen=True)
class Workbench:
    """Store, models, encoder and tracker of one profile in one home. All are opened on first use."""

    profile: Profile
    home_path: Path
    watch: Callable[[str, int, int], None] = field(default=lambda stage, done, total: None, compare=False)
    """Told about long work: stage, items done, items in all."""
    private: bool = field(default=False, kw_only=True)
    """Nothing that is asked, answered or looked at is kept in the caches of the home: what a person says to the
    assistant is in that person's memory file alone, so that erasing it there erases it."""

    @functools.cached_property
    def home(self) -> Home:
        """The home folder.

        Raises:
            HomeUnusable, StoreFormatError, StoreFull: it cannot be used.
        """
        return Home(self.home_path)

    @functools.cached_property
    def store(self) -> DatasetStore:
        """The data sets of the home."""
        return DatasetStore(self.home.data_url)

    @property
    def streams(self) -> Streams:
        """The random streams under the profile's seed."""
        return Streams(self.profile.seed)

    @functools.cached_property
    def encoder(self) -> TextEncoder:
        """The text encoder, its vectors cached in the home."""
        from lifeloom.models.minilm import MiniLmEncoder

        return MiniLmEncoder(cache_path=self._cache("minilm"))

    @functools.cached_property
    def tracker(self) -> Tracker:
        """MLflow in the home."""
        return Tracker(self.home.mlflow)

    def memories(self, key: str) -> MemoryLibrary:
        """Return the users of a data set of memories (``release/memories/2026-01-05``), as database files.

        Raises:
            DatasetMissing: it, or the conversations that it was made from, has not been made.
        """
        from resources.memories import MemoryLibrary

        return MemoryLibrary(self.store, key, key.replace("/memories/", "/dialogues/", 1), self.home.cache)

    @functools.cached_property
    def concepts(self) -> ConceptMemory:
        """What remembers and recognises people, animals and things in pictures."""
        from lifeloom.assistant.concepts import ConceptMemory

        return ConceptMemory(self.concept_detector, self.crop_encoder)

    @functools.cached_property
    def concept_detector(self) -> Detector:
        """A detector that can be asked in words and tells also what it is not sure of."""
        if self.profile.vision.detector.backend == "builtin":
            from lifeloom.models.builtin.asking import EyesDetector

            return EyesDetector(self.eyes)
        return self._grounding_dino(box_threshold=_NAMED_CROP, text_threshold=_NAMED_CROP)

    def update_stage(
        self,
        stage: str = "",
        record: Callable[[MemoryOperation], None] | None = None,
        pictures: PictureSource | None = None,
    ) -> UpdateStage:
        """Return the update stage on the assistant of ``stage``.

        Args:
            stage: Name of a stage; empty: the profile's own assistant.
            record: Told every question and answer.
            pictures: Where the model gets pictures from; None: the home.

        Raises:
            ModelRefusesKey, InstallationBroken, CacheError: the model cannot be made.
        """
        from lifeloom.assistant import UpdateSettings, UpdateStage

        settings = UpdateSettings(session_minutes=self.profile.memory.session_minutes)
        return UpdateStage(self.model("assistant", stage, pictures), self.encoder, settings, self.concepts, record)

    @property
    def response_settings(self) -> ResponseSettings:
        """How the response stage works in this profile."""
        from lifeloom.assistant import ResponseSettings
        from lifeloom.memory import TopK

        memory = self.profile.memory
        return ResponseSettings(
            steps=memory.steps,
            top_k=TopK(procedural=memory.procedural, semantic=memory.semantic, episodic=memory.episodic),
            reply_words=memory.reply_words,
            threads=memory.threads,
            session_minutes=memory.session_minutes,
        )

    def _cache(self, name: str) -> Path | None:
        """Return the file of a cache of vectors or sights; None: kept in memory only."""
        return None if self.private else self.home.cache / f"{name}.sqlite"

    @property
    def mlflow_server(self) -> str:
        """Where MLflow is served, for links: ``LIFELOOM_MLFLOW_SERVER``, else the port that `lifeloom ui` takes."""
        return os.environ.get("LIFELOOM_MLFLOW_SERVER") or "http://127.0.0.1:5000"

    @functools.cached_property
    def ledger(self) -> Ledger:
        """The home's books: what calls to models cost, and the budget that bounds them."""
        from lifeloom.models.calls.ledger import Budget, Ledger

        budget = self.profile.budget
        return Ledger(self.home.path / "ledger.sqlite", Budget(budget.usd, budget.tokens, budget.period))

    @functools.cached_property
    def models(self) -> Models:
        """The language models of the profile."""
        from resources.models import Models

        return Models(
            self.profile.models,
            self.home,
            self.ledger,
            lambda: self.encoder,
            lambda: self.eyes,
            keeps_answers=not self.private,
        )

    def model(self, role: Role, stage: str = "", pictures: PictureSource | None = None) -> LanguageModel:
        """Return the model of ``role`` in ``stage``; reader and assistant get the home's pictures unless given others.

        Args:
            role: What it is asked to do.
            stage: Name of a stage (``corpus/dialogues``); empty: the profile's own.
            pictures: Where it gets pictures from; None: the home, for reader and assistant, and nowhere for the others.

        Raises:
            ModelRefusesKey, InstallationBroken, CacheError: it cannot be made.
        """
        own = self._built_models.get((role, stage)) if pictures is None else None
        if own is None:
            source = self.picture if pictures is None and role in ("reader", "assistant") else pictures
            own = self.models.build(role, stage, source)
            if pictures is None:
                self._built_models[role, stage] = own
        return own

    def callers(self, role: Role, stage: str = "") -> int:
        """Return how many callers keep the model of ``role`` in ``stage`` busy."""
        return self.profile.models.of(role, stage).callers

    @functools.cached_property
    def _built_models(self) -> dict[tuple[Role, str], LanguageModel]:
        return {}

    @functools.cached_property
    def eyes(self) -> Eyes:
        """What looks at pictures; what it has seen is cached in the home."""
        from lifeloom.models.builtin.eyes import Eyes

        return Eyes(cache_path=self._cache("eyes"))

    @functools.cached_property
    def image_encoder(self) -> ImageEncoder:
        """What turns pictures into vectors; they are cached in the home."""
        settings = self.profile.vision.encoder
        if settings.backend == "open_clip":
            from lifeloom.models.open_clip import OpenClipEncoder

            return OpenClipEncoder(
                settings.model,
                settings.pretrained,
                device=settings.device,
                cache_path=self._cache("open_clip"),
            )
        from lifeloom.models.efficientnet import EfficientNetEncoder

        return EfficientNetEncoder(cache_path=self._cache("efficientnet"))

    @functools.cached_property
    def crop_encoder(self) -> ImageEncoder:
        """What turns people, animals and things cut out of pictures into vectors by which they are recognised."""
        if self.profile.vision.encoder.backend != "builtin":
            return self.image_encoder
        from lifeloom.models.builtin.eyes.crops import CropEncoder

        return CropEncoder(cache_path=self._cache("crops"))

    @functools.cached_property
    def detector(self) -> Detector:
        """What finds people, animals and objects in pictures; what it found is cached in the home."""
        settings = self.profile.vision.detector
        if settings.backend == "grounding_dino":
            return self._grounding_dino(settings.box_threshold, settings.text_threshold)
        from lifeloom.models.builtin.eyes.detector import DrawnPictureDetector

        return DrawnPictureDetector()

    def _grounding_dino(self, box_threshold: float, text_threshold: float) -> GroundingDinoDetector:
        from lifeloom.models.grounding_dino import GroundingDinoDetector

        settings = self.profile.vision.detector
        return GroundingDinoDetector(
            settings.model,
            box_threshold=box_threshold,
            text_threshold=text_threshold,
            device=settings.device,
            cache_path=self._cache("grounding_dino"),
        )

    @functools.cached_property
    def image_maker(self) -> ImageMaker:
        """Who draws."""
        if self.profile.pictures.backend == "gemini":
            return self.models.image_maker(self.profile.pictures, self.picture)
        from lifeloom.models.builtin.painter import BuiltinPainter

        return BuiltinPainter()

    @contextlib.contextmanager
    def drawing(self) -> Iterator[DrawMany]:
        """Give what draws many pictures at once: in processes that end with the context, or by calls to a server."""
        settings = self.profile.pictures
        if settings.backend == "gemini":
            yield functools.partial(_drawn_by_calls, self.image_maker, 2 * settings.concurrency)
            return
        with self.painting() as draw_many:
            yield draw_many

    @contextlib.contextmanager
    def painting(self) -> Iterator[DrawMany]:
        """Give the built-in image maker, whoever else draws, in processes that end with the context."""
        from lifeloom.models.builtin.painter.pool import DrawingPool

        settings = self.profile.pictures
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        with DrawingPool(settings.processes or cores) as pool:
            yield pool.draw_many

    def picture(self, reference: PictureReference) -> bytes:
        """Return the file of a picture that a turn refers to: a ``PictureSource``.

        Raises:
            MediaMissing, MediaCorrupt: it is gone, or was changed.
        """
        return self.store.media.get(reference.content_hash)


def _drawn_by_calls(
    maker: ImageMaker, workers: int, plans: Iterable[PicturePlan]
) -> Iterator[DrawnPicture | PictureNotDrawn]:
    """Yield what became of each plan, in order, several asked for at once."""

    def draw(plan: PicturePlan) -> DrawnPicture | PictureNotDrawn:
        try:
            return maker.draw(plan)
        except PictureNotDrawn as error:
            return error

    return ordered_map(draw, plans, workers=workers)
