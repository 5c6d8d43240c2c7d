"""A chat-completions server for measuring: answers after a fixed time, fails as told, counts requests by body.

Run by `model_calls.py`: `python perf/_loopback_server.py SECONDS SHARE_429 SHARE_500 SHARE_BAD_JSON`; prints its port.
"""

from __future__ import annotations

import asyncio
import collections
import hashlib
import json
import random
import sys


def reply(status: str, body: object, headers: str = "") -> bytes:
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n{headers}\r\n"
    return head.encode() + data


def completion(content: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 300, "completion_tokens": 8, "total_tokens": 308}
    return reply("200 OK", {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage})


GOOD = completion('{"letter": "b"}')
BROKEN = completion('{"letter": "b"')
BUSY = reply("429 Too Many Requests", {"error": {"message": "slow down", "code": "rate_limit"}}, "Retry-After: 1\r\n")
DOWN = reply("500 Internal Server Error", {"error": {"message": "down"}})


class Server:
    """What is asked and answered, over all connections."""

    def __init__(self, seconds: float, shares: tuple[float, float, float]) -> None:
        self.seconds = seconds
        self.shares = shares
        self.rng = random.Random(1)
        self.counts: collections.Counter[str] = collections.Counter()
        self.answered: collections.Counter[str] = collections.Counter()
        """Good answers by body."""
        self.under_way = self.most_under_way = 0

    def summary(self) -> dict[str, object]:
        times = collections.Counter(self.answered.values())
        return {
            **self.counts,
            "bodies": len(self.answered),
            "answered_twice": sum(count for number, count in times.items() if number > 1),
            "most_under_way": self.most_under_way,
        }


class Connection(asyncio.Protocol):
    """One connection; requests on it follow each other."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.data += data
        head, mark, rest = self.data.partition(b"\r\n\r\n")
        if not mark:
            return
        if head.startswith(b"GET"):
            self.data = b""
            self.send(reply("200 OK", self.server.summary()))
            return
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        if len(rest) >= length:
            self.data = rest[length:]
            self.answer(hashlib.sha256(rest[:length]).hexdigest())

    def answer(self, body: str) -> None:
        server = self.server
        server.counts["requests"] += 1
        busy, down, broken = server.shares
        draw = server.rng.random()
        if draw < busy:
            server.counts["sent_429"] += 1
            self.send(BUSY)
            return
        server.under_way += 1
        server.most_under_way = max(server.most_under_way, server.under_way)
        kind = "500" if draw < busy + down else "broken" if draw < busy + down + broken else "good"
        server.counts[f"sent_{kind}"] += 1
        data = {"500": DOWN, "broken": BROKEN, "good": GOOD}[kind]
        asyncio.get_running_loop().call_later(server.seconds, self.finish, data, body)

    def finish(self, data: bytes, body: str) -> None:
        self.server.under_way -= 1
        if data is GOOD and not self.transport.is_closing():
            self.server.answered[body] += 1
        self.send(data)

    def send(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(data)


async def main() -> None:
    server = Server(float(sys.argv[1]), tuple(map(float, sys.argv[2:5])))
    listener = await asyncio.get_running_loop().create_server(lambda: Connection(server), "127.0.0.1", 0, backlog=1024)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await listener.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
