"""Answers of checkpoints: batches, limits, stops, draws, schemas, pictures, adapters."""

from __future__ import annotations

import collections
import json
import random
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from lifeloom.models.calls.wire import BadRequest, ReAsk
from lifeloom.models.huggingface import HuggingFaceWire
from lifeloom.models.protocol import ModelUnavailable
from lifeloom.tasks import TaskOutput, TextOutput
from tests.huggingface_questions import ask, question, saying, task, together
from tests.tiny_models import TinyPictures, save_text_model

LETTERS = "abcd"


class Letter(TaskOutput):
    letter: Literal["a", "b", "c", "d"]


class Person(TaskOutput):
    name: str = Field(min_length=1, max_length=12)
    tastes: tuple[Annotated[str, Field(max_length=6)], ...] = Field(min_length=1, max_length=3)
    age: int = Field(ge=0, le=120)


# --- batches


def test_questions_asked_together_are_answered_as_they_are_alone(text_wire: HuggingFaceWire) -> None:
    texts = [f"In room {n} I drink " + "green tea, " * n for n in range(8)]
    alone = [ask(text_wire, text) for text in texts]

    with BatchSizes(text_wire) as batches:
        answers = together([lambda text=text: ask(text_wire, text) for text in texts])  # type: ignore[misc]

    assert answers == alone
    assert len(set(alone)) > 4
    assert max(batches) > 1


def test_rows_of_one_batch_keep_their_own_limits_stops_temperatures_and_schemas(text_wire: HuggingFaceWire) -> None:
    asked = [
        question("one", task(max_tokens=3)),
        question("two", task(max_tokens=9, temperature=1.0), seed=5),
        question("three", task(Letter)),
        question("four", task(max_tokens=20, stop=("e",))),
    ]
    alone = [text_wire.send(one, 60.0) for one in asked]

    replies = together([lambda one=one: text_wire.send(one, 60.0) for one in asked])  # type: ignore[misc]

    assert replies == alone
    assert replies[0].finish == "length"
    assert replies[0].completion_tokens == 3
    assert replies[1].completion_tokens == 9
    assert json.loads(replies[2].content)["letter"] in LETTERS
    assert replies[2].finish == "stop"


def test_a_short_answer_does_not_wait_for_the_long_one_beside_it(text_wire: HuggingFaceWire) -> None:
    done: list[str] = []

    def asking(name: str, limit: int) -> None:
        ask(text_wire, name, task(max_tokens=limit))
        done.append(name)

    with BatchSizes(text_wire) as batches:
        together([lambda: asking("long", 400), lambda: asking("short", 2)])

    assert done == ["short", "long"]
    assert batches[0] == 2


def test_a_prompt_that_is_too_long_is_refused_and_the_others_are_answered(text_wire: HuggingFaceWire) -> None:
    def asking(text: str) -> str:
        try:
            return ask(text_wire, text)
        except BadRequest as error:
            return error.kind

    answers = together([lambda: asking("short"), lambda: asking("tea " * 4000), lambda: asking("another")])

    assert answers[1] == "context_too_long"
    assert answers[0] == ask(text_wire, "short")
    assert answers[2] == ask(text_wire, "another")


def test_an_answer_may_fill_what_the_prompt_leaves_of_the_context(tmp_path: Path) -> None:
    wire = HuggingFaceWire(str(save_text_model(tmp_path / "small", context=128)), device="cpu")

    reply = wire.send(question("tea", task(max_tokens=5000)), 60.0)

    assert reply.finish == "length"
    assert reply.prompt_tokens is not None
    assert reply.completion_tokens == 128 - reply.prompt_tokens


def test_a_batch_that_runs_out_of_memory_half_way_is_begun_again_in_halves(
    text_wire: HuggingFaceWire, caplog: pytest.LogCaptureFixture
) -> None:
    import torch

    asked = [
        question(f"In room {n}", task(Person if n % 2 else TextOutput, temperature=0.9, max_tokens=40 + n), seed=n)
        for n in range(8)
    ]
    alone = [text_wire.send(one, 60.0) for one in asked]
    steps = []

    def full(module: Any, args: Any, keywords: Any) -> None:
        steps.append(len(keywords["input_ids"]))
        if steps[-1] > 2 and len(steps) % 10 == 0:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB")

    text_wire._ready().loaded.model.register_forward_pre_hook(full, with_kwargs=True)
    replies = together([lambda one=one: text_wire.send(one, 60.0) for one in asked])  # type: ignore[misc]

    assert replies == alone
    assert "halves" in caplog.text
    caplog.clear()
    del steps[:]
    assert together([lambda one=one: text_wire.send(one, 60.0) for one in asked]) == alone  # type: ignore[misc]
    assert max(steps) < 8  # what is known not to fit is not tried again


