"""The assistant: the response stage, the update stage and visual concepts (PersonaVLM Section 3.1, Algorithm 1).

``Assistant`` is what to embed: it replies first and remembers afterwards. ``build_memories`` makes the memories of a
conversation that was written already.
"""

from lifeloom.assistant.assistant import Assistant, ProfileValue, give_profile
from lifeloom.assistant.building import BuildCounts, Supervision, build_memories
from lifeloom.assistant.concepts import ConceptMemory, ConceptSettings
from lifeloom.assistant.forms import FormRejected
from lifeloom.assistant.pem import NEUTRAL_PROFILE, describe
from lifeloom.assistant.response import Query, Response, ResponseSettings, ResponseStage
from lifeloom.assistant.sessions import SESSION_MINUTES
from lifeloom.assistant.trace import Trace
from lifeloom.assistant.update import UpdateSettings, UpdateStage, media_of
from lifeloom.assistant.worker import Flushed, UpdateWorker

__all__ = [
    "NEUTRAL_PROFILE",
    "SESSION_MINUTES",
    "Assistant",
    "BuildCounts",
    "ConceptMemory",
    "ConceptSettings",
    "Flushed",
    "FormRejected",
    "ProfileValue",
    "Query",
    "Response",
    "ResponseSettings",
    "ResponseStage",
    "Supervision",
    "Trace",
    "UpdateSettings",
    "UpdateStage",
    "UpdateWorker",
    "build_memories",
    "describe",
    "give_profile",
    "media_of",
]
