"""The built-in backend as the rest of the system sees it."""

import pytest

from lifeloom.models.builtin import BuiltinModel
from lifeloom.models.builtin.backend import BUILTIN_VERSION
from lifeloom.models.builtin.eyes.traits import traits_digest
from lifeloom.models.protocol import CapabilityMissing, GenerationRejected, LanguageModel, ModelIdentity
from lifeloom.records import TRAITS, PictureReference
from lifeloom.tasks import (
    ALIGNMENT_JUDGEMENT,
    ALIGNMENT_WRITING,
    CHOICE_ANSWER,
    CORE_UPDATE,
    SESSION_WRITING,
    AlignmentJudgementInput,
    ChoiceAnswerInput,
    ContextMessage,
    CoreUpdateInput,
    GenerationTask,
    OptionText,
    SessionTurn,
    SessionWritingInput,
    StatementBrief,
    TraitScores,
    TurnBrief,
)
from lifeloom.tasks.alignment_writing import AlignmentWritingInput, AlignmentWritingOutput
from tests.eyes import ScriptedEyes

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
    assert model.identity == ModelIdentity("builtin", "lifeloom-rules-4")
    assert (model.window_tokens, model.scores_options) == (32_768, True)
    assert "lifeloom-rules-4" in model.check()


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


def shown(text: str = "My new hat: <img>", *texts: str) -> ChoiceAnswerInput:
    said = tuple(ContextMessage(at="2025-03-14 20:10", role="user", text=one) for one in (text, *texts))
    options = tuple(
        OptionText(letter=letter, text=f"the {text} one") for letter, text in zip("ab", ("red", "blue"), strict=True)
    )
    return ChoiceAnswerInput(
        context=said, asked_at="2025-03-15 20:10", query="Which hat is my new one?", options=options
    )


def seeing() -> tuple[BuiltinModel, ScriptedEyes]:
    eyes = ScriptedEyes()
    return BuiltinModel(encoder=NoVectors(), eyes=eyes, pictures=lambda picture: b""), eyes


def test_it_takes_pictures_with_eyes_and_a_source_of_pictures_only():
    eyes = ScriptedEyes()
    picture = eyes.add("; blue hat; street")
    for blind in (BuiltinModel(), BuiltinModel(eyes=eyes), BuiltinModel(pictures=lambda picture: b"")):
        assert not blind.takes_pictures
        with pytest.raises(CapabilityMissing, match="eyes"):
            blind.run(CHOICE_ANSWER, shown(), [picture])
    model = BuiltinModel(encoder=NoVectors(), eyes=eyes, pictures=lambda picture: b"")
    assert model.takes_pictures
    assert model.run(CHOICE_ANSWER, shown(), [picture]).output.letter == "b"
    with pytest.raises(CapabilityMissing, match="session_writing"):
        model.run(SESSION_WRITING, session(), [picture])


def test_its_name_says_with_which_eyes_it_sees():
    model, eyes = seeing()
    assert model.identity.model == f"{BUILTIN_VERSION}+{traits_digest()}+{eyes.identity.model}"
    assert BuiltinModel().identity.model == BUILTIN_VERSION


def test_a_picture_is_looked_at_once_and_costs_its_tokens():
    model, eyes = seeing()
    picture = eyes.add("; blue hat; street")
    asked = shown("My new hat: <img>", "Once more: <img>")
    without = model.run(CHOICE_ANSWER, asked).usage.prompt_tokens
    for _ in range(2):
        assert model.run(CHOICE_ANSWER, asked, [picture, picture]).usage.prompt_tokens == without + 2 * 19 * 19
    assert model.score_options(CHOICE_ANSWER, asked, ["a", "b"], [picture] * 2).usage.prompt_tokens == without + 722
    assert eyes.looked == [picture.content_hash]


def test_how_a_response_suits_is_judged_without_looking():
    model, eyes = seeing()
    asked = AlignmentJudgementInput(context=shown().context, asked_at="now", query="How?", response="Gladly!")
    judged = model.run(ALIGNMENT_JUDGEMENT, asked, [eyes.add("; blue hat; street")])
    assert judged.output == model.run(ALIGNMENT_JUDGEMENT, asked).output
    assert eyes.looked == []


@pytest.mark.parametrize("pictures", [0, 1, 3, 5])
def test_pictures_belong_to_the_first_marks_and_surplus_ones_to_nobody(pictures):
    model, eyes = seeing()
    references = [eyes.add(f"; {colour} hat; street") for colour in ("blue", "red", "green", "pink", "black")]
    asked = shown("My new hat: <img>", "These two are my sister Ana's, not mine: <img> <img>")
    scores = model.score_options(CHOICE_ANSWER, asked, ["a", "b"], references[:pictures]).scores
    assert scores[1] > scores[0] if pictures else scores[0] == scores[1]


def test_what_a_picture_is_called_changes_no_answer():
    model, eyes = seeing()
    first, second = eyes.add("; blue hat; street"), eyes.add("; blue hat; street")
    one, two = (model.score_options(CHOICE_ANSWER, shown(), ["a", "b"], [p]).scores for p in (first, second))
    assert one == two


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
        (session(value="tea " * 4000), "wrong_schema", "1500"),
    ],
)
def test_a_plan_that_cannot_be_worded_is_rejected_with_its_reason(asked, reason, detail):
    with pytest.raises(GenerationRejected, match=detail) as caught:
        BuiltinModel().run(SESSION_WRITING, asked)
    assert caught.value.reason == reason


class Ear:
    def __init__(self) -> None:
        self.pieces: list[str] = []

    def piece(self, text: str) -> None:
        self.pieces.append(text)

    def restart(self) -> None:
        raise AssertionError("it never begins anew")


def told_name() -> CoreUpdateInput:
    turn = SessionTurn(number=1, at="2026-01-05 10:00", user="My name is Fatou and I live in Lyon.", assistant="Hello!")
    return CoreUpdateInput(profile=(), turns=(turn,))


def test_a_listener_is_told_free_text_in_words():
    ear = Ear()
    text = BuiltinModel().run(CORE_UPDATE, told_name(), listener=ear).output.text
    assert "".join(ear.pieces) == text
    assert len(ear.pieces) == len(text.split()) > 2


def test_a_listener_is_told_nothing_of_answers_that_are_no_free_text():
    ear = Ear()
    BuiltinModel().run(SESSION_WRITING, session(), listener=ear)
    assert ear.pieces == []
