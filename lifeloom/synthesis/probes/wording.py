"""How a case is worded: the question's stem, and one carrier for all four options.

All options of a case are put by the same carrier, so neither length nor wording tells them apart.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from lifeloom.records import Aspect, TaskName
from lifeloom.synthesis.catalogue import RELATION_QUESTIONS, Stem, attribute
from lifeloom.synthesis.probes.truth import Probe

__all__ = ["ASPECTS", "draw_carrier", "option_text", "query_text", "stems_for"]

ASPECTS: dict[TaskName, Aspect] = {
    "SIR": "Memory",
    "EII": "Intent",
    "LPR": "Preference",
    "IEA": "Preference",
    "LGT": "Behavior",
    "RR": "Relationship",
    "GNS": "Growth",
    "PA": "Alignment",
}
"""PersonaVLM Table 5: the aspect that a task belongs to."""

_CARRIERS: dict[TaskName, tuple[str, ...]] = {
    "SIR": ("{0}", "It is {0}", "You told me it is {0}", "That would be {0}", "From what you said, {0}"),
    "EII": ("To {0}", "You said you would {0}", "You were going to {0}", "Your plan was to {0}", "You meant to {0}"),
    "LPR": ("{0}", "You go for {0} now", "By now it is {0}", "Your pick is {0}", "Lately, {0}"),
    "LGT": ("To {0}", "You want to {0}", "Your aim is to {0}", "You hope to {0}", "You have set out to {0}"),
    "RR": ("{0}", "Your {0}", "That is your {0}", "This person is your {0}", "I know them as your {0}"),
    "IEA": (
        "First {0}, then {1}, and now {2}",
        "{0} to begin with, {1} after that, {2} these days",
        "It went from {0} to {1} to {2}",
        "You started with {0}, moved on to {1} and arrived at {2}",
        "{0}, later {1}, most recently {2}",
    ),
}


def stems_for(probe: Probe) -> tuple[Stem, ...]:
    """Return the stems that can ask ``probe``, release-only ones included.

    Raises:
        UnknownAttributeError: the plan speaks of an attribute that the catalogue lacks.
    """
    if probe.task == "RR":
        return RELATION_QUESTIONS
    item = attribute(probe.attribute)
    return item.scenarios if probe.task == "GNS" else item.questions


def query_text(probe: Probe, stem: Stem) -> str:
    """Return the question; RR names the person."""
    return stem.text.replace("{name}", probe.phrase)


def draw_carrier(rng: random.Random, task: TaskName, stem: Stem) -> str:
    """Draw how the options are put: the scenario's own suggestion for GNS, else one of the task's."""
    return stem.carrier if task == "GNS" else rng.choice(_CARRIERS[task])


def option_text(carrier: str, values: Sequence[str]) -> str:
    """Put one option's values into ``carrier``."""
    text = carrier.replace("{value}", "{0}")
    for number, value in enumerate(values):
        text = text.replace(f"{{{number}}}", value)
    return text
