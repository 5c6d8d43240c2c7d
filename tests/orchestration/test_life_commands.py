"""What `lifeloom life` says of files that are not there or cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestration.life_commands import life_app


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["ask", "ana", "Who?", "--picture", "{}/none.png"], "does not exist"),
        (["ask", "ana", "Who?", "--picture", "{}"], "is a directory"),
        (["ask", "ana", "  "], "it is empty"),
        (["ask", "ana", "Who?", "--option", "Bo"], "give two to four"),
        (["ask", "ana", "Is Bo in it?", "--option", "Bo", "--option", "Eva", "--yes-no"], "no --yes-no"),
        (["page", "ana", "{}/none/page.html"], "there is no folder"),
        (["page", "ana", "{}"], "is a folder"),
        (["graph", "ana", "--png", "{}/none/g.png"], "there is no folder"),
        (["graph", "ana", "--graphml", "{}/none/g.graphml"], "there is no folder"),
    ],
)
def test_a_bad_path_is_named_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], said: str
) -> None:
    monkeypatch.setenv("LIFELOOM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TERMINAL_WIDTH", "500")
    done = CliRunner().invoke(life_app, [one.format(tmp_path) for one in command])
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert not (tmp_path / "home").exists()
