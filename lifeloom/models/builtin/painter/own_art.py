"""Things of our own: those whose icons do not read well at a small size, and the mug, which has none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lifeloom.models.builtin.painter.light import mix

__all__ = ["OWN_ART"]

_INK = "#1a1420"


def _document(content: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 72">{content}</svg>'


def _outlined(data: str, fill: str, line: str, width: float = 1.25) -> str:
    return f'<path d="{data}" fill="{fill}" stroke="{line}" stroke-width="{width}" stroke-linejoin="round"/>'


def _mug(main: str) -> str:
    shade, line, rim = mix(main, _INK, 0.24), mix(main, _INK, 0.66), mix(main, "#ffffff", 0.35)
    return _document(
        f'<path d="M48 28H56C64 28 64 48 54 48H47" fill="none" stroke="{line}" stroke-width="7.5"/>'
        f'<path d="M48 28H56C64 28 64 48 54 48H47" fill="none" stroke="{shade}" stroke-width="5"/>'
        f'<path d="M12 20V50Q12 62 24 62H38Q50 62 50 50V20Z" fill="{main}"/>'
        f'<path d="M41 20H50V50Q50 62 38 62H31Q41 60 41 49Z" fill="{shade}"/>'
        f'<ellipse cx="31" cy="20" rx="19" ry="5.5" fill="{rim}"/>'
        f'<ellipse cx="31" cy="20.6" rx="15.5" ry="3.7" fill="#5b3824"/>'
        f'<path d="M12 20V50Q12 62 24 62H38Q50 62 50 50V20" fill="none" stroke="{line}" stroke-width="1.25"/>'
        f'<ellipse cx="31" cy="20" rx="19" ry="5.5" fill="none" stroke="{line}" stroke-width="1.25"/>'
    )


def _laptop(_: str) -> str:
    line = "#3a424c"
    return _document(
        _outlined("M14 16Q14 13 17 13H55Q58 13 58 16V45H14Z", "#6c7784", line)
        + '<rect x="18" y="17" width="36" height="24" fill="#9fd4ee"/>'
        + '<path d="M18 17H40L26 41H18Z" fill="#bfe4f5"/>'
        + _outlined("M14 45H58L67 57Q68 60 65 60H7Q4 60 5 57Z", "#b9c2ca", line)
        + '<path d="M18 48H54L57 53H15Z" fill="#7f8a95"/><path d="M30 55H42L43 58H29Z" fill="#8f9aa4"/>'
    )


def _skateboard(_: str) -> str:
    line = "#173f5c"
    wheels = "".join(
        f'<circle cx="{x}" cy="47" r="6" fill="#e0473f" stroke="#6b1a18" stroke-width="1.25"/>'
        f'<circle cx="{x}" cy="47" r="2.1" fill="#f6efe2"/>'
        for x in (20, 52)
    )
    return _document(
        '<path d="M16 40H24L22 47H18ZM48 40H56L54 47H50Z" fill="#8d969e"/>'
        + wheels
        + _outlined("M3 28Q8 36 16 36H56Q64 36 69 28L71 30Q66 42 56 42H16Q6 42 1 30Z", "#3d9bd6", line)
        + '<path d="M14 38.2H58" stroke="#f6d32e" stroke-width="2"/>'
    )


def _book(_: str) -> str:
    line = "#4a1f2b"
    rows = "".join(
        f'<path d="M{x} {y}q9 -3 18 0" fill="none" stroke="#a79f94" stroke-width="1.4"/>'
        for x in (12, 42)
        for y in (27, 33, 39, 45)
    )
    return _document(
        _outlined("M4 20H68V58H4Z", "#a83a4d", line)
        + _outlined("M8 18Q22 10 36 18Q50 10 64 18V53Q50 46 36 54Q22 46 8 53Z", "#fdf8ec", line)
        + '<path d="M36 18Q22 10 8 18V53Q22 46 36 54Z" fill="#f1e8d6"/>'
        + f'<path d="M36 18V54" stroke="{line}" stroke-width="1.25"/>'
        + rows
    )


OWN_ART: Mapping[str, Callable[[str], str]] = {
    "mug": _mug,
    "laptop": _laptop,
    "skateboard": _skateboard,
    "book": _book,
}
"""Draws a thing in a colour (where it comes in colours) as an SVG of 72 x 72 units, by name."""
