"""The files of life graphs in the cache, and the names of retrieval methods."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from lifeloom.lifegraph.file import LifeGraphFile, write_graph
from lifeloom.store import DatasetStore, MediaMissing
from resources.life_policy_names import NoSuchPolicy, parse_life_policy
from resources.lives import graph_file
from tests.lifeloom.lifegraph.searching import fishing_graph


@pytest.fixture
def store(tmp_path: Path) -> DatasetStore:
    return DatasetStore(str(tmp_path / "data"))


@pytest.fixture
def content(store: DatasetStore, tmp_path: Path) -> str:
    write_graph(tmp_path / "made.sqlite", fishing_graph())
    return store.media.put((tmp_path / "made.sqlite").read_bytes())


@pytest.mark.parametrize(
    "broken", [b"", b"SQLite format 3\0", b"not a database at all " * 200, None], ids=["empty", "cut", "other", "gone"]
)
def test_a_graph_in_the_cache_that_is_not_the_stored_one_is_laid_there_anew(
    store: DatasetStore, content: str, tmp_path: Path, broken: bytes | None
) -> None:
    cache = tmp_path / "cache"
    path = graph_file(store.media, content, cache)
    path.unlink() if broken is None else path.write_bytes(broken)
    again = graph_file(store.media, content, cache)
    assert hashlib.sha256(again.read_bytes()).hexdigest() == content
    assert list(cache.iterdir()) == [path]
    with LifeGraphFile.open(again) as file:
        assert len(file.graph().facts) == len(fishing_graph().facts)


def test_a_whole_graph_in_the_cache_is_used_though_the_store_lost_it(
    store: DatasetStore, content: str, tmp_path: Path
) -> None:
    path = graph_file(store.media, content, tmp_path / "cache")
    Path(store.media.path(content)).unlink()
    assert graph_file(store.media, content, tmp_path / "cache") == path
    path.write_bytes(b"")
    with pytest.raises(MediaMissing):
        graph_file(store.media, content, tmp_path / "cache")


def test_the_name_of_a_method_gives_depth_width_and_what_is_left_out() -> None:
    settings = parse_life_policy("lifegraph-d3-k10-norefs-tools")
    assert (settings.depth, settings.width, settings.references, settings.tools) == (3, 10, False, True)


@pytest.mark.parametrize(
    "name", ["nonsense", "lifegraph-d0-k0", "lifegraph-d2-k51", "lifegraph-d2-k3\n", "rap-k0", "rap-k3-tools", "rap"]
)
def test_a_name_of_no_method_is_refused_and_the_message_says_which_there_are(name: str) -> None:
    with pytest.raises(NoSuchPolicy, match=r"rap-k3.*lifegraph-d2-k3"):
        parse_life_policy(name)


def test_a_baseline_has_a_width_alone() -> None:
    wanted = parse_life_policy("rag-cap-k50")
    assert (wanted.kind, wanted.width, wanted.depth, wanted.references, wanted.tools) == ("rag-cap", 50, 0, True, False)
