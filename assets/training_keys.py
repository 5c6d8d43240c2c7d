"""Keys of the training sets' stages."""

__all__ = ["CAPTIONING_PROMPTS", "QUESTIONS", "RL_PROMPTS", "SFT_EXAMPLES", "TRAINING_STAGES"]

QUESTIONS = "corpus/questions"
SFT_EXAMPLES = "corpus/sft_examples"
RL_PROMPTS = "corpus/rl_prompts"
CAPTIONING_PROMPTS = "corpus/captioning_prompts"
TRAINING_STAGES = (QUESTIONS, SFT_EXAMPLES, RL_PROMPTS, CAPTIONING_PROMPTS)
"""In the order in which they can be made."""
