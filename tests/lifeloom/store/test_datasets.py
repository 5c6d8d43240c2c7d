import contextlib
import datetime as dt
import errno
import io
import json
import threading
from typing import ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileOpener, LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.records import Record, Rejection, Turn
from lifeloom.records.parquet import RecordConversionError
from lifeloom.store import (
    DatasetCheckFailed,
    DatasetCorrupt,
    DatasetMissing,
    DatasetStore,
    InvalidKey,
    Recipe,
    StoreError,
    StoreFormatError,
    StoreFull,
    code_revision,
)

KEY = "corpus/dialogues/shard-0"
RECIPE = Recipe(stage="corpus/dialogues", seed=7)


def turn(number, text="I had tea."):
    return Turn(
        turn_id=f"t-{number}",
        persona_id="p-1",
        session_id="s-1",
        turn_index=number,
        at=dt.datetime(2025, 1, 1, tzinfo=dt.UTC) + dt.timedelta(minutes=number),
        offset_minutes=60,
        user=text,
        assistant="How was it?",
    )


def writes(*turns):
    return lambda writer: writer.write("turns", Turn, turns)


def texts(store, key=KEY):
    return [turn.user for turn in store.read(key, "turns", Turn)]


def test_a_data_set_knows_which_of_its_parents_changed_since(tmp_path):
    store = local_store(tmp_path)
    made = store.produce("a/one", RECIPE, writes(turn(0))).manifest
    store.produce("a/two", RECIPE, writes(turn(1)))
    parents = {"a/one": made.content_hash, "a/two": store.manifest("a/two").content_hash, "a/gone": "c" * 64}
    store.produce(KEY, RECIPE.model_copy(update={"parents": parents}), writes(turn(2)))
    assert store.changed_parents(KEY) == ["a/gone"]
    store.produce("a/one", RECIPE.model_copy(update={"seed": 8}), writes(turn(3)))
    assert sorted(store.changed_parents(KEY)) == ["a/gone", "a/one"]
    with pytest.raises(DatasetMissing):
        store.changed_parents("a/gone")


def local_store(tmp_path):
    return DatasetStore(tmp_path / "data", revision="r1")


def memory_store(tmp_path):
    return DatasetStore(f"memory://{tmp_path.name}", revision="r1")


def dir_over_local_store(tmp_path):
    (tmp_path / "bucket").mkdir()
    filesystem = DirFileSystem(path=str(tmp_path / "bucket"), fs=LocalFileSystem())
    return DatasetStore("", filesystem=filesystem, revision="r1")


def dir_over_memory_store(tmp_path):
    filesystem = DirFileSystem(path=f"/{tmp_path.name}", fs=MemoryFileSystem())
    return DatasetStore("data", filesystem=filesystem, revision="r1")


@pytest.fixture(params=[local_store, memory_store, dir_over_local_store, dir_over_memory_store])
def store(request, tmp_path):
    yield request.param(tmp_path)
    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]


@pytest.fixture
def local(tmp_path):
    return local_store(tmp_path)


