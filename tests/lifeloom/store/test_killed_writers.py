"""What other processes do: die at the worst moment, write at once, run with another hash seed, fill the disk."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lifeloom.records import Rejection
from lifeloom.store import DatasetStore, Recipe, StoreFull
from lifeloom.store.place import Place

KEY = "corpus/turns"

PROGRAM = """
import os, signal, sys, time
from pathlib import Path
from lifeloom.records import Rejection
from lifeloom.store import DatasetStore, Recipe
from lifeloom.store.place import Place

root, seed, when = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
store = DatasetStore(root, revision="r1")

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def records():
    for number in range(6000):
        if number == 5000 and when == "while writing":
            die()
        yield Rejection(stage="s", item=f"new {seed} {number}", reason="r", detail="d" * 200)

def make(writer):
    if when == "slowly":
        (root / f"making-{seed}").touch()
        time.sleep(0.3)
    writer.put_media(f"picture {seed}".encode())
    writer.write("rejections", Rejection, records())
    if when == "after writing":
        die()

def check(staged):
    if when == "in a check":
        die()
    return []

moved = Place.move

def move(self, source, target):
    if target.endswith("/manifest.json") and when == "between data and manifest":
        die()
    if target.endswith("manifest.previous.json") and when == "before the previous manifest":
        die()
    if target.endswith(".parquet") and when == "before the data are moved":
        die()
    moved(self, source, target)
    if target.endswith("/manifest.json") and when == "after the manifest":
        die()

