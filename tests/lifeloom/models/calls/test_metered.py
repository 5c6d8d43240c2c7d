"""A model of this machine under a meter: the same answers, every call on record, no budget in its way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.calls.ledger import Budget, Ledger, LedgerLine
from lifeloom.models.calls.metered import MeteredModel
from lifeloom.models.protocol import (
    CapabilityMissing,
    GenerationRejected,
    LanguageModel,
    ModelIdentity,
)
from lifeloom.records import TRAITS
from lifeloom.tasks import (
    CHOICE_ANSWER,
    CORE_UPDATE,
    SESSION_WRITING,
    ChoiceAnswerInput,
    ContextMessage,
    CoreUpdateInput,
    OptionText,
    SessionTurn,
    SessionWritingInput,
    StatementBrief,
    TraitScores,
    TurnBrief,
)

OPTIONS = ("malt cocoa", "peppermint tea", "ginger beer")
QUESTION = ChoiceAnswerInput(
    context=(ContextMessage(at="2025-03-14 20:10", role="user", text="My evening drink is peppermint tea."),),
    asked_at="2025-03-15 20:10",
    query="What is my evening drink?",
    options=tuple(OptionText(letter=letter, text=text) for letter, text in zip("abc", OPTIONS, strict=True)),
)


class NoVectors:
    """All texts look alike."""

    identity = ModelIdentity("test", "none")
    dimensions = 2

    def encode(self, texts: list[str]) -> npt.NDArray[np.float32]:
        return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(texts), 1))


def _metered(ledger: Ledger) -> tuple[BuiltinModel, MeteredModel]:
    plain = BuiltinModel(NoVectors())  # type: ignore[arg-type]
    return plain, MeteredModel(plain, ledger.meter("reader", plain.identity))


def _only(ledger: Ledger) -> LedgerLine:
    (line,) = ledger.spent()
    return line


def _too_long() -> SessionWritingInput:
    statement = StatementBrief(fact_kind="preference", statement_kind="direct", phrase="drink", value="tea " * 5000)
    turn = TurnBrief(position=1, local_time="20:10", act="statement", area="drink", statements=(statement,))
    return SessionWritingInput(
        name="Ana",
        role_description="A baker.",
        traits=TraitScores(**dict.fromkeys(TRAITS, 3.0)),
        edition="corpus",
        local_date="Friday 2025-03-14",
        session_number=2,
        turns=(turn,),
    )


def test_it_is_the_model_that_it_counts(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        plain, metered = _metered(ledger)
        assert isinstance(metered, LanguageModel)
        assert (metered.identity, metered.window_tokens) == (plain.identity, plain.window_tokens)
        assert (metered.scores_options, metered.takes_pictures) == (plain.scores_options, plain.takes_pictures)
        assert metered.check() == plain.check()
        assert metered.run(CHOICE_ANSWER, QUESTION).output == plain.run(CHOICE_ANSWER, QUESTION).output
        options = [option.text for option in QUESTION.options]
        scores = metered.score_options(CHOICE_ANSWER, QUESTION, options)
        assert scores.scores == plain.score_options(CHOICE_ANSWER, QUESTION, options).scores


def test_answers_and_scores_are_booked_with_their_tokens_and_time_at_no_price(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger, ledger.account("scores/persona_mme", "run-1"):
        _, metered = _metered(ledger)
        usage = metered.run(CHOICE_ANSWER, QUESTION).usage
        metered.score_options(CHOICE_ANSWER, QUESTION, ["a", "b", "c"])
        line = _only(ledger)
    assert (line.run, line.stage, line.role, line.backend) == ("run-1", "scores/persona_mme", "reader", "builtin")
    assert line.prompt_version == CHOICE_ANSWER.prompt_version
    assert (line.calls, line.cached, line.usd) == (2, 0, 0)
    assert (line.prompt_tokens, line.completion_tokens) == (2 * usage.prompt_tokens, usage.completion_tokens)
    assert line.seconds > 0


def test_a_rejection_is_passed_on_and_counted_by_its_reason(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        _, metered = _metered(ledger)
        with pytest.raises(GenerationRejected) as caught:
            metered.run(SESSION_WRITING, _too_long())
        assert [(one.event, one.times) for one in ledger.events()] == [(f"rejected_{caught.value.reason}", 1)]
        with pytest.raises(CapabilityMissing):
            metered.score_options(SESSION_WRITING, _too_long(), ["a"])
        assert ledger.spent() == []


def test_no_budget_stops_it_and_it_takes_nothing_from_any(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger.sqlite", Budget(usd=0.001, tokens=10)) as ledger:
        _, metered = _metered(ledger)
        for _ in range(3):
            metered.run(CHOICE_ANSWER, QUESTION)
        paid = ledger.meter("writer", ModelIdentity("openai", "m"))
        paid.reserve("p@1", 5, 5).paid(5, 5, 0.1)


def test_who_listens_is_told_the_answer(tmp_path: Path) -> None:
    class Ear:
        text = ""

        def piece(self, text: str) -> None:
            self.text += text

        def restart(self) -> None:
            self.text = ""

    turn = SessionTurn(number=1, at="2026-01-05 10:00", user="My name is Fatou.", assistant="Hello!")
    ear = Ear()
    with Ledger(tmp_path / "ledger.sqlite", Budget()) as ledger:
        _, metered = _metered(ledger)
        output = metered.run(CORE_UPDATE, CoreUpdateInput(profile=(), turns=(turn,)), listener=ear).output
        assert ear.text == output.text
        assert _only(ledger).calls == 1