def files(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def visible_files(root):
    return [name for name in files(root) if not name.startswith("locks/")]


def test_records_are_read_back_as_they_were_written(store):
    produced = store.produce(KEY, RECIPE, writes(turn(0, "one"), turn(1, "two")))

    assert not produced.reused
    assert list(store.read(KEY, "turns", Turn)) == [turn(0, "one"), turn(1, "two")]
    assert store.manifest(KEY) == produced.manifest == store.find(KEY)


def test_the_manifest_says_what_is_there_and_what_it_was_made_from(store):
    recipe = Recipe(
        stage="corpus/dialogues",
        seed=7,
        parameters={"turns": (20, 100), "edition": "corpus", "share": 0.4, "pairs": [["a", 1], ["b", 2]]},
        models=("m-2", "m-1"),
        prompt_versions=("session_writing@1+abc",),
        parents={"corpus/personas": "a" * 64},
    )
    manifest = store.produce(KEY, recipe, writes(turn(0), turn(1), turn(2))).manifest

    (table,) = manifest.tables
    assert (table.name, table.kind, table.format_version, table.rows) == ("turns", "turn", Turn.FORMAT_VERSION, 3)
    assert manifest.recipe == recipe
    assert manifest.recipe.models == ("m-1", "m-2")
    assert manifest.recipe_digest == recipe.digest()
    assert manifest.code_revision == "r1"
    assert store.manifest(KEY) == manifest


def test_the_same_recipe_and_code_are_not_made_twice(store):
    first = store.produce(KEY, RECIPE, writes(turn(0)))

    def fail(writer):
        raise AssertionError("made again")

    second = store.produce(KEY, Recipe(stage="corpus/dialogues", seed=7), fail)

    assert second.reused
    assert second.manifest == first.manifest


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 8},
        {"parameters": {"size": 2}},
        {"models": ("m",)},
        {"prompt_versions": ("p@2",)},
        {"parents": {"corpus/personas": "b" * 64}},
    ],
    ids=lambda value: next(iter(value)),
)
def test_another_recipe_is_made_anew(store, changed):
    store.produce(KEY, RECIPE, writes(turn(0, "old")))

    produced = store.produce(KEY, Recipe(**{"stage": "corpus/dialogues", "seed": 7, **changed}), writes(turn(0, "new")))

    assert not produced.reused
    assert texts(store) == ["new"]


def test_other_code_makes_it_anew(tmp_path):
    DatasetStore(tmp_path, revision="r1").produce(KEY, RECIPE, writes(turn(0, "old")))

    produced = DatasetStore(tmp_path, revision="r2").produce(KEY, RECIPE, writes(turn(0, "new")))

    assert not produced.reused
    assert texts(DatasetStore(tmp_path)) == ["new"]


def test_the_revision_of_the_sources_is_recorded(tmp_path):
    store = DatasetStore(tmp_path)

    assert store.produce(KEY, RECIPE, writes(turn(0))).manifest.code_revision == code_revision()
    assert store.produce(KEY, RECIPE, writes(turn(0))).reused


def test_equal_contents_have_equal_content_hashes_whatever_they_were_made_from(store):
    first = store.produce("corpus/a", RECIPE, writes(turn(0))).manifest
    second = store.produce("corpus/b", Recipe(stage="x", seed=1), writes(turn(0))).manifest
    other = store.produce("corpus/c", RECIPE, writes(turn(1))).manifest

    assert first.content_hash == second.content_hash != other.content_hash


def test_how_records_are_spread_over_calls_leaves_no_trace(store):
    turns = [turn(number, "x" * (number % 700 + 1)) for number in range(3000)]

    def by_one(writer):
        for one in turns:
            assert writer.write("turns", Turn, [one]) == 1

    def by_portions(writer):
        assert writer.write("turns", Turn, iter(turns[:1111])) == 1111
        assert writer.write("turns", Turn, []) == 0
        assert writer.write("turns", Turn, turns[1111:]) == 1889
        assert writer.rows == {"turns": 3000}

    one = store.produce("corpus/a", RECIPE, by_one).manifest
    two = store.produce("corpus/b", RECIPE, by_portions).manifest

    assert one.tables == two.tables
    assert list(store.read("corpus/a", "turns", Turn)) == turns


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 400_000), max_size=60))
def test_rows_of_any_size_come_back_in_order(sizes):
    store = DatasetStore("memory://sizes", revision="r1")
    turns = [turn(number, "y" * size) for number, size in enumerate(sizes)]
    try:
        store.produce(KEY, RECIPE, writes(*turns))
        assert list(store.read(KEY, "turns", Turn)) == turns
    finally:
        MemoryFileSystem.store.clear()


