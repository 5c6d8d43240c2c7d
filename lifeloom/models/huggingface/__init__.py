"""Backend ``huggingface``: checkpoints of transformers in this process."""

from lifeloom.models.huggingface.model import HuggingFaceModel
from lifeloom.models.huggingface.wire import HuggingFaceWire

__all__ = ["HuggingFaceModel", "HuggingFaceWire"]
