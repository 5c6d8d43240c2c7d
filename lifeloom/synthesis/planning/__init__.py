"""Parts of the conversation plan: what is said, when, and how the days are spoken of."""
