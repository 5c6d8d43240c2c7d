"""The truth of a plan, turn by turn."""

from evaluation.memory_quality import truth_of
from tests.evaluation.memory_quality.truths import a_fact, a_plan, said
from tests.planned import several_planned


def test_signs_stand_for_values_that_are_never_named():
    taste = a_fact("taste", "a hushed room", "hidden_taste")
    (turn,) = truth_of(a_plan([taste], [(said("taste", sign="covering every bulb"),)])).turns
    assert turn.claims[0].value == "covering every bulb"


def test_ties_need_the_name_beside_them_and_holders_are_words():
    boss = a_fact("boss", "manager", "relationship", phrase="Olu")
    wine = a_fact("wine", "wine", status="someone_else", holder_name="Ana Reis", holder_relation="yoga teacher")
    truth = truth_of(a_plan([boss, wine], [(said("boss"), said("wine", "other_person"))]))
    assert truth.turns[0].claims[0].beside == "Olu"
    assert truth.turns[0].claims[1].holders == {"ana", "yoga", "teacher"}
    assert {"olu", "ana"} <= truth.names


def test_a_planned_conversation_has_a_claim_for_every_statement():
    for plan in several_planned(3):
        truth = truth_of(plan)
        assert [len(turn.claims) for turn in truth.turns] == [len(turn.statements) for turn in plan.turns]
        assert all(claim.value for turn in truth.turns for claim in turn.claims)
        current = [fact for fact in plan.facts if fact.status == "current" and not fact.holder_name]
        assert [claim.value for claim in truth.holding] == [fact.value for fact in current]
        assert len(truth.holding) + len(truth.over) == len(plan.facts)
