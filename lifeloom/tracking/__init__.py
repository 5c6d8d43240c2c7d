"""MLflow tracking, without Dagster."""

from lifeloom.tracking.runs import NOTE, DatasetInput, Tracker, TrackerUnavailable, TrackingRun

__all__ = ["NOTE", "DatasetInput", "Tracker", "TrackerUnavailable", "TrackingRun"]
