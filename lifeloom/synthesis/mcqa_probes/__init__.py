"""CapEval-QAs: three multiple-choice questions a dialogue (CoViP Section 3.2.2, Appendix B)."""

from lifeloom.synthesis.mcqa_probes.making import QUESTIONS, MadeProbes, make_probes

__all__ = ["QUESTIONS", "MadeProbes", "make_probes"]
