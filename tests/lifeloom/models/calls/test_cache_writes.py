"""Answers that many threads keep at the same moment are written together, and each is on disk when it is said to be."""

from __future__ import annotations

import concurrent.futures
import os
import sqlite3
from pathlib import Path

import pytest

from lifeloom.models import CachedAnswer, CacheUnusable, Request, ResponseCache


def request(number: int) -> Request:
    return Request("b", "", "m", "p@1", "", f"question {number}", {}, "")


def test_every_answer_is_there_for_another_connection_as_soon_as_it_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path) as cache:

        def keep(number: int) -> bool:
            cache.put(request(number), CachedAnswer(f"answer {number}", 1, 1))
            with sqlite3.connect(path) as other:
                return bool(other.execute("SELECT 1 FROM answers WHERE key = ?", (request(number).key,)).fetchone())

        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            assert all(pool.map(keep, range(400)))
        assert cache.stats().rows == 400


def test_a_write_that_cannot_be_made_is_told_to_each_that_wanted_one(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path) as cache:
        with sqlite3.connect(path) as other:
            other.execute("ALTER TABLE answers RENAME TO elsewhere")

        def keep(number: int) -> str:
            try:
                cache.put(request(number), CachedAnswer("a", 1, 1))
            except CacheUnusable:
                return "told"
            return "kept"

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            assert set(pool.map(keep, range(64))) == {"told"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_that_was_forked_keeps_its_answers(tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        cache.put(request(1), CachedAnswer("mine", 1, 1))
        child = os.fork()
        if child == 0:
            try:
                cache.put(request(2), CachedAnswer("the child's", 1, 1))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        kept = cache.get(request(2))
        assert kept is not None
        assert kept.text == "the child's"
