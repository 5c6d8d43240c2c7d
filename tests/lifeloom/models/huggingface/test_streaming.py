"""Answers of checkpoints, told token by token."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from lifeloom.models.huggingface import HuggingFaceModel, HuggingFaceWire
from lifeloom.models.huggingface.pieces import TokenPieces
from tests.huggingface_questions import Said, question, saying, task, together


class Ear:
    def __init__(self, on_piece: Callable[[str], None] = lambda text: None) -> None:
        self.pieces: list[str] = []
        self.restarts = 0
        self._on_piece = on_piece

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def piece(self, text: str) -> None:
        self.pieces.append(text)
        self._on_piece(text)

    def restart(self) -> None:
        self.pieces = []
        self.restarts += 1


def test_an_answer_is_told_while_later_tokens_are_still_to_come(text_wire: HuggingFaceWire) -> None:
    steps: list[int] = []
    with saying(text_wire, "green tea with honey") as read:
        ear = Ear(lambda text: steps.append(len(read)))
        reply = text_wire.send(question("tea?", task(max_tokens=50)), 60.0, ear)
    assert reply.content == ear.text == "green tea with honey"
    assert len(ear.pieces) > 3
    assert steps[0] < len(read)


def test_each_row_of_a_batch_tells_its_own_listener_only(text_wire: HuggingFaceWire) -> None:
    asked = [question(f"person {n}", task(max_tokens=12 + n, temperature=1.0), seed=n) for n in range(6)]
    alone = [text_wire.send(one, 60.0).content for one in asked]
    ears = [Ear() if n % 2 else None for n in range(6)]

    replies = together(
        [lambda one=one, ear=ear: text_wire.send(one, 60.0, ear) for one, ear in zip(asked, ears, strict=True)]  # type: ignore[misc]
    )

    assert [reply.content for reply in replies] == alone
    assert len({*alone}) > 3
    for ear, text in zip(ears, alone, strict=True):
        if ear is not None:
            assert text.startswith(ear.text)  # half a character at the end is told with the whole
            assert len(ear.text) >= len(text) - 3


def test_a_stop_is_never_told_not_even_its_beginning(text_wire: HuggingFaceWire) -> None:
    with saying(text_wire, "green\nUsers say tea\nUser: more"):
        ear = Ear()
        reply = text_wire.send(question("tea?", task(max_tokens=50, stop=("\nUser:",))), 60.0, ear)
    assert reply.content == ear.text == "green\nUsers say tea"


def test_thoughts_of_the_model_itself_are_not_told(text_model: Path) -> None:
    wire = HuggingFaceWire(str(text_model), device="cpu", thinking=True, thinking_tokens=100)
    try:
        with saying(wire, "black</think>green"):
            ear = Ear()
            assert wire.send(question("tea?", task(max_tokens=50)), 60.0, ear).content == ear.text == "green"
        with saying(wire, "black</think>green"):
            ear = Ear()
            kept = task(max_tokens=50, keeps_thoughts=True)
            assert wire.send(question("tea?", kept), 60.0, ear).content == ear.text == "black</think>green"
    finally:
        wire.close()


def test_a_batch_that_is_begun_again_is_told_anew(text_wire: HuggingFaceWire) -> None:
    asked = [question(f"In room {n}", task(max_tokens=20)) for n in range(8)]
    alone = [text_wire.send(one, 60.0).content for one in asked]
    steps: list[int] = []

    def full(module: Any, args: Any, keywords: Any) -> None:
        steps.append(len(keywords["input_ids"]))
        if steps[-1] > 2 and len(steps) % 10 == 0:
            raise MemoryError("no room")

    text_wire._ready().loaded.model.register_forward_pre_hook(full, with_kwargs=True)
    ears = [Ear() for _ in asked]
    replies = together(
        [lambda one=one, ear=ear: text_wire.send(one, 60.0, ear) for one, ear in zip(asked, ears, strict=True)]  # type: ignore[misc]
    )
    assert [reply.content for reply in replies] == alone
    assert sum(ear.restarts for ear in ears) > 1
    assert all(text.startswith(ear.text) for ear, text in zip(ears, alone, strict=True))


def test_what_a_listener_raises_gives_the_answer_up_and_the_model_goes_on(text_model: Path) -> None:
    def fail(text: str) -> None:
        raise BrokenPipeError("closed")

    asked, said = task(max_tokens=1500), Said(text="tea")
    with HuggingFaceModel(str(text_model), device="cpu") as model:
        with pytest.raises(BrokenPipeError):
            model.run(asked, said, listener=Ear(fail))
        ear = Ear()
        with saying(cast("HuggingFaceWire", model._wire), "green tea") as read:
            assert model.run(task(max_tokens=8), said, listener=ear).output.text == ear.text == "green tea"
        assert len(read) < 100  # nothing is left of the other
        assert model.tally.usage.calls == 1


def test_a_listener_is_called_in_the_thread_that_asks(text_wire: HuggingFaceWire) -> None:
    threads: set[int] = set()
    with saying(text_wire, "green tea"):
        text_wire.send(question("tea?"), 60.0, Ear(lambda text: threads.add(threading.get_ident())))
    assert threads == {threading.get_ident()}


def test_characters_of_several_tokens_are_told_whole() -> None:
    data = "né 蜂蜜🍯 end".encode()

    def decode(tokens: Any) -> str:
        return bytes(tokens).decode("utf-8", "replace")

    pieces = TokenPieces(decode, ())
    told = [pieces.add(token) for token in data]
    assert "".join(told) == data.decode()
    assert not any("\ufffd" in piece for piece in told)
    assert max(map(len, told)) == 1


def test_what_might_become_a_stop_is_told_when_it_does_not() -> None:
    pieces = TokenPieces(lambda tokens: "".join(map(chr, tokens)), ("###", "END"))
    told = [pieces.add(ord(sign)) for sign in "a ## b EN c #### d"]
    assert "".join(told) == "a ## b EN c "
