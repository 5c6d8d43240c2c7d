"""The stages of lives where a profile asks for none."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.life_keys import LIFE_STAGES
from assets.seeds import CAPTIONS
from orchestration.instance import open_instance
from orchestration.lineage import run_steps, steps_for
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.tiny import TINY


@pytest.mark.slow
def test_a_release_without_vaccounts_has_every_stage_and_no_rows(tmp_path: Path) -> None:
    bench = Workbench(load_profile("demo", {**TINY, "LIFELOOM_LIFE__VACCOUNTS": "0"}), tmp_path)
    with open_instance(bench.home) as instance:
        outcomes = list(run_steps(steps_for([CAPTIONS, *LIFE_STAGES], bench.profile), bench, instance))
    rows = {one.asset: one.rows for one in outcomes}
    assert rows.pop(CAPTIONS) > 0
    assert rows == dict.fromkeys(LIFE_STAGES, 0)
