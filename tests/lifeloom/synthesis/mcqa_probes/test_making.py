"""Questions about dialogues: three a dialogue, right and wrong options as planned, letters in balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import BY_CODE, CaptionSample, ConceptDialoguePlan, Edition, ProbeQuestion
from lifeloom.streams import Streams
from lifeloom.synthesis.mcqa_probes import MadeProbes, make_probes
from lifeloom.synthesis.mcqa_probes.checks import (
    account_problems,
    balance_problems,
    form_problems,
    length_problems,
    repeat_problems,
    truth_problems,
)
from lifeloom.synthesis.mcqa_probes.making import probe_problem
from lifeloom.tasks import PROBE_WRITING, ProbeWritingInput, ProbeWritingOutput
from tests.lifeloom.synthesis.contexts.test_making import POOL, make, scenes

CATEGORIES = {one.image_id: one.category for one in POOL}
Contexts = tuple[list[CaptionSample], dict[str, ConceptDialoguePlan]]


def contexts(count: int, edition: Edition = "corpus") -> Contexts:
    made = make(scenes(count, edition))
    samples = [one.sample for one in made if one.sample is not None]
    return samples, {plan.dialogue_id: plan for one in made for plan in one.plans}


def asked(those: Contexts, writer: Any = None, seed: int = 5, callers: int = 1) -> list[MadeProbes]:
    samples, plans = those
    made = make_probes(
        samples, plans, CATEGORIES, writer or BuiltinModel(), Streams(seed), stage="probes", callers=callers
    )
    return list(made)


def questions(those: Contexts, **more: Any) -> list[ProbeQuestion]:
    return [one for made in asked(those, **more) for one in made.questions]


class Writer:
    """Words questions as a test says."""

    identity = ModelIdentity("test", "writer-1")
    window_tokens = 8192
    takes_pictures = False

    def __init__(self, *answers: Sequence[str] | str) -> None:
        self.answers = answers
        self.asked: list[tuple[ProbeWritingInput, int]] = []

    def run(self, task: Any, given: ProbeWritingInput, images: Sequence[Any] = (), *, sample: int = 0) -> Any:
        self.asked.append((given, sample))
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, str):
            raise GenerationRejected(task.name, "bad_json", answer)
        said = tuple(one.format(h=given.handle, a=given.facts[0].answer) for one in answer)
        return Generation(ProbeWritingOutput(questions=said), Usage(1, 1), BY_CODE)


GOOD = ("Where was {h}?", "When was {h} there?", "With whom was {h}?")


def test_each_dialogue_is_asked_three_questions_about_three_facts_and_all_checks_pass() -> None:
    for edition in ("corpus", "release"):
        samples, plans = those = contexts(40, edition)  # type: ignore[arg-type]
        made = asked(those)
        rows = [one for group in made for one in group.questions]
        assert all(group.rejections == () for group in made)
        assert Counter(Counter(one.dialogue_id for one in rows).values()) == {3: len(plans)}
        assert all(len({one.fact for one in rows if one.dialogue_id == name}) == 3 for name in list(plans)[:60])
        assert form_problems(rows) == balance_problems(rows) == length_problems(rows) == repeat_problems(rows) == []
        assert truth_problems(rows, {one.sample_id: one for one in samples}, plans) == []
        assert account_problems(samples, rows, []) == []


def test_the_right_option_is_what_the_dialogue_tells_and_the_wrong_ones_are_its_plans() -> None:
    samples, plans = those = contexts(8)
    entries = {entry.dialogue_id: entry for one in samples for entry in one.entries}
    for one in questions(those):
        fact = next(fact for fact in plans[one.dialogue_id].facts if fact.kind == one.fact)
        said = [option.casefold() for option in one.options[:3]]
        assert said["ABC".index(one.answer)] == fact.value.casefold()
        assert sorted(said) == sorted(value.casefold() for value in (fact.value, *fact.options))
        assert one.options[3] == "The answer cannot be determined"
        assert all(option[0].isupper() or option[0].isdigit() for option in one.options)
        assert plans[one.dialogue_id].handle in one.question
        assert one.positive == entries[one.dialogue_id].positive
        assert one.right == (one.answer if one.positive else "D")


def test_right_letters_are_in_balance_within_every_sample() -> None:
    for made in asked(contexts(12)):
        letters = Counter(one.answer for one in made.questions)
        assert set(letters) == {"A", "B", "C"}
        assert max(letters.values()) == min(letters.values())


def test_any_fact_may_be_asked_for_and_all_about_equally() -> None:
    counts = Counter(one.fact for one in questions(contexts(60)))
    share = sum(counts.values()) / 5
    assert set(counts) == {"place", "time", "event", "companion", "object"}
    assert all(0.85 * share < count < 1.15 * share for count in counts.values())


def test_a_third_of_the_wordings_is_for_releases_only() -> None:
    def stems(edition: Edition) -> set[str]:
        those = contexts(100, edition)
        plans = those[1]
        return {one.question.replace(plans[one.dialogue_id].handle, "X") for one in questions(those)}

    corpus, release = stems("corpus"), stems("release")
    assert corpus < release
    assert 0.3 < len(release - corpus) / len(release) < 0.37


def test_a_samples_questions_follow_from_it_alone() -> None:
    samples, plans = those = contexts(6)
    together = asked(those)
    assert asked((samples[3:4], plans)) == together[3:4]
    assert asked(those, callers=3) == together
    assert asked(those, seed=6) != together


def test_the_writer_is_shown_the_dialogue_the_facts_and_their_wrong_options() -> None:
    samples, plans = contexts(1)
    writer = Writer(GOOD)
    asked((samples, plans), writer)
    given, sample = writer.asked[0]
    entry = samples[0].entries[0]
    assert sample == 0
    assert given.handle == plans[entry.dialogue_id].handle
    assert given.category == CATEGORIES[entry.image_id]
    prompt = PROBE_WRITING.render(given)
    assert all(turn.user in prompt and turn.assistant in prompt for turn in entry.turns)
    assert all(text in prompt for fact in given.facts for text in (fact.answer, *fact.wrong))


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        (("Where was it?", *GOOD[1:]), "it does not say "),
        (("Tell me about {h}.", *GOOD[1:]), "it does not end with a question mark"),
        (("Was {h} at {a}?", *GOOD[1:]), "it names the option "),
        (GOOD[:2], "2 questions about 3 facts"),
        ("{", "bad_json"),
    ],
)
def test_what_a_rule_refuses_is_asked_for_once_more_and_then_given_up_with_its_reason(
    bad: Sequence[str] | str, what: str
) -> None:
    samples, plans = contexts(1)
    mended = Writer(bad, GOOD)
    (made,) = asked((samples, plans), mended)
    assert made.rejections == ()
    assert [sample for _, sample in mended.asked] == [0, 1, 0, 0]

    (lost,) = asked((samples, plans), Writer(bad))
    assert lost.questions == ()
    assert [one.item for one in lost.rejections] == [entry.dialogue_id for entry in samples[0].entries]
    assert all(one.reason == "questions_not_worded" and what in one.detail for one in lost.rejections)


def test_a_handle_that_holds_an_options_word_does_not_count_as_naming_it() -> None:
    options = ("two ribbons", "the mug", "four stamps")
    assert probe_problem("What came home with the mug from Petra?", "the mug from Petra", options) == ""
    assert probe_problem("Was the mug there with Petra?", "Petra", options) == "it names the option 'the mug'"
    assert probe_problem("Was petra there?", "Petra", options) == ""
    assert probe_problem("Was Petrah there?", "Petra", options) == "it does not say 'Petra'"