def test_large_rows_are_spread_over_row_groups_that_fit_in_memory(local, tmp_path):
    local.produce(KEY, RECIPE, writes(*(turn(number, "z" * 1_000_000) for number in range(40))))

    (path,) = tmp_path.rglob("turns.parquet")
    metadata = pq.ParquetFile(path).metadata
    assert metadata.num_row_groups >= 2
    assert texts(local) == ["z" * 1_000_000] * 40


def test_a_data_set_holds_several_tables_and_empty_ones(store):
    def make(writer):
        writer.write("turns", Turn, [turn(0)])
        writer.write("rejections", Rejection, [])

    manifest = store.produce(KEY, RECIPE, make).manifest

    assert [(table.name, table.rows) for table in manifest.tables] == [("rejections", 0), ("turns", 1)]
    assert list(store.read(KEY, "rejections", Rejection)) == []


def test_what_has_not_been_made_is_missing(store):
    assert store.find(KEY) is None
    assert store.keys() == []
    with pytest.raises(DatasetMissing, match="has not been made"):
        store.manifest(KEY)
    with pytest.raises(DatasetMissing):
        store.read(KEY, "turns", Turn)

    store.produce(KEY, RECIPE, writes(turn(0)))
    with pytest.raises(DatasetMissing, match="no table 'sessions'; its tables: turns"):
        store.read(KEY, "sessions", Turn)


def test_keys_are_listed_by_whole_segments(store):
    made = ["corpus/dialogues", "corpus/dialogues/a", "corpus/dialogues/b", "corpus/dialogues-x", "release/personas"]
    for key in reversed(made):
        store.produce(key, RECIPE, writes(turn(0)))

    assert store.keys() == sorted(made)
    assert store.keys("corpus/dialogues") == ["corpus/dialogues", "corpus/dialogues/a", "corpus/dialogues/b"]
    assert store.keys("release") == ["release/personas"]
    assert store.keys("scores") == []
    with pytest.raises(InvalidKey):
        store.keys("..")


@pytest.mark.parametrize(
    "key",
    [
        "",
        "a",
        "a/b/c/d",
        "../a",
        "a/..",
        "/a/b",
        "a//b",
        "a/b/",
        "a/b.c",
        "a/B",
        "a/b\0c",
        "a/b\n",
        "a/é",
        "a/" + "x" * 65,
    ],
    ids=repr,
)
def test_a_key_that_is_not_of_the_form_is_refused_before_anything_is_touched(store, key, tmp_path):
    for call in (
        lambda: store.produce(key, RECIPE, writes(turn(0))),
        lambda: store.find(key),
        lambda: store.manifest(key),
        lambda: store.read(key, "turns", Turn),
    ):
        with pytest.raises(InvalidKey):
            call()
    assert files(tmp_path) == []


@pytest.mark.parametrize("table", ["", "../x", "a/b", "a.b", "a\0", "T", "x" * 65], ids=repr)
def test_a_table_name_that_could_be_a_path_is_refused(local, table, tmp_path):
    with pytest.raises(InvalidKey):
        local.produce(KEY, RECIPE, lambda writer: writer.write(table, Turn, [turn(0)]))
    assert visible_files(tmp_path / "data") == []


def test_checks_see_the_staged_data_before_anybody_else(store):
    seen = []

    def check(staged):
        seen.append((staged.tables, staged.rows("turns"), [turn.user for turn in staged.read("turns", Turn)]))
        seen.append((staged.manifest.recipe, store.find(KEY)))
        return []

    store.produce(KEY, RECIPE, writes(turn(0, "one")), [check])

    assert seen == [(("turns",), 1, ["one"]), (RECIPE, None)]


def test_data_that_fail_a_check_are_not_published_and_all_problems_are_told(store):
    store.produce(KEY, RECIPE, writes(turn(0, "old")))

    with pytest.raises(DatasetCheckFailed) as caught:
        store.produce(
            KEY,
            Recipe(stage="corpus/dialogues", seed=8),
            writes(turn(0, "new")),
            [lambda staged: ["too few turns"], lambda staged: [], lambda staged: ["no sessions", "no plan"]],
        )

    assert caught.value.problems == ["too few turns", "no sessions", "no plan"]
    assert "too few turns" in str(caught.value)
    assert texts(store) == ["old"]


