"""MLflow tracking, without Dagster."""

from lifeloom.tracking.runs import DatasetInput, Tracker, TrackerUnavailable, TrackingRun

__all__ = ["DatasetInput", "Tracker", "TrackerUnavailable", "TrackingRun"]
