import datetime as dt
import enum
import io
from typing import ClassVar, Literal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from lifeloom.records import (
    AREAS,
    BigFiveProfile,
    CaptionSeed,
    ConversationPlan,
    LocalTime,
    Occasion,
    Part,
    PictureReference,
    PlannedFact,
    Record,
    SessionPlan,
    Shift,
    Statement,
    Turn,
    TurnPlan,
    UtcTime,
)
from lifeloom.records.parquet import (
    RecordConversionError,
    RecordFormatError,
    UnsupportedFieldError,
    arrow_schema,
    check_schema,
    describe_schema,
    iter_records,
    schema_digest,
    to_table,
)

int64s = st.integers(min_value=-(2**63), max_value=2**63 - 1)
counts = st.integers(min_value=0, max_value=2**63 - 1)
floats = st.floats(allow_nan=False)
texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)
words = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
ids = st.from_regex(r"[a-z0-9_-]{1,64}", fullmatch=True)
moments = st.datetimes(
    min_value=dt.datetime(1, 1, 3),  # noqa: DTZ001
    max_value=dt.datetime(9999, 12, 29),  # noqa: DTZ001
    timezones=st.sampled_from([dt.UTC, dt.timezone(dt.timedelta(hours=5, minutes=45))]),
)
local_times = st.datetimes()


class Leaf(Part):
    name: str
    weight: float | None


class Branch(Part):
    leaves: tuple[Leaf, ...]
    best: Leaf | None = None
    day: dt.date


class Everything(Record):
    """Every kind of field there can be."""

    KIND: ClassVar[str] = "everything"
    FORMAT_VERSION: ClassVar[int] = 3

    text: str
    number: int
    ratio: float
    flag: bool
    choice: Literal["a", "b"]
    at: UtcTime
    wall: LocalTime
    day: dt.date
    branch: Branch
    maybe_text: str | None
    maybe_number: int | None
    maybe_at: UtcTime | None
    maybe_wall: LocalTime | None
    maybe_branch: Branch | None
    maybe_many: tuple[int, ...] | None
    gaps: tuple[str | None, ...]
    leaf_gaps: tuple[Leaf | None, ...]
    grid: tuple[tuple[float, ...], ...]
    branches: tuple[Branch, ...]
    times: tuple[UtcTime, ...] = ()


def some(strategy):
    return st.none() | strategy


def several(strategy):
    return st.lists(strategy, max_size=3).map(tuple)


leaves = st.builds(Leaf, name=texts, weight=some(floats))
branches = st.builds(Branch, leaves=several(leaves), best=some(leaves), day=st.dates())
everything = st.builds(
    Everything,
    text=texts,
    number=int64s,
    ratio=floats,
    flag=st.booleans(),
    choice=st.sampled_from(["a", "b"]),
    at=moments,
    wall=local_times,
    day=st.dates(),
    branch=branches,
    maybe_text=some(texts),
    maybe_number=some(int64s),
    maybe_at=some(moments),
    maybe_wall=some(local_times),
    maybe_branch=some(branches),
    maybe_many=some(several(int64s)),
    gaps=several(some(texts)),
    leaf_gaps=several(some(leaves)),
    grid=several(several(floats)),
    branches=several(branches),
    times=several(moments),
)


def through_a_file(record_type, records):
    file = io.BytesIO()
    pq.write_table(to_table(record_type, records), file)
    return list(iter_records(record_type, pq.read_table(io.BytesIO(file.getvalue())), rows_at_once=2))


@settings(max_examples=120, deadline=None)
@given(st.lists(everything, max_size=5))
def test_records_of_every_kind_of_field_come_back_from_a_file_as_they_went_in(records):
    assert through_a_file(Everything, records) == records


turns = st.builds(
    Turn,
    turn_id=ids,
    persona_id=ids,
    session_id=ids,
    turn_index=counts,
    at=moments,
    offset_minutes=st.integers(-720, 840),
    user=words,
    assistant=words,
    pictures=several(
        st.builds(
            PictureReference,
            content_hash=st.from_regex(r"[0-9a-f]{64}", fullmatch=True),
            width=st.integers(1, 9999),
            height=st.integers(1, 9999),
        )
    ),
)
traits = st.floats(1, 5)
profiles = st.builds(
    BigFiveProfile,
    openness=traits,
    conscientiousness=traits,
    extraversion=traits,
    agreeableness=traits,
    neuroticism=traits,
)
plans = st.builds(
    ConversationPlan,
    plan_id=ids,
    persona_id=ids,
    offset_minutes=st.integers(-720, 840),
    facts=several(
        st.builds(
            PlannedFact,
            fact_id=ids,
            attribute=ids,
            replaces=some(ids),
            stated_in=several(st.integers(0, 500)),
            ended_in=some(st.integers(0, 500)),
        )
    ),
    shifts=several(st.builds(Shift, turn_index=st.integers(0, 500))),
    sessions=several(
        st.builds(
            SessionPlan,
            session_id=ids,
            session_index=st.integers(0, 50),
            first_turn=st.integers(0, 500),
            last_turn=st.integers(0, 500),
            topics=several(st.sampled_from(AREAS)),
            big_five=profiles,
        )
    ),
    turns=several(
        st.builds(
            TurnPlan,
            turn_index=st.integers(0, 500),
            session_index=st.integers(0, 50),
            at=moments,
            statements=several(st.builds(Statement, fact_id=ids, previous_fact_id=some(ids))),
            occasion=some(st.builds(Occasion, caption_id=ids, taken_at=some(local_times))),
        )
    ),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(turns, max_size=4))
