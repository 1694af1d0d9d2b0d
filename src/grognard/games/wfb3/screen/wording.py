"""Which text says something where one of its facts decides, and the facts that text shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grognard.games.wfb3.army.spells import SPELLS
from grognard.games.wfb3.texts import TEXTS

#: Facts of events that are the keys of formations and manoeuvres, told by the words for them.
KEYS = {"event.formation": "formation", "event.manoeuvre.failed": "step", "event.manoeuvre.no-room": "step"}

#: What ends a move besides others in the way.
OWN = ("spent", "failed", "axle", "friend")


def precise(code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The text and the facts to say a code with."""
    if code == "propose.toward" and not data.get("what"):
        return "propose.toward-target", data
    if code == "propose.half" and data.get("what"):
        return "propose.deep", data
    if code == "event.test":
        return code, {**data, "passed": "word.passed" if data.get("passed") else "word.failed"}
    if code == "event.phase":
        return _phase(data)
    if code == "ask.wound" and "about1" in data:
        return "ask.wound.whom", data
    if code == "event.shoot.volley" and data.get("out_of_range"):
        return "event.shoot.volley.far" if data.get("shots") else "event.shoot.far", data
    if code == "event.shoot.volley" and not data.get("shots"):
        return "event.shoot.nobody", data
    if code in ("event.forces.advance", "event.forces.reserve"):
        units = [value for key, value in data.items() if key.startswith("about")]
        return (code, {**data, "units": units}) if units else ("event.forces.no-advance", data)
    if code == "event.forces.announced" and not data.get("speeds"):
        return "event.forces.without", data
    if code == "event.spell.cast" and data.get("spell") in SPELLS and SPELLS[data["spell"]].reach:
        return "event.spell.cast.on", data
    if code == "event.unit.moved":
        return _moved(data)
    if code == "event.ruling":
        return code, {**data, "by": f"word.{data.get('by')}"}
    if code == "event.mixed" and data.get("array") == "none":
        return "mixed.parted", data
    if code.startswith("over.") and data.get("winner") is None:
        return f"{code}.drawn", data
    key = KEYS.get(code)
    if key is not None and f"formation.{data.get(key)}" in TEXTS:
        return code, {**data, key: f"formation.{data[key]}"}
    return code, data


def _moved(data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """How far a unit went, and who or what stopped it."""
    stopped = str(data.get("stopped") or "")
    if stopped and stopped not in OWN and not stopped.endswith("edge"):
        return "event.unit.moved.stopped", data
    return "event.unit.moved" if data.get("inches") else "event.unit.moved.still", data


def _phase(data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """A phase by its name; before the battle there is no turn to tell."""
    name = f"phase.name.{data.get('phase')}"
    said = {**data, "phase": name} if name in TEXTS else data
    return "event.phase" if data.get("turn") else "event.phase.before", said
