"""Which turns a memory follows from: those that it is said to be of, and those that the rest of its words come from.

"She is a dentist" is of one turn, but who she is was said in another. What is remembered of it holds words of both, so
it cites both, and goes when either is erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lifeloom.memory import DialogueTurn
from lifeloom.memory.lexical import terms_of

__all__ = ["cited_turns"]

_TELLING = frozenset(
    terms_of(
        "say says said ask asks asked tell tells told mention mentions mentioned want wants wanted need needs needed "
        "request requests requested talked talks themselves himself herself"
    )
)
"""What a summary in the third person says of anybody, whatever the turns were."""


def cited_turns(named: Sequence[DialogueTurn], others: Sequence[DialogueTurn], texts: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of the turns that ``texts`` follow from, ascending.

    For each content word that no turn of ``named`` holds, the latest of ``others`` that holds it is cited too. Case,
    accents and endings make no difference; function words, and those in which a summary tells of anybody (``said``),
    do not count. A model may have seen such a word in a picture of a named turn: where it was said before, that turn is
    cited all the same, since nobody can tell.

    Args:
        named: The turns that it is of.
        others: Further turns that the model was shown, oldest first.
        texts: Its content and keywords.
    """
    numbers = {turn.index for turn in named}
    wanted = set(terms_of(" ".join(texts))).difference(_TELLING, *map(_terms, named))
    for turn in reversed(others):
        if not wanted:
            break
        held = wanted & _terms(turn)
        if held:
            numbers.add(turn.index)
            wanted -= held
    return tuple(sorted(numbers))


def _terms(turn: DialogueTurn) -> set[str]:
    # Word by word: what is kept for speed is then words, not messages.
    words = f"{turn.user} {turn.assistant}".split()
    return {term for word in words for term in terms_of(word)}
