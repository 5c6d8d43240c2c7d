"""Dagster's logs of what steps print, captured by processes that have no keys."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from dagster import DagsterInstance
from dagster._core.storage.compute_log_manager import CapturedLogContext
from dagster._core.storage.local_compute_log_manager import LocalComputeLogManager
from dagster._serdes import ConfigurableClassData

from lifeloom.child_environment import secrets_hidden

__all__ = ["KeylessComputeLogManager"]


class KeylessComputeLogManager(LocalComputeLogManager):
    """Keeps what steps print in the instance's folder, as Dagster does unless told otherwise.

    For every step Dagster starts two ``tail`` and two watching processes, which live as long as the step does and
    would get the step's environment, keys included.
    """

    @classmethod
    def config_type(cls) -> Any:
        """Nothing is to be configured."""
        return {}

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> KeylessComputeLogManager:
        """Make one, as Dagster asks for it."""
        return cls(base_dir="", inst_data=inst_data, **config_value)

    def register_instance(self, instance: DagsterInstance) -> None:
        """Learn the instance, and with it the folder."""
        super().register_instance(instance)
        self._base_dir = instance.storage_directory()

    @contextlib.contextmanager
    def capture_logs(self, log_key: Sequence[str]) -> Generator[CapturedLogContext, None, None]:
        """Capture what is printed inside."""
        with contextlib.ExitStack() as capturing:
            with secrets_hidden():
                context = capturing.enter_context(super().capture_logs(log_key))
            yield context
