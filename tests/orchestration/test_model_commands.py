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
    with ChatServer(decide=lambda received: error(401, "no such key")) as server:
        profile = load_profile("demo", environment(server, tmp_path))
        found = {one.use: one for one in find_models(Workbench(profile, tmp_path))}
        assert len(server.requests) == 1
    assert set(found) >= {"writer", "reader", "critic", "judge", "text encoder", "image maker", "detector"}
    assert not found["reader"].good
    assert "OPENAI_API_KEY" in found["reader"].said
    assert all(one.good for use, one in found.items() if use != "reader")
