"""The built-in extractor: time a turn and a session, and what its memories hold of what was said.

Conversations are planned and written for it with a seed of their own, without pictures. Run with
``OMP_NUM_THREADS=1 .venv/bin/python perf/extractor.py``; ``--personas`` for another size, ``--statements`` for the
messages written by hand alone.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from evaluation.memory_quality import (
    measure,
    quality_markdown,
    read_written,
    score_written,
    truth_of,
    written_markdown,
)
from lifeloom.assistant.forms import parse_episodic, parse_procedural, parse_semantic
from lifeloom.models.builtin.extractor import (
    core_text,
    episodic_text,
    infer_personality,
    procedural_text,
    semantic_text,
)
from lifeloom.records import BY_CODE, ConversationPlan, Memory, Persona, Turn
from lifeloom.tasks import (
    CoreUpdateInput,
    EpisodicUpdateInput,
    PersonalityInferenceInput,
    ProceduralUpdateInput,
    SemanticUpdateInput,
)
from lifeloom.tasks.choice_answer import PICTURE_MARK, ContextMessage
from lifeloom.tasks.session_updates import ProceduralLine, SessionTurn

STATEMENTS = Path(__file__).parent.parent / "tests" / "data" / "first_person_statements.jsonl"
SEED = 20_261
AT = "2025-06-01 10:00"


def written(personas: int, folder: str) -> tuple[list[ConversationPlan], list[Turn]]:
    """Plan and write conversations."""
    from lifeloom.models.builtin.backend import BuiltinModel
    from lifeloom.models.builtin.painter import BuiltinPainter
    from lifeloom.models.builtin.painter.pool import DrawingPool
    from lifeloom.store import DatasetStore, DatasetWriter, Recipe
    from lifeloom.streams import Streams
    from lifeloom.synthesis.illustrating import Illustrator
    from lifeloom.synthesis.making import ConversationOrder, make_dialogues, make_personas
    from lifeloom.synthesis.occasion_seeds import assign_captions
    from lifeloom.synthesis.planning.shapes import shape_for
    from lifeloom.synthesis.review import read_answers
    from lifeloom.synthesis.seeds import (
        builtin_captions_path,
        builtin_personas_path,
        load_caption_seeds,
        load_persona_seeds,
        sample_personas,
    )
    from lifeloom.synthesis.validation import Validator

    streams, model, store = Streams(SEED), BuiltinModel(), DatasetStore(folder)
    seeds = load_persona_seeds(builtin_personas_path()).seeds
    captions = load_caption_seeds(builtin_captions_path()).seeds
    sample = sample_personas(seeds, count=personas, split="train", streams=streams, purpose="perf")

    def write_personas(writer: DatasetWriter) -> None:
        make_personas(writer, sample, edition="corpus", model=model, streams=streams)

    def write_dialogues(writer: DatasetWriter) -> None:
        people = list(store.read("corpus/personas", "personas", Persona))
        chosen = assign_captions(lambda: captions, [p.persona_id for p in people], split="train", streams=streams)
        shape = dataclasses.replace(shape_for("train"), picture_share=0.0)
        orders = [ConversationOrder(person, "train", shape, tuple(chosen[person.persona_id])) for person in people]
        with DrawingPool(1) as pool:
            make_dialogues(
                writer,
                orders,
                ends_on=dt.date(2025, 12, 31),
                model=model,
                validator=Validator(model, answers=read_answers(Path(folder), "none"), where="perf"),
                illustrator=Illustrator(BuiltinPainter(), pool.draw_many),
                streams=streams,
            )

    store.produce("corpus/personas", Recipe(stage="personas", seed=SEED), write_personas)
    store.produce("corpus/dialogues", Recipe(stage="dialogues", seed=SEED), write_dialogues)
    plans = list(store.read("corpus/dialogues", "plans", ConversationPlan))
    return plans, list(store.read("corpus/dialogues", "turns", Turn))


class Extraction:
    """Memories of conversations, with the time that each step took."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}
        self._made = 0

    def memories(self, turns: Iterable[Turn]) -> Iterator[Memory]:
        """Yield what is remembered of the turns of one user."""
        goals: dict[str, tuple[str, tuple[int, ...]]] = {}
        for _, group in groupby(turns, key=lambda turn: turn.session_id):
            session = list(group)
            yield from self._semantic(session)
            rows = tuple(
                SessionTurn(number=i, at=AT, user=turn.user, assistant=turn.assistant)
                for i, turn in enumerate(session, 1)
            )
            self._timed("core, a session", core_text, CoreUpdateInput(profile=(), turns=rows))
            current = tuple(ProceduralLine(key=key, content=value[0]) for key, value in goals.items())
            text = self._timed(
                "procedural, a session", procedural_text, ProceduralUpdateInput(current=current, turns=rows)
            )
            for value in parse_procedural(text, len(rows)).entries:
                if value.content:
                    goals[value.key] = (value.content, tuple(session[i - 1].turn_index for i in value.numbers))
                else:
                    del goals[value.key]
            text = self._timed("episodic, a session", episodic_text, EpisodicUpdateInput(turns=rows))
            for topic in parse_episodic(text, len(rows)).topics:
                cited = tuple(session[i - 1].turn_index for i in topic.numbers)
                yield self._memory(session[-1], "episodic", topic.summary, cited)
        for key, (content, cited) in goals.items():
            yield self._memory(session[-1], "procedural", content, cited, key=key)

    def _semantic(self, session: list[Turn]) -> Iterator[Memory]:
        context: list[ContextMessage] = []
        for turn in session:
            question = SemanticUpdateInput(
                now=AT, weekday="Sunday", context=tuple(context), user=turn.user, assistant=turn.assistant
            )
            text = self._timed("semantic, a turn", semantic_text, question)
            asked = PersonalityInferenceInput(context=tuple(context), user=turn.user)
            self._timed("personality, a turn", infer_personality, asked)
            for entry in parse_semantic(text, turn.user.count(PICTURE_MARK)).entries:
                content = entry.content.removesuffix(f" {PICTURE_MARK}")
                yield self._memory(turn, "semantic", content, (turn.turn_index,), label=entry.kind)
            context.append(ContextMessage(at=AT, role="user", text=turn.user))
            context.append(ContextMessage(at=AT, role="assistant", text=turn.assistant))

    def _timed(self, name, function, question):  # type: ignore[no-untyped-def]
        started = time.perf_counter()
        answer = function(question)
        self.seconds.setdefault(name, []).append(time.perf_counter() - started)
        return answer

    def _memory(
        self, turn: Turn, kind: str, content: str, cited: tuple[int, ...], label: str = "", key: str = ""
    ) -> Memory:
        self._made += 1
        return Memory(
            user_id=turn.persona_id,
            memory_id=f"memory-{self._made}",
            kind=kind,  # type: ignore[arg-type]
            label=label,
            key=key,
            content=content,
            source_turns=cited,
            happened_from=turn.at,
            happened_to=turn.at,
            known_at=turn.at,
            known_turns=turn.turn_index + 1,
            made_by=BY_CODE,
        )


