"""t9a:11.E.k  Blocked Path: straight ahead into an enemy that then reforms to meet the charger."""

from __future__ import annotations

import math

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.charge import charge_search
from grognard.games.t9a.charge.charge_search import Contact
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.table import ground
from grognard.games.t9a.table.ground import walls
from grognard.games.t9a.units import seating
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.align import Laying
from grognard.kernel.formation.charging.charge import can_charge
from grognard.kernel.formation.charging.scene import SPACING
from grognard.kernel.formation.contact import meeting
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.resting import rests
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import Shift, blocked, first_contact
from grognard.kernel.geometry.units import heading

#: Further than any board is wide (mm).
FAR = 5000.0


def may_be_used(battle: Battle, unit: Unit, target: Unit, side: Edge) -> bool:
    """t9a:11.E.k  Whether a unit may declare a charge along a Blocked Path, dice apart; cheap questions first."""
    if battle.engaged(target) or battle.block(unit).is_round or battle.block(target).is_round:
        return False
    if _arrival(battle, unit, target, FAR) is None or not only_blocked(battle, unit, target, side):
        return False
    return blocked_path(battle, unit, target, side, FAR) is not None


def only_blocked(battle: Battle, unit: Unit, target: Unit, side: Edge) -> bool:
    """t9a:11.E.k  Only unengaged enemies, two of them with Impassable Terrain, or the board's edge prevent the
    charge: without them it could be made. With Impassable Terrain the enemies must have a part in it: it alone does
    not count, whoever else is on the table.

    Ruling: the target counts as one of the two enemies.
    """
    if battle.engaged(target):
        return False
    battle.cite("t9a:11.E.k")
    enemies = [e.id for e in battle.enemies(unit.seat) if e.id != target.id and not battle.engaged(e)]
    things = charge_search.obstacles(battle, unit, target, flying=False, touch=(), declared=True)
    names = {w.name for w in walls(battle)}
    without_foes = [o for o in things if o.name not in enemies]
    tries: list[tuple[list[Obstacle], Field | None]] = [(without_foes, battle.field), (things, None)]
    if any(_possible(battle, unit, target, side, o, f) for o, f in tries):
        return True
    rockless = [o for o in things if o.name not in names]
    if not enemies or len(rockless) == len(things) or _possible(battle, unit, target, side, rockless, battle.field):
        return False
    return _possible(battle, unit, target, side, [o for o in rockless if o.name not in enemies], battle.field)


def _possible(
    battle: Battle, unit: Unit, target: Unit, side: Edge, things: list[Obstacle], field: Field | None
) -> bool:
    """Whether a normal charge could be made past these things."""
    return can_charge(
        battle.block(unit), battle.block(target), side=side, obstacles=things, rules=charge_search.RULES, field=field
    )


def blocked_path(battle: Battle, unit: Unit, target: Unit, side: Edge, reach: float) -> Contact | None:
    """t9a:11.E.k-move, t9a:11.E.k-fallback  Straight ahead into the target, which then reforms to meet the charger.

    The target turns the fixed side to the charger's front in its old ranks and files, most models in contact; if that
    cannot be, in other ranks and files; if that cannot be either, with another side. Whom somebody else reached before
    does not reform any more (t9a:11.E.g-locked).
    """
    block, box = battle.block(unit), battle.block(target)
    if block.is_round or box.is_round or battle.engaged(target):
        return None
    arrived = _arrival(battle, unit, target, min(reach, FAR))
    if arrived is None:
        return None
    for turned in (side, *(s for s in Edge if s is not side)):
        for files in _shapes(box):
            stood = _reformed_onto(battle, target, turned, files, arrived, unit.id)
            if stood is None:
                continue
            if turned is not side or files != box.files:
                battle.cite("t9a:11.E.k-fallback")
            met = meeting(arrived, Edge.FRONT, stood, turned)
            way = Manoeuvre((Advance(math.dist(block.front, arrived.front)),))
            return Contact(way, arrived, stood, turned, (float(len(met.ours) + len(met.theirs)),))
    return None


def _arrival(battle: Battle, unit: Unit, target: Unit, reach: float) -> Block | None:
    """Where the charger stands when it has gone straight ahead to the target, if nothing stops it."""
    block, box = battle.block(unit), battle.block(target)
    hx, hy = heading(block.facing)
    met = first_contact(block.outline, Shift(hx * reach, hy * reach), box.outline)
    if met is None:
        return None
    run = Shift(hx * met, hy * met)
    others = charge_search.obstacles(battle, unit, target, flying=False, touch=(), declared=True)
    if any(blocked(block.outline, run, o.outline, o.passing) for o in others):
        return None
    if not battle.field.holds(block.outline, run):
        return None
    return block.placed((block.x + run.dx, block.y + run.dy), block.facing)


def _shapes(box: Block) -> list[int]:
    """The numbers of files to try: as it is, then ever more different."""
    return sorted(range(1, box.size + 1), key=lambda n: (abs(n - box.files), n))


def _reformed_onto(battle: Battle, target: Unit, side: Edge, files: int, charger: Block, by: str) -> Block | None:
    """The target laid with a side against the charger's front, where most models touch and there is room."""
    box = battle.block(target)
    if files != box.files:
        made = seating.shaped(battle, target, files, {})
        if made is None:
            return None
        box = made.placed(box.front, box.facing)
    laying = Laying(charger, box, side)
    ends = laid(box, side, charger, -laying.limit), laid(box, side, charger, laying.limit)
    line = Shift(ends[1].centre[0] - ends[0].centre[0], ends[1].centre[1] - ends[0].centre[1])
    things = ground.others(battle, target, ignoring=(by,), linger=target.linger)
    breaks = [t - laying.limit for t in rests(ends[0].outline, line, things, battle.field)]
    for lay in laying.lays(breaks, SPACING):
        found = laid(box, side, charger, lay.offset)
        if ground.standing(battle, target, found, ignoring=(by,), linger=target.linger) is None:
            return found
    return None


def laid(box: Block, side: Edge, charger: Block, offset: float) -> Block:
    """The block with the middle of a side `offset` mm to the left of the middle of the charger's front."""
    front = charger.boundary
    facing = (charger.facing + 180.0 - 90.0 * side.value) % 360.0
    middle = front.at(-offset, front.half_length)
    turned = box.boundary._replace(facing=facing)
    deep = turned.half_width if side.is_flank else turned.half_length
    hx, hy = heading(front.facing)
    return box.placed_by_centre((middle[0] + hx * deep, middle[1] + hy * deep), facing)
