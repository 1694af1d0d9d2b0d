"""nemesis:A2.C.8-shield  Leaving a melee behind a magic shield."""

from __future__ import annotations

from grognard.games.nemesis import forced, zones
from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Unit
from grognard.kernel.geometry.units import bearing, heading
from grognard.kernel.questions import Pick, Script, option

#: Directions offered, in degrees of the compass.
DIRECTIONS = tuple(range(0, 360, 15))


def withdraw(battle: Battle, unit: Unit, rule: str) -> Script[None]:
    """nemesis:A2.C.8-shield, 18-move  1D10 + M in a chosen direction, without hits on leaving and without pursuit."""
    left = battle.opponents(unit)
    distance = yield from forced.die_distance(battle, unit, "shield.distance", "nemesis:18-move")
    ways = _ways(battle, unit, left, distance)
    if not ways:
        ways = [round(forced.away_from(battle, unit, [u.id for u in left]))]
    options = [option(str(way), float(way), text="option.bearing", data={"bearing": way}) for way in ways]
    chosen = yield Pick(unit.seat, "shield.direction", options, rule="nemesis:18-move", about=(unit.id,))
    yield from forced.run_straight(battle, unit, chosen, distance, rule=rule, free_attacks=False)
    for enemy in left:
        if enemy not in battle.opponents(unit):
            battle.joined.pop((min(unit.id, enemy.id), max(unit.id, enemy.id)), None)


def _ways(battle: Battle, unit: Unit, left: list[Unit], distance: float) -> list[int]:
    """nemesis:18-move  Directions of 90° or more from every enemy left, best without crossing a control zone."""
    away = [way for way in DIRECTIONS if all(_leads_away(battle, unit, enemy, way) for enemy in left)]
    clear = [way for way in away if not _crosses(battle, unit, way, distance)]
    return clear or away


def _leads_away(battle: Battle, unit: Unit, enemy: Unit, way: int) -> bool:
    """At least 90° from the bearing of each of the enemy's models in contact, seen from whom it touches."""
    for model in battle.members(unit):
        for key in battle.contacts(model):
            foe = battle.models[key]
            here, there = battle.pose(model), battle.pose(foe)
            if foe.unit == enemy.id and abs(_turn(bearing(there.x - here.x, there.y - here.y), way)) < 90.0 - 1e-6:
                return False
    return True


def _turn(a: float, b: float) -> float:
    return (a - b + 180.0) % 360.0 - 180.0


def _crosses(battle: Battle, unit: Unit, way: int, distance: float) -> bool:
    dx, dy = heading(way)
    for model in battle.standing(unit):
        pose = battle.pose(model)
        path = [(pose.x, pose.y), (pose.x + dx * distance, pose.y + dy * distance)]
        if zones.crossed(battle, model, path):
            return True
    return False
