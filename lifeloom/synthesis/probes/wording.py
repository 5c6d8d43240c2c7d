"""How a case is worded: the question's stem, and one carrier for all four options.

All options of a case are put by the same carrier, so neither length nor wording tells them apart.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from lifeloom.records import Aspect, TaskName
from lifeloom.synthesis.catalogue import RELATION_QUESTIONS, Stem, attribute
from lifeloom.synthesis.probes.truth import Probe

__all__ = ["ASPECTS", "LEAD_INS", "draw_carrier", "option_text", "query_text", "stems_for"]

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


LEAD_INS: tuple[str, ...] = (
    "",
    "Quick question for you.",
    "Before I forget to ask.",
    "One more thing today.",
    "I need your memory for a second.",
    "Help me out here.",
    "Something small, if I may.",
    "Let me pick your brain for a moment.",
    "You'll know this better than I do.",
    "I'm in a bit of a rush.",
    "Hello again, me once more.",
    "Sorry to jump in like this.",
    "I'm drawing a blank right now.",
    "Tell me if you still have this.",
    "This one should be easy for you.",
    "My head is like a sieve.",
    "Bear with me for one question.",
    "Here's something only you can answer.",
    "Just between the two of us.",
    "I could use a hint.",
    "Can I run something by you?",
    "Put on your thinking cap for me.",
    "I keep going back and forth.",
    "Time for a small test.",
    "No long answer needed.",
    "Another thing that just came up.",
    "I'm on the move, so keep it short.",
    "Here's the situation.",
    "Guess what I need now.",
    "I almost forgot this one.",
    "You've heard enough from me to know.",
    "Let's see what you remember.",
    "I'd rather ask you than guess.",
)
"""What may stand before a question, so that cases of one stem differ in more than their options."""


def stems_for(probe: Probe) -> tuple[Stem, ...]:
    """Return the stems that can ask ``probe``, release-only ones included.

    Raises:
        UnknownAttributeError: the plan speaks of an attribute that the catalogue lacks.
    """
    if probe.task == "RR":
        return RELATION_QUESTIONS
    item = attribute(probe.attribute)
    return item.scenarios if probe.task == "GNS" else item.questions


def query_text(probe: Probe, stem: Stem, lead_in: str) -> str:
    """Return the question; RR names the person."""
    return f"{lead_in} {stem.text.replace('{name}', probe.phrase)}".strip()


def draw_carrier(rng: random.Random, task: TaskName, stem: Stem) -> str:
    """Draw how the options are put: the scenario's own suggestion for GNS, else one of the task's."""
    return stem.carrier if task == "GNS" else rng.choice(_CARRIERS[task])


def option_text(carrier: str, values: Sequence[str]) -> str:
    """Put one option's values into ``carrier``."""
    text = carrier.replace("{value}", "{0}")
    for number, value in enumerate(values):
        text = text.replace(f"{{{number}}}", value)
    return text
