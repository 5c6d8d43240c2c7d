"""Graph search: the questions that LifeGraph retrieval puts to a model (Life-Bench Algorithm 2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput
from lifeloom.tasks.life_answer import GraphFact, SeenImage

__all__ = [
    "GRAPH_PLAN",
    "GRAPH_PRUNE",
    "GRAPH_REFERENCES",
    "GRAPH_SUFFICIENCY",
    "GRAPH_TOP_ENTITIES",
    "MOST_SCORES",
    "EntityLine",
    "GraphPlanInput",
    "GraphPlanOutput",
    "GraphPruneInput",
    "GraphPruneOutput",
    "GraphReferencesInput",
    "GraphReferencesOutput",
    "GraphSufficiencyInput",
    "GraphSufficiencyOutput",
    "GraphTopEntitiesInput",
    "GraphTopEntitiesOutput",
    "ReferenceLine",
]

MOST_SCORES = 256
"""Numbers or scores in one answer."""
_Phrase = Annotated[str, StringConstraints(max_length=200)]
_Names = Annotated[tuple[_Phrase, ...], Field(max_length=16)]
_Day = Annotated[str, StringConstraints(max_length=10)]


class EntityLine(TaskInput):
    """An entity of the graph."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()


class GraphTopEntitiesInput(TaskInput):
    """TopEntities(x, G, k): where to start."""

    owner: str
    question: str
    options: tuple[str, ...] = ()
    recognised: tuple[str, ...] = ()
    """Names of the concepts that are recognised in the question's picture."""
    entities: tuple[EntityLine, ...]
    """Entities to choose from: the nearest to the question by name."""
    k: int = Field(ge=1)


class GraphTopEntitiesOutput(TaskOutput):
    """Numbers of entities, from 1, best first."""

    entities: tuple[int, ...] = Field(max_length=MOST_SCORES)


class GraphPruneInput(TaskInput):
    """Prune(F, x, paths, k, candidates)."""

    owner: str
    question: str
    options: tuple[str, ...] = ()
    recognised: tuple[str, ...] = ()
    paths: tuple[GraphFact, ...]
    """Facts on the paths so far, in the order in which they were found."""
    candidates: tuple[GraphFact, ...] = Field(min_length=1)
    k: int = Field(ge=1)


class GraphPruneOutput(TaskOutput):
    """One score for each candidate, in order; they sum to 1 (Think-on-Graph)."""

    scores: tuple[float, ...] = Field(max_length=MOST_SCORES)


class ReferenceLine(TaskInput):
    """A source that the paths cite."""

    source_id: str
    kind: Literal["concept", "image"]
    about: str
    """Role and name, or the event's date and description."""


class GraphReferencesInput(TaskInput):
    """fetch_reference(F, x, paths): are originals needed, and which?"""

    owner: str
    question: str
    options: tuple[str, ...] = ()
    paths: tuple[GraphFact, ...]
    references: tuple[ReferenceLine, ...]
    k: int = Field(ge=1)
    """How many may be fetched."""


class GraphReferencesOutput(TaskOutput):
    """Numbers of references, from 1, best first; none where the facts are enough."""

    references: tuple[int, ...] = Field(max_length=MOST_SCORES)


class GraphSufficiencyInput(TaskInput):
    """Reasoning(F, x, paths, references): is it enough to answer?"""

    owner: str
    question: str
    options: tuple[str, ...] = ()
    picture_shown: bool = False
    """Whether the question has a picture of its own, which whoever answers will see."""
    paths: tuple[GraphFact, ...]
    images: tuple[SeenImage, ...] = ()
    """Pictures that were fetched, in words; the pictures themselves are for the answer."""
    concepts: tuple[str, ...] = ()
    """Names of the concepts whose portraits were fetched."""


class GraphSufficiencyOutput(TaskOutput):
    """Whether the question can be answered."""

    sufficient: Literal["yes", "no"]


class GraphPlanInput(TaskInput):
    """A question that may ask to count or to step through time, for filters over events (beyond the paper)."""

    owner: str
    question: str
    people: tuple[EntityLine, ...]
    """Everybody in the graph."""


class GraphPlanOutput(TaskOutput):
    """Which events are meant, and what to do with them."""

    operation: Literal["none", "count", "before", "after", "first", "last", "most", "list"]
    """count: distinct events or days. before, after: the event next to the anchor. most: what is most frequent."""
    who: _Names = ()
    """Everybody who must be there, by name."""
    what: _Phrase = ""
    """Activity, thing or occasion, in the question's words."""
    where: _Phrase = ""
    when_from: _Day = ""
    """``YYYY-MM-DD``; empty: open."""
    when_to: _Day = ""
    anchor_who: _Names = ()
    anchor_what: _Phrase = ""
    """before, after: the event from which to step."""
    anchor_where: _Phrase = ""
    anchor_from: _Day = ""
    """before, after: what is known of the anchor's day, ``YYYY-MM-DD``; empty: open."""
    anchor_to: _Day = ""
    of: Literal["events", "days", "activity", "place", "person", "thing"] = "events"
    """What is counted, or what the most frequent of which is wanted."""


