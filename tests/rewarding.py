"""The labelled answers and thoughts of ``tests/data``, and a judge that says what it is told."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import PictureReference, Provenance
from lifeloom.tasks import AnswerRewardInput, ConsistencyInput, OptionText, RewardVerdictOutput

DATA = Path(__file__).parent / "data"
RIGHT = frozenset({"said", "paraphrased", "follows"})


def labelled_answers(*, held_out: bool) -> Iterator[tuple[AnswerRewardInput, str, bool]]:
    """Yield what to judge, its kind, and whether it is right."""
    for row in _rows("reward_answers.toml", "question", held_out):
        for kind, answer in _texts(row):
            yield AnswerRewardInput(question=row["question"], right=row["right"], answer=answer), kind, kind in RIGHT


def labelled_thoughts(*, held_out: bool) -> Iterator[tuple[ConsistencyInput, str, bool]]:
    """Yield what to judge, its kind, and whether it is consistent."""
    for row in _rows("reward_thoughts.toml", "case", held_out):
        options = tuple(
            OptionText.model_validate({"letter": letter, "text": text})
            for letter, text in zip("abcd", row.get("options", ()), strict=False)
        )
        for kind, answer in _texts(row):
            asked = ConsistencyInput(
                question=row["question"], options=options, thoughts=tuple(row["thoughts"]), answer=answer
            )
            yield asked, kind, kind in RIGHT


def _rows(name: str, table: str, held_out: bool) -> list[dict[str, Any]]:
    rows = tomllib.loads((DATA / name).read_text(encoding="utf-8"))[table]
    return [row for row in rows if row.get("held_out", False) == held_out]


def _texts(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for kind, texts in row.items():
        if isinstance(texts, list) and kind not in ("options", "thoughts"):
            yield from ((kind, text) for text in texts)


class SaysVerdicts:
    """A judge that gives verdicts in turn, the last one again and again; ``!reason`` is a rejection."""

    identity = ModelIdentity("code", "says-verdicts")
    window_tokens = 1_000
    scores_options = False
    takes_pictures = False

    def __init__(self, *verdicts: str) -> None:
        self._left = list(verdicts)
        self.asked: list[tuple[str, Any, int]] = []

    def run(
        self, task: Any, task_input: Any, images: Sequence[PictureReference] = (), *, sample: int = 0, **_: Any
    ) -> Generation[Any]:
        self.asked.append((task.name, task_input, sample))
        said = self._left.pop(0) if len(self._left) > 1 else self._left[0]
        if said.startswith("!"):
            raise GenerationRejected(task.name, said[1:], "raw")  # type: ignore[arg-type]
        made_by = Provenance(backend="code", model=f"try {sample}", prompt_version=task.prompt_version)
        return Generation(RewardVerdictOutput(reason="so it is", verdict=said), Usage(1, 1), made_by)

    def score_options(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    def check(self) -> str:
        return "ok"
