"""t9a:21.G  The Attributes of Close Combat Attacks: a part's own, its weapon's, those granted, a charge's."""

from __future__ import annotations

from grognard.games.t9a import carried_items
from grognard.games.t9a.abilities import Trait, parse
from grognard.games.t9a.army.gear import CloseWeapon
from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses.attacks import disarm, immune
from grognard.games.t9a.rolls import mixed_pools, stats, weapons_in_use

_STATS = ("str", "ap", "att", "off", "agi", "adv")


def part_traits(battle: Battle, pool: str, part: Part) -> list[Trait]:
    """t9a:21.G, t9a:21.G-kw-cc, t9a:21.G.b.12
    Attributes of a part's Close Combat Attacks: its own, its weapon's, those in
    effect, and those a Devastating Charge gives it.
    """
    found = lasting_traits(battle, pool, part)
    if battle.pool_unit(pool).charge.charging:
        found += [t for trait in found if trait.key == "devastating-charge" for t in _gained(trait)]
    return found


def lasting_traits(battle: Battle, pool: str, part: Part) -> list[Trait]:
    """The attributes it has whether it charges or not."""
    found = list(part.traits)
    if part.specific:
        battle.cite("t9a:8.D.a.3-specific")
    weapon = weapons_in_use.weapon_of(battle, pool, part)
    if weapon is not None:
        found += list(weapon.traits)
    for effect in battle.effects(pool):
        if effect.part and effect.part != part.name:
            continue
        if effect.weapon and (weapon is None or weapon.name != effect.weapon):
            continue
        granted = [t for x in effect.traits for t in parse(x) if t.kind == "attribute" and "close" in t.keywords]
        if granted and effect.key.startswith(carried_items.MARKS):
            carried_items.reveal(battle, pool, effect)
        found += granted
    if battle.has(pool, "supernal"):
        battle.cite("t9a:21.A.b.44")
        found += list(parse("Magical Attacks"))
    if (
        weapons_in_use.enchanted(battle, pool)
        and weapon is not None
        and (part.rider or len(battle.pool_profile(pool).parts) == 1)
    ):
        found += list(parse("Magical Attacks"))
    return found


def drawn(battle: Battle, pool: str, part: Part) -> None:
    """t9a:8.E.a.1, t9a:22.A.a  An enchanted weapon is revealed by the attacks made with it, whatever they roll."""
    weapon = weapons_in_use.weapon_of(battle, pool, part) if battle.house["hidden_lists"] else None
    for effect in battle.effects(pool) if weapon is not None else ():
        if effect.weapon == _held(weapon) and effect.key.startswith(carried_items.MARKS):
            carried_items.reveal(battle, pool, effect)


def _held(weapon: CloseWeapon | None) -> str:
    return weapon.name if weapon is not None else ""


def _change(word: str) -> tuple[str, int] | None:
    """A change of a value as it is written, "+1 Str"; None for anything else."""
    bits = word.split()
    if len(bits) == 2 and bits[1].casefold() in _STATS and bits[0].lstrip("+-").isdigit():
        return bits[1].casefold(), int(bits[0])
    return None


def _gained(trait: Trait) -> list[Trait]:
    """The rules a Devastating Charge gives, besides changes of values."""
    return [t for word in trait.args if _change(word) is None for t in parse(word)]


def charge_changes(battle: Battle, unit: Unit, pool: str, part: Part, stat: str) -> list[stats.Change]:
    """t9a:21.G.b.12  What the Devastating Charges of a charging part add to a value; they are cumulative."""
    found: list[stats.Change] = []
    for trait in lasting_traits(battle, pool, part) if unit.charge.charging else ():
        if trait.key == "devastating-charge":
            battle.cite(trait.rule)
            for name, amount in filter(None, map(_change, trait.args)):
                if name == stat:
                    found.append(("add", amount, "Devastating Charge", trait.rule))
    return found


def keys(battle: Battle, unit: Unit, pool: str, part: Part, target: str, front: bool) -> dict[str, str]:
    """t9a:21.G.a  Attributes that count against a target: their conditions met."""
    words = mixed_pools.words(battle, target)
    found: dict[str, str] = {}
    held: dict[str, None] = {}
    calm = unit.charge.charging and immune(battle, target, "devastating-charge")
    for trait in lasting_traits(battle, pool, part) if calm else part_traits(battle, pool, part):
        if trait.kind != "attribute":
            continue
        if trait.against:
            battle.cite("t9a:21.G.a")
        if trait.key in held:
            battle.cite("t9a:21-duplicate")
        held[trait.key] = None
        if trait.meets(*words):
            found[trait.key] = trait.rule
    disarm(battle, target, found)
    for rule in found.values():
        battle.cite(rule)
    if found:
        battle.cite("t9a:21.G", "t9a:21.G-kw-cc")
    return found
