"""Refused query pictures by number of concepts, as a table and a figure."""

from __future__ import annotations

import pytest

from evaluation.reports import INLINE_BYTES, inlined
from evaluation.scene_reports import failure_figure, failure_table

COUNTS = {1: (0, 14), 4: (9, 20)}


def test_the_table_has_shares_with_wilson_intervals_beside_the_papers_words() -> None:
    table = failure_table(COUNTS).splitlines()
    # z = 1.95996: 0 of 14 gives at most z² / (14 + z²) = 3.8415 / 17.8415.
    assert table[2] == "| 1 | 14 | 0 | 0.0% (0.0% to 21.5%) | generally well aligned |"
    # 9 of 20: the middle is (9 + 1.9207) / 23.8415 = 0.45805, the half width
    # 1.95996 / 23.8415 * sqrt(9 * 11 / 20 + 3.8415 / 4) = 0.19988.
    assert table[3] == "| 4 | 20 | 9 | 45.0% (25.8% to 65.8%) | nearly 45 % |"
    assert table[4].startswith("| all | 34 | 9 | 26.5% (")


def test_without_pictures_there_is_nothing_to_tell() -> None:
    assert failure_table({}) == "no query pictures"
    with pytest.raises(ValueError, match="no query pictures"):
        failure_figure({})


def test_the_figure_is_small_enough_to_be_kept_and_has_a_bar_for_each_number() -> None:
    figure = failure_figure(COUNTS)
    assert [round(bar.get_height(), 1) for bar in figure.axes[0].patches] == [0.0, 45.0]
    assert len(inlined(lambda: failure_figure(COUNTS), "refused")) < INLINE_BYTES