def test_a_prompt_that_does_not_fit_into_memory_alone_says_so(text_wire: HuggingFaceWire) -> None:
    import torch

    def full(module: Any, args: Any, keywords: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory.")

    text_wire._ready().loaded.model.register_forward_pre_hook(full, with_kwargs=True)

    with pytest.raises(ModelUnavailable, match=r"does not fit into memory .* use a smaller window"):
        ask(text_wire, "tea")


def test_a_row_that_breaks_its_batch_fails_alone(text_wire: HuggingFaceWire) -> None:
    poison = text_wire._ready().loaded.tokenizer("€", add_special_tokens=False)["input_ids"][0]

    def refuse(module: Any, args: Any, keywords: Any) -> None:
        if (keywords["input_ids"] == poison).any():
            raise RuntimeError("poison")

    text_wire._ready().loaded.model.register_forward_pre_hook(refuse, with_kwargs=True)

    def asking(text: str) -> str:
        try:
            return "answered" if ask(text_wire, text, task(max_tokens=1)) else ""
        except ModelUnavailable as error:
            return str(error)

    answers = together([lambda text=text: asking(text) for text in ("a", "b", "€", "c")])  # type: ignore[misc]

    assert answers[2].endswith("failed: RuntimeError: poison")
    assert answers[:2] + answers[3:] == ["answered"] * 3


def test_an_answer_that_takes_too_long_is_given_up_and_says_what_to_set(text_wire: HuggingFaceWire) -> None:
    with pytest.raises(ModelUnavailable, match="call_seconds"):
        text_wire.send(question("tea", task(max_tokens=1500)), 0.0)


# --- stops, thinking


def test_an_answer_ends_before_a_stop_sequence(text_wire: HuggingFaceWire) -> None:
    with saying(text_wire, "green tea\nUser: and now?") as read:
        reply = text_wire.send(question("tea?", task(max_tokens=50, stop=("\nUser:", "never"))), 60.0)

    assert reply.content == "green tea"
    assert reply.finish == "stop"
    assert reply.completion_tokens == len(read) < len("green tea\nUser: and now?")


def test_an_answer_ends_where_the_model_ends_it(text_wire: HuggingFaceWire) -> None:
    with saying(text_wire, "green tea"):
        reply = text_wire.send(question("tea?", task(max_tokens=50)), 60.0)

    assert (reply.content, reply.finish) == ("green tea", "stop")


def test_thoughts_are_not_part_of_the_answer_nor_held_to_its_schema(text_model: Path) -> None:
    wire = HuggingFaceWire(str(text_model), device="cpu", thinking=True, thinking_tokens=100)

    with saying(wire, '<think>tea, or {"coffee"?</think>{"letter": "c"}'):
        reply = wire.send(question("tea?", task(Letter, max_tokens=12)), 60.0)

    assert reply.content == '{"letter": "c"}'
    assert reply.finish == "stop"
    assert reply.completion_tokens is not None
    assert reply.completion_tokens > 12
    assert wire.extra_tokens == 100


def test_a_model_that_shall_not_think_is_told_so_where_its_template_knows_how(text_model: Path) -> None:
    quiet, thoughtful = (HuggingFaceWire(str(text_model), device="cpu", thinking=value) for value in (False, True))

    def ending(wire: HuggingFaceWire) -> str:
        ids = wire._ready().prompts.encode(question("tea?"), with_schema=True).sequences["input_ids"][0]
        text: str = wire._ready().loaded.tokenizer.decode(ids)
        return text.rpartition("assistant\n")[2]

    assert ending(quiet) == "<think>\n\n</think>\n\n"
    assert ending(thoughtful) == ""


# --- draws


def test_a_draw_depends_on_the_seed_and_not_on_the_company(text_wire: HuggingFaceWire) -> None:
    warm = task(temperature=1.0)
    alone = {seed: ask(text_wire, "tea", warm, seed=seed) for seed in range(6)}

    answers = together([lambda seed=seed: ask(text_wire, "tea", warm, seed=seed) for seed in range(6)])  # type: ignore[misc]

    assert answers == list(alone.values())
    assert len(set(answers)) == 6


def test_draws_follow_the_models_probabilities(text_model: Path) -> None:
    import torch

    wire = HuggingFaceWire(str(text_model), device="cpu", batch=50)
    loaded = wire._ready().loaded
    prompt = wire._ready().prompts.encode(question("tea"), with_schema=True)
    with torch.inference_mode():
        logits = loaded.model(**prompt.sequences).logits[0, -1].double()
    likely = torch.softmax(logits / 2.0, dim=-1)

    warm = task(temperature=2.0, max_tokens=1)
    replies = together(
        [lambda seed=seed: wire.send(question("tea", warm, seed=seed), 60.0).content for seed in range(600)]  # type: ignore[misc]
    )

    drawn = collections.Counter(replies)
    for token in likely.topk(3).indices.tolist():
        text = loaded.tokenizer.decode([token], skip_special_tokens=True)
        same = [one for one in range(len(likely)) if loaded.tokenizer.decode([one], skip_special_tokens=True) == text]
        expected = float(likely[same].sum())
        spread = (expected * (1 - expected) / 600) ** 0.5
        assert abs(drawn[text] / 600 - expected) < 5 * spread


def test_a_second_attempt_is_another_draw(text_wire: HuggingFaceWire) -> None:
    warm = task(temperature=1.0)
    seeds = []
    batcher = text_wire._ready().batcher
    original = batcher.ask

    def noting(job: Any, **keywords: Any) -> Any:
        seeds.append(job.seed)
        return original(job, **keywords)

    batcher.ask = noting  # type: ignore[method-assign]
    first = ask(text_wire, "tea", warm, seed=3)
    ask(text_wire, "tea", warm, seed=3, again=ReAsk(first, "too short"))
    ask(text_wire, "tea", warm, seed=3, again=ReAsk(first, "too short"))

    assert seeds[0] == 3
    assert seeds[1] != 3
    assert seeds[1] == seeds[2]  # the same again, when a run is made again


# --- schemas


@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_random_weights_give_valid_json_within_all_bounds(text_wire: HuggingFaceWire, temperature: float) -> None:
    asked = task(Person, temperature=temperature, max_tokens=400)
    replies = together(
        [lambda n=n: text_wire.send(question(f"person {n}", asked, seed=n), 60.0) for n in range(8)]  # type: ignore[misc]
    )

    for reply in replies:
        assert reply.finish == "stop"
        assert "\n" not in reply.content
        Person.model_validate_json(reply.content)
    assert len({reply.content for reply in replies}) > 1


def test_a_cut_json_answer_says_that_it_was_cut(text_wire: HuggingFaceWire) -> None:
    reply = text_wire.send(question("person", task(Person, max_tokens=5)), 60.0)

    assert reply.finish == "length"
    assert reply.content.startswith('{"name')


def test_a_schema_that_cannot_be_enforced_is_said_once_and_answered_freely(
    text_wire: HuggingFaceWire, caplog: pytest.LogCaptureFixture
) -> None:
    class Odd(TaskOutput):
        letter: str = Field(pattern=r"\btea\b")

    asked = task(Odd)

    replies = [text_wire.send(question(text, asked), 60.0) for text in ("one", "two")]

    assert all(not reply.content.startswith("{") for reply in replies)
    assert caplog.text.count("without being held to its schema") == 1


def test_what_a_grammar_cannot_say_is_left_out_of_it_and_the_rest_holds(
    text_wire: HuggingFaceWire, caplog: pytest.LogCaptureFixture
) -> None:
    class Different(TaskOutput):
        letters: tuple[Literal["a", "b"], ...] = Field(max_length=2, json_schema_extra={"uniqueItems": True})

    answers = [json.loads(ask(text_wire, text, task(Different, max_tokens=60))) for text in ("one", "two")]

    assert all(set(answer["letters"]) <= {"a", "b"} and len(answer["letters"]) <= 2 for answer in answers)
    assert caplog.text.count("uniqueItems") == 1


def test_the_schema_stands_in_the_prompt_of_an_answer_and_not_in_that_of_a_score(text_wire: HuggingFaceWire) -> None:
    prompts, decode = text_wire._ready().prompts, text_wire._ready().loaded.tokenizer.decode

    texts = {
        with_schema: decode(
            prompts.encode(question("tea", task(Letter)), with_schema=with_schema).sequences["input_ids"][0]
        )
        for with_schema in (True, False)
    }

    assert "JSON schema" in texts[True]
    assert "JSON" not in texts[False]


# --- pictures


@pytest.fixture
def pictures() -> TinyPictures:
    return TinyPictures()


def test_a_model_that_sees_answers_mixed_batches_as_it_does_alone(vision_model: Path, pictures: TinyPictures) -> None:
    wire = HuggingFaceWire(str(vision_model), device="cpu")
    shown = [pictures.add(colour, (64 + 20 * n, 90)) for n, colour in enumerate(("red", "green", "blue"))]
    asked = [question("look " * n + "<img> and " * (n % 4), pictures=shown[: n % 4], source=pictures) for n in range(8)]
    alone = [wire.send(one, 60.0) for one in asked]

    assert together([lambda one=one: wire.send(one, 60.0) for one in asked]) == alone  # type: ignore[misc]
    assert len({reply.content for reply in alone}) > 3


def test_what_a_picture_shows_and_where_it_stands_changes_the_answer(
    vision_model: Path, pictures: TinyPictures
) -> None:
    wire = HuggingFaceWire(str(vision_model), device="cpu")
    red, blue = pictures.add("red"), pictures.add("blue")

    def logits_of(text: str, *shown: Any) -> Any:
        import torch

        engine = wire._ready()
        prompt = engine.prompts.encode(question(text, pictures=shown, source=pictures), with_schema=True)
        with torch.inference_mode():
            return engine.loaded.model(**prompt.sequences, **prompt.pictures).logits[0, -1]

    as_it_is = logits_of("first <img> then <img>", red, blue)
    assert not as_it_is.allclose(logits_of("first <img> then <img>", blue, red))
    assert not as_it_is.allclose(logits_of("first <img><img> then", red, blue))


def test_an_answer_about_a_picture_is_held_to_its_schema(vision_model: Path, pictures: TinyPictures) -> None:
    wire = HuggingFaceWire(str(vision_model), device="cpu")

    answer = ask(wire, "<img> which?", task(Letter), pictures=[pictures.add("red")], source=pictures)

    assert json.loads(answer)["letter"] in LETTERS


def test_a_model_of_text_refuses_pictures(text_wire: HuggingFaceWire, pictures: TinyPictures) -> None:
    with pytest.raises(BadRequest) as refused:
        ask(text_wire, "<img>", pictures=[pictures.add("red")], source=pictures)

    assert refused.value.kind == "pictures"


def test_a_broken_picture_is_refused_and_the_others_are_answered(vision_model: Path, pictures: TinyPictures) -> None:
    wire = HuggingFaceWire(str(vision_model), device="cpu")
    good = pictures.add("red")
    broken = pictures.add_file(pictures(good)[:-30], (64, 64))
    long = pictures.add("blue", (2000, 8))

    def asking(shown: Any) -> str:
        try:
            return ask(wire, "<img>", pictures=[shown], source=pictures)
        except BadRequest as error:
            return f"refused: {error.kind}"

    answers = together([lambda shown=shown: asking(shown) for shown in (good, broken, long)])  # type: ignore[misc]

    assert answers[0] == asking(good)
    assert answers[1] == "refused: picture"
    assert answers[2] == "refused: picture"


# --- adapters, other templates


def test_an_adapter_changes_the_answers_of_a_text_model(text_model: Path, text_adapter: Path) -> None:
    plain, adapted = HuggingFaceWire(str(text_model)), HuggingFaceWire(str(text_model), adapter=str(text_adapter))

    assert ask(plain, "tea") != ask(adapted, "tea")
    assert plain.identity != adapted.identity


def test_an_adapter_changes_the_answers_of_a_model_that_sees(
    vision_model: Path, vision_adapter: Path, pictures: TinyPictures
) -> None:
    plain, adapted = HuggingFaceWire(str(vision_model)), HuggingFaceWire(str(vision_model), adapter=str(vision_adapter))
    shown = {"pictures": [pictures.add("red")], "source": pictures}

    assert ask(plain, "<img> tea", **shown) != ask(adapted, "<img> tea", **shown)


def test_random_company_never_changes_an_answer(text_wire: HuggingFaceWire) -> None:
    rng = random.Random(4)
    asked = [
        question(
            "tea " * rng.randint(1, 60), task(max_tokens=rng.randint(1, 20), temperature=rng.choice([0.0, 0.8])), seed=n
        )
        for n in range(24)
    ]
    alone = [text_wire.send(one, 60.0) for one in asked]

    assert together([lambda one=one: text_wire.send(one, 60.0) for one in asked]) == alone  # type: ignore[misc]


class BatchSizes:
    """Note how many rows the model reads at each step."""

    def __init__(self, wire: HuggingFaceWire) -> None:
        self._model = wire._ready().loaded.model

    def __enter__(self) -> list[int]:
        sizes: list[int] = []
        self._hook = self._model.register_forward_pre_hook(
            lambda module, args, keywords: sizes.append(len(keywords["input_ids"])), with_kwargs=True
        )
        return sizes

    def __exit__(self, *_: object) -> None:
        self._hook.remove()
