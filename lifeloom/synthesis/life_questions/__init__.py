"""Questions of Life-Bench from planned lives: ten tasks (Life-Bench Section 3.1, Table 7), verified (Section 3.2)."""

from lifeloom.synthesis.life_questions.making import MadeQuestion, MadeQuestions, counts_for, make_questions
from lifeloom.synthesis.life_questions.question_faults import measure_question_critic
from lifeloom.synthesis.life_questions.reviewing import question_review_items
from lifeloom.synthesis.life_questions.truth import LifeWorld
from lifeloom.synthesis.life_questions.verification import Verified, Verifier

__all__ = [
    "LifeWorld",
    "MadeQuestion",
    "MadeQuestions",
    "Verified",
    "Verifier",
    "counts_for",
    "make_questions",
    "measure_question_critic",
    "question_review_items",
]
