"""What the SDK sends goes through ``HttpServer``: its limits in time and size, and the key that the SDK never holds."""

from __future__ import annotations

import urllib.parse

import httpx

from lifeloom.models.calls.http import HttpReply, HttpServer

__all__ = ["Unsuccessful", "transport_client"]


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


class _Transport(httpx.BaseTransport):
    def __init__(self, server: HttpServer) -> None:
        self._server = server
        self._prefix = urllib.parse.urlsplit(server.base_url).path

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        seconds = request.extensions["timeout"]["read"]
        path = request.url.raw_path.decode("ascii").removeprefix(self._prefix)
        reply = self._server.post(path, request.read(), seconds)
        if reply.status != 200:
            raise Unsuccessful(reply)
        return httpx.Response(200, content=reply.body, headers={"Content-Type": "application/json"}, request=request)