def test_making_nothing_is_a_failed_check(store):
    with pytest.raises(DatasetCheckFailed, match="nothing was written"):
        store.produce(KEY, RECIPE, lambda writer: None)


@pytest.mark.parametrize("error", [ValueError("broken"), KeyboardInterrupt(), OSError(errno.EIO, "disk")], ids=repr)
def test_an_error_while_making_leaves_what_was_there_and_nothing_else(local, tmp_path, error):
    local.produce(KEY, RECIPE, writes(turn(0, "old")))
    before = files(tmp_path / "data")

    def make(writer):
        writer.write("turns", Turn, (turn(number) for number in range(500)))
        raise error

    with pytest.raises(type(error)):
        local.produce(KEY, Recipe(stage="corpus/dialogues", seed=8), make)

    assert files(tmp_path / "data") == before
    assert texts(local) == ["old"]


def test_an_error_in_a_check_leaves_what_was_there(local, tmp_path):
    def check(staged):
        raise RuntimeError("the check is broken")

    with pytest.raises(RuntimeError, match="the check is broken"):
        local.produce(KEY, RECIPE, writes(turn(0)), [check])

    assert visible_files(tmp_path / "data") == []
    assert local.find(KEY) is None


def test_a_failed_write_that_make_passes_over_is_not_published(store):
    def source():
        yield turn(0)
        raise ValueError("the source broke off")

    def make(writer):
        with contextlib.suppress(ValueError):
            writer.write("turns", Turn, source())

    with pytest.raises(StoreError, match="the source broke off"):
        store.produce(KEY, RECIPE, make)
    assert store.find(KEY) is None


def test_records_of_another_type_are_refused(store):
    other = Rejection(stage="s", item="i", reason="r")

    with pytest.raises(TypeError, match="holds Turn records, not Rejection"):
        store.produce(KEY, RECIPE, lambda writer: writer.write("turns", Turn, [turn(0), other]))

    def two_types(writer):
        writer.write("turns", Turn, [turn(0)])
        writer.write("turns", Rejection, [other])

    with pytest.raises(TypeError, match="holds Turn records, not Rejection"):
        store.produce(KEY, RECIPE, two_types)
    assert store.find(KEY) is None


def test_a_value_that_does_not_fit_its_column_is_a_typed_error(store):
    with pytest.raises(RecordConversionError, match=r"turn\.turn_index"):
        store.produce(KEY, RECIPE, writes(turn(0).model_copy(update={"turn_index": 2**63})))


def test_the_previous_version_is_kept_and_older_ones_are_removed(local, tmp_path):
    for seed, text in enumerate(["one", "two", "three"]):
        local.produce(KEY, Recipe(stage="s", seed=seed), writes(turn(0, text)))

    home = tmp_path / "data" / "datasets" / KEY
    previous = json.loads((home / "manifest.previous.json").read_text())
    kept = {path.name for path in home.glob("v.*")}
    assert kept == {local.manifest(KEY).version, f"v.{previous['content_hash'][:16]}"}
    assert previous["recipe"]["seed"] == 1


def test_a_reader_under_way_reads_its_version_to_the_end(store):
    def version(text):
        return [turn(number, text * 300) for number in range(5000)]

    store.produce(KEY, Recipe(stage="s", seed=0), writes(*version("a")))
    reading = store.read(KEY, "turns", Turn)
    first = next(reading)
    for seed, text in enumerate("bcd", start=1):
        store.produce(KEY, Recipe(stage="s", seed=seed), writes(*version(text)))

    assert [first, *reading] == version("a")


