"""Which text says something, and with which facts, where what is known of it does not say it by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Proposals that are called like moves but are places along an edge of the board: left:3.
EDGES = {"propose.left": "propose.left-edge", "propose.right": "propose.right-edge"}


def precise(code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The text and the facts to say a code with; facts that have a text of their own are told by it."""
    if code in EDGES and data.get("what"):
        return EDGES[code], data
    if code == "event.phase":
        return code, {**data, "phase": f"phase.{data['phase']}"}
    if code == "event.zone.chosen":
        return code, {**data, "zone": f"option.{data['half']}"}
    if code == "event.model.lost" and data["about0"] == data["about1"]:
        return "event.model.lost.alone", data
    if code == "event.magic.cast" and data.get("targets"):
        return "event.magic.cast.at", data
    if code in ("event.discipline.passed", "event.discipline.failed"):
        return code, {**data, "test": f"roll.test.{data['test']}"}
    if code == "event.special.declared":
        return code, {**data, "way": f"way.{data['way']}"}
    if code == "event.catapult.partial":
        return code, {**data, "hit": "partial.hit" if data["hit"] else "partial.miss"}
    if code == "event.charge.reaction":
        return code, {**data, "reaction": f"option.{data['reaction']}"}
    if code == "event.combat.score":
        (first, one), (second, other) = ((k[6:], value) for k, value in data.items() if k.startswith("score_"))
        return code, {**data, "first": first, "one": one, "second": second, "other": other}
    return code, data
