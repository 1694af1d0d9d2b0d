"""Where to go: by the role of a unit and the mission. Moves are judged by the names of their proposals."""

from __future__ import annotations

import math

from grognard.games.nemesis import sight
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Marker, Unit
from grognard.games.nemesis.scenarios import in_zone
from grognard.games.nemesis.sense import worth

#: What is done before anything else.
MUST = 1000.0
#: Distances in cm that a mage and a leader like to keep from the enemy.
MAGE_NEAR, MAGE_FAR, LEADER_NEAR = 16.0, 28.0, 30.0


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
    """nemesis:A3.1-carry, A3.1-length  What a unit has to do about manuscripts: fetch one, bring it home, stay."""
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


def fighter(battle: Battle, unit: Unit) -> dict[str, float]:
    """Toward whoever is most worth fighting; stand once he is in sight and within a charge."""
    pace = worth.pace(battle, unit) or 0.1
    found = {"stay": 0.3, "turn": 0.4, "back": -1.0, "join": -0.5, "to": 0.0}
    for enemy in battle.enemies(unit.seat):
        far = worth.centimetres(battle, unit, enemy)
        gain = max(worth.exchange(battle, unit, enemy), 0.5)
        appeal = gain / (1.0 + far / pace) ** (1.0 if worth.prize(battle, enemy) > 1 else 1.5)
        ready = far <= 0.85 * pace
        found[f"toward:{enemy.id}"] = 1.0 + appeal
        if ready and sight.sees_unit(battle, unit, enemy):
            found["stay"] = max(found["stay"], 1.1 + appeal)
    return found


def archer(battle: Battle, unit: Unit) -> dict[str, float]:
    """Stand and shoot while somebody is in sight and range; else go and find him."""
    members = battle.standing(unit)
    range_ = worth.reach(members)
    found = {"stay": 0.5, "turn": 0.4, "back": 0.0, "join": -0.5, "to": 0.0}
    for enemy in battle.enemies(unit.seat):
        far = worth.centimetres(battle, unit, enemy)
        if far <= range_ - 2 and sight.sees_unit(battle, unit, enemy):
            found["stay"] = max(found["stay"], 3.0 + worth.volley(battle, unit, enemy) / 20)
        wanted = worth.prize(battle, enemy) > 1 and far > range_ - 2
        found[f"toward:{enemy.id}"] = (4.5 if wanted else 1.0) + 10.0 / (10.0 + far)
        if far <= range_:
            found[f"turn:{enemy.id}"] = 1.5
    return found


def mage(battle: Battle, unit: Unit) -> dict[str, float]:
    """Near enough to cast, too far to be charged."""
    near = min((worth.centimetres(battle, unit, e) for e in battle.enemies(unit.seat)), default=0.0)
    found = {"stay": 1.0, "turn": 0.9, "back": 0.0, "join": 0.2, "toward": 0.5, "to": 0.0}
    if near > MAGE_FAR:
        found["toward"] = 2.0
    elif near < MAGE_NEAR:
        found["back"] = 2.0
    return found


def leader(battle: Battle, unit: Unit) -> dict[str, float]:
    """nemesis:A3.3-victory  Out of harm's way, among one's own."""
    near = min((worth.centimetres(battle, unit, e) for e in battle.enemies(unit.seat)), default=0.0)
    return {"stay": 1.0, "turn": 0.5, "back": 3.0 if near < LEADER_NEAR else 0.4, "join": 0.8, "toward": -1.0}


def bearer(battle: Battle, unit: Unit) -> dict[str, float]:
    """nemesis:A3.1-length  Home, or at least away."""
    return {"home": 5.0, "back": 2.0, "stay": 1.0, "turn": 0.5, "toward": -2.0, "to": 0.0}


PLANS = {"fighter": fighter, "archer": archer, "mage": mage, "leader": leader, "bearer": bearer}
