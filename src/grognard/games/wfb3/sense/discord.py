"""How allies harm one another where they stand: bad temper, and flight that spreads."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.psychology import animosity, fear, panic
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.sense import ahead
from grognard.games.wfb3.sense.worth import fight, passes, points
from grognard.kernel.formation.block import Block
from grognard.kernel.geometry.units import MM_PER_INCH

#: What a turn lost to a squabble and a brawl cost, in hundreds of points.
SQUABBLE, BRAWL = 0.3, 1.5


def tempers(battle: Battle, unit: Unit, rival: Unit, *, before: bool = False) -> float:
    """wfb3:10.3-roll  What it costs, about, that a unit's nearest ally is this one; `before`: it stands in front."""
    plus = int(rival.profile.race != unit.profile.race) + int(before)
    plus -= stats.leader_bonus(battle.leader(unit), "Ld")
    six = max(0, min(6, 1 + plus)) / 6
    seven = max(0, min(6, plus)) / 6
    return SQUABBLE * (six - seven) + BRAWL * seven


def quarrel(battle: Battle, unit: Unit, block: Block, foes: Sequence[Unit]) -> float:
    """wfb3:10.3-when  What bad temper costs where a unit stands: its own, and that of those it stands beside."""
    allies = [f for f in battle.friends(unit) if f.kind != "character" and not f.rout.routed]
    hot = [f for f in allies if animosity.subject(battle, f) and not animosity.exempt(battle, f)]
    calm = not animosity.subject(battle, unit) or unit.kind == "character"
    if unit.kind == "character" or not allies or (calm and not hot):
        return 0.0
    far = dict(zip((f.id for f in allies), ahead.gaps(battle, block, allies), strict=True))
    total = 0.0
    reach = max(animosity.NEAR, fear.charge_reach(battle, unit) / MM_PER_INCH)
    rival = min(allies, key=lambda f: far[f.id])
    if not calm and far[rival.id] <= animosity.NEAR and min(ahead.gaps(battle, block, foes), default=99.0) > reach:
        across, along = block.boundary.local(battle.block_of(rival).centre)
        total += tempers(battle, unit, rival, before=along > block.depth / 2 and abs(across) < block.width)
    for ally in hot:
        nearest = min((battle.gap(ally, f) / MM_PER_INCH for f in allies if f is not ally), default=99.0)
        if far[ally.id] <= min(animosity.NEAR, nearest):
            total += tempers(battle, ally, unit)
    return total


def alarm(battle: Battle, unit: Unit, block: Block) -> float:
    """wfb3:10.7.5  What it costs to stand near friends who may be routed, in hundreds of points."""
    if battle.engaged(unit):
        return 0.0
    shaky = [(f, risk) for f in battle.friends(unit) if (risk := _shaky(battle, f)) > 0.05]
    if not shaky:
        return 0.0
    far = ahead.gaps(battle, block, [f for f, _ in shaky])
    risk = sum(risk for (_, risk), inches in zip(shaky, far, strict=True) if inches <= panic.ROUT_NEAR)
    return min(1.0, risk) * (1.0 - passes(unit.profile.Cl)) * points(battle, unit) / 100


def _shaky(battle: Battle, friend: Unit) -> float:
    made: float = battle.remember(("shaky", friend.id, battle.clock, battle.phase), lambda: _breaking(battle, friend))
    return made


def _breaking(battle: Battle, friend: Unit) -> float:
    """How likely a unit is routed that fights, about."""
    foes = [foe for foe, _, _ in battle.foes(friend)]
    if not foes or friend.kind == "character" or friend.block is None:
        return 0.0
    lost = sum(fight(battle, friend, foe, side)[1] for foe, _, side in battle.foes(friend) if foe.block is not None)
    return min(0.9, 0.8 * lost / max(1.0, points(battle, friend)))
