"""What training and evaluation share: the policy protocol and the metrics."""

from lifeloom.scoring.metrics import Accuracy, binomial_lower_bound, bootstrap_accuracy
from lifeloom.scoring.policy import (
    Answer,
    CaseQuestion,
    History,
    HistoryView,
    Policy,
    TrackedPolicy,
    policy_fingerprint,
)

__all__ = [
    "Accuracy",
    "Answer",
    "CaseQuestion",
    "History",
    "HistoryView",
    "Policy",
    "TrackedPolicy",
    "binomial_lower_bound",
    "bootstrap_accuracy",
    "policy_fingerprint",
]
