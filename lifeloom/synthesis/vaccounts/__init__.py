"""Vaccounts: outlines, plans, words and pictures of simulated lives (Life-Bench Section 3.2)."""
