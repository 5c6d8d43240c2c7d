"""`lifeloom chat` on a real terminal: streaming, history, Ctrl-C, Ctrl-D."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifeloom.memory import UserMemory, user_file
from tests.chatting import ModelServer
from tests.servers import Received, Reply, hang, streamed_answer

STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CTRL_C, CTRL_D, UP = b"\x03", b"\x04", b"\x1b[A"
# The terminal must be the one that controls the process: Ctrl-C reaches it then.
ON_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.executable, "
    "[sys.executable, '-m', 'orchestration', *sys.argv[1:]])"
)


class Typist:
    """Types at a chat, and reads what comes."""

    def __init__(self, environment: dict[str, str], *arguments: str) -> None:
        self._keyboard, screen = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", ON_TERMINAL, *arguments],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            env=environment,
            start_new_session=True,
        )
        os.close(screen)
        self._raw = ""
        self.seen = ""
        self._place = 0

    def type(self, keys: bytes) -> None:
        os.write(self._keyboard, keys)

    def wait_for(self, words: str, seconds: float = 120) -> None:
        """Read until ``words`` come, after what was waited for before."""
        deadline = time.monotonic() + seconds
        while (place := self.seen.find(words, self._place)) < 0:
            assert time.monotonic() < deadline, f"{words!r} did not come: {self.seen!r}"
            assert self._read(), f"it ended before {words!r} came: {self.seen!r}"
        self._place = place + len(words)

    def wait_for_rest(self, seconds: float = 60) -> None:
        """Wait until its main thread waits for a key: between its prompt and that, input() hears no signal."""
        deadline, before = time.monotonic() + seconds, None
        stat = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/stat")
        while True:
            fields = stat.read_text().rpartition(")")[2].split()
            asleep, used = fields[0] == "S", fields[11:13]  # its state; ticks of the processor
            if asleep and used == before:
                return
            assert time.monotonic() < deadline, f"it does not come to rest: {self.seen!r}"
            before = used if asleep else None
            time.sleep(0.2)

    def ended(self, seconds: float = 60) -> int:
        deadline = time.monotonic() + seconds
        while self._read():
            assert time.monotonic() < deadline, f"it did not end: {self.seen!r}"
        return self._process.wait(seconds)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._keyboard)

    def _read(self) -> bool:
        """Read what is there, waiting a moment; False at the end."""
        if not select.select([self._keyboard], [], [], 0.2)[0]:
            return True
        try:
            data = os.read(self._keyboard, 65536)
        except OSError:  # nobody holds the screen any more
            return False
        self._raw += data.decode(errors="replace")
        self.seen = STYLE.sub("", self._raw)
        return bool(data)


class Silent(ModelServer):
    """Answers, but never says what to remember."""

    def _decide(self, received: Received) -> Reply:
        reply = super()._decide(received)
        return reply if reply is self.reply else hang()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "LIFELOOM_HOME": str(tmp_path / "home"), "COLUMNS": "100", "TERM": "xterm"}


@pytest.fixture
def typist(environment: dict[str, str]) -> Iterator[object]:
    typists: list[Typist] = []

    def begin(server: ModelServer) -> Typist:
        typists.append(Typist({**environment, **server.settings}, "chat", "ines", "--at", "2026-03-01 10:00"))
        return typists[-1]

    yield begin
    for one in typists:
        one.close()


def remembered(environment: dict[str, str]) -> UserMemory:
    return UserMemory.open(user_file(Path(environment["LIFELOOM_HOME"]) / "users", "ines"), "ines", create=False)


@pytest.mark.slow
def test_ctrl_c_stops_an_answer_and_twice_in_a_row_ends(environment, typist) -> None:
    endless = streamed_answer(
        "<answer>", "Once upon", " a time", finish_reason=None, usage=None, done=False, manner="chunks open"
    )
    with ModelServer(endless) as server:
        chat = typist(server)
        chat.wait_for("you> ")
        chat.type(b"Tell me a story.\r")
        chat.wait_for("Once upon a time")
        chat.type(CTRL_C)
        chat.wait_for("Ctrl-C once more ends")
        chat.wait_for("you> ")

        server.reply = streamed_answer("<answer>I see.</answer>")
        chat.type(b"I like tea.\r")
        chat.wait_for("I see.")
        chat.wait_for("you> ")
        chat.type(UP + b"\r")
        chat.wait_for("I see.")
        chat.wait_for("you> ")
        chat.wait_for_rest()
        chat.type(CTRL_C)
        chat.wait_for("Ctrl-C once more ends")
        chat.wait_for("you> ")
        chat.wait_for_rest()
        chat.type(CTRL_C)
        assert chat.ended() == 0
    assert "Traceback" not in chat.seen

    with remembered(environment) as memory:
        said = [(turn.user, turn.assistant) for turn in memory.turns()]
        assert said == [("Tell me a story.", ""), ("I like tea.", "I see."), ("I like tea.", "I see.")]
        assert memory.pending() == ()
        assert memory.memories("episodic")


def test_who_does_not_wait_for_updates_leaves_them_for_next_time(environment, typist) -> None:
    with Silent() as server:
        chat = typist(server)
        chat.wait_for("you> ")
        chat.type(b"I like tea.\r")
        chat.wait_for("I see.")
        chat.wait_for("you> ")
        chat.type(CTRL_D)
        chat.wait_for("remembering what was said")
        chat.type(CTRL_C)
        assert chat.ended(25) == 0  # the server would hold its answer back for 30 seconds
    assert "goes on next time" in chat.seen
    assert "Traceback" not in chat.seen

    with remembered(environment) as memory:
        assert [name for name, _ in memory.pending()][:2] == ["turn-0/personality", "turn-0/semantic"]
        assert memory.turns()[0].assistant == "I see."
