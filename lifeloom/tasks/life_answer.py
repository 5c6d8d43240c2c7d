"""Life answer: a question about a Vaccount, from what a retriever found (Life-Bench Eq. 1: y = F(x, C_x))."""

from __future__ import annotations

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TextOutput
from lifeloom.tasks.choice_answer import OptionText

__all__ = ["LIFE_ANSWER", "FactAttribute", "GraphFact", "KnownConcept", "LifeAnswerInput", "SeenImage"]


class KnownConcept(TaskInput):
    """A personal concept as the retriever shows it."""

    concept_id: str
    name: str
    role: str
    """``Account Owner``, ``Owner's Mother``."""
    persona: str = ""
    looks: str = ""
    """What somebody made of the portrait, in words; empty where nobody looked."""
    shown: bool = False
    """Whether the portrait itself comes with it."""


class SeenImage(TaskInput):
    """A picture of the history as the retriever shows it."""

    image_id: str
    event_id: str
    date: str
    """``YYYY-MM-DD``."""
    description: str
    """The event's."""
    caption: str = ""
    """What somebody made of the picture, in words; empty where nobody looked."""
    shown: bool = False
    """Whether the picture itself comes with it."""


class FactAttribute(TaskInput):
    """A further part of an n-ary fact."""

    key: str
    values: tuple[str, ...]


class GraphFact(TaskInput):
    """A fact of a life graph: an edge with its attributes."""

    head: str
    head_type: str
    relation: str
    tail: str
    tail_type: str
    attributes: tuple[FactAttribute, ...] = ()
    sources: tuple[str, ...] = ()
    """Pictures and concepts that it is cited from."""


class LifeAnswerInput(TaskInput):
    """The question and everything that was retrieved for it.

    Pictures go beside the prompt: the question's own first, then portraits in the order of ``concepts``, then those
    of ``images``; a ``<img>`` stands where each is spoken of.
    """

    owner: str
    """Name of the account's owner; empty: not known."""
    question: str
    options: tuple[OptionText, ...] = ()
    binary: bool = False
    """Whether the answer is yes or no."""
    picture_shown: bool = False
    """Whether the question comes with a picture."""
    concepts: tuple[KnownConcept, ...] = ()
    images: tuple[SeenImage, ...] = ()
    facts: tuple[GraphFact, ...] = ()
    notes: tuple[str, ...] = Field(default=())
    """What was counted or put in order, a sentence each."""


LIFE_ANSWER: GenerationTask[LifeAnswerInput, TextOutput] = GenerationTask(
    name="life_answer",
    version="1",
    input_type=LifeAnswerInput,
    output_type=TextOutput,
    instructions=(
        "You answer questions about one person's life: the people and animals that belong to it, and what "
        "happened when. "
        "Use only what is shown below. Answer a question with options by the letter of one option in round brackets, a "
        "question for yes or no by that word, any other in one short sentence that names everything that is "
        "asked for. If "
        "what is shown does not tell, say that you do not know."
    ),
    template="""\
{% if input.picture_shown %}
The picture that the question is about: <img>
{% endif %}
{% if input.owner %}
Account owner: {{ input.owner }}
{% endif %}
{% for concept in input.concepts %}
{% if loop.first %}
People and animals:
{% endif %}
- {{ concept.name }} [{{ concept.concept_id }}], {{ concept.role }}{% if concept.shown %} <img>{% endif %}\
{% if concept.persona %}. {{ concept.persona }}{% endif %}{% if concept.looks %} Looks: {{ concept.looks }}\
{% endif %}

{% endfor %}
{% for image in input.images %}
{% if loop.first %}
Pictures of the history:
{% endif %}
- {{ image.image_id }}, event {{ image.event_id }}, {{ image.date }}: {{ image.description }}\
{% if image.caption %} Picture: {{ image.caption }}{% endif %}{% if image.shown %} <img>{% endif %}

{% endfor %}
{% for fact in input.facts %}
{% if loop.first %}
Known facts:
{% endif %}
- {{ fact.head }} ({{ fact.head_type }}) - {{ fact.relation }}{% if fact.attributes %} <\
{% for one in fact.attributes %}{{ one.key }}: {{ one.values | join(", ") }}{% if not loop.last %}; {% endif %}\
{% endfor %}>{% endif %} - {{ fact.tail }} ({{ fact.tail_type }}){% if fact.sources %} [\
{{ fact.sources | join(", ") }}]{% endif %}

{% endfor %}
{% for note in input.notes %}
{% if loop.first %}
Worked out from all facts:
{% endif %}
- {{ note }}
{% endfor %}
Question: {{ input.question }}
{% for option in input.options %}
({{ option.letter }}) {{ option.text }}
{% endfor %}
{% if input.options %}
Answer with one letter in round brackets.
{% elif input.binary %}
Answer yes or no.
{% else %}
Answer in one short sentence.
{% endif %}
""",
    max_tokens=256,
)
