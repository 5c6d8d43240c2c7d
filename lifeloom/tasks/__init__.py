"""Every question put to a model: typed input, prompt, typed output, one module a task."""

from lifeloom.tasks.alignment_judgement import (
    ALIGNMENT_JUDGEMENT,
    AlignmentJudgementInput,
    AlignmentJudgementOutput,
)
from lifeloom.tasks.alignment_writing import ALIGNMENT_WRITING, AlignmentWritingInput, AlignmentWritingOutput
from lifeloom.tasks.ask import ASK, AskInput
from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput, TextOutput
from lifeloom.tasks.choice_answer import (
    CHOICE_ANSWER,
    ChoiceAnswerInput,
    ChoiceAnswerOutput,
    ContextMessage,
    OptionText,
)
from lifeloom.tasks.persona_enrichment import (
    PERSONA_ENRICHMENT,
    PersonaEnrichmentInput,
    PersonaEnrichmentOutput,
    TraitScores,
)
from lifeloom.tasks.personality_inference import (
    PERSONALITY_INFERENCE,
    PersonalityInferenceInput,
    PersonalityInferenceOutput,
)
from lifeloom.tasks.response_step import (
    RESPONSE_STEP,
    ProfileLine,
    ResponseStepInput,
    RetrievedMemory,
    RetrievedRound,
)
from lifeloom.tasks.semantic_update import SEMANTIC_UPDATE, SemanticUpdateInput
from lifeloom.tasks.session_critique import (
    SESSION_CRITIQUE,
    CritiqueTurn,
    Problem,
    SessionCritiqueInput,
    SessionCritiqueOutput,
)
from lifeloom.tasks.session_updates import (
    CORE_UPDATE,
    EPISODIC_UPDATE,
    PROCEDURAL_UPDATE,
    CoreUpdateInput,
    EpisodicUpdateInput,
    ProceduralLine,
    ProceduralUpdateInput,
    SessionTurn,
)
from lifeloom.tasks.session_writing import (
    SESSION_WRITING,
    PictureBrief,
    SessionWritingInput,
    SessionWritingOutput,
    StatementBrief,
    TurnBrief,
    WrittenTurn,
)

__all__ = [
    "ALIGNMENT_JUDGEMENT",
    "ALIGNMENT_WRITING",
    "ASK",
    "CHOICE_ANSWER",
    "CORE_UPDATE",
    "EPISODIC_UPDATE",
    "PERSONALITY_INFERENCE",
    "PERSONA_ENRICHMENT",
    "PROCEDURAL_UPDATE",
    "RESPONSE_STEP",
    "SEMANTIC_UPDATE",
    "SESSION_CRITIQUE",
    "SESSION_WRITING",
    "AlignmentJudgementInput",
    "AlignmentJudgementOutput",
    "AlignmentWritingInput",
    "AlignmentWritingOutput",
    "AskInput",
    "ChoiceAnswerInput",
    "ChoiceAnswerOutput",
    "ContextMessage",
    "CoreUpdateInput",
    "CritiqueTurn",
    "EpisodicUpdateInput",
    "GenerationTask",
    "OptionText",
    "PersonaEnrichmentInput",
    "PersonaEnrichmentOutput",
    "PersonalityInferenceInput",
    "PersonalityInferenceOutput",
    "PictureBrief",
    "Problem",
    "ProceduralLine",
    "ProceduralUpdateInput",
    "ProfileLine",
    "ResponseStepInput",
    "RetrievedMemory",
    "RetrievedRound",
    "SemanticUpdateInput",
    "SessionCritiqueInput",
    "SessionCritiqueOutput",
    "SessionTurn",
    "SessionWritingInput",
    "SessionWritingOutput",
    "StatementBrief",
    "TaskInput",
    "TaskOutput",
    "TextOutput",
    "TraitScores",
    "TurnBrief",
    "WrittenTurn",
]
