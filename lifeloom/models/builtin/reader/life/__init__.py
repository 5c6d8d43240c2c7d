"""The built-in reader of lives: answers, judges and criticises questions about a Vaccount."""

from lifeloom.models.builtin.reader.life.answering import answer_life
from lifeloom.models.builtin.reader.life.critique import critique_question
from lifeloom.models.builtin.reader.life.judging import judge_answer

__all__ = ["answer_life", "critique_question", "judge_answer"]
