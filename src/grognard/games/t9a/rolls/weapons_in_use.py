"""t9a:21.F.a  The close combat weapons models have and use: numbers that depend on them."""

from __future__ import annotations

from grognard.games.t9a.abilities import parse
from grognard.games.t9a.army import items
from grognard.games.t9a.army.gear import CLOSE, CloseWeapon
from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import Battle


def uses_weapons(part: Part) -> bool:
    """t9a:21.G.b.17, t9a:21.G.b.18  Harnessed and Inanimate parts use none."""
    return not (part.has("harnessed") or part.has("inanimate"))


def enchanted(battle: Battle, pool: str) -> str:
    """t9a:22.A.a  The weapon of a model that carries a Weapon Enchantment; it must be used."""
    if pool not in battle.models:
        return ""
    for item, weapon in battle.models[pool].item_of:
        if items.ITEMS[item].category == "weapon" and weapon in CLOSE:
            return weapon
    return ""


def granted(battle: Battle, pool: str, part: Part, key: str) -> bool:
    """t9a:21.G  Whether a part has an Attack Attribute: printed, or by a spell or item in effect on it."""
    if part.has(key):
        return True
    effects = [e for e in battle.effects(pool) if not e.part or e.part == part.name]
    return any(t.key == key for e in effects if not e.weapon for text in e.traits for t in parse(text))


def choices(battle: Battle, pool: str, part: Part) -> list[str]:
    """t9a:21.F.a.1, t9a:21.F.a-hand  What a part may fight with; the Hand Weapon only without another, or as Weapon
    Master.
    """
    if not uses_weapons(part):
        return []
    forced = enchanted(battle, pool)
    if forced and (part.rider or len(battle.pool_profile(pool).parts) == 1):
        battle.cite("t9a:22.A.a")
        return [forced]
    names = list(part.weapons) or ["Hand Weapon"]
    if granted(battle, pool, part, "weapon-master") and "Hand Weapon" not in names:
        battle.cite("t9a:21.G.b.19")
        names.append("Hand Weapon")
    return names


def chosen(battle: Battle, pool: str) -> str:
    """The name chosen for this combat: the model's own, a Champion's and the Rank-and-File's is the unit's."""
    if pool in battle.models:
        model = battle.models[pool]
        if model.role == "character":
            return model.weapon
        return battle.units[model.unit].weapon
    return battle.units[pool].weapon


def weapon_of(battle: Battle, pool: str, part: Part) -> CloseWeapon | None:
    """The weapon a part fights with now."""
    names = choices(battle, pool, part)
    if not names:
        return None
    name = chosen(battle, pool)
    return CLOSE[name if name in names else names[0]]


def in_use(battle: Battle, pool: str) -> list[CloseWeapon]:
    """The weapons of all parts of a model."""
    found = [weapon_of(battle, pool, part) for part in battle.pool_profile(pool).parts]
    return [w for w in found if w is not None]


def parries(battle: Battle, pool: str) -> str:
    """t9a:21.F.a-hand, t9a:21.D.b.7  Parry: printed, or on foot with Hand Weapon and Shield."""
    rule = battle.has(pool, "parry")
    if rule:
        return rule
    profile = battle.pool_profile(pool)
    if profile.shield and not profile.mounted and any(w.name == "Hand Weapon" for w in in_use(battle, pool)):
        battle.cite("t9a:21.F.a-hand", "t9a:19.A.c")
        return "t9a:21.D.b.7"
    return ""
