"""Serving Dagster and MLflow on this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lifeloom.child_environment import child_environment
from lifeloom.store import Home
from lifeloom.tracking import Tracker
from orchestration.instance import dagster_environment

__all__ = ["HOST", "PortTaken", "Server", "ServerEnded", "end_asked", "serve", "wait"]

HOST = "127.0.0.1"


class PortTaken(OSError):
    """Something else listens on the port."""


class ServerEnded(RuntimeError):
    """A server stopped by itself."""


@dataclass(frozen=True)
class Server:
    """A running server."""

    name: str
    url: str
    process: subprocess.Popen[bytes]
    log: Path


@contextlib.contextmanager
def serve(home: Home, *, dagster_port: int, mlflow_port: int) -> Iterator[list[Server]]:
    """Start Dagster (web server and daemon) and MLflow on loopback, and end both with all they started.

    MLflow gets no keys of models, nor other secrets.

    Raises:
        PortTaken: a port is in use.
        TrackerUnavailable: MLflow's database cannot be opened.
    """
    for name, port in (("Dagster", dagster_port), ("MLflow", mlflow_port)):
        _check_free(name, port)
    tracker = Tracker(home.mlflow)
    tracker.client()  # makes the database, so that the server finds it
    # Neither program may reach out, and MLflow's job runners (seven processes) serve features not used here.
    environment = {
        **dagster_environment(home),
        "LIFELOOM_MLFLOW_SERVER": f"http://{HOST}:{mlflow_port}",
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
        "DO_NOT_TRACK": "true",
    }
    logs = home.path / "logs"
    logs.mkdir(exist_ok=True)
    dagster = [sys.executable, "-m", "dagster", "dev", "-m", "orchestration.definitions", "-h", HOST]
    mlflow = [sys.executable, "-m", "mlflow", "server", "--backend-store-uri", tracker.uri, "--host", HOST]
    mlflow += ["--default-artifact-root", tracker.artifact_root, "--workers", "1"]
    servers: list[Server] = []
    try:
        servers.append(_start("Dagster", [*dagster, "-p", str(dagster_port)], dagster_port, logs, environment))
        # Dagster runs assets, which ask models; MLflow's server, which asks none, gets no keys.
        without_keys = child_environment(environment)
        servers.append(_start("MLflow", [*mlflow, "--port", str(mlflow_port)], mlflow_port, logs, without_keys))
        yield servers
    finally:
        for server in servers:
            _end(server)


def end_asked() -> threading.Event:
    """Return an event that is set when this process is interrupted or asked to end.

    Called before any server starts, so that a signal at any moment ends what has been started, also
    where a shell made the process ignore interruptions.
    """
    asked = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: asked.set())
    return asked


def wait(servers: list[Server], asked: threading.Event) -> None:
    """Return when ``asked`` is set.

    Raises:
        ServerEnded: a server has ended by itself; the message names it and its log.
    """
    while not asked.wait(0.5):
        for server in servers:
            code = server.process.poll()
            if code is not None:
                raise ServerEnded(f"{server.name} ended with code {code}; see {server.log}")


def _check_free(name: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise PortTaken(f"port {port} for {name} is taken; give another with --{name.lower()}-port") from error


def _start(name: str, command: list[str], port: int, logs: Path, environment: Mapping[str, str]) -> Server:
    log = logs / f"{name.lower()}.log"
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603 - our own programs, no shell
            command, stdout=output, stderr=subprocess.STDOUT, env=dict(environment), start_new_session=True
        )
    return Server(name, f"http://{HOST}:{port}", process, log)


def _end(server: Server) -> None:
    """End the server's whole process group: Dagster's web server, daemon and code server are in it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.process.wait(10)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.process.pid, signal.SIGKILL)  # whoever of the group is still there
    server.process.wait()
