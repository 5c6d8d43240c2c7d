"""The retrieval methods that LifeGraph is compared with: RAP, R2P, RAG-Cap (Life-Bench Section 5.1, L8)."""

from evaluation.life_baselines.base import Baseline
from evaluation.life_baselines.r2p import R2pPolicy
from evaluation.life_baselines.rag_cap import RagCapPolicy
from evaluation.life_baselines.rap import RapPolicy

__all__ = ["Baseline", "R2pPolicy", "RagCapPolicy", "RapPolicy"]
