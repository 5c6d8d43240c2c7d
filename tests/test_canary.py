"""A key goes into the header of a request and nowhere else, though the server sends it back in every way it can."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import logging
import os
import sqlite3
import subprocess
import sys
import time
import traceback
import urllib.parse
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from assets.caption_keys import CAPTION_STAGES, IMAGE_LIBRARY
from assets.life_keys import LIFE_AUDIT, LIFE_BENCH, LIFE_GRAPHS, LIFE_SCORES, LIFE_STAGES, VACCOUNTS
from lifeloom.models.calls.answering import AnsweringModel, CallSettings
from lifeloom.models.calls.cache import ResponseCache
from lifeloom.models.calls.ledger import Ledger
from lifeloom.models.calls.retries import RetryPolicy, Timing
from lifeloom.models.gemini import GeminiImageMaker, GeminiModel
from lifeloom.models.openai import OpenAiModel
from lifeloom.models.protocol import ModelError, ModelIdentity, PictureNotDrawn
from lifeloom.store import Home
from lifeloom.tasks import PERSONA_ENRICHMENT, PersonaEnrichmentInput, TraitScores
from orchestration.cli import app
from orchestration.servers import serve
from tests.gemini_server import GeminiServer, blocked, gemini_answer, gemini_error
from tests.servers import ChatServer, Received, Reply, answer, body, error
from tests.tiny import TINY

CANARY = "sk-canary/77aa+88bb=99cc"
QUESTION = PersonaEnrichmentInput(
    base_persona="a baker",
    name="Ada",
    people=(),
    traits=TraitScores(openness=1, conscientiousness=2, extraversion=3, agreeableness=4, neuroticism=5),
)


def _inside_base64(before: int) -> str:
    """The letters that the canary becomes behind ``before`` other bytes, without those that it shares with others."""
    return base64.b64encode(b"?" * before + CANARY.encode() + b"???").decode()[4:-8]


FORMS = {
    "plain": CANARY,
    "url": urllib.parse.quote(CANARY, safe=""),
    "json": CANARY.replace("/", "\\/"),
    "numbers": "".join(f"\\u{ord(sign):04x}" for sign in CANARY),
    "hexadecimal": CANARY.encode().hex(),
    **{f"base64 behind {before}": _inside_base64(before) for before in range(3)},
}
ECHO = " ".join(
    [
        *(f"you sent {CANARY}", FORMS["url"], FORMS["hexadecimal"]),
        *(base64.b64encode(f"{before}{CANARY}".encode()).decode() for before in ("", "a", "Bearer ", "user:")),
    ]
)
"""What a careless server says."""

HEADERS = {
    "X-Echo": ECHO,
    "WWW-Authenticate": f'Bearer realm="{ECHO}"',
    "Set-Cookie": f"key={CANARY}",
    "Location": f"http://127.0.0.1:9/{FORMS['url']}",
}
PERSON = {"role_description": f"A baker. {ECHO}", "human": [ECHO], "persona": [ECHO]}


def leaks(text: str | bytes) -> list[str]:
    """Return in which forms the canary stands in ``text``."""
    data = (text.encode("utf-8", "replace") if isinstance(text, str) else text).lower()
    return [name for name, form in FORMS.items() if form.encode().lower() in data]


def test_what_looks_for_the_canary_finds_it() -> None:
    assert {"plain", "url", "hexadecimal"} <= set(leaks(ECHO))
    assert sum(name.startswith("base64") for name in leaks(ECHO)) == 3
    assert "numbers" in leaks(numbered(body(CANARY.encode())).body)
    assert leaks("nothing of the kind") == []


def numbered(reply: Reply) -> Reply:
    """Return ``reply`` with each letter of the canary as a number, as JSON may have it."""
    return replace(reply, body=reply.body.replace(CANARY.encode(), FORMS["numbers"].encode()))


def _echo(status: int, **more: Any) -> tuple[Reply, Reply]:
    return error(status, ECHO, param=ECHO, type=ECHO, **more), gemini_error(status, ECHO, word=ECHO)


def _same(reply: Reply) -> tuple[Reply, Reply]:
    return reply, reply


ECHOES: dict[str, tuple[Reply, Reply]] = {
    "key refused": _echo(401, code="invalid_api_key"),
    "no right": _echo(403),
    "quota": _echo(402, code="insufficient_quota"),
    "not there": _echo(404),
    "bad request": _echo(400, code=ECHO),
    "too long": (
        error(400, f"maximum context length exceeded. {ECHO}", code="context_length_exceeded"),
        gemini_error(400, f"The input token count exceeds the maximum number of tokens allowed. {ECHO}"),
    ),
    "busy": _echo(429),
    "broken": _echo(500),
    "page": _same(body(f"<html>{ECHO}</html>".encode(), "text/html", 502)),
    "redirect": _same(body(ECHO.encode(), "text/plain", 302)),
    "error in a good reply": _same(body(json.dumps({"error": {"message": ECHO}}).encode())),
    "no JSON": _same(body(ECHO.encode())),
    "prose": (answer(ECHO), gemini_answer(ECHO)),
    "wrong schema": tuple(make(json.dumps({"role": ECHO})) for make in (answer, gemini_answer)),
    "refusal": (answer(None, refusal=ECHO), gemini_answer(ECHO, finish_reason="SAFETY", finish_message=ECHO)),
    "blocked": (answer(ECHO, finish_reason="content_filter"), blocked("SAFETY")),
    "cut": (answer(ECHO, finish_reason="length"), gemini_answer(ECHO, finish_reason="MAX_TOKENS")),
    "answer": tuple(make(json.dumps(PERSON)) for make in (answer, gemini_answer)),
    "answer in prose": tuple(make(f"{ECHO} {json.dumps(PERSON)} {ECHO}") for make in (answer, gemini_answer)),
    "answer in numbers": tuple(
        make(json.dumps(PERSON).replace(CANARY, FORMS["numbers"])) for make in (answer, gemini_answer)
    ),
}


@contextlib.contextmanager
def all_logs() -> Iterator[io.StringIO]:
    """Collect what every logger says at every level, tracebacks included."""
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s %(args)s"))
    loggers = [logging.getLogger(), *(logging.getLogger(name) for name in list(logging.root.manager.loggerDict))]
    before = [(logger, logger.level, logger.disabled) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
        logger.disabled = False
        if logger.name == "root" or not logger.propagate:
            logger.addHandler(handler)
    try:
        yield told
    finally:
        for logger, level, disabled in before:
            logger.setLevel(level)
            logger.disabled = disabled
            logger.removeHandler(handler)


def everything_about(raised: BaseException | None) -> str:
    """Return all that an error, its causes and contexts say and hold."""
    told, waiting = [], [raised]
    while waiting:
        one = waiting.pop()
        if one is not None:
            told += ["".join(traceback.format_exception(one)), repr(one), repr(one.args), repr(vars(one))]
            waiting += [one.__cause__, one.__context__]
    return "\n".join(told)


def calls(folder: Path, identity: ModelIdentity) -> CallSettings:
    return CallSettings(
        cache=ResponseCache(folder / "responses.sqlite"),
        meter=Ledger(folder / "ledger.sqlite").meter("writer", identity),
        retries=RetryPolicy(max_attempts=2),
        timing=Timing(sleep=lambda seconds: None),
    )


def openai(server: ChatServer, folder: Path) -> AnsweringModel:
    return OpenAiModel.from_environment(
        "m", base_url=server.base_url, environment={"OPENAI_API_KEY": CANARY}, calls=calls(folder, OPENAI)
    )


def gemini(server: ChatServer, folder: Path) -> AnsweringModel:
    return GeminiModel.from_environment(
        "m", base_url=server.base_url, environment={"GEMINI_API_KEY": CANARY}, calls=calls(folder, GEMINI)
    )


OPENAI, GEMINI = ModelIdentity("openai", "m"), ModelIdentity("gemini", "m")
BACKENDS: Mapping[str, tuple[type[ChatServer], Callable[[ChatServer, Path], AnsweringModel], str]] = {
    "openai": (ChatServer, openai, "authorization"),
    "gemini": (GeminiServer, gemini, "x-goog-api-key"),
}


@pytest.mark.parametrize("spelling", ["plain", "numbered"])
@pytest.mark.parametrize("manner", ECHOES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_model_tells_its_key_to_nobody_but_the_server(
    backend: str, manner: str, spelling: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    serving, make, header = BACKENDS[backend]
    reply = ECHOES[manner][backend == "gemini"]
    reply = replace(reply, headers={**reply.headers, **HEADERS})
    reply = numbered(reply) if spelling == "numbered" else reply
    outcome: object = None
    raised: BaseException | None = None
    with all_logs() as logs, serving(otherwise=reply) as server:
        model = make(server, tmp_path)
        try:
            outcome = model.run(PERSONA_ENRICHMENT, QUESTION)
        except ModelError as caught:
            raised = caught
        with contextlib.suppress(ModelError):
            model.check()
        model.close()
        assert all(CANARY in request.headers[header] for request in server.requests)  # it went where it belongs
        assert not any(leaks(f"{request.path} {json.dumps(request.json)}") for request in server.requests)
    assert manner.startswith("answer") == (raised is None)
    assert leaks(everything_about(raised)) == []
    assert leaks(f"{outcome!r} {model!r} {model.tally!r}") == []
    assert leaks(logs.getvalue()) == []
    assert leaks("".join(capfd.readouterr())) == []
    assert leaks_in(tmp_path) == {}
    if raised is None:
        assert "[key]" in repr(outcome)  # blotted before it was kept


@pytest.mark.parametrize("spelling", ["plain", "numbered"])
@pytest.mark.parametrize("manner", [name for name in ECHOES if not name.startswith("answer")])
def test_an_image_maker_tells_its_key_to_nobody_but_the_server(
    manner: str, spelling: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    reply = ECHOES[manner][1]
    reply = replace(reply, headers={**reply.headers, **HEADERS})
    reply = numbered(reply) if spelling == "numbered" else reply
    with all_logs() as logs, GeminiServer(otherwise=reply) as server:
        maker = GeminiImageMaker.from_environment(
            "m",
            base_url=server.base_url,
            environment={"GEMINI_API_KEY": CANARY},
            cache_path=tmp_path / "drawn.sqlite",
            calls=calls(tmp_path, GEMINI),
        )
        with pytest.raises((ModelError, PictureNotDrawn)) as caught:
            maker.draw_caption("a baker in a bakery")
        maker.close()
        assert CANARY in server.requests[0].headers["x-goog-api-key"]
    assert leaks(everything_about(caught.value)) == []
    assert leaks(f"{maker!r} {maker.tally!r}") == []
    assert leaks(logs.getvalue()) == []
    assert leaks("".join(capfd.readouterr())) == []
    assert leaks_in(tmp_path) == {}


def leaks_in(folder: Path) -> dict[str, list[str]]:
    """Return the files below ``folder`` in which the canary stands, whatever they are packed in."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and (forms := [form for data in contents(path) for form in leaks(data)]):
            found[str(path.relative_to(folder))] = sorted(set(forms))
    return found