def test_the_same_content_from_another_recipe_keeps_its_files(local, tmp_path):
    first = local.produce(KEY, Recipe(stage="s", seed=0), writes(turn(0))).manifest
    second = local.produce(KEY, Recipe(stage="s", seed=1), writes(turn(0))).manifest

    assert first.version == second.version
    assert local.manifest(KEY).recipe.seed == 1
    assert texts(local) == ["I had tea."]


def table_file(tmp_path):
    (path,) = tmp_path.rglob("turns.parquet")
    return path


def damage_cut(path):
    path.write_bytes(path.read_bytes()[:-7])


def damage_flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.unlink(), "is missing; make the data set again"),
        (damage_cut, r"bytes instead of \d+; make the data set again"),
        (lambda path: path.write_bytes(b""), "has 0 bytes"),
        (damage_flip, "was changed after it was written"),
    ],
    ids=["missing", "cut short", "empty", "changed"],
)
def test_a_damaged_file_is_told_to_readers_and_repaired_by_making_it_again(local, tmp_path, damage, message):
    local.produce(KEY, RECIPE, writes(turn(0, "one")))
    damage(table_file(tmp_path))

    with pytest.raises(DatasetCorrupt, match=message):
        local.read(KEY, "turns", Turn)

    produced = local.produce(KEY, RECIPE, writes(turn(0, "one")))
    assert not produced.reused
    assert texts(local) == ["one"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"store_format": 1}', b"\xff\xfe"], ids=repr)
def test_an_unreadable_manifest_is_told_and_repaired_by_making_it_again(local, tmp_path, raw):
    local.produce(KEY, RECIPE, writes(turn(0, "one")))
    (tmp_path / "data" / "datasets" / KEY / "manifest.json").write_bytes(raw)

    with pytest.raises(DatasetCorrupt, match="make the data set again"):
        local.manifest(KEY)

    assert not local.produce(KEY, RECIPE, writes(turn(0, "one"))).reused
    assert texts(local) == ["one"]


def test_a_manifest_that_was_edited_or_copied_from_elsewhere_is_refused(local, tmp_path):
    local.produce(KEY, RECIPE, writes(turn(0)))
    local.produce("corpus/other", RECIPE, writes(turn(0)))
    path = tmp_path / "data" / "datasets" / KEY / "manifest.json"
    good = json.loads(path.read_text())

    good["tables"][0]["rows"] = 99
    path.write_text(json.dumps(good))
    with pytest.raises(DatasetCorrupt, match="changed after it was written"):
        local.manifest(KEY)

    path.write_bytes((tmp_path / "data" / "datasets" / "corpus" / "other" / "manifest.json").read_bytes())
    with pytest.raises(DatasetCorrupt, match="is that of corpus/other"):
        local.manifest(KEY)


@pytest.mark.parametrize(
    ("found", "message"), [(0, "older than 1.*LIFELOOM_HOME"), (2, "newer than 1.*update Lifeloom")]
)
def test_a_store_of_another_format_is_refused_and_left_alone(local, tmp_path, found, message):
    local.produce(KEY, RECIPE, writes(turn(0)))
    path = tmp_path / "data" / "datasets" / KEY / "manifest.json"
    path.write_text(json.dumps({"store_format": found, "whatever": "it held"}))
    before = {name: (tmp_path / "data" / name).read_bytes() for name in files(tmp_path / "data")}

    for call in (lambda: local.read(KEY, "turns", Turn), lambda: local.produce(KEY, RECIPE, writes(turn(0)))):
        with pytest.raises(StoreFormatError, match=message):
            call()

    assert {name: (tmp_path / "data" / name).read_bytes() for name in files(tmp_path / "data")} == before


class Note(Record):
    KIND: ClassVar[str] = "note"
    text: str


class NewerNote(Record):
    KIND: ClassVar[str] = "note"
    FORMAT_VERSION: ClassVar[int] = 2
    text: str
    author: str


