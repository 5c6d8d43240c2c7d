"""The object-consistency reward of RePIC-style training, CoViP's baseline in place of r_vis (Table S.4, "w/ OCT").

The model sees two pictures and says whether the object of the first is in the second; the reward is right or wrong, for
one pair at a time, where r_vis (Eq. 5) scores a set. CoViP says no more of it than "binary correctness feedback"
(Appendix, "F1-based vision VR vs. binary consistency VR").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

__all__ = ["PairReading", "object_consistency_reward", "object_consistency_rewards"]

PairReading = Literal["whole", "release"]
"""``whole``: the answer is yes or no and nothing else, as the question asks for. ``release``: the first ``yes`` or
``no`` anywhere in it, which "nothing" and "eyes" also hold."""

_WHOLE: Final = re.compile(r"[\W_]*(yes|no)[\W_]*", re.IGNORECASE)
_ANYWHERE: Final = re.compile(r"yes|no", re.IGNORECASE)


def object_consistency_reward(text: str, same: bool, *, reading: PairReading = "whole") -> float:
    """Return 1 where the answer says rightly whether both pictures show the same object, else 0.

    Args:
        text: the answer; case, blanks and punctuation are folded.
        same: whether they do.
        reading: what of the answer counts; one that cannot be read is 0.
    """
    found = _WHOLE.fullmatch(text) if reading == "whole" else _ANYWHERE.search(text)
    if found is None:
        return 0.0
    said = found[1] if reading == "whole" else found[0]
    return float((said.lower() == "yes") == same)


def object_consistency_rewards(
    texts: Sequence[str], same: Sequence[bool | None], *, reading: PairReading = "whole"
) -> list[float | None]:
    """Return the rewards of a batch, (B,); None where ``same`` is, as in rows that ask something else.

    Raises:
        ValueError: lengths differ.
    """
    return [
        None if truth is None else object_consistency_reward(text, truth, reading=reading)
        for text, truth in zip(texts, same, strict=True)
    ]
