"""Chapter 14.2: Spells in effect as other chapters meet them: on whom they lie, Mirages, Dark Woods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from shapely import LineString, Point, contains_xy

from grognard.games.nemesis.battle import Battle
from grognard.games.nemesis.forces import Enchantment, Model, Unit
from grognard.games.nemesis.rolls.fearless import knows_no_fear
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.geometry.units import TOUCH

MIRAGE = "C.10-mirage"
DARK_WOOD = "O.11-dark-wood"


def find(battle: Battle, enchantment_id: str) -> Enchantment | None:
    return next((e for e in battle.enchantments if e.id == enchantment_id), None)


def lift(battle: Battle, enchantment: Enchantment) -> None:
    """Take a spell off, without a word."""
    battle.enchantments = tuple(e for e in battle.enchantments if e.id != enchantment.id)


def note(battle: Battle, enchantment: Enchantment, **data: Any) -> Enchantment:
    """Remember something with a spell in effect."""
    changed = msgspec.structs.replace(enchantment, data={**enchantment.data, **data})
    battle.enchantments = tuple(changed if e.id == enchantment.id else e for e in battle.enchantments)
    return changed


def on_unit(battle: Battle, unit: Unit, key: str) -> Enchantment | None:
    """A spell on a unit, or on the lone model it consists of."""
    for enchantment in battle.enchantments:
        if enchantment.spell == key and (enchantment.target == unit.id or enchantment.target in unit.models):
            return enchantment
    return None


def mirage_of(battle: Battle, unit: Unit) -> Enchantment | None:
    """nemesis:A2.C.10-mirage  The mirage a unit must walk to, with full M each movement phase, if any.

    `mirage_point` says where; the unit takes no orders, shoots and casts nothing, and only holds charges.
    """
    found = on_unit(battle, unit, MIRAGE)
    if found is not None:
        battle.cite("nemesis:A2.C.10-mirage")
    return found


def mirage_point(enchantment: Enchantment) -> tuple[float, float]:
    return enchantment.data["x"], enchantment.data["y"]


def mirage_reached(battle: Battle, unit: Unit) -> bool:
    """nemesis:A2.C.10-mirage  Ruling: it ends when any member's base touches the point. To ask after each move."""
    mirage = on_unit(battle, unit, MIRAGE)
    if mirage is None:
        return False
    x, y = mirage_point(mirage)
    for model in battle.members(unit):
        pose = battle.pose(model)
        if ((pose.x - x) ** 2 + (pose.y - y) ** 2) ** 0.5 <= model.card.outline.half_width + TOUCH:
            lift(battle, mirage)
            battle.tell("spell.mirage-reached", "nemesis:A2.C.10-mirage", (unit.id, model.id))
            return True
    return False


def dark_woods(battle: Battle, unit: Unit) -> list[Piece]:
    """nemesis:A2.O.11-dark-wood  The woods this unit has to fear; none for Orphans and whoever knows no fear."""
    cursed = [e.target for e in battle.enchantments if e.spell == DARK_WOOD]
    if not cursed or not unit.models:
        return []
    if _at_home(battle, unit) or knows_no_fear(battle, unit):
        battle.cite("nemesis:A2.O.11-dark-wood")
        return []
    return [piece for piece in battle.table.pieces if piece.id in cursed]


def _at_home(battle: Battle, unit: Unit) -> bool:
    """nemesis:A2.O.11-dark-wood  Whether a unit is of the Orphans, by its cards or else by its army."""
    army = battle.sides[unit.seat].faction
    return all((m.card.faction or army) == "orphans" for m in battle.members(unit))


def dark_result(battle: Battle, unit: Unit) -> bool | None:
    """What this turn's test came to, if it was taken."""
    for enchantment in battle.enchantments:
        turn, brave = enchantment.data.get("tested", {}).get(unit.id, (0, None))
        if enchantment.spell == DARK_WOOD and turn == battle.turn:
            return bool(brave)
    return None


def woods_barred(battle: Battle, model: Model) -> list[Piece]:
    """nemesis:A2.O.11-dark-wood  The woods a model may not set foot in now, but for one it stands in already."""
    if not any(e.spell == DARK_WOOD for e in battle.enchantments):
        return []
    unit, pose = battle.unit_of(model), battle.pose(model)
    if dark_result(battle, unit) is True:
        return []
    return [p for p in dark_woods(battle, unit) if not bool(contains_xy(p.polygon, pose.x, pose.y))]


def wood_in_way(battle: Battle, model: Model, path: Sequence[tuple[float, float]]) -> Piece | None:
    """nemesis:A2.O.11-dark-wood  The wood a way leads into or across, or one that it does not lead out of.

    Ruling: a model is where the middle of its base is.
    """
    for piece in woods_barred(battle, model):
        line = LineString(path) if len(path) > 1 else Point(path[0])
        if piece.polygon.intersects(line) and not piece.polygon.touches(line):
            return piece
    start, end = path[0], path[-1]
    for piece in dark_woods(battle, battle.unit_of(model)):
        inside = bool(contains_xy(piece.polygon, *start)) and bool(contains_xy(piece.polygon, *end))
        if inside and dark_wood_bars(battle, battle.unit_of(model), piece):
            return piece
    return None


def dark_wood_bars(battle: Battle, unit: Unit, piece: Piece) -> bool:
    """nemesis:A2.O.11-dark-wood  Whether the unit may not enter it: it has not passed a test this turn."""
    return dark_result(battle, unit) is not True and any(p.id == piece.id for p in dark_woods(battle, unit))
