"""The art of all places."""

from __future__ import annotations

from collections.abc import Mapping

from lifeloom.models.builtin.painter.places import country, errands, home, learning, nature, outings, town
from lifeloom.models.builtin.painter.places.art import PlaceArt

__all__ = ["PLACE_ART", "PlaceArt"]

PLACE_ART: Mapping[str, PlaceArt] = {
    **nature.ART,
    **country.ART,
    **town.ART,
    **home.ART,
    **learning.ART,
    **outings.ART,
    **errands.ART,
}
"""How each place of the vocabulary is drawn, by name."""
