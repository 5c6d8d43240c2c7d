"""What every record is: a frozen pydantic model with a kind, a format version and a Parquet schema."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Annotated, ClassVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, StringConstraints

__all__ = ["Identifier", "LocalTime", "Part", "Record", "UtcTime", "local_time", "make_id"]

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,64}$")]
"""An id: ``[a-z0-9_-]{1,64}``. Never a path, so slashes, dots and NUL are refused everywhere."""


def _as_utc(value: dt.datetime) -> dt.datetime:
    return value.astimezone(dt.UTC)


UtcTime = Annotated[AwareDatetime, AfterValidator(_as_utc)]
"""A moment, stored as UTC. The user's own zone travels beside it as ``offset_minutes``."""

LocalTime = dt.datetime
"""A wall-clock time without a zone, as the published dumps give it."""


class Part(BaseModel):
    """A value inside a record. Frozen; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Record(Part):
    """One row of a data set. Subclasses set ``KIND`` and, when their fields change, ``FORMAT_VERSION``."""

    KIND: ClassVar[str]
    """Name of the record, part of the Parquet metadata and of the manifest."""
    FORMAT_VERSION: ClassVar[int] = 1
    """Raised by one whenever a field is added, removed or changes its meaning."""


def make_id(prefix: str, *parts: str | int) -> str:
    """Return a short stable id, ``prefix-<12 hex digits>``, from the parts that define the thing."""
    joined = "\x1f".join(str(part) for part in parts).encode("utf-8", "surrogatepass")
    return f"{prefix}-{hashlib.blake2b(joined, digest_size=6).hexdigest()}"


def local_time(at: dt.datetime, offset_minutes: int) -> dt.datetime:
    """Return ``at`` on the user's wall clock (naive), ``offset_minutes`` east of UTC."""
    return (at.astimezone(dt.UTC) + dt.timedelta(minutes=offset_minutes)).replace(tzinfo=None)
