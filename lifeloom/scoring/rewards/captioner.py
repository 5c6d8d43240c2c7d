"""The captioner's verifiable rewards: r = r_vis + r_caps (CoViP Section 3.3, Eqs. 4 to 6, Algorithm 1)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from lifeloom.scoring.recognition import parse_boxed_list, recognition_f1

__all__ = [
    "DEGENERATE",
    "CaptionForm",
    "Counted",
    "QuestionCounts",
    "caption_reward",
    "caption_rewards",
    "combined_reward",
    "combined_rewards",
    "visual_reward",
    "visual_rewards",
]

CaptionForm = Literal["share", "sum", "release"]
"""``share``: Algorithm 1, shares of questions. ``sum``: Eq. 6 as printed, numbers of questions. ``release``: a third a
positive question, so 1 a concept of three questions, less the share of negative questions."""

DEGENERATE: Final = -1.0
"""r_caps of a degenerate caption, whatever its questions say."""
_A_QUESTION: Final = 1 / 3


class Counted(Protocol):
    """What is counted of one caption; ``lifeloom.scoring.capeval.ProbeCounts`` is one."""

    @property
    def positive(self) -> int:
        """Questions about concepts of the query picture."""
        ...

    @property
    def positive_right(self) -> int:
        """Of them answered rightly."""
        ...

    @property
    def negative(self) -> int:
        """Questions about the other pictures of the context."""
        ...

    @property
    def negative_right(self) -> int:
        """Of them answered D."""
        ...


@dataclass(frozen=True)
class QuestionCounts:
    """The same as plain numbers.

    Raises:
        ValueError: more are right than were asked, or a number is below 0.
    """

    positive: int
    positive_right: int
    negative: int
    negative_right: int

    def __post_init__(self) -> None:
        if not (0 <= self.positive_right <= self.positive and 0 <= self.negative_right <= self.negative):
            raise ValueError(f"needs 0 <= right <= asked, not {self}")


def visual_reward(text: str, truth: Collection[int]) -> float:
    r"""Return r_vis, 0..1: the F1 of the indices in the last ``\boxed{[0,1,3]}`` and the true ones (Eq. 5).

    Nothing readable is 0; repeats fold; indices that no concept has are false positives; 1 where both sets are empty.
    """
    return recognition_f1(parse_boxed_list(text), truth)


def visual_rewards(texts: Sequence[str], truths: Sequence[Collection[int] | None]) -> list[float | None]:
    """Return r_vis of a batch, (B,); None where no truth is given, as in rows that ask for a caption.

    Raises:
        ValueError: lengths differ.
    """
    return [None if truth is None else visual_reward(text, truth) for text, truth in zip(texts, truths, strict=True)]


def caption_reward(counts: Counted, degenerate: bool, *, alpha: float = 1.0, form: CaptionForm = "share") -> float:
    """Return r_caps: -1 for a degenerate caption, else positive questions right less negative ones not answered D.

    In ``share`` it is within -max(1, alpha)..1. Without positive questions their part is 0, without negative ones
    theirs.

    Args:
        counts: what the judge answered from the caption alone. An answer that cannot be read is no right one and no D,
            unless it was counted so.
        degenerate: R(s) of Eqs. 6 and S.7 (``lifeloom.scoring.degeneration``); a completion that was cut at its limit
            of tokens is degenerate.
        alpha: strength of the penalty, 0 or more.
        form: see ``CaptionForm``.

    Raises:
        ValueError: ``alpha`` is below 0 or not finite, or more are right than were asked.
    """
    if not (math.isfinite(alpha) and alpha >= 0):
        raise ValueError(f"alpha is 0 or more, not {alpha}")
    asked = QuestionCounts(counts.positive, counts.positive_right, counts.negative, counts.negative_right)
    if degenerate:
        return DEGENERATE
    committed = asked.negative - asked.negative_right
    if form == "sum":
        return asked.positive_right - alpha * committed
    told = _A_QUESTION * asked.positive_right if form == "release" else _share(asked.positive_right, asked.positive)
    return told - alpha * _share(committed, asked.negative)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def caption_rewards(
    counts: Sequence[Counted | None],
    degenerate: Sequence[bool],
    *,
    alpha: float = 1.0,
    form: CaptionForm = "share",
) -> list[float | None]:
    """Return r_caps of a batch, (B,); None where there are no counts, or no question was asked of a sound caption.

    Raises:
        ValueError: lengths differ; as ``caption_reward``.
    """
    return [
        None
        if one is None or not (bad or one.positive or one.negative)
        else caption_reward(one, bad, alpha=alpha, form=form)
        for one, bad in zip(counts, degenerate, strict=True)
    ]


def combined_reward(visual: float, caption: float) -> float:
    """Return r = r_vis + r_caps (Eq. 4); -1..2 with ``share`` and alpha 1.

    Raises:
        ValueError: ``visual`` is not within 0..1.
    """
    if not 0.0 <= visual <= 1.0:
        raise ValueError(f"r_vis is within 0..1, not {visual}")
    return visual + caption


def combined_rewards(visual: Sequence[float | None], caption: Sequence[float | None]) -> list[float | None]:
    """Return r of a batch, (B,): the sum of the parts that apply, None where none does.

    The release has recognition and caption as rows of their own, so that one part applies to each.

    Raises:
        ValueError: lengths differ, or an r_vis is not within 0..1.
    """
    return [
        None if seen is None and told is None else combined_reward(seen or 0.0, told or 0.0)
        for seen, told in zip(visual, caption, strict=True)
    ]
