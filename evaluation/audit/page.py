"""The audit of a release on one page: self-contained HTML, readable in light and dark, nothing loaded."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation.audit.figures import FIGURE_STYLE, Interval, difference_figure, interval_figure, share_bars
from evaluation.audit.perturbations import PERTURBATIONS
from evaluation.audit.shapes import TaskShape
from evaluation.audit.stability import StabilityRow
from evaluation.audit.verdicts import VIEWS, AuditRow, BlindAccuracy, Verdict, worst

__all__ = ["AuditReport", "audit_page"]


@dataclass(frozen=True)
class AuditReport:
    """All that the page tells of."""

    benchmark: str
    release_id: str
    rows: Sequence[AuditRow]
    accuracies: Sequence[BlindAccuracy]
    shapes: Sequence[TaskShape]
    stability: Sequence[StabilityRow] = ()
    minimum_cases: int = 400
    notes: Sequence[str] = ()
    """What else a reader should know, a sentence each."""

    @property
    def verdict(self) -> Verdict:
        """The worst of all verdicts on shortcuts."""
        return worst(row.verdict for row in self.rows)

    @property
    def stability_verdict(self) -> Verdict | None:
        """The worst of all verdicts on perturbations; None when nothing was perturbed."""
        return worst(row.verdict for row in self.stability) if self.stability else None


_POLICIES = {
    "blind_longest": "the longest option",
    "blind_outlier": "the odd one out",
    "blind_letter": "the usual letter",
    "blind_classifier": "classifier with question",
    "blind_options": "classifier without question",
    "text_only": "words without pictures",
    "shuffled_pictures": "other users' pictures",
    "other_history": "another user's history",
}
_TOTALS = {"pooled": "small tasks, pooled", "all": "all questions"}
_MARKS: dict[Verdict, str] = {"passed": "✓", "failed": "✗", "inconclusive": "?"}
_HEADLINES: dict[Verdict, str] = {
    "passed": "No shortcut found",
    "failed": "Shortcut found",
    "inconclusive": "No shortcut found, but too few cases to be sure",
}


def audit_page(report: AuditReport) -> str:
    """Return the page, a whole HTML document.

    Raises:
        ValueError: the report has no verdicts.
    """
    if not report.rows:
        raise ValueError("an audit page needs verdicts")
    title = f"Audit of {report.benchmark}, release {report.release_id}"
    body = [
        f"<h1>{_e(title)}</h1>",
        _summary(report),
        "<h2>Verdicts</h2>",
        _verdict_table(report),
        "<h2>What each blind policy reaches</h2>",
        _figures(report),
        "<h2>When only what must not matter is changed</h2>",
        _stability(report),
        "<h2>Letters, lengths, repetitions</h2>",
        _shapes(report.shapes),
        _how(report),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_e(title)}</title><style>{_STYLE}{FIGURE_STYLE}</style></head>\n<body><main>\n"
        + "\n".join(body)
        + "\n</main></body></html>\n"
    )


def _e(text: object) -> str:
    return html.escape(str(text), quote=True)


def _badge(verdict: Verdict, text: str = "") -> str:
    return f'<span class="badge {verdict}">{_MARKS[verdict]} {_e(text or verdict)}</span>'


def _summary(report: AuditReport) -> str:
    failed = [row for row in report.rows if row.verdict == "failed" and row.task != "all"]
    whole = [row for row in report.rows if row.verdict == "failed" and row.task == "all"]
    own = [row for row in report.rows if row.task not in ("all", "pooled")]
    undecided = sum(row.verdict == "inconclusive" for row in own)
    lines = [f'<p class="headline">{_badge(report.verdict, _HEADLINES[report.verdict])}</p>']
    if failed or whole:
        named = failed or whole
        lines.append(
            "<p>Somebody who does not see what a question needs answers better than chance allows:</p><ul>"
            + "".join(f"<li>{_e(_plain(row))}</li>" for row in named)
            + "</ul>"
        )
    else:
        lines.append("<p>No policy that is kept from what a question needs beats chance by more than the margin.</p>")
    if undecided:
        lines.append(
            f"<p>{undecided} of {len(own)} verdicts on single tasks are left open, because fewer than "
            f"{report.minimum_cases} cases were asked. Their numbers stand below; small tasks are also judged "
            "together, as <i>pooled</i>.</p>"
        )
    if report.stability_verdict is not None:
        tolerance = report.stability[0].tolerance
        words = {
            "passed": f"Scores stay within {tolerance:g} points under every perturbation.",
            "failed": f"A perturbation moves a score by more than {tolerance:g} points.",
            "inconclusive": f"A score moved by more than {tolerance:g} points, on too few questions to be sure.",
        }[report.stability_verdict]
        lines.append(f"<p>{_badge(report.stability_verdict)} {_e(words)}</p>")
        moved = [_e(row.sentence()) for row in report.stability if row.verdict == "failed"]
        lines += [f"<ul>{''.join(f'<li>{line}</li>' for line in moved)}</ul>"] if moved else []
    tried = {row.view for row in report.rows}
    if missing := [view.sees for view in VIEWS if view.name not in tried]:
        lines.append(f"<p>Not tried: {_e('; '.join(missing))}.</p>")
    lines += [f"<p>{_e(note)}</p>" for note in report.notes]
    return "\n".join(lines)


def _plain(row: AuditRow) -> str:
    """Return a failed finding for somebody who knows none of the names."""
    sees = next((view.sees for view in VIEWS if view.name == row.view), row.view)
    which = "" if row.subset == "all" else " that need pictures"
    return (
        f"{_TOTALS.get(row.task, row.task)}: {row.accuracy:.1%} of {row.questions:,} questions{which} are answered "
        f"right from {sees} ({_POLICIES.get(row.policy, row.policy)}). It is above "
        f"{row.lower_bound:.1%} with 95 % confidence, over all tasks together; chance plus margin is {row.limit:.1%}."
    )


def _verdict_table(report: AuditReport) -> str:
    views = [view for view in VIEWS if any(row.view == view.name for row in report.rows)]
    cells = {(row.task, row.view): row for row in report.rows}
    tasks = [task for task in dict.fromkeys(row.task for row in report.rows) if task not in ("all", "pooled")]
    order = [*sorted(tasks), *(name for name in ("pooled", "all") if any(task == name for task, _ in cells))]
    head = "".join(f'<th scope="col">{_e(view.sees)}{_subset(view.subset)}</th>' for view in views)
    lines = []
    for task in order:
        row = "".join(_verdict_cell(cells.get((task, view.name)), len(view.policies) > 1) for view in views)
        limits = sorted({f"{cells[task, view.name].limit:.0%}" for view in views if (task, view.name) in cells})
        total = ' class="total"' if task in _TOTALS else ""
        lines.append(
            f'<tr{total}><th scope="row">{_e(_TOTALS.get(task, task))}<br>'
            f"<small>limit {' or '.join(limits)}</small></th>{row}</tr>"
        )
    return (
        "<p>Each column is a way of not seeing. Each cell gives the accuracy of its best policy, the lower bound that "
        "is held against the limit (chance plus margin), and the number of questions asked.</p>"
        f'<div class="scroll"><table class="verdicts"><thead><tr><th scope="col">task</th>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _subset(subset: str) -> str:
    return "" if subset == "all" else "<br><small>questions that need pictures</small>"


def _verdict_cell(row: AuditRow | None, named: bool) -> str:
    if row is None:
        return '<td class="none">–</td>'
    policy = f"<br>{_e(_POLICIES.get(row.policy, row.policy))}" if named else ""
    return (
        f'<td><span class="n">{row.accuracy:.1%}</span> {_badge(row.verdict)}<br>'
        f"<small>bound {row.lower_bound:.1%} · {row.questions:,} asked{policy}</small></td>"
    )


def _figures(report: AuditReport) -> str:
    limits = {row.task: row.limit for row in report.rows}
    tasks = dict.fromkeys(row.task for row in report.accuracies)
    panels = []
    for task in [*sorted(task for task in tasks if task != "all"), "all"]:
        own = [row for row in report.accuracies if row.task == task]
        if not own:
            continue
        intervals = [
            Interval(
                label=_POLICIES.get(row.policy, row.policy),
                value=row.accuracy,
                low=row.interval_low,
                high=row.interval_high,
                note=f"{row.correct} of {row.questions}" + ("" if row.subset == "all" else ", with pictures"),
                chance=row.chance,
            )
            for row in own
        ]
        chance = own[0].chance
        margin = limits.get(task, chance) - chance if task in limits else None
        limit = None if margin is None or task == "all" else limits[task]
        name = "all questions" if task == "all" else task
        panels.append(
            f"<figure><figcaption>{_e(name)}</figcaption>"
            f"{interval_figure(intervals, chance=None if task == 'all' else chance, limit=limit)}</figure>"
        )
    return (
        '<p>Dots: accuracy. Whiskers: 95 % intervals. <span class="key chance">dotted line: chance</span>; '
        '<span class="key limit">dashed line: limit</span>. A shortcut shows as a whole whisker beyond the limit. In '
        "<i>all questions</i> chance differs by policy, as the mix of questions does, and is marked for each.</p>"
        f'<div class="grid">{"".join(panels)}</div>'
    )


def _stability(report: AuditReport) -> str:
    if not report.stability:
        return "<p>No perturbation was tried.</p>"
    words = {perturbation.name: perturbation.what for perturbation in PERTURBATIONS}
    widest = max(max(abs(row.interval_low), abs(row.interval_high), row.tolerance) for row in report.stability)
    lines = [
        f'<tr><th scope="row">{_e(words.get(row.perturbation, row.perturbation))}</th><td>{_e(row.policy)}</td>'
        f"<td>{row.accuracy_before:.1%}</td><td>{row.accuracy_after:.1%}</td>"
        f"<td>{row.difference:+.1f}<br><small>{row.interval_low:+.1f} to {row.interval_high:+.1f}</small></td>"
        f"<td>{difference_figure(row.difference, row.interval_low, row.interval_high, row.tolerance, widest)}</td>"
        f"<td>{row.changed} of {row.questions}<br><small>{row.lost} lost, {row.gained} gained</small></td>"
        f"<td>{_badge(row.verdict)}</td></tr>"
        for row in report.stability
    ]
    return (
        "<p>The same questions asked again, differently put. Differences are in points, with 95 % intervals; the band "
        f"is the tolerance of {report.stability[0].tolerance:g} points.</p>"
        '<div class="scroll"><table><thead><tr><th scope="col">what was changed</th><th scope="col">policy</th>'
        '<th scope="col">before</th><th scope="col">after</th><th scope="col">difference</th><th scope="col"></th>'
        '<th scope="col">other answers</th><th scope="col">verdict</th></tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _shapes(shapes: Sequence[TaskShape]) -> str:
    if not shapes:
        return "<p>The release has no questions with options.</p>"
    lines = []
    for row in shapes:
        total = ' class="total"' if row.task == "all" else ""
        counts = " · ".join(f"{_letter(place)} {count:,}" for place, count in enumerate(row.right_places))
        lines.append(
            f'<tr{total}><th scope="row">{_e("all questions" if row.task == "all" else row.task)}</th>'
            f"<td>{row.cases:,}</td>"
            f"<td>{share_bars(row.right_places, labels=[_letter(p) for p in range(len(row.right_places))])}"
            f"<small>{counts}</small></td>"
            f"<td>{row.right_length:.1f}</td><td>{row.wrong_length:.1f}</td>"
            f"<td>{row.longest:.1%}</td><td>{row.shortest:.1%}</td>"
            f"<td>{row.near_duplicates}</td></tr>"
        )
    return (
        '<div class="scroll"><table><thead><tr><th scope="col">task</th><th scope="col">cases</th>'
        '<th scope="col">right answers, by letter</th><th scope="col">mean length of right options</th>'
        '<th scope="col">of wrong ones</th><th scope="col">right one is the longest</th>'
        '<th scope="col">right one is the shortest</th><th scope="col">near-duplicates</th></tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
        "<p><small>Lengths in characters. Longest and shortest: longer or shorter than every other option. "
        "Near-duplicates: questions that nearly repeat an earlier one, options included.</small></p>"
    )


def _letter(place: int) -> str:
    return chr(ord("a") + place)


def _how(report: AuditReport) -> str:
    points: Iterable[str] = (
        "Every policy is asked the questions without something that a question needs: the history, the question "
        "itself, the pictures, or the right user's history.",
        "A task fails when the one-sided 95 % lower bound of the best policy's accuracy (Clopper-Pearson, "
        "Bonferroni-corrected over the tasks of the column) lies above chance plus margin, the limit.",
        f"It passes when it does not and at least {report.minimum_cases} of its cases were asked. With fewer the "
        "verdict is left open: an open verdict is no pass.",
        "Small tasks of equal chance are judged together as well. The row of all questions takes the worst verdict of "
        "its column.",
        "A perturbation fails when it moves a score by more than the tolerance and the whole 95 % interval of the "
        "difference (exact, paired) lies beyond it.",
    )
    items = "".join(f"<li>{_e(point)}</li>" for point in points)
    return f"<h2>How it is decided</h2><ul>{items}</ul>"


_STYLE = """
:root { color-scheme: light dark; --ink: #1c2127; --soft: #5b6570; --line: #d9dee3; --back: #ffffff; --panel: #f6f7f9;
  --good: #1a7f45; --bad: #c0312b; --open: #8a6100; --dot: #2b5fa8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e5e8eb; --soft: #a3adb7; --line: #3a424b; --back: #15191e;
  --panel: #1d2329; --good: #58c98a; --bad: #ff8078; --open: #e0b04a; --dot: #86b4f5; } }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: 24px; margin: 0 0 12px; } h2 { font-size: 18px; margin: 36px 0 8px; }
p, li { max-width: 85ch; } .headline { font-size: 18px; }
small { color: var(--soft); font-size: 12px; } .n { font-weight: 600; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 6px 10px; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; font-size: 13px; vertical-align: bottom; } tbody th { font-weight: 600; }
.verdicts td { min-width: 172px; }
td small { display: inline-block; line-height: 1.35; } th small { font-weight: 400; }
tr.total > * { background: var(--panel); } td.none { color: var(--soft); }
.badge { font-weight: 600; white-space: nowrap; } .headline .badge { white-space: normal; }
.passed { color: var(--good); } .failed { color: var(--bad); } .inconclusive { color: var(--open); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(360px, 1fr)); gap: 14px; }
figure { margin: 0; padding: 10px 12px; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
figcaption { font-weight: 600; margin-bottom: 4px; } svg { display: block; max-width: 100%; height: auto; }
"""
