"""A life graph of what an assistant remembers: memories of one matter at different times, connected."""

from lifeloom.assistant.memory_graph.graph import graph_of_memory
from lifeloom.assistant.memory_graph.source import FoundThread, ThreadSource
from lifeloom.assistant.memory_graph.threads import Thread, ThreadSettings, threads_of, times_told

__all__ = ["FoundThread", "Thread", "ThreadSettings", "ThreadSource", "graph_of_memory", "threads_of", "times_told"]
