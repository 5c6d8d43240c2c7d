"""What finds a remembered fact: vectors, vectors with words, or two vectors. Recall of the turn that said it.

Conversations of the built-in writer, made here with a seed of their own, without pictures. Memories are built from them
by the update stage with the built-in extractor. With --ideal they are those of an extractor that misses nothing: one
semantic memory for each turn that states something (the sentences that name it, and no others), one episode for each
session and topic (those sentences of its turns), under their first content words. A fact that the extractor missed
cannot be found, so recall is lower with its memories, the same for every way of merging.

Run: .venv/bin/python perf/memory_retrieval.py [--ideal] [--conversations 24]
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lifeloom.assistant import UpdateStage, build_memories
from lifeloom.memory import UserMemory
from lifeloom.memory.lexical import LexicalIndex, terms_of
from lifeloom.memory.retrieval import LEXICAL_WEIGHT
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.records import ConversationPlan, PlannedFact, Turn
from lifeloom.streams import Streams
from lifeloom.synthesis.dialogues import write_conversation
from lifeloom.synthesis.occasion_seeds import assign_captions
from lifeloom.synthesis.personas import enrich_persona
from lifeloom.synthesis.planning.shapes import shape_for
from lifeloom.synthesis.plans import plan_conversation
from lifeloom.synthesis.seeds import (
    builtin_captions_path,
    builtin_personas_path,
    load_caption_seeds,
    load_persona_seeds,
    sample_personas,
)

SEED = 51_966
WEIGHTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
K = {"semantic": (1, 4), "episodic": (2,)}
SENTENCE = re.compile(r"(?<=[.!?])\s+")
SHOWN_ONLY = {"hidden_intent", "hidden_taste", "pattern", "expertise"}
"""Kinds of facts that are never named."""


@dataclass(frozen=True)
class Filed:
    """A memory."""

    kind: str
    content: str
    keywords: tuple[str, ...]
    turns: frozenset[int]


@dataclass(frozen=True)
class Asked:
    """A query, and the turns that answer it."""

    wording: str
    text: str
    keywords: tuple[str, ...]
    turns: frozenset[int]


def conversations(count: int, setting: str) -> Iterable[tuple[ConversationPlan, Sequence[Turn]]]:
    streams, model = Streams(SEED), BuiltinModel()
    seeds = load_persona_seeds(builtin_personas_path()).seeds
    captions = load_caption_seeds(builtin_captions_path()).seeds
    sample = sample_personas(seeds, count=count, split="train", streams=streams, purpose=f"retrieval-{setting}")
    shape = dataclasses.replace(shape_for(setting), picture_share=0.0)
    people = [enrich_persona(seed, edition="corpus", model=model, streams=streams) for seed in sample]
    chosen = assign_captions(lambda: captions, [p.persona_id for p in people], split="train", streams=streams)
    for person in people:
        plan = plan_conversation(
            person,
            setting=setting,
            ends_on=dt.date(2024, 9, 30),
            captions=chosen[person.persona_id],
            shape=shape,
            streams=streams,
        )
        written = write_conversation(plan, person, model)
        if written.turns:
            yield plan, written.turns


def content_words(texts: Iterable[str], most: int) -> tuple[str, ...]:
    """The first words that say something, each once: stands in for what an extractor would file it under."""
    words: dict[str, str] = {}
    for text in texts:
        for word in re.findall(r"[^\W\d_]{3,}", text):
            for term in terms_of(word):
                words.setdefault(term, word)
    return tuple(list(words.values())[:most])


def stated(turn: Turn, names: set[str]) -> list[str]:
    """The sentences that name at least two of ``names``, or the only one."""
    return [s for s in SENTENCE.split(turn.user) if names and len(names & set(terms_of(s))) >= min(2, len(names))]


def memories_of(plan: ConversationPlan, turns: Sequence[Turn]) -> list[Filed]:
    facts = {fact.fact_id: fact for fact in plan.facts}
    filed = []
    by_topic: dict[tuple[int, str], list[tuple[int, list[str]]]] = {}
    for planned in plan.turns:
        turn = turns[planned.turn_index]
        names: set[str] = set()
        for statement in planned.statements:
            fact = facts[statement.fact_id]
            before = facts.get(statement.previous_fact_id or "")
            said = (fact.value, fact.phrase, fact.holder_name, statement.sign, statement.previous_sign)
            names.update(terms_of(" ".join((*said, before.value if before else ""))))
        if planned.occasion:
            names.update(terms_of(planned.occasion.caption))
        stating = stated(turn, names)
        if stating:
            content = f"The user said: {' '.join(stating)}"
            filed.append(Filed("semantic", content, content_words(stating, 10), frozenset({turn.turn_index})))
        by_topic.setdefault((planned.session_index, planned.area), []).append((turn.turn_index, stating))
    for (_, area), those in by_topic.items():
        told = [sentence for _, stating in those for sentence in stating]
        summary = f"The user talked about {area}. {' '.join(told)}"
        filed.append(Filed("episodic", summary, (area, *content_words(told, 15)), frozenset(i for i, _ in those)))
    return filed


def built(turns: Sequence[Turn], encoder: MiniLmEncoder) -> list[Filed]:
    """What the update stage remembers of a conversation."""
    user_id = turns[0].persona_id
    with tempfile.TemporaryDirectory() as folder, UserMemory.open(Path(folder) / "user.sqlite", user_id) as memory:
        build_memories(memory, turns, UpdateStage(BuiltinModel(encoder), encoder))
        return [
            Filed(known.kind, known.content, known.keywords, frozenset(known.source_turns))
            for kind in ("semantic", "episodic")
            for known in memory.memories(kind)
        ]


def asked_about(fact: PlannedFact) -> Iterable[Asked]:
    turns = frozenset(fact.stated_in)
    if fact.kind == "relationship":
        yield Asked("who is NAME", f"Who is {fact.phrase}?", (fact.phrase,), turns)
        yield Asked("value", f"the user's {fact.value}", (fact.value,), turns)
    else:
        yield Asked("question", f"What is my {fact.phrase} these days?", (fact.phrase,), turns)
        yield Asked("attribute", fact.phrase, (fact.phrase,), turns)
        yield Asked("value", fact.value, (fact.value,), turns)


class Case:
    """A conversation's memories of one kind with all queries, encoded."""

    def __init__(self, filed: Sequence[Filed], asked: Sequence[Asked], encode: Callable) -> None:
        self.filed, self.asked = filed, asked
        self.contents = encode([one.content for one in filed])
        self.keywords = encode([", ".join(one.keywords) for one in filed])
        self.texts = encode([one.text for one in asked])
        self.words = encode([", ".join(one.keywords) for one in asked])
        self.lexical = LexicalIndex()
        for position, one in enumerate(filed):
            self.lexical.add(position, one.keywords)

    def merged(self, query: int, weight: float) -> np.ndarray:
        """Cosine plus ``weight`` times the share of the keywords."""
        score = self.contents @ self.texts[query]
        positions, shares = self.lexical.match(self.asked[query].keywords)
        score[positions] += np.float32(weight) * shares
        return score

    def two_vectors(self, query: int) -> np.ndarray:
        """Content against query and keywords against keywords, whichever is nearer."""
        return np.maximum(self.contents @ self.texts[query], self.keywords @ self.words[query])

    def found(self, scores: np.ndarray, k: int, turns: frozenset[int]) -> bool:
        """Whether one of the ``k`` best follows from one of ``turns``."""
        best = np.argsort(-scores, kind="stable")[:k]
        return any(self.filed[int(position)].turns & turns for position in best)


