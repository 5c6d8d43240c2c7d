"""Tiny checkpoints, made once a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lifeloom.models.huggingface import HuggingFaceWire
from tests.tiny_models import save_adapter, save_text_model, save_vision_model


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


@pytest.fixture(scope="session")
def text_model(checkpoints: Path) -> Path:
    return save_text_model(checkpoints / "text")


@pytest.fixture(scope="session")
def text_adapter(checkpoints: Path, text_model: Path) -> Path:
    return save_adapter(checkpoints / "text-adapter", text_model)


@pytest.fixture(scope="session", params=["qwen2_5_vl", "qwen3_vl"])
def vision_model(request: pytest.FixtureRequest, checkpoints: Path) -> Path:
    return save_vision_model(request.param, checkpoints / request.param)


@pytest.fixture(scope="session")
def vision_adapter(checkpoints: Path, vision_model: Path) -> Path:
    return save_adapter(checkpoints / f"{vision_model.name}-adapter", vision_model)


@pytest.fixture
def text_wire(text_model: Path) -> Iterator[HuggingFaceWire]:
    wire = HuggingFaceWire(str(text_model), device="cpu")
    yield wire
    wire.close()
