"""t9a:22.B.b, 8.E.a.1  Special Items carried in a unit: whom they help, and when a hidden one is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.t9a.forces import Effect, Model, Unit

if TYPE_CHECKING:
    from grognard.games.t9a.battle import Battle

#: How the effects of Special Items are keyed; those of banners are the whole unit's.
MARKS = ("item:", "banner:")


def flown(battle: Battle, unit: Unit, but: str) -> list[Effect]:
    """t9a:22.B.b  What items of the Characters in a unit do for all of it."""
    return [
        e
        for key in unit.guests
        if key != but and key in battle.models and battle.models[key].effects
        for e in battle.models[key].effects
        if e.key.startswith("banner:")
    ]


def on_pool(battle: Battle, pool: str) -> tuple[Effect, ...]:
    """t9a:3.B-all, 22.B.b  What is in effect on a pool: its own, its unit's unless it is a Character's (spells are on
    him too), and the banners flying in its unit.
    """
    if pool not in battle.models:
        unit = battle.units[pool]
        return (*unit.effects, *flown(battle, unit, "")) if unit.guests else unit.effects
    model = battle.models[pool]
    unit = battle.units[model.unit]
    own = unit.effects
    if model.role == "character" and own:
        own = tuple(e for e in own if e.key.startswith("banner:"))
    return (*model.effects, *own, *flown(battle, unit, pool))


def reveal(battle: Battle, pool: str, effect: Effect) -> None:
    """t9a:8.E.a.1, 22.B.b  A Special Item has its say; a hidden one is revealed."""
    battle.cite("t9a:22.B.b", effect.rule)
    if not battle.house["hidden_lists"]:
        return
    unit = battle.pool_unit(pool)
    owners = [m for m in battle.guests(unit) if effect.name in m.items]
    bearer: Unit | Model = next((m for m in owners if m.id == pool), owners[0] if owners else unit)
    if effect.name not in bearer.shown:
        bearer.shown = (*bearer.shown, effect.name)
        battle.cite("t9a:8.E.a")
        battle.tell("item.revealed", "t9a:8.E.a.1", (bearer.id,), item=effect.name)
