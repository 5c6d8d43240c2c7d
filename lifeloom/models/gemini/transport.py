"""What the SDK sends goes through ``HttpServer``: its limits in time and size, and the key that the SDK never holds."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import httpx

from lifeloom.models.calls.http import HttpReply, HttpServer

__all__ = ["Unsuccessful", "heard_by", "no_async_client", "transport_client"]

_HEAR: ContextVar[Callable[[bytes], bool] | None] = ContextVar("hear", default=None)


class Unsuccessful(Exception):
    """The server replied with another status than 200. For the one who called the SDK, nobody else."""

    def __init__(self, reply: HttpReply) -> None:
        super().__init__(f"status {reply.status}")
        self.reply = reply


def transport_client(server: HttpServer) -> httpx.Client:
    """Return a client for the SDK that sends everything through ``server``, headers and all.

    Requests raise ``Unsuccessful`` and ``TransientFailure``; the seconds they may take are those of the request's
    timeout.
    """
    return httpx.Client(transport=_Transport(server), trust_env=False)


def no_async_client() -> httpx.AsyncClient:
    """Return a client that nothing is sent through; without one the SDK makes its own, in a tenth of a second."""
    return httpx.AsyncClient(transport=httpx.AsyncBaseTransport(), trust_env=False)


@contextmanager
def heard_by(hear: Callable[[bytes], bool]) -> Iterator[list[bytes]]:
    """Let ``hear`` take what comes in for the request that this thread makes in the block, while it comes in.

    The SDK, which reads whole events only and waits for them, is given nothing to read. The list that is handed out
    holds the body when the request is over.
    """
    bodies: list[bytes] = []

    def take(chunk: bytes) -> bool:
        bodies.append(chunk)
        return hear(chunk)

    token = _HEAR.set(take)
    try:
        yield bodies
    finally:
        _HEAR.reset(token)


class _Transport(httpx.BaseTransport):
    def __init__(self, server: HttpServer) -> None:
        self._server = server
        self._prefix = urllib.parse.urlsplit(server.base_url).path

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        seconds = request.extensions["timeout"]["read"]
        path = request.url.raw_path.decode("ascii").removeprefix(self._prefix)
        hear = _HEAR.get()
        reply = self._server.post(path, request.read(), seconds, hear)
        if reply.status != 200:
            raise Unsuccessful(reply)
        content = b"" if hear is not None else reply.body
        return httpx.Response(200, content=content, headers={"Content-Type": "application/json"}, request=request)
