"""Tables 4, 5 and 6 of the CoViP paper, ours beside theirs, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluation.caption_quality.hallucination import POPE_SETTINGS, PopeAnswer, pope_scores
from evaluation.caption_quality.mmhal import MMHAL_TYPES, MmhalScores
from evaluation.caption_quality.rows import CaptionQuality
from evaluation.intervals import Numbers, estimate, ratio

__all__ = ["chair_table", "mmhal_table", "paper_table", "pope_table", "reference_table", "share_of_sums"]

_PAPER_TABLE_4 = {
    "Qwen3-VL-8B": (24.58, 0.178, 415.83, 0.140, 0.727),
    "CoViP": (21.13, 0.186, 415.71, 0.147, 0.719),
}
"""BLEU, ROUGE-L, METEOR, SPICE, BERTScore on DOCCI; METEOR as printed, on another scale."""
_PAPER_TABLE_5 = {
    "Qwen3-VL-8B": (0.47, 0.42, 4.33, 3.33, 3.83, 3.58, 2.92, 3.92, 2.08, 3.75),
    "CoViP": (0.41, 0.42, 4.33, 3.50, 3.58, 3.83, 3.00, 3.42, 1.50, 4.08),
}
"""MMHal-Bench: overall, hallucination rate and the kinds of questions in the order of ``MMHAL_TYPES``; overall as
printed, where the means of the eight kinds are 3.47 and 3.41."""
_PAPER_TABLE_6 = {
    "Qwen3-VL-8B": (91.3, 98.3, 84.5, 90.8, 44.3, 15.4, 7.7),
    "CoViP": (91.6, 97.9, 85.5, 91.2, 45.0, 16.2, 8.0),
}
"""POPE accuracy, precision, recall, F1, yes; CHAIRs, CHAIRi, in per cent."""


def reference_table(scores: Sequence[CaptionQuality]) -> str:
    """Return Table 4: descriptions against references, by set and captioner."""
    kinds = ", ".join(dict.fromkeys(one.meteor_kind for one in scores)) or "not measured"
    encoders = ", ".join(dict.fromkeys(one.encoder for one in scores)) or "not measured"
    lines = [
        "References of query pictures are worded from what was drawn; DOCCI's are people's. METEOR (NLTK) matches "
        f"{kinds}. BERTScore by {encoders}, not rescaled: scores of two encoders are not comparable.",
        "",
        "| pictures | captioner, without context | described | BLEU | ROUGE-L | METEOR | scene-graph F1 (not SPICE) | "
        "BERTScore |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.shown} | {one.policy} | {one.pictures - one.missing} of {one.pictures} | {one.bleu:.2f} | "
        f"{one.rouge_l:.3f} | {one.meteor:.3f} | {one.scene_graph:.3f} | {one.bert_score:.3f} |"
        for one in scores
    ]
    return "\n".join(lines)


def chair_table(scores: Sequence[CaptionQuality]) -> str:
    """Return CHAIR of the sets whose contents are known."""
    lines = [
        "| captioner, without context | CHAIRs | 95 % interval | CHAIRi | objects told |",
        "|---|---|---|---|---|",
    ]
    for one in scores:
        chair = one.chair
        if chair is not None:
            lines.append(
                f"| {one.policy} | {chair.chair_s:.1%} | {chair.low:.1%} to {chair.high:.1%} | {chair.chair_i:.1%} | "
                f"{chair.coverage:.1%} |"
            )
    return "\n".join(lines)


def pope_table(answers: Sequence[PopeAnswer], *, samples: int, seed: int) -> str:
    """Return POPE by setting and over all, with intervals over pictures.

    Args:
        answers: of one model.
        samples: resamples of the intervals.
        seed: of the resampling.
    """
    if not answers:
        return "no questions"
    lines = [
        "| absent objects | questions | accuracy | 95 % interval | precision | recall | F1 | yes | unreadable |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for setting in (*POPE_SETTINGS, "all"):
        own = [one for one in answers if setting in ("all", one.question.setting)]
        if not own:
            continue
        scores = pope_scores(own)
        members: dict[str, list[float]] = {}
        for one in own:
            row = members.setdefault(one.question.picture.picture_id, [0.0, 0.0])
            row[0] += one.yes is one.question.there
            row[1] += 1
        interval = estimate(np.array(list(members.values())), share_of_sums, samples=samples, seed=seed)
        lines.append(
            f"| {setting} | {scores.questions} | {scores.accuracy:.1%} | {interval.low:.1%} to {interval.high:.1%} | "
            f"{scores.precision:.1%} | {scores.recall:.1%} | {scores.f1:.1%} | {scores.yes:.1%} | {scores.unreadable} |"
        )
    return "\n".join(lines)


def mmhal_table(scores: dict[str, MmhalScores], judge: str) -> str:
    """Return Table 5, ours and the paper's.

    Args:
        scores: by captioner.
        judge: who rated, ``backend/model``.
    """
    lines = [
        f"Rated by {judge}, 0 to 6; an answer without a rating counts 0.",
        "",
        f"| model | overall | hallucination rate | {' | '.join(MMHAL_TYPES)} | without a rating |",
        "|---" * (len(MMHAL_TYPES) + 4) + "|",
    ]
    for name, one in scores.items():
        kinds = [f"{one.by_type[kind]:.2f}" if kind in one.by_type else "none" for kind in MMHAL_TYPES]
        lines.append(
            f"| {name} | {one.overall:.2f} | {one.hallucination:.2f} | {' | '.join(kinds)} | "
            f"{one.unreadable} of {one.questions} |"
        )
    lines += [
        f"| {name}, in the paper | {' | '.join(f'{value:g}' for value in values)} | |"
        for name, values in _PAPER_TABLE_5.items()
    ]
    return "\n".join([*lines, "", "The paper prints 0.47 and 0.41 overall; the means of its eight are 3.47 and 3.41."])


def paper_table() -> str:
    """Return the paper's Tables 4 and 6."""
    lines = [
        "On photographs, with other models: beside, not against.",
        "",
        "| DOCCI (Table 4) | BLEU | ROUGE-L | METEOR | SPICE | BERTScore |",
        "|---|---|---|---|---|---|",
        *(f"| {name} | {' | '.join(f'{value:g}' for value in values)} |" for name, values in _PAPER_TABLE_4.items()),
        "",
        "| POPE and CHAIR (Table 6), % | accuracy | precision | recall | F1 | yes | CHAIRs | CHAIRi |",
        "|---|---|---|---|---|---|---|---|",
        *(f"| {name} | {' | '.join(f'{value:g}' for value in values)} |" for name, values in _PAPER_TABLE_6.items()),
    ]
    return "\n".join(lines)


def share_of_sums(sums: Numbers) -> Numbers:
    """Return the share that resampled sums (rows, [right, all]) give, (rows,)."""
    return ratio(sums[:, 0], sums[:, 1])
