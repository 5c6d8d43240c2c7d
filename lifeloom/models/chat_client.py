"""One server of the chat-completions protocol: sends requests, sorts what goes wrong, keeps the key to itself.

Exceptions of the ``openai`` package hold the request with its key, and servers repeat keys in their
messages. So no such exception leaves this module, not even as the cause of ours, and the key is blotted
out of every text that a server sends.
"""

from __future__ import annotations

import ipaddress
import random
import urllib.parse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from lifeloom.models.chat import Reply, encodable, parse_reply
from lifeloom.models.protocol import ModelRefusesKey, ModelUnavailable
from lifeloom.models.retries import RetryPolicy, Timing, TransientFailure, call_with_retries, retry_after_seconds

if TYPE_CHECKING:
    import openai

__all__ = ["PROVIDER_URL", "BadRequest", "ChatClient"]

PROVIDER_URL = "https://api.openai.com/v1"
"""Server when no base URL is given."""

_NO_KEY = "no-key"  # the client insists on some key; servers on one's own machines do not read it
_SHORTEST_KEY_TO_HIDE = 8  # shorter ones are words like EMPTY, which may well stand in an honest answer
_LARGEST_BODY = 64 * 2**20
_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_REFUSES_KEY = {401, 402, 403}
_BAD_REQUEST = {400, 413, 422}
_NO_PICTURES = "image input is not supported"  # llama.cpp says so with a 500
_TRANSIENT = {408, 409, 425, 429}  # and every 5xx


