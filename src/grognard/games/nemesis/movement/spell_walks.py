"""nemesis:A2.C.10-mirage, nemesis:A2.O.11-dark-wood
Moves and tests that spells force on units in the movement phase."""

from __future__ import annotations

import math

from shapely import Point, contains_xy
from shapely.ops import nearest_points

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model, Unit
from grognard.games.nemesis.losses import courage
from grognard.games.nemesis.movement import forced
from grognard.games.nemesis.rolls.basic_move import allowance
from grognard.games.nemesis.table import spells_in_effect
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import bearing, cm
from grognard.kernel.questions import Pick, Script, option

MIRAGE = "nemesis:A2.C.10-mirage"
DARK_WOOD = "nemesis:A2.O.11-dark-wood"


def forced_walks(battle: Battle, seat: str) -> Script[None]:
    """nemesis:A2.C.10-mirage, nemesis:A2.O.11-dark-wood
    The moves spells force on a player's units, before his own; each unit's move of the phase."""
    for unit in battle.army(seat):
        mirage = spells_in_effect.mirage_of(battle, unit)
        if mirage is not None and not unit.move_done:
            unit.move_done = True
            yield from walk_to_mirage(battle, unit, mirage)
        elif not unit.move_done:
            yield from leave_dark_wood(battle, unit)


def walk_to_mirage(battle: Battle, unit: Unit, mirage: Enchantment) -> Script[None]:
    """nemesis:A2.C.10-mirage  Straight at the point with full M. Ruling: an engaged unit stays where it is."""
    if battle.engaged(unit):
        return
    x, y = spells_in_effect.mirage_point(mirage)
    leader = min(battle.standing(unit), key=lambda m: math.dist((x, y), battle.pose(m)[:2]))
    here = battle.pose(leader)
    way, far = bearing(x - here.x, y - here.y), math.dist((x, y), (here.x, here.y))
    yield from forced.run_straight(battle, unit, way, _pace(battle, unit), rule=MIRAGE, free_attacks=True, upto=far)
    spells_in_effect.mirage_reached(battle, unit)


def _pace(battle: Battle, unit: Unit) -> float:
    """The M of the slowest, in millimetres. Ruling: nobody has to use Speed."""
    return cm(float(forced.pace(battle, battle.standing(unit)).value))


def leave_dark_wood(battle: Battle, unit: Unit) -> Script[None]:
    """nemesis:A2.O.11-dark-wood  Whoever stands in it and fails the test leaves by the shortest way.

    Ruling: the unit goes as one, the way that brings its deepest model out; engaged units stay.
    """
    for wood in spells_in_effect.dark_woods(battle, unit):
        inside = [m for m in battle.standing(unit) if _within(battle, m, wood)]
        if not inside or battle.engaged(unit):
            continue
        if (yield from dark_wood_test(battle, unit)):
            return
        unit.move_done = True
        way, depth = max((_way_out(battle, m, wood) for m in inside), key=lambda found: found[1])
        pace = _pace(battle, unit)
        yield from forced.run_straight(battle, unit, way, pace, rule=DARK_WOOD, free_attacks=True, upto=depth)
        return


def _within(battle: Battle, model: Model, wood: Piece) -> bool:
    pose = battle.pose(model)
    return bool(contains_xy(wood.polygon, pose.x, pose.y))


def _way_out(battle: Battle, model: Model, wood: Piece) -> tuple[float, float]:
    """The bearing of the nearest edge and how far the whole base has to go that way."""
    pose = battle.pose(model)
    edge, _ = nearest_points(wood.polygon.exterior, Point(pose.x, pose.y))
    far = math.dist((edge.x, edge.y), (pose.x, pose.y))
    return bearing(edge.x - pose.x, edge.y - pose.y), far + model.card.outline.half_width


def dark_wood_test(battle: Battle, unit: Unit) -> Script[bool]:
    """nemesis:A2.O.11-dark-wood  The one courage test of the turn to enter, cross or stay. Ruling: no size modifier."""
    wood = next(e for e in battle.enchantments if e.spell == spells_in_effect.DARK_WOOD)
    known = spells_in_effect.dark_result(battle, unit)
    if known is not None:
        return known
    brave: bool = yield from courage.test(battle, unit, "courage.dark-wood", DARK_WOOD, flight=False)
    results = {**wood.data.get("tested", {}), unit.id: [battle.turn, brave]}
    spells_in_effect.note(battle, wood, tested=results)
    battle.tell("dark-wood.entered" if brave else "dark-wood.barred", DARK_WOOD, (unit.id,))
    return brave


def face_dark_woods(battle: Battle, unit: Unit, far: float = 0.0) -> Script[None]:
    """nemesis:A2.O.11-dark-wood  Before its move a unit near a dark wood may take the test to enter it.

    `far` is how far it may go where that is more than a basic move.
    """
    woods = spells_in_effect.dark_woods(battle, unit)
    if not woods or spells_in_effect.dark_result(battle, unit) is not None:
        return
    pace = max(far, *(cm(float(allowance(battle, m).value)) for m in battle.standing(unit)))
    spots = [Point(*battle.pose(m)[:2]) for m in battle.standing(unit)]
    if all(float(wood.polygon.distance(spot)) > pace + cm(3) for wood in woods for spot in spots):
        return
    wanted = yield Pick(
        unit.seat, "dark-wood.test", [option("test", text="option.dark-wood")], optional=True, rule=DARK_WOOD,
        about=(unit.id,),
    )  # fmt: skip
    if wanted is not None:
        yield from dark_wood_test(battle, unit)
