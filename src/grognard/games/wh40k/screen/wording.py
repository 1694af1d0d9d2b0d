"""Which of several sentences tells something: what its facts decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: What is about a unit and those it acts against; one sentence names them all.
AGAINST = ("ask.charge.move", "event.shoot", "event.charge.declared")
#: What may be about one more: a question about a unit and one of its models, the Stratagem of a player for a unit.
OF_ONE = (
    "ask.fight.target", "ask.fight.weapon", "ask.shoot.pistols", "ask.shoot.profile", "ask.shoot.target",
    "event.stratagem",
)  # fmt: skip
#: Those that tell what kind of model it is, unless it is a unit by itself.
OF_KINDS = ("ask.fight.weapon", "ask.shoot.pistols")
#: Where a fact that is 0 or empty asks for other words.
AT_NONE = {
    "event.attack.hits": "criticals", "event.attack.wounds": "criticals", "event.move.made": "inches",
    "event.wound.lost": "left", "note.blows": "abilities", "note.shots": "abilities",
}  # fmt: skip
#: Proposals of a floor; the ground is level 0, and the places of proposals are counted from 1.
FLOORS = ("propose.floor", "propose.up")


def precise(code: str, data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The text and the facts to say a code with."""
    if code in AGAINST:
        against = [thing for key, thing in data.items() if key.startswith("about") and key != "about0"]
        return (code, {**data, "targets": against}) if against else (f"{code}.none", data)
    if code in OF_ONE and "about1" in data:
        return f"{code}.sole" if code in OF_KINDS and data["about0"] == data["about1"] else f"{code}.one", data
    if code in AT_NONE and not data.get(AT_NONE[code]):
        return f"{code}.none", data
    if code in FLOORS:
        return code, {**data, "place": int(data["place"]) - 1}
    if code == "ask.move" and "least" in data:
        return "ask.move.least", data
    return code, data
