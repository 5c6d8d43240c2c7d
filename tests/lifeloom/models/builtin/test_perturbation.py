"""Nothing that the prompt does not show may change an answer of the built-in backend.

Random inputs of every task are changed in one leaf at a time. Where the prompt stays the same the
answer must too. ``test_a_writer_that_peeks_is_caught`` shows that the check can fail.
"""

import hashlib
import random
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
import pytest
from pydantic import BaseModel, ValidationError

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.builtin.writer.statements import PICTURED_KINDS, said_kinds
from lifeloom.models.protocol import GenerationRejected, ModelIdentity
from lifeloom.records import AREAS
from lifeloom.tasks import (
    ACTION_JUDGEMENT,
    ALIGNMENT_JUDGEMENT,
    ALIGNMENT_WRITING,
    ANSWER_REWARD_JUDGEMENT,
    CANDIDATE_VOTE,
    CHOICE_ANSWER,
    CONCEPT_DIALOGUE_WRITING,
    CONCEPT_FINGERPRINT,
    CONCEPT_RECOGNITION,
    CONCEPT_REFINEMENT,
    CONCEPT_WRITING,
    CONSISTENCY_JUDGEMENT,
    CONTEXT_ANSWER,
    CORE_UPDATE,
    DIAGNOSTIC_DIALOGUE_WRITING,
    EPISODIC_UPDATE,
    EVENT_STORY_WRITING,
    EVENT_WRITING,
    GRAPH_CANDIDATES,
    GRAPH_PLAN,
    GRAPH_PRUNE,
    GRAPH_REFERENCES,
    GRAPH_SUFFICIENCY,
    GRAPH_TOP_ENTITIES,
    GRAPH_TRIPLES,
    GROUNDED_CAPTION,
    LIFE_ANSWER,
    LIFE_JUDGEMENT,
    LIFE_STORY_WRITING,
    MMHAL_JUDGEMENT,
    OBJECT_QUESTION,
    PERSONA_ENRICHMENT,
    PERSONAL_CAPTION,
    PERSONALITY_INFERENCE,
    PICTURE_CAPTION,
    PROBE_JUDGEMENT,
    PROBE_WRITING,
    PROCEDURAL_UPDATE,
    QUESTION_CRITIQUE,
    RESPONSE_STEP,
    SCENE_CHECK,
    SEMANTIC_UPDATE,
    SESSION_CRITIQUE,
    SESSION_WRITING,
    GenerationTask,
    ProbeJudgementInput,
    ResponseStepInput,
    SessionWritingInput,
    TurnBrief,
)

TASKS = [
    SESSION_WRITING,
    PERSONA_ENRICHMENT,
    ALIGNMENT_WRITING,
    CHOICE_ANSWER,
    ALIGNMENT_JUDGEMENT,
    SESSION_CRITIQUE,
    RESPONSE_STEP,
    PERSONALITY_INFERENCE,
    PERSONAL_CAPTION,
    SEMANTIC_UPDATE,
    CORE_UPDATE,
    PROCEDURAL_UPDATE,
    EPISODIC_UPDATE,
    ACTION_JUDGEMENT,
    ANSWER_REWARD_JUDGEMENT,
    CANDIDATE_VOTE,
    CONCEPT_DIALOGUE_WRITING,
    CONCEPT_FINGERPRINT,
    CONCEPT_RECOGNITION,
    CONCEPT_REFINEMENT,
    CONCEPT_WRITING,
    CONSISTENCY_JUDGEMENT,
    CONTEXT_ANSWER,
    DIAGNOSTIC_DIALOGUE_WRITING,
    EVENT_STORY_WRITING,
    EVENT_WRITING,
    GRAPH_CANDIDATES,
    GRAPH_PLAN,
    GRAPH_PRUNE,
    GRAPH_REFERENCES,
    GRAPH_SUFFICIENCY,
    GRAPH_TOP_ENTITIES,
    GRAPH_TRIPLES,
    GROUNDED_CAPTION,
    LIFE_ANSWER,
    LIFE_JUDGEMENT,
    LIFE_STORY_WRITING,
    MMHAL_JUDGEMENT,
    OBJECT_QUESTION,
    PICTURE_CAPTION,
    PROBE_JUDGEMENT,
    PROBE_WRITING,
    QUESTION_CRITIQUE,
    SCENE_CHECK,
]
INPUTS = 12
WORDS = ("peppermint tea", "Golden Crust", "cousin", "last Friday", "Ana", "evening drink", "neighbour", "", " ", "17")


