"""Is a library sound: readable, licensed, identities apart, and large enough for look-alikes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from lifeloom.models.protocol import PictureSource
from lifeloom.records import LibraryImage
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected, decode_picture
from lifeloom.synthesis.image_library.likeness import KnownPictures, look_of

__all__ = ["alike_problems", "identity_problems", "nearly_alike", "picture_problems", "too_small"]


def picture_problems(images: Sequence[LibraryImage], source: PictureSource) -> list[str]:
    """Return a sentence for each picture that cannot be decoded."""
    problems = []
    for one in images:
        try:
            decode_picture(source(one.picture))
        except (PictureRejected, MediaMissing, MediaCorrupt) as error:
            problems.append(f"{one.image_id} cannot be read: {error}")
    return problems


def identity_problems(images: Sequence[LibraryImage]) -> list[str]:
    """Return what is wrong with identities: ids that repeat, one of two categories, one in both splits."""
    problems = [f"{name} occurs {count} times" for name, count in _counted(images) if count > 1]
    splits: dict[str, set[str]] = defaultdict(set)
    categories: dict[str, set[str]] = defaultdict(set)
    for one in images:
        splits[one.identity].add(one.split)
        categories[one.identity].add(one.category)
    problems += [f"{name} is for training and for benchmarks" for name, own in splits.items() if len(own) > 1]
    problems += [f"{name} is {' and '.join(sorted(own))}" for name, own in categories.items() if len(own) > 1]
    return problems


def alike_problems(images: Sequence[LibraryImage]) -> list[str]:
    """Return the pictures that are the very file of another identity's."""
    seen: dict[str, str] = {}
    problems = []
    for one in images:
        other = seen.setdefault(one.picture.content_hash, one.identity)
        if other != one.identity:
            problems.append(f"{one.image_id} is the same file as a picture of {other}")
    return problems


def nearly_alike(images: Sequence[LibraryImage], source: PictureSource) -> list[str]:
    """Return the captioning pictures that nearly are another identity's; warnings, since a drawn pair may be chance.

    Raises:
        PictureRejected, MediaMissing, MediaCorrupt: a picture cannot be read.
    """
    known, problems = KnownPictures(), []
    for one in images:
        if one.use == "captioning":
            data = source(one.picture)
            look = look_of(data, decode_picture(data))
            if other := known.of_another(look, one.identity):
                problems.append(f"{one.image_id} looks like {other}: nobody may be able to tell them apart")
            known.add(look, one.identity, one.image_id)
    return problems


def too_small(images: Sequence[LibraryImage], negatives: int, *, disjoint: bool) -> list[str]:
    """Return what cannot be made because there are too few identities; warnings, since what can be made is made."""
    problems = []
    for split in ("train", "benchmark"):
        own = {one.identity for one in images if one.use == "captioning" and (one.split == split or not disjoint)}
        if own and len(own) < negatives + 1:
            problems.append(
                f"{split}: {len(own)} identities, and a query picture needs {negatives} look-alikes for each concept: "
                "no context can be made"
            )
        elif not own:
            problems.append(f"{split}: no identity, so there are no query pictures")
    people = Counter(one.identity for one in images if one.use == "diagnostic")
    if people and max(people.values()) < 2:
        problems.append("diagnostic: nobody has a second picture, so nobody can be asked about")
    return problems


def _counted(images: Sequence[LibraryImage]) -> list[tuple[str, int]]:
    return list(Counter(one.image_id for one in images).items())
