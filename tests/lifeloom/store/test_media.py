import hashlib
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.records import Rejection
from lifeloom.store import DatasetCorrupt, DatasetMissing, DatasetStore, InvalidKey, MediaCorrupt, MediaMissing, Recipe

RECIPE = Recipe(stage="corpus/scenes", seed=1)


@pytest.fixture(params=["local", "memory"])
def store(request, tmp_path):
    yield DatasetStore(tmp_path if request.param == "local" else f"memory://{tmp_path.name}", revision="r1")
    MemoryFileSystem.store.clear()


def test_media_are_found_by_the_hash_of_their_bytes(store):
    content = store.media.put(b"a picture")

    assert content == hashlib.sha256(b"a picture").hexdigest()
    assert store.media.get(content) == b"a picture"
    assert store.media.has(content)


@settings(max_examples=30, deadline=None)
@given(st.binary(max_size=3000))
def test_any_bytes_come_back(data):
    media = DatasetStore("memory://media-any").media
    assert media.get(media.put(data)) == data


def test_equal_media_are_stored_once(tmp_path):
    media = DatasetStore(tmp_path).media

    assert media.put(b"same") == media.put(b"same")
    assert media.put(b"other") != media.put(b"same")
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 2


def test_missing_media_are_told(store):
    with pytest.raises(MediaMissing, match="make its data set again"):
        store.media.get("0" * 64)
    with pytest.raises(DatasetMissing):
        store.media.get("0" * 64)
    assert not store.media.has("0" * 64)


@pytest.mark.parametrize("data", [b"", b"a pictur", b"b picture"], ids=["empty", "cut short", "changed"])
def test_damaged_media_are_told(tmp_path, data):
    media = DatasetStore(tmp_path).media
    content = media.put(b"a picture")
    (path,) = tmp_path.glob(f"media/*/{content}")
    path.write_bytes(data)

    with pytest.raises(MediaCorrupt, match="other content than its name says"):
        media.get(content)
    with pytest.raises(DatasetCorrupt):
        media.get(content)


@pytest.mark.parametrize("data", [b"", b"a pictur", b"b picture"], ids=["empty", "cut short", "same size"])
def test_making_a_data_set_again_mends_its_damaged_media(tmp_path, data):
    store = DatasetStore(tmp_path, revision="r1")

    def make(writer):
        writer.write("rejections", Rejection, [])
        writer.put_media(b"a picture")

    (content,) = store.produce("corpus/scenes", RECIPE, make).manifest.media
    Path(store.media.path(content)).write_bytes(data)
    again = store.produce("corpus/scenes", Recipe(stage="corpus/scenes", seed=2), make)

    assert not again.reused
    assert store.media.get(content) == b"a picture"
    assert [path.name for path in tmp_path.glob("media/*/*")] == [content]


def test_whole_media_are_not_written_again(tmp_path):
    media = DatasetStore(tmp_path).media
    path = Path(media.path(media.put(b"a picture")))
    before = path.stat()

    media.put(b"a picture")

    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("bad", ["", "../../etc/passwd", "a" * 63, "A" * 64, "a" * 63 + "/", "a" * 64 + "\n"], ids=repr)
def test_a_name_that_is_no_hash_is_refused(store, bad):
    for call in (store.media.get, store.media.has):
        with pytest.raises(InvalidKey):
            call(bad)


def test_media_of_a_data_set_are_part_of_its_content_and_are_made_again_when_missing(tmp_path):
    store = DatasetStore(tmp_path, revision="r1")

    def make(writer):
        writer.write("rejections", Rejection, [])
        writer.put_media(b"a picture")
        writer.put_media(b"a picture")

    without = store.produce("corpus/a", RECIPE, lambda writer: writer.write("rejections", Rejection, [])).manifest
    manifest = store.produce("corpus/b", RECIPE, make).manifest
    assert manifest.media == (hashlib.sha256(b"a picture").hexdigest(),)
    assert manifest.content_hash != without.content_hash
    assert store.produce("corpus/b", RECIPE, make).reused

    (path,) = tmp_path.glob(f"media/*/{manifest.media[0]}")
    path.unlink()
    assert not store.produce("corpus/b", RECIPE, make).reused
    assert store.media.get(manifest.media[0]) == b"a picture"