def score_statements() -> str:
    """Return how the messages written by hand are met."""

    def remember(text: str, context: Iterable[ContextMessage]) -> list[str]:
        question = SemanticUpdateInput(now=AT, weekday="Sunday", context=tuple(context), user=text, assistant="I see.")
        return [entry.content for entry in parse_semantic(semantic_text(question)).entries]

    return written_markdown(score_written(read_written(STATEMENTS), remember))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--personas", type=int, default=60)
    parser.add_argument("--statements", action="store_true")
    chosen = parser.parse_args()
    print(score_statements(), flush=True)
    if chosen.statements:
        return
    with tempfile.TemporaryDirectory() as folder:
        plans, turns = written(chosen.personas, folder)
    extraction = Extraction()
    memories: list[Memory] = []
    for _, own in groupby(turns, key=lambda turn: turn.persona_id):
        memories.extend(extraction.memories(own))
    for name, seconds in extraction.seconds.items():
        ordered = sorted(seconds)
        print(
            f"{name}: {1000 * statistics.mean(seconds):.2f} ms on average, {1000 * ordered[len(ordered) // 2]:.2f} "
            f"median, {1000 * ordered[int(0.99 * len(ordered))]:.2f} in the slowest hundredth ({len(seconds)})"
        )
    print(quality_markdown(measure(map(truth_of, plans), memories)))


if __name__ == "__main__":
    sys.exit(main())
