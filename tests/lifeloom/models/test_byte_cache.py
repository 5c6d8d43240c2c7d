"""Tests of lifeloom.models.byte_cache."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import pytest

from lifeloom.models.byte_cache import ByteCache, CacheFileUnusable


def test_values_are_found_by_space_and_key():
    cache = ByteCache(None, 10)
    cache.put_many("one", {b"a": b"1", b"b": b"2"})
    assert cache.get_many("one", [b"b", b"c", b"a"]) == {b"a": b"1", b"b": b"2"}
    assert cache.get_many("other", [b"a"]) == {}


def test_memory_forgets_the_least_recently_used():
    cache = ByteCache(None, 2)
    cache.put_many("s", {b"a": b"1", b"b": b"2"})
    cache.get_many("s", [b"a"])
    cache.put_many("s", {b"c": b"3"})
    assert cache.get_many("s", [b"a", b"b", b"c"]) == {b"a": b"1", b"c": b"3"}


def test_what_memory_forgot_is_still_in_the_file(tmp_path):
    cache = ByteCache(tmp_path / "deep" / "cache.sqlite", 0)
    cache.put_many("s", {b"%d" % n: b"v%d" % n for n in range(2000)})
    assert len(cache.get_many("s", [b"%d" % n for n in range(2000)])) == 2000


def test_a_later_cache_reads_the_file(tmp_path):
    first = ByteCache(tmp_path / "cache.sqlite", 10)
    first.put_many("s", {b"a": b"1"})
    first.put_many("s", {b"a": b"2"})
    first.close()
    assert ByteCache(tmp_path / "cache.sqlite", 10).get_many("s", [b"a"]) == {b"a": b"2"}


def test_a_closed_cache_opens_again(tmp_path):
    cache = ByteCache(tmp_path / "cache.sqlite", 0)
    cache.put_many("s", {b"a": b"1"})
    cache.close()
    assert cache.get_many("s", [b"a"]) == {b"a": b"1"}


def test_threads_share_one_cache(tmp_path):
    cache = ByteCache(tmp_path / "cache.sqlite", 5)

    def work(number: int) -> bytes:
        cache.put_many("s", {b"%d" % number: b"v%d" % number})
        return cache.get_many("s", [b"%d" % number])[b"%d" % number]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(40))) == [b"v%d" % n for n in range(40)]


def _write_in_child(cache: ByteCache) -> None:
    cache.put_many("s", {b"child": b"2"})


def test_a_forked_process_opens_the_file_for_itself(tmp_path):
    cache = ByteCache(tmp_path / "cache.sqlite", 10)
    cache.put_many("s", {b"parent": b"1"})
    child = multiprocessing.get_context("fork").Process(target=_write_in_child, args=(cache,))
    child.start()
    child.join()
    assert child.exitcode == 0
    assert cache.get_many("s", [b"parent", b"child"]) == {b"parent": b"1", b"child": b"2"}


def test_a_file_that_is_no_cache_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "cache.sqlite"
    path.write_bytes(b"not a database, but long enough to look at" * 50)
    with pytest.raises(CacheFileUnusable, match="delete it or name another"):
        ByteCache(path, 10).get_many("s", [b"a"])


def test_a_cache_that_breaks_while_open_is_refused_too(tmp_path):
    path = tmp_path / "cache.sqlite"
    cache = ByteCache(path, 0)
    cache.put_many("s", {b"%d" % n: bytes(200) for n in range(500)})
    cache.close()
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 40_000)
    with pytest.raises(CacheFileUnusable, match="delete it or name another"):
        ByteCache(path, 0).get_many("s", [b"%d" % n for n in range(500)])


def test_a_negative_number_of_values_to_keep_is_refused():
    with pytest.raises(ValueError, match="0 or more"):
        ByteCache(None, -1)
