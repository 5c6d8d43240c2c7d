"""A tiny profile, and a home in which the whole graph has been made once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orchestration.instance import open_instance
from orchestration.lineage import demo_steps, run_steps
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.tiny import TINY, Made


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    workbench = Workbench(load_profile("demo", TINY), tmp_path_factory.mktemp("home"))
    with open_instance(workbench.home) as instance:
        outcomes = list(run_steps(demo_steps(workbench.profile), workbench, instance))
    return Made(workbench, outcomes)


@pytest.fixture
def tiny_environment(tmp_path: Path) -> dict[str, str]:
    """Environment for programs of their own process: the tiny profile in a home of its own."""
    return {**os.environ, **TINY, "LIFELOOM_HOME": str(tmp_path / "home"), "COLUMNS": "200"}
