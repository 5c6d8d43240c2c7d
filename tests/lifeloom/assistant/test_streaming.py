from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lifeloom.assistant.parsing import Answer, parse_step
from lifeloom.assistant.streaming import AnswerFilter


class Heard:
    def __init__(self) -> None:
        self.text = ""
        self.restarts = 0

    def piece(self, text: str) -> None:
        assert text
        self.text += text

    def restart(self) -> None:
        self.text = ""
        self.restarts += 1


def _stream(text: str, size: int) -> Heard:
    heard = Heard()
    filtered = AnswerFilter(heard)
    for start in range(0, len(text), size):
        filtered.piece(text[start : start + size])
    return heard


def test_words_are_passed_on_before_the_answer_is_complete() -> None:
    heard = _stream("<think>x</think><answer>You drink gre", 5)
    assert heard.text == "You drink gre"


def test_what_may_be_the_beginning_of_a_tag_is_held_back() -> None:
    heard = Heard()
    filtered = AnswerFilter(heard)
    filtered.piece("<think>x</think><answer>1 <")
    assert heard.text == "1"
    filtered.piece(" 2 </ans")
    assert heard.text == "1 < 2"
    filtered.piece("ers of it")
    assert heard.text == "1 < 2 </ansers of it"


def test_nothing_of_thoughts_and_retrievals_is_passed_on() -> None:
    text = "<think>say <answer>no</answer></think><retrieve>keywords: a</retrieve> <answer>made up</answer>"
    assert _stream(text, 1).text == ""


def test_a_model_that_begins_anew_takes_its_words_back() -> None:
    heard = Heard()
    filtered = AnswerFilter(heard)
    filtered.piece("<think>x</think><answer>wrong ")
    filtered.restart()
    assert (heard.text, heard.restarts) == ("", 1)
    filtered.piece("<think>x</think><answer>right</answer>")
    filtered.settle("right")
    assert (heard.text, heard.restarts) == ("right", 1)


_PIECES = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "<answer>", "</answer>", "<retrieve>", "</retrieve>", " ", "<", "tea", "\n"]
    )
    | st.text(max_size=8),
    max_size=15,
).map("".join)


@given(_PIECES, st.integers(1, 9))
def test_after_settling_exactly_the_answer_was_heard(text: str, size: int) -> None:
    action = parse_step(text, 0).action
    answer = action.text if isinstance(action, Answer) else ""
    heard = Heard()
    filtered = AnswerFilter(heard)
    for start in range(0, len(text), size):
        filtered.piece(text[start : start + size])
    filtered.settle(answer)
    assert heard.text == answer


@given(st.text(max_size=40), st.text(max_size=60), st.integers(1, 9))
def test_of_well_formed_output_nothing_is_taken_back(thought: str, answer: str, size: int) -> None:
    text = f"<think>{thought}.</think>\n<answer>{answer}.</answer>\n"
    step = parse_step(text, 0)
    heard = _stream(text, size)
    if step.well_formed:
        assert isinstance(step.action, Answer)
        assert (heard.text, heard.restarts) == (step.action.text, 0)
