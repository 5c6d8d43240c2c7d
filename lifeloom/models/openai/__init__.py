"""Backend ``openai``: any server of the chat-completions protocol."""

from lifeloom.models.openai.model import OpenAiModel
from lifeloom.models.openai.wire import PROVIDER_URL

__all__ = ["PROVIDER_URL", "OpenAiModel"]
