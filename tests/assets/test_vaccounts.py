"""A Vaccount that cannot be made whole is left out whole."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from assets.vaccounts import _write_vaccount
from lifeloom.records import BY_CODE, VaccountSeed
from lifeloom.store import DatasetStore, DatasetWriter, Recipe
from lifeloom.synthesis.vaccounts.candidates import PictureShelf
from lifeloom.synthesis.vaccounts.drawing import LifeIllustrator
from lifeloom.synthesis.vaccounts.making import MadeVaccount
from lifeloom.tasks import CONCEPT_WRITING
from tests.lifewords import LIFE, Crayon, Writer, unreadable

SEED = VaccountSeed(
    seed_id="seed-1", name="Yara", age=40, career="a geologist", life_story="x", split="train", made_by=BY_CODE
)


def test_a_vaccount_of_which_a_concept_has_no_words_is_left_out_whole_with_the_reason(tmp_path: Path) -> None:
    writer = Writer({CONCEPT_WRITING.name: [unreadable(CONCEPT_WRITING.name)]})
    workbench = SimpleNamespace(model=lambda role, stage: writer)
    store, crayon = DatasetStore(str(tmp_path)), Crayon()
    shelf = PictureShelf(lambda picture: store.media.get(picture.content_hash))
    illustrator = LifeIllustrator(crayon, crayon.draw_many, None, shelf, candidates=1, votes=1)
    reasons: list[tuple[str, str]] = []

    def make(into: DatasetWriter) -> None:
        rows = _write_vaccount(into, cast("Any", workbench), MadeVaccount(SEED, LIFE), illustrator)
        reasons.extend((row.item, row.reason) for row in rows)
        into.write("rejections", type(rows[0]), rows)

    made = store.produce("release/vaccounts/2026-01-05", Recipe(stage="release/vaccounts", seed=1), make)
    assert [one.name for one in made.manifest.tables] == ["rejections"]
    assert reasons[-1] == ("yara", "concept_not_worded")
    assert {item for item, _ in reasons[:-1]} == {one.concept_id for one in LIFE.concepts}
