"""Definitions, partitions, checks, jobs, schedules, profiles and the command line."""
