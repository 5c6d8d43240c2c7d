"""One Gemini model behind its SDK: one call, sorted. No retries here, and no key in the SDK."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lifeloom.models.calls.http import HttpServer
from lifeloom.models.calls.keys import Key
from lifeloom.models.calls.retries import Timing, TransientFailure
from lifeloom.models.gemini.problems import Trouble, read_trouble
from lifeloom.models.gemini.replies import GeminiResponse, read_response
from lifeloom.models.gemini.streams import GeminiStream
from lifeloom.models.protocol import InstallationBroken, ModelRefusesKey, ModelUnavailable, TextListener

if TYPE_CHECKING:
    from google import genai
    from google.genai import types

__all__ = ["PROVIDER_URL", "GeminiConnection"]

PROVIDER_URL = "https://generativelanguage.googleapis.com"
"""Server when no base URL is given."""

_API_VERSION = "v1beta"
_NO_KEY = "not-held-here"  # the SDK wants one; the real one is in the headers of HttpServer alone


class GeminiConnection:
    """A model on a server of the generateContent protocol. Safe to use from threads.

    Args:
        model: Name as the server knows it.
        base_url: The server, without the version of the API; empty: ``PROVIDER_URL``.
        key: The key; an empty one only makes sense for a server that wants none.
        connections: Kept open at most.
        connect_seconds: Longest time to reach the server.
        timing: Clocks.

    Raises:
        ValueError: ``model`` is no name of a model, or ``base_url`` is no HTTP address, or has credentials in it.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "",
        key: Key,
        connections: int = 64,
        connect_seconds: float = 10.0,
        timing: Timing | None = None,
    ) -> None:
        if not model or any(sign in model for sign in "?&#:%") or ".." in model:
            raise ValueError(f"{model!r} is not the name of a Gemini model: give one like gemini-2.5-flash")
        self.model = model
        self._key = key
        self._server = HttpServer(
            base_url or PROVIDER_URL,
            key=key,
            headers={"x-goog-api-key": key.reveal()} if key else {},
            connections=connections,
            connect_seconds=connect_seconds,
            timing=timing,
        )
        self._lock = threading.Lock()
        self._client: genai.Client | None = None

    @property
    def address(self) -> str:
        """The server."""
        return self._server.base_url

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def require_sdk(self) -> None:
        """Load the SDK, which takes about a second the first time.

        Raises:
            InstallationBroken: it is not installed.
        """
        self._sdk()

    def generate(
        self,
        contents: Sequence[types.Content],
        settings: dict[str, Any],
        seconds: float,
        *,
        pictures: bool,
        listener: TextListener | None = None,
    ) -> GeminiResponse:
        """Make one call.

        Args:
            contents: The conversation.
            settings: Arguments of ``types.GenerateContentConfig``.
            seconds: Longest time.
            pictures: Whether there are any in ``contents``.
            listener: Told the words while they come in.

        Raises:
            TransientFailure: it may pass.
            BadRequest: the server finds the request wrong.
            ModelRefusesKey: authentication, quota or billing.
            ModelUnavailable: there is no such model or address.
            InstallationBroken: the SDK is not installed.
        """
        client = self._sdk()
        from google.genai import types

        from lifeloom.models.gemini.transport import Unsuccessful

        config = types.GenerateContentConfig(
            **settings,
            should_return_http_response=listener is None,
            automatic_continuation=False,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            http_options=types.HttpOptions(timeout=max(1, round(seconds * 1000))),
        )
        # Problems are raised after the except block: what the SDK holds must not become the context of ours.
        problem: Exception
        try:
            if listener is not None:
                return self._streamed(client, list(contents), config, listener)
            response = client.models.generate_content(model=self.model, contents=list(contents), config=config)
        except Unsuccessful as error:
            problem = self._problem(read_trouble(error.reply), pictures=pictures)
        except TransientFailure as failure:
            problem = TransientFailure(failure.kind, failure.detail, failure.retry_after)
        except ModelUnavailable as error:
            problem = ModelUnavailable(str(error))
        else:
            http = response.sdk_http_response
            return read_response((http.body if http is not None else None) or "")
        raise problem

    def _streamed(
        self,
        client: genai.Client,
        contents: list[types.Content],
        config: types.GenerateContentConfig,
        listener: TextListener,
    ) -> GeminiResponse:
        from lifeloom.models.gemini.transport import heard_by

        stream = GeminiStream(self._key, listener)
        with heard_by(stream.feed) as body:
            for _ in client.models.generate_content_stream(model=self.model, contents=contents, config=config):
                pass  # what comes in is read by the stream
        if stream.is_stream:
            return stream.response()
        return read_response(b"".join(body).decode("utf-8", "replace"))

    def look_up(self, seconds: float) -> None:
        """Ask the server whether it has the model, which costs nothing.

        Raises:
            TransientFailure, BadRequest, ModelRefusesKey, ModelUnavailable: as ``generate``.
        """
        name = self.model if self.model.startswith(("models/", "tunedModels/")) else f"models/{self.model}"
        reply = self._server.get(f"/{_API_VERSION}/{name}", seconds)
        if reply.status != 200:
            raise self._problem(read_trouble(reply), pictures=False)

    def _sdk(self) -> genai.Client:
        with self._lock:
            if self._client is None:
                try:
                    from google import genai
                    from google.genai import types

                    from lifeloom.models.gemini.transport import no_async_client, transport_client
                except ImportError as error:
                    raise InstallationBroken(
                        f"the backend gemini needs the package google-genai ({error}): pip install google-genai"
                    ) from None
                # Everything that the SDK would read from the environment is said here.
                self._client = genai.Client(
                    vertexai=False,
                    api_key=_NO_KEY,
                    http_options=types.HttpOptions(
                        base_url=self._server.base_url,
                        api_version=_API_VERSION,
                        httpx_client=transport_client(self._server),
                        httpx_async_client=no_async_client(),
                    ),
                )
            return self._client

    def _problem(self, trouble: Trouble, *, pictures: bool) -> Exception:
        said = self._server.clean(trouble.message)
        if trouble.kind == "passing":
            return trouble.as_transient(said)
        if trouble.kind == "request":
            return trouble.as_bad_request(said, pictures=pictures)
        if trouble.kind == "missing":
            return ModelUnavailable(
                f"{self.address} answered {trouble.status}: {said}. Check that it knows the model {self.model} and "
                f"that base_url, if it is set, ends before /{_API_VERSION}"
            )
        what = "the key is missing or refused" if trouble.kind == "key" else "the quota or credit is used up"
        return ModelRefusesKey(
            f"{self.address}: {what} ({trouble.status}: {said}). The key is read from the environment variable "
            f"{self._key.variable}{'' if self._key else ', which is not set'}; set it to a key that may use "
            f"{self.model}"
        )
