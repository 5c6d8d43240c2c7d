"""What `lifeloom life` says of files that are not there or cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestration.life_commands import life_app
from orchestration.show import NothingFound
from tests.evaluation.life_bench_files.test_files import lay_out


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
        (["score-files", "{}", "{}/p.jsonl", "--name", "GPT-4o"], "a name has 1 to 64 of a-z"),
    ],
)
def test_a_bad_path_is_named_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], said: str
) -> None:
    monkeypatch.setenv("LIFELOOM_HOME", str(tmp_path / "home"))
    done = CliRunner().invoke(life_app, [one.format(tmp_path) for one in command])
    assert done.exit_code == 2
    assert said in " ".join(done.output.replace("│", " ").split())  # however wide the box around it is
    assert not (tmp_path / "home").exists()


def test_answers_to_other_questions_are_told_with_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIFELOOM_HOME", str(tmp_path / "home"))
    lay_out(tmp_path / "release")
    answers = tmp_path / "p.jsonl"
    for text, said in (("", "answers none of the"), ('{"sample_id": "other", "prediction": "a"}', "line 1: unknown")):
        answers.write_text(text)
        done = CliRunner().invoke(life_app, ["score-files", str(tmp_path / "release"), str(answers)])
        assert isinstance(done.exception, NothingFound)
        assert "answers none of the" in str(done.exception)
        assert said in f"{done.output} {done.exception}"
