"""For tests of `lifeloom chat`: the command run in this process, and a server that replies as a model would."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from lifeloom.tasks import EPISODIC_UPDATE, RESPONSE_STEP, SEMANTIC_UPDATE
from orchestration.cli import main
from tests.servers import ChatServer, Received, Reply, answer, streamed_answer

SCORES = '{"openness": 3, "conscientiousness": 3, "extraversion": 3, "agreeableness": 3, "neuroticism": 3}'


@dataclass(frozen=True)
class Ended:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


class Keyboard(io.TextIOWrapper):
    """Lines that come as if a person typed them on a terminal."""

    def isatty(self) -> bool:
        return True


class Terminal:
    """Runs `lifeloom` commands in one home."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        monkeypatch.setenv("LIFELOOM_HOME", str(home))
        monkeypatch.setenv("COLUMNS", "200")

    def run(self, *arguments: str, lines: str | bytes = "", typed: bool = False) -> Ended:
        """Run a command with ``lines`` as its input, from a pipe or ``typed``."""
        data = lines.encode() if isinstance(lines, str) else lines
        self._capsys.readouterr()
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["lifeloom", *arguments])
            stdin = (Keyboard if typed else io.TextIOWrapper)(io.BytesIO(data), encoding="utf-8")
            patch.setattr(sys, "stdin", stdin)
            with pytest.raises(SystemExit) as ended:
                main()
        out, err = self._capsys.readouterr()
        code = ended.value.code
        return Ended(code if isinstance(code, int) else int(code is not None), out, err)

    def chat(self, *lines: str, user: str = "ines", at: str = "2026-03-01 10:00") -> Ended:
        """Say ``lines`` in a chat that begins at ``at``."""
        return self.run("chat", user, "--at", at, lines="".join(f"{line}\n" for line in lines))

    def holds(self, words: str) -> list[Path]:
        """Return the files of the home in which ``words`` stand."""
        return [path for path in self.home.rglob("*") if path.is_file() and words.encode() in path.read_bytes()]


def of_task(received: Received, task: object) -> bool:
    """Return whether a request puts ``task``."""
    instructions = getattr(task, "instructions", "")
    return any(instructions and instructions in str(message["content"]) for message in received.json["messages"])


class ModelServer(ChatServer):
    """A served model that replies ``reply``, keeps every message in semantic memory, and finds nothing else."""

    def __init__(self, reply: Reply | str = "<think>Easy.</think><answer>I see.</answer>") -> None:
        self.reply = reply if isinstance(reply, Reply) else streamed_answer(reply)
        super().__init__(decide=self._decide)

    @property
    def settings(self) -> Mapping[str, str]:
        """Environment that makes it the assistant."""
        return assistant_at(self.base_url)

    def _decide(self, received: Received) -> Reply:
        if of_task(received, RESPONSE_STEP):
            return self.reply
        if of_task(received, SEMANTIC_UPDATE):
            return answer(
                "reason: told\ndecision: yes\nkind: fact\ncontent: The user plays the theremin.\nkeywords: theremin\n"
            )
        if of_task(received, EPISODIC_UPDATE):
            return answer("topic_summary: The user talked.\nkeywords: talk\nsource_dialog_indices: 1\n")
        return answer(SCORES if "response_format" in received.json else "none\n")


def assistant_at(base_url: str) -> Mapping[str, str]:
    """Return the environment that makes the model at ``base_url`` the assistant."""
    section = "LIFELOOM_MODELS__ASSISTANT__"
    return {
        f"{section}BACKEND": "openai",
        f"{section}MODEL": "test-model",
        f"{section}BASE_URL": base_url,
        f"{section}ATTEMPTS": "1",
        f"{section}PICTURES": "false",
    }
