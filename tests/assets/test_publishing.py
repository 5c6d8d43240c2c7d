"""Which errors of an asset's body are tried again, and what the person at the terminal is told."""

import logging
from pathlib import Path

import dagster as dg
import pytest

from assets import publishing
from assets.publishing import AssetEvents, rows_preview, told_plainly
from lifeloom.models import InstallationBroken, ModelError, ModelUnavailable
from lifeloom.models.builtin.eyes import EyesWeightsUnusable
from lifeloom.models.builtin.painter import DrawingWorkerDied
from lifeloom.models.efficientnet import ImageWeightsMissing
from lifeloom.synthesis.review import ReviewFileError
from orchestration.profiles import load_profile
from resources.workbench import Workbench


def made_with(home: Path, errors: list[Exception]) -> tuple[dg.ExecuteInProcessResult, int]:
    """Materialise an asset that meets ``errors`` one after the other; return how it went and how often it was tried."""
    left = list(errors)
    workbench = Workbench(load_profile("demo", {}), home)

    @dg.asset
    @told_plainly
    def thing(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        if left:
            raise left.pop(0)
        yield dg.MaterializeResult()

    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    result = dg.materialize([thing], raise_on_error=False, run_config=quiet, resources={"workbench": workbench})
    return result, len(errors) - len(left) + result.success


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.name == publishing.__name__]


def test_a_model_that_was_away_is_tried_again_and_the_wait_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr(publishing, "RETRY_SECONDS", 0)
    with caplog.at_level(logging.WARNING):
        result, tries = made_with(tmp_path, [ModelUnavailable("the server is down")])
    assert (result.success, tries) == (True, 2)
    assert warnings(caplog) == ["the server is down; trying again in 0 s (1 of 2)"]


def test_a_model_that_stays_away_fails_after_the_last_try_and_no_further_one_is_promised(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr(publishing, "RETRY_SECONDS", 0)
    with caplog.at_level(logging.WARNING):
        result, tries = made_with(tmp_path, [ModelUnavailable("down")] * 5)
    assert (result.success, tries) == (False, 3)
    assert warnings(caplog) == ["down; trying again in 0 s (1 of 2)", "down; trying again in 0 s (2 of 2)"]


@pytest.mark.parametrize(
    "error",
    [
        InstallationBroken("the package resvg-py is not installed: run `make env`"),
        EyesWeightsUnusable("the weights are damaged: reinstall"),
        ImageWeightsMissing("install the package"),
        DrawingWorkerDied("a drawing process was killed: run again"),
        ReviewFileError(Path("queue.jsonl"), 3, "it is not a JSON object"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_waiting_cannot_mend_fails_at_once_in_its_own_words(
    error: Exception, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    with caplog.at_level(logging.WARNING):
        result, tries = made_with(tmp_path, [error] * 3)
    (failure,) = [event.step_failure_data for event in result.all_events if event.is_step_failure]
    assert tries == 1
    assert failure.user_failure_data is not None
    assert failure.user_failure_data.description == str(error)
    assert warnings(caplog) == []


def test_errors_of_installations_are_errors_of_models_but_no_absences() -> None:
    assert issubclass(InstallationBroken, ModelError)
    assert not issubclass(InstallationBroken, ModelUnavailable)


def test_numbers_of_a_preview_are_rounded_and_texts_are_not() -> None:
    row = {"task": "0.123456789", "value": 0.123456789, "tokens": 12345.678, "p": 1.23456e-7, "cases": 1234567}
    assert str(rows_preview([row]).value).splitlines()[2] == "| 0.123456789 | 0.1235 | 12346 | 1.235e-07 | 1234567 |"
