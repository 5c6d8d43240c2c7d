"""Life graphs of a release: a personal knowledge graph a Vaccount, built from its concepts and pictures (L5, L7)."""

import base64
import collections
from typing import Any

import dagster as dg

from assets.life_keys import HISTORY_IMAGES, LIFE_GRAPHS, VACCOUNTS
from assets.life_records import lives_of
from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    parents,
    publish,
    rows_preview,
    told_plainly,
)
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.records import Life, LifeGraphFileRow, Rejection, RejectionCount
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.tasks import GRAPH_CANDIDATES, GRAPH_TRIPLES
from resources.lives import LifeGraphLibrary, graph_file
from resources.workbench import Workbench

__all__ = ["life_graphs_asset"]

_CHECKS = {
    "graphs_sound": "Every graph has an owner, known entity types, dates on its events, and facts that cite sources.",
    "sources_there": "Every source that a graph cites is a concept or picture of its own life.",
}
_PICTURE_BYTES = 28_000
"""Of a picture as text; larger ones are left to `lifeloom life graph`."""


def life_graphs_asset(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    """Return the life graphs, by release date."""

    @dg.asset(
        key=LIFE_GRAPHS.split("/"),
        deps=[dg.AssetKey(VACCOUNTS.split("/")), dg.AssetKey(HISTORY_IMAGES.split("/"))],
        partitions_def=dates,
        group_name="release",
        kinds={"parquet", "sqlite"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(LIFE_GRAPHS.split("/"), _CHECKS),
        description=(
            "A life graph a Vaccount, built by the reader from descriptions and pictures: social scaffold first, then "
            "events in bins, two turns each; one SQLite file a life."
        ),
    )
    @told_plainly
    def life_graphs(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Build the graphs; one that was begun is gone on with."""
        from lifeloom.lifegraph.building import BuiltGraph, GraphSettings, build_graph
        from lifeloom.lifegraph.file import LifeGraphFileBroken, LifeGraphFileOther

        partition, store, settings = context.partition_key, workbench.store, workbench.profile.life
        key, model = f"{LIFE_GRAPHS}/{partition}", workbench.model("reader", LIFE_GRAPHS)
        sizes = GraphSettings(bin_tokens=settings.bin_tokens, bin_pictures=settings.bin_pictures)
        lives = lives_of(workbench.store, partition)
        recipe = Recipe(
            stage=LIFE_GRAPHS,
            seed=workbench.profile.seed,
            parameters={"partition": partition, "bins": repr(sizes)},
            models=(model_name(model),),
            prompt_versions=(GRAPH_CANDIDATES.prompt_version, GRAPH_TRIPLES.prompt_version),
            parents=parents(store, f"{VACCOUNTS}/{partition}", f"{HISTORY_IMAGES}/{partition}"),
        )

        def make(writer: DatasetWriter) -> None:
            folder = workbench.home.cache / "life_graphs" / f"{recipe.digest()[:16]}.building"
            folder.mkdir(parents=True, exist_ok=True)

            def build(life: Life) -> tuple[LifeGraphFileRow, BuiltGraph]:
                path = folder / f"{life.vaccount_id}.sqlite"
                try:
                    built = build_graph(path, life, model, sizes)
                except (LifeGraphFileBroken, LifeGraphFileOther):
                    path.unlink()  # begun by other code, or lost its end with the disk: nothing to go on with
                    built = build_graph(path, life, model, sizes)
                row = LifeGraphFileRow(
                    life_id=life.vaccount_id,
                    content_hash=writer.put_media(path.read_bytes()),
                    entities=len(built.graph.entities),
                    facts=len(built.graph.facts),
                    rejected=built.rejected,
                    prompt_tokens=built.prompt_tokens,
                    completion_tokens=built.completion_tokens,
                    made_by=model.identity.provenance(GRAPH_TRIPLES),
                )
                return row, built

            writer.write("graphs", LifeGraphFileRow, ())  # there also where no Vaccount is
            writer.write("rejections", Rejection, ())
            workers = workbench.callers("reader", LIFE_GRAPHS)
            counts: collections.Counter[tuple[str, str]] = collections.Counter()
            failures: list[str] = []
            for number, (row, built) in enumerate(ordered_map(build, lives.values(), workers=workers), start=1):
                writer.write("graphs", LifeGraphFileRow, [row])
                writer.write(
                    "rejections", Rejection, [one.model_copy(update={"stage": LIFE_GRAPHS}) for one in built.rejections]
                )
                failures += [one.failure for one in built.bins]
                counts.update({(one.stage, one.reason): one.count for one in built.rejection_counts})
                workbench.watch(key, number, len(lives))
            writer.write(
                "rejection_counts",
                RejectionCount,
                [
                    RejectionCount(stage=stage, reason=reason, count=count)
                    for (stage, reason), count in sorted(counts.items())
                ],
            )
            for path in folder.glob("*"):
                path.unlink()
            folder.rmdir()
            require_answers("the builder of graphs", failures)  # after that: what failed is not gone on with

        def sound(reader: DatasetReader) -> list[str]:
            return [problem for _, graph in _graphs(reader, workbench) for problem in _graph_problems(graph)]

        def sourced(reader: DatasetReader) -> list[str]:
            problems = []
            for life_id, graph in _graphs(reader, workbench):
                life = lives[life_id]
                known = {one.concept_id for one in life.concepts} | {one.image_id for one in life.images}
                cited = {source for fact in graph.facts.values() for source in fact.sources}
                problems += [f"{life_id} cites {source}, which is none of its own" for source in sorted(cited - known)]
            return problems

        def describe(reader: DatasetReader) -> dict[str, Any]:
            rows = list(reader.read("graphs", LifeGraphFileRow))
            library = LifeGraphLibrary(store, key, workbench.home.cache)
            left_out: collections.Counter[str] = collections.Counter()
            for one in reader.read("rejection_counts", RejectionCount):
                left_out[one.reason] += one.count
            return {
                "entities": sum(row.entities for row in rows),
                "facts": sum(row.facts for row in rows),
                "candidates and triples rejected": sum(row.rejected for row in rows),
                LEFT_OUT: counted_text(left_out) or "nothing",
                "graphs": rows_preview([row.model_dump(include={"life_id", "entities", "facts"}) for row in rows]),
                **_shown(library),
            }

        checks = {"graphs_sound": sound, "sources_there": sourced}
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="graphs")

    return life_graphs


def _graphs(reader: DatasetReader, workbench: Workbench) -> list[tuple[str, Any]]:
    """Return the graphs of a data set that is being made, by life."""
    from lifeloom.lifegraph.file import LifeGraphFile

    found = []
    for row in reader.read("graphs", LifeGraphFileRow):
        path = graph_file(reader.media, row.content_hash, workbench.home.cache / "life_graphs")
        with LifeGraphFile.open(path) as file:
            found.append((row.life_id, file.graph()))
    return found


def _graph_problems(graph: Any) -> list[str]:
    problems = [] if graph.owner_id in graph.entities else [f"{graph.life_id} has no owner"]
    dated = {
        event
        for fact in graph.facts.values()
        for event, day in ((fact.head, fact.tail), (fact.tail, fact.head))  # a builder may say it either way round
        if graph.entities[day].type == "Date"
    }
    problems += [
        f"{graph.life_id}: the event {one.name!r} has no date"
        for one in graph.of_type("Event")
        if one.entity_id not in dated
    ]
    problems += [
        f"{graph.life_id}: fact {one.fact_id} cites nothing" for one in graph.facts.values() if not one.sources
    ]
    return problems


def _shown(library: LifeGraphLibrary) -> dict[str, Any]:
    """Return the structure of the graphs, and a picture of one and of the degrees, small enough for Dagster."""
    from lifeloom.lifegraph.drawing import graph_picture
    from lifeloom.lifegraph.structure import fit_degrees, structure_figure, structure_of

    graphs = [library.of(life_id) for life_id in library.life_ids]
    if not graphs:
        return {}
    structures = [structure_of(graph) for graph in graphs]
    pooled = fit_degrees([degree for one in structures for degree in one.degrees])
    lines = ["| life | nodes | facts | parts | diameter | degrees |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {one.life_id} | {one.nodes} | {one.facts} | {one.parts} | {one.diameter} | {one.verdict} |"
        for one in structures
    ]
    shown: dict[str, Any] = {"structure": dg.MetadataValue.md("\n".join(lines))}
    small = graph_picture(graphs[0], side=4, dpi=72, most_nodes=150, labels=6)
    for name, picture in (("graph", small), ("degrees", structure_figure(structures, pooled))):
        data = base64.b64encode(picture).decode()
        if len(data) <= _PICTURE_BYTES:
            shown[name] = dg.MetadataValue.md(f"![{name}](data:image/png;base64,{data})")
    return shown
