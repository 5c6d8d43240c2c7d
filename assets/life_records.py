"""Lives of a release as they are stored, and what was left out of them."""

from __future__ import annotations

from assets.life_keys import HISTORIES, HISTORY_IMAGES, VACCOUNTS
from lifeloom.records import Concept, Life, LifeImage, Rejection, VaccountPlan
from lifeloom.store import DatasetStore

__all__ = ["left_out_of", "lives_of"]


def lives_of(store: DatasetStore, release: str) -> dict[str, Life]:
    """Return the lives of a release, by Vaccount, as policies see them; without pictures where none are made yet.

    Raises:
        DatasetMissing: the release has no Vaccounts.
    """
    concepts = list(store.read(f"{VACCOUNTS}/{release}", "concepts", Concept))
    pictures = f"{HISTORY_IMAGES}/{release}"
    images = list(store.read(pictures, "images", LifeImage)) if store.find(pictures) else []
    plans = store.read(f"{VACCOUNTS}/{release}", "plans", VaccountPlan)
    return {plan.vaccount_id: Life.of(plan.vaccount_id, concepts, images) for plan in plans}


def left_out_of(store: DatasetStore, release: str) -> dict[str, str]:
    """Return why something of a release's lives was left out, by the id of the concept, event or picture."""
    return {
        row.item: row.reason.replace("_", " ")
        for key in (f"{stage}/{release}" for stage in (VACCOUNTS, HISTORIES, HISTORY_IMAGES))
        if store.find(key)
        for row in store.read(key, "rejections", Rejection)
    }
