"""Full context and RAG: what they show the reader, and that prompts fit its window."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.baselines import FullContextPolicy, RagPolicy
from evaluation.persona_mme import run_policy
from lifeloom.models.tokens import count_tokens
from lifeloom.records import BenchmarkCase, Prediction, Turn
from lifeloom.scoring import Policy
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected
from tests.evaluation.examples import HandEncoder, ScriptedModel, case, picture, turns


def shown(model: ScriptedModel, number: int = 0) -> list[str]:
    return [message.text for message in model.asked[number][1].context]


def ask(policy: Policy, asked: BenchmarkCase, history: list[Turn]) -> list[Prediction]:
    return run_policy(policy, [asked], lambda persona: history).predictions


def whole_prompt(task: Any, task_input: Any) -> int:
    return count_tokens(task.instructions) + count_tokens(task.render(task_input))


def test_full_context_shows_every_message_before_the_case_and_none_after() -> None:
    model = ScriptedModel()
    ask(FullContextPolicy(model, code="c"), case("x", turns=2), turns(4))
    assert shown(model) == ["I say 0", "I answer 0", "I say 1", "I answer 1"]


def test_full_context_keeps_the_newest_messages_where_the_window_is_small() -> None:
    # The prompt without any messages, the longest answer (64) and the heading "Earlier messages:" (3) come first;
    # "[2026-01-05 10:00] user: I say 1" has 16 tokens, "... assistant: I answer 1" as many.
    bare = ScriptedModel()
    ask(FullContextPolicy(bare, code="c"), case("x", turns=2), turns(2))
    task, task_input = bare.asked[0]
    asked = whole_prompt(task, task_input.model_copy(update={"context": ()})) + 3 + task.max_tokens
    for room, messages in ((0, 0), (15, 0), (16, 1), (31, 1), (32, 2), (63, 3), (64, 4)):
        model = ScriptedModel(window_tokens=asked + room)
        ask(FullContextPolicy(model, code="c"), case("x", turns=2), turns(2))
        assert shown(model) == ["I say 0", "I answer 0", "I say 1", "I answer 1"][4 - messages :]


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80)), min_size=1, max_size=10),
    st.integers(200, 700),
    st.text(min_size=1, max_size=60),
    st.text(min_size=1, max_size=200),
)
def test_prompt_and_answer_fit_the_window_and_the_tokens_told_are_those_of_the_prompt(
    said: list[tuple[str, str]], window: int, query: str, response: str
) -> None:
    asked = case("x", turns=len(said), query=query, pair=(response, "Noted."))
    history = turns(len(said), say=lambda number: said[number])
    encoder = HandEncoder({})
    for policy in (
        FullContextPolicy(ScriptedModel(window_tokens=window), code="c"),
        RagPolicy(ScriptedModel(window_tokens=window), encoder, code="c"),
    ):
        predictions = ask(policy, asked, history)
        model = policy.reader
        assert isinstance(model, ScriptedModel)
        assert len(model.asked) == len(predictions) == 3
        for (task, task_input), made in zip(model.asked, predictions, strict=True):
            tokens = whole_prompt(task, task_input)
            assert made.prompt_tokens == tokens
            assert tokens + task.max_tokens <= window or task_input.context == ()


NEAR, FAR, HALF = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0)


def test_rag_shows_the_nearest_messages_in_order_of_time() -> None:
    vectors = {
        "What do I drink?": NEAR,
        "I say 0": HALF,
        "I answer 0": FAR,
        "I say 1": NEAR,
        "I answer 1": (1.0, 0.5, 0.0),
        "I say 2": FAR,
        "I answer 2": FAR,
    }
    model = ScriptedModel()
    ask(RagPolicy(model, HandEncoder(vectors), messages=3, code="c"), case("x", turns=3), turns(3))
    # By cosine: I say 1 (1), I answer 1 (0.894), I say 0 (0.707), the others 0.
    assert shown(model) == ["I say 0", "I say 1", "I answer 1"]


def test_rag_takes_the_newer_of_messages_that_are_equally_near() -> None:
    model = ScriptedModel()
    ask(RagPolicy(model, HandEncoder({}), messages=3, code="c"), case("x", turns=3), turns(3))
    assert shown(model) == ["I answer 1", "I say 2", "I answer 2"]


def test_rag_never_shows_what_is_said_after_the_case() -> None:
    vectors = {"What do I drink?": NEAR, "I say 2": NEAR, "I answer 2": NEAR, "I say 0": HALF}
    model = ScriptedModel()
    ask(RagPolicy(model, HandEncoder(vectors), messages=1, code="c"), case("x", turns=2), turns(3))
    assert shown(model) == ["I say 0"]


def test_rag_shows_five_messages_unless_told_otherwise_or_all_there_are() -> None:
    many, few = ScriptedModel(), ScriptedModel()
    ask(RagPolicy(many, HandEncoder({}), code="c"), case("x", turns=9), turns(9))
    ask(RagPolicy(few, HandEncoder({}), code="c"), case("x", turns=1), turns(1))
    assert (len(shown(many)), len(shown(few))) == (5, 2)


def test_rag_leaves_out_what_does_not_fit_and_takes_the_next() -> None:
    vectors = {"What do I drink?": NEAR, "long " * 400: NEAR, "short": HALF}
    model = ScriptedModel(window_tokens=500)
    history = turns(1, say=lambda number: ("long " * 400, "short"))
    ask(RagPolicy(model, HandEncoder(vectors), messages=2, code="c"), case("x"), history)
    assert shown(model) == ["short"]


def test_rag_encodes_a_history_once_for_all_cases_of_a_user() -> None:
    encoder = HandEncoder({})
    cases = [case(f"case-{number}", turns=2) for number in range(3)]
    run_policy(RagPolicy(ScriptedModel(), encoder, code="c"), cases, lambda persona: turns(2))
    assert [text for text in encoder.encoded if text.startswith("I ")] == [
        "I say 0",
        "I answer 0",
        "I say 1",
        "I answer 1",
    ]


def pictured_turns(count: int) -> list[Turn]:
    """Turns whose messages each show a picture of 361 tokens, numbered like the turn."""
    return turns(
        count,
        say=lambda number: (f"I show {number} <img>", f"I answer {number}"),
        show={number: [picture(number)] for number in range(count)},
    )


def test_a_reader_that_sees_gets_the_pictures_of_the_messages_shown_in_order() -> None:
    pair = case("x", turns=2, pair=("Gladly!", "Noted."))
    for scores in (None, lambda options: [0.0] * len(options)):
        model = ScriptedModel(takes_pictures=True, scores=scores)
        ask(FullContextPolicy(model, code="c"), pair, pictured_turns(3))
        assert model.images == [(picture(0), picture(1))] * 3


def test_a_reader_that_does_not_see_gets_no_pictures_and_pays_for_none() -> None:
    blind, seeing = ScriptedModel(), ScriptedModel(takes_pictures=True)
    (unseen,) = ask(FullContextPolicy(blind, code="c"), case("x", turns=2), pictured_turns(2))
    (seen,) = ask(FullContextPolicy(seeing, code="c"), case("x", turns=2), pictured_turns(2))
    assert blind.images == [()]
    assert shown(blind) == shown(seeing)  # the words are the same, marks included
    assert seen.prompt_tokens == unseen.prompt_tokens + 2 * 361
    assert unseen.prompt_tokens == whole_prompt(*blind.asked[0])


def test_pictures_need_room_in_the_window_of_a_reader_that_sees() -> None:
    window = 900  # the question with 64 for the answer (about 200), all words (about 120), and one picture of three
    seeing, blind = (ScriptedModel(window_tokens=window, takes_pictures=sees) for sees in (True, False))
    for model in (seeing, blind):
        ask(FullContextPolicy(model, code="c"), case("x", turns=3), pictured_turns(3))
    assert shown(blind) == [
        "I show 0 <img>",
        "I answer 0",
        "I show 1 <img>",
        "I answer 1",
        "I show 2 <img>",
        "I answer 2",
    ]
    assert shown(seeing) == shown(blind)[3:]
    assert seeing.images == [(picture(2),)]


def test_rag_finds_a_message_by_its_words_and_brings_its_picture() -> None:
    vectors = {"What do I drink?": NEAR, "I show 1 <img>": NEAR, "I answer 2": HALF}
    model = ScriptedModel(takes_pictures=True)
    ask(RagPolicy(model, HandEncoder(vectors), messages=2, code="c"), case("x", turns=3), pictured_turns(3))
    assert shown(model) == ["I show 1 <img>", "I answer 2"]
    assert model.images == [(picture(1),)]


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (MediaMissing("gone"), "picture_missing"),
        (MediaCorrupt("changed"), "picture_corrupt"),
        (PictureRejected("truncated", "cut short"), "picture_truncated"),
    ],
)
@pytest.mark.parametrize("scores", [None, lambda texts: [1.0] * len(texts)])
def test_a_picture_that_cannot_be_read_fails_its_question_and_no_other(
    error: Exception, failure: str, scores: Any
) -> None:
    class Shortsighted(ScriptedModel):
        def run(self, task: Any, task_input: Any, images: Any = ()) -> Any:
            if picture(2) in images:
                raise error
            return super().run(task, task_input, images)

        def score_options(self, task: Any, task_input: Any, options: Any, images: Any = ()) -> Any:
            if picture(2) in images:
                raise error
            return super().score_options(task, task_input, options, images)

    policy = FullContextPolicy(Shortsighted(takes_pictures=True, scores=scores), code="c")
    cases = [case("c-1", turns=2), case("c-2", turns=4, pair=("yes please", "no"))]
    history = pictured_turns(4)  # the first case ends before the broken picture, that of turn 2
    answers = run_policy(policy, cases, lambda persona: history).predictions

    assert [(row.case_id, row.question, row.failure) for row in answers] == [
        ("c-1", "choice", ""),
        ("c-2", "choice", failure),
        ("c-2", "alignment_chosen", failure),
        ("c-2", "alignment_rejected", failure),
    ]
    assert not any(row.correct for row in answers if row.failure)


def test_a_policy_copes_with_more_marks_than_pictures() -> None:
    history = turns(2, say=lambda number: ("<img> or <img>?", "Neither <img>."), show={1: [picture(7)]})
    model = ScriptedModel(takes_pictures=True)
    ask(FullContextPolicy(model, code="c"), case("x", turns=2), history)
    assert shown(model) == ["< img> or < img>?", "Neither < img>.", "<img> or < img>?", "Neither < img>."]
    assert model.images == [(picture(7),)]


def test_rag_of_no_messages_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one message"):
        RagPolicy(ScriptedModel(), HandEncoder({}), messages=0, code="c")


@given(st.integers(1, 3), st.lists(st.text(min_size=1, max_size=20), min_size=6, max_size=6))
def test_what_is_said_later_changes_no_answer(moment: int, later: list[str]) -> None:
    def by_context(task: str, task_input: Any) -> str:
        letters = "abcd" if task == "choice_answer" else ("yes", "no")
        return letters[sum(len(message.text) + ord(message.text[0]) for message in task_input.context) % len(letters)]

    asked = case("x", turns=moment, pair=("Gladly!", "Noted."))
    encoder = HandEncoder({"I say 0": NEAR, "What do I drink?": HALF})
    changed = [
        turn if turn.turn_index < moment else turn.model_copy(update={"user": later[turn.turn_index]})
        for turn in turns(4)
    ]
    for policy in (
        FullContextPolicy(ScriptedModel(by_context), code="c"),
        RagPolicy(ScriptedModel(by_context), encoder, messages=2, code="c"),
    ):
        assert ask(policy, asked, turns(4)) == ask(policy, asked, changed)


def test_the_option_with_the_highest_score_is_chosen_and_scores_are_kept() -> None:
    scores = {"mint tea": 0.1, "pale ale": 0.2, "red wine": 0.712345, "hot cocoa": 0.3}
    model = ScriptedModel(scores=lambda options: [scores[option] for option in options])
    (made,) = ask(FullContextPolicy(model, code="c"), case("x", answer="c"), turns(1))
    assert (made.answer, made.correct, made.option_scores) == ("c", True, (0.1, 0.2, 0.7123, 0.3))


def test_of_equal_scores_the_earlier_option_is_chosen() -> None:
    model = ScriptedModel(scores=lambda options: [0.0, 0.5, 0.5, 0.5])
    (made,) = ask(FullContextPolicy(model, code="c"), case("x"), turns(1))
    assert made.answer == "b"


def test_a_reader_without_scores_is_asked_for_a_letter() -> None:
    model = ScriptedModel(lambda task, task_input: "d")
    (made,) = ask(FullContextPolicy(model, code="c"), case("x"), turns(1))
    assert (made.answer, made.option_scores, made.completion_tokens) == ("d", (), 7)


def test_fingerprints_tell_policies_readers_windows_sight_and_code_apart() -> None:
    reader, small = ScriptedModel(), ScriptedModel(window_tokens=100)
    encoder = HandEncoder({})
    prints = [
        policy.fingerprint
        for policy in (
            FullContextPolicy(reader, code="c"),
            FullContextPolicy(reader, code="d"),
            FullContextPolicy(small, code="c"),
            FullContextPolicy(ScriptedModel(takes_pictures=True), code="c"),
            RagPolicy(reader, encoder, code="c"),
            RagPolicy(reader, encoder, messages=6, code="c"),
        )
    ]
    assert len(set(prints)) == 6
    assert FullContextPolicy(ScriptedModel(), code="c").fingerprint == prints[0]
