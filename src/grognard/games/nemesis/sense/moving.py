"""Where to go: by the role of a unit and the mission. Moves are judged by the names of their proposals."""

from __future__ import annotations

import math

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Marker, Unit
from grognard.games.nemesis.sense import worth
from grognard.games.nemesis.setup.missions import in_zone
from grognard.games.nemesis.table import sight

#: What is done before anything else.
MUST = 1000.0
#: Distances in cm that a mage and a leader like to keep from the enemy.
MAGE_NEAR, MAGE_FAR, LEADER_NEAR = 16.0, 28.0, 30.0
#: The cm a fighter closes to before a charge: the nearer, the more of his comrades get there with him.
CLOSE = 4.0


def plan(battle: Battle, unit: Unit) -> dict[str, float]:
    """How good moves look by their names, or by the kind before the colon; "stay" is not moving."""
    found = PLANS[worth.role(battle, unit)](battle, unit)
    found |= {"pile-in": MUST, "regroup": MUST}
    wanted = errand(battle, unit)
    if wanted is not None:
        found |= {"to": 0.0, "home": 0.0, "stay": 0.0, wanted: MUST}
    return found


def judged(found: dict[str, float], name: str | None) -> float:
    """What a plan thinks of one move."""
    wanted = name or "stay"
    return found.get(wanted, found.get(wanted.partition(":")[0], 0.0))


# ---------------------------------------------------------------------- errands


def errand(battle: Battle, unit: Unit) -> str | None:
    """nemesis:A3.1-carry, nemesis:A3.1-length
    What a unit has to do about manuscripts: fetch one, bring it home, stay."""
    bearers = [battle.models[key] for key in unit.models if battle.models[key].scrolls]
    if bearers:
        return "stay" if all(in_zone(battle, m, unit.seat) for m in bearers) else "home"
    free = [m for m in battle.markers if m.bearer is None and not m.destroyed]
    return next((f"to:{marker}" for marker, key in fetchers(battle, unit.seat, free).items() if key == unit.id), None)


def fetchers(battle: Battle, seat: str, free: list[Marker]) -> dict[str, str]:
    """Who fetches which manuscript: the quickest first, one each."""
    runs: list[tuple[float, str, str]] = []
    for unit in battle.army(seat):
        if battle.engaged(unit) or unit.fleeing or worth.role(battle, unit) in ("bearer", "mage"):
            continue
        pace = worth.pace(battle, unit) or 0.1
        for marker in free:
            far = min(_far(battle, key, marker) for key in unit.models)
            runs.append((round(far / pace, 6), marker.id, unit.id))
    found: dict[str, str] = {}
    for _, marker_id, unit_id in sorted(runs):
        if marker_id not in found and unit_id not in found.values():
            found[marker_id] = unit_id
    return found


def _far(battle: Battle, model_id: str, marker: Marker) -> float:
    pose = battle.pose(battle.models[model_id])
    return math.hypot(pose.x - marker.x, pose.y - marker.y)


# ---------------------------------------------------------------------- plans by role


def appeal(battle: Battle, unit: Unit, enemy: Unit) -> float:
    """How much going for an enemy promises a fighter: what the fight is worth, rather soon than late."""
    pace = worth.pace(battle, unit) or 0.1
    gain = max(worth.exchange(battle, unit, enemy), 0.5)
    soon = 1.0 + worth.centimetres(battle, unit, enemy) / pace
    return gain / (soon if worth.prize(battle, enemy) > 1 else soon * math.sqrt(soon))


def interest(battle: Battle, unit: Unit, enemy: Unit) -> float:
    """How much an archer or a mage would like to have an enemy near: the nearest, or whom the mission is about."""
    return worth.prize(battle, enemy) * 10.0 / (10.0 + worth.centimetres(battle, unit, enemy))


def fighter(battle: Battle, unit: Unit) -> dict[str, float]:
    """Toward whoever is most worth fighting, until a charge needs no more than a few steps."""
    found = {"stay": 0.3, "turn": 0.4, "back": -1.0, "join": -0.5, "to": 0.0}
    for enemy in battle.enemies(unit.seat):
        wish = appeal(battle, unit, enemy)
        found[f"toward:{enemy.id}"] = 1.0 + wish
        if worth.centimetres(battle, unit, enemy) <= CLOSE and sight.sees_unit(battle, unit, enemy):
            found["stay"] = max(found["stay"], 1.1 + wish)
    return found


def archer(battle: Battle, unit: Unit) -> dict[str, float]:
    """Stand and shoot while somebody worth a volley is in sight and range; else turn to him or go and find him.

    Whom the mission is about is looked for before others are shot at.
    """
    range_ = worth.reach(battle.standing(unit)) - 2
    found = {"stay": 0.5, "turn": 0.4, "back": 0.0, "join": -0.5, "to": 0.0}
    for enemy in battle.enemies(unit.seat):
        near = worth.centimetres(battle, unit, enemy) <= range_
        harm = worth.volley(battle, unit, enemy) if near else 0.0
        wanted = harm <= 0 and worth.prize(battle, enemy) > 1
        found[f"toward:{enemy.id}"] = (4.5 if wanted else 1.0) + interest(battle, unit, enemy)
        if harm > 0:
            found["stay"] = max(found["stay"], 3.0 + harm / 20)
        elif near and not sight.sees_unit(battle, unit, enemy) and sight.unobstructed(battle, unit, enemy):
            found[f"turn:{enemy.id}"] = 2.9 + worth.volley(battle, unit, enemy, blind=True) / 20
    return found


def mage(battle: Battle, unit: Unit) -> dict[str, float]:
    """Near enough to cast at whom it matters, too far to be charged by whoever is free to."""
    enemies = battle.enemies(unit.seat)
    found = {"stay": 1.0, "turn": 0.9, "back": 0.0, "join": 0.2, "toward": 0.5, "to": 0.0}
    loose = [worth.centimetres(battle, unit, e) for e in enemies if not battle.engaged(e)]
    if min(loose, default=MAGE_NEAR) < MAGE_NEAR:
        found["back"] = 2.0
        return found
    for enemy in enemies:
        if worth.centimetres(battle, unit, enemy) > MAGE_FAR:
            found[f"toward:{enemy.id}"] = 1.0 + interest(battle, unit, enemy)
        else:
            found["stay"] = max(found["stay"], 1.1 + interest(battle, unit, enemy))
    return found


def leader(battle: Battle, unit: Unit) -> dict[str, float]:
    """nemesis:A3.3-victory  Out of harm's way, among one's own."""
    near = min((worth.centimetres(battle, unit, e) for e in battle.enemies(unit.seat)), default=0.0)
    return {"stay": 1.0, "turn": 0.5, "back": 3.0 if near < LEADER_NEAR else 0.4, "join": 0.8, "toward": -1.0}


def bearer(battle: Battle, unit: Unit) -> dict[str, float]:
    """nemesis:A3.1-length  Home, or at least away."""
    return {"home": 5.0, "back": 2.0, "stay": 1.0, "turn": 0.5, "toward": -2.0, "to": 0.0}


PLANS = {"fighter": fighter, "archer": archer, "mage": mage, "leader": leader, "bearer": bearer}
