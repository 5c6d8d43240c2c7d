"""What steps print is captured into the home, by processes that have no keys."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

CAPTURING = """
import json
import sys
from pathlib import Path

import psutil

from lifeloom.store import Home
from orchestration.instance import open_instance

with open_instance(Home(sys.argv[1])) as instance:
    manager = instance.compute_log_manager
    with manager.capture_logs(["a-run", "compute_logs", "a-step"]):
        print("printed by a step")
        children = psutil.Process().children(recursive=True)
        environments = [Path(f"/proc/{child.pid}/environ").read_text() for child in children]
    kept = manager.get_log_data(["a-run", "compute_logs", "a-step"]).stdout.decode()
Path(sys.argv[2]).write_text(json.dumps([environments, kept]))
"""


def test_processes_that_capture_a_steps_output_have_no_keys(tmp_path: Path) -> None:
    canary = "canary-0123456789abcdef"
    subprocess.run(
        [sys.executable, "-c", CAPTURING, str(tmp_path / "home"), str(tmp_path / "told.json")],
        env={**os.environ, "OPENAI_API_KEY": canary, "PLAIN_VALUE": "seen"},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    environments, kept = json.loads((tmp_path / "told.json").read_text())
    assert len(environments) >= 2
    assert all("PLAIN_VALUE=seen" in environment for environment in environments)
    assert not any(canary in environment for environment in environments)
    assert kept == "printed by a step\n"
    logs = [path.relative_to(tmp_path / "home" / "dagster") for path in tmp_path.rglob("a-step.out")]
    assert logs == [Path("storage/a-run/compute_logs/a-step.out")]
