"""Write requirements.lock from the packages that are installed in this environment."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements.lock"
TOOLS = {"pip", "lifeloom"}


def main() -> None:
    header = [line for line in LOCK.read_text().splitlines() if line.startswith("#")]
    names = {dist.metadata["Name"]: dist.version for dist in importlib.metadata.distributions()}
    rows = sorted((f"{name}=={version}" for name, version in names.items() if name.lower() not in TOOLS), key=str.lower)
    LOCK.write_text("\n".join([*header, *rows]) + "\n")


if __name__ == "__main__":
    main()
