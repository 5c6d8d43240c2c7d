"""Profiles: readable files, environment overrides, errors that name the line and what is allowed."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orchestration.profiles import ProfileError, builtin_profiles, load_profile, profile_path

DEMO = profile_path("demo").read_text()


def write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


def line_of(text: str, needle: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if needle in line)


def test_every_builtin_profile_loads() -> None:
    assert builtin_profiles() == ["demo", "paper", "small", "workstation"]
    for name in builtin_profiles():
        assert load_profile(name, {}).name == name


def test_the_paper_profile_has_the_papers_sizes() -> None:
    paper = load_profile("paper", {})
    assert paper.corpus.personas == 500
    assert (paper.corpus.min_turns, paper.corpus.max_turns) == (20, 100)
    assert paper.release.personas_32k + paper.release.personas_128k == 200
    assert (paper.release.min_turns_128k, paper.release.max_turns_128k) == (100, 500)
    assert paper.scoring.rag_messages == 5


def test_without_a_name_the_environment_decides_and_demo_is_the_default() -> None:
    assert load_profile(None, {}).name == "demo"
    assert load_profile(None, {"LIFELOOM_PROFILE": "small"}).name == "small"


def test_every_value_can_be_overridden_by_environment() -> None:
    profile = load_profile(
        "demo",
        {
            "LIFELOOM_SEED": "11",
            "LIFELOOM_CORPUS__PERSONAS": "20",
            "LIFELOOM_MODELS__READER__WINDOW_TOKENS": "131072",
            "LIFELOOM_SCORING__POLICIES": "rag, blind",
            "LIFELOOM_RELEASE__DEMO_DATE": "2026-02-01",
            "LIFELOOM_SEEDS__PERSONAHUB": "a.jsonl",
        },
    )
    assert profile.seed == 11
    assert profile.corpus.personas == 20
    assert profile.models.reader.window_tokens == 131072
    assert profile.scoring.policies == ("rag", "blind")
    assert profile.release.demo_date == dt.date(2026, 2, 1)
    assert profile.seeds.personahub == "a.jsonl"


def test_a_wrong_key_names_the_line_and_the_allowed_keys(tmp_path: Path) -> None:
    text = DEMO.replace("shards = 2", "shads = 2")
    with pytest.raises(ProfileError) as caught:
        load_profile(write(tmp_path, text), {})
    assert f"line {line_of(text, 'shads')}" in str(caught.value)
    assert "personas, shards, min_turns" in str(caught.value)


def test_a_wrong_value_names_the_line_and_the_allowed_values(tmp_path: Path) -> None:
    text = DEMO.replace(
        '[models.critic]   # checks written sessions\nbackend = "builtin"', '[models.critic]\nbackend = "gpt"'
    )
    assert text != DEMO
    with pytest.raises(ProfileError) as caught:
        load_profile(write(tmp_path, text), {})
    assert f"line {line_of(text, 'gpt')}" in str(caught.value)
    assert "'builtin', 'openai'" in str(caught.value)


def test_a_wrong_override_names_the_variable() -> None:
    with pytest.raises(ProfileError, match=r"LIFELOOM_CORPUS__PERSONAS: corpus\.personas = 'many'"):
        load_profile("demo", {"LIFELOOM_CORPUS__PERSONAS": "many"})
    with pytest.raises(
        ProfileError, match=r"LIFELOOM_CORPUS__PERSON: there is no corpus\.person\. Allowed here: personas"
    ):
        load_profile("demo", {"LIFELOOM_CORPUS__PERSON": "3"})


def test_several_mistakes_are_reported_together(tmp_path: Path) -> None:
    text = DEMO.replace("personas = 12", "personas = 0").replace("rag_messages = 5", "rag_messages = 0")
    with pytest.raises(ProfileError) as caught:
        load_profile(write(tmp_path, text), {})
    assert "corpus.personas" in str(caught.value)
    assert "scoring.rag_messages" in str(caught.value)


@pytest.mark.parametrize("content", ["seed = ", "[corpus\npersonas=1", b"\xff\xfe\x00"])
def test_unreadable_toml_is_a_clear_error(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ProfileError, match=r"broken\.toml is not readable TOML"):
        load_profile(str(path), {})


@pytest.mark.parametrize("name", ["nothing", "../demo", "demo.toml/../x", "/etc/passwd"])
def test_an_unknown_profile_lists_the_known_ones(name: str) -> None:
    with pytest.raises(ProfileError, match="demo, paper, small"):
        load_profile(name, {})


def test_a_remote_backend_must_name_its_model(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="needs model"):
        load_profile("demo", {"LIFELOOM_MODELS__WRITER__BACKEND": "openai"})


def test_a_release_without_personas_is_refused() -> None:
    with pytest.raises(ProfileError, match="needs personas"):
        load_profile("demo", {"LIFELOOM_RELEASE__PERSONAS_32K": "0", "LIFELOOM_RELEASE__PERSONAS_128K": "0"})


def test_variables_that_hold_keys_are_left_alone() -> None:
    assert load_profile("demo", {"LIFELOOM_WRITER_KEY": "secret"}).name == "demo"


def test_a_mistyped_variable_is_refused_with_the_likeliest_meant() -> None:
    with pytest.raises(ProfileError, match=r"LIFELOOM_CORPUS_PERSONAS is no setting.*mean LIFELOOM_CORPUS__PERSONAS"):
        load_profile("demo", {"LIFELOOM_CORPUS_PERSONAS": "3"})


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("LIFELOOM_CORPUS__MIN_TURNS", "90", "min_turns = 90 is above max_turns = 60"),
        ("LIFELOOM_RELEASE__MIN_TURNS_128K", "400", "min_turns_128k = 400 is above"),
        ("LIFELOOM_CORPUS__SHARDS", "50", "every shard needs a persona"),
        ("LIFELOOM_CORPUS__ENDS_ON", "0001-01-01", "LIFELOOM_CORPUS__ENDS_ON"),
        ("LIFELOOM_RELEASE__DEMO_DATE", "9999-12-31", "LIFELOOM_RELEASE__DEMO_DATE"),
        ("LIFELOOM_SCORING__POLICIES", "", "scoring.policies"),
        ("LIFELOOM_SCORING__POLICIES", "rag,rag", "named twice"),
        ("LIFELOOM_MODELS__READER__BASE_URL", "not a url", "http://127.0.0.1"),
    ],
)
def test_values_that_cannot_work_are_refused_before_anything_runs(variable: str, value: str, words: str) -> None:
    with pytest.raises(ProfileError) as caught:
        load_profile("demo", {variable: value})
    assert words in str(caught.value)
    assert variable in str(caught.value)


def test_a_password_in_a_base_url_is_refused_and_not_shown() -> None:
    with pytest.raises(ProfileError) as caught:
        load_profile("demo", {"LIFELOOM_MODELS__READER__BASE_URL": "http://me:canary-12345@host/v1"})
    assert "canary-12345" not in str(caught.value)
