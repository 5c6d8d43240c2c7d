"""A memory database as a life graph: people, episodes, dates and matters, every edge citing memories and turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lifeloom.assistant.memory_graph.kept import threads_at
from lifeloom.assistant.memory_graph.people import names_in, names_of, places_of
from lifeloom.assistant.memory_graph.threads import DEFAULT_THREADS, Thread, ThreadSettings
from lifeloom.assistant.shown import clock_text
from lifeloom.lifegraph import Attribute, Entity, EntityType, Fact, LifeGraph
from lifeloom.memory import UserMemory
from lifeloom.records import Memory, Moment, make_id

__all__ = ["THREAD_RELATION", "graph_of_memory"]

THREAD_RELATION = "partOf"
"""From an episode to the thread that it belongs to."""
_NAME_LENGTH = 80


def graph_of_memory(
    memory: UserMemory, as_of: Moment | None = None, settings: ThreadSettings = DEFAULT_THREADS
) -> LifeGraph:
    """Return what a user's memory knew at a moment, as a graph.

    Nodes: the user and the people named (PersonAnimal), the places named (Location), episodes (Event), their days
    (Date), matters that memories are of (Object, one a thread). Edges say when they became known; ``sources`` are ids
    of memories and ``turn-<number>``. What was erased from the memory is not in it, since it is made from the memory
    each time.

    Args:
        memory: The user's memory; it is only read.
        as_of: The moment; None: now.
        settings: When memories are of one matter.

    Raises:
        MemoryFailure: the memory cannot be read.
    """
    with memory.snapshot():
        threads = threads_at(memory, as_of, settings)
        episodes = memory.memories("episodic", as_of=as_of)
        core = memory.core(as_of)
        turns = memory.turns(as_of=as_of)
    offsets = {turn.index: turn.offset_minutes for turn in turns}
    builder = _Builder(offsets)
    named = [value for value in core if value.key == "name"][:1]
    name = named[0].content if named else "the user"
    owner = builder.entity("PersonAnimal", name, named)
    told = [one for thread in threads for one in thread.members]
    spoken_of = names_in(told)
    places = places_of(spoken_of, told)
    named_in = {one: {memory.memory_id for memory in own} for one, own in spoken_of.items()}
    named_entities = {
        one: builder.entity("Location" if one in places else "PersonAnimal", one, own)
        for one, own in spoken_of.items()
        if one not in name.split()
    }
    for value in core:
        builder.fact(owner, "has", builder.entity("Object", value.content, (value,)), (value,), {"of": [value.key]})
    matters = {thread.thread_id: builder.matter(thread) for thread in threads}
    for thread in threads:
        for one in thread.members:
            builder.fact(owner, "told", matters[thread.thread_id], (one,), {"what": [one.content]})
        for spoken, entity in named_entities.items():
            about = [one for one in thread.members if one.memory_id in named_in[spoken]]
            if about:
                builder.fact(matters[thread.thread_id], "concerns", entity, about)
    for episode in episodes:
        event = builder.entity("Event", f"{_short(episode.content)} ({builder.day(episode)})", (episode,))
        builder.fact(event, "onDate", builder.entity("Date", builder.day(episode), (episode,)), (episode,))
        for spoken, entity in named_entities.items():
            if spoken in names_of(episode.content):
                builder.fact(event, "mentions" if spoken in places else "involves", entity, (episode,))
        for thread in _threads_of_episode(episode, threads):
            builder.fact(event, THREAD_RELATION, matters[thread.thread_id], (episode,))
    return LifeGraph.of(memory.user_id, owner.entity_id, builder.entities.values(), builder.facts.values())


def _threads_of_episode(episode: Memory, threads: Sequence[Thread]) -> list[Thread]:
    """Return the threads of which a member follows from a turn of the episode."""
    turns = set(episode.source_turns)
    return [thread for thread in threads if any(turns.intersection(one.source_turns) for one in thread.members)]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _NAME_LENGTH else f"{line[: _NAME_LENGTH - 1]}…"


class _Builder:
    """Entities and facts on their way, each once."""

    def __init__(self, offsets: dict[int, int]) -> None:
        self.entities: dict[str, Entity] = {}
        self.facts: dict[str, Fact] = {}
        self._offsets = offsets

    def day(self, memory: Memory) -> str:
        """Return the day of a memory's first turn on the user's clock."""
        offset = self._offsets.get(memory.source_turns[0], 0) if memory.source_turns else 0
        return clock_text(memory.happened_from, offset)[:10]

    def matter(self, thread: Thread) -> Entity:
        """Return the node of a thread: named by its keywords, apart from others of the same."""
        first = thread.members[0]
        return self._put("Object", thread.title or _short(first.content), thread.thread_id, thread.members)

    def entity(self, kind: EntityType, name: str, memories: Sequence[Memory]) -> Entity:
        """Return the node of a name."""
        return self._put(kind, name, make_id("entity", kind, name.casefold()), memories)

    def _put(self, kind: EntityType, name: str, entity_id: str, memories: Sequence[Memory]) -> Entity:
        known = self.entities.get(entity_id)
        sources = tuple(dict.fromkeys([*(known.sources if known else ()), *_sources(memories)]))
        first = min(memories, key=lambda one: one.known_turns, default=None)
        entity = Entity(
            entity_id,
            kind,
            name,
            sources=sources,
            known_at=known.known_at if known else None if first is None else first.known_at,
            known_turns=known.known_turns if known else first.known_turns if first else 0,
        )
        self.entities[entity_id] = entity
        return entity

    def fact(
        self,
        head: Entity,
        relation: str,
        tail: Entity,
        memories: Sequence[Memory],
        attributes: dict[str, list[str]] | None = None,
    ) -> None:
        """Add an edge that follows from ``memories``, with the days of their turns."""
        told = {**(attributes or {}), "on": list(dict.fromkeys(self.day(one) for one in memories if one.source_turns))}
        parts = tuple(Attribute(key, tuple(values)) for key, values in told.items() if values)
        sources = tuple(_sources(memories))
        first = min(memories, key=lambda one: one.known_turns)
        fact_id = make_id("fact", head.entity_id, relation, tail.entity_id, repr(parts), *sources)
        self.facts[fact_id] = Fact(
            fact_id, head.entity_id, relation, tail.entity_id, parts, sources, first.known_at, first.known_turns
        )


def _sources(memories: Iterable[Memory]) -> list[str]:
    return [source for one in memories for source in (one.memory_id, *(f"turn-{turn}" for turn in one.source_turns))]