class BadRequest(Exception):
    """The server finds the request itself wrong; sending it again would not help.

    Attributes:
        message: The server's words.
        code: The error's code, for example ``context_length_exceeded``; may be empty.
        parameter: The parameter it names; may be empty.
    """

    def __init__(self, message: str, code: str, parameter: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.parameter = parameter


class ChatClient:
    """A server and the key for it. Safe to use from threads.

    Args:
        base_url: The server, up to and including ``/v1``.
        api_key: The key; empty for a server that wants none.
        api_key_variable: Environment variable that holds the key, named in messages.
        call_seconds: Longest time one attempt may take, however slowly the server drips.
        connect_seconds: Longest time to reach the server.
        timing: Clocks and sleep.
        rng: Jitter of the waits.
        on_event: Told the kind of every failed attempt, for counting.

    Raises:
        ValueError: ``base_url`` is no HTTP address, or has credentials in it.
        ModelRefusesKey: the key has characters that no key has.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        api_key_variable: str,
        call_seconds: float,
        connect_seconds: float,
        timing: Timing,
        rng: random.Random,
        on_event: Callable[[str], None],
    ) -> None:
        import httpx2
        import openai

        loopback = _is_loopback(_checked_host(base_url))
        self.base_url = base_url
        self._key = _checked_key(api_key, api_key_variable)
        self._variable = api_key_variable
        self._call_seconds = call_seconds
        self._connect_seconds = connect_seconds
        self._timing = timing
        self._rng = rng
        self._on_event = on_event
        self._httpx = httpx2
        self._openai = openai
        self._client = openai.OpenAI(
            base_url=base_url,
            api_key=self._key or _NO_KEY,
            max_retries=0,  # lifeloom.models.retries is the one place
            # A proxy from the environment cannot reach this machine's own servers.
            http_client=openai.DefaultHttpxClient(trust_env=not loopback),
        )

    def __repr__(self) -> str:
        return f"ChatClient({self.base_url!r})"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def complete(self, request: Mapping[str, Any], policy: RetryPolicy) -> Reply:
        """Send one chat completion and return its answer, with retries.

        Raises:
            BadRequest: 400, 413, 422.
            ModelRefusesKey: authentication or quota; not retried.
            ModelUnavailable: no answer within the retries, or an address or a model that the server does not know.
        """
        return call_with_retries(
            lambda seconds_left: self._send(request, seconds_left),
            policy=policy,
            timing=self._timing,
            rng=self._rng,
            what=f"{request['model']} at {self.base_url}",
            advice="What is finished is kept: check that the server runs and that base_url is right, then run again.",
            on_failure=lambda failure: self._on_event(failure.kind),
        )

    def _send(self, request: Mapping[str, Any], seconds_left: float) -> Reply:
        limit = min(self._call_seconds, max(seconds_left, 1.0))
        deadline = self._timing.monotonic() + limit
        timeout = self._httpx.Timeout(limit, connect=min(limit, self._connect_seconds))
        # Problems are raised after the except blocks: what they hold must not become the context of ours.
        problem: Exception
        try:
            with self._client.chat.completions.with_streaming_response.create(**request, timeout=timeout) as response:
                body = self._read(response.iter_bytes(), deadline)
            return parse_reply(body)
        except self._openai.APIStatusError as error:
            problem = self._problem_of(error, str(request["model"]))
        except (self._openai.APITimeoutError, self._httpx.TimeoutException):
            problem = TransientFailure("timeout", f"no answer within {limit:.0f} s")
        except (self._openai.APIConnectionError, self._httpx.HTTPError) as error:
            problem = TransientFailure("connection", self._clean(error.__cause__ or error))
        raise problem

    def _read(self, chunks: Any, deadline: float) -> bytes:
        # Read by chunk because HTTP timeouts bound only the wait for the next byte, not a slow drip.
        body = bytearray()
        for chunk in chunks:
            body += chunk
            if self._timing.monotonic() > deadline:
                raise TransientFailure("timeout", "the answer dripped in too slowly")
            if len(body) > _LARGEST_BODY:
                raise TransientFailure("bad_body", f"the answer is larger than {_LARGEST_BODY >> 20} MiB")
        return self._blot(bytes(body))

    def _problem_of(self, error: openai.APIStatusError, model: str) -> Exception:
        status, code = error.status_code, str(error.code or "")
        said = self._clean(error.message)
        if status in _REFUSES_KEY or code in _QUOTA or (error.type or "") in _QUOTA:
            what = "the quota or credit is used up" if status not in {401, 403} else "the key is missing or refused"
            return ModelRefusesKey(
                f"{self.base_url}: {what} ({status}: {said}). The key is read from the environment variable "
                f"{self._variable}{'' if self._key else ', which is not set'}; set it to a key that may use {model}"
            )
        if status in _BAD_REQUEST or _NO_PICTURES in said:
            return BadRequest(said, code, str(error.param or ""))
        if status in _TRANSIENT or status >= 500:
            asked = retry_after_seconds(error.response.headers, self._timing.now())
            return TransientFailure(f"http_{status}", said, asked)
        return ModelUnavailable(
            f"{self.base_url} answered {status}: {said}. Check base_url (it ends in /v1 with most servers) and that "
            f"the server knows the model {model}"
        )

    def _clean(self, text: object) -> str:
        """Return something that a server or a library said: short, one line, without the key."""
        line = " ".join(encodable(self._blot(str(text).encode("utf-8", "replace")).decode()).split())
        return line if len(line) <= 300 else line[:299] + "…"

    def _blot(self, data: bytes) -> bytes:
        if len(self._key) < _SHORTEST_KEY_TO_HIDE:
            return data
        return data.replace(self._key.encode(), b"[key]")


def _checked_host(base_url: str) -> str:
    parts = urllib.parse.urlsplit(base_url)
    if "@" in base_url or parts.query or parts.fragment:  # first: these must not be shown
        raise ValueError("base_url must hold no user name, password, query or fragment; keys go into the environment")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"base_url must look like http://host:port/v1, not {base_url!r}")
    _ = parts.port  # a ValueError when it is no port
    return parts.hostname


def _checked_key(key: str, variable: str) -> str:
    key = key.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        # Left in, it would come back in the HTTP library's message about a bad header.
        raise ModelRefusesKey(f"the key in {variable} has spaces, line breaks or other characters that no key has")
    return key


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
