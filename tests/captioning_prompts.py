"""Inputs of the tasks of personalised captioning, for the prompts on record."""

from __future__ import annotations

from typing import Any

from lifeloom.tasks import (
    ACTION_JUDGEMENT,
    CONCEPT_DIALOGUE_WRITING,
    CONCEPT_RECOGNITION,
    CONTEXT_ANSWER,
    DIAGNOSTIC_DIALOGUE_WRITING,
    GROUNDED_CAPTION,
    MMHAL_JUDGEMENT,
    OBJECT_QUESTION,
    PERSONAL_CAPTION,
    PROBE_JUDGEMENT,
    PROBE_WRITING,
    SCENE_CHECK,
    ActionJudgementInput,
    AskedFact,
    ConceptDialogueInput,
    ConceptRecognitionInput,
    ContextAnswerInput,
    ContextTurn,
    DiagnosticDialogueInput,
    FactBrief,
    GenerationTask,
    GroundedCaptionInput,
    MmhalJudgementInput,
    ObjectQuestionInput,
    PersonalCaptionInput,
    ProbeJudgementInput,
    ProbeWritingInput,
    SceneCheckInput,
    ShownPart,
)

__all__ = ["CAPTIONING_EXAMPLES"]

PARTS = (
    ShownPart(
        turns=(
            ContextTurn(user="This is Nadia. I met her at Dunmore Bakery.", assistant="Noted. What else?"),
            ContextTurn(user="That was on 14 March 2025.", assistant="I have that."),
        )
    ),
    ShownPart(turns=(ContextTurn(user="Here is the mug from Petra.", assistant="Understood."),)),
)
QUESTION = "Where was the user with Nadia?"
OPTIONS = ("Garrow Cinema", "Dunmore Bakery", "Calloway Bridge", "The answer cannot be determined")

CAPTIONING_EXAMPLES: dict[str, tuple[GenerationTask[Any, Any], Any]] = {
    "scene_check": (
        SCENE_CHECK,
        SceneCheckInput(
            instruction="The person of picture 1 is in a cafe, with the red mug of picture 2 beside them.",
            concepts=("person", "red mug"),
            people=1,
            place="cafe",
            further="cake",
        ),
    ),
    "concept_dialogue_writing": (
        CONCEPT_DIALOGUE_WRITING,
        ConceptDialogueInput(
            edition="release",
            category="object",
            noun="red mug",
            handle="the mug from Petra",
            turns=(
                (FactBrief(kind="place", value="Dunmore Bakery"), FactBrief(kind="object", value="four stamps")),
                (FactBrief(kind="time", value="14 March 2025 at 7:30"),),
                (),
            ),
            picture_shown=True,
        ),
    ),
    "concept_dialogue_writing_without_a_picture": (
        CONCEPT_DIALOGUE_WRITING,
        ConceptDialogueInput(
            edition="corpus",
            category="human",
            noun="person",
            handle="Nadia",
            turns=((FactBrief(kind="event", value="the map fair"),),),
        ),
    ),
    "probe_writing": (
        PROBE_WRITING,
        ProbeWritingInput(
            edition="release",
            handle="Nadia",
            category="human",
            dialogue=("User: This is Nadia. I met her at Dunmore Bakery.", "Assistant: Noted."),
            facts=(
                AskedFact(kind="place", answer="Dunmore Bakery", wrong=("Garrow Cinema", "Calloway Bridge")),
                AskedFact(kind="time", answer="14 March 2025", wrong=("2 May 2024", "3 May 2024")),
            ),
        ),
    ),
    "probe_judgement": (
        PROBE_JUDGEMENT,
        ProbeJudgementInput(
            caption="Nadia, whom you met at Dunmore Bakery, has a picnic.", question=QUESTION, options=OPTIONS
        ),
    ),
    "probe_judgement_without_a_caption": (
        PROBE_JUDGEMENT,
        ProbeJudgementInput(caption="", question=QUESTION, options=OPTIONS),
    ),
    "personal_caption": (PERSONAL_CAPTION, PersonalCaptionInput(parts=PARTS)),
    "grounded_caption": (GROUNDED_CAPTION, GroundedCaptionInput(parts=PARTS)),
    "grounded_caption_of_nobody_known": (GROUNDED_CAPTION, GroundedCaptionInput(parts=())),
    "context_answer": (
        CONTEXT_ANSWER,
        ContextAnswerInput(parts=PARTS, question="Where did I last see the person in this picture?"),
    ),
    "context_answer_with_a_caption": (
        CONTEXT_ANSWER,
        ContextAnswerInput(
            parts=PARTS[:1],
            question="Where did I last see the person in this picture?",
            caption="Nadia, whom you met at Dunmore Bakery, has a picnic.",
            recognised=True,
        ),
    ),
    "diagnostic_dialogue_writing": (
        DIAGNOSTIC_DIALOGUE_WRITING,
        DiagnosticDialogueInput(
            edition="release",
            person="John",
            location="Lake Francesborough",
            met_on="9 September 2025",
            action="go to the post office to return a package",
            keyword="SKS",
            turns=(("meeting",), ("action", "instruction"), ()),
            picture_shown=True,
        ),
    ),
    "diagnostic_dialogue_writing_of_a_meeting_alone": (
        DIAGNOSTIC_DIALOGUE_WRITING,
        DiagnosticDialogueInput(
            edition="corpus",
            person="John",
            location="Lake Francesborough",
            met_on="9 September 2025",
            action="",
            keyword="",
            turns=(("meeting",),),
        ),
    ),
    "action_judgement": (
        ACTION_JUDGEMENT,
        ActionJudgementInput(action="return a package", answer="You were taking a package back."),
    ),
    "object_question": (OBJECT_QUESTION, ObjectQuestionInput(thing="an apple")),
    "mmhal_judgement": (
        MMHAL_JUDGEMENT,
        MmhalJudgementInput(
            contents=("Apple", "Table"),
            question="What colour is the apple?",
            standard="The apple is red.",
            answer="It is green and lies on a chair.",
        ),
    ),
    "mmhal_judgement_of_no_answer": (
        MMHAL_JUDGEMENT,
        MmhalJudgementInput(contents=(), question="What colour is it?", standard="It is red.", answer=""),
    ),
    "concept_recognition": (CONCEPT_RECOGNITION, ConceptRecognitionInput(concepts=3)),
}
"""By the name of the file that holds the prompt."""