Place.move = move
produced = store.produce("corpus/turns", Recipe(stage="s", seed=seed), make, [check])
print("reused" if produced.reused else "made")
"""


def start(root, seed, when="", hash_seed="random"):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(root), str(seed), when],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )


def finish(process):
    output, _ = process.communicate(timeout=60)
    return process.returncode, output.strip()


def put_old(root):
    store = DatasetStore(root, revision="r1")
    old = [Rejection(stage="s", item="old", reason="r")]
    store.produce(KEY, Recipe(stage="s", seed=0), lambda writer: writer.write("rejections", Rejection, old))
    return store


def items(store):
    return [record.item for record in store.read(KEY, "rejections", Rejection)]


def data_files(root):
    folders = [root / "datasets", root / "staging"]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


MOMENTS = [
    "while writing",
    "after writing",
    "in a check",
    "before the data are moved",
    "before the previous manifest",
    "between data and manifest",
]


@pytest.mark.parametrize("when", MOMENTS)
def test_a_writer_killed_at_any_moment_leaves_the_old_data_and_its_leftovers_go_later(tmp_path, when):
    store = put_old(tmp_path)
    before = data_files(tmp_path)

    assert finish(start(tmp_path, 1, when))[0] == -signal.SIGKILL

    assert items(store) == ["old"]
    assert store.manifest(KEY).recipe.seed == 0
    assert store.keys() == [KEY]
    assert set(data_files(tmp_path)) > set(before)  # it was killed with something half done

    # The next writer finds the lock free, sweeps and publishes.
    new = [Rejection(stage="s", item="new", reason="r")]
    store.produce(KEY, Recipe(stage="s", seed=2), lambda writer: writer.write("rejections", Rejection, new))
    assert items(store) == ["new"]
    assert list((tmp_path / "staging").iterdir()) == []
    versions = {path.name for path in (tmp_path / "datasets" / KEY).glob("v.*")}
    assert len(versions) == 2  # the new one and the old one, not the killed one's


@pytest.mark.parametrize("when", [MOMENTS[0], MOMENTS[-1]])
def test_a_first_writer_that_is_killed_leaves_nothing_visible(tmp_path, when):
    assert finish(start(tmp_path, 1, when))[0] == -signal.SIGKILL

    store = DatasetStore(tmp_path, revision="r1")
    assert store.find(KEY) is None
    assert store.keys() == []
    assert store.sweep() != []
    assert list((tmp_path / "staging").iterdir()) == []


def test_a_writer_killed_right_after_the_manifest_has_published_all(tmp_path):
    store = put_old(tmp_path)

    assert finish(start(tmp_path, 1, "after the manifest"))[0] == -signal.SIGKILL

    assert len(items(store)) == 6000
    assert finish(start(tmp_path, 1)) == (0, "reused")


def test_a_writer_that_still_lives_is_not_swept(tmp_path):
    put_old(tmp_path)
    process = start(tmp_path, 1, "slowly")
    try:
        wait_for(tmp_path / "making-1")
        assert DatasetStore(tmp_path).sweep() == []
    finally:
        assert finish(process) == (0, "made")


def wait_for(path: Path) -> None:
    for _ in range(600):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} did not appear")


def test_two_processes_that_make_the_same_thing_at_once_make_it_once(tmp_path):
    outcomes = [finish(process) for process in [start(tmp_path, 5, "slowly"), start(tmp_path, 5, "slowly")]]

    assert sorted(outcomes) == [(0, "made"), (0, "reused")]
    assert len(items(DatasetStore(tmp_path))) == 6000


def test_two_processes_that_make_other_versions_at_once_both_end_well(tmp_path):
    outcomes = [finish(process) for process in [start(tmp_path, 5, "slowly"), start(tmp_path, 6, "slowly")]]

    assert outcomes == [(0, "made"), (0, "made")]
    store = DatasetStore(tmp_path)
    assert items(store)[0] == f"new {store.manifest(KEY).recipe.seed} 0"
    assert len(items(store)) == 6000


def test_the_same_seed_gives_the_same_bytes_in_another_folder_and_under_another_hash_seed(tmp_path):
    contents = []
    for hash_seed in ("0", "4711"):
        root = tmp_path / f"home-{hash_seed}"
        assert finish(start(root, 3, hash_seed=hash_seed)) == (0, "made")
        files = [path for folder in ("datasets", "media") for path in (root / folder).rglob("*") if path.is_file()]
        contents.append({str(path.relative_to(root)): path.read_bytes() for path in files})

    assert contents[0] == contents[1]
    assert len(contents[0]) == 3  # the manifest, the table, the picture
    manifest = next(data for name, data in contents[0].items() if name.endswith("manifest.json"))
    assert os.uname().nodename.encode() not in manifest
    assert str(tmp_path).encode() not in manifest


def test_an_error_right_after_the_manifest_is_in_place_does_not_take_the_data_away(tmp_path, monkeypatch):
    store = put_old(tmp_path)
    moved = Place.move

    def move(self, source, target):
        moved(self, source, target)
        if target.endswith("/manifest.json"):
            raise KeyboardInterrupt

    monkeypatch.setattr(Place, "move", move)
    new = [Rejection(stage="s", item="new", reason="r")]
    with pytest.raises(KeyboardInterrupt):
        store.produce(KEY, Recipe(stage="s", seed=2), lambda writer: writer.write("rejections", Rejection, new))

    assert items(store) == ["new"]


@pytest.fixture
def small_disk(tmp_path):
    """A real file system of 2 MiB."""
    if os.geteuid() != 0:
        pytest.skip("mounting wants root")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip(f"no mounting here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def noise(count):
    for number in range(count):
        yield Rejection(stage="s", item=f"{number}", reason="r", detail=os.urandom(700).hex())


def test_a_disk_that_is_really_full_publishes_nothing_and_keeps_the_old_data(small_disk):
    store = put_old(small_disk / "data")
    before = data_files(small_disk / "data")

    with pytest.raises(StoreFull, match="is free now") as caught:
        store.produce(
            KEY, Recipe(stage="s", seed=1), lambda writer: writer.write("rejections", Rejection, noise(50_000))
        )

    assert caught.value.free_bytes > 1_500_000  # told after the clean-up
    assert data_files(small_disk / "data") == before
    assert items(store) == ["old"]


def test_media_on_a_full_disk_leave_nothing_behind(small_disk):
    store = put_old(small_disk / "data")

    with pytest.raises(StoreFull):
        store.media.put(os.urandom(5_000_000))

    assert list((small_disk / "data").glob("media/*/*")) == []
    assert list((small_disk / "data" / "staging").iterdir()) == []
