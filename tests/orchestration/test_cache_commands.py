"""`lifeloom cache`: what it lists, what it removes, and what it asks before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from lifeloom.models import CachedAnswer, RejectedAnswer, Request, ResponseCache
from orchestration.cache_commands import age_seconds, cache_app, size_bytes, size_text

DAY = 86_400.0


@pytest.fixture
def cache_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home's cache with an old answer of ``m``, a young one of ``n``, and a rejected one."""
    monkeypatch.setenv("LIFELOOM_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    path = tmp_path / "cache" / "responses.sqlite"
    old = Request("openai", "u", "m", "session_writing@1+aa", "i", "p", {}, "{}")
    with ResponseCache(path, now=lambda: 1_767_614_400.0) as cache:
        cache.put(old, CachedAnswer("x" * 3000, 100, 10))
    with ResponseCache(path) as cache:
        cache.put(Request("openai", "u", "n", "choice_answer@1+bb", "i", "p", {}, "{}"), CachedAnswer("{}", 7, 3))
        cache.put_rejected(old, RejectedAnswer("bad_json", "Sure! [bold]Here\x1b[2J it is", "no object", 100, 10))
    return path


def _run(*arguments: str, answer: str = "") -> str:
    result = CliRunner().invoke(cache_app, list(arguments), input=answer)
    assert result.exit_code == 0, result.output
    return result.output


def _models(path: Path) -> list[str]:
    with ResponseCache(path) as cache:
        return [group.model for group in cache.list_answers()]


def test_the_list_shows_models_prompts_sizes_and_ages(cache_file: Path) -> None:
    shown = _run("list")
    assert "openai/m" in shown
    assert "session_writing@1+aa" in shown
    assert "3.2 kB" in shown
    assert "2026-01-05" in shown
    assert f"2 answers and 1 rejected in {cache_file}" in shown


def test_pruning_by_age_removes_the_old_answer(cache_file: Path) -> None:
    assert "1 answer and 0 rejected removed; 1 answer left" in _run("prune", "--older-than", "30d", "--yes")
    assert _models(cache_file) == ["n"]


def test_pruning_asks_first_and_does_nothing_without_a_yes(cache_file: Path) -> None:
    result = CliRunner().invoke(cache_app, ["prune", "--model", "m"], input="n\n")
    assert result.exit_code == 1
    assert "Remove all answers of m from" in result.output
    assert _models(cache_file) == ["m", "n"]
    _run("prune", "--model", "m", answer="y\n")
    assert _models(cache_file) == ["n"]


def test_pruning_to_a_size_removes_the_oldest(cache_file: Path) -> None:
    _run("prune", "--most-bytes", "1kB", "--yes")
    assert _models(cache_file) == ["n"]


def test_pruning_needs_to_be_told_what_goes(cache_file: Path) -> None:
    result = CliRunner().invoke(cache_app, ["prune", "--yes"])
    assert result.exit_code == 2
    assert "say what is to go" in result.output
    assert _models(cache_file) == ["m", "n"]


def test_rejected_answers_are_shown_as_they_are_but_obeyed_by_no_terminal(cache_file: Path) -> None:
    shown = _run("rejected")
    assert "session_writing@1+aa: bad_json" in shown
    assert "Sure! [bold]Here" in shown
    assert "\x1b" not in shown
    assert "no answer to choice_answer was rejected" in _run("rejected", "--task", "choice_answer")


def test_where_later_checks_put_their_reasons_is_said_beside_rejected_answers(cache_file: Path) -> None:
    for shown in (_run("rejected"), _run("rejected", "--task", "choice_answer")):
        assert "turns_do_not_match_plan" in shown
        assert "table `rejections`" in shown


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_the_list_cuts_neither_numbers_nor_names_on_a_narrow_terminal(
    term: str, cache_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = "Qwen/Qwen2.5-VL-72B-Instruct-AWQ"
    request = Request("openai", "u", model, "persona_enrichment@3+c0ffee", "i", "p", {}, "{}")
    with ResponseCache(cache_file) as cache:
        cache.put(request, CachedAnswer("{}", 123_456_789, 9_876_543))
    monkeypatch.setenv("COLUMNS", "80")
    piped = _run("list")
    monkeypatch.setenv("FORCE_COLOR", "1")  # makes a terminal of it
    monkeypatch.setenv("TERM", term)
    narrow = re.sub(r"\x1b\[[0-9;]*m", "", _run("list"))
    for shown in (piped, narrow):
        assert "123,456,789" in shown
        assert "9,876,543" in shown
        assert "…" not in shown
    assert f"openai/{model}" in piped
    assert f"openai/{model}" not in narrow
    starts = [line.strip().split(" ")[0] for line in narrow.splitlines()]
    assert {"openai/Qwen/", "Qwen2.5-VL-", "Instruct-AWQ", "enrichment@"} <= set(starts)


def test_a_home_without_a_cache_has_nothing_and_gets_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIFELOOM_HOME", str(tmp_path / "home"))
    for command in (["list"], ["rejected"], ["prune", "--older-than", "1d", "--yes"]):
        assert "no answers are kept" in _run(*command).replace("\n", " ")
    assert not (tmp_path / "home").exists()


def test_ages_and_sizes_are_read_as_people_write_them() -> None:
    assert [age_seconds(text) for text in ("30d", "12 h", "2W", "1.5h")] == [30 * DAY, DAY / 2, 14 * DAY, 5400]
    assert [size_bytes(text) for text in ("1GB", "500 mb", "2GiB", "100", "1.5k")] == [
        10**9,
        5 * 10**8,
        2 * 1024**3,
        100,
        1500,
    ]
    assert [size_text(size) for size in (999, 1500, 250_000, 3.2e9)] == ["999 bytes", "1.5 kB", "250 kB", "3.2 GB"]
    for wrong in ("soon", "30", "-1d", "1y", "1e9d"):
        with pytest.raises(typer.BadParameter, match="is no age"):
            age_seconds(wrong)
    for wrong in ("large", "-1", "1PB", "0x10"):
        with pytest.raises(typer.BadParameter, match="is no size"):
            size_bytes(wrong)
