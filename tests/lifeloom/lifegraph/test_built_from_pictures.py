"""The built-in builder with real eyes on drawn pictures, against the plan."""

from __future__ import annotations

import hashlib
from pathlib import Path

from lifeloom.lifegraph.building import build_graph
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.builtin.eyes import Eyes
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.records import Life, PicturePlan, PictureReference
from lifeloom.synthesis.vaccounts.shape import LifeShape
from tests.lives import life_plan, made, relative, vaccount_seed


def test_who_was_where_with_what_is_read_off_the_pictures(tmp_path: Path) -> None:
    seed = vaccount_seed(
        relative("Rylen", "grandson", 8), relative("Ellen", "mother", 66), relative("Moss", "rabbit", 3, "animal")
    )
    plan = life_plan(seed, LifeShape(pictures=24, question_pictures=0), seed=4)
    painter, files = BuiltinPainter(), {}

    def drawn(picture: PicturePlan) -> PictureReference:
        result = painter.draw(picture)
        reference = PictureReference(
            content_hash=hashlib.sha256(result.data).hexdigest(), width=result.width, height=result.height
        )
        files[reference.content_hash] = result.data
        return reference

    concepts, images = made(plan)
    portraits = {one.concept_id: one.portrait for one in plan.concepts}
    shots = {shot.image_id: shot.picture for event in plan.events for shot in event.shots}
    life = Life.of(
        plan.vaccount_id,
        [one.model_copy(update={"portrait": drawn(portraits[one.concept_id])}) for one in concepts],
        [
            one.model_copy(update={"picture": drawn(shots[one.image_id]), "event_description": "What a day."})
            for one in images
        ],
    )
    model = BuiltinModel(eyes=Eyes(), pictures=lambda reference: files[reference.content_hash])
    built = build_graph(tmp_path / "life.graph", life, model)
    graph = built.graph
    assert not built.rejections
    right = wrong = missing = 0
    names = {one.concept_id: one.name for one in plan.concepts}
    entities = {life.event_of(one.sources[0]): one.entity_id for one in graph.of_type("Event")}
    for event in plan.events:
        found = {
            (graph.entities[fact.tail].type, graph.entities[fact.tail].name)
            for fact in graph.incident(entities[event.event_id])
        }
        planned = {
            ("Date", event.date.isoformat()),
            ("Location", event.place),
            *(("PersonAnimal", names[one]) for one in event.attendees),
            *(("Object", one.name) for shot in event.shots for one in shot.things),
        }
        right += len(found & planned)
        wrong += len(found - planned)
        missing += len(planned - found)
    assert right > 20
    assert wrong + missing <= 0.05 * right
