"""The workbench: what assets and the command line work with, built from a profile and a home."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lifeloom.models.protocol import ImageMaker, LanguageModel, PictureSource, TextEncoder
from lifeloom.records import PictureReference
from lifeloom.store import DatasetStore, Home
from lifeloom.streams import Streams
from lifeloom.synthesis.illustrating import DrawMany
from lifeloom.tracking import Tracker
from resources.profile import ModelSettings, Profile

if TYPE_CHECKING:
    from lifeloom.models.builtin.eyes import Eyes

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
    def writer(self) -> LanguageModel:
        """The model that words plans."""
        return self._model(self.profile.models.writer)

    @functools.cached_property
    def reader(self) -> LanguageModel:
        """The model that answers the benchmark; it gets the pictures of the home."""
        return self.reader_seeing(self.picture)

    def reader_seeing(self, pictures: PictureSource) -> LanguageModel:
        """Return the model that answers the benchmark, with its pictures from ``pictures``, for perturbed ones."""
        return self._model(self.profile.models.reader, pictures)

    @functools.cached_property
    def critic(self) -> LanguageModel:
        """The model that checks what was written."""
        return self._model(self.profile.models.critic)

    @functools.cached_property
    def eyes(self) -> Eyes:
        """What looks at pictures; what it has seen is cached in the home."""
        from lifeloom.models.builtin.eyes import Eyes

        return Eyes(cache_path=self.home.cache / "eyes.sqlite")

    @functools.cached_property
    def image_maker(self) -> ImageMaker:
        """Who draws."""
        from lifeloom.models.builtin.painter import BuiltinPainter

        return BuiltinPainter()

    @contextlib.contextmanager
    def drawing(self) -> Iterator[DrawMany]:
        """Give what draws many pictures at once, in processes that end with the context."""
        from lifeloom.models.builtin.painter.pool import DrawingPool

        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        with DrawingPool(self.profile.pictures.processes or cores) as pool:
            yield pool.draw_many

    def picture(self, reference: PictureReference) -> bytes:
        """Return the file of a picture that a turn refers to: a ``PictureSource``.

        Raises:
            MediaMissing, MediaCorrupt: it is gone, or was changed.
        """
        return self.store.media.get(reference.content_hash)

    def workers(self, settings: ModelSettings) -> int:
        """Return how many calls to a model run at once."""
        return 1 if settings.backend == "builtin" else settings.concurrency

    def _model(self, settings: ModelSettings, pictures: PictureSource | None = None) -> LanguageModel:
        """Build a model; without ``pictures`` it sees none, and its identity does not depend on who looks."""
        if settings.backend == "builtin":
            from lifeloom.models.builtin.backend import BuiltinModel

            eyes = None if pictures is None or not settings.pictures else self.eyes
            return BuiltinModel(self.encoder, settings.window_tokens, eyes, pictures)
        from lifeloom.models.cache import ResponseCache
        from lifeloom.models.openai import OpenAiModel

        return OpenAiModel.from_environment(
            model=settings.model,
            base_url=settings.base_url,
            api_key_variable=settings.api_key_variable,
            window_tokens=settings.window_tokens,
            pictures=pictures if settings.pictures else None,
            cache=ResponseCache(self.home.cache / "responses.sqlite"),
        )
