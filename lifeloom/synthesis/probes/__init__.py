"""Parts of the benchmark cases: what is true when, which cases to ask, how they are worded."""
