"""The stages of captioning where a profile asks for no query pictures and no diagnostics."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.caption_keys import CAPTION_STAGES, IMAGE_LIBRARY
from orchestration.instance import open_instance
from orchestration.lineage import run_steps, steps_for
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.tiny import TINY

NONE = {
    "LIFELOOM_CAPTIONS__TRAIN_SCENES": "0",
    "LIFELOOM_CAPTIONS__TEST_SCENES": "0",
    "LIFELOOM_CAPTIONS__DIAGNOSTIC_CONTEXTS": "0",
}


@pytest.mark.slow
def test_a_release_without_query_pictures_has_every_stage_and_no_rows(tmp_path: Path) -> None:
    bench = Workbench(load_profile("demo", {**TINY, **NONE}), tmp_path)
    with open_instance(bench.home) as instance:
        outcomes = list(run_steps(steps_for([IMAGE_LIBRARY, *CAPTION_STAGES], bench.profile), bench, instance))
    rows = {one.asset: one.rows for one in outcomes}
    assert rows.pop(IMAGE_LIBRARY) > 0
    assert rows == dict.fromkeys(CAPTION_STAGES, 0)