class HashingEncoder:
    """A small deterministic encoder, so that the reader runs without weights."""

    identity = ModelIdentity("test", "hashing-1")
    dimensions = 16

    def encode(self, texts):
        rows = []
        for text in texts:
            row = np.zeros(16, dtype=np.float32)
            for word in text.lower().split():
                row[hashlib.sha256(word.encode()).digest()[0] % 16] += 1
            rows.append(row / max(1.0, float(np.linalg.norm(row))))
        return np.array(rows, dtype=np.float32).reshape(len(rows), 16)


@dataclass
class Coverage:
    """What the check has seen."""

    leaves: set[str] = field(default_factory=set)
    same_prompt: set[str] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)


def leaf_names(model: type[BaseModel], path: str = "") -> set[str]:
    """Every leaf field below ``model``, by dotted name without indices."""
    names = set()
    for name, info in model.model_fields.items():
        inner = info.annotation
        while get_origin(inner) in (tuple, Union, types.UnionType):
            inner = get_args(inner)[0]
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            names |= leaf_names(inner, f"{path}{name}.")
        else:
            names.add(f"{path}{name}")
    return names


def a_value(annotation: Any, name: str, rng: random.Random) -> Any:
    """A random value of a field, plausible enough that tasks get past their checks."""
    origin = get_origin(annotation)
    if origin is Literal:
        return rng.choice(get_args(annotation))
    if origin is tuple:
        return tuple(a_value(get_args(annotation)[0], name, rng) for _ in range(rng.choice([2, 3, 4])))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return an_input(annotation, rng)
    if annotation is bool:
        return rng.random() < 0.4
    if annotation is int:
        return rng.randint(1, 9)
    if annotation is float:
        return round(rng.uniform(1, 5), 1)
    texts = {
        "area": AREAS,
        "local_time": ("2025-03-14 08:15", "2025-03-17 21:40"),
        "at": ("2025-03-14 08:15", "2025-03-17 21:40"),
        "asked_at": ("2025-03-20 08:15", "2025-03-21 21:40"),
        "now": ("2025-03-20 08:15", "2025-03-21 21:40"),
        "user": ("I drink oat milk.", "I want to row.", "My sister Ana sings!!", "I am Bo.", "That one.", "Why?"),
        "query": ("What did Ana drink last week?", "Who is Anouk?", "I moved.", "Thanks!", ""),
        "local_date": ("Friday 2025-03-14", "Monday 2025-03-17"),
        "phrase": ("evening drink", "Anouk"),
        "value": WORDS[:3],
        "holder_name": ("", "Mateo"),
        "occasion_caption": ("", "Max at the lake, first swim"),
        "people": ("Anouk (cousin)", "Mateo (neighbour)", "Li (mentor)"),
        "base_persona": ("A baker in Porto who sings.", "A retired pilot."),
        "name": ("Ana Reis", "Ben Okri"),
        "owner": ("Ana", "", "Mateo"),
        "role": ("Account Owner", "Owner's Brother", "Owner's Dog"),
        "persona": ("Ana is a vet who likes old maps.", ""),
        "date": ("2025-03-01", "2025-03-09"),
        "description": ("Crabbing with Ana!", "A hike by the lake with my brother.", "Dinner."),
        "caption": ("A person by the lake. It shows two red hats.", ""),
        "question": (
            "Who was with Ana on 2025-03-01, and what was it?",
            "How many days of fishing did Ana take part in?",
            "What does Ana do for a living?",
            "What came right after the day of crabbing with Ana?",
            "In the photo from 9 March 2025 with the red hat, what else is there?",
        ),
        "action": ("pay the bill", "feed Ana", ""),
        "truth": (
            "Ana is the account owner.",
            "On 2025-03-01: crabbing, by the lake. There: Ana.",
            "7",
            "Ana was there.",
        ),
        "answer": ("b", "yes", "Ana was there.", "Paying the bill.", "Seven.", "With Ana: nobody; it was crabbing."),
        "head": ("Ana", "Crabbing with Ana"),
        "tail": ("Ana", "crabbing", "hat", "2025-03-01", "vet"),
        "head_type": ("Event", "PersonAnimal"),
        "tail_type": ("Activity", "PersonAnimal", "Object", "Date", "Location"),
        "relation": ("hasActivity", "brotherOf", "shows", "attendedBy", "hasCareer"),
        "key": ("attendee", "image", "count", "colour", "place"),
        "notes": ("2 different days match (Ana): 2025-03-01.", "Most frequent places (Ana), by days: lake (2 days)."),
    }
    return rng.choice(texts.get(name, WORDS))