_FACT = """\
{{ f.head }} ({{ f.head_type }}) -{{ f.relation }}-> {{ f.tail }} ({{ f.tail_type }})
{%- if f.attributes %} {% raw %}{{% endraw %}{% for a in f.attributes %}{{ a.key }}: {{ a.values | join(", ") }}
{%- if not loop.last %}; {% endif %}{% endfor %}{% raw %}}{% endraw %}{% endif %}
{%- if f.sources %} [from {{ f.sources | join(", ") }}]{% endif %}

"""
_ASKED = """\
Account owner: {{ input.owner or "not known" }}
Question: {{ input.question }}
{% for option in input.options %}
Option: {{ option }}
{% endfor %}
"""
_RECOGNISED = """\
{% if input.recognised %}
Recognised in the question's picture: {{ input.recognised | join(", ") }}
{% endif %}
"""
_PATHS = f"""\
Facts on the paths so far:
{{% for f in input.paths %}}
- {_FACT}\
{{% else %}}
- none yet
{{% endfor %}}
"""
_GRAPH = (
    "You search a personal knowledge graph of one life for what answers a question. Nodes are people and animals, "
    "events, dates, places, activities and objects; facts may be followed in both directions. "
)

GRAPH_TOP_ENTITIES: GenerationTask[GraphTopEntitiesInput, GraphTopEntitiesOutput] = GenerationTask(
    name="graph_top_entities",
    version="1",
    input_type=GraphTopEntitiesInput,
    output_type=GraphTopEntitiesOutput,
    instructions=_GRAPH
    + "Choose the entities from which to start. Work out who a relation means (Rylen's grandfather, my aunt), "
    "and prefer a date that the question names.",
    template=_ASKED
    + _RECOGNISED
    + """\
Entities:
{% for e in input.entities %}
{{ loop.index }}. {{ e.name }} ({{ e.type }}){% if e.aliases %}, also {{ e.aliases | join(", ") }}{% endif %}

{% endfor %}
Answer as {"entities": [...]} with at most {{ input.k }} numbers, best first.
""",
    max_tokens=256,
)
GRAPH_PRUNE: GenerationTask[GraphPruneInput, GraphPruneOutput] = GenerationTask(
    name="graph_prune",
    version="1",
    input_type=GraphPruneInput,
    output_type=GraphPruneOutput,
    instructions=_GRAPH + "Score how much each candidate fact helps to answer the question or leads on to what does. "
    "The scores are numbers from 0 to 1 that sum to 1.",
    template=_ASKED
    + _RECOGNISED
    + _PATHS
    + """\
Candidates:
{% for f in input.candidates %}
{{ loop.index }}. """
    + _FACT
    + """\
{% endfor %}
The best {{ input.k }} are kept. Answer as {"scores": [...]} with {{ input.candidates | length }} numbers, in order.
""",
    temperature=0.4,
    max_tokens=2048,
)
GRAPH_REFERENCES: GenerationTask[GraphReferencesInput, GraphReferencesOutput] = GenerationTask(
    name="graph_references",
    version="1",
    input_type=GraphReferencesInput,
    output_type=GraphReferencesOutput,
    instructions=_GRAPH
    + "Facts cite their sources: portraits of people and animals, and pictures of events. Say which originals are "
    "needed to answer, for example to see who or what is in a picture, or what somebody looks like.",
    template=_ASKED
    + _PATHS
    + """\
Sources:
{% for r in input.references %}
{{ loop.index }}. {{ r.source_id }} ({{ r.kind }}): {{ r.about }}
{% endfor %}
Answer as {"references": [...]} with at most {{ input.k }} numbers, best first; none when no original is needed.
""",
    max_tokens=256,
)
GRAPH_SUFFICIENCY: GenerationTask[GraphSufficiencyInput, GraphSufficiencyOutput] = GenerationTask(
    name="graph_sufficiency",
    version="1",
    input_type=GraphSufficiencyInput,
    output_type=GraphSufficiencyOutput,
    instructions=_GRAPH + "Say whether what was found is enough to answer the question.",
    template=_ASKED
    + """\
{% if input.picture_shown %}
The question comes with a picture, which will be seen when it is answered.
{% endif %}
"""
    + _PATHS
    + """\
{% for image in input.images %}
Picture {{ image.image_id }} of event {{ image.event_id }}, {{ image.date }}: {{ image.description }}
{%- if image.caption %} ({{ image.caption }}){% endif %}{{ " Will be seen." if image.shown }}
{% endfor %}
{% if input.concepts %}
Portraits fetched: {{ input.concepts | join(", ") }}
{% endif %}
Answer as {"sufficient": "yes"} or {"sufficient": "no"}.
""",
    max_tokens=64,
)
GRAPH_PLAN: GenerationTask[GraphPlanInput, GraphPlanOutput] = GenerationTask(
    name="graph_plan",
    version="1",
    input_type=GraphPlanInput,
    output_type=GraphPlanOutput,
    instructions=(
        "You turn a question about one life into filters over its events. Events have people, an activity, things, a "
        "place and a date. Use operation none unless the question counts events or days over the history, asks for a "
        "first, last or most frequent one, lists dates, or steps from one event (the anchor) to the one before or "
        "after it. A question about the photos of one given day is none."
    ),
    template="""\
Account owner: {{ input.owner or "not known" }}
Question: {{ input.question }}
People and animals:
{% for e in input.people %}
- {{ e.name }} ({{ e.type }}){% if e.aliases %}, also {{ e.aliases | join(", ") }}{% endif %}

{% endfor %}
Answer with operation (none, count, before, after, first, last, most or list); who must be there (names from the list \
above); what (activity, thing or occasion) and where in the question's words; when_from and when_to (YYYY-MM-DD); for \
before and after the same of the anchor (anchor_who, anchor_what, anchor_where, anchor_from, anchor_to); and of: what \
is counted or ranked (events, days, activity, place, person or thing). Leave empty what the question does not say.
""",
    max_tokens=512,
)
