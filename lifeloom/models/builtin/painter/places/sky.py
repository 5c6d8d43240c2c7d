"""Sky, weather and windows."""

from __future__ import annotations

from lifeloom.models.builtin.painter.light import tinted
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import SIDE

__all__ = ["cloud", "draw_sky", "draw_weather", "window"]


SKY_FOOT = 330
"""Where the sky has reached its lowest colour."""


def draw_sky(pen: Pen) -> None:
    """Fill the picture with sky, sun or moon and clouds."""
    top, middle, low = pen.light.sky
    pen.rect(0, SKY_FOOT, SIDE, SIDE - SKY_FOOT, low, glow=True)
    pen.shade(0, 0, SIDE, SKY_FOOT, [(0, top, 1), (0.55, middle, 1), (1, low, 1)])
    if not pen.light.overcast:
        _sun_or_moon(pen, pen.between(60, 452), _height_of_sun(pen), 27)
    elif pen.light.dark and pen.light.weather == "snow":
        pen.circle(pen.between(60, 452), 80, 22, "#c9d2ea", opacity=0.5, glow=True)
    clouds = {"clear": 2, "clouds": 8, "rain": 9, "snow": 6, "fog": 2}[pen.light.weather]
    for number in range(clouds):
        x = (number + pen.between(0.1, 0.9)) * SIDE / clouds
        cloud(pen, x, pen.between(24, 150), pen.between(0.8, 1.5) * (1.0 if clouds < 4 else 1.35))


def _height_of_sun(pen: Pen) -> float:
    low, high = {"morning": (120, 170), "day": (44, 90), "sunset": (185, 225), "night": (48, 100)}[
        pen.light.time_of_day
    ]
    return pen.between(low, high)


def _sun_or_moon(pen: Pen, x: float, y: float, radius: float) -> None:
    if pen.light.dark:
        for _ in range(34 if pen.light.weather == "clear" else 10):
            star_x, star_y = pen.between(0, SIDE), pen.between(0, 230)
            pen.circle(star_x, star_y, pen.between(0.8, 1.9), "#ffffff", opacity=pen.between(0.5, 0.95), glow=True)
        pen.glow(x, y, radius * 2.6, "#dfe6ff", 0.35)
        pen.circle(x, y, radius * 0.9, "#f6f1d8", glow=True)
        pen.circle(x - 7, y - 5, radius * 0.16, "#e0d9ba", glow=True)
        pen.circle(x + 6, y + 6, radius * 0.22, "#e0d9ba", glow=True)
        return
    colour = {"morning": "#fff0b8", "day": "#fff3a6", "sunset": "#ffe08a"}[pen.light.time_of_day]
    pen.glow(x, y, radius * 3, colour, 0.6)
    pen.circle(x, y, radius * (1.25 if pen.light.time_of_day == "sunset" else 1), colour, glow=True)


def cloud(pen: Pen, x: float, y: float, size: float) -> None:
    """Draw a cloud about 100 units wide at size 1."""
    white = {
        "clear": "#ffffff",
        "clouds": "#eef2f5",
        "rain": "#9aa7b5",
        "snow": "#e3e9ef",
        "fog": "#e3e6e8",
    }[pen.light.weather]
    warm = (1.0, 0.86, 0.80) if pen.light.time_of_day == "sunset" else pen.light.outside
    fill = tinted(white, warm)
    opacity = 0.35 if pen.light.dark and pen.light.weather == "clear" else 0.82
    for shift, lift, across, down in ((0, 0, 46, 13), (-20, -8, 22, 14), (8, -14, 26, 18), (28, -4, 22, 12)):
        pen.ellipse(x + shift * size, y + lift * size, across * size, down * size, fill, opacity=opacity, glow=True)


def draw_weather(pen: Pen) -> None:
    """Draw rain, snow or fog over all that lies behind the subjects."""
    weather = pen.light.weather
    if weather == "rain":
        _rain(pen, 0, 0, SIDE, SIDE, 90)
    elif weather == "snow":
        _snow(pen, 0, 0, SIDE, SIDE, 110)
    elif weather == "fog":
        veil = tinted("#e6eaec", pen.light.outside)
        pen.shade(0, 0, SIDE, SIDE, [(0, veil, 0.3), (0.15, veil, 0.35), (0.55, veil, 0.74), (1, veil, 0.3)])
        for _ in range(5):
            pen.ellipse(
                pen.between(0, SIDE), pen.between(210, 350), pen.between(110, 220), 16, veil, opacity=0.4, glow=True
            )


