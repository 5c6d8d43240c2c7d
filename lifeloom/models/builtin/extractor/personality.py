"""Big Five scores from the manner of the user's latest messages (PersonaVLM Appendix A.1)."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.extractor.wording import sentences_of
from lifeloom.models.builtin.reader.alignment import manner
from lifeloom.records.persona import TRAITS
from lifeloom.tasks import PersonalityInferenceInput, PersonalityInferenceOutput

__all__ = ["infer_personality"]

_CLEAR: Final = 0.15
"""Signs, -1..1, from which a trait counts as high or low."""
_STRONG: Final = 0.3
_BEFORE: Final = 2
"""Messages of the user that are read before the latest one: one alone shows few signs of most traits."""


def infer_personality(task_input: PersonalityInferenceInput) -> PersonalityInferenceOutput:
    """Return integer scores 1..5 from how the user words things; 3 for a trait of which nothing shows.

    Only the user's own messages count, the latest and at most two before it in the session, questions aside: those tell
    of the matter more than of the manner.
    """
    earlier = [said.text for said in task_input.context if said.role == "user"][-_BEFORE:]
    shown = manner([_statements(text) for text in (*earlier, task_input.user)]).vector()
    return PersonalityInferenceOutput(**{trait: _score(sign) for trait, sign in zip(TRAITS, shown, strict=True)})


def _statements(text: str) -> str:
    return " ".join(sentence.text for sentence in sentences_of(text) if not sentence.is_question)


def _score(sign: float) -> int:
    if abs(sign) < _CLEAR:
        return 3
    step = 2 if abs(sign) >= _STRONG else 1
    return 3 + step if sign > 0 else 3 - step
