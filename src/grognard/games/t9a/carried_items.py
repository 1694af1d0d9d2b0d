"""t9a:22.B.b, t9a:8.E.a.1  Special Items as they are carried: what they do, for whom, when a hidden one is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.t9a.abilities import parse
from grognard.games.t9a.army.items import ITEMS, Item
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
    """t9a:3.B-all, t9a:22.B.b
    What is in effect on a pool: its own, its unit's unless it is a Character's (spells are on
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
    """t9a:8.E.a.1, t9a:22.B.b  A Special Item has its say; a hidden one is revealed."""
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


def give(model: Model, name: str, on: str = "") -> None:
    """t9a:22.B.b  A model carries an item: its effects are the bearer's, the whole model's or its unit's."""
    item = ITEMS[name]
    model.items = (*model.items, name)
    weapon = (on or next(iter(item.on), "")) if item.category == "weapon" else ""
    model.item_of = (*model.item_of, (name, weapon or on))
    if item.bound is not None:
        model.magic = model.magic.but(bound=(*model.magic.bound, item.bound))
    model.effects = (*model.effects, *_effects(model, item, weapon))


#: Values and kinds of rules that are a part's own (t9a:5.A.c, 19.B.4); the others are the whole model's.
_OFFENSIVE = ("att", "off", "str", "ap", "agi", "to-hit")


def _effects(model: Model, item: Item, weapon: str) -> list[Effect]:
    """t9a:22.B.b, t9a:19.B.4, t9a:21.A.b.26  What an item does: for the bearer's own part, for the model, for its unit.

    On a mount with Massive Bulk the bearer's armour and protections count for nothing, unless they are the model's.
    """
    key = f"banner:{item.name}" if item.scope == "unit" else f"item:{item.name}"
    rider = next((p.name for p in model.profile.parts if p.rider), "") if item.scope == "bearer" else ""
    if not rider:
        return _made(model, item, key, item.stats, item.rules, "", weapon)
    massive = bool(model.profile.has("massive-bulk"))
    own = tuple(s for s in item.stats if s[0] in _OFFENSIVE)
    kinds = {text: parse(text)[0].kind for text in item.rules}
    rules = tuple(t for t, kind in kinds.items() if kind in ("attribute", "special"))
    shared = () if massive else tuple(s for s in item.stats if s[0] not in _OFFENSIVE)
    common = tuple(t for t, kind in kinds.items() if kind == "universal" or (kind == "protection" and not massive))
    if massive and item.category == "armour":
        common = ()
    return [
        *_made(model, item, key, own, rules, rider, weapon),
        *_made(model, item, key, shared, common, "", ""),
    ]


def _made(
    model: Model,
    item: Item,
    key: str,
    stats: tuple[tuple[str, str, int], ...],
    rules: tuple[str, ...],
    part: str,
    weapon: str,
) -> list[Effect]:
    if not stats and not rules and not weapon:
        return []
    return [Effect(key, item.rule, model.seat, "permanent", stats, rules, 0, part, item.name, weapon)]


def raise_banner(unit: Unit, names: tuple[str, ...]) -> None:
    """t9a:22.A.c  Banner Enchantments of a unit's Standard Bearer affect its unit while the bearer stands."""
    unit.command = unit.command.but(banner=names)
    for name in names:
        item = ITEMS[name]
        effect = Effect(f"banner:{name}", item.rule, unit.seat, "permanent", item.stats, item.rules, 0, "", name)
        unit.effects = (*unit.effects, effect)
