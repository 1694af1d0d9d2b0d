"""wfb3:5.5  Skirmishers and lone characters pass through friends who stand still."""

from __future__ import annotations

from grognard.games.wfb3 import ground, trials
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.walking import Walk
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import too_near
from grognard.kernel.questions import Script


def may_pass(battle: Battle, unit: Unit, other: Unit) -> bool:
    """wfb3:5.5-skirmish, 5.5.3-skirm-skirm, 5.5.5-no-charging  Whether a unit lets another through at all."""
    if unit.kind not in ("character", "skirmishers") or other.seat != unit.seat:
        return False
    if other.routed or other.charged == battle.clock or other.target:
        battle.cite("wfb3:5.5.5-no-charging")
        return False
    return other.moved != battle.clock or other.kind in ("character", "skirmishers")


def through(battle: Battle, unit: Unit, walk: Walk, wanted: float) -> Script[None]:
    """wfb3:5.5-skirmish, 5.5.3-skirm-skirm  On, through whoever lets them pass: ranks must pass a test, or both halt.

    Ruling: nobody ends inside a friend: whose way would end there stops in contact instead.
    """
    passed: list[str] = []
    left = wanted
    while left > EPS and walk.stopped in battle.units:
        other = battle.units[walk.stopped]
        if other.id in passed or not may_pass(battle, unit, other):
            break
        if too_near(Advance(left).apply(walk.block).outline, battle.block_of(other).outline):
            break
        if other.kind in ("character", "skirmishers"):
            battle.cite("wfb3:5.5.3-skirm-skirm")
        elif not (yield from trials.ld(battle, other, "pass", "wfb3:5.5-skirmish", (unit.id,))):
            battle.tell("passing.failed", "wfb3:5.5-skirmish", (unit.id, other.id))
            break
        else:
            other.done = True
        passed.append(other.id)
        walk.things = [t for t in walk.things if t.name != other.id]
        walk.stopped = ""
        before, gone = walk.block, walk.travelled
        walk.advance(left)
        left -= walk.travelled - gone
        if ground.fits(battle, unit, walk.block):
            _back(battle, unit, walk, before)


def _back(battle: Battle, unit: Unit, walk: Walk, before: Block) -> None:
    """The last clear place on the way."""
    far = ((walk.block.x - before.x) ** 2 + (walk.block.y - before.y) ** 2) ** 0.5
    while far > 0.0 and ground.fits(battle, unit, walk.block):
        far = max(0.0, far - 5.0)
        walk.block = Advance(far).apply(before)
    if far <= 0.0:
        walk.block = before
    walk.stopped = "friend"
