"""Dagster assets, one module a stage; thin."""
