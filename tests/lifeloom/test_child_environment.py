"""Environments of child processes, read where the system shows them: /proc/PID/environ of real children."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lifeloom.child_environment import child_environment, holds_secret, secrets_hidden

CANARY = "canary-0123456789abcdef"


@pytest.mark.parametrize(
    "variable",
    [
        "OPENAI_API_KEY",
        "GEMINI_API_KEY_FILE",
        "LIFELOOM_WRITER_KEY",
        "HF_TOKEN",
        "GITHUB_TOKEN_FILE",
        "AZURE_CLIENT_SECRET",
        "PGPASSWORD",
        "MLFLOW_TRACKING_PASSWORD",
        "AWS_ACCESS_KEY_ID",
        "AWS_SESSION_TOKEN",
        "AWS_SHARED_CREDENTIALS_FILE",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "openai_api_key",
        "OPENAI_APIKEY",
        "KEY",
    ],
)
def test_a_secret_is_known_by_its_name(variable: str) -> None:
    assert holds_secret(variable)


@pytest.mark.parametrize(
    "variable",
    [
        "PATH",
        "HOME",
        "LIFELOOM_HOME",
        "TOKENIZERS_PARALLELISM",
        "LIFELOOM_MODELS__WRITER__API_KEY_VARIABLE",
        "KEYBOARD",
    ],
)
def test_what_is_no_secret_goes_to_every_child(variable: str) -> None:
    assert not holds_secret(variable)


def test_a_child_with_the_child_environment_has_everything_but_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("OPENAI_API_KEY_FILE", f"/secret/{CANARY}")
    monkeypatch.setenv("PLAIN_VALUE", "seen")
    program = "from pathlib import Path; print(Path('/proc/self/environ').read_text())"
    shown = subprocess.run(
        [sys.executable, "-c", program], env=child_environment(), capture_output=True, text=True, check=True
    ).stdout
    assert "PLAIN_VALUE=seen" in shown
    assert "OPENAI_API_KEY" not in shown


def test_the_given_environment_is_filtered_and_left_as_it_is() -> None:
    given = {"A": "1", "A_KEY": "2"}
    assert child_environment(given) == {"A": "1"}
    assert given == {"A": "1", "A_KEY": "2"}


def report_environment(path: str) -> None:
    Path(path).write_bytes(Path("/proc/self/environ").read_bytes())


def spawned(path: Path) -> bytes:
    process = multiprocessing.get_context("spawn").Process(target=report_environment, args=(str(path),))
    process.start()
    process.join(60)
    return path.read_bytes()


def test_processes_that_begin_while_secrets_are_hidden_get_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("PLAIN_VALUE", "seen")
    with secrets_hidden():
        hidden = spawned(tmp_path / "hidden")
    assert CANARY.encode() not in hidden
    assert b"PLAIN_VALUE=seen" in hidden
    assert f"OPENAI_API_KEY={CANARY}".encode() in spawned(tmp_path / "after")  # and afterwards everything is back


def test_threads_see_the_secrets_all_the_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with secrets_hidden():
        assert os.environ["OPENAI_API_KEY"] == CANARY


def test_secrets_come_back_after_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    with pytest.raises(ZeroDivisionError), secrets_hidden():
        raise ZeroDivisionError
    assert CANARY.encode() in spawned(tmp_path / "after")


def test_several_may_hide_at_once_and_the_last_one_puts_everything_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    shown: list[str] = []
    program = ["/bin/sh", "-c", 'printf %s "$OPENAI_API_KEY"']

    def hide() -> None:
        for _ in range(20):
            with secrets_hidden(), secrets_hidden():
                shown.append(subprocess.run(program, capture_output=True, text=True, check=True).stdout)

    threads = [threading.Thread(target=hide) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shown == [""] * 60
    assert subprocess.run(program, capture_output=True, text=True, check=True).stdout == CANARY


def test_a_child_that_needs_the_secrets_is_given_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    program = ["/bin/sh", "-c", 'printf %s "$OPENAI_API_KEY"']
    with secrets_hidden():
        done = subprocess.run(program, env=dict(os.environ), capture_output=True, text=True, check=True)
    assert done.stdout == CANARY


def test_what_changes_meanwhile_stays_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("GEMINI_API_KEY", CANARY)
    with secrets_hidden():
        os.environ["OPENAI_API_KEY"] = "another"
        del os.environ["GEMINI_API_KEY"]
    program = ["/bin/sh", "-c", 'printf %s "$OPENAI_API_KEY$GEMINI_API_KEY"']
    assert subprocess.run(program, capture_output=True, text=True, check=True).stdout == "another"
