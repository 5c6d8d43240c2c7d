"""A model hub on loopback that has one repository and speaks as much of the hub's protocol as a download needs."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

__all__ = ["HubServer"]


class HubServer:
    """Serves the files of ``folder`` as the repository ``name``.

    Args:
        name: ``organisation/model``.
        folder: With the files.

    Attributes:
        commit: Of the one version there is.
        requests: Paths asked for, in order.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.commit = hashlib.sha1(name.encode()).hexdigest()
        self.requests: list[str] = []
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
        described = json.dumps(
            {"id": name, "sha": self.commit, "siblings": [{"rfilename": file} for file in files]}
        ).encode()
        listed = json.dumps(
            [
                {"type": "file", "path": file, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}
                for file, data in files.items()
            ]
        ).encode()
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                hub.requests.append(self.path)
                path = self.path.partition("?")[0]
                data = files.get(path.removeprefix(f"/{name}/resolve/{hub.commit}/"))
                if path in {f"/api/models/{name}", f"/api/models/{name}/revision/main"}:
                    data = described
                if path.startswith(f"/api/models/{name}/tree/"):
                    data = listed
                self.send_response(404 if data is None else 200)
                if data is None:
                    self.send_header("X-Error-Code", "RepoNotFound")
                else:
                    self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
                    self.send_header("X-Repo-Commit", hub.commit)
                self.send_header("Content-Length", str(len(data or b"")))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(data or b"")

            do_HEAD = do_GET

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> HubServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
