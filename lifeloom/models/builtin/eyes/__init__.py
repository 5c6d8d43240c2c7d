"""The built-in eyes: find people and things in pictures, tell faces, names, colours and places apart."""

from lifeloom.models.builtin.eyes.crops import CropEncoder
from lifeloom.models.builtin.eyes.detector import DrawnPictureDetector
from lifeloom.models.builtin.eyes.eyes import Eyes
from lifeloom.models.builtin.eyes.sight import SeenPerson, SeenThing, Sight
from lifeloom.models.builtin.eyes.weights import WEIGHTS_VERSION, EyesWeightsUnusable

__all__ = [
    "WEIGHTS_VERSION",
    "CropEncoder",
    "DrawnPictureDetector",
    "Eyes",
    "EyesWeightsUnusable",
    "SeenPerson",
    "SeenThing",
    "Sight",
]
