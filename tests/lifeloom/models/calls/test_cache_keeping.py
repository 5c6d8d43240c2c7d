"""Looking after the response cache: what is in it, what goes, and files of an older format."""

from __future__ import annotations

import dataclasses
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lifeloom.models import CachedAnswer, CacheUnusable, RejectedAnswer, Request, ResponseCache

OLD_FILE = Path(__file__).parent / "answers_format_1.sqlite"
"""Written by the version of Lifeloom that knew format 1: three answers to ``REQUEST`` with "question 0" to 2."""

REQUEST = Request(
    backend="openai",
    base_url="http://127.0.0.1:8000/v1",
    model="m",
    prompt_version="choice_answer@1+00000000",
    instructions="Answer.",
    prompt="question 0",
    parameters={"temperature": 0.0, "max_tokens": 64},
    schema='{"type":"object"}',
)
NOON = 1_767_614_400.0


class Clock:
    """Seconds since 1970 that stand until they are moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


def _cache(tmp_path: Path, clock: Clock) -> ResponseCache:
    return ResponseCache(tmp_path / "answers.sqlite", now=clock)


def _put(cache: ResponseCache, number: int, text: str = "{}", **change: str) -> Request:
    request = dataclasses.replace(REQUEST, prompt=f"question {number}", **change)  # type: ignore[arg-type]
    cache.put(request, CachedAnswer(text, 100, 10))
    return request


def _reject(cache: ResponseCache, number: int, raw: str = "no JSON", **change: str) -> None:
    request = dataclasses.replace(REQUEST, prompt=f"question {number}", **change)  # type: ignore[arg-type]
    cache.put_rejected(request, RejectedAnswer("bad_json", raw, "no object", 100, 10))


def test_answers_are_listed_by_model_and_prompt_with_their_age_and_cost(tmp_path: Path) -> None:
    clock = Clock()
    with _cache(tmp_path, clock) as cache:
        _put(cache, 0, "x" * 1000)
        clock.now += 60
        _put(cache, 1, "é" * 1000)
        _put(cache, 2, model="n")
        _put(cache, 3, prompt_version="session_writing@1+00000000")
        groups = cache.list_answers()
    assert [(group.model, group.prompt_version.split("@")[0], group.rows) for group in groups] == [
        ("m", "choice_answer", 2),
        ("m", "session_writing", 1),
        ("n", "choice_answer", 1),
    ]
    first = groups[0]
    assert (first.prompt_tokens, first.completion_tokens) == (200, 20)
    assert (first.oldest, first.newest) == (NOON, NOON + 60)
    assert 3000 < first.bytes < 4000  # one of the texts takes two bytes a letter


def test_pruning_by_age_removes_what_is_older_and_keeps_the_rest(tmp_path: Path) -> None:
    clock = Clock()
    with _cache(tmp_path, clock) as cache:
        old = _put(cache, 0)
        _reject(cache, 1)
        clock.now += 3600
        young = _put(cache, 2)
        _reject(cache, 3)
        pruned = cache.prune(older_than=NOON + 1800)
        assert (pruned.answers, pruned.rejected) == (1, 1)
        assert cache.get(old) is None
        assert cache.get(young) is not None
        assert [one.made_at for one in cache.rejected()] == [NOON + 3600]


def test_pruning_a_model_or_a_task_leaves_the_others(tmp_path: Path) -> None:
    with _cache(tmp_path, Clock()) as cache:
        of_n = _put(cache, 0, model="n")
        of_writing = _put(cache, 1, prompt_version="session_writing@2+00000000")
        similar = _put(cache, 2, prompt_version="session_writing_too@1+00000000")
        rest = _put(cache, 3)
        assert cache.prune(model="n").answers == 1
        assert cache.prune(prompt_version="session_writing").answers == 1
        assert [cache.get(one) is None for one in (of_n, of_writing, similar, rest)] == [True, True, False, False]


def test_filters_must_all_hold(tmp_path: Path) -> None:
    clock = Clock()
    with _cache(tmp_path, clock) as cache:
        kept = [_put(cache, 0), _put(cache, 1, model="n", prompt_version="other@1")]
        _put(cache, 2, model="n")
        clock.now += 10
        kept.append(_put(cache, 3, model="n"))
        pruned = cache.prune(model="n", prompt_version=REQUEST.prompt_version, older_than=NOON + 5)
        assert pruned.answers == 1
        assert all(cache.get(one) is not None for one in kept)


def test_pruning_to_a_size_removes_the_oldest_and_gives_the_room_back(tmp_path: Path) -> None:
    clock = Clock()
    with _cache(tmp_path, clock) as cache:
        requests = []
        for number in range(200):
            clock.now += 1
            requests.append(_put(cache, number, "x" * 5000))
        before = (tmp_path / "answers.sqlite").stat().st_size + (tmp_path / "answers.sqlite-wal").stat().st_size
        pruned = cache.prune(most_bytes=200_000)
        kept = [cache.get(request) is not None for request in requests]
        assert kept == sorted(kept)  # the oldest went
        assert 35 <= sum(kept) <= 40
        assert pruned.answers == 200 - sum(kept)
        assert pruned.shrunk
        assert (tmp_path / "answers.sqlite").stat().st_size < 400_000 < before


def test_a_cache_that_is_small_enough_loses_nothing(tmp_path: Path) -> None:
    with _cache(tmp_path, Clock()) as cache:
        request = _put(cache, 0)
        assert cache.prune(most_bytes=10_000).answers == 0
        assert cache.get(request) is not None


def test_pruning_needs_to_be_told_what_goes(tmp_path: Path) -> None:
    with _cache(tmp_path, Clock()) as cache, pytest.raises(ValueError, match="say what is to go"):
        cache.prune()


def test_rejected_answers_are_kept_whole_and_shown_newest_first(tmp_path: Path) -> None:
    clock = Clock()
    raw = "Certainly! " + "I will now " * 5000
    with _cache(tmp_path, clock) as cache:
        _reject(cache, 0, raw)
        clock.now += 1
        _reject(cache, 1, prompt_version="session_writing@1+00000000")
        assert [one.prompt_version.split("@")[0] for one in cache.rejected()] == ["session_writing", "choice_answer"]
        assert [one.raw for one in cache.rejected("choice_answer")] == [raw]
        assert len(cache.rejected(most=1)) == 1
        assert cache.list_answers() == []  # none of them is an answer


WRITER = """
import dataclasses, sys
from lifeloom.models import CachedAnswer, Request, ResponseCache
base = Request("openai", "u", "young", "v", "i", "p", {}, "{}")
with ResponseCache(sys.argv[1]) as cache:
    print("ready", flush=True)
    for number in range(300):
        request = dataclasses.replace(base, prompt=str(number))
        cache.put(request, CachedAnswer("x" * 2000, 1, 1))
        assert cache.get(request) is not None