def interval(by_conversation: Sequence[np.ndarray], rng: np.random.Generator) -> tuple[float, float, float]:
    """Mean and 95 % interval, conversations drawn anew (each row: hits, queries)."""
    table = np.array([(row.sum(), len(row)) for row in by_conversation if len(row)], dtype=float)
    drawn = table[rng.integers(0, len(table), size=(2000, len(table)))].sum(axis=1)
    low, high = np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])
    return table[:, 0].sum() / table[:, 1].sum(), float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=24, help="of each setting (train, 128k)")
    parser.add_argument("--ideal", action="store_true", help="memories that miss nothing")
    arguments = parser.parse_args()
    encoder = MiniLmEncoder()
    cases: dict[str, list[Case]] = {"semantic": [], "episodic": []}
    turns_made = 0
    for setting in ("train", "128k"):
        for plan, turns in conversations(arguments.conversations, setting):
            turns_made += len(turns)
            filed = memories_of(plan, turns) if arguments.ideal else built(turns, encoder)
            facts = [f for f in plan.facts if f.status == "current" and f.kind not in SHOWN_ONLY and not f.pictured]
            asked = [query for fact in facts for query in asked_about(fact)]
            for kind, those in cases.items():
                of_kind = [one for one in filed if one.kind == kind]
                if of_kind and asked:
                    those.append(Case(of_kind, asked, encoder.encode))
    queries = sum(len(case.asked) for case in cases["semantic"])
    sizes = {kind: sum(len(case.filed) for case in those) for kind, those in cases.items()}
    made = f"{len(cases['semantic'])} conversations, {turns_made} turns, {queries} queries, memories: {sizes}"
    print(made, flush=True)

    rng = np.random.default_rng(Streams(SEED).numpy_seed("bootstrap"))
    rankings: dict[str, Callable[[Case, int], np.ndarray]] = {
        ("vectors alone" if weight == 0 else f"cosine + {weight:g} × share"): lambda case, query, weight=weight: (
            case.merged(query, weight)
        )
        for weight in WEIGHTS
    }
    rankings["two vectors, least distance"] = lambda case, query: case.two_vectors(query)
    for half, parity in (("chosen on (every other conversation)", 0), ("reported on (the others)", 1)):
        for kind, those in cases.items():
            part = those[parity::2]
            wordings = list(dict.fromkeys(query.wording for case in part for query in case.asked))
            for k in K[kind]:
                print(f"\n{kind}, recall@{k}, {half}")
                print(f"{'':30}{'all':>22}" + "".join(f"{wording:>22}" for wording in wordings))
                base: list[np.ndarray] = []
                for name, scores in rankings.items():
                    hits = [
                        np.array([case.found(scores(case, q), k, one.turns) for q, one in enumerate(case.asked)], float)
                        for case in part
                    ]
                    cells = [interval(hits, rng)]
                    for wording in wordings:
                        chosen = [
                            row[[one.wording == wording for one in case.asked]]
                            for row, case in zip(hits, part, strict=True)
                        ]
                        cells.append(interval(chosen, rng))
                    line = "".join(f"{f'{mean:.3f} [{low:.3f}, {high:.3f}]':>22}" for mean, low, high in cells)
                    if base:
                        change = interval([row - old for row, old in zip(hits, base, strict=True)], rng)
                        line += f"   against vectors alone {change[0]:+.3f} [{change[1]:+.3f}, {change[2]:+.3f}]"
                    else:
                        base = hits
                    print(f"{name:30}{line}")
    print(f"\nthe default weight is {LEXICAL_WEIGHT}")


if __name__ == "__main__":
    main()
