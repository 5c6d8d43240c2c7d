"""The image library: drawn on this machine, or read from a manifest of one's own (S3)."""

import collections
from pathlib import Path
from typing import Any

import dagster as dg

from assets.caption_keys import IMAGE_LIBRARY
from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    publish,
    rows_preview,
    told_plainly,
)
from assets.strips import StripPicture, picture_strip
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import IdentityLook, LibraryImage, Rejection
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.image_library import LibraryOrder, draw_library, library_digest, plan_library, read_library
from lifeloom.synthesis.image_library.checks import (
    alike_problems,
    identity_problems,
    nearly_alike,
    picture_problems,
    too_small,
)
from resources.workbench import Workbench

__all__ = ["image_library"]

_CHECKS = {
    "pictures_readable": "Every picture is stored, whole, and can be decoded.",
    "licences_there": "Every picture has a licence and a source.",
    "identities_apart": "An identity is of one category and one split, and no picture is of two of them. "
    "Warns where two are nearly the same.",
    "large_enough": "There are identities of both splits and look-alikes for each. Warns where there are not.",
}


@dg.asset(
    key=IMAGE_LIBRARY.split("/"),
    group_name="seeds",
    kinds={"parquet"},
    owners=OWNERS,
    check_specs=check_specs(IMAGE_LIBRARY.split("/"), _CHECKS),
    description="Pictures of people, animals and objects, an identity each, with licences; split by identity (S3).",
)
@told_plainly
def image_library(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
    """Draw the project's own library, or read the one that the profile names."""
    settings = workbench.profile.captions
    disjoint = settings.identity_split == "disjoint"
    own = Path(settings.library) if settings.library else None

    def make(writer: DatasetWriter) -> None:
        for table, kind in (("images", LibraryImage), ("looks", IdentityLook), ("rejections", Rejection)):
            writer.write(table, kind, ())  # there also where nothing is
        if own is None:
            _draw(writer, workbench)
            return
        read = read_library(own, writer.put_media)
        writer.write("images", LibraryImage, read.images)
        writer.write("rejections", Rejection, read.rejections)

    def images_of(reader: DatasetReader) -> list[LibraryImage]:
        return list(reader.read("images", LibraryImage))

    def unlicensed(reader: DatasetReader) -> list[str]:
        return [f"{one.image_id} has no licence" for one in images_of(reader) if not one.licence.strip()]

    def apart(reader: DatasetReader) -> list[str]:
        images = images_of(reader)
        return [*identity_problems(images), *alike_problems(images)]

    def describe(reader: DatasetReader) -> dict[str, Any]:
        rows = images_of(reader)
        left_out = collections.Counter(row.reason for row in reader.read("rejections", Rejection))
        people = len({one.identity for one in rows if one.use == "diagnostic"})
        captioning = [one for one in rows if one.use == "captioning"]
        counts = collections.Counter(f"{one.category}, {one.split}" for one in captioning)
        return {
            "in": len(rows) + sum(left_out.values()),
            "out": len(rows),
            LEFT_OUT: counted_text(left_out) or "nothing",
            "identities for captioning": dg.MetadataValue.json(dict(sorted(counts.items()))),
            "diagnostic people": people,
            "licences": dg.MetadataValue.json(dict(collections.Counter(one.licence for one in rows))),
            "pictures": dg.MetadataValue.md(_strip(workbench, rows)),
            "preview": rows_preview(
                [one.model_dump(include={"image_id", "category", "noun", "use", "split"}) for one in rows[:8]]
            ),
        }

    checks = {
        "pictures_readable": lambda reader: picture_problems(images_of(reader), workbench.picture),
        "licences_there": unlicensed,
        "identities_apart": apart,
        "large_enough": lambda reader: [],
    }
    doubts = {
        "identities_apart": lambda reader: nearly_alike(images_of(reader), workbench.picture),
        "large_enough": lambda reader: too_small(images_of(reader), settings.negatives, disjoint=disjoint),
    }
    yield from publish(
        context,
        workbench,
        IMAGE_LIBRARY,
        _recipe(workbench, own),
        make,
        checks,
        describe,
        rows_of="images",
        doubts=doubts,
    )


def _draw(writer: DatasetWriter, workbench: Workbench) -> None:
    from lifeloom.models.builtin.painter import BuiltinPainter

    settings = workbench.profile.captions
    planned = plan_library(
        LibraryOrder(identities=settings.identities, diagnostic_people=settings.diagnostic_people), workbench.streams
    )
    made_by = BuiltinPainter().identity.provenance()
    with workbench.painting() as draw_many:
        for number, one in enumerate(draw_library(planned, draw_many, writer.put_media, made_by), start=1):
            if one.image is not None:
                writer.write("images", LibraryImage, [one.image])
            if one.rejection is not None:
                writer.write("rejections", Rejection, [one.rejection])
            workbench.watch(IMAGE_LIBRARY, number, len(planned))
    looks = {one.identity: IdentityLook(identity=one.identity, subject=one.subject) for one in planned}
    writer.write("looks", IdentityLook, looks.values())


def _recipe(workbench: Workbench, own: Path | None) -> Recipe:
    """Return what the library depends on: a manifest counts by its content, and by that of every file it names."""
    settings = workbench.profile.captions
    if own is None:
        from lifeloom.models.builtin.painter import BuiltinPainter

        return Recipe(
            stage=IMAGE_LIBRARY,
            seed=workbench.profile.seed,
            parameters={"identities": settings.identities, "diagnostic_people": settings.diagnostic_people},
            models=(model_name(BuiltinPainter()),),
        )
    return Recipe(stage=IMAGE_LIBRARY, seed=0, parameters={"file": library_digest(own), "name": own.name})


def _strip(workbench: Workbench, rows: list[LibraryImage]) -> str:
    """Return a strip with some of each category, diagnostic people last."""
    shown = [
        one
        for category, count in (("human", 3), ("animal", 2), ("object", 2))
        for one in [row for row in rows if row.category == category and row.use == "captioning"][:count]
    ]
    shown += [row for row in rows if row.use == "diagnostic"][:1]
    return picture_strip([StripPicture(workbench.picture(one.picture), f"{one.noun}, {one.split}") for one in shown])
