"""wh40k:21.2-capture  Where to go: who takes which marker, who hunts, and what a move by its name is worth."""

from __future__ import annotations

import math

from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.forces import Marker, Unit
from grognard.games.wh40k.mission import objectives
from grognard.games.wh40k.mission.objectives import RANGE
from grognard.games.wh40k.movement import movement
from grognard.games.wh40k.sense.worth import Look
from grognard.kernel.geometry.units import inches

#: A unit goes on until so near a marker that most of it is in range.
ARRIVED = inches(1.0)
#: Markers a side wants to hold beyond doubt: no more than three score in a turn.
PLENTY = 4.0


def pace(unit: Unit, battle: Battle) -> float:
    """How far a unit moves, in mm."""
    return inches(min((movement.usual_reach(battle, m) for m in battle.members(unit)), default=0.0))


def control(unit: Unit, battle: Battle) -> int:
    """wh40k:20.4-level  The Objective Control of a whole unit."""
    return sum(objectives.control(battle, m) for m in battle.members(unit))


def assign(now: Look, seat: str) -> dict[str, Marker]:
    """Who goes to (or stays at) which marker: the quickest first, until a marker has enough."""
    if seat not in now.goals:
        now.goals[seat] = _assign(now, seat)
    return now.goals[seat]


def _assign(now: Look, seat: str) -> dict[str, Marker]:
    battle = now.battle
    runs: list[tuple[float, float, str, str]] = []
    for unit in now.own(seat):
        weight = control(unit, battle)
        if not weight or battle.is_kind(unit, "AIRCRAFT"):
            continue
        for marker in battle.markers:
            turns = math.ceil(max(0.0, now.far(unit, marker) - RANGE) / max(pace(unit, battle), 1.0))
            runs.append((turns, round(now.far(unit, marker), 1), marker.id, unit.id))
    wanted = {m.id: _needed(now, seat, m) for m in battle.markers}
    found: dict[str, Marker] = {}
    markers = {m.id: m for m in battle.markers}
    for _, _, marker_id, unit_id in sorted(runs):
        if unit_id not in found and wanted[marker_id] > 0:
            found[unit_id] = markers[marker_id]
            wanted[marker_id] -= control(battle.units[unit_id], battle)
    return found


def _needed(now: Look, seat: str, marker: Marker) -> float:
    """The Objective Control it takes to hold a marker against whoever is there or near."""
    theirs = sum(now.control(e, marker) for e in now.enemies(seat))
    near = sum(control(e, now.battle) for e in now.enemies(seat) if RANGE < now.far(e, marker) <= inches(9))
    return theirs + 0.4 * near + PLENTY


def plan(now: Look, unit: Unit) -> dict[str, float]:
    """How good moves look by their names, or by the kind before the colon; "stay" is not moving at all."""
    battle = now.battle
    found = {"hold": 0.0, "stay": 0.2, "back": -1.0, "back-left": -1.0, "back-right": -1.0, "up": -0.5, "down": 0.1,
             "to": 0.3, "toward": 0.4}  # fmt: skip
    goal = assign(now, unit.seat).get(unit.id)
    if goal is not None:
        there = now.far(unit, goal)
        if there <= ARRIVED or (there <= RANGE and now.control(unit, goal) >= 0.7 * control(unit, battle)):
            found["hold"], found["stay"] = 9.0, 10.0
        else:
            found[f"to:{goal.id}"] = 10.0
        return found
    shots = max((now.shooting(unit, e) for e in now.enemies(unit.seat)), default=0.0)
    if not shots or shots < _best_blows(now, unit):
        for enemy in now.enemies(unit.seat):
            gain = max(now.exchange(unit, enemy), 1.0) + max(now.shooting(unit, enemy, 0.0), 0.0)
            turns = now.gap(unit, enemy) / max(pace(unit, battle), 1.0)
            found[f"toward:{enemy.id}"] = 1.0 + gain / (20.0 * (1.0 + turns))
        return found
    found["stay"] = 5.0
    return found


def _best_blows(now: Look, unit: Unit) -> float:
    return max((now.blows(unit, e, charged=True) for e in now.enemies(unit.seat)), default=0.0)


def judged(found: dict[str, float], name: str | None) -> float:
    """What a plan thinks of one move."""
    wanted = name or "hold"
    return found.get(wanted, found.get(wanted.partition(":")[0], 0.0))


def kind(now: Look, unit: Unit, answer: str) -> float:
    """wh40k:4.4-stationary, wh40k:4.5-normal, wh40k:4.6.1-advance, wh40k:4.7.1-fall-back
    Stay, move, Advance or Fall Back."""
    battle = now.battle
    found = plan(now, unit)
    wants = max(found, key=lambda name: found[name])
    if battle.engaged(unit):
        foes = battle.engaged_with(unit)
        given = sum(now.blows(unit, e) for e in foes)
        taken = sum(now.blows(e, unit) for e in foes)
        shots = max((now.shooting(unit, e, inches(6)) for e in now.enemies(unit.seat)), default=0.0)
        flee = taken > 2 * given + 5 and shots < 20
        return {"stationary": 1.0, "fall-back": 2.0 if flee else 0.0}.get(answer, 0.0)
    if wants in ("stay", "hold"):
        return {"stationary": 2.0, "normal": 1.0}.get(answer, 0.0)
    if answer == "advance":
        return 3.0 if _should_run(now, unit, wants) else 0.0
    return {"normal": 2.0}.get(answer, 0.5)


def _should_run(now: Look, unit: Unit, wants: str) -> bool:
    """wh40k:4.6.2-advance-limits  Running costs the shots and the charge: only where neither is to be had."""
    battle = now.battle
    step = pace(unit, battle)
    what = wants.partition(":")[2]
    if wants.startswith("to:"):
        marker = next(m for m in battle.markers if m.id == what)
        if now.far(unit, marker) - RANGE <= step:
            return False
    shots = max((now.shooting(unit, e, max(0.0, now.gap(unit, e) - step)) for e in now.enemies(unit.seat)), default=0.0)
    near = min((now.gap(unit, e) for e in now.enemies(unit.seat)), default=math.inf)
    charge = near - step <= inches(9) and _best_blows(now, unit) > 10
    return shots < 8 and not charge
