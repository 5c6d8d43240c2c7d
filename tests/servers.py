"""A real HTTP server on loopback that speaks the chat-completions protocol and follows a script."""

from __future__ import annotations

import collections
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

__all__ = [
    "ChatServer",
    "Received",
    "Reply",
    "answer",
    "body",
    "drip",
    "error",
    "event",
    "hang",
    "reset",
    "streamed",
    "streamed_answer",
]


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    json: Any
    """The body; None when there is none."""


@dataclass(frozen=True)
class Reply:
    """What to send back."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: str = "send"
    """``send``; ``reset``: close before a byte; ``cut``: close half-way; ``hang``: say nothing; ``drip``: a byte at a
    time until the client has enough. ``chunks``: ``chunks`` one by one; ``chunks cut``: close after them without an
    end; ``chunks open``: send them, and neither end nor close; ``chunks drip``: send blank lines after them, for ever
    as far as a test can tell."""
    chunks: tuple[bytes, ...] = ()
    heard: threading.Event | None = None
    """Waited for between the first chunk and the second."""


def answer(
    content: str | None,
    *,
    finish_reason: str = "stop",
    refusal: str | None = None,
    usage: tuple[int, int] | None = (100, 10),
) -> Reply:
    """A chat completion; ``usage`` is prompt and completion tokens."""
    completion: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "test-model",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, "refusal": refusal},
                "finish_reason": finish_reason,
            }
        ],
    }
    if usage is not None:
        completion["usage"] = {
            "prompt_tokens": usage[0],
            "completion_tokens": usage[1],
            "total_tokens": usage[0] + usage[1],
        }
    return body(json.dumps(completion).encode())


def body(data: bytes, content_type: str = "application/json", status: int = 200) -> Reply:
    """Any body at all."""
    return Reply(status=status, body=data, headers={"Content-Type": content_type})


def event(data: Any) -> bytes:
    """A server-sent event: of JSON, or of text as it is."""
    return f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def streamed(*chunks: bytes, manner: str = "chunks", heard: threading.Event | None = None) -> Reply:
    """A body that comes in chunks."""
    return Reply(headers={"Content-Type": "text/event-stream"}, manner=manner, chunks=chunks, heard=heard)


def streamed_answer(
    *pieces: str,
    finish_reason: str | None = "stop",
    usage: tuple[int, int] | None = (100, 10),
    refusal: str | None = None,
    done: bool = True,
    manner: str = "chunks",
    heard: threading.Event | None = None,
) -> Reply:
    """A chat completion in pieces, then why it ended, the usage, and the end."""
    frame = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "test-model"}

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
        return event({**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    chunks = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": piece}) for piece in pieces)]
    if refusal is not None:
        chunks.append(chunk({"refusal": refusal}))
    if finish_reason is not None:
        chunks.append(chunk({}, finish_reason))
    if usage is not None:
        counts = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        chunks.append(event({**frame, "choices": [], "usage": counts}))
    if done:
        chunks.append(event("[DONE]"))
    first, *others = chunks if len(pieces) < 1 else [chunks[0] + chunks[1], *chunks[2:]]
    return streamed(first, *others, manner=manner, heard=heard)


def error(
    status: int,
    message: str = "something went wrong",
    *,
    code: str | None = None,
    type: str = "error",
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error as OpenAI's own server words it."""
    data = json.dumps({"error": {"message": message, "type": type, "param": param, "code": code}}).encode()
    return Reply(status=status, body=data, headers={"Content-Type": "application/json", **(headers or {})})


def reset(*, midway: bool = False) -> Reply:
    """Close the connection, before a byte or in the middle of the body."""
    return Reply(body=b'{"id": "chatcmpl-1", "choices": [' * 10, manner="cut" if midway else "reset")


def hang() -> Reply:
    """Say nothing until the server is closed or the client goes away."""
    return Reply(manner="hang")


def drip() -> Reply:
    """Send a byte every 10 ms, for ever as far as a test can tell."""
    return Reply(body=b" " * 100_000, manner="drip")


class ChatServer:
    """Serves on ``port`` of 127.0.0.1, on a free one where it is 0, while in its ``with`` block.

    ``script`` replies in turn, then ``otherwise`` for ever; or ``decide`` looks at the request. Everything received
    is in ``requests``.
    """

    def __init__(
        self,
        *script: Reply,
        otherwise: Reply | None = None,
        decide: Callable[[Received], Reply] | None = None,
        port: int = 0,
    ) -> None:
        self.requests: list[Received] = []
        self._script = collections.deque(script)
        self._otherwise = otherwise or error(500, "the test's script is at its end")
        self._decide = decide
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def then(self, *script: Reply) -> None:
        """Add replies to the script."""
        with self._lock:
            self._script.extend(script)

    def reply_to(self, received: Received) -> Reply:
        with self._lock:
            self.requests.append(received)
            if self._decide is not None:
                return self._decide(received)
            return self._script.popleft() if self._script else self._otherwise

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def _serve(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            headers["x-port"] = str(self.client_address[1])  # of the client's connection
            received = Received(self.command, self.path, headers, json.loads(data) if data else None)
            reply = server.reply_to(received)
            try:
                self._send(reply)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def _send(self, reply: Reply) -> None:
            self.close_connection = reply.manner not in ("send", "chunks")
            if reply.manner == "reset":
                return
            if reply.manner == "hang":
                server.closing.wait(30)
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.manner.startswith("chunks"):
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                self._send_chunks(reply)
                return
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if reply.manner == "cut":
                self.wfile.write(reply.body[: len(reply.body) // 2])
            elif reply.manner == "drip":
                for byte in reply.body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    if server.closing.wait(0.01):
                        return
            else:
                self.wfile.write(reply.body)

        def _send_chunks(self, reply: Reply) -> None:
            for number, chunk in enumerate(reply.chunks):
                if number == 1 and reply.heard is not None:
                    reply.heard.wait(20)
                self._send_chunk(chunk)
            if reply.manner == "chunks":
                self.wfile.write(b"0\r\n\r\n")
            elif reply.manner == "chunks open":
                self.connection.settimeout(20)
                self.rfile.read(1)  # until the client goes away
            elif reply.manner == "chunks drip":
                while not server.closing.wait(0.01):
                    self._send_chunk(b"\n")

        def _send_chunk(self, chunk: bytes) -> None:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
            self.wfile.flush()

    return Handler