"""


def test_another_process_goes_on_writing_while_this_one_prunes(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path) as cache:
        for number in range(200):
            _put(cache, number, "x" * 2000)
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            assert cache.prune(model="m").answers == 200
            _, problem = writer.communicate(timeout=60)
        assert writer.returncode == 0, problem
        assert [(group.model, group.rows) for group in cache.list_answers()] == [("young", 300)]


def test_a_file_of_format_1_keeps_its_answers_and_learns_their_size(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    shutil.copy(OLD_FILE, path)
    before = time.time() - 1
    with ResponseCache(path) as cache:
        answer = cache.get(REQUEST)
        assert answer == CachedAnswer('{"letter": "é", "n": 0}', 12, 3)
        (group,) = cache.list_answers()
        assert (group.rows, group.prompt_tokens) == (3, 36)
        assert 600 < group.bytes < 1000
        assert before < group.oldest < group.newest < time.time() + 1
        # Room for one answer: of those whose age nobody knows the first ones go first.
        assert cache.prune(most_bytes=300).answers == 2
        assert cache.get(dataclasses.replace(REQUEST, prompt="question 2")) is not None
        _reject(cache, 9)
        assert len(cache.rejected()) == 1
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (2,)
    file.close()


def test_processes_that_open_a_file_of_format_1_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    shutil.copy(OLD_FILE, path)
    script = "import sys; from lifeloom.models import ResponseCache; print(ResponseCache(sys.argv[1]).stats().rows)"
    started = [
        subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [process.communicate(timeout=60)[0].strip() for process in started] == ["3", "3", "3"]


def test_a_file_of_a_format_before_the_first_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    shutil.copy(OLD_FILE, path)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 0")
    file.close()
    with pytest.raises(CacheUnusable, match="format 0"):
        ResponseCache(path)
