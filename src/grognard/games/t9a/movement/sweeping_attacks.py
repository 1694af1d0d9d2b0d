"""t9a:21.H.a.2  Sweeping Attacks: hits on an enemy a unit moved through or over."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.t9a.abilities import Trait, borne, listed
from grognard.games.t9a.army.amounts import amount
from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import attacks, hit_distribution
from grognard.games.t9a.rolls import dice
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Outline, Point, rotate
from grognard.kernel.formation.sweeps import Motion, Shift, changes, extent, gap, swept_gap
from grognard.kernel.geometry.units import TOUCH
from grognard.kernel.questions import Pick, Script, option


def crossed(battle: Battle, unit: Unit, way: Sequence[tuple[Block, Motion]]) -> list[str]:
    """Enemy units, not engaged, whose boundary the move passes over."""
    if not any(p.has("sweeping-attack") for pool in battle.pools(unit) for p in battle.pool_profile(pool).parts):
        return []
    return [
        e.id
        for e in battle.enemies(unit.seat)
        if not battle.engaged(e)
        and any(swept_gap(block.outline, motion, battle.block(e).outline) <= TOUCH for block, motion in way)
    ]


def in_reach(battle: Battle, unit: Unit, path: Manoeuvre, limit: float, over: Sequence[str]) -> list[str]:
    """t9a:12.D.b-action  Those of the enemies moved over at whom no model strays further than its rate, measured from
    its start to where it strikes and on to its end.
    """
    if not over:
        return []
    battle.cite("t9a:12.D.b-action")
    start = battle.block(unit)
    last = path.end(start).centres()
    ways = [(before, motion) for step, before, _ in path.stages(start) if (motion := step.motion(before)) is not None]
    return [
        key
        for key in over
        if any(
            _fair(start, before, motion, last, battle.block(battle.units[key]).outline, limit)
            for before, motion in ways
        )
    ]


def _fair(start: Block, before: Block, motion: Motion, last: Sequence[Point], foe: Outline, limit: float) -> bool:
    """Whether somewhere on a leg of its way the unit is over an enemy and no model has strayed too far: the way of each
    is longest at the ends of a straight leg, and the least of the longest is found by thirds.
    """

    def strayed(share: float) -> float:
        moved = _along(before, motion, share)
        return max(
            math.dist(a, b) + math.dist(b, c) for a, b, c in zip(start.centres(), moved.centres(), last, strict=True)
        )

    whole = extent(motion)
    if not whole:
        return False
    inner = [t / whole for t in changes(before.outline, motion, foe, TOUCH) if t <= whole]
    over = [t for t in (0.0, *inner, 1.0) if gap(_along(before, motion, t).outline, foe) <= 2 * TOUCH]
    if not over:
        return False
    low, high = min(over), max(over)
    if isinstance(motion, Shift):
        for _ in range(60):
            one, two = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, two) if strayed(one) <= strayed(two) else (one, high)
    return min(strayed(low), strayed(high)) <= limit + TOUCH


def _along(block: Block, motion: Motion, share: float) -> Block:
    """A block part of the way through a motion."""
    if isinstance(motion, Shift):
        return block.placed((block.x + motion.dx * share, block.y + motion.dy * share), block.facing)
    return block.placed(
        rotate(block.front, motion.pivot, motion.degrees * share), block.facing + motion.degrees * share
    )


def attack(battle: Battle, unit: Unit, over: Sequence[str]) -> Script[None]:
    """After the move: one target for each Sweeping Attack, once per Player Turn; hits as the profile says (X, Str,
    AP).
    """
    for pool in battle.pools(unit):
        for part in battle.pool_profile(pool).parts:
            for trait in part.traits:
                if trait.key != "sweeping-attack" or f"{pool}:{part.name}" in unit.move.swept:
                    continue
                found = [battle.units[k] for k in over if battle.units[k].where == "table"]
                if not found or unit.where != "table":
                    return
                target = yield Pick(
                    unit.seat,
                    "sweep.target",
                    [option(e.id, e, about=(e.id,)) for e in found],
                    optional=True,
                    rule="t9a:21.H.a.2",
                    about=(unit.id,),
                )
                if target is None:
                    continue
                unit.move = unit.move.but(swept=(*unit.move.swept, f"{pool}:{part.name}"))
                hits = 0
                for _ in range(battle.pool_count(pool) * part.count):
                    many, _ = yield from dice.roll(
                        battle, unit.seat, "sweep.hits", amount(trait.value), "t9a:21.H.a.2", (unit.id,)
                    )
                    hits += many
                yield from hit_distribution.hit_unit(battle, target, _strike(battle, unit, pool, part, trait), hits)


def _strike(battle: Battle, unit: Unit, pool: str, part: Part, trait: Trait) -> attacks.Strike:
    """t9a:21.H.a.2  What the hits are made of, as the profile says: (X, Str 4, AP 1, attributes) or (X, 4, 1); what it
    does not say is the part's.
    """
    said, named = listed([w for w in trait.args[1:] if not w[:1].isdigit()])
    keys, terms, multiple = borne(named)
    gained = ("magical-attacks",) if battle.has(pool, "supernal") else ()
    return attacks.Strike(
        unit.seat,
        unit.id,
        pool,
        strength=int(said.get("str", trait.number(1, part.strength or 0))),
        ap=int(said.get("ap", trait.number(2, part.ap or 0))),
        keys=(*keys, *gained),
        terms=terms,
        multiple=multiple,
        rule="t9a:21.H.a.2",
    )
