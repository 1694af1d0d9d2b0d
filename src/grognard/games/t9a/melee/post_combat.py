"""t9a:15.H.e  Post-Combat Pivots and Post-Combat Reforms."""

from __future__ import annotations

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.rolls import distances
from grognard.games.t9a.table import ground
from grognard.games.t9a.units import character_bases, reforms
from grognard.games.t9a.units.reforms import ReformJudge
from grognard.kernel.citing import cites
from grognard.kernel.questions import Pick, Script, option


def reform(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:15.H.e.2  A Reform; Scoring is lost until the next Player Turn, and no charge may be declared in it."""
    judge = ReformJudge(battle, unit, distances.march_limit(battle, unit), "t9a:15.H.e.2")
    block = yield from character_bases.reform(battle, unit, judge, "post.reform")
    if block is None:
        return
    unit.move = unit.move.but(moved=True, reformed=True)
    unit.scoring = unit.scoring.but(lost=max(unit.scoring.lost, battle.clock))
    unit.fight = unit.fight.but(reformed_at=battle.clock)
    unit.no_charge = battle.clock + 1
    if unit.scoring.marker:
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


@cites
def choose(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:15.H.e
    Nothing, a Post-Combat Pivot or a Post-Combat Reform; whom the fight left it within 1" of may stay so near
    (t9a:4.C-linger)."""
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
        yield from reforms.pivot(battle, unit)
    elif pick == "reform":
        yield from reform(battle, unit)
