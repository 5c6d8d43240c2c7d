"""Folders in which memory files are made and taken apart."""

import subprocess
import sys

import pytest

from resources.memories import building_folder


def test_a_building_folder_is_its_owners_alone_and_goes_at_the_end(tmp_path):
    with building_folder(tmp_path) as folder:
        (folder / "ann.sqlite").write_text("words")
        assert folder.is_relative_to(tmp_path)
        assert folder.stat().st_mode & 0o077 == 0

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def fails_to_build(cache):
    with building_folder(cache) as folder:
        (folder / "ann.sqlite").write_text("words")
        raise RuntimeError("the model is away")


def test_it_goes_too_when_making_fails(tmp_path):
    with pytest.raises(RuntimeError, match="away"):
        fails_to_build(tmp_path)

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_what_a_killed_process_left_goes_with_the_next_and_what_a_living_one_uses_stays(tmp_path):
    program = (
        "import os, signal, sys; from pathlib import Path; from resources.memories import building_folder\n"
        "with building_folder(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'bob.sqlite').write_text('words'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert len(list(tmp_path.rglob("bob.sqlite"))) == 1

    with building_folder(tmp_path) as mine:
        (mine / "ann.sqlite").write_text("words")
        with building_folder(tmp_path):
            assert list(tmp_path.rglob("bob.sqlite")) == []
            assert list(tmp_path.rglob("ann.sqlite")) == [mine / "ann.sqlite"]
