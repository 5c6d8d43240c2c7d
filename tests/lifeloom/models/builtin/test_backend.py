"""The built-in backend as the rest of the system sees it."""

import pytest

from lifeloom.models.builtin import BuiltinModel
from lifeloom.models.protocol import CapabilityMissing, GenerationRejected, LanguageModel, ModelIdentity
from lifeloom.records import TRAITS, PictureReference
from lifeloom.tasks import (
    ALIGNMENT_WRITING,
    CHOICE_ANSWER,
    SESSION_WRITING,
    ChoiceAnswerInput,
    ContextMessage,
    GenerationTask,
    OptionText,
    SessionWritingInput,
    StatementBrief,
    TraitScores,
    TurnBrief,
)
from lifeloom.tasks.alignment_writing import AlignmentWritingInput, AlignmentWritingOutput

NEUTRAL = TraitScores(**dict.fromkeys(TRAITS, 3.0))


def session(statement_kind: str = "direct", area: str = "drink", value: str = "mint tea") -> SessionWritingInput:
    statement = StatementBrief(
        fact_kind="preference", statement_kind=statement_kind, phrase="evening drink", value=value
    )
    turn = TurnBrief(position=1, local_time="20:10", act="statement", area=area, statements=(statement,))
    return SessionWritingInput(
        name="Ana",
        role_description="A baker.",
        traits=NEUTRAL,
        edition="corpus",
        local_date="Friday 2025-03-14",
        session_number=2,
        turns=(turn,),
    )


def question(*texts: str) -> ChoiceAnswerInput:
    said = ContextMessage(at="2025-03-14 20:10", role="user", text="My evening drink is peppermint tea.")
    options = tuple(OptionText(letter=letter, text=text) for letter, text in zip("abcd", texts, strict=False))
    return ChoiceAnswerInput(
        context=(said,), asked_at="2025-03-15 20:10", query="What is my evening drink?", options=options
    )


class NoVectors:
    """Lexical evidence only: all texts look alike."""

    identity = ModelIdentity("test", "none")
    dimensions = 2

    def encode(self, texts):
        import numpy as np

        return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(texts), 1))


def test_it_is_a_language_model_that_scores_options_in_a_window_of_32768_tokens():
    model = BuiltinModel()
    assert isinstance(model, LanguageModel)
    assert model.identity == ModelIdentity("builtin", "lifeloom-rules-2")
    assert (model.window_tokens, model.scores_options) == (32_768, True)
    assert "lifeloom-rules-2" in model.check()


def test_an_answer_carries_its_provenance_and_cost():
    done = BuiltinModel().run(SESSION_WRITING, session())
    assert "mint tea" in done.output.turns[0].user
    assert done.provenance.prompt_version == SESSION_WRITING.prompt_version
    assert done.usage.prompt_tokens > done.usage.completion_tokens > 100


def test_two_models_give_the_same_answer():
    assert (
        BuiltinModel().run(SESSION_WRITING, session()).output == BuiltinModel().run(SESSION_WRITING, session()).output
    )


def test_a_choice_is_the_option_with_the_best_score():
    model = BuiltinModel(encoder=NoVectors())
    asked = question("malt cocoa", "peppermint tea", "ginger beer")
    scores = model.score_options(CHOICE_ANSWER, asked, [option.text for option in asked.options]).scores
    assert max(scores) == scores[1]
    assert model.score_options(CHOICE_ANSWER, asked, ["a", "b", "c"]).scores == scores
    assert model.run(CHOICE_ANSWER, asked).output.letter == "b"


def test_options_of_other_tasks_and_pictures_are_not_scored():
    picture = PictureReference.model_construct()
    with pytest.raises(CapabilityMissing, match="choice_answer"):
        BuiltinModel().score_options(SESSION_WRITING, session(), ["a", "b"])
    with pytest.raises(CapabilityMissing, match="pictures"):
        BuiltinModel().run(SESSION_WRITING, session(), [picture])


def test_an_unknown_task_is_refused_with_the_tasks_it_answers():
    task = GenerationTask("poem", "1", AlignmentWritingInput, AlignmentWritingOutput, "", "x")
    asked = AlignmentWritingInput(query="q", content="c", traits=NEUTRAL, trait="openness", edition="corpus")
    with pytest.raises(CapabilityMissing, match=ALIGNMENT_WRITING.name):
        BuiltinModel().run(task, asked)


@pytest.mark.parametrize(
    ("asked", "reason", "detail"),
    [
        (session("shift"), "bad_request", "previous_value"),
        (session(area="volcanoes"), "bad_request", "volcanoes"),
        (session(value="tea " * 4000), "wrong_schema", "6000"),
    ],
)
def test_a_plan_that_cannot_be_worded_is_rejected_with_its_reason(asked, reason, detail):
    with pytest.raises(GenerationRejected, match=detail) as caught:
        BuiltinModel().run(SESSION_WRITING, asked)
    assert caught.value.reason == reason
