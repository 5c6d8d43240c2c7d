"""A scene-graph F1: objects, attributes and relations of a caption held against those of its references.

This is SPICE's measure (Anderson et al. 2016) with a chunker of English noun phrases in place of its dependency parser,
whose Java tool is not to be had here, and without its synonyms. A verb that the chunker does not know may pass for a
thing. It is named for what it is: its numbers are not SPICE's.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from lifeloom.models.builtin.reader.english import STOPWORDS, lexicon
from lifeloom.models.builtin.reader.text import stem

__all__ = ["scene_graph", "scene_graph_f1"]

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[.,;:!?()]")
_LINKS = lexicon("in on at with of beside near under over behind by wearing holding to from inside outside around")
"""Words that say how two things stand to each other."""
_BEFORE_NOUNS = lexicon("a an the this that these those his her its their my your our some two three four five")
_NO_THINGS = lexicon(
    "is are was were be been being has have had do does did there here left right picture photo image shows show taken "
    "stands stand sits sit lies lie looks look wears holds walks and or but while who which that this it they he she"
)


@functools.lru_cache(maxsize=20_000)
def scene_graph(text: str) -> frozenset[tuple[str, ...]]:
    """Return the tuples of a text: ``(object,)``, ``(object, attribute)``, ``(object, relation, object)``.

    A noun phrase is a run of content words; its last word is the object, those before are its attributes. Two phrases
    with nothing but a linking word between them are related; "riding" links in "a man riding a horse".
    """
    found: set[tuple[str, ...]] = set()
    phrase: list[str] = []
    link, before = "", ""

    def close() -> str:
        nonlocal link
        if not phrase:
            return before
        head = phrase[-1]
        found.add((head,))
        found.update((head, one) for one in phrase[:-1])
        if link and before:
            found.add((before, link, head))
        phrase.clear()
        link = ""
        return head

    tokens = _TOKEN.findall(text.lower())
    for place, token in enumerate(tokens):
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        if token in _LINKS or (phrase and token.endswith("ing") and following in _BEFORE_NOUNS):
            before = close()
            link = stem(token)
        elif token in STOPWORDS or token in _NO_THINGS or not token[0].isalnum():
            before = close()
            if not token[0].isalnum():
                link, before = "", ""
        else:
            phrase.append(stem(token))
    close()
    return frozenset(found)


def scene_graph_f1(caption: str, references: Sequence[str]) -> float:
    """Return the F1 of the caption's tuples against the union of its references', 0..1; 0 where either has none."""
    own = scene_graph(caption)
    wanted = frozenset().union(*(scene_graph(one) for one in references))
    if not own or not wanted:
        return 0.0
    shared = len(own & wanted)
    return 2 * shared / (len(own) + len(wanted))
