"""Other architectures through the same call: what differs is in the checkpoint's files, not in the code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest

from lifeloom.models.calls.wire import ReAsk
from lifeloom.models.huggingface import HuggingFaceWire
from lifeloom.tasks import TaskOutput
from tests.huggingface_questions import ask, question, task, together
from tests.lifeloom.models.huggingface.test_scoring import OPTIONS, one_by_one, score
from tests.tiny_models import TinyPictures, save_gemma_model, save_recurrent_model, save_text_model


class Letter(TaskOutput):
    letter: Literal["a", "b"]


@pytest.fixture(scope="module")
def gemma(checkpoints: Path) -> Path:
    return save_gemma_model(checkpoints / "gemma")


def test_gemma_answers_mixed_batches_as_it_does_alone(gemma: Path) -> None:
    wire = HuggingFaceWire(str(gemma), device="cpu")
    pictures = TinyPictures()
    shown = [pictures.add(colour) for colour in ("red", "green", "blue")]
    asked = [question("look " * n + "<img> and " * (n % 4), pictures=shown[: n % 4], source=pictures) for n in range(8)]
    alone = [wire.send(one, 60.0) for one in asked]

    assert together([lambda one=one: wire.send(one, 60.0) for one in asked]) == alone  # type: ignore[misc]
    assert len({reply.content for reply in alone}) > 3


def test_gemma_scores_options_with_a_picture(gemma: Path) -> None:
    wire = HuggingFaceWire(str(gemma), device="cpu", normalise="none")
    pictures = TinyPictures()
    asked = question("look <img> at it " * 5, pictures=[pictures.add("red")] * 5, source=pictures)

    assert score(wire, asked) == pytest.approx(one_by_one(wire, asked, OPTIONS), abs=1e-3)


def test_gemma_takes_second_attempts_although_it_is_strict_about_turns(gemma: Path) -> None:
    wire = HuggingFaceWire(str(gemma), device="cpu")

    for first in ("coffee", ""):
        answer = ask(wire, "tea?", task(Letter, max_tokens=40), again=ReAsk(first, "that is no tea"))
        assert json.loads(answer)["letter"] in "ab"


def test_a_prompt_begins_once(gemma: Path) -> None:
    engine = HuggingFaceWire(str(gemma), device="cpu")._ready()

    ids = engine.prompts.encode(question("tea?"), with_schema=True).sequences["input_ids"][0].tolist()

    assert ids.count(engine.loaded.tokenizer.bos_token_id) == 1


@pytest.mark.parametrize("kind", ["mixture of experts", "recurrent"])
def test_other_models_of_text_answer_and_score_as_they_should(tmp_path: Path, kind: str) -> None:
    saved = save_recurrent_model(tmp_path) if kind == "recurrent" else save_text_model(tmp_path, experts=4)
    wire = HuggingFaceWire(str(saved), device="cpu", normalise="none")
    asked = [question("look " * n, task(Letter, max_tokens=40)) for n in range(6)]
    alone = [wire.send(one, 60.0) for one in asked]

    assert together([lambda one=one: wire.send(one, 60.0) for one in asked]) == alone  # type: ignore[misc]
    assert score(wire, asked[3]) == pytest.approx(one_by_one(wire, asked[3], OPTIONS), abs=1e-3)
