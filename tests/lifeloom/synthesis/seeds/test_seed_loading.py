from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lifeloom.streams import Streams
from lifeloom.synthesis.seeds import (
    TooFewSeeds,
    builtin_captions_path,
    builtin_personas_path,
    group_captions,
    load_caption_seeds,
    load_persona_seeds,
    sample_personas,
)

Write = Callable[..., Path]


def test_personas_are_loaded_with_file_line_cluster_and_split(write: Write, persona_line: Callable[..., str]) -> None:
    path = write(
        [persona_line("A ferry cook from Split who collects bells"), "?", persona_line("A shy vet with nine cats")],
        "mine.jsonl",
    )
    reading = load_persona_seeds(path)
    assert [(seed.line, seed.source, seed.cluster_id == seed.seed_id) for seed in reading.seeds] == [
        (1, "mine.jsonl", True),
        (3, "mine.jsonl", True),
    ]
    assert reading.report.summary() == "mine.jsonl: 3 read, 2 kept; left out: bad_json 1 (line 2)"
    assert [(r.stage, r.item, r.reason) for r in reading.report.rejections()] == [
        ("seeds/personahub_personas", "mine.jsonl line 2", "bad_json")
    ]


def test_the_same_text_twice_is_one_seed_and_counted(write: Write, persona_line: Callable[..., str]) -> None:
    line = persona_line("A ferry cook from Split")
    reading = load_persona_seeds(write([line, persona_line("A vet"), line]))
    assert [seed.line for seed in reading.seeds] == [1, 2]
    assert (reading.report.read, reading.report.kept, reading.report.count("duplicate")) == (3, 2, 1)


def test_a_persona_has_the_same_id_in_every_file(write: Write, persona_line: Callable[..., str]) -> None:
    text = "A ferry cook from Split"
    (first,) = load_persona_seeds(write([persona_line(text)], "one.jsonl")).seeds
    second = load_persona_seeds(write([persona_line("A vet"), persona_line(text)], "two.jsonl", packed=True)).seeds[1]
    assert first.seed_id == second.seed_id


def test_the_same_photo_twice_is_one_caption_and_counted(write: Write, row: Callable[..., str]) -> None:
    reading = load_caption_seeds(write([row(), row(photo="2"), row()]))
    assert [seed.line for seed in reading.seeds] == [1, 2]
    assert reading.report.count("duplicate_photo") == 1
    assert reading.report.read == reading.report.kept + reading.report.rejected_total


def test_too_few_usable_rows_are_told_with_counts_and_what_to_do(write: Write, row: Callable[..., str]) -> None:
    path = write([row(), row(title=""), row(title="IMG_0001"), row(marker="1")], "dump.tsv")
    with pytest.raises(TooFewSeeds) as caught:
        load_caption_seeds(path, at_least=40)
    message = str(caught.value)
    assert "40 usable rows are needed" in message
    assert "dump.tsv: 4 read, 1 kept" in message
    assert "no_text 1 (line 2)" in message
    assert "built-in seeds" in message


def test_a_persona_file_without_one_usable_line_is_an_error(write: Write) -> None:
    with pytest.raises(TooFewSeeds, match="bad_json 2"):
        load_persona_seeds(write(["?", "!"]))


def test_the_builtin_personas_fill_the_sizes_of_the_paper() -> None:
    reading = load_persona_seeds(builtin_personas_path())
    assert reading.report.kept >= 750
    assert reading.report.rejected_total == 0
    assert {seed.source for seed in reading.seeds} == {"builtin"}
    assert len({seed.cluster_id for seed in reading.seeds}) >= 750
    streams = Streams(0)
    assert len(sample_personas(reading.seeds, count=500, split="train", streams=streams, purpose="corpus")) == 500
    assert len(sample_personas(reading.seeds, count=200, split="benchmark", streams=streams, purpose="bench")) == 200


def test_the_builtin_captions_span_many_accounts_and_years() -> None:
    reading = load_caption_seeds(builtin_captions_path(), at_least=600)
    groups = list(group_captions(reading.seeds))
    assert len(groups) >= 40
    assert len({seed.taken_at.year for seed in reading.seeds if seed.taken_at}) >= 3
