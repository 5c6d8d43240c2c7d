"""One HTTP server that models answer from: JSON out, bytes in, one attempt, bounded in time, the key kept inside.

A provider's own client was measured beside it: it takes twice the processor time for a call whose body we build and
whose reply we read ourselves, holds the key in its exceptions, and does not bound a reply that drips.
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
import ssl
import threading
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lifeloom.models.calls.keys import Key, warn_of_clear_text
from lifeloom.models.calls.retries import Timing, TransientFailure, retry_after_seconds
from lifeloom.models.calls.spellings import Spellings
from lifeloom.models.calls.wire import encodable
from lifeloom.models.protocol import ModelUnavailable

if TYPE_CHECKING:
    import urllib3

    from lifeloom.models.calls.connections import Opener

__all__ = ["HttpReply", "HttpServer", "checked_address", "is_loopback"]

_LARGEST_BODY = 64 * 2**20
_CHUNK = 64 * 2**10
_END_SECONDS = 1.0  # how long the end of a stream is waited for that has said all: a connection read out is kept
_SHORTEST_PASSWORD = 4  # of a proxy; shorter ones stand in any message
_NO_TUNNEL = re.compile(r"Tunnel connection failed: (\d{3})\b")


@dataclass(frozen=True)
class HttpReply:
    """What a server sent, the key blotted out of it, and out of errors also the proxy's password."""

    status: int
    body: bytes
    retry_after: float | None
    """Seconds that the server asks to wait; None when it does not say."""


class HttpServer:
    """A server and the headers for it. Safe to use from threads; connections are kept and reused.

    A key for an ``http://`` server on another machine is sent all the same, with one warning in the log.

    Args:
        base_url: Where paths begin.
        key: Blotted out of everything that the server says.
        headers: Sent with every request; may hold the key.
        connections: Kept open at most.
        connect_seconds: Longest time to reach the server.
        timing: Clocks.

    Raises:
        ValueError: ``base_url`` is no HTTP address, or has credentials in it.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: Key,
        headers: Mapping[str, str],
        connections: int = 64,
        connect_seconds: float = 10.0,
        timing: Timing | None = None,
    ) -> None:
        self.base_url = checked_address(base_url)
        parts = urllib.parse.urlsplit(self.base_url)
        if key and parts.scheme == "http" and not is_loopback(self.base_url):
            warn_of_clear_text(key, parts.hostname or "")
        self._key = key
        self._headers = {"Content-Type": "application/json", **headers}
        self._connections = connections
        self._connect_seconds = connect_seconds
        self._timing = timing or Timing()
        self._lock = threading.Lock()
        self._open: Opener | None = None
        self._proxy_secrets: tuple[Spellings, ...] = ()

    def __repr__(self) -> str:
        return f"HttpServer({self.base_url!r})"

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        with self._lock:
            opener, self._open = self._open, None
        if opener is not None:
            opener.close()

    def post(
        self, path: str, body: Mapping[str, Any] | bytes, seconds: float, hear: Callable[[bytes], bool] | None = None
    ) -> HttpReply:
        """Send ``body`` as JSON, or as the JSON that it is already, and return the reply, whatever its status.

        Args:
            path: Below the base URL.
            body: What to send.
            seconds: Longest time.
            hear: Given the bytes of a 200 as they come in, the key not yet blotted out of them; returns whether
                nothing of worth can follow. What it raises passes through.

        Raises:
            TransientFailure: ``timeout``, ``connection``, or ``bad_body`` for a reply that is too large or garbled.
            ModelUnavailable: the server's certificate is not valid, or the environment names a proxy that is none or
                that wants another user.
        """
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        return self._request("POST", path, data, seconds, hear)

    def get(self, path: str, seconds: float) -> HttpReply:
        """Return the reply to a GET, whatever its status.

        Raises:
            TransientFailure: as ``post``.
        """
        return self._request("GET", path, None, seconds)

    def clean(self, text: object) -> str:
        """Return something that a server or a library said: short, one line, without key and proxy's password."""
        said = self._key.blotted(str(text))
        for secret in self._proxy_secrets:
            said = secret.blotted(said)
        shown = "".join(one if one.isprintable() else " " for one in said)  # no escape codes
        line = " ".join(encodable(shown).split())
        return line if len(line) <= 300 else line[:299] + "…"

    def _request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        seconds: float,
        hear: Callable[[bytes], bool] | None = None,
    ) -> HttpReply:
        import urllib3

        from lifeloom.models.calls.connections import StaleConnection

        deadline = self._timing.monotonic() + seconds
        # Problems are raised after the except block: what they hold must not become the context of ours.
        problem: Exception
        for again in (False, True):
            try:
                opener = self._opener()
                response = opener.open(method, path, body, self._headers, deadline)
                try:
                    data = _read(response, opener, hear if response.status == 200 else None)
                except BaseException:
                    response.close()  # half read: the connection is of no more use
                    raise
                response.release_conn()
                if response.status == 407 and opener.has_proxy:
                    problem = self._no_way_through_proxy()
                    break
                return HttpReply(
                    status=response.status,
                    body=self._blotted(data, is_error=response.status != 200),
                    retry_after=retry_after_seconds(response.headers, self._timing.now()),
                )
            except (urllib3.exceptions.HTTPError, OSError) as error:
                if isinstance(_reason(error), StaleConnection) and not again:
                    continue
                problem = self._problem(error, seconds)
            break
        raise problem

    def _problem(self, error: Exception, seconds: float) -> Exception:
        """Return what an error of the HTTP library means."""
        import urllib3

        why = _reason(error)
        if isinstance(error, urllib3.exceptions.LocationValueError):  # its words may hold the proxy's password
            return self._no_such_place()
        if tunnel := _NO_TUNNEL.search(str(why)):  # what follows are the proxy's own words
            code = tunnel[1]
            if code == "407":
                return self._no_way_through_proxy()
            return TransientFailure("connection", f"the proxy that the environment names answered {code}")
        if isinstance(why, ssl.SSLCertVerificationError):
            return ModelUnavailable(
                f"{self.base_url} is not who it says it is: {self.clean(why)}. Check base_url; for a server with a "
                "certificate of your own authority, name that authority's file in SSL_CERT_FILE"
            )
        if isinstance(error, urllib3.exceptions.DecodeError):
            return TransientFailure("bad_body", self.clean(error))
        refused = isinstance(error, urllib3.exceptions.NewConnectionError)  # a TimeoutError by class
        if not refused and isinstance(error, (urllib3.exceptions.TimeoutError, TimeoutError)):
            return TransientFailure("timeout", f"no answer within {seconds:.0f} s")
        if isinstance(why, TimeoutError):
            return TransientFailure("timeout", f"the request was not taken within {seconds:.0f} s")
        return TransientFailure("connection", self.clean(why))

    def _no_such_place(self) -> ModelUnavailable:
        """Return what is wrong with an address that the HTTP library cannot read: the server's or the proxy's."""
        import urllib3

        readable = True
        try:
            urllib3.util.parse_url(self.base_url)
        except urllib3.exceptions.LocationValueError:
            readable = False
        if readable and _proxy_for(self.base_url):
            return ModelUnavailable(
                f"{self.base_url} cannot be asked through the proxy that the environment names: it must be "
                "http://host:port or https://host:port (http_proxy, https_proxy, all_proxy)"
            )
        return ModelUnavailable(f"{self.base_url} is no address of a server. Check base_url")

    def _no_way_through_proxy(self) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self.base_url} cannot be asked: the proxy that the environment names wants a user and password that it "
            "knows (407). Set http_proxy, https_proxy or all_proxy to http://user:password@host:port"
        )

    def _blotted(self, data: bytes, *, is_error: bool) -> bytes:
        data = self._key.blotted_bytes(data)
        for secret in self._proxy_secrets if is_error else ():  # a password may be a word of an honest answer
            data = secret.blotted_bytes(data)
        return data

    def _opener(self) -> Opener:
        from lifeloom.models.calls.connections import Opener

        with self._lock:
            if self._open is None:
                self._open = Opener(
                    self.base_url,
                    proxy=_proxy_for(self.base_url),
                    connections=self._connections,
                    connect_seconds=self._connect_seconds,
                    monotonic=self._timing.monotonic,
                )
                user = self._open.proxy_user
                secrets = (user, user.partition(":")[2])
                self._proxy_secrets = tuple(Spellings(one) for one in secrets if len(one) >= _SHORTEST_PASSWORD)
            return self._open


