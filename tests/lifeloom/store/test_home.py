import json
import os
import signal
import subprocess
import sys

import pytest

from lifeloom.store import DatasetStore, Home, HomeBusy, HomeUnusable, Recipe, StoreFormatError

HOLDER = """
import os, signal, sys, time
from lifeloom.store import Home
with Home(sys.argv[1]).busy_lock("make demo"):
    print("held", flush=True)
    if sys.argv[2] == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdin.read()
"""


def hold(path, how="wait"):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    return process


def test_a_home_is_created_with_its_folders_and_opened_again(tmp_path):
    home = Home(tmp_path / "deep" / "home")
    again = Home(tmp_path / "deep" / "home")

    assert json.loads((home.path / "home.json").read_text())["format"] == 1
    assert all(folder.is_dir() for folder in (home.dagster, home.mlflow, home.review, home.cache))
    assert again.path == home.path == tmp_path / "deep" / "home"
    assert {path.name for path in home.path.iterdir()} == {"home.json", "dagster", "mlflow", "review", "cache"}


def test_data_lie_in_the_home_unless_told_otherwise(tmp_path):
    assert Home(tmp_path).data_url == str(tmp_path / "data")
    assert Home(tmp_path, data_url="memory://elsewhere").data_url == "memory://elsewhere"
    assert DatasetStore(Home(tmp_path).data_url).keys() == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"format": 0}', "format 0, older than 1.*move .* away.*Nothing was touched"),
        ('{"format": 2}', "format 2, newer than 1.*get a newer Lifeloom"),
        ("{}", "format None, older than 1"),
        ("[]", "format None, older than 1"),
        ("half a fi", "not readable JSON.*Nothing was touched"),
    ],
)
def test_a_home_of_another_format_is_refused_and_left_alone(tmp_path, text, message):
    (tmp_path / "home.json").write_text(text)
    (tmp_path / "old-data").write_text("precious")

    with pytest.raises(StoreFormatError, match=message):
        Home(tmp_path)

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"home.json": text, "old-data": "precious"}


def test_a_file_where_the_home_should_be_is_refused(tmp_path):
    (tmp_path / "home").write_text("a file")

    with pytest.raises(HomeUnusable, match="LIFELOOM_HOME"):
        Home(tmp_path / "home")
    with pytest.raises(HomeUnusable, match="LIFELOOM_HOME"):
        Home(tmp_path / "home" / "deeper")


def test_a_home_that_cannot_be_written_is_refused(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    if os.geteuid() == 0:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", str(folder)], capture_output=True
        )
        if mounted.returncode != 0:
            pytest.skip("root writes everywhere, and there is no mounting here")
    else:
        folder.chmod(0o500)
    try:
        with pytest.raises(HomeUnusable, match=r"cannot be written; .*LIFELOOM_HOME"):
            Home(folder)
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", str(folder)], check=True)
        else:
            folder.chmod(0o700)


def test_a_second_run_on_a_home_is_told_who_works_there(tmp_path):
    home = Home(tmp_path)
    process = hold(tmp_path)
    try:
        with pytest.raises(HomeBusy, match=rf"process {process.pid} \(make demo\)"), home.busy_lock("make demo again"):
            raise AssertionError("both hold it")
    finally:
        process.communicate("")

    with home.busy_lock("the next run"):
        assert json.loads((tmp_path / "busy.json").read_text()) == {"pid": os.getpid(), "purpose": "the next run"}
    assert not (tmp_path / "busy.json").exists()


def test_the_lock_of_a_killed_run_does_not_block(tmp_path):
    process = hold(tmp_path, "die")
    assert process.wait(10) == -signal.SIGKILL
    assert (tmp_path / "busy.json").exists()

    with Home(tmp_path).busy_lock("the next run"):
        assert json.loads((tmp_path / "busy.json").read_text())["purpose"] == "the next run"


def test_the_same_process_cannot_hold_it_twice(tmp_path):
    with (
        Home(tmp_path).busy_lock("one"),
        pytest.raises(HomeBusy, match=rf"process {os.getpid()} \(one\)"),
        Home(tmp_path).busy_lock("two"),
    ):
        raise AssertionError("held twice")


def test_an_error_in_a_run_frees_the_home(tmp_path):
    home = Home(tmp_path)
    with pytest.raises(RuntimeError), home.busy_lock("one"):
        raise RuntimeError

    with home.busy_lock("two"):
        pass


def test_data_sets_can_be_made_while_the_home_is_held(tmp_path):
    home = Home(tmp_path)
    with home.busy_lock("make demo"):
        store = DatasetStore(home.data_url, revision="r1")
        store.produce("corpus/a", Recipe(stage="s", seed=1), lambda writer: writer.put_media(b"x"))
        assert store.keys() == ["corpus/a"]
