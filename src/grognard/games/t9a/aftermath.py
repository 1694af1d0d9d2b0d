"""t9a:15.H.e  Post-Combat Pivots and Post-Combat Reforms."""

from __future__ import annotations

import math

from grognard.games.t9a import footing, ground, stats
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.flight import distance_of
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.reforms import ReformJudge
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Pick, Place, Script, option


def march_limit(battle: Battle, unit: Unit) -> float:
    """A unit's March Rate in mm; with Random Movement the most it can roll (t9a:21.A.b.30-limits)."""
    if battle.any_has(unit, "random-movement"):
        battle.cite("t9a:21.A.b.30-limits")
        return inches(distance_of(battle, unit).most)
    return inches(float(stats.rate(battle, unit, "mar").value))


def pivot(battle: Battle, unit: Unit, rule: str = "t9a:15.H.e.1") -> Script[None]:
    """t9a:15.H.e.1  A Pivot about the centre; Front Rank models may be rearranged."""
    judge = ReformJudge(battle, unit, math.inf, rule, pivot_only=True)
    block = yield Place(unit.seat, "post.pivot", (unit.id,), judge, optional=True, rule=rule, about=(unit.id,))
    if block is not None:
        battle.put(unit, block)
        unit.moved = True
        battle.tell("unit.pivoted", rule, (unit.id,), facing=round(block.facing, 1))


def reform(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:15.H.e.2  A Reform; Scoring is lost until the next Player Turn, and no charge may be declared in it."""
    judge = ReformJudge(battle, unit, march_limit(battle, unit), "t9a:15.H.e.2")
    block = yield from footing.reform(battle, unit, judge, "post.reform")
    if block is None:
        return
    unit.moved = unit.reformed = True
    unit.scoring_lost = max(unit.scoring_lost, battle.clock)
    unit.reformed_at = battle.clock
    unit.no_charge = battle.clock + 1
    if unit.marker:
        battle.cite("t9a:9.E.3-drop")
    battle.tell("unit.reformed", "t9a:15.H.e.2", (unit.id,), files=block.files, facing=round(block.facing, 1))


def next_of(battle: Battle, units: list[Unit], rule: str) -> Script[Unit]:
    """t9a:2.A.c  Who of a player's units that may turn or reform now goes first (as mustered, if he does not mind)."""
    if len(units) == 1:
        return units[0]
    options = [option(u.id, u, about=(u.id,)) for u in units]
    picked = yield Pick(units[0].seat, "post.next", options, optional=True, aside=True, rule="t9a:2.A.c", about=())
    battle.cite(rule)
    return picked or units[0]


def choose(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:15.H.e, 4.C-linger  Nothing, a Post-Combat Pivot or a Post-Combat Reform; whom the fight left it within 1" of
    may stay so near.
    """
    battle.cite("t9a:15.H.e")
    ground.stay_near(battle, unit)
    pick = yield Pick(
        unit.seat,
        "post.combat",
        [option("pivot", text="option.pivot"), option("reform", text="option.reform")],
        optional=True,
        rule="t9a:15.H.e",
        about=(unit.id,),
    )
    if pick == "pivot":
        yield from pivot(battle, unit)
    elif pick == "reform":
        yield from reform(battle, unit)
