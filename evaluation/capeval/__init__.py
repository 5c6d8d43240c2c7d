"""CapEval-QAs: captioning, judging, tables, and how far the judge can be trusted (CoViP Section 3.2.2)."""
