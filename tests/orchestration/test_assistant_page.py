"""The page about the assistant: its example runs as it stands, and it names what there is."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from orchestration.chat import COMMANDS
from orchestration.instance import ROOT
from orchestration.memory_commands import memory_app

PAGE = (ROOT / "docs" / "assistant.md").read_text()


def test_the_example_runs_in_an_empty_folder_and_remembers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "example.py").write_text(example)
    monkeypatch.chdir(tmp_path)

    runpy.run_path("example.py")

    kept, reply, *why = capsys.readouterr().out.splitlines()
    assert "The user is allergic to peanuts" in kept
    assert "peanuts" in reply
    assert why[-1] == "Stopped: the model answered."
    assert len(list((tmp_path / "users").glob("*.sqlite"))) == 1


def test_every_command_is_on_the_page() -> None:
    assert [name for name, _ in COMMANDS if f"`{name.split()[0]}" not in PAGE] == []
    commands = {command.name or command.callback.__name__ for command in memory_app.registered_commands}
    assert [name for name in sorted(commands) if not re.search(rf"`(lifeloom memory )?{name}\b", PAGE)] == []
