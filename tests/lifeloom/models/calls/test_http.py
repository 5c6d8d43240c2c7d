"""One attempt over real sockets: bounded in time however a server behaves, no redirects, no doubtful certificates."""

from __future__ import annotations

import base64
import contextlib
import datetime as dt
import gzip
import ipaddress
import json
import socket
import ssl
import threading
import time
import traceback
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lifeloom.models.calls import http
from lifeloom.models.calls.http import HttpServer, checked_address, is_loopback
from lifeloom.models.calls.keys import Key
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.protocol import ModelUnavailable
from tests.servers import ChatServer, Reply

OK = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"a": true}'
CANARY = "canary-5d0e71c2"
Behaviour = Callable[[socket.socket, int], None]


class RawServer:
    """Accepts connections and lets ``behave`` do what it wants with each: socket and number of the connection."""

    def __init__(self, behave: Behaviour) -> None:
        self.connections = 0
        self.closing = threading.Event()
        self._behave = behave
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection, self.connections), daemon=True).start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        with connection, contextlib.suppress(OSError):  # the client went away
            self._behave(connection, number)

    def __enter__(self) -> RawServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


def request_on(connection: socket.socket) -> bytes:
    """Read one whole request."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            raise OSError("closed")
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length:")[1].split()[0]) if b"ontent-" in head else 0
    while len(rest) < length:
        rest += connection.recv(65536)
    return data


def client(port: int, **options: object) -> HttpServer:
    return HttpServer(f"http://127.0.0.1:{port}/v1", key=Key(CANARY, "KEY"), headers={}, **options)  # type: ignore[arg-type]


def drip(connection: socket.socket, data: bytes) -> None:
    for byte in data:
        connection.sendall(bytes([byte]))
        time.sleep(0.02)


# --- time


def hangs(connection: socket.socket, number: int) -> None:
    request_on(connection)
    time.sleep(20)


def drips_the_status_line(connection: socket.socket, number: int) -> None:
    request_on(connection)
    drip(connection, b"HTTP/1.1 200 " + b"O" * 1000)


def drips_a_header(connection: socket.socket, number: int) -> None:
    request_on(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    drip(connection, b"X: y\r\n" * 200)


def drips_the_body(connection: socket.socket, number: int) -> None:
    request_on(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    drip(connection, b" " * 1000)


def drips_chunks(connection: socket.socket, number: int) -> None:
    request_on(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    drip(connection, b"1\r\n \r\n" * 200)


def drips_a_chunks_length(connection: socket.socket, number: int) -> None:
    request_on(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    drip(connection, b"0" * 1000)


def drips_interim_replies(connection: socket.socket, number: int) -> None:
    request_on(connection)
    drip(connection, b"HTTP/1.1 100 Continue\r\n\r\n" * 50)


def hangs_in_the_body(connection: socket.socket, number: int) -> None:
    request_on(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
    time.sleep(20)


def reads_nothing(connection: socket.socket, number: int) -> None:
    time.sleep(20)


def reads_a_little_now_and_then(connection: socket.socket, number: int) -> None:
    while connection.recv(4096):
        time.sleep(0.05)


@pytest.mark.parametrize(
    "behave",
    [
        hangs,
        drips_the_status_line,
        drips_a_header,
        drips_the_body,
        drips_chunks,
        drips_a_chunks_length,
        drips_interim_replies,
        hangs_in_the_body,
        reads_nothing,
        reads_a_little_now_and_then,
    ],
)
def test_an_attempt_ends_in_time_whatever_the_server_does(behave: Behaviour) -> None:
    with RawServer(behave) as server:
        began = time.monotonic()
        with pytest.raises(TransientFailure) as caught:
            client(server.port).post("/x", {"much": "x" * 16_000_000}, 0.5)
        assert caught.value.kind == "timeout"
        assert time.monotonic() - began < 5  # unbounded, all of these take 10 s and more


def test_a_server_that_takes_its_time_within_the_limit_is_waited_for() -> None:
    def slow(connection: socket.socket, number: int) -> None:
        request_on(connection)
        time.sleep(0.2)
        drip(connection, OK)

    with RawServer(slow) as server:
        assert client(server.port).post("/x", {}, 30).body == b'{"a": true}'


# --- connections


def test_connections_are_kept_and_used_again() -> None:
    def keep(connection: socket.socket, number: int) -> None:
        while True:
            request_on(connection)
            connection.sendall(OK)

    with RawServer(keep) as server:
        asked = client(server.port)
        for _ in range(5):
            assert asked.post("/x", {}, 10).status == 200
        assert server.connections == 1
        asked.close()
        assert asked.post("/x", {}, 10).status == 200
        assert server.connections == 2


def test_a_kept_connection_that_the_server_closed_while_idle_is_no_failure() -> None:
    closed = threading.Event()

    def close_after_one(connection: socket.socket, number: int) -> None:
        request_on(connection)
        connection.sendall(OK)
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()
        closed.set()

    with RawServer(close_after_one) as server:
        asked = client(server.port)
        for _ in range(5):
            closed.clear()
            assert asked.post("/x", {}, 10).status == 200
            assert closed.wait(10)
        assert server.connections == 5


@pytest.mark.parametrize("hard", [False, True])
def test_a_kept_connection_that_dies_under_the_next_request_is_replaced_once(hard: bool) -> None:
    def die_at_the_second(connection: socket.socket, number: int) -> None:
        request_on(connection)
        connection.sendall(OK)
        request_on(connection)
        if hard:  # a reset in place of an orderly close
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    with RawServer(die_at_the_second) as server:
        asked = client(server.port)
        assert asked.post("/x", {}, 10).status == 200
        assert asked.post("/x", {}, 10).status == 200
        assert server.connections == 2


def test_a_new_connection_that_dies_is_a_failure_and_not_asked_twice() -> None:
    def die(connection: socket.socket, number: int) -> None:
        request_on(connection)

    with RawServer(die) as server:
        with pytest.raises(TransientFailure) as caught:
            client(server.port).post("/x", {}, 10)
        assert caught.value.kind == "connection"
        assert server.connections == 1


def test_a_kept_connection_that_dies_after_a_byte_of_the_reply_is_a_failure() -> None:
    def half(connection: socket.socket, number: int) -> None:
        request_on(connection)
        connection.sendall(OK)
        request_on(connection)
        connection.sendall(b"HTTP/1.1 2")

    with RawServer(half) as server:
        asked = client(server.port)
        asked.post("/x", {}, 10)
        with pytest.raises(TransientFailure) as caught:
            asked.post("/x", {}, 10)
        assert caught.value.kind == "connection"
        assert server.connections == 1


def test_an_unknown_host_is_a_connection_failure() -> None:
    asked = HttpServer("http://no-such-host.invalid/v1", key=Key("", "KEY"), headers={})
    with pytest.raises(TransientFailure) as caught:
        asked.get("/x", 5)
    assert caught.value.kind == "connection"


# --- bodies


def test_a_compressed_body_is_unpacked() -> None:
    data = gzip.compress(b'{"a": "' + b"x" * 100_000 + b'"}')
    with ChatServer(Reply(body=data, headers={"Content-Encoding": "gzip"})) as server:
        reply = HttpServer(server.base_url, key=Key("", "KEY"), headers={}).post("/x", {}, 10)
    assert len(json.loads(reply.body)["a"]) == 100_000


def test_a_body_that_is_not_what_it_says_is_bad() -> None:
    reply = Reply(body=b"no gzip at all", headers={"Content-Encoding": "gzip"})
    with ChatServer(reply) as server, pytest.raises(TransientFailure) as caught:
        HttpServer(server.base_url, key=Key("", "KEY"), headers={}).post("/x", {}, 10)
    assert caught.value.kind == "bad_body"


def test_a_body_that_unpacks_to_far_too_much_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "_LARGEST_BODY", 2**20)
    reply = Reply(body=gzip.compress(b"x" * 2**26), headers={"Content-Encoding": "gzip"})
    with ChatServer(reply) as server, pytest.raises(TransientFailure, match="larger") as caught:
        HttpServer(server.base_url, key=Key("", "KEY"), headers={}).post("/x", {}, 10)
    assert caught.value.kind == "bad_body"


def test_an_endless_header_is_a_failure() -> None:
    def endless(connection: socket.socket, number: int) -> None:
        request_on(connection)
        while True:
            connection.sendall(b"X-More: " + b"y" * 1000 + b"\r\n")

    with RawServer(endless) as server, pytest.raises(TransientFailure) as caught:
        client(server.port).post("/x", {}, 20)
    assert caught.value.kind == "connection"


def test_a_garbled_header_is_not_quoted_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def garbled(connection: socket.socket, number: int) -> None:
        request_on(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + CANARY.encode() + b"\r\n\r\n{}")

    caplog.set_level("DEBUG")
    with RawServer(garbled) as server, contextlib.suppress(TransientFailure):
        client(server.port).post("/x", {}, 10)
    assert caplog.records
    assert CANARY not in caplog.text


def test_a_server_of_another_protocol_is_a_failure_without_escape_codes() -> None:
    def strange(connection: socket.socket, number: int) -> None:
        request_on(connection)
        connection.sendall(b"\x1b[31mSSH-2.0 " + CANARY.encode() + b"\r\n")

    with RawServer(strange) as server, pytest.raises(TransientFailure) as caught:
        client(server.port).post("/x", {}, 10)
    assert caught.value.kind == "connection"
    assert CANARY not in str(caught.value)
    assert "\x1b" not in str(caught.value)


# --- where requests go


def test_redirects_are_not_followed() -> None:
    with ChatServer() as other:
        target = {"Location": f"{other.base_url}/stolen"}
        with ChatServer(Reply(status=307, headers=target), Reply(status=302, headers=target)) as server:
            asked = HttpServer(server.base_url, key=Key(CANARY, "KEY"), headers={"Authorization": CANARY})
            assert [asked.post("/x", {}, 10).status, asked.get("/x", 10).status] == [307, 302]
        assert other.requests == []


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server that plays the proxy that the environment names."""
    with ChatServer(otherwise=Reply(body=b"{}")) as proxy:
        address = proxy.base_url.removesuffix("/v1")
        for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)
        monkeypatch.setenv("http_proxy", address)
        yield proxy


