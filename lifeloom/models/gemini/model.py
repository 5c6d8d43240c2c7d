"""Backend ``gemini``: Google's models, through their own SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lifeloom.models.calls.answering import AnsweringModel, CallSettings
from lifeloom.models.calls.keys import Key, required_key
from lifeloom.models.gemini.wire import GeminiWire
from lifeloom.models.protocol import PictureSource

__all__ = ["DEFAULT_KEY_VARIABLE", "GeminiModel"]

DEFAULT_KEY_VARIABLE = "GEMINI_API_KEY"


class GeminiModel(AnsweringModel):
    """A Gemini model, or another one that Google serves under the same protocol.

    Args:
        model: Name as the server knows it, for example ``gemini-2.5-flash``.
        base_url: The server, without the version of the API; empty: Google's own. No environment variable is read
            for it: a profile says where its calls go.
        key: The key; None or empty only makes sense for servers that want none.
        thinking: Whether the model may think before it answers; thoughts are paid for as the answer is. Without, it
            is asked not to, or as little as it can.
        window_tokens: Context window to declare, in tokens of ``lifeloom.models.tokens``.
        takes_pictures: Whether the model sees; False for one that reads text only.
        pictures: Gives the files of pictures; without it none can be sent, and the model takes none.
        scores_options: Whether choices are made by the log-probabilities of the options' letters.
        connect_seconds: Longest time to reach the server.
        calls: Cache, limits, retries, meter, clocks.

    Raises:
        ValueError: ``model`` is no name of a model, or ``base_url`` is no HTTP address, or has credentials in it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        key: Key | None = None,
        thinking: bool = False,
        window_tokens: int = 32768,
        takes_pictures: bool = True,
        pictures: PictureSource | None = None,
        scores_options: bool = False,
        connect_seconds: float = 10.0,
        calls: CallSettings | None = None,
    ) -> None:
        calls = calls or CallSettings()
        wire = GeminiWire(
            model,
            base_url=base_url,
            key=key or Key("", DEFAULT_KEY_VARIABLE),
            thinking=thinking,
            connections=calls.gate.concurrency,
            connect_seconds=connect_seconds,
            timing=calls.timing,
        )
        super().__init__(
            wire,
            window_tokens=window_tokens,
            pictures=pictures if takes_pictures else None,
            scores_options=scores_options,
            calls=calls,
        )

    @classmethod
    def from_environment(
        cls,
        model: str,
        *,
        base_url: str = "",
        api_key_variable: str = DEFAULT_KEY_VARIABLE,
        environment: Mapping[str, str] | None = None,
        **options: Any,
    ) -> GeminiModel:
        """Return a model whose key stands in an environment variable, or in the file that VARIABLE_FILE names.

        Args:
            model: Name as the server knows it.
            base_url: The server; empty: Google's own.
            api_key_variable: Name of the variable.
            environment: Where to look it up; None: the process's environment.
            **options: Further arguments of the constructor.

        Raises:
            ModelRefusesKey: there is no key and the server is Google's own.
        """
        return cls(
            model, base_url=base_url, key=required_key(model, base_url, api_key_variable, environment), **options
        )
