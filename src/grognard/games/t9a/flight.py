"""t9a:12.C  Flee Moves: straight ahead through everything, until there is room to stop."""

from __future__ import annotations

from collections.abc import Collection

from grognard.games.t9a import casualties, dangerous, dice, objectives, psychology, stats
from grognard.games.t9a.amounts import Amount, amount
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.ground import INCH, nearest_enemy, walls
from grognard.kernel.formation.flight import facing_away
from grognard.kernel.formation.flight import flee as flee_path
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Outline
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance
from grognard.kernel.formation.sweeps import Shift, gap
from grognard.kernel.geometry.units import TOUCH, inches
from grognard.kernel.questions import Pick, Roll, Script, option

TWO_DICE = Amount(2, 6, 0)


def distance_of(battle: Battle, unit: Unit, usual: Amount = TWO_DICE) -> Amount:
    """t9a:21.A.b.30  What a unit with Random Movement rolls instead of 2D6."""
    found = [amount(t.value) for p in battle.pools(unit) for t in battle.traits(p, "random-movement")]
    if found:
        battle.cite("t9a:21.A.b.30", *(["t9a:21.A.b.30-limits"] if len(found) > 1 else []))
        return min(found, key=lambda a: a.mean)
    return usual


def chosen_distance(battle: Battle, unit: Unit) -> Script[Amount]:
    """t9a:21.A.b.30-limits  Of several Random Movements with the same lowest average its owner says which it uses (the
    first, if he does not mind).
    """
    found = [t.value for p in battle.pools(unit) for t in battle.traits(p, "random-movement")]
    lowest = distance_of(battle, unit)
    tied = [v for v in dict.fromkeys(found) if amount(v).mean == lowest.mean]
    if len(tied) < 2:
        return lowest
    options = [option(v, text="option.copy", data={"value": v}) for v in tied]
    rule, about = "t9a:21.A.b.30-limits", (unit.id,)
    picked = yield Pick(unit.seat, "special.copy", options, optional=True, rule=rule, about=about)
    return amount(picked) if picked else lowest


def roll_distance(battle: Battle, unit: Unit, name: str, rule: str) -> Script[int]:
    """A flee, pursuit or overrun distance in inches."""
    what = yield from chosen_distance(battle, unit)
    kind = {"flee": "Flee Distance", "pursue": "Pursuit Distance", "overrun": "Overrun"}[name.split(".")[-1]]
    total, _ = yield from dice.roll(
        battle, unit.seat, name, what, rule, (unit.id,), swing=stats.swing(battle, unit, kind)
    )
    return total


def flee_from(battle: Battle, unit: Unit, cause: str, rule: str) -> Script[None]:
    """t9a:17.A-flee  Turn away from the cause, or the nearest enemy (ties and no enemies: at random), and flee."""
    from_unit = battle.units.get(cause)
    unit.fleeing = True
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


def turn(battle: Battle, unit: Unit, facing: float) -> None:
    """t9a:12.C-pivot, 11.C.c-pivot  A Pivot before a Flee Move, over whatever is there."""
    block = battle.block(unit)
    battle.cite("t9a:12.C-pivot", "t9a:3.B.f")
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
    """t9a:12.C  A Flee Move. `safe` units fought in the same round (t9a:15.H.b); `chargers` catch it
    (t9a:11.C.c-caught). The Pivot before it may bring it to the edge as well (t9a:12.C-pivot).
    """
    unit.fleeing = unit.running = True
    if not battle.field.holds(battle.block(unit).outline, Shift(0.0, 0.0)):
        yield from casualties.remove_unit(battle, unit, "t9a:12.C-edge")
        return
    yield from objectives.fled(battle, unit)
    unit.charging = False
    unit.aims = ()
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
    if not caught and not path.leaves:
        yield from dangerous.pass_over(battle, unit, [(block, motion)], extra=[*enemies, *solid])
    if unit.where != "table":
        return
    now = battle.block(unit)
    battle.put(unit, Advance(path.distance).apply(now))
    unit.running = False
    unit.linger = ()
    unit.moved = True
    battle.tell("unit.fled", "t9a:12.C", (unit.id,), distance=distance, moved=round(path.distance / inches(1), 2))
    if path.leaves or caught:
        rule = "t9a:12.C-edge" if path.leaves else "t9a:11.C.c-caught"
        yield from casualties.remove_unit(battle, unit, rule)
    through = [u for u in crossed if u.seat == unit.seat and u.where == "table"]
    if through:
        battle.cite("t9a:12.C-panic")
        called = [(u, "", "t9a:17.A-fled-through") for u in through if psychology._impressed(battle, u, unit)]
        yield from psychology.panic(battle, called)


def _meets_charger(battle: Battle, unit: Unit, distance: float, chargers: Collection[str]) -> bool:
    """t9a:11.C.c-caught  Whether the front of a fleeing unit touches a unit that declared a charge on it."""
    block = battle.block(unit)
    front = Outline(block.boundary.side(Edge.FRONT))
    motion = Advance(distance).motion(block)
    for key in chargers:
        other = battle.units[key]
        if other.where != "table" or key == unit.id:
            continue
        from grognard.kernel.formation.sweeps import swept_gap

        if (
            gap(front, battle.block(other).outline) <= TOUCH
            or swept_gap(front, motion, battle.block(other).outline) <= TOUCH
        ):
            return True
    return False
