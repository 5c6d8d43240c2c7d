"""Blind attackers: that they are blind, and that they find what gives a right option away."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any, cast

import pytest

from evaluation.audit import (
    BlindPolicy,
    ClassifierAttack,
    LetterAttack,
    LongestAttack,
    OptionsAttack,
    OutlierAttack,
    Reference,
    best_of,
    blind_attackers,
)
from evaluation.audit_persona_mme import PersonaMmeAudit
from evaluation.persona_mme import run_policy
from lifeloom.records import LETTERS, BenchmarkCase, Prediction, Score
from lifeloom.scoring import CaseQuestion
from lifeloom.tasks import OptionText
from tests.evaluation.examples import HandEncoder, case, turns
from tests.evaluation.releases import exchangeable, with_tell


def learnt(cases: list[BenchmarkCase]) -> Reference:
    return PersonaMmeAudit().reference(cases)


class Forbidden:
    """A history that fails the test on any access."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"a blind policy has looked at the history: {name}")


def question(*options: str, query: str = "What do I drink?") -> CaseQuestion:
    return CaseQuestion(
        "2026-01-05 09:00",
        query,
        tuple(OptionText(letter=letter, text=text) for letter, text in zip(LETTERS, options, strict=False)),
    )


def right_share(policy: BlindPolicy, cases: list[BenchmarkCase]) -> float:
    predictions = run_policy(policy, cases, lambda persona: turns(1, persona)).predictions
    choices = [prediction for prediction in predictions if prediction.question == "choice"]
    return sum(prediction.correct for prediction in choices) / len(choices)


def test_no_attacker_touches_the_history() -> None:
    reference = learnt(with_tell(40, seed=1))
    for attacker in blind_attackers(reference, HandEncoder({}), code="c", seed=7):
        attacker.choose(question("tea", "ale", "wine", "milk"), cast("Any", Forbidden()))
        attacker.judge(question("tea", "ale", "wine", "milk"), "Gladly!", cast("Any", Forbidden()))


def test_asking_blind_attackers_never_prepares_the_history() -> None:
    # Turns without texts: whoever made messages of them would fail.
    class Unreadable:
        persona_id, turn_index = "p-1", 0

    run = run_policy(LongestAttack(code="c"), [case("x")], lambda persona: [cast("Any", Unreadable())])
    assert len(run.predictions) == 1


def test_the_longest_option_is_taken_the_first_of_equals() -> None:
    longest = LongestAttack(code="c")
    assert longest.choose(question("tea", "pale ale", "wine", "milk"), cast("Any", None)).text == "b"
    assert longest.choose(question("tea", "wine", "milk", "ale"), cast("Any", None)).text == "b"


def test_the_outlier_is_the_option_least_like_the_others() -> None:
    encoder = HandEncoder({"tea": (1, 0, 0), "ale": (1, 0.2, 0), "chess": (0, 1, 0), "milk": (1, 0.1, 0)})
    answer = OutlierAttack(encoder, code="c").choose(question("tea", "ale", "chess", "milk"), cast("Any", None))
    assert answer.text == "c"
    # By hand: tea is 1, 0.9806 and 0.9950 away from chess, ale and milk: 1 - (0 + 0.9806 + 0.9950) / 3.
    assert answer.option_scores[0] == pytest.approx(0.3415, abs=1e-4)


def test_the_majority_letter_of_another_release_is_taken() -> None:
    reference = [case(str(number), answer=letter) for number, letter in enumerate((*LETTERS, LETTERS[2], LETTERS[0]))]
    answer = LetterAttack(learnt([*reference, case("x", answer="c")]), code="c").choose(
        question(*"tuvw"), cast("Any", None)
    )
    assert answer.text == "c"
    assert answer.option_scores == (2, 1, 3, 1)  # a, b, c, d, c, a and another c


def test_the_classifier_finds_a_word_that_gives_the_right_option_away() -> None:
    attacker = ClassifierAttack(learnt(with_tell(400, seed=1)), code="c", seed=7)
    assert right_share(attacker, with_tell(400, seed=2)) > 0.9


def test_the_classifier_finds_a_right_option_that_echoes_the_question() -> None:
    def echoes(count: int, seed: int) -> list[BenchmarkCase]:
        rng = random.Random(seed)
        cases = []
        for number in range(count):
            words = rng.sample([f"word{n}" for n in range(300)], 4)
            answer = rng.choice(LETTERS)
            query = f"Was it to do with {words[LETTERS.index(answer)]}?"
            cases.append(case(f"case-{number}", answer=answer, options=[f"It is {w}" for w in words], query=query))
        return cases

    attacker = ClassifierAttack(learnt(echoes(400, 1)), code="c", seed=7)
    assert right_share(attacker, echoes(400, 2)) > 0.9


def test_options_alone_are_asked_without_the_questions_words() -> None:
    # The right option is the drink that the question names: with the question it is found, without it it is not.
    def named(count: int, seed: int) -> list[BenchmarkCase]:
        cases = []
        for plain in exchangeable(count, seed=seed):
            right = next(option.text for option in plain.options if option.letter == plain.answer)
            cases.append(plain.model_copy(update={"query": f"Why do I drink {right}?"}))
        return cases

    reference, asked = learnt(named(400, 1)), named(400, 2)
    assert right_share(ClassifierAttack(reference, code="c", seed=7), asked) > 0.9
    # 400 cases at 25 %: standard deviation 2.2 points, so 4 deviations are 9 points.
    assert right_share(OptionsAttack(reference, code="c", seed=7), asked) == pytest.approx(0.25, abs=0.09)