def test_records_of_another_format_version_are_refused_and_the_message_says_what_to_do(store):
    store.produce("corpus/old", RECIPE, lambda writer: writer.write("notes", Note, [Note(text="a")]))
    store.produce(
        "corpus/new", RECIPE, lambda writer: writer.write("notes", NewerNote, [NewerNote(text="a", author="b")])
    )

    with pytest.raises(StoreFormatError, match=r"older than 2.*make the data set again"):
        store.read("corpus/old", "notes", NewerNote)
    with pytest.raises(StoreFormatError, match=r"newer than 1.*update Lifeloom"):
        store.read("corpus/new", "notes", Note)
    with pytest.raises(StoreFormatError, match="kind 'note', not 'turn'"):
        store.read("corpus/old", "notes", Turn)


def test_a_row_that_breaks_the_rules_of_its_record_is_told(local):
    local.produce(KEY, RECIPE, writes(turn(0).model_copy(update={"user": ""})))

    with pytest.raises(DatasetCorrupt, match=r"break its rules; first: user"):
        list(local.read(KEY, "turns", Turn))


def test_the_files_are_plain_parquet_that_other_tools_read(local, tmp_path):
    local.produce(KEY, RECIPE, writes(turn(0, "one"), turn(1, "two")))

    table = pq.read_table(io.BytesIO(table_file(tmp_path).read_bytes()))

    assert table["user"].to_pylist() == ["one", "two"]
    assert table.schema.field("at").type == pa.timestamp("us", tz="UTC")
    assert table.schema.metadata[b"lifeloom.kind"] == b"turn"


class NarrowFile(LocalFileOpener):
    """A file on a disk that has room for so many bytes more."""

    def write(self, *args, **kwargs):
        NarrowFileSystem.room -= memoryview(args[0]).nbytes
        if NarrowFileSystem.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.f.write(*args, **kwargs)


class NarrowFileSystem(LocalFileSystem):
    protocol = "narrow"
    room = 0

    def _open(self, path, mode="rb", block_size=None, **kwargs):
        return NarrowFile(path, mode, fs=self, **kwargs)


@pytest.mark.parametrize("room", [0, 3, 2_000, 30_000], ids="room for {} bytes".format)
def test_a_full_disk_publishes_nothing_removes_what_was_written_and_says_how_much_is_free(tmp_path, room):
    filesystem = NarrowFileSystem()
    store = DatasetStore(str(tmp_path / "data"), filesystem=filesystem, revision="r1")
    NarrowFileSystem.room = 10**9
    store.produce(KEY, RECIPE, writes(turn(0, "old")))
    before = files(tmp_path / "data")

    NarrowFileSystem.room = room
    turns = [turn(number, hex(hash((number, 1)) ** 9)) for number in range(1000)]
    with pytest.raises(StoreFull, match=r"nothing was published.*MiB is free now; make room") as caught:
        store.produce(KEY, Recipe(stage="s", seed=8), writes(*turns))

    assert caught.value.free_bytes > 0
    assert files(tmp_path / "data") == before
    assert texts(store) == ["old"]


def test_a_disk_that_fills_up_on_the_manifest_publishes_nothing(tmp_path):
    size = DatasetStore(tmp_path / "probe").produce(KEY, RECIPE, writes(turn(0, "new"))).manifest.tables[0].bytes
    NarrowFileSystem.room = size + 10
    store = DatasetStore(str(tmp_path / "data"), filesystem=NarrowFileSystem(), revision="r1")

    with pytest.raises(StoreFull):
        store.produce(KEY, RECIPE, writes(turn(0, "new")))

    assert visible_files(tmp_path / "data") == []


def test_threads_that_make_the_same_key_at_once_make_it_once(store):
    made, reused = [], []
    gate = threading.Barrier(6)

    def make(writer):
        made.append(1)
        writer.write("turns", Turn, (turn(number) for number in range(200)))

    def work():
        gate.wait()
        reused.append(store.produce(KEY, RECIPE, make).reused)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(made) == 1
    assert sorted(reused) == [False] + [True] * 5
    assert len(texts(store)) == 200
