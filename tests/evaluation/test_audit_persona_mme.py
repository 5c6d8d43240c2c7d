"""What Persona-MME tells the audit about its cases."""

from __future__ import annotations

import pytest

from evaluation.audit import AuditQuestion
from evaluation.audit_persona_mme import PersonaMmeAudit, answers_of
from tests.evaluation.examples import case, prediction

ADAPTER = PersonaMmeAudit()
PAIRED = case("x", task="VDR", answer="c", pair=("Gladly!", "Noted."), turns=5).model_copy(
    update={"picture_turns": (0,)}
)


def test_a_choice_needs_pictures_where_the_case_does_and_a_pair_never() -> None:
    assert ADAPTER.questions(PAIRED) == (
        AuditQuestion("x", "choice", "VDR", 0.25, needs_pictures=True),
        AuditQuestion("x", "alignment_chosen", "PA", 0.5, pool=""),
        AuditQuestion("x", "alignment_rejected", "PA", 0.5, pool=""),
    )
    assert ADAPTER.questions(case("y")) == (AuditQuestion("y", "choice", "SIR", 0.25),)


def test_what_can_be_learnt_is_choices_and_pairs_in_any_order() -> None:
    reference = ADAPTER.reference([PAIRED, case("y")])
    assert [(c.task, c.right) for c in reference.choices] == [("VDR", 2), ("SIR", 0)]
    assert [(p.chosen, p.rejected) for p in reference.pairs] == [("Gladly!", "Noted.")]
    assert reference.digest == ADAPTER.reference([case("y"), PAIRED]).digest


def test_a_pair_can_be_left_out_and_the_choice_cannot() -> None:
    assert ADAPTER.only(PAIRED, ["choice"]).alignment is None
    assert ADAPTER.only(PAIRED, ["choice", "alignment_chosen", "alignment_rejected"]) is PAIRED
    with pytest.raises(ValueError, match="cannot be asked without its choice"):
        ADAPTER.only(PAIRED, ["alignment_chosen"])


def test_cases_are_changed_in_one_thing_at_a_time() -> None:
    assert ADAPTER.with_history(PAIRED, 2) == PAIRED.model_copy(update={"history_turns": 2})
    moved = ADAPTER.with_ids(PAIRED, case_id="c-1", persona_id="p-9")
    assert moved == PAIRED.model_copy(update={"case_id": "c-1", "persona_id": "p-9"})
    assert ADAPTER.texts(ADAPTER.with_texts(PAIRED, str.upper)) == tuple(text.upper() for text in ADAPTER.texts(PAIRED))
    turned = ADAPTER.with_options(PAIRED, [3, 2, 1, 0])
    assert [option.text for option in turned.options] == ["hot cocoa", "red wine", "pale ale", "mint tea"]
    assert turned.answer == "b"
    assert ADAPTER.with_options(turned, [3, 2, 1, 0]) == PAIRED


def test_predictions_become_answers_with_the_place_of_the_option() -> None:
    right, yes, missing = answers_of(
        [prediction(PAIRED), prediction(PAIRED, "alignment_chosen"), prediction(PAIRED, failure="refusal")]
    )
    assert (right.kind, right.answer, right.place, right.correct) == ("choice", "c", 2, True)
    assert (yes.answer, yes.place, yes.correct) == ("yes", None, True)
    assert (missing.answer, missing.place, missing.correct) == ("", None, False)
