"""t9a:4.C, t9a:20.B.h, t9a:20.C  What is in a moving unit's way, and where a unit may stand."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.kernel.citing import cites
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.arcs import located_arc
from grognard.kernel.formation.block import Block, Place
from grognard.kernel.formation.obstacles import Field, Obstacle
from grognard.kernel.formation.shapes import Point, piece_outline
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import APART, Shift, gap, too_near
from grognard.kernel.geometry.base import Shape
from grognard.kernel.geometry.units import inches

INCH = inches(1)
#: A point is on a line of two arcs if it is no further from it (mm) than coordinates in hundredths of an inch can tell.
ON_LINE = 0.13
HALF_INCH = inches(0.5)


def walls(battle: Battle) -> list[Obstacle]:
    """t9a:20.B.h  Impassable Terrain as something in the way; clearances are the caller's."""

    def make() -> list[Obstacle]:
        return [Obstacle(p.id, piece_outline(p)) for p in battle.table.pieces if p.kind == "impassable"]

    memo = battle.table.memo
    if "t9a-walls" not in memo:
        memo["t9a-walls"] = make()
    found: list[Obstacle] = memo["t9a-walls"]
    return found


def moving(
    battle: Battle, unit: Unit, *, flying: bool = False, ghost: bool = False, ignoring: Collection[str] = ()
) -> list[Obstacle]:
    """t9a:4.C-advance, t9a:4.C-linger  Everything else during an Advance or March: passed at 0.5", stopped at 1"."""
    battle.cite("t9a:4.C", "t9a:4.C-advance", *(["t9a:4.C-linger"] if unit.linger else []))
    found = []
    for other in battle.on_table():
        if other.id != unit.id and other.id not in ignoring:
            found.append(
                Obstacle(other.id, battle.block(other).outline, HALF_INCH, INCH, other.id in unit.linger, flying)
            )
    for wall in walls(battle):
        found.append(Obstacle(wall.name, wall.outline, HALF_INCH, INCH, wall.name in unit.linger, flying or ghost))
    return found


@cites
def charging(
    battle: Battle,
    unit: Unit,
    targets: Collection[str],
    *,
    flying: bool = False,
    touch: Collection[str] = (),
    moved: dict[str, Block] | None = None,
    leaving: Collection[str] = (),
) -> list[Obstacle]:
    """t9a:4.C-charge  Friends and Impassable Terrain may be touched, enemies only where they are charged.

    `touch` are further enemies that must be touched (t9a:11.E.e), `moved` where units will stand, `leaving` who will
    be gone.
    """
    if not touch and not moved:
        every: list[Obstacle] = battle.remember(
            ("charging", unit.id, flying), lambda: _charging(battle, unit, flying, (), {})
        )
    else:
        every = _charging(battle, unit, flying, touch, moved or {})
    return [o for o in every if o.name not in targets and o.name not in leaving]


def _charging(
    battle: Battle, unit: Unit, flying: bool, touch: Collection[str], moved: dict[str, Block]
) -> list[Obstacle]:
    found = []
    for other in battle.on_table():
        if other.id != unit.id:
            clearance = 0.0 if other.seat == unit.seat or other.id in touch else APART
            outline = (moved.get(other.id) or battle.block(other)).outline
            found.append(Obstacle(other.id, outline, clearance, clearance, over=flying or other.id == unit.charge.left))
    over = flying or (bool(walls(battle)) and bool(battle.all_have(unit, "ghost-step")))
    return found + [Obstacle(w.name, w.outline, 0.0, 0.0, over=over) for w in walls(battle)]


def field_of(battle: Battle) -> Field:
    """t9a:20.C  The board: on the way only the front must stay on it."""
    return Field(battle.table.width, battle.table.height, front_only=True)


