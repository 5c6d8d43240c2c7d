"""The shape of a conversation: how long it is, how personal, how much changes in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from lifeloom.records import Setting
from lifeloom.synthesis.schedule import MIN_SESSION_TURNS

__all__ = ["SHAPES", "ConversationShape", "ShapeError", "shape_for"]


class ShapeError(ValueError):
    """A shape's value is out of its range; the message names the field and the range."""


@dataclass(frozen=True)
class ConversationShape:
    """What a setting allows. All probabilities are in 0..1.

    Raises:
        ShapeError: a value is out of range.
    """

    min_turns: int
    """At least 12, so that four people can be introduced and one constellation told."""
    max_turns: int
    max_days: int
    """Days from the first session's date to the last one's, both counted."""
    personal_share: float = 0.6
    """Share of turns with a statement, an occasion or a picture, 0.3..0.6: the rest says nothing personal."""
    picture_share: float = 1 / 6
    """Share of turns with a picture, 0..0.4; they count among the personal ones. There are fewer where too few
    personal turns would be left for words, or where the catalogue has no further handle for an album picture."""
    preference_shift: float = 0.65
    """Probability that a constellation's previous value was given up for the current one in a real change;
    otherwise it was a slip that is put right."""
    topic_shift: float = 0.2
    """Probability, at each start of a session, that the topics talked about change."""
    personality_shift: float = 0.35
    """Probability that a conversation's Big Five scores change at one point."""
    relation_correction: float = 1 / 3
    """Probability that somebody's relation is first given wrongly and later put right."""
    occasions: int = 6
    """Most occasions told of in a conversation; never more than a fifth of the personal turns without a picture."""
    turns_per_constellation: int = 8
    """About one attribute with its four values, in words or pictures, for so many turns, 5 or more."""
    max_constellations: int = 35

    def __post_init__(self) -> None:
        """Check the ranges."""
        if not 12 <= self.min_turns <= self.max_turns:
            raise ShapeError(f"12 <= min_turns <= max_turns is needed, got {self.min_turns} and {self.max_turns}")
        if self.max_turns > 2 * MIN_SESSION_TURNS * self.max_days:
            raise ShapeError(
                f"max_turns must be at most {2 * MIN_SESSION_TURNS} times max_days, "
                f"got {self.max_turns} turns in {self.max_days} days"
            )
        if not 0.3 <= self.personal_share <= 0.6:
            raise ShapeError(f"personal_share must be in 0.3..0.6, got {self.personal_share}")
        if not 0 <= self.picture_share <= 0.4:
            raise ShapeError(f"picture_share must be in 0..0.4, got {self.picture_share}")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name.endswith(("_shift", "_correction")) and not 0 <= value <= 1:
                raise ShapeError(f"{field.name} must be in 0..1, got {value}")
        if self.occasions < 0 or self.max_constellations < 0 or self.turns_per_constellation < 5:
            raise ShapeError(
                "occasions and max_constellations must not be negative and turns_per_constellation must be at least "
                f"5, got {self.occasions}, {self.max_constellations} and {self.turns_per_constellation}"
            )


SHAPES: Mapping[Setting, ConversationShape] = MappingProxyType(
    {
        "train": ConversationShape(min_turns=20, max_turns=100, max_days=31),
        "32k": ConversationShape(min_turns=20, max_turns=100, max_days=90),
        "128k": ConversationShape(min_turns=100, max_turns=500, max_days=90, occasions=20, topic_shift=0.15),
    }
)
"""The published sizes (PersonaVLM Appendix C): training over a month, tests over up to three."""


def shape_for(setting: Setting) -> ConversationShape:
    """Return the preset shape of ``setting``."""
    return SHAPES[setting]
