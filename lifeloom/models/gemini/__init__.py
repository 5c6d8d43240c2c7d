"""Backend ``gemini``: Google's models, that answer and that draw."""

from lifeloom.models.gemini.caption import caption_of
from lifeloom.models.gemini.connection import PROVIDER_URL
from lifeloom.models.gemini.images import GeminiImageMaker, Portrait
from lifeloom.models.gemini.model import DEFAULT_KEY_VARIABLE, GeminiModel

__all__ = ["DEFAULT_KEY_VARIABLE", "PROVIDER_URL", "GeminiImageMaker", "GeminiModel", "Portrait", "caption_of"]