def standing(
    battle: Battle,
    unit: Unit,
    block: Block,
    *,
    spacing: float = INCH,
    ignoring: Collection[str] = (),
    rule: str = "t9a:4.C",
    linger: Collection[str] = (),
) -> Refusal | None:
    """t9a:4.C, t9a:20.C  Why a unit may not stand there: off the board, or too near a unit or Impassable Terrain."""
    if not battle.field.holds(block.outline, Shift(0.0, 0.0)):
        return Refusal("refuse.off-table", "t9a:20.C", {"unit": unit.id})
    for other in battle.on_table():
        if other.id == unit.id or other.id in ignoring:
            continue
        near = 0.0 if other.id in linger else spacing
        if too_near(block.outline, battle.block(other).outline, near):
            return Refusal("refuse.too-near", rule, {"unit": unit.id, "other": other.id})
    for wall in walls(battle):
        if too_near(block.outline, wall.outline, 0.0 if wall.name in linger else spacing):
            return Refusal("refuse.too-near", rule, {"unit": unit.id, "other": wall.name}, ("t9a:20.B.h",))
    return None


def grown(battle: Battle, unit: Unit, block: Block, *, ignoring: Collection[str] = ()) -> Refusal | None:
    """t9a:4.C, t9a:4.C-linger
    Why a unit may not stand there with more models than it had: within an inch of something it
    was not within an inch of before.
    """
    near = (*unit.linger, *near_things(battle, unit, battle.block(unit)))
    return standing(battle, unit, block, ignoring=ignoring, linger=near)


def others(
    battle: Battle, unit: Unit, *, spacing: float = INCH, ignoring: Collection[str] = (), linger: Collection[str] = ()
) -> list[Obstacle]:
    """t9a:4.C  Everything a unit may not stand too near to, as `standing` asks it."""
    found = [
        Obstacle(o.id, battle.block(o).outline, stopping=0.0 if o.id in linger else spacing)
        for o in battle.on_table()
        if o.id != unit.id and o.id not in ignoring
    ]
    return found + [Obstacle(w.name, w.outline, stopping=0.0 if w.name in linger else spacing) for w in walls(battle)]


@cites
def located(battle: Battle, unit: Unit, other: Unit) -> Edge:
    """t9a:3.B.h-located, t9a:3.B.g, t9a:3.B.h
    The arc of a unit in which another is located; a round base has only a front."""
    block, seen = battle.block(unit), battle.block(other)
    if block.is_round:
        return Edge.FRONT
    return located_arc(block.boundary, seen.centre if seen.is_round else seen.front, ON_LINE)


def located_point(battle: Battle, unit: Unit, point: Point) -> Edge:
    block = battle.block(unit)
    battle.cite("t9a:3.B.h-located")
    return Edge.FRONT if block.is_round else located_arc(block.boundary, point, ON_LINE)


def located_model(battle: Battle, unit: Unit, place: Place) -> Edge:
    """t9a:3.B.h-located  The arc of a unit in which a model is located: by the middle of its front, on a round base by
    its centre.
    """
    round_base = place.base.shape is Shape.CIRCLE
    at = (place.pose.x, place.pose.y) if round_base else place.rect.middle(Edge.FRONT)
    return located_point(battle, unit, at)


def nearest_enemy(battle: Battle, unit: Unit, among: Iterable[Unit] | None = None) -> list[Unit]:
    """The nearest enemy units: several when they are equally near."""
    foes = [u for u in (among if among is not None else battle.enemies(unit.seat)) if u.block is not None]
    if not foes:
        return []
    least = min(battle.gap(unit, foe) for foe in foes)
    return [foe for foe in foes if battle.gap(unit, foe) <= least + 0.01]


def near_things(battle: Battle, unit: Unit, block: Block) -> tuple[str, ...]:
    """t9a:4.C-linger  What a unit stands within 1" of after a charge or failed charge."""
    found = [
        o.id for o in battle.on_table() if o.id != unit.id and gap(block.outline, battle.block(o).outline) < INCH - 0.02
    ]
    found += [w.name for w in walls(battle) if gap(block.outline, w.outline) < INCH - 0.02]
    return tuple(found)


def stay_near(battle: Battle, unit: Unit) -> None:
    """t9a:4.C-linger  A charge brought the unit within 1" of others: it may stay there, and so may they."""
    unit.linger = near_things(battle, unit, battle.block(unit))
    for key in unit.linger:
        other = battle.units.get(key)
        if other is not None and unit.id not in other.linger:
            other.linger = (*other.linger, unit.id)
