"""Which text says something where one of its facts decides, and the facts that text shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.games.wfb3.texts import TEXTS

#: Facts of events that are the keys of formations and manoeuvres, told by the words for them.
KEYS = {"event.formation": "formation", "event.manoeuvre.failed": "step", "event.manoeuvre.no-room": "step"}


def precise(code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The text and the facts to say a code with."""
    if code == "propose.toward" and not data.get("what"):
        return "propose.toward-target", data
    if code == "event.test":
        return code, {**data, "passed": "word.passed" if data.get("passed") else "word.failed"}
    if code == "event.mixed" and data.get("array") == "none":
        return "mixed.parted", data
    if code.startswith("over.") and data.get("winner") is None:
        return f"{code}.drawn", data
    key = KEYS.get(code)
    if key is not None and f"formation.{data.get(key)}" in TEXTS:
        return code, {**data, key: f"formation.{data[key]}"}
    return code, data
