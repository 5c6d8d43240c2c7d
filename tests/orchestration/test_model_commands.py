"""`lifeloom ask` and what it refuses; which models there are and whether they answer."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from lifeloom.models import CapabilityMissing
from orchestration.cli import app
from orchestration.model_commands import find_models
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.servers import ChatServer, answer, error


def environment(server: ChatServer, home: Path, **values: str) -> dict[str, str]:
    return {
        "LIFELOOM_HOME": str(home),
        "LIFELOOM_PROFILE": "demo",
        "LIFELOOM_MODELS__READER__BACKEND": "openai",
        "LIFELOOM_MODELS__READER__MODEL": "m",
        "LIFELOOM_MODELS__READER__BASE_URL": server.base_url,
        **values,
    }


def png() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (56, 28), "red").save(buffer, "PNG")
    return buffer.getvalue()


def test_ask_prints_the_answer_alone_on_standard_output_and_the_rest_beside_it(tmp_path: Path) -> None:
    with ChatServer(otherwise=answer("Green tea.", usage=(21, 3))) as server:
        asked = CliRunner().invoke(app, ["ask", "Name a tea."], env=environment(server, tmp_path))
        again = CliRunner().invoke(app, ["ask", "Name a tea."], env=environment(server, tmp_path))
        other = CliRunner().invoke(app, ["ask", "Name a tea.", "--sample", "1"], env=environment(server, tmp_path))
        assert len(server.requests) == 2  # the second time it comes from the cache, another sample is asked
    assert (asked.exit_code, again.exit_code, other.exit_code) == (0, 0, 0)
    assert asked.stdout == "Green tea.\n"
    assert "openai m: 21 + 3 tokens" in asked.stderr
    assert "from the cache" in again.stderr


def test_ask_sends_the_picture_before_the_words(tmp_path: Path) -> None:
    (tmp_path / "red.png").write_bytes(png())
    with ChatServer(otherwise=answer("A red one.")) as server:
        command = ["ask", "What is it?", "--picture", str(tmp_path / "red.png")]
        asked = CliRunner().invoke(app, command, env=environment(server, tmp_path / "home"))
        (request,) = server.requests
    assert asked.exit_code == 0
    kinds = [part["type"] for part in request.json["messages"][-1]["content"]]
    assert kinds == ["image_url", "text"]


@pytest.mark.parametrize(
    ("command", "given", "words"),
    [
        (["ask", ""], b"", "nothing to ask"),
        (["ask", "-"], b"  \n", "nothing to ask"),
        (["ask", "-"], b"\xff\xfe\x00", "no text"),
        (["ask", "Hello", "--stage", "corpus/dialoges"], b"", "corpus/dialogues"),
    ],
)
def test_ask_refuses_what_is_no_question(command: list[str], given: bytes, words: str, tmp_path: Path) -> None:
    with ChatServer() as server:
        refused = CliRunner().invoke(app, command, input=given, env=environment(server, tmp_path))
        assert server.requests == []
    assert refused.exit_code == 2
    assert words in refused.output


@pytest.mark.parametrize(
    ("values", "prompt", "words"),
    [
        ({"LIFELOOM_MODELS__READER__WINDOW_TOKENS": "512"}, "tea " * 600, "window of 512"),
        ({}, "Hello", "LIFELOOM_MODELS__CRITIC__BACKEND"),  # the built-in one
    ],
)
def test_ask_says_what_to_set_where_the_model_cannot(
    values: dict[str, str], prompt: str, words: str, tmp_path: Path
) -> None:
    role = "critic" if "CRITIC" in words else "reader"
    with ChatServer() as server:
        env = environment(server, tmp_path, **values)
        refused = CliRunner().invoke(app, ["ask", prompt, "--role", role], env=env)
        assert server.requests == []
    assert isinstance(refused.exception, CapabilityMissing)
    assert words in str(refused.exception)


def test_every_model_of_the_profile_is_asked_once_whether_it_answers(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []
    with ChatServer(decide=lambda received: error(401, "no such key")) as server:
        profile = load_profile("demo", environment(server, tmp_path))
        found = {one.use: one for one in find_models(Workbench(profile, tmp_path), lambda *one: asked.append(one))}
        assert len(server.requests) == 1
    assert set(found) >= {"writer", "reader", "critic", "judge", "text encoder", "image maker", "detector"}
    assert not found["reader"].good
    assert "OPENAI_API_KEY" in found["reader"].said
    assert all(one.good for use, one in found.items() if use != "reader")
    assert asked[:2] == [("writer", "builtin"), ("reader", "openai m")]
    assert "critic" not in dict(asked)  # the same model as the writer's, which has answered


def test_a_part_that_does_not_work_is_named_as_the_profile_names_it(tmp_path: Path) -> None:
    values = {
        "LIFELOOM_PICTURES__BACKEND": "gemini",
        "LIFELOOM_PICTURES__MODEL": "painter-1",
        "LIFELOOM_PICTURES__API_KEY_VARIABLE": "LIFELOOM_ABSENT_KEY",
        "LIFELOOM_VISION__DETECTOR__BACKEND": "grounding_dino",
        "LIFELOOM_VISION__DETECTOR__MODEL": str(tmp_path / "absent"),
    }
    found = {one.use: one for one in find_models(Workbench(load_profile("demo", values), tmp_path))}
    assert (found["image maker"].good, found["image maker"].what) == (False, "gemini painter-1")
    assert (found["detector"].good, found["detector"].what) == (False, f"grounding_dino {tmp_path / 'absent'}")


def test_models_prints_a_line_a_model_and_cuts_no_name(tmp_path: Path) -> None:
    name = "an-organisation/a-model-with-a-very-long-name-and-more-of-it-than-any-terminal-has-columns-for-it-70B"
    with ChatServer(otherwise=answer("Hello.", usage=(3, 1))) as server:
        env = environment(server, tmp_path, LIFELOOM_MODELS__READER__MODEL=name, COLUMNS="80")
        told = CliRunner().invoke(app, ["models"], env=env)
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    assert f"ok  reader: openai {name}" in lines
    assert any(line.startswith("    ") and line.split()[0] == name for line in lines)  # what it said


def test_ask_warns_beside_the_answer_of_a_model_that_a_budget_does_not_hold(tmp_path: Path) -> None:
    with ChatServer(otherwise=answer("Green tea.", usage=(21, 3))) as server:
        values = {"LIFELOOM_BUDGET__USD": "1", "LIFELOOM_MODELS__READER__PRICE_PROMPT": "0"}
        warned = CliRunner().invoke(app, ["ask", "Name a tea."], env=environment(server, tmp_path, **values))
        values["LIFELOOM_MODELS__READER__PRICE_PROMPT"] = "2"
        quiet = CliRunner().invoke(app, ["ask", "Name a tea."], env=environment(server, tmp_path, **values))
    assert warned.stdout == quiet.stdout == "Green tea.\n"
    assert "LIFELOOM_MODELS__READER__PRICE_PROMPT" in warned.stderr
    assert "Warning" not in quiet.stderr


def test_a_stage_that_keeps_nothing_is_told_with_where_to_look(tmp_path: Path) -> None:
    with ChatServer(otherwise=answer("not json at all")) as server:
        values = {
            **environment(server, tmp_path),
            **{f"LIFELOOM_MODELS__WRITER__{key}": value for key, value in _served(server).items()},
            **{"LIFELOOM_CORPUS__PERSONAS": "2", "LIFELOOM_CORPUS__SHARDS": "1", "COLUMNS": "300"},
        }
        told = CliRunner().invoke(app, ["materialize", "seeds", "corpus/personas"], env=values)
    assert told.exit_code == 0, told.output
    (warning,) = [line for line in told.output.splitlines() if line.startswith("nothing was kept")]
    assert "bad_json 2" in warning
    assert "lifeloom cache rejected" in warning
    assert "the data set corpus/personas/shard-000" in warning


def _served(server: ChatServer) -> dict[str, str]:
    return {"BACKEND": "openai", "MODEL": "w", "BASE_URL": server.base_url}
