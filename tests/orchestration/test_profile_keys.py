"""A key that was put into a profile by mistake is refused, and shown nowhere."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from orchestration.profiles import ProfileError, load_profile, profile_path

KEYS = {
    "openai": "sk-proj-canary0123456789abcdefgh",
    "google": "AIzaSyCanary0123456789abcdefghijklmnopq",
    "huggingface": "hf_canary0123456789abcdefghijklmnopqr",
    "capitals": "CANARY0123456789ABCDEFGHIJ",
    "words": "canary-0123456789-abcdef",
}


def refusal(environment: dict[str, str], name: str = "demo") -> str:
    """What the refusal says in full, as a program that does not catch it would print it."""
    with pytest.raises(ProfileError) as caught:
        load_profile(name, environment)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    return f"{caught.value!r}\n{''.join(traceback.format_exception(caught.value))}"


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("place", ["MODELS__WRITER", "MODELS__STAGES__CORPUS_DIALOGUES__READER", "PICTURES"])
def test_a_key_in_place_of_its_variables_name_is_refused(place: str, key: str) -> None:
    told = refusal({f"LIFELOOM_{place}__API_KEY_VARIABLE": key})
    assert key not in told
    assert f"LIFELOOM_{place}__API_KEY_VARIABLE" in told
    assert "api_key_variable" in told


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_there_is_no_place_for_a_key_in_a_profile(key: str) -> None:
    told = refusal({"LIFELOOM_MODELS__WRITER__API_KEY": key})
    assert key not in told
    assert "there is no models.writer.api_key" in told or "this looks like a key" in told


@pytest.mark.parametrize("key", [KEYS["openai"], KEYS["google"], KEYS["huggingface"]])
@pytest.mark.parametrize(
    "line",
    [
        'api_key = "{}"',
        'model = "{}"',
        'base_url = "http://127.0.0.1/{}"',
        'api_key_variable = "{}"',
        'window_tokens = "{}"',
        "[models.stages.{}]",
        "[models.stages.{0}]\n[models.stages.{0}]",
    ],
)
def test_what_looks_like_a_key_is_refused_wherever_it_stands_in_a_file(tmp_path: Path, line: str, key: str) -> None:
    text = profile_path("demo").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(
        f"{text}\n[models.stages.corpus_personas.judge]\nbackend = 'openai'\n{line.format(key)}\n", encoding="utf-8"
    )
    told = refusal({}, str(path))
    assert key not in told
    assert "mine.toml" in told
    assert "Keys never stand in a profile" in told or "not readable TOML" in told


def test_folders_and_names_of_models_are_not_taken_for_keys() -> None:
    for name in ("hf-internal-testing/tiny-random-llama", "/models/hf_checkpoints_2026/task-skip", "gpt-4o-mini"):
        environment = {"LIFELOOM_MODELS__WRITER__BACKEND": "openai", "LIFELOOM_MODELS__WRITER__MODEL": name}
        assert load_profile("demo", environment).models.writer.model == name


@pytest.mark.parametrize("variable", ["LIFELOOM_WRITER_KEY", "LIFELOOM_WRITER_KEY_FILE", "LIFELOOM_JUDGE_TOKEN"])
def test_variables_that_hold_keys_or_name_their_files_are_let_through(variable: str) -> None:
    assert load_profile("demo", {variable: "/run/secrets/writer"}).name == "demo"


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "LIFELOOM_WRITER_KEY", "TEAM_TOKEN", "MY_SECRET"])
def test_a_variable_whose_name_says_that_it_holds_a_key_may_be_named(variable: str) -> None:
    assert (
        load_profile("demo", {"LIFELOOM_MODELS__WRITER__API_KEY_VARIABLE": variable}).models.writer.api_key_variable
        == variable
    )


def test_a_variable_whose_name_does_not_is_refused_since_every_child_would_get_it() -> None:
    told = refusal({"LIFELOOM_MODELS__WRITER__API_KEY_VARIABLE": "MY_MODEL_ACCESS"})
    assert "_KEY" in told
