"""The tiny profile that tests of the whole graph use."""

from __future__ import annotations

from dataclasses import dataclass

from orchestration.lineage import Outcome
from resources.workbench import Workbench

TINY = {
    "LIFELOOM_CORPUS__PERSONAS": "4",
    "LIFELOOM_CORPUS__SHARDS": "2",
    "LIFELOOM_CORPUS__MAX_TURNS": "26",
    "LIFELOOM_RELEASE__PERSONAS_32K": "3",
    "LIFELOOM_RELEASE__PERSONAS_128K": "1",
    "LIFELOOM_RELEASE__MAX_TURNS_32K": "32",
    "LIFELOOM_RELEASE__MIN_TURNS_128K": "40",
    "LIFELOOM_RELEASE__MAX_TURNS_128K": "44",
    "LIFELOOM_RELEASE__CASES_PER_PERSONA": "6",
    "LIFELOOM_AUDIT__REFERENCE_PERSONAS": "12",
    "LIFELOOM_VALIDATION__INJECTED_FAULTS": "2",
    "LIFELOOM_SCORING__BOOTSTRAP_SAMPLES": "200",
    "LIFELOOM_SCORING__ABLATIONS": "memory_agent,agent_without_episodic,agent_without_reasoning,agent_episodes_1",
    "LIFELOOM_MEMORY__SUPERVISED_SESSIONS": "1",
    "LIFELOOM_LIFE__VACCOUNTS": "2",
    "LIFELOOM_LIFE__SEEDS": "3",
    "LIFELOOM_LIFE__PICTURES": "12",
    "LIFELOOM_LIFE__QUESTION_PICTURES": "3",
    "LIFELOOM_LIFE__QUESTIONS": "26",
    "LIFELOOM_LIFE__POLICIES": "rap-k3,rag-cap-k3,lifegraph-d2-k3,lifegraph-d2-k3-tools",
    "LIFELOOM_LIFE__SWEEP_QUESTIONS": "0",
    "LIFELOOM_LIFE__VERIFICATION_ROUNDS": "1",
    "LIFELOOM_CAPTIONS__IDENTITIES": "42",
    "LIFELOOM_CAPTIONS__DIAGNOSTIC_PEOPLE": "5",
    "LIFELOOM_CAPTIONS__TRAIN_SCENES": "4",
    "LIFELOOM_CAPTIONS__TEST_SCENES": "8",
    "LIFELOOM_CAPTIONS__JUDGED_CAPTIONS": "20",
    "LIFELOOM_CAPTIONS__DIAGNOSTIC_CONTEXTS": "6",
    "LIFELOOM_CAPTIONS__QUALITY_PICTURES": "4",
}


@dataclass(frozen=True)
class Made:
    """The whole graph, made once."""

    workbench: Workbench
    outcomes: list[Outcome]
