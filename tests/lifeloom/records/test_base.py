import datetime as dt

import pytest
from pydantic import TypeAdapter, ValidationError

from lifeloom.records import Identifier, Rejection, Turn, UtcTime, local_time, make_id

identifiers = TypeAdapter(Identifier)


@pytest.mark.parametrize("good", ["a", "p-001", "a_b-c", "0" * 64])
def test_an_identifier_of_the_allowed_form_passes(good):
    assert identifiers.validate_python(good) == good


@pytest.mark.parametrize(
    "bad", ["", "a/b", "../a", "a.b", "a\0b", "A", "a b", "a\n", "é", "0" * 65, "..", "a\\b"], ids=repr
)
def test_an_identifier_that_could_be_a_path_or_is_too_long_is_refused(bad):
    with pytest.raises(ValidationError):
        identifiers.validate_python(bad)


def test_a_record_refuses_unknown_fields_and_changes():
    rejection = Rejection(stage="s", item="i", reason="r")

    with pytest.raises(ValidationError):
        Rejection(stage="s", item="i", reason="r", more=1)
    with pytest.raises(ValidationError):
        rejection.stage = "other"


def test_a_moment_is_kept_as_utc_and_needs_a_zone():
    moments = TypeAdapter(UtcTime)
    in_delhi = dt.datetime(2025, 1, 1, 2, 0, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30)))

    stored = moments.validate_python(in_delhi)

    assert stored == dt.datetime(2024, 12, 31, 20, 30, tzinfo=dt.UTC)
    assert stored.utcoffset() == dt.timedelta(0)
    with pytest.raises(ValidationError):
        moments.validate_python(dt.datetime(2025, 1, 1))  # noqa: DTZ001


def test_local_time_puts_a_moment_on_the_users_wall_clock():
    at = dt.datetime(2024, 12, 31, 20, 30, tzinfo=dt.UTC)

    assert local_time(at, 330) == dt.datetime(2025, 1, 1, 2, 0)  # noqa: DTZ001
    assert local_time(at, -300) == dt.datetime(2024, 12, 31, 15, 30)  # noqa: DTZ001


def test_made_ids_are_identifiers_that_depend_on_every_part():
    made = {make_id("t", "ab", "c"), make_id("t", "a", "bc"), make_id("t", "abc"), make_id("s", "abc")}

    assert len(made) == 4
    assert all(identifiers.validate_python(one) == one for one in made)
    assert make_id("t", "ab", 1) == make_id("t", "ab", 1)


def test_a_turn_without_words_is_refused():
    with pytest.raises(ValidationError):
        Turn(
            turn_id="t",
            persona_id="p",
            session_id="s",
            turn_index=0,
            at=dt.datetime(2025, 1, 1, tzinfo=dt.UTC),
            offset_minutes=0,
            user="",
            assistant="Hello",
        )