def test_a_proxy_of_the_environment_is_used(proxied: ChatServer) -> None:
    asked = HttpServer("http://models.example:8000/v1", key=Key(CANARY, "KEY"), headers={"Authorization": CANARY})
    assert asked.post("/chat", {}, 10).status == 200
    (request,) = proxied.requests
    assert request.path == "http://models.example:8000/v1/chat"
    assert request.headers["authorization"] == CANARY


def test_a_proxy_that_wants_a_password_gets_it_and_the_server_does_not(
    proxied: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_user = proxied.base_url.removesuffix("/v1").replace("http://", "http://me:p%40ss@")
    monkeypatch.setenv("http_proxy", with_user)
    asked = HttpServer("http://models.example/v1", key=Key("", "KEY"), headers={})
    assert asked.post("/chat", {}, 10).status == 200
    expected = base64.b64encode(b"me:p@ss").decode()
    assert proxied.requests[0].headers["proxy-authorization"] == f"Basic {expected}"


@pytest.mark.parametrize("address", ["me:secret@proxy:3128", "socks9://me:secret@proxy:1", "http://"])
def test_a_proxy_of_no_known_kind_is_told_at_once_without_its_password(
    address: str, proxied: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", address)
    with pytest.raises(ModelUnavailable, match="http_proxy") as caught:
        HttpServer("http://models.example/v1", key=Key("", "KEY"), headers={}).post("/chat", {}, 10)
    assert "secret" not in "".join(traceback.format_exception(caught.value))


def test_hosts_without_a_proxy_and_this_machine_are_reached_directly(
    proxied: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer(Reply(body=b"{}"), Reply(body=b"{}")) as server:
        for host in ("127.0.0.1", "localhost"):
            address = server.base_url.replace("127.0.0.1", host)
            assert HttpServer(address, key=Key("", "KEY"), headers={}).post("/x", {}, 10).status == 200
    monkeypatch.setenv("no_proxy", "models.invalid")
    with pytest.raises(TransientFailure):
        HttpServer("http://models.invalid/v1", key=Key("", "KEY"), headers={}).get("/x", 5)
    assert proxied.requests == []


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://localhost/v1", True),
        ("http://me.localhost/v1", True),
        ("https://api.example/v1", False),
        ("http://10.0.0.1/v1", False),
        ("http://localhost.example/v1", False),
        ("http://LOCALHOST:8000/v1", True),
        ("http://localhost.:8000/v1", True),
        ("http://127.0.0.1.:8000/v1", True),
        ("http://0.0.0.0:8000/v1", True),
        ("http://0:8000/v1", True),
        ("http://127.1:8000/v1", True),
        ("http://2130706433:8000/v1", True),
        ("http://0x7f.1:8000/v1", True),
        ("http://0177.0.0.1:8000/v1", True),
        ("http://[::]:8000/v1", True),
        ("http://[::ffff:127.0.0.1]:8000/v1", True),
        ("http://[::ffff:0.0.0.0]:8000/v1", True),
        ("http://[::ffff:10.0.0.1]:8000/v1", False),
        ("http://[2001:db8::1]:8000/v1", False),
        ("http://10.1:8000/v1", False),
        ("http://128.0.0.1:8000/v1", False),
        ("http://127.0.0.1.example/v1", False),
        ("http://0x7f.example/v1", False),
    ],
)
def test_this_machine_is_told_from_others(address: str, expected: bool) -> None:
    assert is_loopback(address) is expected


@pytest.mark.parametrize("host", ["0.0.0.0", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "LOCALHOST"])
def test_a_key_for_this_machine_goes_to_no_proxy_however_the_machine_is_called(host: str, proxied: ChatServer) -> None:
    with ChatServer(Reply(body=b"{}")) as server:
        asked = HttpServer(
            server.base_url.replace("127.0.0.1", host), key=Key(CANARY, "KEY"), headers={"Authorization": CANARY}
        )
        assert asked.post("/x", {}, 10).status == 200
        assert server.requests[0].headers["authorization"] == CANARY
    assert proxied.requests == []


@pytest.mark.parametrize("host", ["localhost.", "[::]", "127.0.0.1."])  # which not every system can reach
def test_a_name_of_this_machine_that_leads_nowhere_is_no_reason_to_ask_the_proxy(
    host: str, proxied: ChatServer
) -> None:
    with contextlib.suppress(TransientFailure):
        HttpServer(f"http://{host}:9/v1", key=Key(CANARY, "KEY"), headers={"Authorization": CANARY}).get("/x", 5)
    assert proxied.requests == []


PASSWORD = "pw-7c/1e+0a"


def refusing_proxy(answer: bytes) -> Behaviour:
    def refuse(connection: socket.socket, number: int) -> None:
        request_on(connection)
        connection.sendall(answer)

    return refuse


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_refuses_its_user_is_told_at_once_and_in_our_words(
    scheme: str, monkeypatch: pytest.MonkeyPatch, proxied: ChatServer
) -> None:
    said = f"{PASSWORD} {base64.b64encode(f'me:{PASSWORD}'.encode()).decode()}".encode()
    reply = b"HTTP/1.1 407 No " + said + b"\r\nContent-Length: %d\r\n\r\n" % len(said) + said
    with RawServer(refusing_proxy(reply)) as proxy:
        address = f"http://me:{urllib.parse.quote(PASSWORD, safe='')}@127.0.0.1:{proxy.port}"
        monkeypatch.setenv(f"{scheme}_proxy", address)
        with pytest.raises(ModelUnavailable, match=r"407.*http_proxy") as caught:
            HttpServer(f"{scheme}://models.example/v1", key=Key("", "KEY"), headers={}).post("/x", {}, 10)
        assert proxy.connections == 1
    told = "".join(traceback.format_exception(caught.value))
    assert PASSWORD not in told
    assert said.split()[1].decode() not in told


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_a_proxy_says_of_its_password_is_not_shown(
    scheme: str, monkeypatch: pytest.MonkeyPatch, proxied: ChatServer
) -> None:
    pair = base64.b64encode(f"me:{PASSWORD}".encode())
    said = PASSWORD.encode() + b" " + pair + b" " + urllib.parse.quote(PASSWORD).encode()
    reply = b"HTTP/1.1 502 Not " + said + b"\r\nContent-Length: %d\r\n\r\n" % len(said) + said
    with RawServer(refusing_proxy(reply)) as proxy:
        address = f"http://me:{urllib.parse.quote(PASSWORD, safe='')}@127.0.0.1:{proxy.port}"
        monkeypatch.setenv(f"{scheme}_proxy", address)
        asked = HttpServer(f"{scheme}://models.example/v1", key=Key("", "KEY"), headers={})
        if scheme == "http":
            told = repr(asked.post("/x", {}, 10))
            assert "[key]" in told
        else:
            with pytest.raises(TransientFailure, match="the proxy that the environment names answered 502") as caught:
                asked.post("/x", {}, 10)
            told = "".join(traceback.format_exception(caught.value))
        told += asked.clean(f"Basic {pair.decode()}, {PASSWORD}")
    for spelt in (PASSWORD, pair.decode(), urllib.parse.quote(PASSWORD)):
        assert spelt not in told


def test_a_407_of_a_server_that_is_asked_directly_is_its_own_reply() -> None:
    with ChatServer(Reply(status=407, body=b"{}")) as server:
        assert HttpServer(server.base_url, key=Key("", "KEY"), headers={}).get("/x", 10).status == 407


@pytest.mark.parametrize("host", ["a..b", ".a", f"{'a' * 64}.example", "a.b.."])
def test_a_host_that_no_name_server_could_know_is_blamed_on_the_address(host: str, proxied: ChatServer) -> None:
    with pytest.raises(ValueError, match="host of base_url") as caught:
        HttpServer(f"http://{host}/v1", key=Key("", "KEY"), headers={})
    assert "proxy" not in str(caught.value)
    assert checked_address(f"http://{'a' * 63}.example./v1") == f"http://{'a' * 63}.example./v1"


def test_an_address_that_only_the_http_library_cannot_read_is_not_blamed_on_the_proxy(proxied: ChatServer) -> None:
    with pytest.raises(ModelUnavailable, match="Check base_url") as caught:
        HttpServer("http://a b/v1", key=Key("", "KEY"), headers={}).get("/x", 10)
    assert "proxy" not in str(caught.value)


def test_a_slash_at_the_end_of_an_address_does_not_count() -> None:
    assert checked_address("http://host/v1/") == "http://host/v1"


# --- TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate that nobody vouches for, in one file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


def secure(certificate: Path, then: Behaviour) -> Behaviour:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    def behave(connection: socket.socket, number: int) -> None:
        with context.wrap_socket(connection, server_side=True) as wrapped:
            then(wrapped, number)

    return behave


def replies(connection: socket.socket, number: int) -> None:
    while True:
        request_on(connection)
        connection.sendall(OK)


def secure_client(server: RawServer) -> HttpServer:
    return HttpServer(f"https://127.0.0.1:{server.port}/v1", key=Key(CANARY, "KEY"), headers={"Authorization": CANARY})


def test_a_certificate_that_nobody_vouches_for_is_refused_at_once_and_no_key_is_sent(certificate: Path) -> None:
    received: list[bytes] = []

    def listen(connection: socket.socket, number: int) -> None:
        received.append(connection.recv(65536))

    with RawServer(secure(certificate, listen)) as server, pytest.raises(ModelUnavailable, match="SSL_CERT_FILE"):
        secure_client(server).post("/x", {}, 10)
    assert received in ([], [b""])


def test_a_certificate_of_ones_own_authority_is_trusted_when_the_environment_says_so(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with RawServer(secure(certificate, replies)) as server:
        asked = secure_client(server)
        assert [asked.post("/x", {"much": "x" * 100_000}, 10).status for _ in range(3)] == [200] * 3
        assert server.connections == 1


@pytest.mark.parametrize("behave", [hangs, drips_a_header, drips_the_body, reads_a_little_now_and_then])
def test_time_is_bounded_over_tls_too(behave: Behaviour, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with RawServer(secure(certificate, behave)) as server:
        began = time.monotonic()
        with pytest.raises(TransientFailure) as caught:
            secure_client(server).post("/x", {"much": "x" * 16_000_000}, 1.0)
        assert caught.value.kind == "timeout"
        assert time.monotonic() - began < 5


def test_a_handshake_that_never_ends_is_bounded() -> None:
    with RawServer(reads_nothing) as server:
        asked = HttpServer(f"https://127.0.0.1:{server.port}/v1", key=Key("", "KEY"), headers={}, connect_seconds=0.5)
        with pytest.raises(TransientFailure) as caught:
            asked.get("/x", 10)
    assert caught.value.kind == "timeout"


def test_a_key_for_a_server_elsewhere_without_tls_is_warned_of_once_by_its_variable(
    caplog: pytest.LogCaptureFixture,
) -> None:
    key = Key("sk-in-clear-0123456789", "A_KEY_IN_CLEAR")
    for address in (
        "https://models.example.com/v1",
        "http://127.0.0.1:9/v1",
        "http://[::1]:9/v1",
        "http://localhost/v1",
    ):
        HttpServer(address, key=key, headers={})
    HttpServer("http://models.example.com/v1", key=Key("", "NO_KEY_IN_CLEAR"), headers={})
    assert caplog.text == ""
    for _ in range(2):
        HttpServer("http://models.example.com/v1", key=key, headers={})
    (warning,) = caplog.records
    assert "A_KEY_IN_CLEAR" in warning.message
    assert "models.example.com" in warning.message
    assert key.reveal() not in warning.message
