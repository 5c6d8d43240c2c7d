"""Light: what time of day and weather do to the colours of a place and of those who stand in it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.records.pictures import TimeOfDay, Weather

__all__ = ["Light", "light_of", "lookup_table", "mix", "tinted"]

Factors = tuple[float, float, float]
"""What red, green and blue are multiplied with."""


@dataclass(frozen=True)
class Light:
    """The light of one picture."""

    time_of_day: TimeOfDay
    weather: Weather
    indoor: bool
    sky: tuple[str, str, str]
    """Colours of the sky: top, middle, at the horizon."""
    outside: Factors
    """On what lies outdoors, also when seen through a window."""
    place: Factors
    """On the place itself."""
    subjects: Factors
    """On people and things: milder, or faces at night look washed out and colours cannot be told."""

    @property
    def dark(self) -> bool:
        """Whether lamps are lit."""
        return self.time_of_day == "night"

    @property
    def overcast(self) -> bool:
        """Whether sun and moon are hidden."""
        return self.weather in ("rain", "snow", "fog")


_SKIES: dict[TimeOfDay, tuple[str, str, str]] = {
    "morning": ("#8ccbee", "#c9e4ee", "#fee3c4"),
    "day": ("#6fbdf0", "#a9daf7", "#e3f4fd"),
    "sunset": ("#8b6cae", "#ee7f68", "#fed189"),
    "night": ("#111a3d", "#1f2c5c", "#43538c"),
}
_OUTSIDE: dict[TimeOfDay, Factors] = {
    "morning": (1.0, 0.97, 0.90),
    "day": (1.0, 1.0, 1.0),
    "sunset": (1.0, 0.82, 0.70),
    "night": (0.40, 0.46, 0.70),
}
_INSIDE: dict[TimeOfDay, Factors] = {
    "morning": (1.0, 0.98, 0.93),
    "day": (1.0, 1.0, 1.0),
    "sunset": (1.0, 0.90, 0.79),
    "night": (0.74, 0.63, 0.57),
}
_SUBJECTS: dict[TimeOfDay, tuple[Factors, Factors]] = {
    "morning": ((1.0, 0.985, 0.955), (1.0, 0.99, 0.97)),
    "day": ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0)),
    "sunset": ((1.0, 0.915, 0.83), (1.0, 0.95, 0.89)),
    "night": ((0.89, 0.835, 0.845), (0.95, 0.905, 0.86)),
}
"""Outdoors and indoors. At night people stand in lamplight: darker, hardly bluer."""

_OVERCAST: dict[Weather, tuple[str, float, float]] = {
    "clear": ("#ffffff", 0.0, 1.0),
    "clouds": ("#bcc8d3", 0.45, 0.96),
    "rain": ("#8795a5", 0.72, 0.84),
    "snow": ("#d3dce6", 0.66, 0.97),
    "fog": ("#d4d9dc", 0.78, 0.97),
}
"""Colour of the clouds, how much of the sky they cover, and how bright it is under them."""


@functools.lru_cache(maxsize=64)
def light_of(time_of_day: TimeOfDay, weather: Weather, *, indoor: bool) -> Light:
    """Return the light at ``time_of_day`` in ``weather``."""
    grey, cover, brightness = _OVERCAST[weather]
    outside = _times(_OUTSIDE[time_of_day], brightness)
    cover_colour = tinted(grey, _OUTSIDE[time_of_day])
    top, middle, low = (mix(colour, cover_colour, cover) for colour in _SKIES[time_of_day])
    place = _times(_INSIDE[time_of_day], 1 - (1 - brightness) * 0.4) if indoor else outside
    subjects = _SUBJECTS[time_of_day][1 if indoor else 0]
    return Light(
        time_of_day=time_of_day,
        weather=weather,
        indoor=indoor,
        sky=(top, middle, low),
        outside=outside,
        place=place,
        subjects=_times(subjects, 1 - (1 - brightness) * 0.3),
    )


def _times(factors: Factors, brightness: float) -> Factors:
    red, green, blue = factors
    return red * brightness, green * brightness, blue * brightness


def _channels(colour: str) -> tuple[int, int, int]:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _hex(channels: Sequence[float]) -> str:
    return "#" + "".join(f"{min(255, max(0, round(value))):02x}" for value in channels)


@functools.lru_cache(maxsize=8192)
def mix(colour: str, other: str, share: float) -> str:
    """Return ``colour`` with ``share`` (0..1) of ``other`` in it; both ``#rgb`` or ``#rrggbb``."""
    return _hex([a + (b - a) * share for a, b in zip(_channels(colour), _channels(other), strict=True)])


@functools.lru_cache(maxsize=8192)
def tinted(colour: str, factors: Factors) -> str:
    """Return ``colour`` in the light of ``factors``."""
    return _hex([value * factor for value, factor in zip(_channels(colour), factors, strict=True)])


@functools.lru_cache(maxsize=64)
def lookup_table(factors: Factors) -> tuple[int, ...]:
    """Return the table for ``Image.point`` that tints an RGBA picture and leaves its alpha."""
    red, green, blue = ([min(255, round(value * factor)) for value in range(256)] for factor in factors)
    return (*red, *green, *blue, *range(256))
