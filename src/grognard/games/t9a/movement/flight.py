"""t9a:12.C  Flee Moves: straight ahead through everything, until there is room to stop."""

from __future__ import annotations

from collections.abc import Collection

from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import casualties, psychology
from grognard.games.t9a.movement import dangerous
from grognard.games.t9a.rolls import dice, distances, stats
from grognard.games.t9a.scoring import objectives
from grognard.games.t9a.table.ground import INCH, nearest_enemy, walls
from grognard.kernel.citing import cites
from grognard.kernel.formation.flight import facing_away
from grognard.kernel.formation.flight import flee as flee_path
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import Shift, blocked, first_touch
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Roll, Script


def roll_distance(battle: Battle, unit: Unit, name: str, rule: str) -> Script[int]:
    """A flee, pursuit or overrun distance in inches."""
    what = yield from distances.chosen_distance(battle, unit)
    kind = {"flee": "Flee Distance", "pursue": "Pursuit Distance", "overrun": "Overrun"}[name.split(".")[-1]]
    total, _ = yield from dice.roll(
        battle, unit.seat, name, what, rule, (unit.id,), swing=stats.swing(battle, unit, kind)
    )
    return total


@psychology.flees_by
def flee_from(battle: Battle, unit: Unit, cause: str, rule: str) -> Script[None]:
    """t9a:17.A-flee  Turn away from the cause, or the nearest enemy (ties and no enemies: at random), and flee."""
    from_unit = battle.units.get(cause)
    unit.nerve = unit.nerve.but(fleeing=True)
    yield from objectives.fled(battle, unit)
    if from_unit is None or from_unit.where != "table" or from_unit.seat == unit.seat:
        near = nearest_enemy(battle, unit)
        if not near:
            battle.cite("t9a:17.A-flee")
            facing = yield from random_direction(battle, unit.seat, (unit.id,))
            turn(battle, unit, facing)
            yield from flee(battle, unit)
            return
        if len(near) > 1:
            (face,) = yield Roll(unit.seat, "flee.which", len(near), rule="t9a:17.A-flee", about=(unit.id,))
            from_unit = near[face - 1]
        else:
            from_unit = near[0]
    turn(battle, unit, facing_away(battle.block(unit), battle.block(from_unit)))
    battle.tell("flee.from", rule, (unit.id, from_unit.id))
    yield from flee(battle, unit)


def random_direction(battle: Battle, seat: str, about: tuple[str, ...] = ()) -> Script[float]:
    """t9a:2.B.b  A direction: Ruling: one of 360 whole degrees."""
    (face,) = yield Roll(seat, "direction", 360, rule="t9a:2.B.b", about=about)
    return float(face - 1)


@cites
def turn(battle: Battle, unit: Unit, facing: float) -> None:
    """t9a:12.C-pivot, t9a:3.B.f  A Pivot before a Flee Move, over whatever is there (t9a:11.C.c-pivot)."""
    block = battle.block(unit)
    unit.block = block.placed_by_centre(block.centre, facing).snapped()
    battle.version += 1


def flee(
    battle: Battle,
    unit: Unit,
    distance: int | None = None,
    *,
    safe: Collection[str] = (),
    chargers: Collection[str] = (),
) -> Script[None]:
    """t9a:12.C
    A Flee Move. `safe` units fought in the same round (t9a:15.H.b); `chargers` catch it (t9a:11.C.c-caught). The Pivot
    before it may bring it to the edge as well (t9a:12.C-pivot) (t9a:12.C-edge, t9a:12.C-extend, t9a:12.C-panic,
    t9a:17.A-fled-through)."""
    unit.nerve = unit.nerve.but(fleeing=True, running=True)
    if not battle.field.holds(battle.block(unit).outline, Shift(0.0, 0.0)):
        yield from casualties.remove_unit(battle, unit, "t9a:12.C-edge")
        return
    yield from objectives.fled(battle, unit)
    unit.charge = unit.charge.over()
    battle.disengage(unit)
    if stats.flight(battle, unit) is not None:
        battle.cite("t9a:21.A.b.52")  # flights are on the ground
    if distance is None:
        distance = yield from roll_distance(battle, unit, "flee", "t9a:12.C")
    block = battle.block(unit)
    things = [Obstacle(o.id, battle.block(o).outline, 0.0, INCH) for o in battle.on_table() if o.id != unit.id]
    things += [Obstacle(w.name, w.outline, 0.0, INCH) for w in walls(battle)]
    path = flee_path(block, inches(distance), things, battle.field)
    motion = Advance(path.distance).motion(block)
    if path.distance > inches(distance) + TOUCH:
        battle.cite("t9a:12.C-extend")
    crossed = [battle.units[name] for name in path.crossed if name in battle.units]
    enemies = [(u.id, battle.block(u).outline) for u in crossed if u.seat != unit.seat and u.id not in safe]
    solid = [(w.name, w.outline) for w in walls(battle) if w.name in path.crossed]
    caught = _meets_charger(battle, unit, path.distance, chargers)
    if caught is None and not path.leaves:
        yield from dangerous.pass_over(battle, unit, [(block, motion)], extra=[*enemies, *solid])
    if unit.where != "table":
        return
    far = path.distance if caught is None else caught
    way = Advance(far).motion(block)
    through = [u for u in crossed if u.seat == unit.seat and blocked(block.outline, way, battle.block(u).outline)]
    battle.put(unit, Advance(far).apply(battle.block(unit)))
    unit.nerve = unit.nerve.but(running=False)
    unit.linger = ()
    unit.move = unit.move.but(moved=True)
    battle.tell("unit.fled", "t9a:12.C", (unit.id,), distance=distance, moved=round(far / inches(1), 2))
    if path.leaves or caught is not None:
        rule = "t9a:12.C-edge" if caught is None else "t9a:11.C.c-caught"
        yield from casualties.remove_unit(battle, unit, rule)
    through = [u for u in through if u.where == "table"]
    if through:
        battle.cite("t9a:12.C-panic")
        called = [(u, "", "t9a:17.A-fled-through") for u in through if psychology._impressed(battle, u, unit)]
        yield from psychology.panic(battle, called)


def _meets_charger(battle: Battle, unit: Unit, distance: float, chargers: Collection[str]) -> float | None:
    """t9a:11.C.c-caught  How far on its way the front of a fleeing unit touches a unit that declared a charge on it."""
    block = battle.block(unit)
    front = block.outline if block.is_round else Outline(block.boundary.side(Edge.FRONT))
    hits = [
        at
        for key in chargers
        if battle.units[key].where == "table" and key != unit.id
        if (at := first_touch(front, Advance(distance).motion(block), battle.block(battle.units[key]).outline))
        is not None
    ]
    return min(hits, default=None)