def test_options_alone_find_a_word_that_gives_the_right_one_away() -> None:
    assert right_share(OptionsAttack(learnt(with_tell(400, seed=1)), code="c", seed=7), with_tell(400, seed=2)) > 0.9


def test_the_classifier_is_at_chance_on_exchangeable_options() -> None:
    attacker = ClassifierAttack(learnt(exchangeable(600, seed=1)), code="c", seed=7)
    # 600 cases at 25 %: standard deviation 1.8 points, so 4 deviations are 7 points.
    assert right_share(attacker, exchangeable(600, seed=2)) == pytest.approx(0.25, abs=0.07)


def test_the_classifier_learns_responses_that_give_themselves_away() -> None:
    pairs = [case(f"c-{n}", pair=(f"Gladly, thing {n}!", f"Noted, thing {n}.")) for n in range(60)]
    attacker = ClassifierAttack(learnt(pairs), code="c", seed=7)
    assert attacker.suits("What do I drink?", "Gladly, other thing!")
    assert not attacker.suits("What do I drink?", "Noted, other thing.")


def test_without_pairs_to_learn_from_every_response_suits() -> None:
    assert ClassifierAttack(learnt(exchangeable(20, seed=1)), code="c", seed=7).suits("q", "anything")


def test_a_classifier_needs_something_to_learn_from() -> None:
    with pytest.raises(ValueError, match="another release"):
        ClassifierAttack(learnt([]), code="c", seed=7)


def test_yes_to_every_response_is_right_half_the_time() -> None:
    cases = [case(f"c-{n}", pair=("Gladly!", "Noted.")) for n in range(10)]
    predictions = run_policy(LongestAttack(code="c"), cases, lambda persona: turns(1)).predictions
    alignment = [prediction.correct for prediction in predictions if prediction.question != "choice"]
    assert (len(alignment), sum(alignment)) == (20, 10)


@pytest.mark.parametrize(
    "change",
    [
        {"query": "What do I sip?"},
        {"answer": "b"},
        {"options": case("y", options=("mint tea", "pale ale", "red wine", "cold cocoa")).options},
        {"alignment": case("y", pair=("Gladly!", "Noted.")).alignment},
    ],
)
def test_fingerprints_follow_all_that_was_learnt_from(change: dict[str, Any]) -> None:
    before, after = [case("x"), case("z")], [case("x").model_copy(update=change), case("z")]
    prints = [LetterAttack(learnt(reference), code="c").fingerprint for reference in (before, after, before[::-1])]
    assert prints[0] != prints[1]
    assert prints[0] == prints[2]


def score(policy: str, task: str, value: float, setting: str = "all") -> Score:
    return Score(
        benchmark="persona_mme",
        benchmark_version="1",
        release_id="r",
        policy=policy,
        policy_fingerprint=f"print of {policy}",
        backend="code",
        model="m",
        setting=setting,
        aspect="all",
        task=task,
        value=value,
        interval_low=value,
        interval_high=value,
        questions=100,
        correct=round(100 * value),
        missing=0,
        chance=0.25,
        prompt_tokens_per_case=1,
        completion_tokens_per_case=1,
        code_revision="r",
        seed=7,
    )


def test_blind_is_the_best_attacker_of_every_group() -> None:
    best = best_of(
        [
            score("blind_longest", "SIR", 0.2),
            score("blind_longest", "RR", 0.4),
            score("blind_letter", "SIR", 0.3),
            score("blind_letter", "RR", 0.1),
            score("blind_letter", "RR", 0.5, setting="32k"),
        ]
    )
    assert {(row.setting, row.task): (row.policy, row.value, row.policy_fingerprint) for row in best} == {
        ("all", "SIR"): ("blind", 0.3, "print of blind_letter"),
        ("all", "RR"): ("blind", 0.4, "print of blind_longest"),
        ("32k", "RR"): ("blind", 0.5, "print of blind_letter"),
    }


PREDICT = """
from evaluation.baselines import FullContextPolicy
from evaluation.audit import blind_attackers
from evaluation.audit_persona_mme import PersonaMmeAudit
from evaluation.persona_mme import run_policy
from tests.evaluation.examples import HandEncoder, ScriptedModel, turns
from tests.evaluation.releases import with_tell
cases = with_tell(30, seed=2)
policies = [*blind_attackers(PersonaMmeAudit().reference(with_tell(60, seed=1)), HandEncoder({}), code="c", seed=7),
            FullContextPolicy(ScriptedModel(), code="c")]
for policy in policies:
    for prediction in run_policy(policy, cases, lambda persona: turns(1, persona)).predictions:
        print(prediction.model_dump_json())
"""


def test_predictions_are_the_same_under_any_hash_seed() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PREDICT],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    lines = outputs[0].splitlines()
    assert len(lines) == 6 * 30
    assert all(Prediction.model_validate_json(line) for line in lines)
    assert outputs[0] == outputs[1]
