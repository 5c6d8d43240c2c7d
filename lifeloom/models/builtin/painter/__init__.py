"""The built-in image maker: people with a stable look, things and places, drawn without weights."""

from lifeloom.models.builtin.painter.composer import PAINTER_VERSION, BuiltinPainter
from lifeloom.models.builtin.painter.people import TooAlike, WantedPerson, distance, draw_people, too_alike
from lifeloom.models.builtin.painter.pool import DrawingPool, DrawingWorkerDied

__all__ = [
    "PAINTER_VERSION",
    "BuiltinPainter",
    "DrawingPool",
    "DrawingWorkerDied",
    "TooAlike",
    "WantedPerson",
    "distance",
    "draw_people",
    "too_alike",
]
