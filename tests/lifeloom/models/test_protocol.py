"""The errors and values that all backends share."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lifeloom.models import (
    CapabilityMissing,
    GenerationRejected,
    InstallationBroken,
    LanguageModel,
    MiniLmEncoder,
    ModelError,
    ModelIdentity,
    ModelRefusesKey,
    ModelUnavailable,
    OpenAiModel,
    TextEncoder,
)
from lifeloom.tasks import CHOICE_ANSWER


def test_a_rejection_keeps_task_reason_and_raw_text_and_does_not_print_the_text() -> None:
    rejection = GenerationRejected("choice_answer", "bad_json", "a long private answer", "the answer is not JSON")
    assert (rejection.task, rejection.reason, rejection.raw) == ("choice_answer", "bad_json", "a long private answer")
    assert str(rejection) == "choice_answer: the model's answer was rejected (bad_json): the answer is not JSON"


@pytest.mark.parametrize(
    "error", [GenerationRejected, ModelUnavailable, ModelRefusesKey, InstallationBroken, CapabilityMissing]
)
def test_all_errors_of_models_have_one_base(error: type[Exception]) -> None:
    assert issubclass(error, ModelError)


def test_provenance_names_backend_model_and_prompt_version() -> None:
    identity = ModelIdentity(backend="openai", model="m")
    with_task = identity.provenance(CHOICE_ANSWER)
    assert (with_task.backend, with_task.model) == ("openai", "m")
    assert with_task.prompt_version == CHOICE_ANSWER.prompt_version
    assert identity.provenance().prompt_version == ""


def test_the_backends_fit_the_protocols() -> None:
    with OpenAiModel("m", base_url="http://127.0.0.1:9/v1") as model:
        assert isinstance(model, LanguageModel)
    assert isinstance(MiniLmEncoder(), TextEncoder)


def test_importing_the_models_loads_nothing_heavy() -> None:
    script = (
        "import sys, lifeloom.models; "
        "print([m for m in ('openai', 'httpx2', 'torch', 'transformers', 'sentence_transformers', 'mlflow', 'dagster') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