def _read(response: urllib3.BaseHTTPResponse, opener: Opener, hear: Callable[[bytes], bool] | None) -> bytes:
    import urllib3

    body, is_complete = bytearray(), False
    while True:
        try:
            chunk = response.read1(_CHUNK)
        except (urllib3.exceptions.HTTPError, OSError):
            if not is_complete:
                raise
            response.close()  # all is there but the end of the connection's talk
            break
        if not chunk:
            break
        body += chunk
        if len(body) > _LARGEST_BODY:
            raise TransientFailure("bad_body", f"the answer is larger than {_LARGEST_BODY >> 20} MiB")
        if hear is not None and not is_complete and hear(chunk):
            is_complete = True
            opener.shorten(_END_SECONDS)
    return bytes(body)


def _reason(error: BaseException) -> BaseException:
    """Return what the HTTP library wrapped in its own errors."""
    while error.args and isinstance(error.args[-1], BaseException):
        error = error.args[-1]
    return error.__cause__ if isinstance(error.__cause__, OSError) and not isinstance(error, OSError) else error


def checked_address(base_url: str) -> str:
    """Return ``base_url`` without a slash at its end.

    Raises:
        ValueError: it is no HTTP address, has a host that no name server could know, or a user, password, query or
            fragment in it.
    """
    parts = urllib.parse.urlsplit(base_url)
    if "@" in base_url or parts.query or parts.fragment:  # first: these must not be shown
        raise ValueError("base_url must hold no user name, password, query or fragment; keys go into the environment")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"base_url must look like http://host:port/v1, not {base_url!r}")
    try:
        parts.hostname.encode("idna")  # as when it is looked up
    except UnicodeError:
        raise ValueError(
            f"the host of base_url must be a name whose parts have 1 to 63 letters, not {parts.hostname!r}"
        ) from None
    _ = parts.port  # a ValueError when it is no port
    return base_url.rstrip("/")


def is_loopback(base_url: str) -> bool:
    """Return whether an address is on this machine, in any way that the system's resolver reads one.

    Also ``0.0.0.0`` and ``[::]``, which lead here, IPv4 in IPv6, and IPv4 in fewer or other numbers (``127.1``,
    ``0x7f.1``, ``2130706433``).
    """
    host = (urllib.parse.urlsplit(base_url).hostname or "").removesuffix(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        try:
            address = ipaddress.IPv4Address(socket.inet_aton(host))
        except (OSError, ValueError):
            return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address.is_loopback or address.is_unspecified


def _proxy_for(base_url: str) -> str:
    """Return the proxy that the environment names for an address; a proxy cannot reach this machine's own servers."""
    parts = urllib.parse.urlsplit(base_url)
    if is_loopback(base_url) or urllib.request.proxy_bypass(parts.hostname or ""):
        return ""
    proxies = urllib.request.getproxies()
    return proxies.get(parts.scheme) or proxies.get("all", "")
