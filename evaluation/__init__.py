"""Benchmarks, baselines, the shortcut audit and reports."""
