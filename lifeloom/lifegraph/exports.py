"""Life graphs for other programs: GraphML, which can be read back exactly."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.types import ENTITY_TYPES, Attribute, Entity, EntityType, Fact

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["GraphImportFailed", "read_graphml", "write_graphml"]


class GraphImportFailed(ValueError):
    """A file is no life graph that was exported here: export it again."""


def write_graphml(graph: LifeGraph, path: str | os.PathLike[str]) -> None:
    """Write ``graph`` as GraphML.

    GraphML has no lists: names and lists are JSON texts (ASCII, so that XML takes them whatever they hold); ``label``
    is for people who look at it in a viewer.

    Raises:
        OSError: the file cannot be written.
    """
    import networkx as nx

    nx.write_graphml(_flat(graph), Path(path))


def read_graphml(path: str | os.PathLike[str]) -> LifeGraph:
    """Read what ``write_graphml`` wrote.

    Raises:
        GraphImportFailed: it is something else, or damaged.
        OSError: it cannot be read.
    """
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        return _rich(nx.read_graphml(Path(path), force_multigraph=True))
    except (nx.NetworkXError, ParseError, LookupError, ValueError, TypeError, RecursionError) as error:
        raise GraphImportFailed(f"{path} is no life graph in GraphML ({error}): export it again") from error


def _flat(graph: LifeGraph) -> nx.MultiDiGraph[str]:
    """Return ``graph`` with nothing but numbers and texts, each thing with its place in the order."""
    import networkx as nx

    flat: nx.MultiDiGraph[str] = nx.MultiDiGraph(life=json.dumps(graph.life_id), owner=json.dumps(graph.owner_id))
    for place, entity in enumerate(graph.entities.values()):
        flat.add_node(
            entity.entity_id,
            label=_label(entity.name),
            type=entity.type,
            name=json.dumps(entity.name),
            aliases=json.dumps(entity.aliases),
            sources=json.dumps(entity.sources),
            place=place,
            **_known(entity),
        )
    for place, fact in enumerate(graph.facts.values()):
        flat.add_edge(
            fact.head,
            fact.tail,
            key=fact.fact_id,
            fact=fact.fact_id,
            label=_label(fact.relation),
            relation=json.dumps(fact.relation),
            attributes=json.dumps([(one.key, one.values) for one in fact.attributes]),
            sources=json.dumps(fact.sources),
            place=place,
            **_known(fact),
        )
    return flat


def _rich(flat: nx.MultiDiGraph[str]) -> LifeGraph:
    entities = [
        Entity(
            str(entity_id),
            _type(data["type"]),
            _string(json.loads(data["name"])),
            _strings(json.loads(data["aliases"])),
            _strings(json.loads(data["sources"])),
            _moment(data["known_at"]),
            int(data["known_turns"]),
        )
        for entity_id, data in sorted(flat.nodes(data=True), key=lambda one: one[1]["place"])
    ]
    facts = [
        Fact(
            data["fact"],
            str(head),
            _string(json.loads(data["relation"])),
            str(tail),
            tuple(Attribute(_string(key), _strings(values)) for key, values in json.loads(data["attributes"])),
            _strings(json.loads(data["sources"])),
            _moment(data["known_at"]),
            int(data["known_turns"]),
        )
        for head, tail, data in sorted(flat.edges(data=True), key=lambda one: one[2]["place"])
    ]
    about: Mapping[str, Any] = flat.graph
    return LifeGraph.of(json.loads(about["life"]), json.loads(about["owner"]), entities, facts)


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text is {value!r:.40}")
    return value


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError(f"a list of texts is {value!r:.40}")
    return tuple(_string(one) for one in value)


def _label(text: str) -> str:
    """Return a text that XML takes."""
    return "".join(char if char.isprintable() else "�" for char in text)


def _known(one: Entity | Fact) -> dict[str, str | int]:
    return {"known_at": "" if one.known_at is None else one.known_at.isoformat(), "known_turns": one.known_turns}


def _moment(text: str) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def _type(text: str) -> EntityType:
    if text not in ENTITY_TYPES:
        raise ValueError(f"unknown type {text!r}")
    return text
