"""Tests of lifeloom.models.checkpoints."""

from __future__ import annotations

import os

import pytest

from lifeloom.models.checkpoints import (
    CheckpointFiles,
    CheckpointUnreadable,
    folder_files,
    hub_file,
    resolve_device,
    resolve_number_type,
)
from lifeloom.models.protocol import InstallationBroken
from tests.tiny_vision import hub_cache


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(bytes(100))
    return folder


def test_the_digest_is_of_names_and_contents_and_of_nothing_else(folder, tmp_path):
    first = CheckpointFiles.read(folder_files(folder))
    assert len(first.digest) == 16
    elsewhere = folder.rename(tmp_path / "other")
    (elsewhere / "README.md").write_text("a note")
    os.utime(elsewhere / "config.json", (0, 0))
    assert CheckpointFiles.read(folder_files(elsewhere)[::-1]).digest == first.digest
    (elsewhere / "model.safetensors").rename(elsewhere / "weights.safetensors")
    assert CheckpointFiles.read(folder_files(elsewhere)).digest != first.digest


def test_one_byte_is_another_digest_though_size_and_time_stay(folder):
    weights = folder / "model.safetensors"
    before, times = CheckpointFiles.read(folder_files(folder)), (weights.stat().st_atime_ns, weights.stat().st_mtime_ns)
    assert before.unchanged()
    weights.write_bytes(bytes(99) + b"x")
    os.utime(weights, ns=times)
    assert not before.unchanged()
    assert CheckpointFiles.read(folder_files(folder)).digest != before.digest


def test_files_that_are_gone_have_changed_and_cannot_be_read(folder):
    files = CheckpointFiles.read(folder_files(folder))
    (folder / "config.json").unlink()
    assert not files.unchanged()
    with pytest.raises(CheckpointUnreadable, match=r"config\.json"):
        CheckpointFiles.read(files.paths)


def test_of_several_names_the_first_that_the_hub_has_is_taken(folder, tmp_path, monkeypatch):
    hub_cache(tmp_path / "hub", monkeypatch, {"owner/name": folder})
    found = hub_file("owner/name", ["better.safetensors", "model.safetensors", "config.json"])
    assert found.read_bytes() == bytes(100)


def test_auto_is_a_device_that_is_there_and_others_are_refused_by_name():
    import torch

    assert resolve_device("cpu") == "cpu"
    assert resolve_device("auto") == ("cuda" if torch.cuda.is_available() else "cpu")
    if not torch.cuda.is_available():
        with pytest.raises(InstallationBroken, match=r"'cuda:1'.*'auto' or 'cpu'"):
            resolve_device("cuda:1")


def test_a_number_type_is_one_of_four():
    assert resolve_number_type("auto", "float16") == "float16"
    assert resolve_number_type("bfloat16", "float16") == "bfloat16"
    with pytest.raises(ValueError, match="one of auto, float32, float16, bfloat16, not 'int8'"):
        resolve_number_type("int8", "float32")
