"""The built-in eyes as a detector that is asked in words."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lifeloom.models.builtin.eyes import Eyes, Sight
from lifeloom.models.builtin.reader.english import PEOPLE, lexicon
from lifeloom.models.builtin.reader.looking import looks
from lifeloom.models.builtin.reader.text import base, content_stems, words_of
from lifeloom.models.protocol import Detection, ModelIdentity

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["EyesDetector"]

_BESIDES = lexicon(
    "with in on at of from by under behind beside near next holding wearing carrying playing who that which"
)
"""What follows tells a thing apart from others, and may name others itself."""

_ANYBODY = PEOPLE | {"person", "human", "child", "baby", "kid", "toddler", "teenager", "adult"}


class EyesDetector:
    """A ``Detector`` that also finds what it is asked for in words, among the people and things that the eyes know.

    What the eyes have seen of a picture is cached there.

    Args:
        eyes: Look at the pictures.
    """

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes

    @property
    def identity(self) -> ModelIdentity:
        """Those of the eyes."""
        return self._eyes.identity

    def detect(self, pictures: Sequence[Image]) -> list[tuple[Detection, ...]]:
        """Return the people and things in each of ``pictures`` (RGB, upright), best first; labels are names of things.

        Raises:
            EyesWeightsUnusable, ImageWeightsMissing, CacheFileUnusable: as ``Eyes.look_at``.
        """
        return [_all_of(sight) for sight in self._eyes.look_at(pictures)]

    def detect_labels(self, pictures: Sequence[Image], labels: Sequence[str]) -> list[tuple[Detection, ...]]:
        """Return which of ``labels`` stand in each of ``pictures``, best first.

        Words for people find everybody; words for a thing find all of its name, or those of its colour where one is
        named and there are any.

        Args:
            pictures: RGB, upright.
            labels: What to look for: ``boy``, ``red mug``.

        Raises:
            EyesWeightsUnusable, ImageWeightsMissing, CacheFileUnusable: as ``Eyes.look_at``.
        """
        found = []
        for sight in self._eyes.look_at(pictures):
            finds = [one for label in labels for one in _named(sight, label)]
            found.append(tuple(sorted(finds, key=lambda one: (-one.score, one.box))))
        return found

    def check(self) -> str:
        """Look at an empty picture and return one line about it.

        Raises:
            EyesWeightsUnusable, ImageWeightsMissing, CacheFileUnusable: as ``detect``.
        """
        from PIL import Image as PillowImage

        return f"finds {len(self.detect([PillowImage.new('RGB', (256, 256), 'grey')])[0])} things in an empty picture"


def _all_of(sight: Sight) -> tuple[Detection, ...]:
    finds = [Detection("person", one.score, one.box, "person") for one in sight.people]
    finds += [Detection(one.kind, one.score, one.box, one.name) for one in sight.things]
    return tuple(sorted(finds, key=lambda one: (-one.score, one.box)))


def _named(sight: Sight, label: str) -> list[Detection]:
    words = list(itertools.takewhile(lambda word: word.lower() not in _BESIDES, words_of(label)))
    if any(base(word.lower()) in _ANYBODY for word in words):
        return [Detection("person", one.score, one.box, label) for one in sight.people]
    asked = set(content_stems(" ".join(words)))
    things = [one for one in sight.things if _is_called(asked, one.name)]
    coloured = [one for one in things if set(content_stems(one.colour)) & asked]
    return [Detection(one.kind, one.score, one.box, label) for one in coloured or things]


def _is_called(asked: set[str], name: str) -> bool:
    """Return whether one of the words fits; the second word of a name alone may mean another thing: a bear."""
    return bool(asked & (looks(name) - set(content_stems(name)[1:])))
