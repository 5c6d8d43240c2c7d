"""Names of the retrieval methods on Life-Bench, and what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["LIFE_POLICIES", "LifePolicyWanted", "NoSuchPolicy", "life_policy_name", "parse_life_policy"]

LIFE_POLICIES: tuple[str, ...] = (
    *(f"{name}-k{k}" for k in (3, 5) for name in ("rap", "r2p", "rag-cap")),
    *(f"lifegraph-d{d}-k{k}" for k in (3, 5) for d in (2, 3)),
    "lifegraph-d3-k5-norefs",
    "lifegraph-d3-k5-tools",
)
"""Those of the paper's Tables 3 and 4, without source references (Fig. 5), and with counting and ordering."""

_NAME = re.compile(
    r"(?:(?P<baseline>rap|r2p|rag-cap)|lifegraph-d(?P<depth>[1-9]))-k(?P<width>[1-9]|[1-4][0-9]|50)"
    r"(?P<norefs>(?(depth)(?:-norefs)?))(?P<tools>(?(depth)(?:-tools)?))"
)


class NoSuchPolicy(ValueError):
    """There is no retrieval method of that name; the message says which there are."""


@dataclass(frozen=True)
class LifePolicyWanted:
    """What a name says."""

    kind: Literal["rap", "r2p", "rag-cap", "lifegraph"]
    width: int
    """k: of concepts and pictures, or of the graph search."""
    depth: int = 0
    """d: of the graph search."""
    references: bool = True
    tools: bool = False


def parse_life_policy(name: str) -> LifePolicyWanted:
    """Return what the name of a retrieval method says.

    Raises:
        NoSuchPolicy: it is not the name of one.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise NoSuchPolicy(
            f"{name!r} is no policy: there are rap-k3, r2p-k3, rag-cap-k3 (k 1 to 50) and lifegraph-d2-k3 (d 1 to 9, "
            "k 1 to 50), the last also with -norefs, -tools"
        )
    width = int(match["width"])
    for kind in ("rap", "r2p", "rag-cap"):
        if match["baseline"] == kind:
            return LifePolicyWanted(kind, width)
    return LifePolicyWanted(
        "lifegraph", width, int(match["depth"]), references=not match["norefs"], tools=bool(match["tools"])
    )


def life_policy_name(name: str) -> str:
    """Return ``name`` where it is a retrieval method's.

    Raises:
        NoSuchPolicy: it is not.
    """
    parse_life_policy(name)
    return name
