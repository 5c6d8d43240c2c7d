"""What Grounding DINO is asked for, and how its answer for tokens becomes an answer for labels.

The model is given one line of phrases, each ended by a full stop, and scores every box against every token. Phrases
are told apart by where their tokens stand in the line, not by spelling the tokens that score well, as that mixes up
phrases that share words ("red car", "blue car") and gives parts of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import ModelError
from lifeloom.records import SubjectKind

__all__ = ["DEFAULT_LABELS", "FoundBoxes", "LabelUnusable", "Prompt", "prompts", "read_boxes"]

DEFAULT_LABELS: Mapping[str, SubjectKind] = MappingProxyType(
    {
        **dict.fromkeys(("person", "man", "woman", "child", "baby"), "person"),
        **dict.fromkeys(
            ("dog", "cat", "bird", "horse", "cow", "sheep", "rabbit", "fish", "bear", "elephant", "butterfly"), "animal"
        ),
        **dict.fromkeys(
            (
                "car", "bicycle", "motorcycle", "bus", "train", "boat", "airplane", "chair", "sofa", "table", "bed",
                "lamp", "television", "laptop", "phone", "camera", "book", "clock", "vase", "potted plant", "flower",
                "tree", "bottle", "cup", "glass", "bowl", "plate", "food", "fruit", "cake", "bag", "backpack",
                "suitcase", "umbrella", "hat", "shoe", "glasses", "watch", "ball", "toy", "guitar", "piano", "kite",
                "skateboard", "surfboard",
            ),
            "object",
        ),
    }
)  # fmt: skip
"""Common things, few enough for one pass."""

_STOPS = re.compile(r"[.?]")  # both end a phrase in the eyes of the model


class LabelUnusable(ModelError):
    """The detector cannot be asked for this label.

    Attributes:
        label: which one.
    """

    def __init__(self, label: str, reason: str) -> None:
        super().__init__(f"label {label[:80]!r} {reason}")
        self.label = label


@dataclass(frozen=True)
class Prompt:
    """One line that fits the model's window."""

    tokens: tuple[int, ...]
    """With [CLS], the full stops and [SEP]."""
    spans: tuple[tuple[int, int, int], ...]
    """For each phrase: the number of its label, its first token's place, the place after its last."""


def prompts(labels: Sequence[str], tokenizer: Any, window: int) -> list[Prompt]:
    """Return the lines to ask with, as few as hold all ``labels`` in their order.

    Labels are put in lower case, stops within them become spaces. Of labels that come to the same phrase, the first
    is asked for.

    Args:
        labels: what to look for.
        tokenizer: the checkpoint's, of BERT's kind.
        window: tokens that the model reads, [CLS] and [SEP] included.

    Raises:
        LabelUnusable: a label has no word that the model knows, or does not fit the window.
    """
    start, end = tokenizer.cls_token_id, tokenizer.sep_token_id
    stop = tokenizer.convert_tokens_to_ids(".")
    lines: list[Prompt] = []
    tokens, spans = [start], list[tuple[int, int, int]]()
    asked: set[str] = set()
    for number, label in enumerate(labels):
        text = label.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
        phrase = " ".join(_STOPS.sub(" ", text).lower().split())
        pieces = tokenizer(phrase, add_special_tokens=False)["input_ids"]
        if set(pieces) <= {tokenizer.unk_token_id}:
            raise LabelUnusable(label, "has no word that the model knows; leave it out or put it in other words")
        if len(pieces) + 3 > window:
            raise LabelUnusable(label, f"has {len(pieces)} tokens, the model reads {window - 3} of a label; shorten it")
        if phrase in asked:
            continue
        asked.add(phrase)
        if len(tokens) + len(pieces) + 2 > window:
            lines.append(Prompt((*tokens, end), tuple(spans)))
            tokens, spans = [start], []
        spans.append((number, len(tokens), len(tokens) + len(pieces)))
        tokens += [*pieces, stop]
    return [*lines, Prompt((*tokens, end), tuple(spans))] if spans else []


@dataclass(frozen=True, eq=False)
class FoundBoxes:
    """What one pass found in one picture; n boxes."""

    labels: npt.NDArray[np.int32]
    """(n,): numbers of labels."""
    scores: npt.NDArray[np.float32]
    """(n,), 0..1."""
    boxes: npt.NDArray[np.float32]
    """(n, 4): left, top, right, bottom in pixels, within the picture."""
    unmapped: int
    """Boxes that scored well enough, but no token of a label did."""


def read_boxes(
    logits: npt.NDArray[np.float32],
    centres: npt.NDArray[np.float32],
    prompt: Prompt,
    seen: tuple[int, int],
    size: tuple[int, int],
    box_threshold: float,
    text_threshold: float,
) -> FoundBoxes:
    """Read what the network says of one picture, as the authors' own post-processing does, but for whole labels.

    A box is kept when a token scores above ``box_threshold``, whichever it is; its label is the one with the best
    token, if that one scores above ``text_threshold``. Boxes that overlap are all kept: the reference has no
    non-maximum suppression.

    Source: Liu et al., Grounding DINO, 2023, section 3.4 and appendix; the defaults of its demo.

    Args:
        logits: (queries, window), minus infinity where there is no token.
        centres: (queries, 4): centre and size of boxes as shares of the picture.
        prompt: what was asked.
        seen: width and height in pixels of what the network was shown, the picture in its upper left corner.
        size: width and height of the picture, to which boxes are clipped; boxes outside are left out.
        box_threshold: 0..1.
        text_threshold: 0..1.
    """
    chances = 1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -80, 80)))  # (Q, T)
    chances[np.isneginf(logits)] = 0
    scores = chances.max(axis=1)
    of_label = np.stack([chances[:, first:after].max(axis=1) for _, first, after in prompt.spans], axis=1)  # (Q, L)
    best = of_label.argmax(axis=1)
    centre, half = centres[:, :2].astype(np.float64), centres[:, 2:].astype(np.float64) / 2
    boxes = np.concatenate([centre - half, centre + half], axis=1) * np.array([*seen, *seen])
    boxes = np.clip(boxes, 0, [*size, *size]).astype(np.float32)
    kept = (scores > box_threshold) & (boxes[:, 2:] > boxes[:, :2]).all(axis=1)
    mapped = kept & (of_label.max(axis=1) > text_threshold)
    return FoundBoxes(
        labels=np.array([number for number, _, _ in prompt.spans], dtype=np.int32)[best[mapped]],
        scores=scores[mapped].astype(np.float32),
        boxes=boxes[mapped],
        unmapped=int(kept.sum() - mapped.sum()),
    )
