"""The response cache: what its key covers, sharing between threads and processes, and damaged files."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import multiprocessing
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from lifeloom.models import (
    CacheCorrupt,
    CachedAnswer,
    CacheError,
    CacheUnusable,
    ModelError,
    Request,
    ResponseCache,
)

REQUEST = Request(
    backend="openai",
    base_url="http://127.0.0.1:8000/v1",
    model="m",
    prompt_version="choice_answer@1+00000000",
    instructions="Answer.",
    prompt="Which tea?",
    parameters={"temperature": 0.0, "max_tokens": 64},
    schema='{"type":"object"}',
)
ANSWER = CachedAnswer(text='{"letter": "é"}', prompt_tokens=12, completion_tokens=3)


def _numbered(number: int) -> Request:
    return dataclasses.replace(REQUEST, prompt=f"question {number}")


def test_an_answer_is_found_again_also_after_opening_the_file_anew(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path) as cache:
        assert cache.get(REQUEST) is None
        cache.put(REQUEST, ANSWER)
        assert cache.get(REQUEST) == ANSWER
    with ResponseCache(path) as cache:
        assert cache.get(REQUEST) == ANSWER


@pytest.mark.parametrize(
    "change",
    [
        {"backend": "gemini"},
        {"base_url": "http://127.0.0.1:8001/v1"},
        {"model": "n"},
        {"prompt_version": "choice_answer@2+00000000"},
        {"instructions": "Guess."},
        {"prompt": "Which tea? "},
        {"parameters": {"temperature": 0.1, "max_tokens": 64}},
        {"parameters": {"temperature": 0.0, "max_tokens": 65}},
        {"schema": '{"type":"array"}'},
        {"images": ("0" * 64,)},
        {"sample": 1},
    ],
)
def test_every_part_of_a_request_is_part_of_its_key(change: dict[str, object]) -> None:
    assert dataclasses.replace(REQUEST, **change).key != REQUEST.key  # type: ignore[arg-type]


def test_texts_cannot_slide_from_one_part_of_the_key_into_the_next() -> None:
    one = dataclasses.replace(REQUEST, instructions="ab", prompt="c")
    two = dataclasses.replace(REQUEST, instructions="a", prompt="bc")
    assert one.key != two.key


def test_the_order_of_images_counts_and_that_of_parameters_does_not() -> None:
    first = dataclasses.replace(REQUEST, images=("a", "b"))
    assert first.key != dataclasses.replace(REQUEST, images=("b", "a")).key
    swapped = dataclasses.replace(REQUEST, parameters={"max_tokens": 64, "temperature": 0.0})
    assert swapped.key == REQUEST.key


def test_a_key_is_the_same_in_every_process() -> None:
    script = f"from lifeloom.models import Request; print({REQUEST!r}.key)"
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert done.stdout.strip() == REQUEST.key


def test_a_later_answer_to_the_same_request_replaces_the_first(tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        cache.put(REQUEST, ANSWER)
        cache.put(REQUEST, dataclasses.replace(ANSWER, text="{}"))
        assert cache.get(REQUEST) == dataclasses.replace(ANSWER, text="{}")
        assert cache.stats().rows == 1


def test_stats_count_rows_and_bytes(tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        assert cache.stats().rows == 0
        for number in range(10):
            cache.put(_numbered(number), dataclasses.replace(ANSWER, text="x" * 10_000))
        stats = cache.stats()
        assert stats.rows == 10
        assert 100_000 < stats.bytes < 250_000


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_threads_share_one_cache_with_one_connection(tmp_path: Path) -> None:
    def work(number: int) -> bool:
        cache.put(_numbered(number % 50), dataclasses.replace(ANSWER, prompt_tokens=number % 50))
        found = cache.get(_numbered(number % 50))
        return found is not None and found.prompt_tokens == number % 50

    before = _open_files()
    with (
        ResponseCache(tmp_path / "answers.sqlite") as cache,
        concurrent.futures.ThreadPoolExecutor(32) as pool,
    ):
        assert all(pool.map(work, range(500)))
        assert cache.stats().rows == 50
        assert _open_files() - before <= 6  # the file, its log and index, however many threads


PROCESS = """
import dataclasses, sys
from lifeloom.models import CachedAnswer, Request, ResponseCache
path, first = sys.argv[1], int(sys.argv[2])
base = Request("openai", "u", "m", "v", "i", "p", {}, "{}")
with ResponseCache(path) as cache:
    for number in range(first, first + 100):
        cache.put(dataclasses.replace(base, prompt=str(number)), CachedAnswer(str(number), 1, 1))
