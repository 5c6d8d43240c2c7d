"""Connections whose every wait ends at the deadline of the request: sending, a header byte now and then, a drip.

A timeout of the HTTP library starts anew with every byte, so a server that drips could hold a call for ever. Here the
socket is given, before each wait, what is left of the time. Imported where requests are made: urllib3 is heavy.
"""

from __future__ import annotations

import http.client
import io
import logging
import socket
import threading
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any, cast

import urllib3
import urllib3.connection

from lifeloom.models.calls.stopping import stops_here

__all__ = ["Opener", "StaleConnection"]

_PIECE = 16 * 2**10  # one TLS record: the TLS layer would start the timeout anew for each
_STALE_SECONDS = 1.0
_LOOK_SECONDS = 1.0  # how often a wait for an answer looks whether the user has interrupted
_GRACE_SECONDS = 10.0  # what an answer that is under way has then: it is paid for


def _says_no_header(record: logging.LogRecord) -> bool:
    return "Failed to parse headers" not in record.msg


# That record quotes what the server sent, before a key can be blotted out of it.
logging.getLogger("urllib3.connection").addFilter(_says_no_header)


class StaleConnection(ConnectionError):
    """The server had closed a kept connection: it died at once, before a byte of the reply. Nothing was answered."""


class _TimeLeft(threading.local):
    """Until when the request that this thread makes may take.

    Args:
        monotonic: The clock, in seconds.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self.monotonic = monotonic
        self.ends = 0.0
        self._hurried = False

    def start(self, ends: float) -> None:
        """A request begins that may take until then."""
        self.ends = ends
        self._hurried = False

    def shorten(self, seconds: float) -> None:
        """Let the request take no longer than ``seconds`` from now."""
        self.ends = min(self.ends, self.monotonic() + seconds)

    def seconds(self) -> float:
        """Return how much is left. Where the user has interrupted, it is little: an answer may still come in.

        Raises:
            TimeoutError: the time is up.
        """
        if not self._hurried and any(stop.is_interrupt for stop in stops_here()):
            self.shorten(_GRACE_SECONDS)
            self._hurried = True
        left = self.ends - self.monotonic()
        if left <= 0:
            raise TimeoutError("the time for the request is up")
        return left


class _BoundedReader(io.RawIOBase):
    """What comes in on a socket, each wait bounded."""

    def __init__(self, connection: _Bounded, sock: socket.socket) -> None:
        self._connection = connection
        self._sock = sock
        self._open = sock.makefile("rb", buffering=0)  # keeps the socket open while it is read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            self._sock.settimeout(min(self._connection.time_left.seconds(), _LOOK_SECONDS))
            try:
                count = self._sock.recv_into(buffer)
            except TimeoutError:
                continue  # look at the time again
            if count:
                self._connection.has_received = True
            return count

    def close(self) -> None:
        self._open.close()
        super().close()


class _BoundedSocket:
    """A socket as ``http.client.HTTPResponse`` sees it."""

    def __init__(self, connection: _Bounded, sock: socket.socket) -> None:
        self._reader = _BoundedReader(connection, sock)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._reader)


class _Bounded(urllib3.connection.HTTPConnection):
    """A connection that minds the time that is left, and knows when it was a stale one."""

    time_left: _TimeLeft
    has_received = False
    _replies = 0
    _asked_at = 0.0

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)

        def response(sock: socket.socket, *args: Any, **options: Any) -> http.client.HTTPResponse:
            return http.client.HTTPResponse(cast(socket.socket, _BoundedSocket(self, sock)), *args, **options)

        self.response_class = cast(Any, response)

    def connect(self) -> None:
        self._replies = 0
        super().connect()

    def request(self, *args: Any, **options: Any) -> None:
        self.has_received = False
        self._asked_at = self.time_left.monotonic()
        super().request(*args, **options)

    def send(self, data: Any) -> None:
        if not isinstance(data, bytes):
            raise TypeError("only bytes are sent")
        for start in range(0, len(data), _PIECE):
            if self.sock is not None:  # else it connects first, with a timeout of its own
                self.sock.settimeout(self.time_left.seconds())
            super().send(data[start : start + _PIECE])

    def getresponse(self) -> urllib3.HTTPResponse:  # type: ignore[override] # as in urllib3
        try:
            reply = super().getresponse()
        except ConnectionError as error:  # also RemoteDisconnected
            soon = self.time_left.monotonic() - self._asked_at <= _STALE_SECONDS
            if self._replies and not self.has_received and soon:
                raise StaleConnection(str(error)) from error
            raise
        self._replies += 1
        return reply


def _manager(proxy: str, user: str, options: dict[str, Any]) -> urllib3.PoolManager:
    if not proxy:
        return urllib3.PoolManager(**options)
    headers = urllib3.make_headers(proxy_basic_auth=user) if user else None
    return urllib3.ProxyManager(proxy, proxy_headers=headers, **options)


class Opener:
    """Sends requests to one server over connections that are kept. Safe to use from threads.

    Args:
        base_url: The server.
        proxy: Address of the proxy; empty: none.
        connections: Kept open at most.
        connect_seconds: Longest time to reach the server.
        monotonic: The clock, in seconds.

    Raises:
        LocationValueError: the proxy's address is none, or of a kind that is not known.
    """

    def __init__(
        self,
        base_url: str,
        *,
        proxy: str,
        connections: int,
        connect_seconds: float,
        monotonic: Callable[[], float],
    ) -> None:
        class Plain(_Bounded):
            pass

        class Secure(_Bounded, urllib3.connection.HTTPSConnection):
            pass

        class PlainPool(urllib3.HTTPConnectionPool):
            ConnectionCls = Plain

        class SecurePool(urllib3.HTTPSConnectionPool):
            ConnectionCls = Secure

        self._connect_seconds = connect_seconds
        self._time_left = Plain.time_left = Secure.time_left = _TimeLeft(monotonic)
        options: dict[str, Any] = {"num_pools": 2, "maxsize": connections, "block": False, "retries": False}
        self.has_proxy = bool(proxy)
        self.proxy_user = urllib.parse.unquote(urllib3.util.parse_url(proxy).auth or "") if proxy else ""
        """What the proxy is told, ``name:password``; empty: nothing."""
        self._manager = _manager(proxy, self.proxy_user, options)
        self._manager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}
        # Without a proxy the server's own pool is asked: finding it anew costs as much as the request.
        self._pool = None if proxy else self._manager.connection_from_url(base_url)
        parts = urllib3.util.parse_url(base_url)
        self._before = base_url if proxy else (parts.path or "")

    def open(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], deadline: float
    ) -> urllib3.BaseHTTPResponse:
        """Send one request, once, and return the reply as soon as its headers are there.

        The deadline, on the clock that was given, also bounds what this thread then reads of the reply.
        """
        self._time_left.start(deadline)
        seconds = self._time_left.seconds()
        ask = self._manager.urlopen if self._pool is None else self._pool.urlopen
        return ask(
            method,
            self._before + path,
            body=body,
            headers=headers,
            timeout=urllib3.Timeout(connect=min(seconds, self._connect_seconds), read=seconds),
            retries=False,  # lifeloom.models.calls.retries is the one place
            redirect=False,
            preload_content=False,
        )

    def shorten(self, seconds: float) -> None:
        """Let this thread read no longer than ``seconds`` from now on."""
        self._time_left.shorten(seconds)

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._manager.clear()
