"""Chapter 18: Victory Points, the Secondary Objective, Battle Points."""

from __future__ import annotations

import math
from typing import Any

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.scoring import objectives
from grognard.kernel.citing import cites
from grognard.kernel.questions import Script
from grognard.kernel.words.tally import Tally

#: t9a:18.C  Table 8: up to this share of the army's value, the winner's Battle Points.
TABLE = ((5, 10), (10, 11), (20, 12), (30, 13), (40, 14), (50, 15), (70, 16))


def points_for(battle: Battle, unit: Unit) -> tuple[int, str]:
    """t9a:18.A-destroyed, t9a:18.A-fleeing, t9a:18.A-shattered  What an enemy gets for a unit, and why.

    Ruling: a unit of which only Characters who joined it are left is destroyed; they are counted apart from it.
    """
    if unit.muster.summoned:
        battle.cite("t9a:13.K.d-vp")
        return 0, "t9a:13.K.d-vp"
    host, left = unit, _own_hp(battle, unit)
    if unit.where == "gone" or left <= 0:
        return unit.points, "t9a:18.A-destroyed"
    if unit.where == "joined":
        host = battle.units[next(m.unit for m in battle.models.values() if m.home == unit.id)]
    half = math.ceil(unit.points / 2)
    fleeing = host.nerve.fleeing
    shattered = 4 * left <= unit.muster.start_hp
    if fleeing and shattered:
        battle.cite("t9a:18.A-shattered")
        return unit.points, "t9a:18.A-fleeing"
    if fleeing:
        return half, "t9a:18.A-fleeing"
    if shattered:
        return half, "t9a:18.A-shattered"
    return 0, "t9a:15.H.d" if unit.where == "away" else ""


def _own_hp(battle: Battle, unit: Unit) -> int:
    """Characters are counted apart from the units they joined."""
    own = [m for m in battle.models.values() if m.home == unit.id and not m.gone]
    return unit.troops * unit.profile.hp - unit.lost + sum(m.hp for m in own)


def victory_points(battle: Battle, seat: str) -> Tally:
    """t9a:18.A  A player's Victory Points (t9a:18.A-king, t9a:18.A-banner)."""
    score = Tally(0, "Victory Points", "t9a:18.A")
    for unit in battle.units.values():
        if unit.seat != seat:
            points, rule = points_for(battle, unit)
            score.add(points, unit.id, rule or "t9a:18.A")
    for model in battle.models.values():
        if model.seat != seat and model.gone:
            if model.general:
                score.add(200, "their king is dead", "t9a:18.A-king")
            if model.bsb:
                score.add(200, "their banner is down", "t9a:18.A-banner")
    return score


def battle_points(difference: float, value: float) -> int:
    """t9a:18.C  The winner's Battle Points by the difference as a share of the army's value."""
    share = 100 * difference / value if value else 0.0
    return next((points for most, points in TABLE if share <= most + 1e-9), 17)


def decide(battle: Battle) -> Script[None]:
    """Chapter 18: The end of the game."""
    held = yield from objectives.tallies(battle)
    first, second = battle.seats
    vp = {seat: victory_points(battle, seat) for seat in battle.seats}
    winner_of_objective = None
    if held[first] != held[second]:
        winner_of_objective = first if held[first] > held[second] else second
    battle.cite("t9a:18.A", "t9a:18.B")
    value = max(battle.sides[s].limit for s in battle.seats)
    if battle.house["result"] == "simple":
        battle.outcome = _simple(battle, vp, winner_of_objective, value)
    else:
        battle.outcome = _full(battle, vp, winner_of_objective, value)
    told: dict[str, Any] = {f"vp_{seat}": vp[seat] for seat in battle.seats}
    battle.tell("game.over", "t9a:18.C", (), **told, objective=winner_of_objective, score=battle.outcome["score"])


def _full(battle: Battle, vp: dict[str, Tally], objective: str | None, value: int) -> dict[str, Any]:
    first, second = battle.seats
    difference = vp[first].value - vp[second].value
    high = battle_points(abs(difference), value)
    score = {first: high if difference >= 0 else 20 - high, second: 20 - high if difference >= 0 else high}
    if objective is not None:
        score[objective] += 3
        score[battle.other(objective)] -= 3
    best = max(score.values())
    leaders = [s for s in battle.seats if score[s] == best]
    return {
        "winner": leaders[0] if len(leaders) == 1 else None,
        "why": "why.battle-points" if len(leaders) == 1 else "why.even",
        "rule": "t9a:18.C",
        "score": score,
        "victory_points": {s: int(vp[s].value) for s in battle.seats},
        "objective": objective,
    }


def earned(battle: Battle, seat: str) -> Tally | None:
    """t9a:18.B, t9a:18.C  A player's Battle Points once the battle is over; the simplified result has none."""
    if battle.outcome is None or battle.outcome["rule"] != "t9a:18.C":
        return None
    objective = battle.outcome["objective"]
    more = 0 if objective is None else 3 if objective == seat else -3
    points = Tally(battle.outcome["score"][seat] - more, "Battle Points", "t9a:18.C")
    return points.add(more, "secondary objective", "t9a:18.B")


@cites
def _simple(battle: Battle, vp: dict[str, Tally], objective: str | None, value: int) -> dict[str, Any]:
    """t9a:18.C.a  The objective is worth a fifth of the army's value; then draw, victory or massacre."""
    totals = {s: vp[s].value for s in battle.seats}
    if objective is not None:
        totals[objective] += value * 0.2
    first, second = battle.seats
    difference = totals[first] - totals[second]
    share = 100 * abs(difference) / value
    why = "why.draw" if share < 10 else "why.victory" if share <= 50 else "why.massacre"
    winner = None if why == "why.draw" else first if difference > 0 else second
    return {
        "winner": winner,
        "why": why,
        "rule": "t9a:18.C.a",
        "score": {s: int(totals[s]) for s in battle.seats},
        "victory_points": {s: int(vp[s].value) for s in battle.seats},
        "objective": objective,
    }