def _rain(pen: Pen, left: float, top: float, width: float, height: float, count: int) -> None:
    colour = "#aebfd6" if pen.light.dark else "#e8f1f8"
    drops = []
    for _ in range(count):
        x, y = pen.between(left + 6, left + width - 1), pen.between(top, top + height - 20)
        length = min(pen.between(10, 22), top + height - y)
        drops.append(f"M{x:.1f} {y:.1f}l{-length * 0.25:.1f} {length:.1f}")
    pen.stroke("".join(drops), colour, 1.7, opacity=0.62, glow=True)


def _snow(pen: Pen, left: float, top: float, width: float, height: float, count: int) -> None:
    for _ in range(count):
        radius = pen.between(1.4, 3.6)
        x, y = pen.between(left + 3, left + width - 3), pen.between(top + 3, top + height - 3)
        pen.circle(x, y, radius, "#ffffff", opacity=0.9, glow=True)


def window(
    pen: Pen,
    left: float,
    top: float,
    width: float,
    height: float,
    *,
    frame: str = "#fbfaf6",
    panes: int = 2,
    crossbar: bool = True,
    town: bool = False,
) -> None:
    """Draw a window that shows time of day and weather."""
    high, middle, low = pen.light.sky
    pen.rect(left - 7, top - 7, width + 14, height + 14, frame, corner=3)
    pen.shade(left, top, width, height, [(0, high, 1), (0.55, middle, 1), (1, low, 1)])
    x, y = left + width * pen.between(0.2, 0.8), top + height * 0.3
    if pen.light.dark and not pen.light.overcast:
        for _ in range(9):
            star_x, star_y = pen.between(left + 3, left + width - 3), pen.between(top + 3, top + height * 0.6)
            pen.circle(star_x, star_y, 1.2, "#ffffff", opacity=0.9, glow=True)
    if not pen.light.overcast:
        radius = min(width, height) * 0.1
        low_sun = pen.light.time_of_day == "sunset"
        disc = "#f6f1d8" if pen.light.dark else "#ffe9a0"
        pen.circle(x, top + height * 0.62 if low_sun else y, radius * (1.5 if low_sun else 1), disc, glow=True)
    _view(pen, left, top, width, height, town)
    weather = pen.light.weather
    if weather == "rain":
        _rain(pen, left, top, width, height, int(width * height / 420))
    elif weather == "snow":
        _snow(pen, left, top, width, height, int(width * height / 420))
    elif weather == "fog":
        pen.rect(left, top, width, height, tinted("#e6eaec", pen.light.outside), opacity=0.55, glow=True)
    elif weather == "clouds":
        for share in (0.3, 0.7):
            grey = tinted("#e9eef2", pen.light.outside)
            cloud_y = top + height * pen.between(0.2, 0.4)
            pen.ellipse(left + width * share, cloud_y, width * 0.17, height * 0.09, grey, opacity=0.9, glow=True)
    bar = 5
    for number in range(1, panes):
        pen.rect(left + width * number / panes - bar / 2, top, bar, height, frame)
    if crossbar:
        pen.rect(left, top + height * 0.46, width, bar, frame)
    pen.rect(left - 11, top + height + 5, width + 22, 7, frame, corner=2)


def _view(pen: Pen, left: float, top: float, width: float, height: float, town: bool) -> None:
    """Draw what lies outside at the foot of a window: roofs or hills."""
    snowing = pen.light.weather == "snow"
    if town:
        step = max(22.0, width / 7)
        x = left
        while x < left + width - 1:
            wide = min(step, left + width - x)
            tall = height * pen.between(0.16, 0.42)
            house = tinted(pen.pick("#93a0b4", "#a9a0a6", "#8696a6"), pen.light.outside)
            pen.rect(x, top + height - tall, wide, tall, house, glow=True)
            for row in range(int((tall - 6) // 12)):
                for column in range(int((wide - 6) // 10)):
                    pane = "#ffdf8e" if pen.light.dark and pen.chance(0.6) else tinted("#cfdbe6", pen.light.outside)
                    pen.rect(x + 5 + column * 10, top + height - tall + 5 + row * 12, 5, 6, pane, glow=True)
            x += wide
        return
    green = tinted("#f2f6fa" if snowing else "#8fbf7d", pen.light.outside)
    base = top + height
    pen.path(
        f"M{left:.1f} {base - height * 0.2:.1f}Q{left + width * 0.3:.1f} {base - height * 0.34:.1f} "
        f"{left + width * 0.6:.1f} {base - height * 0.2:.1f}T{left + width:.1f} {base - height * 0.22:.1f}"
        f"V{base:.1f}H{left:.1f}Z",
        green,
        glow=True,
    )
