"""Labelled captions, agreement of judges with them, blind captions, and scores: planned truth and hand counts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from evaluation.capeval.agreement import measure_judge
from evaluation.capeval.audit import audit_captions, others_captions
from evaluation.capeval.case_pages import caption_page, pick_cases
from evaluation.capeval.labelled import GATED, LABELLED_CLASSES, LabelledCaption, labelled_captions
from evaluation.capeval.running import caption_samples
from evaluation.capeval.scoring import ScoredBy, score_captions
from evaluation.capeval.tables import accuracy_table, capeval_report
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.protocol import Generation, ModelIdentity, Usage
from lifeloom.records import (
    BY_CODE,
    CANNOT_BE_DETERMINED,
    Caption,
    CaptionSample,
    ConceptDialoguePlan,
    ContextEntry,
    DialogueFact,
    DialogueFactKind,
    DialogueTurn,
    PictureReference,
    ProbeAnswer,
    ProbeQuestion,
)
from lifeloom.scoring.caption_policy import ContextView, Told
from lifeloom.streams import Streams
from lifeloom.tasks import TextOutput
from lifeloom.tasks.probe_judgement import ProbeJudgementInput

PICTURE = PictureReference(content_hash="0" * 64, width=64, height=64)
KINDS: tuple[DialogueFactKind, ...] = ("place", "time", "event", "companion", "object")
PLACES = ("Amberley Bakery", "Birch Bridge", "Calloway Cinema", "Dunmore Viaduct", "Elmsworth Boathouse", "Garrow Mill")
EVENTS = ("the regatta", "the seed swap", "the jazz brunch", "the map fair", "the charity run", "the folk dance")
NAMES = ("Nadia", "Omar", "Ines", "Bruno", "Petra", "Hakon")
OTHERS = ("Greta", "Anouk", "Boris", "Dacian", "Ludmila", "Odile")


def values(kind: DialogueFactKind, number: int) -> tuple[str, str, str]:
    """Return a value and two others of its kind, different for every dialogue of a context."""

    def one(at: int) -> str:
        at %= 6
        if kind == "place":
            return PLACES[at]
        if kind == "time":
            return f"{at + 3} March 2025"
        if kind == "event":
            return EVENTS[at]
        if kind == "companion":
            return f"cousin {OTHERS[at]}"
        return f"{('two', 'three', 'four', 'five', 'six', 'seven')[at]} {('stamps', 'ribbons', 'candles')[at % 3]}"

    return one(number), one(number + 1), one(number + 2)


def world(samples: int) -> tuple[list[CaptionSample], dict[str, ConceptDialoguePlan], list[ProbeQuestion]]:
    """Return contexts of one positive and two negatives, with plans and five questions a dialogue."""
    contexts, plans, questions = [], {}, []
    for number in range(samples):
        name = f"r-s{number:04d}"
        entries = []
        for index in range(3):
            dialogue = f"{name}-c{index}"
            handle = NAMES[(number + index) % 6]
            facts = tuple(
                DialogueFact(kind=kind, value=values(kind, number + index)[0], options=values(kind, number + index)[1:],
                             turn=turn % 3)
                for turn, kind in enumerate(KINDS)
            )  # fmt: skip
            plans[dialogue] = ConceptDialoguePlan(
                dialogue_id=dialogue,
                sample_id=name,
                image_id=f"lib-{index}",
                handle=handle,
                edition="corpus",
                facts=facts,
            )
            said = (
                f"Here is {handle}. I met {handle} at {facts[0].value}. It was on {facts[1].value}, "
                f"during {facts[2].value}. "
                f"My {facts[3].value} came along. I left with {facts[4].value}."
            )
            entries.append(
                ContextEntry(
                    image_id=f"lib-{index}",
                    identity=f"lib-{index}",
                    picture=PICTURE,
                    dialogue_id=dialogue,
                    turns=(DialogueTurn(user=said, assistant="Noted."),),
                    positive=index == 0,
                )
            )
            for asked, fact in enumerate(facts):
                options = [fact.value, *fact.options]
                random.Random(number * 31 + index * 7 + asked).shuffle(options)
                questions.append(
                    ProbeQuestion(
                        question_id=f"{dialogue}-q{asked}",
                        sample_id=name,
                        dialogue_id=dialogue,
                        entry=index,
                        positive=index == 0,
                        concepts=1,
                        fact=fact.kind,
                        question=f"Which {fact.kind} does the user's story about {handle} have?",
                        options=(options[0], options[1], options[2], CANNOT_BE_DETERMINED),
                        answer="ABC"[options.index(fact.value)],  # type: ignore[arg-type]
                        made_by=BY_CODE,
                    )
                )
        contexts.append(
            CaptionSample(
                sample_id=name,
                release_id="r",
                split="benchmark",
                query=PICTURE,
                entries=tuple(entries),
                made_by=BY_CODE,
            )
        )
    return contexts, plans, questions


class Judge:
    """A judge by a rule."""

    identity = ModelIdentity("code", "rule")
    window_tokens = 1000
    scores_options = False
    takes_pictures = False

    def __init__(self, rule: Callable[[ProbeJudgementInput], str]) -> None:
        self._rule = rule

    def run(self, task: Any, task_input: Any, images: Sequence[PictureReference] = (), **_: Any) -> Generation[Any]:
        text = self._rule(task_input)
        return Generation(TextOutput(text=text if len(text) > 1 else rf"\boxed{{{text}}}"), Usage(1, 1), BY_CODE)

    def score_options(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    def check(self) -> str:
        return "ok"


SAMPLES, PLANS, QUESTIONS = world(24)
LABELLED = labelled_captions(SAMPLES, PLANS, QUESTIONS, Streams(5), each=30)


def test_every_class_has_its_captions_and_its_right_letter() -> None:
    by_kind: dict[str, list[LabelledCaption]] = {}
    for one in LABELLED:
        by_kind.setdefault(one.kind, []).append(one)
    assert set(by_kind) == set(LABELLED_CLASSES)
    assert all(len(own) == 30 or kind in ("wrong_number", "wrong_date") for kind, own in by_kind.items())
    for kind, own in by_kind.items():
        right = [one.question.answer if kind in ("gold", "whole_context") else "D" for one in own]
        assert [one.letter for one in own] == right


def test_a_labelled_caption_says_what_its_class_promises() -> None:
    for one in LABELLED:
        plan = PLANS[one.question.dialogue_id]
        fact = next(fact for fact in plan.facts if fact.kind == one.question.fact)
        if one.kind in ("gold", "absent", "negated", "wrong_number", "wrong_date"):
            assert plan.handle in one.caption
        if one.kind in ("wrong_name", "other_dialogue", "empty"):
            assert plan.handle not in one.caption
        if one.kind == "absent" and fact.kind in ("place", "event", "companion"):
            assert fact.value not in one.caption
        if one.kind == "gold" and fact.kind in ("place", "event", "companion"):
            assert fact.value in one.caption
        if one.kind == "wrong_date":
            assert "March 2025" not in one.caption or fact.value not in one.caption


def test_the_built_in_judge_is_trusted_on_captions_of_other_wordings() -> None:
    agreement = measure_judge(BuiltinModel(), LABELLED)
    assert agreement.problems == []
    assert agreement.trusted
    assert "| gold (needed) |" in agreement.table()


@pytest.mark.parametrize(
    ("rule", "fails"),
    [
        (lambda asked: "D", {"gold"}),
        (lambda asked: "A", set(GATED)),
        (lambda asked: "no box at all", set(GATED)),
        (lambda asked: random.Random(asked.caption + asked.question).choice("ABCD"), set(GATED)),
        (
            lambda asked: next((x for x, o in zip("ABC", asked.options, strict=False) if o in asked.caption), "D"),
            {"gold", "wrong_name", "negated"},  # finds words, and does not read
        ),
    ],
)
def test_a_judge_that_does_not_read_is_not_trusted(rule: Callable[[ProbeJudgementInput], str], fails: set[str]) -> None:
    agreement = measure_judge(Judge(rule), LABELLED)
    assert not agreement.trusted
    failed = {problem.split(":")[0] for problem in agreement.problems}
    assert fails <= failed


def test_too_few_labelled_captions_are_no_ground_for_trust() -> None:
    few = [one for one in LABELLED if one.kind != "wrong_date"]
    assert any("wrong_date" in problem for problem in measure_judge(BuiltinModel(), few).problems)


def test_agreement_has_wilsons_interval() -> None:
    agreement = measure_judge(Judge(lambda asked: "D"), [one for one in LABELLED if one.kind == "absent"][:10])
    low, high = next(one for one in agreement.classes if one.kind == "absent").interval
    assert (low, high) == (pytest.approx(0.7225, abs=1e-3), pytest.approx(1.0))  # 10 of 10


def test_blind_captions_pass_with_a_judge_that_reads_and_fail_with_one_that_knows() -> None:
    right = {(one.question, one.options): one.answer for one in QUESTIONS}

    def knows(asked: ProbeJudgementInput) -> str:
        return right[(asked.question, asked.options)]

    blind = {"no_caption": dict[str, str]()}
    args: dict[str, Any] = {"margin": 0.05, "minimum": 100}
    sound = audit_captions("r", QUESTIONS, blind, BuiltinModel(), **args)
    assert {one.policy: one.verdict for one in sound}["no_caption"] == "passed"
    assert next(one for one in sound if one.policy == "no_caption").abstained == len(QUESTIONS)
    own = [one for one in QUESTIONS if one.sample_id == "r-s0000"]
    found = audit_captions("r", own * 10, blind, Judge(knows), **args)
    assert {one.policy: one.verdict for one in found}["no_caption"] == "failed"
    few = audit_captions("r", own, blind, BuiltinModel(), **args)
    assert {one.policy: one.verdict for one in few}["no_caption"] == "inconclusive"


def test_another_samples_caption_is_the_next_ones() -> None:
    captions = {one.sample_id: one.sample_id for one in SAMPLES[:3]}
    ids = [one.sample_id for one in SAMPLES[:3]]
    assert others_captions(SAMPLES[:3], captions) == {ids[0]: ids[1], ids[1]: ids[2], ids[2]: ids[0]}


class Tells:
    """A captioner that says one thing, and keeps what it saw."""

    name, fingerprint = "tells", "f"

    def __init__(self) -> None:
        self.seen: list[ContextView] = []

    def models(self) -> list[str]:
        return []

    def prompts(self) -> tuple[str, ...]:
        return ()

    def parameters(self) -> dict[str, str | int | float]:
        return {}

    def prepare(self, views: Sequence[ContextView]) -> None:
        self.seen.extend(views)

    def caption(self, view: ContextView) -> Told:
        return Told(text="A picture.", recognised=(0, 1), completion_tokens=3)

    def answer(self, view: ContextView, question: str, caption: str = "") -> Told:
        return Told(text="")


def test_a_captioner_sees_pictures_and_dialogues_and_no_truth() -> None:
    policy = Tells()
    given = list(caption_samples(policy, SAMPLES[:2]))
    assert [one.sample_id for one in given] == ["r-s0000", "r-s0001"]
    shown = repr(policy.seen)
    assert "positive" not in shown
    assert "lib-" not in shown
    assert "r-s0000" not in shown


def answers(letters: dict[str, str]) -> list[ProbeAnswer]:
    return [
        ProbeAnswer(
            question_id=one.question_id,
            policy="tells",
            fingerprint="f",
            letter=letters.get(one.question_id, "D"),  # type: ignore[arg-type]
            correct=False,
            made_by=BY_CODE,
        )
        for one in QUESTIONS
        if one.sample_id in ("r-s0000", "r-s0001")
    ]


def by() -> ScoredBy:
    return ScoredBy(
        release_id="r", judge="code/rule", backend="code", model="m", code_revision="", seed=1, bootstrap_samples=200
    )


def test_scores_follow_from_counts() -> None:
    samples = SAMPLES[:2]
    asked = [one for one in QUESTIONS if one.sample_id in ("r-s0000", "r-s0001")]
    positive = [one for one in asked if one.positive]  # five a sample
    letters: dict[str, str] = {one.question_id: one.answer for one in positive[:4]}
    negative = next(one for one in asked if not one.positive)
    letters[negative.question_id] = negative.answer  # 1 of 20 negatives is told
    captions = list(caption_samples(Tells(), samples))
    whole, single = score_captions(samples, asked, captions, answers(letters), by())
    assert (whole.concepts, single.concepts) == (0, 1)
    assert whole.positive == pytest.approx(4 / 10)
    assert whole.negative == pytest.approx(19 / 20)
    assert whole.positive_mean == pytest.approx((4 / 5 + 0) / 2)
    assert whole.recognition == pytest.approx(2 * 1 / (2 + 1))  # one of two named, one there
    assert whole.positive_low <= whole.positive <= whole.positive_high
    assert (whole.samples, whole.missing, whole.tokens, whole.words) == (2, 0, 3.0, 2.0)
    table = accuracy_table([whole, single])
    assert "| tells | 40.0 [" in table
    assert "| *paper: Qwen3-VL-8B + CoViP* | 77.4 | 94.8 |" in table
    page = capeval_report([whole, single], "agreement", "audit")
    assert page.metrics["tells/acc_positive/all"] == pytest.approx(0.4)


def test_a_sample_without_a_caption_is_missing_and_wrong() -> None:
    samples = SAMPLES[:2]
    asked = [one for one in QUESTIONS if one.sample_id in ("r-s0000", "r-s0001")]
    captions = list(caption_samples(Tells(), samples))[:1]
    given = [one for one in answers({}) if one.question_id.startswith("r-s0000")]
    whole = score_captions(samples, asked, captions, given, by())[0]
    assert whole.missing == 1
    assert whole.negative == pytest.approx(10 / 20)


def test_captions_of_two_policies_are_not_mixed() -> None:
    one = next(iter(caption_samples(Tells(), SAMPLES[:1])))
    other = one.model_copy(update={"policy": "another"})
    with pytest.raises(ValueError, match="one policy"):
        score_captions(SAMPLES[:1], QUESTIONS, [one, other], [], by())


def test_pages_show_the_worst_first_and_escape_what_models_say() -> None:
    samples = SAMPLES[:3]
    asked = [one for one in QUESTIONS if one.sample_id in {sample.sample_id for sample in samples}]
    given = [one for one in answers({}) if one.question_id.startswith("r-s0000")]
    picked = pick_cases(samples, asked, given, worst=1, best=1)
    assert len(picked) == 2
    assert picked[-1].sample.sample_id == "r-s0000"  # D is right for its negatives
    told = Caption(
        sample_id="r-s0000",
        policy="tells",
        fingerprint="f",
        text="<script>alert(1)</script>",
        prompt_tokens=0,
        completion_tokens=0,
        made_by=BY_CODE,
    )

    def gone(reference: PictureReference) -> bytes:
        from lifeloom.store import MediaMissing

        raise MediaMissing(f"{reference.content_hash} is gone")

    page = caption_page(
        picked,
        asked,
        {"tells": {"r-s0000": told}},
        {"tells": {one.question_id: one for one in given}},
        {},
        {},
        gone,
        title="Cases",
        note="made by a test",
    )
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert page.index(picked[0].sample.sample_id) < page.index("r-s0000")
    assert "cannot be shown" in page
