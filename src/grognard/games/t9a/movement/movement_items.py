"""t9a:8.E.a.1-mobility  Hidden items that help a unit to move, and when they count as used."""

from __future__ import annotations

from grognard.games.t9a import carried_items
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Effect, Unit
from grognard.games.t9a.movement import moves
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.geometry.units import TOUCH


def items(battle: Battle, unit: Unit) -> list[tuple[str, Effect]]:
    """The items in a unit that make it faster, with the pools they are in effect on."""
    found = []
    for pool in battle.pools(unit):
        for effect in battle.effects(pool):
            swift = any(stat in ("adv", "mar") for stat, _, _ in effect.stats) or any(
                "Charge Range" in t for t in effect.traits
            )
            if swift and effect.key.startswith(carried_items.MARKS):
                found.append((pool, effect))
    return found


def charging(battle: Battle, unit: Unit) -> None:
    """t9a:8.E.a.1-mobility  In a charge they are declared after the reactions, before the roll."""
    for pool, effect in items(battle, unit):
        battle.cite("t9a:8.E.a.1-mobility")
        carried_items.reveal(battle, pool, effect)


def moved(battle: Battle, unit: Unit, kind: str, path: Manoeuvre, *, flying: bool) -> None:
    """t9a:8.E.a.1-mobility  Otherwise they are used only where the unit goes further than it could without."""
    swift = items(battle, unit)
    if not swift or not battle.house["hidden_lists"]:
        return
    plain = battle.copy()
    for thing in plain.bearers():
        thing.effects = tuple(e for e in thing.effects if not e.key.startswith(carried_items.MARKS))
    adv, mar = moves.rates(plain, plain.units[unit.id], flying)
    if path.cost(battle.block(unit), moves.TARIFF) <= (adv if kind == "advance" else mar) + TOUCH:
        return
    battle.cite("t9a:8.E.a.1-mobility")
    for pool, effect in swift:
        carried_items.reveal(battle, pool, effect)
