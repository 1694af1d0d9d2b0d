"""Chapter 20.9: wagons as barricades: cover, obstacles to be defended and to be climbed over."""

from __future__ import annotations

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.table import terrain
from grognard.kernel.formation.shapes import Outline, Point
from grognard.kernel.formation.sweeps import Shift, blocked, gap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import inches

RULE = "wfb3:20.9-wagon-cover"
#: How near a wagon one must be to be covered by it, and to defend it.
COVER, DEFEND = inches(1), inches(0.5)


def is_wagon(battle: Battle, unit: Unit) -> bool:
    return unit.kind == "chariot" and all(
        m.ride.car is not None and m.ride.car.type == "wagon" for m in battle.members(unit)
    )


def standing(battle: Battle) -> list[Unit]:
    """The wagons on the table, hitched or not."""

    def work() -> list[Unit]:
        return [u for u in battle.here() if is_wagon(battle, u)]

    found: list[Unit] = battle.remember("wagons", work)
    return found


def covers(battle: Battle, eye: Point, shooter: Unit, target: Unit) -> bool:
    """wfb3:20.9-wagon-cover  Whether a wagon stands before a target, near it; an unhitched one covers its own crew."""
    block = battle.block_of(target)
    goal = block.centre
    if target in standing(battle):
        return not target.chariot.hitched
    for wagon in standing(battle):
        shape = battle.block_of(wagon).outline
        if wagon.id == shooter.id or gap(block.outline, shape) > COVER:
            continue
        if blocked(Outline((eye,), 0.5), Shift(goal[0] - eye[0], goal[1] - eye[1]), shape):
            return True
    return False


def defended(battle: Battle, unit: Unit, foe: Unit) -> bool:
    """wfb3:20.9-wagon-cover  Whether an enemy fights from a wagon, or from behind one."""
    if foe in standing(battle):
        return not foe.chariot.hitched
    mine, theirs = battle.block_of(unit).outline, battle.block_of(foe).outline
    return any(
        gap(battle.block_of(wagon).outline, theirs) <= DEFEND and gap(battle.block_of(wagon).outline, mine) <= DEFEND
        for wagon in standing(battle)
        if wagon.id != unit.id and unit.charge.charged >= battle.clock - 1
    )


def crossable(battle: Battle, unit: Unit) -> list[Unit]:
    """Wagons a unit may climb over: those of its own side, and any that nobody is aboard."""
    if unit.kind not in ("infantry", "skirmishers", "character"):
        return []
    return [
        wagon for wagon in standing(battle)
        if wagon.id != unit.id and (wagon.seat == unit.seat or not any(m.ride.crew for m in battle.members(wagon)))
    ]  # fmt: skip


def pieces(battle: Battle, unit: Unit) -> list[Piece]:
    """wfb3:20.9-wagon-cover  Wagons as the obstacles they are to those who climb over them."""
    found = []
    for wagon in crossable(battle, unit):
        shape = battle.block_of(wagon).outline
        piece = Piece(wagon.id, "wagon", tuple(shape.points), inches(1), "open")
        battle.table.memo.setdefault("wfb3-outlines", {})[wagon.id] = shape
        battle.cite(RULE)
        found.append(piece)
    return found


def looked_over(battle: Battle, wagon: Unit, viewer: Unit, target: Unit) -> bool:
    """Whether one sees past a wagon: who stands at it, or whom it covers."""
    shape = battle.block_of(wagon).outline
    near = gap(battle.block_of(viewer).outline, shape) <= COVER or gap(battle.block_of(target).outline, shape) <= COVER
    return near and terrain.KINDS["wagon"].ground == "linear"
