"""Lifeloom's own processes: the command line, kills, rivals, the real web server."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from orchestration.lineage import STAGES

LIFELOOM = [sys.executable, "-m", "orchestration"]


def run(arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LIFELOOM, *arguments], capture_output=True, text=True, env=environment, check=False, timeout=800
    )


def published(home: Path) -> dict[str, str]:
    """Return the hash of every published file but those of measured times."""
    files = (path for path in sorted((home / "data" / "datasets").rglob("*")) if path.is_file())
    return {
        str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not {"timings", "life_timings"} & set(path.parts)
    }


@pytest.mark.slow
@pytest.mark.timeout(1800)  # the whole graph twice, one after the other, on cores that others use too
def test_two_fresh_homes_hold_the_same_bytes_under_other_hash_seeds(
    tmp_path: Path, tiny_environment: dict[str, str]
) -> None:
    homes = []
    for seed in ("1", "2"):
        home = tmp_path / f"home{seed}"
        done = run(
            ["materialize", "seeds", "corpus", "reference", "release", "scores"],
            {**tiny_environment, "LIFELOOM_HOME": str(home), "PYTHONHASHSEED": seed},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        homes.append(published(home))
    assert homes[0]
    assert homes[0] == homes[1]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_run_killed_in_the_middle_loses_nothing_that_was_made(
    tmp_path: Path, tiny_environment: dict[str, str]
) -> None:
    home = tmp_path / "home"
    process = subprocess.Popen(
        [*LIFELOOM, "materialize", "seeds", "corpus", "reference", "release"],
        env=tiny_environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not list((home / "data" / "datasets" / "corpus").rglob("manifest.json")):
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = {path: digest for path, digest in published(home).items() if path.endswith("manifest.json")}
    assert kept
    again = run(["materialize", "seeds", "corpus", "reference", "release"], tiny_environment)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "reused" in again.stdout
    after = published(home)
    assert kept.items() <= after.items()


@pytest.mark.slow
def test_two_runs_at_once_on_one_home_end_in_one_clear_error(tiny_environment: dict[str, str]) -> None:
    first = subprocess.Popen(
        [*LIFELOOM, "materialize", "seeds", "corpus", "reference"],
        env=tiny_environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    busy = Path(tiny_environment["LIFELOOM_HOME"]) / "busy.json"
    deadline = time.monotonic() + 60
    while not busy.exists():
        assert first.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    second = run(["materialize", "seeds"], tiny_environment)
    output, errors = first.communicate(timeout=300)
    assert second.returncode == 1
    assert f"process {first.pid}" in second.stderr
    assert "Traceback" not in second.stderr
    assert first.returncode == 0, output + errors


def test_a_home_of_an_older_format_is_refused_and_left_alone(tiny_environment: dict[str, str]) -> None:
    home = Path(tiny_environment["LIFELOOM_HOME"])
    home.mkdir()
    (home / "home.json").write_text('{"format": 0}')
    done = run(["materialize", "seeds"], tiny_environment)
    assert done.returncode == 1
    assert "format 0" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in home.iterdir()] == ["home.json"]


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "does not exist"), (b"", "empty"), (b"\x00\x01\x02\x03" * 500, "text")],
    ids=["missing", "empty", "binary"],
)
def test_a_bad_seed_file_is_one_clear_message(
    tmp_path: Path, tiny_environment: dict[str, str], content: bytes | None, words: str
) -> None:
    path = tmp_path / "seeds.jsonl"
    if content is not None:
        path.write_bytes(content)
    done = run(["materialize", "seeds", "--personahub", str(path)], tiny_environment)
    assert done.returncode == 1
    assert "seeds.jsonl" in done.stderr
    assert words in done.stderr.lower()
    assert "Traceback" not in done.stderr


def test_a_broken_profile_is_one_clear_message(tiny_environment: dict[str, str]) -> None:
    done = run(["demo"], {**tiny_environment, "LIFELOOM_CORPUS__PERSONAS": "many"})
    assert done.returncode == 1
    assert "LIFELOOM_CORPUS__PERSONAS" in done.stderr
    assert "Traceback" not in done.stderr


def test_show_and_scores_say_so_when_nothing_has_been_made(tiny_environment: dict[str, str]) -> None:
    for arguments in (["show", "case"], ["scores"]):
        done = run(arguments, tiny_environment)
        assert done.returncode == 1
        assert "lifeloom demo" in done.stderr


def test_the_doctor_finds_a_healthy_setup_healthy(tiny_environment: dict[str, str]) -> None:
    done = run(["doctor"], tiny_environment)
    assert done.returncode == 0, done.stdout + done.stderr
    for word in ("profile", "home", "free disk", "writer", "reader", "critic"):
        assert word in done.stdout


def test_the_doctor_names_the_variable_of_a_missing_key_and_never_shows_one(tiny_environment: dict[str, str]) -> None:
    environment = {
        **tiny_environment,
        "LIFELOOM_MODELS__READER__BACKEND": "openai",
        "LIFELOOM_MODELS__READER__MODEL": "m",
        "LIFELOOM_MODELS__READER__API_KEY_VARIABLE": "MY_READER_KEY",
        "LIFELOOM_WRITER_KEY": "canary-1234567890",
    }
    environment.pop("MY_READER_KEY", None)
    done = run(["doctor"], environment)
    assert done.returncode == 1
    assert "MY_READER_KEY" in done.stdout
    assert "canary-1234567890" not in done.stdout + done.stderr


@pytest.mark.slow
def test_the_real_servers_start_serve_the_graph_and_stop(tiny_environment: dict[str, str]) -> None:
    ports = [free_port(), free_port()]
    process = subprocess.Popen(
        [*LIFELOOM, "ui", "--dagster-port", str(ports[0]), "--mlflow-port", str(ports[1])],
        env=tiny_environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        query = {"query": "{ assetNodes { assetKey { path } groupName } }"}
        nodes = asset_nodes(f"http://127.0.0.1:{ports[0]}/graphql", query, process)
        assert {"/".join(node["assetKey"]["path"]) for node in nodes} == set(STAGES)
        assert fetch(f"http://127.0.0.1:{ports[1]}/health", process) == b"OK"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    for port in ports:
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fetch(url: str, process: subprocess.Popen[str], data: bytes | None = None) -> bytes:
    deadline = time.monotonic() + 120
    while True:
        assert process.poll() is None, "the servers ended"
        try:
            request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=10) as answer:
                return bytes(answer.read())
        except OSError:
            assert time.monotonic() < deadline, f"{url} did not answer"
            time.sleep(0.5)


def asset_nodes(
    url: str, query: dict[str, str], process: subprocess.Popen[str]
) -> list[dict[str, dict[str, list[str]]]]:
    """Ask until the code location has loaded: the web server answers before that with an empty graph."""
    deadline = time.monotonic() + 120
    while True:
        nodes = json.loads(fetch(url, process, json.dumps(query).encode()))["data"]["assetNodes"]
        if nodes:
            return list(nodes)
        assert time.monotonic() < deadline, "the code location did not load"
        time.sleep(0.5)
