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
from lifeloom.records import PicturePlan, PictureReference
from lifeloom.store import DatasetStore, Home
from lifeloom.streams import Streams
from lifeloom.synthesis.illustrating import DrawMany
from lifeloom.tracking import Tracker
from resources.model_settings import Role
from resources.profile import Profile

if TYPE_CHECKING:
    from lifeloom.models.builtin.eyes import Eyes
    from lifeloom.models.calls.ledger import Ledger
    from resources.models import Models

__all__ = ["Workbench"]


@dataclass(frozen=True)
class Workbench:
    """Store, models, encoder and tracker of one profile in one home. All are opened on first use."""

    profile: Profile
    home_path: Path
    watch: Callable[[str, int, int], None] = field(default=lambda stage, done, total: None, compare=False)
    """Told about long work: stage, items done, items in all."""

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

        return MiniLmEncoder(cache_path=self.home.cache / "minilm.sqlite")

    @functools.cached_property
    def tracker(self) -> Tracker:
        """MLflow in the home."""
        return Tracker(self.home.mlflow)

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

        return Models(self.profile.models, self.home, self.ledger, lambda: self.encoder, lambda: self.eyes)

    def model(self, role: Role, stage: str = "", pictures: PictureSource | None = None) -> LanguageModel:
        """Return the model of ``role`` in ``stage``; the reader gets the pictures of the home unless given others.

        Args:
            role: What it is asked to do.
            stage: Name of a stage (``corpus/dialogues``); empty: the profile's own.
            pictures: Where it gets pictures from; None: the home, for a reader, and nowhere for the others.

        Raises:
            ModelRefusesKey, InstallationBroken, CacheError: it cannot be made.
        """
        own = self._built_models.get((role, stage)) if pictures is None else None
        if own is None:
            source = self.picture if pictures is None and role == "reader" else pictures
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

        return Eyes(cache_path=self.home.cache / "eyes.sqlite")

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
                cache_path=self.home.cache / "open_clip.sqlite",
            )
        from lifeloom.models.efficientnet import EfficientNetEncoder

        return EfficientNetEncoder(cache_path=self.home.cache / "efficientnet.sqlite")

    @functools.cached_property
    def detector(self) -> Detector:
        """What finds people, animals and objects in pictures; what it found is cached in the home."""
        settings = self.profile.vision.detector
        if settings.backend == "grounding_dino":
            from lifeloom.models.grounding_dino import GroundingDinoDetector

            return GroundingDinoDetector(
                settings.model,
                box_threshold=settings.box_threshold,
                text_threshold=settings.text_threshold,
                device=settings.device,
                cache_path=self.home.cache / "grounding_dino.sqlite",
            )
        from lifeloom.models.builtin.eyes.detector import DrawnPictureDetector

        return DrawnPictureDetector()

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
        from lifeloom.models.builtin.painter.pool import DrawingPool

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
