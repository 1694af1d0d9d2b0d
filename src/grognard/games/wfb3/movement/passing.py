"""Chapter 5.5: skirmishers and lone characters pass through friends who stand still, and may stop among them."""

from __future__ import annotations

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.hooks import PASSING
from grognard.games.wfb3.movement.walking import Walk
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.table import ground
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import too_near
from grognard.kernel.questions import Script


def is_loose(unit: Unit) -> bool:
    """wfb3:5.5-skirmish  Skirmishers in open order and lone characters."""
    return unit.kind == "character" or unit.loose


def may_pass(battle: Battle, unit: Unit, other: Unit) -> bool:
    """wfb3:5.5-skirmish, wfb3:5.5.3-skirm-skirm, wfb3:5.5.5-no-charging  Whether a unit lets another through at all."""
    if not is_loose(unit) or other.seat != unit.seat:
        return False
    if (
        other.rout.routed
        or other.rout.fled == battle.clock
        or other.charge.charged == battle.clock
        or other.charge.target
    ):
        battle.cite("wfb3:5.5.5-no-charging")
        return False
    if other.march.moved == battle.clock and not is_loose(other):
        battle.cite("wfb3:5.5-skirmish")
        return False
    return True


def through(battle: Battle, unit: Unit, walk: Walk, wanted: float) -> Script[None]:
    """wfb3:5.5-skirmish, wfb3:5.5.1-end-inside  On, through whoever lets them pass; where the way ends, it ends.

    Passing formed troops is a simple manoeuvre of those who pass, and a test for those who are passed.
    """
    passed: list[str] = []
    left = wanted
    while left > EPS and walk.stopped in battle.units:
        other = battle.units[walk.stopped]
        if other.id in passed or not may_pass(battle, unit, other):
            break
        if not (yield from _let_through(battle, unit, other)):
            walk.left = 0.0
            break
        passed.append(other.id)
        walk.things = [t for t in walk.things if t.name != other.id]
        walk.stopped = ""
        before, gone = walk.block, walk.travelled
        walk.advance(left)
        left -= walk.travelled - gone
        if ground.fits(battle, unit, walk.block, ignoring=passed):
            _back(battle, unit, walk, before, passed)
    inside = [o for o in passed if too_near(walk.block.outline, battle.block_of(battle.units[o]).outline)]
    unit.drill = unit.drill.but(among=tuple(dict.fromkeys((*unit.drill.among, *inside))))


def _let_through(battle: Battle, unit: Unit, other: Unit) -> Script[bool]:
    """wfb3:5.5-skirmish, wfb3:5.5.3-skirm-skirm, wfb3:5.5.4-engines, wfb3:5.5.6-animosity
    Whether they get through; no test where
    nobody stands in ranks."""
    for stops in PASSING:
        if (yield from stops(battle, unit, other)):
            return False
    if is_loose(other):
        battle.cite("wfb3:5.5.3-skirm-skirm")
        return True
    if other.kind not in ("infantry", "cavalry") or battle.size(other) == 1:
        battle.cite("wfb3:5.5.4-engines")
        return True
    unit.march = unit.march.but(manoeuvres=unit.march.manoeuvres + 1)
    other.march = other.march.but(done=True, no_reserve=battle.clock)
    if other.march.frozen < battle.clock:
        other.march = other.march.but(frozen=battle.clock, frozen_why="passed")
    if (yield from tests.ld(battle, other, "pass", "wfb3:5.5-skirmish", (unit.id,))):
        battle.tell("passing", "wfb3:5.5-skirmish", (unit.id, other.id))
        return True
    battle.tell("passing.failed", "wfb3:5.5-skirmish", (unit.id, other.id))
    return False


def _back(battle: Battle, unit: Unit, walk: Walk, before: Block, passed: list[str]) -> None:
    """The last clear place on the way; those passed may be stood among."""
    far = ((walk.block.x - before.x) ** 2 + (walk.block.y - before.y) ** 2) ** 0.5
    while far > 0.0 and ground.fits(battle, unit, walk.block, ignoring=passed):
        far = max(0.0, far - 5.0)
        walk.block = Advance(far).apply(before)
    if far <= 0.0:
        walk.block = before
    walk.stopped = "friend"


def settled(battle: Battle, unit: Unit) -> None:
    """wfb3:5.5.1-end-inside  Who stands among friends holds them there for their next turn too; who is out is out."""
    if not unit.drill.among:
        return
    kept = []
    for key in unit.drill.among:
        other = battle.units[key]
        if other.block is not None and too_near(battle.block_of(unit).outline, other.block.outline):
            kept.append(key)
            if other.kind in ("infantry", "cavalry"):
                other.march = other.march.but(frozen=battle.clock + 2, frozen_why="inside")
                battle.tell("passing.inside", "wfb3:5.5.1-end-inside", (unit.id, other.id))
    unit.drill = unit.drill.but(among=tuple(kept))


def mingled(battle: Battle, unit: Unit) -> list[Unit]:
    """wfb3:5.5.2-forced  The formed friends a unit stands among, or the loose ones that stand among it."""
    found = [battle.units[key] for key in unit.drill.among if battle.units[key].where == "table"]
    return found + [u for u in battle.friends(unit) if unit.id in u.drill.among]
