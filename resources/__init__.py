"""Dagster resources: the library's clients, wrapped with configuration."""
