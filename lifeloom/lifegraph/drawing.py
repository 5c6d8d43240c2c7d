"""A picture of a life graph (Life-Bench Fig. 8): nodes coloured by type, the hubs with their names."""

from __future__ import annotations

import io
from typing import Final

from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.schema import short_name
from lifeloom.lifegraph.types import ENTITY_TYPES, EntityType

__all__ = ["graph_picture"]

_COLOURS: Final[dict[EntityType, str]] = {
    "PersonAnimal": "#D55E00",
    "Event": "#0072B2",
    "Date": "#999999",
    "Location": "#009E73",
    "Activity": "#CC79A7",
    "Object": "#E69F00",
}
"""Of the palette of Okabe and Ito, which colour-blind people can tell apart."""
_LAYOUT_SEED: Final = 8


def graph_picture(
    graph: LifeGraph, *, side: float = 9.0, dpi: int = 110, most_nodes: int = 400, labels: int = 18
) -> bytes:
    """Return a picture of ``graph`` as PNG; the same graph gives the same picture.

    Args:
        graph: the graph.
        side: width and height in inches.
        dpi: dots per inch; ``side=4, dpi=72, most_nodes=150, labels=6`` is small enough for a table cell.
        most_nodes: nodes at most, those with the most neighbours; the caption says how many are left out.
        labels: how many of them have their names beside them.
    """
    import networkx as nx
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    whole: nx.Graph[str] = nx.Graph()
    whole.add_nodes_from(graph.entities)
    whole.add_edges_from((fact.head, fact.tail) for fact in graph.facts.values())
    ranked = sorted(whole.nodes, key=lambda one: (-whole.degree[one], one))
    kept = ranked[:most_nodes]
    shown = whole.subgraph(kept)
    figure = Figure(figsize=(side, side), dpi=dpi, layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    if kept:
        # subgraph() iterates in the order of a set: a copy in a fixed order makes the layout the same each time
        ordered: nx.Graph[str] = nx.Graph()
        ordered.add_nodes_from(kept)
        ordered.add_edges_from(sorted(tuple(sorted(edge)) for edge in shown.edges))
        places = nx.spring_layout(ordered, seed=_LAYOUT_SEED, iterations=60, k=1.6 / max(1.0, len(kept) ** 0.5))
        nx.draw_networkx_edges(ordered, places, ax=axes, width=0.4, alpha=0.35)
        for kind in ENTITY_TYPES:
            own = [one for one in kept if graph.entities[one].type == kind]
            if own:
                sizes = [12.0 + 6.0 * whole.degree[one] ** 0.8 for one in own]
                nx.draw_networkx_nodes(
                    ordered, places, nodelist=own, node_size=sizes, node_color=_COLOURS[kind], label=kind, ax=axes
                )
        names = {one: _name(graph, one) for one in kept[:labels]}
        nx.draw_networkx_labels(ordered, places, labels=names, font_size=max(5, side * 0.8), ax=axes)
        axes.legend(loc="lower right", fontsize=max(5, side * 0.8), frameon=False)
    title = f"{graph.life_id}: {len(graph.entities):,} entities, {len(graph.facts):,} facts"
    if len(kept) < len(ranked):
        title += f" (the {len(kept):,} with the most neighbours)"
    axes.set_title(title, fontsize=max(6, side), parse_math=False)
    out = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _name(graph: LifeGraph, entity_id: str) -> str:
    # matplotlib reads what stands between two dollar signs as a formula
    name = "".join(char if char.isprintable() else " " for char in graph.entities[entity_id].name)
    return short_name(name, 28).replace("$", r"\$")
