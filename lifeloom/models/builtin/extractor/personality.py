"""Big Five scores from the manner of the user's latest messages (PersonaVLM Appendix A.1)."""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.extractor.wording import sentences_of
from lifeloom.models.builtin.reader.alignment import cue_weights, manner
from lifeloom.records.persona import TRAITS
from lifeloom.tasks import PersonalityInferenceInput, PersonalityInferenceOutput

__all__ = ["infer_personality"]

_CLEAR: Final = 0.15
"""Signs, -1..1, from which a trait counts as high or low."""
_STRONG: Final = 0.3
_SEVERAL: Final = 2.0
"""Weight of cues from which a strong sign counts as very high or very low: one cue alone does not."""
_FORCEFUL: Final = re.compile(
    r"\b(?:so|very|really|extremely|terribly|utterly|incredibly|deeply|absolutely|always|constantly) "
    r"(?:worried|anxious|nervous|afraid|scared|stressed|upset|sad|tense)\b|"
    r"\b(?:panic\w*|terrified|hopeless|can't sleep|overwhelm\w*)",
    re.IGNORECASE,
)
"""Worry said with force: strong in a single cue."""
_BEFORE: Final = 2
"""Messages of the user that are read before the latest one: one alone shows few signs of most traits."""


def infer_personality(task_input: PersonalityInferenceInput) -> PersonalityInferenceOutput:
    """Return integer scores 1..5 from how the user words things; 3 for a trait of which nothing shows.

    Only the user's own messages count, the latest and at most two before it in the session, questions aside: those tell
    of the matter more than of the manner.
    """
    earlier = [said.text for said in task_input.context if said.role == "user"][-_BEFORE:]
    texts = [_statements(text) for text in (*earlier, task_input.user)]
    forceful = any(_FORCEFUL.search(text) for text in texts)
    scores: dict[str, int] = {}
    for trait, sign, (high, low) in zip(TRAITS, manner(texts).vector(), cue_weights(texts), strict=True):
        several = (high if sign > 0 else low) >= _SEVERAL
        scores[trait] = _score(sign, strong=several or (forceful and trait == "neuroticism" and sign > 0))
    return PersonalityInferenceOutput(**scores)


def _statements(text: str) -> str:
    return " ".join(sentence.text for sentence in sentences_of(text) if not sentence.is_question)


def _score(sign: float, *, strong: bool) -> int:
    if abs(sign) < _CLEAR:
        return 3
    step = 2 if abs(sign) >= _STRONG and strong else 1
    return 3 + step if sign > 0 else 3 - step
