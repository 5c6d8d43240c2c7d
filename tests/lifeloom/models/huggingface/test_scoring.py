"""Options by likelihood: the quick ways give what the plain one gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lifeloom.models.calls.stopping import CallStopped, Stop, stoppable
from lifeloom.models.calls.wire import BadRequest, Question
from lifeloom.models.huggingface import HuggingFaceWire
from tests.huggingface_questions import question, saying, task, together
from tests.tiny_models import TinyPictures, save_text_model

OPTIONS = ("green tea", "black coffee, in the morning and in room 40", "a", "Ärger mit 茶")


def one_by_one(wire: HuggingFaceWire, asked: Question, options: Sequence[str]) -> list[float]:
    """Return the log-likelihood of each option by a full forward pass of its own, in the plainest way."""
    import torch

    engine = wire._ready()
    prompt = engine.prompts.encode(asked, with_schema=False)
    sums = []
    for option in options:
        tokens = engine.loaded.tokenizer(option, add_special_tokens=False, return_tensors="pt")["input_ids"]
        inputs = {name: torch.cat([value, torch.zeros_like(tokens)], 1) for name, value in prompt.sequences.items()}
        inputs["input_ids"] = torch.cat([prompt.sequences["input_ids"], tokens], 1)
        inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
        with torch.inference_mode():
            logits = engine.loaded.model(**inputs, **prompt.pictures).logits[0, prompt.length - 1 : -1]
        sums.append(float(logits.double().log_softmax(-1).gather(-1, tokens[0, :, None]).sum()))
    return sums


def score(wire: HuggingFaceWire, asked: Question, options: Sequence[str] = OPTIONS) -> list[float]:
    return list(wire.score(asked, options, (), 60.0).scores)


@pytest.mark.parametrize("batch", [8, 3, 1])
def test_sharing_what_was_read_changes_no_score(text_model: Path, batch: int) -> None:
    wire = HuggingFaceWire(str(text_model), device="cpu", batch=batch, normalise="none")
    asked = question("What do I drink in room 40? " * 5)

    assert score(wire, asked) == pytest.approx(one_by_one(wire, asked, OPTIONS), abs=1e-3)


def test_a_model_with_a_sliding_window_is_scored_right(tmp_path: Path) -> None:
    wire = HuggingFaceWire(str(save_text_model(tmp_path / "sliding", sliding=16)), device="cpu", normalise="none")
    asked = question("What do I drink in room 40? " * 5)

    assert score(wire, asked) == pytest.approx(one_by_one(wire, asked, OPTIONS), abs=1e-3)


def test_an_adapter_counts_in_scores(text_model: Path, text_adapter: Path) -> None:
    adapted = HuggingFaceWire(str(text_model), adapter=str(text_adapter), device="cpu", normalise="none")
    asked = question("What do I drink?")

    assert score(adapted, asked) == pytest.approx(one_by_one(adapted, asked, OPTIONS), abs=1e-3)
    assert score(adapted, asked) != pytest.approx(score(HuggingFaceWire(str(text_model)), asked), abs=1e-2)


def test_a_model_that_sees_is_scored_with_its_pictures(vision_model: Path) -> None:
    wire = HuggingFaceWire(str(vision_model), device="cpu", normalise="none", batch=3)
    pictures = TinyPictures()
    red, blue = pictures.add("red", (120, 64)), pictures.add("blue")
    asked = question("Here <img> and there <img>, which?", pictures=[red, blue], source=pictures)
    swapped = question("Here <img> and there <img>, which?", pictures=[blue, red], source=pictures)

    assert score(wire, asked) == pytest.approx(one_by_one(wire, asked, OPTIONS), abs=1e-3)
    assert score(wire, asked) != pytest.approx(score(wire, swapped), abs=1e-4)
    without = question("Which?")
    assert score(wire, without) == pytest.approx(one_by_one(wire, without, OPTIONS), abs=1e-3)


def test_the_length_of_an_option_is_divided_out_as_asked(text_model: Path) -> None:
    asked = question("What do I drink?")
    wires: dict[Any, HuggingFaceWire] = {
        how: HuggingFaceWire(str(text_model), device="cpu", normalise=how) for how in ("none", "bytes", "tokens")
    }
    plain = score(wires["none"], asked)
    tokens = [len(wires["none"]._ready().prompts.encode_option(option)) for option in OPTIONS]

    assert score(wires["bytes"], asked) == pytest.approx(
        [value / len(option.encode()) for value, option in zip(plain, OPTIONS, strict=True)]
    )
    assert score(wires["tokens"], asked) == pytest.approx(
        [value / count for value, count in zip(plain, tokens, strict=True)]
    )
    assert len({repr(dict(wire.parameters)) for wire in wires.values()}) == 3  # no cache takes one for the other


def test_the_option_that_the_model_would_say_scores_highest(text_wire: HuggingFaceWire) -> None:
    with saying(text_wire, "black coffee"):  # at every place of a batch the first tokens of it
        scores = score(text_wire, question("What do I drink?"), ("green tea", "black coffee"))

    assert scores[1] > scores[0]


def test_options_are_scored_while_others_are_answered(text_wire: HuggingFaceWire) -> None:
    asked = question("What do I drink?", task(max_tokens=60))
    alone, reply = score(text_wire, asked), text_wire.send(asked, 60.0)

    results = together([lambda: score(text_wire, asked), lambda: text_wire.send(asked, 60.0)] * 4)  # type: ignore[list-item]

    assert results[0::2] == [alone] * 4
    assert results[1::2] == [reply] * 4


def test_tokens_of_prompt_and_options_are_counted(text_wire: HuggingFaceWire) -> None:
    asked = question("What do I drink?")
    prompts = text_wire._ready().prompts

    reply = text_wire.score(asked, OPTIONS, (), 60.0)

    read = prompts.encode(asked, with_schema=False).length + sum(len(prompts.encode_option(one)) for one in OPTIONS)
    assert (reply.prompt_tokens, reply.completion_tokens) == (read, 0)


def test_a_prompt_that_is_too_long_with_its_longest_option_is_refused(text_wire: HuggingFaceWire) -> None:
    with pytest.raises(BadRequest) as refused:
        score(text_wire, question("tea"), ("green tea", "tea " * 4000))

    assert refused.value.kind == "context_too_long"


def test_an_empty_option_is_refused(text_wire: HuggingFaceWire) -> None:
    with pytest.raises(BadRequest, match="without any text"):
        score(text_wire, question("tea"), ("green tea", ""))


def test_options_are_scored_no_further_when_nobody_waits_for_them_any_more(text_model: Path) -> None:
    wire, stop = HuggingFaceWire(str(text_model), device="cpu", batch=1), Stop()
    steps = [0]

    def count(module: Any, args: Any) -> None:
        steps[0] += 1
        if steps[0] == 3:
            stop.throw(KeyboardInterrupt())

    wire._ready().loaded.model.register_forward_pre_hook(count)

    with stoppable(stop), pytest.raises(CallStopped):
        score(wire, question("Which?"), [f"option number {number}" for number in range(500)])
    assert len(score(wire, question("Which?"))) == len(OPTIONS)
    wire.close()

    assert steps[0] < 100


def test_options_that_do_not_fit_into_memory_together_are_scored_in_parts(text_wire: HuggingFaceWire) -> None:
    import torch

    asked = question("What do I drink?")
    alone = score(text_wire, asked)

    def full(module: Any, args: Any, keywords: Any) -> None:
        if len(keywords["input_ids"]) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory.")

    text_wire._ready().loaded.model.register_forward_pre_hook(full, with_kwargs=True)

    assert score(text_wire, asked) == pytest.approx(alone, abs=1e-5)
