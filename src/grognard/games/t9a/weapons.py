"""t9a:21.F.a  Which Close Combat Weapon a model uses, and what it makes of its attacks."""

from __future__ import annotations

from grognard.games.t9a.abilities import parse
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.gear import CLOSE, CloseWeapon
from grognard.games.t9a.profiles import Part
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option


def uses_weapons(part: Part) -> bool:
    """t9a:21.G.b.17, 21.G.b.18  Harnessed and Inanimate parts use none."""
    return not (part.has("harnessed") or part.has("inanimate"))


def enchanted(battle: Battle, pool: str) -> str:
    """t9a:22.A.a  The weapon of a model that carries a Weapon Enchantment; it must be used."""
    if pool not in battle.models:
        return ""
    from grognard.games.t9a.items import ITEMS

    for item, weapon in battle.models[pool].item_of:
        if ITEMS[item].category == "weapon" and weapon in CLOSE:
            return weapon
    return ""


def granted(battle: Battle, pool: str, part: Part, key: str) -> bool:
    """t9a:21.G  Whether a part has an Attack Attribute: printed, or by a spell or item in effect on it."""
    if part.has(key):
        return True
    effects = [e for e in battle.effects(pool) if not e.part or e.part == part.name]
    return any(t.key == key for e in effects if not e.weapon for text in e.traits for t in parse(text))


def choices(battle: Battle, pool: str, part: Part) -> list[str]:
    """t9a:21.F.a.1, 21.F.a-hand  What a part may fight with; the Hand Weapon only without another, or as Weapon
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
    """t9a:21.F.a-hand, 21.D.b.7  Parry: printed, or on foot with Hand Weapon and Shield."""
    rule = battle.has(pool, "parry")
    if rule:
        return rule
    profile = battle.pool_profile(pool)
    if profile.shield and not profile.mounted and any(w.name == "Hand Weapon" for w in in_use(battle, pool)):
        battle.cite("t9a:21.F.a-hand", "t9a:19.A.c")
        return "t9a:21.D.b.7"
    return ""


def choose(battle: Battle, unit: Unit) -> Script[None]:
    """t9a:21.F.a.1, 15.D  Step 2 of a Round of Combat: those with several weapons name one and keep it for the
    combat.
    """
    for pool in battle.pools(unit):
        if pool in battle.models and battle.models[pool].role != "character" and pool != _speaker(battle, unit):
            continue
        profile = battle.pool_profile(pool)
        part = next((p for p in profile.parts if len(choices(battle, pool, p)) > 1), None)
        if part is None:
            continue
        master = granted(battle, pool, part, "weapon-master")
        names = choices(battle, pool, part)
        if chosen(battle, pool) and not master and not unit.first_round:
            kept = {n: Refusal("refuse.weapon.kept", "t9a:21.F.a.1", {"weapon": chosen(battle, pool)}) for n in names}
            yield Pick(unit.seat, "weapon.choose", [], optional=True, barred=kept, rule="t9a:21.F.a.1", about=(pool,))
            continue
        hand = Refusal("refuse.weapon.hand", "t9a:21.F.a-hand", also=("t9a:21.F.a.1",))
        pick = yield Pick(
            unit.seat,
            "weapon.choose",
            [option(n, text="option.weapon", data={"weapon": n}) for n in names],
            barred={} if "Hand Weapon" in names else {"Hand Weapon": hand},
            rule="t9a:21.G.b.19" if master else "t9a:21.F.a.1",
            about=(pool,),
        )
        if pool in battle.models and battle.models[pool].role == "character":
            battle.models[pool].weapon = pick
        else:
            unit.weapon = pick
        battle.tell("weapon.chosen", "t9a:21.F.a.1", (pool,), weapon=pick)


def _speaker(battle: Battle, unit: Unit) -> str:
    """Whose choice is that of all Rank-and-File: the common pool's; where it is empty, the first of the others'."""
    plain = [p for p in battle.pools(unit) if p not in battle.models or battle.models[p].role != "character"]
    return plain[0] if plain else ""
