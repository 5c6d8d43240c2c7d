"""What a data set is made from: the same recipe and code make the same bytes."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat

__all__ = ["Parameter", "Recipe", "canonical_json"]

Scalar = bool | int | FiniteFloat | str | None
Parameter = Scalar | tuple[Scalar | tuple[Scalar, ...], ...]
"""A parameter's value: a scalar of JSON, a list of them, or a list of such lists."""

ContentHash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _sorted(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(set(values)))


def canonical_json(value: Any) -> str:
    """Return ``value`` as JSON that is the same for equal values: keys sorted, no infinities."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


class Recipe(BaseModel):
    """How a data set was asked for. Give it everything that can change the result.

    Code and library versions are not part of it: the manifest keeps the code revision beside it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: str
    """The step that makes it, for example ``corpus/dialogues``."""
    seed: int
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    models: Annotated[tuple[str, ...], AfterValidator(_sorted)] = ()
    """Models asked, with their versions; kept sorted."""
    prompt_versions: Annotated[tuple[str, ...], AfterValidator(_sorted)] = ()
    """``name@version+digest`` of the tasks asked; kept sorted."""
    parents: dict[str, ContentHash] = Field(default_factory=dict)
    """Key of each data set that is read, with its content hash."""

    def digest(self) -> str:
        """Return the SHA-256 (64 hexadecimal digits) of the recipe."""
        return hashlib.sha256(canonical_json(self.model_dump(mode="json")).encode()).hexdigest()
