"""Backend ``openai``: any server of the chat-completions protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lifeloom.models.calls.answering import AnsweringModel, CallSettings
from lifeloom.models.calls.keys import Key, required_key
from lifeloom.models.openai.wire import OpenAiWire
from lifeloom.models.protocol import PictureSource

__all__ = ["OpenAiModel"]


class OpenAiModel(AnsweringModel):
    """A model behind a server of the OpenAI protocol: the provider's own, vLLM, SGLang, Ollama, llama.cpp...

    See ``docs/backends.md``.

    Args:
        model: Name as the server knows it.
        base_url: The server, up to and including ``/v1``; empty: ``PROVIDER_URL``. No environment variable is read
            for it: a profile says where its calls go.
        key: The key; None or empty only makes sense for servers that want none.
        window_tokens: Context window to declare, in tokens of ``lifeloom.models.tokens``.
        takes_pictures: Whether the model sees; False for one that reads text only.
        pictures: Gives the files of pictures; without it none can be sent, and the model takes none.
        scores_options: Whether choices are made by the log-probabilities of the options' letters.
        connect_seconds: Longest time to reach the server.
        calls: Cache, limits, retries, meter, clocks.

    Raises:
        ValueError: ``base_url`` is no HTTP address, or has credentials in it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        key: Key | None = None,
        window_tokens: int = 32768,
        takes_pictures: bool = True,
        pictures: PictureSource | None = None,
        scores_options: bool = False,
        connect_seconds: float = 10.0,
        calls: CallSettings | None = None,
    ) -> None:
        calls = calls or CallSettings()
        wire = OpenAiWire(
            model,
            base_url=base_url,
            key=key or Key("", "OPENAI_API_KEY"),
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
        api_key_variable: str = "OPENAI_API_KEY",
        environment: Mapping[str, str] | None = None,
        **options: Any,
    ) -> OpenAiModel:
        """Return a model whose key stands in an environment variable, or in the file that VARIABLE_FILE names.

        With a ``base_url`` there may be none: servers on one's own machines mostly want no key.

        Args:
            model: Name as the server knows it.
            base_url: The server; empty: ``PROVIDER_URL``.
            api_key_variable: Name of the variable.
            environment: Where to look it up; None: the process's environment.
            **options: Further arguments of the constructor.

        Raises:
            ModelRefusesKey: there is no key and the server is the provider's own.
        """
        key = required_key(model, base_url, api_key_variable, environment)
        return cls(model, base_url=base_url, key=key, **options)
