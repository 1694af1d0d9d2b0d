"""Changes that change nothing: known.txt lists them, each with the reason."""

from __future__ import annotations

from pathlib import Path

PATH = Path(__file__).parent / "known.txt"


def reason(key: str, reasons: dict[str, str]) -> str:
    """Why a change changes nothing, or ""; a line that ends in * speaks for all that begin like it."""
    if key in reasons:
        return reasons[key]
    return next((why for line, why in reasons.items() if line.endswith("*") and key.startswith(line[:-1])), "")


def known(text: str | None = None) -> dict[str, str]:
    """The reason by `game.module owner: before -> after`.

    A paragraph begins with a reason (lines with `#`); the changes under it follow, one a line.
    """
    found: dict[str, str] = {}
    reason: list[str] = []
    fresh = True
    for line in (PATH.read_text(encoding="utf-8") if text is None else text).splitlines():
        if not line.strip():
            fresh = True
        elif line.startswith("#"):
            reason = ([] if fresh else reason) + [line.lstrip("# ").strip()]
            fresh = False
        else:
            found[line.strip()] = " ".join(reason)
            fresh = True
    return found
