from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lifeloom.records import CaptionSeed
from lifeloom.synthesis.seeds import CaptionReader, SeedTally, group_captions

START = dt.datetime(2008, 1, 1)  # noqa: DTZ001 - wall-clock time


def caption(photo: int, account: int, day: int | None, text: str = "Market day with Lena") -> CaptionSeed:
    return CaptionSeed(
        caption_id=f"yfcc-{photo}",
        account_id=f"account-{account}",
        title=text,
        description="",
        caption=text,
        taken_at=None if day is None else START + dt.timedelta(days=day),
        tags=("market", "late summer"),
        licence="CC BY 2.0",
        line=photo + 1,
        use="concept" if day is None else "event",
    )


photos = st.lists(
    st.tuples(st.integers(0, 12), st.one_of(st.none(), st.integers(0, 4_000)), st.text(max_size=20)), max_size=40
)


@given(photos, st.sampled_from([1, 400, 1 << 20]), st.randoms(use_true_random=False))
def test_grouping_loses_and_changes_nothing_whatever_the_order_and_the_memory(
    rows: list[tuple[int, int | None, str]], run_bytes: int, rng: random.Random
) -> None:
    captions = [caption(n, account, day, f"Text {text.split()}") for n, (account, day, text) in enumerate(rows)]
    clean = [one for one in captions if one.caption.isprintable()]
    rng.shuffle(clean)
    groups = list(group_captions(clean, run_bytes=run_bytes))
    assert [group.account_id for group in groups] == sorted({one.account_id for one in clean})
    for group in groups:
        expected = [one for one in clean if one.account_id == group.account_id]
        expected.sort(key=lambda one: (one.taken_at is None, one.taken_at or START, one.caption_id))
        assert list(group.captions) == expected


def test_more_runs_than_open_files_are_merged_in_between() -> None:
    captions = [caption(n, n % 7, n % 365) for n in range(500)]
    tally = SeedTally("test", "captions")
    groups = list(group_captions(reversed(captions), run_bytes=1, tally=tally))
    assert len(groups) == 7
    assert sorted(one.caption_id for group in groups for one in group.captions) == sorted(
        one.caption_id for one in captions
    )
    assert (tally.read, tally.kept) == (500, 500)


def test_the_same_photo_twice_and_a_full_account_are_counted() -> None:
    tally = SeedTally("test", "captions")
    repeated = caption(1, 5, 3).model_copy(update={"line": 90})
    captions = [caption(3, 5, 30), caption(1, 5, 3), repeated, caption(2, 5, 20), caption(9, 6, None)]
    groups = list(group_captions(captions, max_per_account=2, tally=tally))
    assert [[one.line for one in group.captions] for group in groups] == [[2, 3], [10]]
    report = tally.report()
    assert report.count("duplicate_photo") == 1
    assert report.count("account_full") == 1
    assert report.read == report.kept + report.rejected_total


def test_the_temporary_files_go_even_when_the_grouping_is_given_up(tmp_path: Path) -> None:
    groups = group_captions([caption(n, n, n) for n in range(50)], spill_folder=tmp_path, run_bytes=100)
    next(groups)
    assert list(tmp_path.iterdir())
    groups.close()  # type: ignore[attr-defined]
    assert list(tmp_path.iterdir()) == []


def test_a_dump_is_grouped_as_it_is_read(write: Callable[..., Path], row: Callable[..., str]) -> None:
    lines = [
        row("Last swim", photo="3", account="222@N01", taken="2009-08-14 10:00:00.0"),
        row("First snow", photo="1", account="222@N01", taken="2008-12-01 10:00:00.0"),
        row("No date at all", photo="0", account="222@N01", taken=""),
        row("Another one", photo="9", account="111@N01"),
    ]
    groups = list(group_captions(CaptionReader(write(lines))))
    assert [(group.account_id, [one.title for one in group.captions]) for group in groups] == [
        ("account-111-n01", ["Another one"]),
        ("account-222-n01", ["First snow", "Last swim", "No date at all"]),
    ]
