"""Tables laid out from the plain numbers of a question."""

from __future__ import annotations

from typing import Any

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.odds import scene
from grognard.games.nemesis.odds.scene import SPOT, Arguments

#: How far apart melees of the same fight stand, in cm.
APART = 25.0


def range_(arguments: Arguments) -> Battle:
    """A shooter ("shooter") and his target ("target") at a distance; a friend behind it where it fights one."""
    shooter = scene.armed(
        scene.profile(arguments, "shooter", {"HT": "HT", "size": "shooter_size"}, "shooter_abilities"), arguments
    )
    target = scene.profile(arguments, "target", {"R": "R", "S": "S", "size": "size"}, "target_abilities")
    x, y = SPOT
    far = y + scene.reach(shooter) + scene.reach(target) + arguments["distance"]
    units: dict[str, Any] = {
        "shooter": {"side": "red", "card": "shooter", "at": [x, y], "moved": arguments["moved"]},
        "target": {"side": "blue", "card": "target", "at": [x, far]},
    }
    if arguments.get("melee"):
        behind = far + scene.reach(target) + scene.reach(scene.TROOPER) + scene.KISS
        units["friend"] = {"side": "red", "card": "friend", "at": [x, behind]}
    cards = {"shooter": shooter, "target": target, "friend": scene.TROOPER}
    covered = [{"kind": "ruin", "at": [x, far], "size": [12, 12]}] if arguments["cover"] else []
    plan = {"cards": cards, "units": units, "terrain": covered, "phase": "shooting", "begun": True}
    return scene.create(arguments, plan)


def _sides(arguments: Arguments) -> tuple[dict[str, Any], dict[str, Any]]:
    found = []
    for who in ("attacker", "defender"):
        changes = {key: f"{who}_{key}" for key in ("HC", "F", "R", "S", "A", "size")}
        if who == "attacker":
            changes["M"] = "M"
        found.append(scene.profile(arguments, who, changes, f"{who}_abilities"))
    return found[0], found[1]


def field(arguments: Arguments) -> Battle:
    """Two units ("attacker", "defender") facing each other in rows of up to five."""
    attacker, defender = _sides(arguments)
    if arguments["reaction"] == "shoot":
        defender = scene.armed(defender, arguments)
    x, y = SPOT
    far = y + scene.reach(attacker) + scene.reach(defender) + arguments["distance"]
    units = {
        "attacker": {"side": "red", "card": "attacker", "count": arguments["attackers"], "at": [x, y]},
        "defender": {"side": "blue", "card": "defender", "count": arguments["defenders"], "at": [x, far]},
    }
    plan = {"cards": {"attacker": attacker, "defender": defender}, "units": units, "phase": "engage", "begun": True}
    return scene.create(arguments, plan)


def scrum(arguments: Arguments) -> Battle:
    """Two units in base contact: the larger dealt out evenly round the models of the smaller.

    Whoever finds no room touches nobody and does not fight.
    """
    attacker, defender = _sides(arguments)
    many, few = arguments["attackers"], arguments["defenders"]
    inner, outer = (defender, attacker) if many >= few else (attacker, defender)
    centres, around = [], []
    for place, share in enumerate(scene.shares(max(many, few), min(many, few))):
        centre = (SPOT[0] - 125 + APART * (place % 10) + 12, SPOT[1] - 100 + APART * (place // 10))
        centres.append(centre)
        around += scene.ring(centre, scene.reach(inner), scene.reach(outer), share)
    spare = max(many, few) - len(around)
    around += [(20.0 + 8 * (n % 30), 280.0 - 8 * (n // 30)) for n in range(spare)]
    places = {"defender": centres, "attacker": around} if many >= few else {"attacker": centres, "defender": around}
    units = {
        "attacker": {"side": "red", "card": "attacker", "models": scene.rows(places["attacker"])},
        "defender": {"side": "blue", "card": "defender", "models": scene.rows(places["defender"])},
    }
    units["attacker"]["charged"] = arguments["charged"]
    units["defender"]["counter_charged"] = arguments["countered"]
    plan = {"cards": {"attacker": attacker, "defender": defender}, "units": units, "phase": "combat", "begun": True}
    return scene.create(arguments, plan)


def circle(arguments: Arguments) -> Battle:
    """A mage ("mage") alone."""
    mage = scene.profile(arguments, "mage", {"CO": "CO", "R": "R", "S": "S"}, "abilities")
    if not mage.get("CO"):
        mage["CO"] = 5
    units = {"mage": {"side": "red", "card": "mage", "at": list(SPOT)}}
    return scene.create(arguments, {"cards": {"mage": mage | {"type": "mage"}}, "units": units, "phase": "magic"})


def lone(arguments: Arguments, changes: dict[str, str]) -> Battle:
    """Somebody ("tester") alone."""
    card = scene.profile(arguments, "card", changes, "abilities")
    units = {"tester": {"side": "red", "card": "tester", "at": list(SPOT)}}
    return scene.create(arguments, {"cards": {"tester": card}, "units": units})