def test_turns_come_back_from_a_file_as_they_went_in(records):
    assert through_a_file(Turn, records) == records


@settings(max_examples=25, deadline=None)
@given(st.lists(plans, max_size=3))
def test_conversation_plans_come_back_from_a_file_as_they_went_in(records):
    assert through_a_file(ConversationPlan, records) == records


def test_the_schema_follows_from_the_fields():
    assert describe_schema(arrow_schema(Everything)) == (
        "everything (format 3)\n"
        "  text: string\n"
        "  number: int64\n"
        "  ratio: double\n"
        "  flag: bool\n"
        "  choice: string\n"
        "  at: timestamp[us, tz=UTC]\n"
        "  wall: timestamp[us]\n"
        "  day: date32[day]\n"
        "  branch: struct<leaves: list<struct<name: string, weight: double or null>>, "
        "best: struct<name: string, weight: double or null> or null, day: date32[day]>\n"
        "  maybe_text: string or null\n"
        "  maybe_number: int64 or null\n"
        "  maybe_at: timestamp[us, tz=UTC] or null\n"
        "  maybe_wall: timestamp[us] or null\n"
        "  maybe_branch: struct<leaves: list<struct<name: string, weight: double or null>>, "
        "best: struct<name: string, weight: double or null> or null, day: date32[day]> or null\n"
        "  maybe_many: list<int64> or null\n"
        "  gaps: list<string or null>\n"
        "  leaf_gaps: list<struct<name: string, weight: double or null> or null>\n"
        "  grid: list<list<double>>\n"
        "  branches: list<struct<leaves: list<struct<name: string, weight: double or null>>, "
        "best: struct<name: string, weight: double or null> or null, day: date32[day]>>\n"
        "  times: list<timestamp[us, tz=UTC]>\n"
    )


def test_the_schema_carries_kind_and_format_version():
    assert arrow_schema(Everything).metadata == {b"lifeloom.kind": b"everything", b"lifeloom.format_version": b"3"}


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    "annotation",
    [bytes, dict[str, int], Colour, tuple[int, str], int | str, list[int], Literal[1, 2], dt.time],
    ids=str,
)
def test_a_field_without_a_column_is_refused_by_name(annotation):
    odd = type("Odd", (Record,), {"__annotations__": {"thing": annotation}, "__module__": __name__, "KIND": "odd"})

    with pytest.raises(UnsupportedFieldError, match=r"Odd\.thing"):
        arrow_schema(odd)


class Counted(Record):
    KIND: ClassVar[str] = "counted"
    FORMAT_VERSION: ClassVar[int] = 2
    number: int = Field(ge=0)


def table_of(version, fields=None, kind="counted"):
    fields = fields or [pa.field("number", pa.int64(), nullable=False)]
    schema = pa.schema(fields, metadata={"lifeloom.kind": kind, "lifeloom.format_version": version})
    return schema.empty_table()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (table_of("1"), "older than 2.*make the data set again"),
        (table_of("3"), "newer than 2.*update Lifeloom"),
        (table_of("two"), "no readable format version.*make the data set again"),
        (table_of("2", kind="turn"), "kind 'turn', not 'counted'"),
        (table_of("2").replace_schema_metadata(None), "no Lifeloom records"),
        (table_of("2", [pa.field("number", pa.float64(), nullable=False)]), "FORMAT_VERSION was not raised"),
        (table_of("2", [pa.field("number", pa.int64())]), "FORMAT_VERSION was not raised"),
    ],
    ids=["older", "newer", "no version", "other kind", "foreign", "other type", "other nullability"],
)
def test_data_of_another_schema_or_version_are_refused_and_the_message_says_what_to_do(table, message):
    with pytest.raises(RecordFormatError, match=message):
        check_schema(Counted, table.schema)
    with pytest.raises(RecordFormatError, match=message):
        list(iter_records(Counted, table))


def test_a_row_that_breaks_a_rule_of_the_record_is_refused():
    table = pa.table({"number": pa.array([1, -1], pa.int64())}, schema=arrow_schema(Counted))

    with pytest.raises(RecordConversionError, match="1 values of counted break its rules; first: number"):
        list(iter_records(Counted, table))


def test_an_integer_beyond_64_bits_is_refused_by_field():
    with pytest.raises(RecordConversionError, match=r"counted\.number"):
        to_table(Counted, [Counted(number=2**63)])


def test_a_local_time_with_a_zone_is_refused_instead_of_moved():
    seed = CaptionSeed(
        caption_id="c",
        account_id="a",
        title="",
        description="",
        caption="a cake",
        taken_at=dt.datetime(2012, 5, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2))),
        licence="CC BY",
        line=1,
        use="event",
    )

    with pytest.raises(RecordConversionError, match="must not have a zone"):
        to_table(CaptionSeed, [seed])


def test_the_schema_digest_changes_with_the_format_version():
    class Newer(Counted):
        FORMAT_VERSION: ClassVar[int] = 3

    assert len(schema_digest(Counted)) == 64
    assert schema_digest(Counted) != schema_digest(Newer)
