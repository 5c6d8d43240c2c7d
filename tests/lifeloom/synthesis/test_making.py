"""Every stage keeps or rejects all that it takes, and says why."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.protocol import GenerationRejected, ModelUnavailable, PictureNotDrawn
from lifeloom.records import ConversationPlan, Persona, PersonaSeed, Picture, Rejection, ReviewItem, Session, Turn
from lifeloom.store import DatasetStore, Recipe
from lifeloom.streams import Streams
from lifeloom.synthesis.illustrating import Illustrator
from lifeloom.synthesis.making import ConversationOrder, StageCounts, make_dialogues, make_personas
from lifeloom.synthesis.picture_checks import picture_problems
from lifeloom.synthesis.plans import ConversationShape
from lifeloom.synthesis.review import ReviewAnswers, queue_path, read_answers, write_queue
from lifeloom.synthesis.validation import Validator, structural_problems
from lifeloom.tasks import SESSION_CRITIQUE, SESSION_WRITING
from lifeloom.tasks.session_critique import Problem
from tests.lifeloom.synthesis.seen import PlainMaker
from tests.written import Scripted

KEY = "corpus/dialogues/shard-000"
STREAMS = Streams(7)
SHAPE = ConversationShape(12, 14, 31)


class Fickle:
    """The built-in model, but it goes wrong for the personas named."""

    def __init__(self, refuses=(), spoils=(), doubts=(), down=False):
        self.model = BuiltinModel()
        self.identity = self.model.identity
        self.window_tokens, self.scores_options = 1000, False
        self.refuses, self.spoils, self.doubts, self.down = refuses, spoils, doubts, down

    def run(self, task, task_input, images=()):
        if self.down:
            raise ModelUnavailable("down")
        if task is SESSION_CRITIQUE:
            answer = self.model.run(task, task_input)
            marked = [turn.turn_index for turn in task_input.turns for word in self.doubts if word in turn.user]
            problems = tuple(Problem(turn_index=index, kind="incoherent", reason="odd") for index in marked)
            return replaced(answer, problems=problems)
        name = task_input.name
        if name in self.refuses:
            raise GenerationRejected(task.name, "refusal", "I can't help with that", "it refused")
        answer = self.model.run(task, task_input)
        if task is SESSION_WRITING and name in self.spoils:
            turns = tuple(turn.model_copy(update={"user": "Nothing to say."}) for turn in answer.output.turns)
            return replaced(answer, turns=turns)
        if task is SESSION_WRITING and name in self.doubts:
            turns = tuple(turn.model_copy(update={"user": f"{turn.user} {name}!"}) for turn in answer.output.turns[:1])
            return replaced(answer, turns=(*turns, *answer.output.turns[1:]))
        return answer


def replaced(answer, **output):
    return dataclasses.replace(answer, output=answer.output.model_copy(update=output))


def seeds(count: int) -> list[PersonaSeed]:
    return [
        PersonaSeed(
            seed_id=f"seed-{n}", text=f"A clockmaker of town {n}", source="x", line=n + 1, cluster_id="c", split="train"
        )
        for n in range(count)
    ]


def produce(tmp_path, make, run=1):
    counts = []
    store = DatasetStore(tmp_path / f"run-{run}")
    recipe = Recipe(stage="corpus/dialogues", seed=7)
    store.produce(KEY, recipe, lambda writer: counts.append(make(writer)))
    return counts[0], store.reader(KEY)


def people(tmp_path, count=4, refuses=()):
    def make(writer):
        return make_personas(
            writer, seeds(count), edition="corpus", model=Fickle(refuses=refuses), streams=STREAMS, workers=2
        )

    counts, reader = produce(tmp_path, make, "personas")
    return counts, reader


def test_personas_in_are_out_plus_rejected(tmp_path):
    _, reader = people(tmp_path / "all")
    everybody = list(reader.read("personas", Persona))
    counts, reader = people(tmp_path / "some", refuses=(everybody[1].name,))
    assert (counts.taken, counts.kept, dict(counts.rejected)) == (4, 3, {"refusal": 1})
    assert list(reader.read("personas", Persona)) == [everybody[0], everybody[2], everybody[3]]
    (rejection,) = reader.read("rejections", Rejection)
    assert (rejection.stage, rejection.item, rejection.reason) == ("personas", "seed-1", "refusal")
    assert rejection.detail == "it refused raw: I can't help with that"


def dialogues(tmp_path, personas, model, answers=None, run=1, workers=1, maker=None):
    maker = maker or PlainMaker()

    def make(writer):
        return make_dialogues(
            writer,
            [ConversationOrder(persona, "train", SHAPE, ()) for persona in personas],
            ends_on=dt.date(2025, 3, 14),
            model=model,
            validator=Validator(model, answers=answers or ReviewAnswers(), where=KEY),
            illustrator=Illustrator(maker, maker.draw_many),
            streams=STREAMS,
            workers=workers,
        )

    return produce(tmp_path, make, run)


def test_conversations_in_are_out_plus_rejected_by_the_writer_and_by_the_checks(tmp_path):
    everybody = list(people(tmp_path)[1].read("personas", Persona))
    refused, spoiled = everybody[0], everybody[2]
    model = Fickle(refuses=(refused.name,), spoils=(spoiled.name,))
    counts, reader = dialogues(tmp_path, everybody, model)
    assert (counts.taken, counts.kept) == (4, 2)
    assert dict(counts.rejected) == {"refusal": 1, next(r for r in counts.rejected if r != "refusal"): 1}
    kept = {everybody[1].persona_id, everybody[3].persona_id}
    assert {plan.persona_id for plan in reader.read("plans", ConversationPlan)} == kept
    assert {turn.persona_id for turn in reader.read("turns", Turn)} == kept
    assert structural_problems(reader.read("sessions", Session), reader.read("turns", Turn)) == []
    assert [rejection.reason for rejection in reader.read("rejections", Rejection)] == list(counts.rejected)


class BrokenMaker(PlainMaker):
    """Cannot draw for the persona named."""

    def __init__(self, persona_id):
        self.persona_id = persona_id

    def draw(self, plan):
        if any(subject.identity == self.persona_id for subject in plan.subjects):
            raise PictureNotDrawn(plan.picture_id, "no such face")
        return super().draw(plan)


def test_every_mark_has_its_picture_record_and_file(tmp_path):
    everybody = list(people(tmp_path)[1].read("personas", Persona))
    _, reader = dialogues(tmp_path, everybody, Fickle())
    pictures = {picture.content_hash: picture for picture in reader.read("pictures", Picture)}
    shown = [reference for turn in reader.read("turns", Turn) for reference in turn.pictures]
    assert len(shown) >= 4  # two at least in a conversation of twelve turns
    assert {reference.content_hash for reference in shown} == set(pictures)
    assert picture_problems(reader.read("turns", Turn), reader.media.has) == []
    gone = next(iter(pictures))
    (problem, *_) = picture_problems(reader.read("turns", Turn), lambda content: content != gone)
    assert f"picture {gone[:12]} is not stored" in problem
    for content, picture in pictures.items():
        assert reader.media.get(content) == PlainMaker().draw(picture.plan).data


def test_a_conversation_whose_picture_cannot_be_drawn_is_rejected_and_counted(tmp_path):
    everybody = list(people(tmp_path)[1].read("personas", Persona))
    faces = {person.person_id for person in everybody[1].circle}
    shown = next(
        subject.identity
        for plan in dialogues(tmp_path, everybody, Fickle(), run=1)[1].read("plans", ConversationPlan)
        if plan.persona_id == everybody[1].persona_id
        for turn in plan.turns
        for item in turn.pictures
        for subject in item.picture.subjects
        if subject.identity in faces
    )
    counts, reader = dialogues(tmp_path, everybody, Fickle(), run=2, maker=BrokenMaker(shown))
    assert (counts.taken, counts.kept, dict(counts.rejected)) == (4, 3, {"picture_not_drawn": 1})
    assert [rejection.stage for rejection in reader.read("rejections", Rejection)] == ["pictures"]
    assert everybody[1].persona_id not in {picture.persona_id for picture in reader.read("pictures", Picture)}


def test_more_workers_make_the_same_tables(tmp_path):
    everybody = list(people(tmp_path)[1].read("personas", Persona))
    _, one = dialogues(tmp_path, everybody, Fickle(), run=1)
    _, several = dialogues(tmp_path, everybody, Fickle(), run=2, workers=3)
    assert one.manifest.content_hash == several.manifest.content_hash


def test_a_review_item_answered_in_the_file_is_honoured_on_the_next_run(tmp_path):
    everybody = list(people(tmp_path, 2)[1].read("personas", Persona))
    model = Fickle(doubts=(everybody[0].name,))
    folder = tmp_path / "review"

    def run(number):
        counts, reader = dialogues(tmp_path, everybody, model, read_answers(folder, KEY), number)
        waiting = list(reader.read("review", ReviewItem))
        write_queue(folder, KEY, waiting)
        return counts, [item.item_id for item in waiting]

    counts, waiting = run(1)
    assert counts.kept == 2
    assert waiting
    assert run(2)[1] == waiting  # nobody answered, the same is asked again
    path = queue_path(folder, KEY)
    path.write_text(path.read_text().replace('"answer": ""', '"answer": "accept"'))
    counts, still_waiting = run(3)
    assert (counts.kept, still_waiting) == (2, [])
    assert len(read_answers(folder, KEY)) == len(waiting)
    path.write_text(path.read_text().replace('"answer": "accept"', '"answer": "reject"', 1))
    counts, still_waiting = run(4)
    assert (counts.kept, dict(counts.rejected), still_waiting) == (1, {"review_rejected": 1}, [])
    assert run(5)[0] == counts  # the answer stays, and so does what follows from it


def test_a_model_that_is_down_stops_the_stage_and_nothing_is_published(tmp_path):
    everybody = list(people(tmp_path, 1)[1].read("personas", Persona))
    with pytest.raises(ModelUnavailable):
        dialogues(tmp_path, everybody, Fickle(down=True))
    assert DatasetStore(tmp_path / "run-1").keys() == []


def test_counts_that_lose_a_row_are_refused():
    with pytest.raises(AssertionError, match="rows have vanished"):
        StageCounts(3, 1, {"refusal": 1})


def test_no_orders_make_empty_tables(tmp_path):
    counts, reader = dialogues(tmp_path, [], Scripted())
    assert counts == StageCounts(0, 0, {})
    assert reader.tables == ("pictures", "plans", "rejections", "review", "sessions", "turns")