"""


def test_processes_that_start_at_once_on_a_new_file_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    started = [
        subprocess.Popen([sys.executable, "-c", PROCESS, str(path), str(first)], stderr=subprocess.PIPE, text=True)
        for first in (0, 50, 100, 150)  # they overlap
    ]
    for process in started:
        _, problem = process.communicate(timeout=60)
        assert process.returncode == 0, problem
    with ResponseCache(path) as cache:
        assert cache.stats().rows == 250


def _child(cache: ResponseCache) -> None:
    found = cache.get(REQUEST)
    cache.put(_numbered(1), ANSWER)
    os._exit(0 if found == ANSWER else 1)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_can_go_on_using_the_cache(tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        cache.put(REQUEST, ANSWER)
        process = multiprocessing.get_context("fork").Process(target=_child, args=(cache,))
        process.start()
        process.join(30)
        assert process.exitcode == 0
        assert cache.get(_numbered(1)) == ANSWER
        cache.put(_numbered(2), ANSWER)
        assert cache.stats().rows == 3


KILLED = """
import os, signal, sys
from lifeloom.models import CachedAnswer, Request, ResponseCache
cache = ResponseCache(sys.argv[1])
cache.put(Request("openai", "u", "m", "v", "i", "p", {}, "{}"), CachedAnswer("kept", 1, 1))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_an_answer_survives_the_kill_of_the_process_that_paid_for_it(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    with ResponseCache(path) as cache:
        assert cache.get(Request("openai", "u", "m", "v", "i", "p", {}, "{}")) == CachedAnswer("kept", 1, 1)


def test_a_file_that_is_no_database_is_corrupt_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_bytes(b"not a database, but long enough to be looked at " * 100)
    before = path.read_bytes()
    with pytest.raises(CacheCorrupt, match="delete it") as caught:
        ResponseCache(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_a_damaged_page_is_a_typed_error_that_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path) as cache:
        for number in range(200):
            cache.put(_numbered(number), dataclasses.replace(ANSWER, text="x" * 2000))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))

    def read_all() -> None:
        with ResponseCache(path) as cache:
            for number in range(200):
                cache.get(_numbered(number))

    with pytest.raises(CacheCorrupt, match=r"damaged.*delete it"):
        read_all()


def test_tables_whose_names_are_no_text_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path) as cache:
        cache.put(_numbered(1), ANSWER)
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE TABL\xa3"))
    with pytest.raises(CacheCorrupt, match=r"damaged.*delete it"):
        ResponseCache(path)


def test_an_empty_file_becomes_a_cache(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.touch()
    with ResponseCache(path) as cache:
        cache.put(REQUEST, ANSWER)
        assert cache.stats().rows == 1


def test_another_programs_database_is_not_written_into(tmp_path: Path) -> None:
    path = tmp_path / "mlflow.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE runs (id)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(CacheUnusable, match="another program"):
        ResponseCache(path)
    assert path.read_bytes() == before


def test_a_cache_of_another_format_is_named_and_left(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    ResponseCache(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(CacheUnusable, match="format 99"):
        ResponseCache(path)


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    ResponseCache(tmp_path / "new" / "answers.sqlite").close()
    assert (tmp_path / "new" / "answers.sqlite").is_file()


def test_a_path_that_is_a_folder_or_lies_in_a_file_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "answers.sqlite"):
        with pytest.raises(CacheUnusable, match=r"response cache .* cannot be"):
            ResponseCache(path)


def test_a_closed_cache_says_so(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "answers.sqlite")
    cache.close()
    cache.close()
    with pytest.raises(CacheUnusable, match="closed"):
        cache.get(REQUEST)


def test_cache_errors_are_model_errors() -> None:
    assert issubclass(CacheError, ModelError)
    assert issubclass(CacheCorrupt, CacheError)
