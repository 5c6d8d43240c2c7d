"""Does a query picture show what it was asked for: by what the eyes see."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lifeloom.models.builtin.reader.life.faces import ANYONE, name_faces
from lifeloom.models.builtin.reader.looking import LookedAt, SeenThing
from lifeloom.tasks.scene_check import SceneCheckInput, SceneCheckOutput

__all__ = ["check_scene"]


def check_scene(asked: SceneCheckInput, looked: Sequence[LookedAt], threshold: float) -> SceneCheckOutput:
    """Return which concepts are to be seen, and whether place, people and further things are as asked.

    People are compared by their faces, animals and objects by name, and by colour where the noun tells one. Two animals
    of one name pass for each other where the eyes call their coats by no colour that the noun tells.

    Args:
        asked: what was to be shown.
        looked: each concept's picture, then the query picture.
        threshold: cosine of two faces from which on they are one person's.
    """
    if len(looked) != len(asked.concepts) + 1:
        given = f"{len(looked)} pictures were given for {len(asked.concepts)} concepts and the picture itself"
        return SceneCheckOutput(adheres=False, visible=(False,) * len(asked.concepts), problems=(given,))
    concepts, query = looked[:-1], looked[-1]
    faces = {str(number): one.faces[0] for number, one in enumerate(concepts) if len(one.faces)}
    known = np.array(list(faces.values()), dtype=np.float32)
    named = name_faces(query.faces, known, list(faces), threshold)
    visible, problems = [], []
    for number, (noun, own) in enumerate(zip(asked.concepts, concepts, strict=True)):
        if str(number) in faces:
            seen = str(number) in named
        else:
            seen = any(_same(noun, one, other) for one in own.sight.things[:1] for other in query.sight.things)
        visible.append(seen)
        if not seen:
            problems.append(f"concept {number + 1}, {noun}, is not to be seen")
    problems_of_the_whole = _adherence(asked, query, named.count(ANYONE))
    return SceneCheckOutput(
        adheres=not problems_of_the_whole, visible=tuple(visible), problems=(*problems, *problems_of_the_whole)
    )


def _same(noun: str, own: SeenThing, other: SeenThing) -> bool:
    """Return whether two things are of one name, and of one colour where the noun tells a colour."""
    return other.name == own.name and (own.colour not in noun.split() or other.colour == own.colour)


def _adherence(asked: SceneCheckInput, query: LookedAt, unknown: int) -> list[str]:
    found = []
    if asked.place and query.sight.place and query.sight.place != asked.place:
        found.append(f"the place looks like {query.sight.place}, not {asked.place}")
    seen = len(query.faces)
    if seen != asked.people:
        found.append(f"{seen} people are to be seen instead of {asked.people}")
    elif unknown:
        found.append(f"{unknown} of the people are nobody of the concepts")
    if asked.further and asked.further not in {one.name for one in query.sight.things}:
        found.append(f"no {asked.further} is to be seen")
    return found
