"""The Parquet schema of every record is pinned: data sets that people made must stay readable, or say why not."""

import os
from pathlib import Path

import lifeloom.records
from lifeloom.records import Record
from lifeloom.records.parquet import arrow_schema, describe_schema

PINS = Path(__file__).with_name("schemas.txt")
UPDATE = "LIFELOOM_PIN_SCHEMAS"


def record_types() -> list[type[Record]]:
    exported = [getattr(lifeloom.records, name) for name in lifeloom.records.__all__]
    types = [item for item in exported if isinstance(item, type) and issubclass(item, Record) and item is not Record]
    return sorted(types, key=lambda item: item.KIND)


def test_every_record_still_has_the_pinned_schema():
    schemas = "\n".join(describe_schema(arrow_schema(record_type)) for record_type in record_types())
    if os.environ.get(UPDATE) == "1":
        PINS.write_text(schemas)
    assert schemas == PINS.read_text(), (
        "the schema of a record changed. Raise FORMAT_VERSION of that record by one, so that data sets made before say "
        f"what to do instead of being misread; then pin the new schemas: {UPDATE}=1 pytest {PINS.parent.name}/"
        f"{Path(__file__).name}, and look at the difference in {PINS.name}"
    )


def test_every_kind_belongs_to_one_record():
    kinds = [record_type.KIND for record_type in record_types()]

    assert len(kinds) == len(set(kinds))
    assert {"turn", "persona", "conversation_plan", "benchmark_case", "prediction", "score"} <= set(kinds)
