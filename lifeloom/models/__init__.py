"""What answers and what encodes: protocols, backends, and what keeps calls to servers dependable.

The built-in backend is not imported here: ``lifeloom.models.builtin.backend`` holds both the writer
and the reader, and those who use one must not load the other by the way.
"""

from lifeloom.models.byte_cache import CacheFileUnusable
from lifeloom.models.calls.answering import AnsweringModel, CallSettings, ModelTally
from lifeloom.models.calls.cache import (
    CacheCorrupt,
    CachedAnswer,
    CacheError,
    CacheStats,
    CacheUnusable,
    RejectedAnswer,
    Request,
    ResponseCache,
)
from lifeloom.models.calls.decoding import Decoded, Undecodable, decode
from lifeloom.models.calls.keys import Key, read_key
from lifeloom.models.calls.ledger import Budget, Ledger, Price
from lifeloom.models.calls.limits import Gate
from lifeloom.models.calls.retries import RetryPolicy, Timing
from lifeloom.models.gemini import GeminiImageMaker, GeminiModel, Portrait
from lifeloom.models.grounding_dino import GroundingDinoDetector
from lifeloom.models.huggingface import HuggingFaceModel
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.models.open_clip import OpenClipEncoder
from lifeloom.models.openai import PROVIDER_URL, OpenAiModel
from lifeloom.models.protocol import (
    BudgetExhausted,
    CapabilityMissing,
    Generation,
    GenerationRejected,
    InstallationBroken,
    LanguageModel,
    ModelError,
    ModelIdentity,
    ModelRefusesKey,
    ModelUnavailable,
    OptionScores,
    RejectionReason,
    TextEncoder,
    Usage,
)
from lifeloom.models.tokens import TOKENIZER_NAME, WeightsMissing, count_many, count_tokens

__all__ = [
    "PROVIDER_URL",
    "TOKENIZER_NAME",
    "AnsweringModel",
    "Budget",
    "BudgetExhausted",
    "CacheCorrupt",
    "CacheError",
    "CacheFileUnusable",
    "CacheStats",
    "CacheUnusable",
    "CachedAnswer",
    "CallSettings",
    "CapabilityMissing",
    "Decoded",
    "Gate",
    "GeminiImageMaker",
    "GeminiModel",
    "Generation",
    "GenerationRejected",
    "GroundingDinoDetector",
    "HuggingFaceModel",
    "InstallationBroken",
    "Key",
    "LanguageModel",
    "Ledger",
    "MiniLmEncoder",
    "ModelError",
    "ModelIdentity",
    "ModelRefusesKey",
    "ModelTally",
    "ModelUnavailable",
    "OpenAiModel",
    "OpenClipEncoder",
    "OptionScores",
    "Portrait",
    "Price",
    "RejectedAnswer",
    "RejectionReason",
    "Request",
    "ResponseCache",
    "RetryPolicy",
    "TextEncoder",
    "Timing",
    "Undecodable",
    "Usage",
    "WeightsMissing",
    "count_many",
    "count_tokens",
    "decode",
    "read_key",
]
