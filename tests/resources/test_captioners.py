"""The captioners that a profile names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifeloom.models.protocol import CapabilityMissing
from orchestration.profiles import ProfileError, load_profile
from resources.captioners import captioners_of
from resources.workbench import Workbench

STAGE = "scores/mcqa_probes"


def bench(home: Path, **settings: str) -> Workbench:
    return Workbench(load_profile("demo", settings), home)


def test_a_profile_names_its_captioners_and_their_limit(tmp_path: Path) -> None:
    workbench = bench(
        tmp_path, LIFELOOM_CAPTIONS__POLICIES="grounded,rap-k5,zero-shot", LIFELOOM_CAPTIONS__CAPTION_TOKENS="99"
    )
    found = captioners_of(workbench, STAGE)
    assert [one.name for one in found] == ["grounded", "rap-k5", "zero-shot"]
    assert [one.parameters()["caption_tokens"] for one in found] == [99, 99, 99]
    assert found[1].parameters()["k"] == 5
    assert [one.name for one in captioners_of(workbench, STAGE, ["rap-k12"])] == ["rap-k12"]
    # The one that looks at parts says so; the one that shows everything asks the model alone.
    assert [len(one.models()) for one in found] == [3, 3, 1]


@pytest.mark.parametrize("name", ["rap-k0", "rap", "grounded-cag", "nobody"])
def test_a_captioner_that_there_is_not_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProfileError, match="policies"):
        bench(tmp_path, LIFELOOM_CAPTIONS__POLICIES=name)


def test_an_unknown_name_in_code_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there are zero-shot, rap-k<width> and grounded"):
        captioners_of(bench(tmp_path), STAGE, ["nobody"])


def test_a_reader_that_takes_no_pictures_cannot_caption(tmp_path: Path) -> None:
    workbench = bench(
        tmp_path,
        LIFELOOM_MODELS__READER__BACKEND="openai",
        LIFELOOM_MODELS__READER__MODEL="text-only",
        LIFELOOM_MODELS__READER__BASE_URL="http://127.0.0.1:9/v1",
        LIFELOOM_MODELS__READER__PICTURES="false",
    )
    with pytest.raises(CapabilityMissing, match="choose a reader that does"):
        captioners_of(workbench, STAGE)
