"""The tables of Life-Bench: accuracy by task and difficulty as in Tables 3 and 4, effective depth as in Table 5."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from lifeloom.records import LIFE_TASKS, LifeScore

__all__ = [
    "PAPER_DEPTHS",
    "PAPER_TABLES",
    "accuracy_csv",
    "accuracy_table",
    "beside_paper",
    "depth_table",
    "recall_table",
]

_CONCEPT = LIFE_TASKS[:3]
_COLUMNS: tuple[tuple[str, str], ...] = (
    *((task, level) for task in _CONCEPT for level in ("easy", "medium")),
    *((task, "medium") for task in LIFE_TASKS[3:8]),
    *((task, "hard") for task in LIFE_TASKS[8:]),
)
"""Task and difficulty, in the order of the paper's tables."""

PAPER_TABLES: dict[str, tuple[float, ...]] = {
    "rap-k3": (0.9309, 0.7744, 0.8979, 0.7295, 0.8149, 0.6943, 0.3164, 0.2175, 0.3118, 0.5126, 0.6949, 0.1603, 0.1283),
    "r2p-k3": (0.9226, 0.6914, 0.8741, 0.7164, 0.7772, 0.6170, 0.3016, 0.2567, 0.3271, 0.4543, 0.6314, 0.2063, 0.0682),
    "rag-cap-k3": (
        0.9202, 0.8410, 0.9077, 0.8028, 0.8333, 0.7078, 0.4949, 0.3474, 0.4445, 0.6302, 0.6576, 0.1916, 0.1509,
    ),
    "lifegraph-d2-k3": (
        0.9043, 0.7436, 0.9226, 0.8575, 0.8585, 0.7495, 0.7567, 0.5996, 0.5618, 0.6004, 0.7492, 0.4495, 0.1962,
    ),
    "lifegraph-d3-k3": (
        0.9202, 0.7846, 0.9176, 0.8571, 0.8559, 0.7504, 0.7513, 0.5869, 0.5508, 0.5851, 0.7186, 0.4634, 0.1585,
    ),
    "rap-k5": (0.9413, 0.7876, 0.8234, 0.7019, 0.7633, 0.6409, 0.3216, 0.2249, 0.2975, 0.5737, 0.7559, 0.1818, 0.1472),
    "r2p-k5": (0.9255, 0.7330, 0.8659, 0.7023, 0.7683, 0.5957, 0.3270, 0.2258, 0.3085, 0.4651, 0.5898, 0.2063, 0.1245),
    "rag-cap-k5": (
        0.8989, 0.8513, 0.9036, 0.8168, 0.8342, 0.7266, 0.5267, 0.3697, 0.4763, 0.6630, 0.7288, 0.1951, 0.1849,
    ),
    "lifegraph-d2-k5": (
        0.9096, 0.8103, 0.9325, 0.8630, 0.8534, 0.7409, 0.7640, 0.6396, 0.5635, 0.5943, 0.7153, 0.4774, 0.1901,
    ),
    "lifegraph-d3-k5": (
        0.9096, 0.8308, 0.9234, 0.8630, 0.8434, 0.7401, 0.7700, 0.6366, 0.5789, 0.6100, 0.7007, 0.4634, 0.2053,
    ),
}  # fmt: skip
"""Life-Bench Tables 3 and 4 with Gemma 3 12B, in the order of the columns here (preference before temporal)."""
PAPER_DEPTHS = {1: 1.00, 2: 1.30, 3: 1.49, 4: 1.65, 5: 1.81}
"""Table 5: average effective depth by limit."""


def accuracy_table(scores: Sequence[LifeScore], columns: Sequence[tuple[str, str]] = _COLUMNS) -> str:
    """Return accuracies with intervals as Markdown, a policy a row: the best of a column bold, the second underlined.

    The last column is the macro average over tasks.
    """
    by_place = {(one.policy, one.task, one.difficulty): one for one in scores}
    policies = list(dict.fromkeys(one.policy for one in scores))
    shown = [place for place in (*columns, ("all", "all")) if any((name, *place) in by_place for name in policies)]
    heads = [f"{task.replace('_', ' ')} ({level})" if level != "all" else "overall" for task, level in shown]
    lines = ["| method | " + " | ".join(heads) + " |", "|---" * (1 + len(heads)) + "|"]
    ranks = {
        place: sorted({round(by_place[name, *place].value, 4) for name in policies if (name, *place) in by_place})[::-1]
        for place in shown
    }
    for name in policies:
        cells = []
        for place in shown:
            one = by_place.get((name, *place))
            if one is None:
                cells.append("")
                continue
            text = f"{one.value:.3f}"
            ranked = ranks[place]
            if round(one.value, 4) == ranked[0]:
                text = f"**{text}**"
            elif len(ranked) > 1 and round(one.value, 4) == ranked[1]:
                text = f"<u>{text}</u>"
            cells.append(f"{text} [{one.low:.2f}, {one.high:.2f}]")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def accuracy_csv(scores: Sequence[LifeScore]) -> str:
    """Return every score as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [
        "policy",
        "task",
        "difficulty",
        "value",
        "low",
        "high",
        "questions",
        "correct",
        "missing",
        "recall_3",
        "recall_5",
    ]
    writer.writerow(names)
    for one in scores:
        writer.writerow([getattr(one, name) for name in names])
    return out.getvalue()


def beside_paper(scores: Sequence[LifeScore]) -> str:
    """Return our accuracies beside the paper's, task by task, for the methods that both have.

    The paper's are of Gemma 3 12B on its own Vaccounts: compare the order of methods, not the numbers.
    """
    by_place = {(one.policy, one.task, one.difficulty): one.value for one in scores}
    policies = [name for name in PAPER_TABLES if any(one.policy == name for one in scores)]
    lines = ["| task | " + " | ".join(policies) + " |", "|---" * (1 + len(policies)) + "|"]
    for number, (task, level) in enumerate(_COLUMNS):
        cells = []
        for name in policies:
            ours = by_place.get((name, task, level))
            cells.append(f"{'-' if ours is None else f'{ours:.2f}'} / {PAPER_TABLES[name][number]:.2f}")
        lines.append(f"| {task.replace('_', ' ')} ({level}) | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def recall_table(scores: Sequence[LifeScore]) -> str:
    """Return recall of events among the first 3 and 5 that were looked up, by task and over all seven."""
    rows = [one for one in scores if one.difficulty == "all" and one.recall_3 is not None]
    tasks = [task for task in (*LIFE_TASKS, "all") if any(one.task == task for one in rows)]
    lines = [
        "| method | " + " | ".join(task.replace("_", " ") for task in tasks) + " |",
        "|---" * (1 + len(tasks)) + "|",
    ]
    for name in dict.fromkeys(one.policy for one in rows):
        own = {one.task: one for one in rows if one.policy == name}
        cells = [f"{own[task].recall_3:.2f} / {own[task].recall_5:.2f}" if task in own else "" for task in tasks]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def depth_table(depths: dict[int, float]) -> str:
    """Return the average effective depth by limit beside the paper's (Table 5)."""
    lines = ["| depth limit | average effective depth | paper |", "|---|---|---|"]
    lines += [
        f"| {limit} | {depth:.2f} | {f'{PAPER_DEPTHS[limit]:.2f}' if limit in PAPER_DEPTHS else ''} |"
        for limit, depth in sorted(depths.items())
    ]
    return "\n".join(lines)