def contents(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file and, unpacked, what a database or table in it holds."""
    data = path.read_bytes()
    yield str(path).encode()
    yield data
    if data.startswith(b"SQLite format 3"):
        with contextlib.closing(sqlite3.connect(path)) as connection:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in tables:
                for cell in (cell for row in connection.execute(f'SELECT * FROM "{table}"') for cell in row):
                    yield cell if isinstance(cell, bytes) else str(cell).encode("utf-8", "replace")
                    if isinstance(cell, bytes):
                        with contextlib.suppress(zlib.error):
                            yield zlib.decompress(cell)
    elif data.startswith(b"PAR1"):
        yield repr(pyarrow.parquet.read_table(path).to_pylist()).encode()


SMALL = {
    "LIFELOOM_CORPUS__PERSONAS": "1",
    "LIFELOOM_CORPUS__SHARDS": "1",
    "LIFELOOM_RELEASE__PERSONAS_32K": "2",
    "LIFELOOM_RELEASE__PERSONAS_128K": "0",
    "LIFELOOM_RELEASE__MIN_TURNS_32K": "12",
    "LIFELOOM_RELEASE__MAX_TURNS_32K": "16",
    "LIFELOOM_RELEASE__CASES_PER_PERSONA": "3",
    "LIFELOOM_AUDIT__REFERENCE_PERSONAS": "4",
    "LIFELOOM_AUDIT__READER_CASES": "0",
    "LIFELOOM_AUDIT__PERTURBED_CASES": "0",
    "LIFELOOM_SCORING__BOOTSTRAP_SAMPLES": "100",
    "LIFELOOM_SCORING__POLICIES": "blind,rag",
    "LIFELOOM_SCORING__ABLATIONS": "memory_agent",
    "LIFELOOM_PICTURES__SHARE": "0",
    "LIFELOOM_VALIDATION__INJECTED_FAULTS": "0",
    "LIFELOOM_LIFE__VACCOUNTS": "0",
    "LIFELOOM_CAPTIONS__IDENTITIES": "12",
    "LIFELOOM_CAPTIONS__DIAGNOSTIC_PEOPLE": "0",
    "LIFELOOM_CAPTIONS__TRAIN_SCENES": "0",
    "LIFELOOM_CAPTIONS__TEST_SCENES": "0",
    "LIFELOOM_CAPTIONS__DIAGNOSTIC_CONTEXTS": "0",
}
CAPTIONS = {name: value for name, value in TINY.items() if "_CAPTIONS__" in name}
LIVES = {name: value for name, value in TINY.items() if "_LIFE__" in name}


def environment(server: ChatServer, home: Path) -> dict[str, str]:
    """Return the environment of a command line whose models are all behind ``server``; one stage is written here."""
    chosen = {**SMALL, "LIFELOOM_MODELS__STAGES__RELEASE_DIALOGUES__WRITER__BACKEND": "builtin"}
    for role in ("WRITER", "READER", "CRITIC", "JUDGE", "ASSISTANT"):
        chosen |= {
            f"LIFELOOM_MODELS__{role}__BACKEND": "openai",
            f"LIFELOOM_MODELS__{role}__MODEL": "m",
            f"LIFELOOM_MODELS__{role}__BASE_URL": server.base_url,
        }
    return {**os.environ, **chosen, "OPENAI_API_KEY": CANARY, "LIFELOOM_HOME": str(home), "COLUMNS": "200"}


ANSWERS = {
    "role_description": PERSON,
    "letter": {"letter": "b"},
    "chosen": {"chosen": f"Gladly. {ECHO}", "rejected": f"No. {ECHO}"},
    "problems": {"problems": [{"turn_index": 0, "kind": "incoherent", "reason": ECHO[:400]}]},
}
"""By what the schema asks for. There is no answer that a judgement takes: those are rejected and kept."""


class Careless:
    """Decides as a server that fails at times, answers else, and tells the key in everything it says."""

    def __init__(self) -> None:
        self.command: psutil.Process | None = None
        self.asked = 0
        self.children: dict[int, str] = {}
        """Command line and environment of every process that was there while the command line asked."""

    def __call__(self, received: Received) -> Reply:
        self.asked += 1
        if self.command is not None:
            for child in self.command.children(recursive=True):
                with contextlib.suppress(psutil.Error, OSError):
                    told = Path(f"/proc/{child.pid}/environ").read_text()
                    self.children[child.pid] = f"{' '.join(child.cmdline())}\0{told}"
        if self.asked % 5 == 1:
            reply = error((429, 500)[self.asked % 2], ECHO, headers={"Retry-After": "0"})
        elif self.asked % 5 == 2:
            reply = answer(ECHO)  # and is asked again
        else:
            schema = received.json.get("response_format")
            fields = json.dumps(schema)
            content = next((value for name, value in ANSWERS.items() if f'"{name}"' in fields), "")
            reply = answer(f"{ECHO} {json.dumps(content)}" if schema else f"<answer>b) {ECHO}</answer>")
        reply = replace(reply, headers={**HEADERS, **reply.headers})
        return numbered(reply) if self.asked % 2 else reply


def lifeloom(arguments: list[str], environment: dict[str, str], careless: Careless | None = None) -> tuple[int, str]:
    """Run the command line; return its exit code and all that it printed."""
    with subprocess.Popen(
        [sys.executable, "-m", "orchestration", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
        errors="replace",
    ) as process:
        if careless is not None:
            careless.command = psutil.Process(process.pid)
        printed, _ = process.communicate(timeout=300)
        if careless is not None:
            careless.command = None
    return process.returncode, printed


@pytest.mark.slow
def test_from_seeds_to_scores_a_key_lands_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    careless = Careless()
    with ChatServer(decide=careless) as server:
        chosen = environment(server, home)
        code, printed = lifeloom(["materialize", "seeds", "reference", "release", "scores"], chosen, careless)
        assert code == 0, printed
        for name in chosen.keys() - os.environ.keys():
            monkeypatch.setenv(name, chosen[name])
        for words in ("ask Hello?", "cache list", "cache rejected", "show persona", "show case"):
            done = CliRunner().invoke(app, words.split())
            assert done.exit_code == 0, done.output
            printed += done.output
        asked = server.requests
    assert all(CANARY in request.headers["authorization"] for request in asked)
    assert len(asked) > 30
    assert leaks(printed) == []
    assert leaks_in(tmp_path) == {}
    files = {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
    for part in (".parquet", "mlflow.db", "cases/index.html", "review/", "responses.sqlite", "ledger", ".err"):
        assert any(part in file for file in files), part  # it was looked for in all of these
    assert "session_critique" in printed  # in the list of the cache
    assert printed.count("[key]") > 20  # what was rejected, blotted
    assert any("tail" in child for child in careless.children.values())
    assert [child for child in careless.children.values() if leaks(child)] == []


@pytest.mark.slow
def test_from_a_life_to_its_scores_a_key_lands_nowhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    careless = Careless()
    with ChatServer(decide=careless) as server:
        chosen = {**environment(server, home), **LIVES}
        _, told = lifeloom(["materialize", "seeds", VACCOUNTS], chosen, careless)
        assert "bad_json" in told  # what it said of each seed was kept as a rejection
        for asset in LIFE_STAGES:
            if asset in (LIFE_GRAPHS, LIFE_BENCH, LIFE_AUDIT, LIFE_SCORES):
                told += lifeloom(["materialize", asset], chosen, careless)[1]
            if not asset.startswith("scores/"):
                stage = asset.replace("/", "_").upper()
                chosen |= {
                    f"LIFELOOM_MODELS__STAGES__{stage}__{role}__BACKEND": "builtin"
                    for role in ("WRITER", "READER", "CRITIC")
                }
                code, printed = lifeloom(["materialize", asset], chosen, careless)
                assert code == 0, printed
                told += printed
        asked = server.requests
    assert len(asked) > 100
    assert all(CANARY in request.headers["authorization"] for request in asked)
    assert leaks(told) == []
    assert leaks_in(tmp_path) == {}
    assert [child for child in careless.children.values() if leaks(child)] == []


@pytest.mark.slow
def test_from_a_query_picture_to_its_scores_a_key_lands_nowhere(tmp_path: Path) -> None:
    home = tmp_path / "home"
    careless = Careless()
    stages = [one for one in CAPTION_STAGES if not one.startswith("corpus/")]
    with ChatServer(decide=careless) as server:
        chosen = {**environment(server, home), **CAPTIONS}
        code, told = lifeloom(["materialize", IMAGE_LIBRARY, stages[0]], chosen, careless)
        assert code == 0, told
        for asset in stages[1:]:
            told += lifeloom(["materialize", asset], chosen, careless)[1]
            if not asset.startswith("scores/"):
                stage = asset.replace("/", "_").upper()
                chosen |= {
                    f"LIFELOOM_MODELS__STAGES__{stage}__{role}__BACKEND": "builtin" for role in ("WRITER", "CRITIC")
                }
                code, printed = lifeloom(["materialize", asset], chosen, careless)
                assert code == 0, printed
                told += printed
        asked = server.requests
    assert len(asked) > 50
    assert all(CANARY in request.headers["authorization"] for request in asked)
    assert leaks(told) == []
    assert leaks_in(tmp_path) == {}
    assert [child for child in careless.children.values() if leaks(child)] == []


@pytest.mark.slow
def test_a_refused_key_is_named_by_its_variable_and_shown_nowhere(tmp_path: Path) -> None:
    refused = replace(error(401, ECHO, code="invalid_api_key"), headers=HEADERS)
    with ChatServer(otherwise=refused) as server:
        code, printed = lifeloom(["materialize", "seeds", "release/personas"], environment(server, tmp_path / "home"))
    assert code == 1
    assert "OPENAI_API_KEY" in printed
    assert leaks(printed) == []
    assert leaks_in(tmp_path) == {}


def environment_of(pid: int) -> bytes:
    """The environment with which a process runs its program; empty until it has begun to."""
    deadline = time.monotonic() + 30
    while not (found := Path(f"/proc/{pid}/environ").read_bytes()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


@pytest.mark.slow
def test_the_server_of_mlflow_gets_no_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("LIFELOOM_JUDGE_KEY_FILE", CANARY)
    with serve(Home(tmp_path / "home"), dagster_port=0, mlflow_port=0) as servers:
        told = {server.name: environment_of(server.process.pid) for server in servers}
    assert leaks(told["MLflow"]) == []
    assert b"LIFELOOM_HOME" in told["MLflow"]
    assert leaks(told["Dagster"]) != []  # it runs the stages, and they ask models
