"""Checks of query pictures before they are published: accounts, identities of the right side, files, verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from lifeloom.models.protocol import PictureSource
from lifeloom.records import LibraryImage, Rejection, SceneImage, ScenePlan, SceneVerdict, Split
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected, decode_picture
from lifeloom.synthesis.vaccounts.similarity import PictureIndex

__all__ = [
    "account_problems",
    "file_problems",
    "identity_problems",
    "near_duplicate_problems",
    "same_file_problems",
    "verdict_problems",
]


def account_problems(
    planned: int, plans: Sequence[ScenePlan], images: Sequence[SceneImage], rejections: Sequence[Rejection]
) -> list[str]:
    """Return which planned scenes have neither a picture nor a reason, or both; in = out + rejected.

    Args:
        planned: how many there should be.
        plans: all of them.
        images: those that were drawn.
        rejections: of those that were not.
    """
    problems = [] if len(plans) == planned else [f"{len(plans)} scenes instead of {planned} are planned"]
    seen = Counter([*(one.scene_id for one in images), *(one.item for one in rejections)])
    ids = Counter(plan.scene_id for plan in plans)
    problems += [f"{one} is planned {count} times" for one, count in ids.items() if count > 1]
    problems += [f"{one} has neither a picture nor a reason why not" for one in ids if not seen[one]]
    problems += [f"{one} is accounted for {count} times" for one, count in seen.items() if count > 1]
    return [*problems, *(f"{one} was never planned" for one in seen if one not in ids)]


def identity_problems(
    plans: Iterable[ScenePlan], images: Iterable[SceneImage], library: Sequence[LibraryImage], split: Split | None
) -> list[str]:
    """Return which query pictures show other identities than they may: a leak from training to test, say.

    Args:
        plans: of scenes.
        images: query pictures.
        library: all of it.
        split: whose identities they may show; None: anybody's.
    """
    known = {one.image_id: one for one in library}
    shown = {plan.scene_id: plan.image_ids for plan in plans}
    problems = [
        f"{one.scene_id} was planned with other pictures of the library"
        for one in images
        if shown.get(one.scene_id) != one.image_ids
    ]
    for scene_id, image_ids in shown.items():
        found = [known[one] for one in image_ids if one in known]
        problems += [f"{scene_id}: the library has no picture {one}" for one in image_ids if one not in known]
        problems += [
            f"{scene_id} shows {one.identity}, an identity of the split {one.split}, not {split}"
            for one in found
            if split is not None and one.split != split
        ]
        problems += [
            f"{scene_id} shows {one.identity}, who is for diagnostics" for one in found if one.use != "captioning"
        ]
        if len({one.identity for one in found}) < len(found):
            problems.append(f"{scene_id} shows one identity twice")
    return problems


def file_problems(images: Iterable[SceneImage], source: PictureSource) -> list[str]:
    """Return which query pictures are gone, were changed, cannot be decoded or have another size than they say."""
    problems = []
    for one in images:
        try:
            picture = decode_picture(source(one.picture))
        except (MediaMissing, MediaCorrupt, PictureRejected) as error:
            problems.append(f"{one.scene_id}: {error}")
            continue
        if picture.size != (one.picture.width, one.picture.height):
            problems.append(f"{one.scene_id}: the picture is {picture.width} x {picture.height}, not as it says")
    return problems


def verdict_problems(
    images: Sequence[SceneImage],
    verdicts: Sequence[SceneVerdict],
    kept: Sequence[SceneImage],
    rejections: Sequence[Rejection],
) -> list[str]:
    """Return which query pictures have no verdict, are lost between kept and refused, or were kept against it.

    Args:
        images: all that were judged.
        verdicts: one on each.
        kept: those that are taken.
        rejections: of the others.
    """
    judged = {one.scene_id: one for one in verdicts}
    out = Counter(one.item for one in rejections)
    taken = {one.scene_id for one in kept}
    problems = [f"{one.scene_id} has no verdict" for one in images if one.scene_id not in judged]
    for one in images:
        if (one.scene_id in taken) + out[one.scene_id] != 1:
            problems.append(f"{one.scene_id} is not exactly one of kept and left out")
    return [
        *problems,
        *(f"{one} is taken, though the critic refused it" for one in taken if one in judged and not judged[one].kept),
        *(f"{one} is taken and was never drawn" for one in sorted(taken - {image.scene_id for image in images})),
    ]


def same_file_problems(images: Sequence[SceneImage], others: Iterable[SceneImage]) -> list[str]:
    """Return which query pictures are the very files of others: of their own side, or of the other one.

    Args:
        images: of one partition.
        others: of the other side.
    """
    counts = Counter(one.picture.content_hash for one in images)
    theirs: Mapping[str, str] = {one.picture.content_hash: one.scene_id for one in others}
    return [
        *(f"{count} query pictures are one file, {content[:12]}" for content, count in counts.items() if count > 1),
        *(
            f"{one.scene_id} is the same file as {theirs[one.picture.content_hash]} of the other side"
            for one in images
            if one.picture.content_hash in theirs
        ),
    ]


def near_duplicate_problems(
    images: Sequence[SceneImage],
    others: Iterable[SceneImage],
    source: PictureSource,
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> list[str]:
    """Return a sentence for each query picture that looks like one before it or like one of the other side.

    Looks are compared by perceptual hashes (``PictureIndex``). Some 10 ms a picture, of either side.

    Args:
        images: of one partition.
        others: of the other side.
        source: gives their files.
        progress: told how many pictures have been looked at.

    Raises:
        MediaMissing, MediaCorrupt, PictureRejected: a picture cannot be had or read.
    """
    index, done, problems = PictureIndex(), 0, []
    for one in others:
        index.add(f"{one.scene_id} of the other side", one.picture, source(one.picture))
        progress(done := done + 1)
    for one in images:
        data = source(one.picture)
        found = index.like(one.picture, data)
        if found:
            problems.append(f"{one.scene_id}: {found}")
        index.add(one.scene_id, one.picture, data)
        progress(done := done + 1)
    return problems
