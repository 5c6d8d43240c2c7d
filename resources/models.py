"""The models of a profile in a home: weights, connections, limits, cache and books are shared by all who use them."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from lifeloom.models.calls.answering import AnsweringModel, CallSettings
from lifeloom.models.calls.cache import ResponseCache
from lifeloom.models.calls.keys import required_key
from lifeloom.models.calls.ledger import Ledger, Price
from lifeloom.models.calls.limits import Gate
from lifeloom.models.calls.metered import MeteredModel
from lifeloom.models.calls.retries import RetryPolicy
from lifeloom.models.calls.wire import Wire
from lifeloom.models.protocol import LanguageModel, ModelIdentity, PictureSource, TextEncoder
from lifeloom.store import Home
from resources.model_settings import ModelSettings, ModelsSettings, Role
from resources.profile import PictureSettings

if TYPE_CHECKING:
    from lifeloom.models.builtin.eyes import Eyes
    from lifeloom.models.gemini import GeminiImageMaker

__all__ = ["Models"]


class Models:
    """Builds models on first use and keeps them. Safe to use from threads.

    Args:
        settings: The profile's models.
        home: Holds the cache of answers.
        ledger: Books what calls cost.
        encoder: Gives the text encoder of built-in models.
        eyes: Gives the eyes of built-in readers.
        keeps_answers: Whether answers go to the home's cache, and come from there.
    """

    def __init__(
        self,
        settings: ModelsSettings,
        home: Home,
        ledger: Ledger,
        encoder: Callable[[], TextEncoder],
        eyes: Callable[[], Eyes],
        *,
        keeps_answers: bool = True,
    ) -> None:
        self.settings = settings
        self._home = home
        self._ledger = ledger
        self._encoder = encoder
        self._eyes = eyes
        self._keeps_answers = keeps_answers
        self._lock = threading.RLock()
        self._wires: dict[tuple[str | int | bool, ...], Wire] = {}
        self._gates: dict[tuple[str, ...], Gate] = {}

    @functools.cached_property
    def cache(self) -> ResponseCache:
        """The home's cache of answers.

        Raises:
            CacheError: it cannot be used.
        """
        return ResponseCache(self._home.cache / "responses.sqlite")

    def build(self, role: Role, stage: str = "", pictures: PictureSource | None = None) -> LanguageModel:
        """Return the model of ``role`` in ``stage``.

        Args:
            role: What it is asked to do.
            stage: Name of a stage; empty: the profile's own.
            pictures: Gives the files of pictures; None: it sees none, and its identity does not depend on who looks.

        Raises:
            ModelRefusesKey: a key is missing or cannot be one.
            InstallationBroken: a package that the backend needs is missing.
            CacheError: the cache of answers cannot be used.
        """
        settings = self.settings.of(role, stage)
        pictures = pictures if settings.pictures else None
        if settings.backend == "builtin":
            from lifeloom.models.builtin.backend import BuiltinModel

            eyes = None if pictures is None else self._eyes()
            model = BuiltinModel(self._encoder(), settings.window_tokens, eyes, pictures)
            return MeteredModel(model, self._ledger.meter(role, model.identity, Price()))
        with self._lock:
            same = _same_wire(settings)
            wire = self._wires.get(same)
            if wire is None:
                wire = self._wires[same] = _wire(settings)
            gate = self._gate(settings)
        return AnsweringModel(
            wire,
            window_tokens=settings.window_tokens,
            pictures=pictures,
            scores_options=settings.by_likelihood,
            calls=CallSettings(
                cache=self.cache if self._keeps_answers else None,
                gate=gate,
                meter=self._ledger.meter(
                    role, wire.identity, _price(settings), budgeted=settings.backend != "huggingface"
                ),
                retries=RetryPolicy(max_attempts=settings.attempts, max_total_seconds=settings.total_seconds),
                call_seconds=settings.call_seconds,
            ),
        )

    def image_maker(self, settings: PictureSettings, portraits: PictureSource) -> GeminiImageMaker:
        """Return the image model that ``settings`` name; what it has drawn is cached in the home.

        Args:
            settings: Of pictures, with a served backend.
            portraits: Gives the files of portraits.

        Raises:
            ModelRefusesKey: a key is missing or cannot be one.
            InstallationBroken: a package that the backend needs is missing.
        """
        from lifeloom.models.gemini import GeminiImageMaker

        identity = ModelIdentity(settings.backend, settings.model)
        return GeminiImageMaker(
            settings.model,
            base_url=settings.base_url,
            key=required_key(settings.model, settings.base_url, settings.api_key_variable),
            portraits=portraits,
            cache_path=self._home.cache / "drawn.sqlite",
            calls=CallSettings(
                gate=Gate(concurrency=settings.concurrency),
                meter=self._ledger.meter("image maker", identity, _price(settings)),
            ),
        )

    def _gate(self, settings: ModelSettings) -> Gate:
        """Return the gate of a server's model: who asks it shares its limits, the strictest that the profile names."""
        place = _place(settings)
        if place not in self._gates:
            sharing = [one for one in self.settings.all_settings() if _place(one) == place]
            self._gates[place] = Gate(
                concurrency=min(one.callers if one.backend == "huggingface" else one.concurrency for one in sharing),
                requests_per_minute=_strictest(one.requests_per_minute for one in sharing),
                tokens_per_minute=_strictest(one.tokens_per_minute for one in sharing),
            )
        return self._gates[place]


def _place(settings: ModelSettings) -> tuple[str, ...]:
    """Return what is limited together: a server's model under one key."""
    return settings.backend, settings.base_url, settings.key_variable, settings.model


def _strictest(limits: Iterable[int]) -> int:
    """Return the lowest limit; 0 is none."""
    return min((limit for limit in limits if limit), default=0)


def _wire(settings: ModelSettings) -> Wire:
    if settings.backend == "openai":
        from lifeloom.models.openai.wire import OpenAiWire

        return OpenAiWire(
            settings.model,
            base_url=settings.base_url,
            key=required_key(settings.model, settings.base_url, settings.key_variable),
            connections=settings.concurrency,
        )
    if settings.backend == "gemini":
        from lifeloom.models.gemini.wire import GeminiWire

        return GeminiWire(
            settings.model,
            base_url=settings.base_url,
            key=required_key(settings.model, settings.base_url, settings.key_variable),
            thinking=settings.thinking,
            connections=settings.concurrency,
        )
    from lifeloom.models.huggingface.wire import HuggingFaceWire

    return HuggingFaceWire(
        settings.model,
        adapter=settings.adapter,
        device=settings.device,
        dtype=settings.dtype,
        batch=settings.batch,
        thinking=settings.thinking,
    )


def _same_wire(settings: ModelSettings) -> tuple[str | int | bool, ...]:
    """Return what two models must have in common to share connections or weights; the rest is their callers'."""
    if settings.backend == "huggingface":
        return (
            *(settings.backend, settings.model, settings.adapter, settings.device, settings.dtype),
            *(settings.batch, settings.thinking),
        )
    return (
        *(settings.backend, settings.model, settings.base_url, settings.key_variable),
        *(settings.concurrency, settings.thinking),
    )


def _price(settings: ModelSettings | PictureSettings) -> Price:
    return Price(settings.price_prompt, settings.price_completion)
