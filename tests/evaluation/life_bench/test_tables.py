"""Tables of Life-Bench: what is marked as best, and where the life graph leads."""

from __future__ import annotations

from evaluation.life_bench.report import leads
from evaluation.life_bench.tables import PAPER_TABLES, accuracy_table, beside_paper, depth_table
from tests.evaluation.life_bench.asked import prediction, question, score


def cells(table, row):
    return [
        cell.strip() for cell in next(line for line in table.splitlines() if line.startswith(f"| {row} ")).split("|")
    ]


def test_the_best_is_bold_and_the_second_underlined_ties_included():
    table = accuracy_table([score("one", 0.5), score("two", 0.8), score("three", 0.8), score("four", 0.2)])

    assert cells(table, "two")[2].startswith("**0.800**")
    assert cells(table, "three")[2].startswith("**0.800**")
    assert cells(table, "one")[2].startswith("<u>0.500</u>")
    assert cells(table, "four")[2].startswith("0.200 [")


def test_a_method_without_a_score_in_a_column_leaves_it_empty():
    table = accuracy_table([score("one", 0.5), score("one", 0.4, "concept_vqa", "easy"), score("two", 0.6)])

    assert cells(table, "two")[2] == ""
    assert cells(table, "two")[3].startswith("**0.600**")


def test_the_papers_numbers_stand_beside_ours():
    table = beside_paper([score("rap-k3", 0.25, "text_concept_qa", "easy")])

    assert "0.25 / 0.93" in table
    assert all(len(row) == 13 for row in PAPER_TABLES.values())


def test_depths_stand_beside_table_5():
    assert depth_table({2: 1.5}).splitlines()[-1] == "| 2 | 1.50 | 1.30 |"


def test_leads_are_paired_over_the_same_questions():
    names = [f"q{n}" for n in range(10)]
    given = {
        "lifegraph-d2-k3": [prediction(one, right=n < 8, policy="lifegraph-d2-k3") for n, one in enumerate(names)],
        "rap-k3": [prediction(one, right=n < 8) for n, one in enumerate(names)],
        "rag-cap-k3": [prediction(one, right=n < 3, policy="rag-cap-k3") for n, one in enumerate(names)],
    }
    table = leads([question(one) for one in names], given, seed=1)

    assert table.splitlines()[0].endswith("| ahead of rag-cap-k3 | ahead of rap-k3 |")
    assert table.endswith("| +0.000 [+0.00, +0.00], 0 of 1 |")  # both have the same eight: paired, no doubt is left


def test_counting_tools_are_not_taken_for_the_papers_method():
    given = {
        "lifegraph-d2-k3": [prediction("q", right=False, policy="lifegraph-d2-k3")],
        "lifegraph-d2-k3-tools": [prediction("q", right=True, policy="lifegraph-d2-k3-tools")],
        "rap-k3": [prediction("q", right=False)],
    }

    head, _, row = leads([question("q")], given, seed=1).splitlines()

    assert head.startswith("| task | lifegraph-d2-k3 | ahead of rap-k3 | ahead of lifegraph-d2-k3-tools |")
    assert row.startswith("| scene and activity | 0.000 | +0.000 ")
    assert row.endswith("| -1.000 [-1.00, -1.00], 0 of 1 |")
