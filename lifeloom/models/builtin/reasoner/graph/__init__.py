"""How the built-in model steers a search in a life graph, and turns questions into filters over events."""

from lifeloom.models.builtin.reasoner.graph.planning import plan_of
from lifeloom.models.builtin.reasoner.graph.steering import is_sufficient, prune, top_entities, wanted_references

__all__ = ["is_sufficient", "plan_of", "prune", "top_entities", "wanted_references"]
