"""t9a:21.H.a.2  Sweeping Attacks: hits on an enemy a unit moved through or over."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.games.t9a import attacks, dice, sharing
from grognard.games.t9a.abilities import Trait, borne, listed
from grognard.games.t9a.amounts import amount
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.profiles import Part
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.sweeps import Motion, Shift, gap, swept_gap
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
    stood: list[Block] = []
    for step, before, after in path.stages(start):
        motion = step.motion(before)
        if isinstance(motion, Shift):
            parts = max(1, round(motion.length / 10.0))
            stood += [
                before.placed((before.x + motion.dx * i / parts, before.y + motion.dy * i / parts), before.facing)
                for i in range(parts + 1)
            ]
        else:
            stood += [before, after]
    fair = [
        block
        for block in stood
        if all(
            math.dist(a, b) + math.dist(b, c) <= limit + TOUCH
            for a, b, c in zip(start.centres(), block.centres(), last, strict=True)
        )
    ]
    return [k for k in over if any(gap(b.outline, battle.block(battle.units[k]).outline) <= TOUCH for b in fair)]


def attack(battle: Battle, unit: Unit, over: Sequence[str]) -> Script[None]:
    """After the move: one target for each Sweeping Attack, once per Player Turn; hits as the profile says (X, Str,
    AP).
    """
    for pool in battle.pools(unit):
        for part in battle.pool_profile(pool).parts:
            for trait in part.traits:
                if trait.key != "sweeping-attack" or f"{pool}:{part.name}" in unit.swept:
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
                unit.swept = (*unit.swept, f"{pool}:{part.name}")
                hits = 0
                for _ in range(battle.pool_count(pool) * part.count):
                    many, _ = yield from dice.roll(
                        battle, unit.seat, "sweep.hits", amount(trait.value), "t9a:21.H.a.2", (unit.id,)
                    )
                    hits += many
                yield from sharing.hit_unit(battle, target, _strike(battle, unit, pool, part, trait), hits)


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
