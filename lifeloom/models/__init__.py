"""What answers and what encodes: protocols, backends, and what keeps calls to servers dependable.

The built-in backend is not imported here: ``lifeloom.models.builtin.backend`` holds both the writer
and the reader, and those who use one must not load the other by the way.
"""

from lifeloom.models.byte_cache import CacheFileUnusable
from lifeloom.models.cache import (
    CacheCorrupt,
    CachedAnswer,
    CacheError,
    CacheStats,
    CacheUnusable,
    Request,
    ResponseCache,
)
from lifeloom.models.decoding import Decoded, Undecodable, decode
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.models.openai import PROVIDER_URL, ModelTally, OpenAiModel
from lifeloom.models.protocol import (
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
from lifeloom.models.retries import RetryPolicy, Timing
from lifeloom.models.tokens import TOKENIZER_NAME, WeightsMissing, count_many, count_tokens

__all__ = [
    "PROVIDER_URL",
    "TOKENIZER_NAME",
    "CacheCorrupt",
    "CacheError",
    "CacheFileUnusable",
    "CacheStats",
    "CacheUnusable",
    "CachedAnswer",
    "CapabilityMissing",
    "Decoded",
    "Generation",
    "GenerationRejected",
    "InstallationBroken",
    "LanguageModel",
    "MiniLmEncoder",
    "ModelError",
    "ModelIdentity",
    "ModelRefusesKey",
    "ModelTally",
    "ModelUnavailable",
    "OpenAiModel",
    "OptionScores",
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
]