def an_input(model: type[BaseModel], rng: random.Random) -> Any:
    values = {name: a_value(info.annotation, name, rng) for name, info in model.model_fields.items()}
    if "letter" in values:
        values["letter"] = rng.choice("abcd")
    if model is TurnBrief:
        values = a_turn(values, rng)
    if model is ResponseStepInput:  # a choice, a judgement or a plain message
        kind = rng.choice(["options", "response", ""])
        values |= {name: type(values[name])() for name in ("options", "response") if name != kind}
    if model is ProbeJudgementInput:  # four options, always
        values["options"] = tuple(f"{letter} {rng.choice(WORDS)}" for letter in "abcd")
    return model(**values)


def a_turn(values: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Make a random turn one that can be written: the pictures and the kinds of statement suit its act."""
    statements = []
    for said in values["statements"]:
        shown = said.pictured and said.fact_kind in PICTURED_KINDS
        kind = said.statement_kind if said.statement_kind in said_kinds(said.fact_kind) else "direct"
        full = {"phrase": said.phrase or "Anouk", "previous_value": said.previous_value.strip() or "cocoa"}
        if kind == "other_person":
            full |= {"holder_name": "Mateo", "holder_relation": said.holder_relation.strip() or "neighbour"}
        statements.append(said.model_copy(update={"statement_kind": kind, "pictured": shown, **full}))
    pictures = [
        picture.model_copy(
            update={
                "role": "album" if picture.role == "statement" else picture.role,
                "handle": picture.handle.strip() or "our reunion",
                "name": picture.name.strip() or "Anouk",
            }
        )
        for picture in values["pictures"]
    ]
    if values["act"] == "statement":
        shown = [said for said in statements if said.pictured]
        pictures = [pictures[0].model_copy(update={"role": "statement"}) for _ in shown]
    elif values["act"] == "picture":
        statements = []
    else:
        pictures = []
    if values["act"] == "occasion":
        values |= {"occasion_caption": "Max at the lake, first swim", "occasion_when": "yesterday"}
    return values | {"statements": tuple(statements), "pictures": tuple(pictures)}


def other_values(annotation: Any, name: str, old: Any, rng: random.Random) -> list[Any]:
    if get_origin(annotation) is Literal:
        return [value for value in get_args(annotation) if value != old]
    if isinstance(old, bool):
        return [not old]
    if name in ("at", "asked_at", "local_time", "now"):  # stays a time: the reader may rely on the form
        return [old[:-1] + digit for digit in "19" if digit != old[-1]]
    if isinstance(old, str):
        return [value for value in ("", "zq " + old, a_value(str, name, rng)) if value != old]
    return [old + 1, max(1, old - 1), 3]


def mutations(value: BaseModel, rng: random.Random, path: str = "") -> Iterator[tuple[str, BaseModel]]:
    """Copies of ``value`` with one leaf changed, with the leaf's dotted name."""
    for name, info in type(value).model_fields.items():
        old = getattr(value, name)
        if isinstance(old, BaseModel):
            for leaf, new in mutations(old, rng, f"{path}{name}."):
                yield leaf, value.model_copy(update={name: new})
        elif isinstance(old, tuple):
            for leaf, new in mutated_tuples(old, info.annotation, name, rng, path):
                yield leaf, value.model_copy(update={name: new})
        else:
            for new in other_values(info.annotation, name, old, rng):
                yield f"{path}{name}", value.model_copy(update={name: new})


def mutated_tuples(
    old: tuple[Any, ...], annotation: Any, name: str, rng: random.Random, path: str
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Copies of ``old`` with one leaf of one item changed."""
    inner = get_args(annotation)[0]
    for index, item in enumerate(old):
        changed: Any
        if isinstance(item, BaseModel):
            changed = mutations(item, rng, f"{path}{name}.")
        elif isinstance(item, tuple):
            changed = mutated_tuples(item, inner, name, rng, path)
        else:
            changed = ((f"{path}{name}", new) for new in other_values(inner, name, item, rng))
        for leaf, new in changed:
            yield leaf, (*old[:index], new, *old[index + 1 :])


def perturb(task: GenerationTask, answer: Callable[[Any], str], inputs: int = INPUTS) -> Coverage:
    """Change every leaf of random inputs and compare prompts and answers."""
    seen = Coverage()
    for seed in range(inputs):
        rng = random.Random(seed)
        first = an_input(task.input_type, rng)
        prompt, said = task.render(first), answer(first)
        for leaf, changed in mutations(first, rng):
            try:
                second = task.input_type.model_validate(changed.model_dump())
            except ValidationError:
                continue
            seen.leaves.add(leaf)
            if task.render(second) == prompt:
                seen.same_prompt.add(leaf)
                if answer(second) != said:
                    seen.differences.append(f"{leaf}: {second!r}")
    return seen


def answer_of(model: BuiltinModel, task: GenerationTask) -> Callable[[Any], str]:
    def answer(task_input: Any) -> str:
        try:
            return model.run(task, task_input).output.model_dump_json()
        except GenerationRejected as error:
            return str(error)

    return answer


def test_every_task_of_the_backend_is_perturbed():
    assert {task.name for task in TASKS} == set(BuiltinModel().tasks)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_what_the_prompt_does_not_show_changes_no_answer(task):
    model = BuiltinModel(encoder=HashingEncoder())
    seen = perturb(task, answer_of(model, task))
    assert seen.leaves == leaf_names(task.input_type)
    assert seen.differences == []


def test_the_inputs_have_pictures_of_every_role_and_nearly_all_can_be_written():
    inputs = [an_input(SessionWritingInput, random.Random(seed)) for seed in range(INPUTS)]
    turns = [turn for item in inputs for turn in item.turns]
    assert {picture.role for turn in turns for picture in turn.pictures} == {"album", "portrait", "statement"}
    assert any(said.pictured for turn in turns for said in turn.statements)
    assert {turn.act for turn in turns} == set(get_args(TurnBrief.model_fields["act"].annotation))
    for item in inputs:
        BuiltinModel().run(SESSION_WRITING, item)


def test_the_session_prompt_hides_two_fields_so_the_check_is_not_empty():
    # A relation without a name and a time without a caption are not shown.
    seen = perturb(SESSION_WRITING, lambda task_input: "")
    assert {"turns.statements.holder_relation", "turns.occasion_when"} <= seen.same_prompt


def test_a_writer_that_peeks_is_caught():
    seen = perturb(
        SESSION_WRITING, lambda item: " ".join(said.holder_relation for turn in item.turns for said in turn.statements)
    )
    assert any("holder_relation" in difference for difference in seen.differences)


def test_the_answer_depends_on_the_prompt_alone():
    # The same seed everywhere: only the prompt starts the writer's chance.
    rng = random.Random(3)
    first, second = (an_input(PERSONA_ENRICHMENT.input_type, rng) for _ in range(2))
    say = answer_of(BuiltinModel(), PERSONA_ENRICHMENT)
    assert say(first) == answer_of(BuiltinModel(), PERSONA_ENRICHMENT)(first)
    assert say(first) != say(second)
