"""Rules that hold a worded dialogue to its plan, and what happens when a writer does not keep to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import BY_CODE, ConceptDialoguePlan, DialogueFact, Rejection
from lifeloom.synthesis.contexts.words import dialogue_problem, says_fact, write_concept_dialogue
from lifeloom.tasks import CONCEPT_DIALOGUE_WRITING, ConceptDialogueInput, ConceptDialogueOutput, DialogueExchange
from tests.scenes import library_image

PLAN = ConceptDialoguePlan(
    dialogue_id="s1-c0",
    sample_id="s1",
    image_id="i1",
    handle="Nadia",
    edition="corpus",
    facts=(
        DialogueFact(kind="place", value="Dunmore Bakery", options=("Calloway Bridge", "Garrow Cinema"), turn=0),
        DialogueFact(
            kind="time", value="14 March 2025 at 7:30", options=("2 May 2024 at 9:00", "3 May 2024 at 9:15"), turn=1
        ),
        DialogueFact(kind="object", value="four stamps", options=("six stamps", "two ribbons"), turn=1),
        DialogueFact(kind="event", value="the map fair", options=("the orchid show", "the jazz brunch"), turn=2),
    ),
)
GOOD = (
    ("This is Nadia. I met her at Dunmore Bakery.", "Noted. What else?"),
    ("It was on the 14th of March 2025 at 7:30. I bought 4 stamps.", "Thank you. Is that all?"),
    ("We had come for the map fair.", "I have that."),
)


def dialogue(turns: Sequence[tuple[str, str]] = GOOD, **changed: tuple[str, str]) -> ConceptDialogueOutput:
    said = [changed.get(f"turn{number}", one) for number, one in enumerate(turns)]
    return ConceptDialogueOutput(turns=tuple(DialogueExchange(user=user, assistant=reply) for user, reply in said))


def problem(**changed: tuple[str, str]) -> str:
    return dialogue_problem(dialogue(**changed), PLAN)


class Writer:
    """Gives one answer after the other."""

    identity = ModelIdentity("test", "writer-1")
    window_tokens = 8192

    def __init__(self, *answers: ConceptDialogueOutput | str, pictures: bool = False) -> None:
        self.answers = list(answers)
        self.takes_pictures = pictures
        self.asked: list[tuple[ConceptDialogueInput, int, int]] = []

    def run(
        self, task: Any, task_input: Any, images: Sequence[Any] = (), *, sample: int = 0, **_: Any
    ) -> Generation[Any]:
        self.asked.append((task_input, len(images), sample))
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            raise GenerationRejected(task.name, "bad_json", answer)
        return Generation(answer, Usage(1, 1), BY_CODE)


def written(writer: Writer) -> Any:
    return write_concept_dialogue(writer, PLAN, library_image("i1"), stage="contexts")  # type: ignore[arg-type]


def test_a_dialogue_as_planned_has_no_problem() -> None:
    assert problem() == ""


@pytest.mark.parametrize(
    "said",
    [
        "on 14 March 2025",
        "on the 14th of March 2025",
        "on March 14, 2025",
        "on March 14th, 2025",
        "14 march, 2025 it was",
        "on 2025-03-14, a Friday",
    ],
)
def test_a_day_may_be_said_in_any_usual_form(said: str) -> None:
    assert says_fact(said, DialogueFact(kind="time", value="14 March 2025", turn=0))
    assert not says_fact(said, DialogueFact(kind="time", value="4 March 2025", turn=0))
    assert not says_fact(said, DialogueFact(kind="time", value="14 March 2024", turn=0))
    assert not says_fact(said, DialogueFact(kind="time", value="14 May 2025", turn=0))
    assert not says_fact(said, DialogueFact(kind="time", value="14 March 2025 at 7:30", turn=0))


def test_the_time_of_day_is_its_own_and_not_a_part_of_another() -> None:
    fact = DialogueFact(kind="time", value="14 March 2025 at 7:30", turn=0)
    assert says_fact("on 2025-03-14 at 7:30.", fact)
    assert not says_fact("on 2025-03-14 at 17:30.", fact)


@pytest.mark.parametrize("number", range(2, 13))
def test_a_number_may_be_a_word_or_digits_and_not_another(number: int) -> None:
    words = dict(
        zip(
            (2, 3, 4, 5, 6, 7, 8, 9, 11, 12),
            ("two", "three", "four", "five", "six", "seven", "eight", "nine", "eleven", "twelve"),
            strict=True,
        )
    )
    for count, word in words.items():
        fact = DialogueFact(kind="object", value=f"{word} stamps", turn=0)
        assert says_fact(f"I bought {number} stamps.", fact) == (number == count)
        assert says_fact(f"I bought {word} stamps.", fact)


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"turn0": ("This is Nadia. I met her at a bakery.", "Noted.")}, "turn 1 does not state the place"),
        ({"turn0": ("I met her at Dunmore Bakery.", "Noted.")}, "the first turn does not say 'Nadia'"),
        ({"turn1": ("It was on 14 March 2025. I bought 4 stamps.", "Noted.")}, "turn 2 does not state the time"),
        ({"turn1": ("On 14 March 2025 at 7:30 I bought 5 stamps.", "Noted.")}, "turn 2 does not state the object"),
        ({"turn2": ("We went for the map fair at Dunmore Bakery.", "Noted.")}, "turn 3 states the place too"),
        ({"turn2": ("It was the map fair.", "As on 2 May 2024?")}, "it names a day that is not planned"),
        ({"turn2": ("The map fair, then the orchid show.", "Noted.")}, "it says 'the orchid show'"),
        ({"turn1": ("On 14 March 2025 at 7:30: 4 stamps, 6 stamps.", "Noted.")}, "it says 'six stamps'"),
        ({"turn2": ("It was the map fair. I loved it.", "Noted.")}, "it says 'loved': opinions"),
        ({"turn2": ("It was the map fair. We always go.", "Noted.")}, "it says 'always': opinions"),
        ({"turn2": ("It was the map fair.", "How lovely!")}, "it says 'lovely': opinions"),
    ],
)
def test_what_strays_from_the_plan_is_named(changed: dict[str, tuple[str, str]], what: str) -> None:
    assert what in problem(**changed)


def test_words_of_a_fact_itself_are_no_opinion() -> None:
    facts = (*PLAN.facts[:3], DialogueFact(kind="event", value="the fun run", turn=2))
    plan = PLAN.model_copy(update={"facts": facts})
    assert dialogue_problem(dialogue(turn2=("It was the fun run.", "Noted.")), plan) == ""


def test_three_turns_are_wanted() -> None:
    assert dialogue_problem(dialogue(GOOD[:2]), PLAN) == "it has 2 turns instead of 3"


def test_the_writer_is_told_each_turns_facts_and_sees_the_picture_if_it_can() -> None:
    writer = Writer(dialogue(), pictures=True)
    turns, made_by = written(writer)
    ((asked, pictures, sample),) = writer.asked
    assert [[(one.kind, one.value) for one in turn] for turn in asked.turns] == [
        [("place", "Dunmore Bakery")],
        [("time", "14 March 2025 at 7:30"), ("object", "four stamps")],
        [("event", "the map fair")],
    ]
    assert (asked.handle, asked.noun, pictures, sample) == ("Nadia", "person", 1, 0)
    assert CONCEPT_DIALOGUE_WRITING.render(asked).count("<img>") == 1
    assert [(one.user, one.assistant) for one in turns] == list(GOOD)
    assert made_by == BY_CODE

    blind = Writer(dialogue())
    written(blind)
    ((asked, pictures, _),) = blind.asked
    assert pictures == CONCEPT_DIALOGUE_WRITING.render(asked).count("<img>") == 0


def test_wrong_options_are_not_shown_to_the_writer() -> None:
    writer = Writer(dialogue())
    written(writer)
    prompt = CONCEPT_DIALOGUE_WRITING.render(writer.asked[0][0])
    assert all(fact.value in prompt for fact in PLAN.facts)
    assert not any(option in prompt for fact in PLAN.facts for option in fact.options)


def test_a_dialogue_that_a_rule_refuses_is_asked_for_once_more() -> None:
    bad = dialogue(turn2=("It was something.", "Noted."))
    writer = Writer(bad, dialogue())
    turns, _ = written(writer)
    assert turns[2].user == "We had come for the map fair."
    assert [sample for _, _, sample in writer.asked] == [0, 1]


def test_what_fails_twice_is_given_up_with_the_last_reason() -> None:
    lost = written(Writer("{", dialogue(turn2=("It was something.", "Noted."))))
    assert isinstance(lost, Rejection)
    assert (lost.stage, lost.item, lost.reason) == ("contexts", "s1-c0", "dialogue_not_as_planned")
    assert lost.detail == "turn 3 does not state the event: the map fair"
    broken = written(Writer("{", "{"))
    assert "bad_json" in broken.detail
