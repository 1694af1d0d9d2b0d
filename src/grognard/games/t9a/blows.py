"""t9a:15.D.e, 21.F.a, 21.G  What a Close Combat Attack is: attacks, to-hit roll, Strength, AP, attributes."""

from __future__ import annotations

from grognard.games.t9a import bearing, majority, psychology, stats, steps, terrain, weapons
from grognard.games.t9a.abilities import Trait, borne, parse
from grognard.games.t9a.amounts import Amount
from grognard.games.t9a.attacks import Strike, disarm, immune
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.gear import LANCES, CloseWeapon
from grognard.games.t9a.initiative import Entry, braced
from grognard.games.t9a.profiles import Part
from grognard.kernel.tally import Tally

_STATS = ("str", "ap", "att", "off", "agi", "adv")


def part_traits(battle: Battle, pool: str, part: Part) -> list[Trait]:
    """t9a:21.G, 21.G-kw-cc, 21.G.b.12  Attributes of a part's Close Combat Attacks: its own, its weapon's, those in
    effect, and those a Devastating Charge gives it.
    """
    found = lasting_traits(battle, pool, part)
    if battle.pool_unit(pool).charging:
        found += [t for trait in found if trait.key == "devastating-charge" for t in _gained(trait)]
    return found


def lasting_traits(battle: Battle, pool: str, part: Part) -> list[Trait]:
    """The attributes it has whether it charges or not."""
    found = list(part.traits)
    if part.specific:
        battle.cite("t9a:8.D.a.3-specific")
    weapon = weapons.weapon_of(battle, pool, part)
    if weapon is not None:
        found += list(weapon.traits)
    for effect in battle.effects(pool):
        if effect.part and effect.part != part.name:
            continue
        if effect.weapon and (weapon is None or weapon.name != effect.weapon):
            continue
        granted = [t for x in effect.traits for t in parse(x) if t.kind == "attribute" and "close" in t.keywords]
        if granted and effect.key.startswith(bearing.MARKS):
            bearing.reveal(battle, pool, effect)
        found += granted
    if battle.has(pool, "supernal"):
        battle.cite("t9a:21.A.b.44")
        found += list(parse("Magical Attacks"))
    if (
        weapons.enchanted(battle, pool)
        and weapon is not None
        and (part.rider or len(battle.pool_profile(pool).parts) == 1)
    ):
        found += list(parse("Magical Attacks"))
    return found


def drawn(battle: Battle, pool: str, part: Part) -> None:
    """t9a:8.E.a.1, 22.A.a  An enchanted weapon is revealed by the attacks made with it, whatever they roll."""
    weapon = weapons.weapon_of(battle, pool, part) if battle.house["hidden_lists"] else None
    for effect in battle.effects(pool) if weapon is not None else ():
        if effect.weapon == _held(weapon) and effect.key.startswith(bearing.MARKS):
            bearing.reveal(battle, pool, effect)


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
    for trait in lasting_traits(battle, pool, part) if unit.charging else ():
        if trait.key == "devastating-charge":
            battle.cite(trait.rule)
            for name, amount in filter(None, map(_change, trait.args)):
                if name == stat:
                    found.append(("add", amount, "Devastating Charge", trait.rule))
    return found


def keys(battle: Battle, unit: Unit, pool: str, part: Part, target: str, front: bool) -> dict[str, str]:
    """t9a:21.G.a  Attributes that count against a target: their conditions met."""
    words = majority.words(battle, target)
    found: dict[str, str] = {}
    held: dict[str, None] = {}
    calm = unit.charging and immune(battle, target, "devastating-charge")
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


def attack_value(battle: Battle, unit: Unit, pool: str, part: Part) -> tuple[int, Amount]:
    """t9a:15.D.d  A part's Attack Value: what is fixed of it, and dice where it has any."""
    tally, dice = attacks_of(battle, unit, pool, part)
    battle.cite(*tally.rules)
    return int(tally.value), dice


def attacks_of(battle: Battle, unit: Unit, pool: str, part: Part) -> tuple[Tally, Amount]:
    """t9a:5.A.c, 15.D.d  The account of a part's Attack Value, and the dice it may have besides."""
    assert part.att is not None
    weapon = weapons.weapon_of(battle, pool, part)
    more: list[stats.Change] = charge_changes(battle, unit, pool, part, "att")
    if weapon is not None and weapon.attacks:
        more.append(("add", weapon.attacks, weapon.name, weapon.rule))
    model = battle.models.get(pool)
    if leads(battle, pool, part):
        more.append(("add", 1, "First Among Equals", "t9a:21.C.a.2"))
    if model is not None and model.lost and any(t.key == "rage" for t in part_traits(battle, pool, part)):
        more.append(("add", model.lost, "Rage", "t9a:21.G.b.21"))
    base = part.att.plus if part.att.fixed else 0
    tally = Tally(base, "att", "t9a:5.A.c")
    changes = [*stats.changes(battle, pool, "att", part, _held(weapon)), *more]
    if part.att.fixed:
        stats.heed(battle, tally, changes, "att", base)
    else:
        stats.resolve(tally, changes)
    return tally, Amount() if part.att.fixed else part.att


def leads(battle: Battle, pool: str, part: Part) -> bool:
    """t9a:21.C.a.2  Whether a part has the Champion's one more Attack.

    Ruling: of several that could have it, it is the first on the profile.
    """
    model = battle.models.get(pool)
    if model is None or model.role != "champion":
        return False
    able = [p for p in model.profile.parts if not (p.has("harnessed") or p.has("inanimate")) and p.att is not None]
    return bool(able) and able[0].name == part.name


def offence(battle: Battle, unit: Unit, pool: str, part: Part) -> Tally:
    weapon = weapons.weapon_of(battle, pool, part)
    more = charge_changes(battle, unit, pool, part, "off")
    if weapon is not None and weapon.offence:
        more.append(("add", weapon.offence, weapon.name, weapon.rule))
    return stats.offensive(battle, pool, part, "off", more, _held(weapon))


def defence(battle: Battle, target: str, off: int, weapon: CloseWeapon | None, side: str) -> Tally:
    """t9a:21.D.b.7  Defensive Skill; Parry, against attacks from the front, adds 1 or equals the attacker's Offensive
    Skill.
    """
    tally = stats.value(battle, target, "def")
    if weapon is not None and weapon.name == "Paired Weapons":
        battle.cite("t9a:21.F.a-paired")
        return tally
    rule = weapons.parries(battle, target)
    if rule:
        battle.cite(rule, "t9a:21.D")
    if side == "front" and rule:
        if off > tally.value + 1:
            tally.set(off, "Parry", rule)
        else:
            tally.add(1, "Parry", rule)
    return tally


def to_hit(battle: Battle, unit: Unit, entry: Entry, part: Part, target: str, *, side: str, front: bool) -> Tally:
    """t9a:15.D.e  What a Close Combat Attack needs to hit, with its modifiers."""
    crush = entry.kind == "crush"
    weapon = None if crush else weapons.weapon_of(battle, entry.pool, part)
    off = stats.offensive(battle, entry.pool, part, "off") if crush else offence(battle, unit, entry.pool, part)
    skill = defence(battle, target, int(off.value), weapon, side)
    battle.cite(*off.rules, *skill.rules)
    need = Tally(4, "to hit", "t9a:15.D.e")
    need.add(steps.to_hit(int(off.value), int(skill.value)) - 4, "offence against defence", "t9a:15.D.e")
    foe = battle.pool_unit(target)
    worse = stats.for_roll(battle, need, stats.changes(battle, entry.pool, "to-hit", part, _held(weapon)))
    if unit.afraid and psychology.fearing(battle, entry.pool):
        need.add(1, "Fear", "t9a:21.A.b.33")
        worse += 1
    if foe.afraid and psychology.fearing(battle, target):
        need.add(-1, "their Fear", "t9a:21.A.b.33")
    quick = not crush and any(t.key == "lightning-reflexes" for t in part_traits(battle, entry.pool, part))
    quick = quick and "lightning-reflexes" in keys(battle, unit, entry.pool, part, target, front)
    if quick and (weapon is None or not weapon.last):
        need.add(-1, "Lightning Reflexes", "t9a:21.G.b.23")
    if distracting(battle, unit, foe, target, side):
        battle.cite("t9a:21.D.b.8", "t9a:21.D")
        need.add(0 if worse else 1, "Distracting", "t9a:21.D.b.8")
    if need.value < 2:
        need.at_least(2, "a natural 1 misses", "t9a:15.D.e")
    return need.at_most(6, "a natural 6 hits", "t9a:15.D.e")


def distracting(battle: Battle, unit: Unit, foe: Unit, target: str, side: str) -> bool:
    """t9a:21.D.b.8, 20.B.e-fortified  Distracting: printed, or by defending a Wall against a charge on the front."""
    if battle.has(target, "distracting"):
        return True
    if side == "front" and unit.charging and foe.block is not None and terrain.defends(battle, foe) is not None:
        battle.cite("t9a:20.B.e-fortified")
        return True
    return False


def strike(
    battle: Battle, unit: Unit, entry: Entry, part: Part, target: str, front: bool, found: tuple[str, ...], side: str
) -> Strike:
    """t9a:7.A.c, 21.F.a  Strength and AP of a Close Combat Attack, with weapon, charge and attributes."""
    if entry.kind == "crush":
        battle.cite("t9a:21.G.b.4")
        keys_now = ("magical-attacks",) if battle.has(entry.pool, "supernal") else ()
        return Strike(
            unit.seat,
            unit.id,
            entry.pool,
            True,
            True,
            10,
            10,
            keys=keys_now,
            multiple=("Multiple Wounds (D3+1)",),
            side=side,
            rule="t9a:21.G.b.4",
        )
    strength, ap = might(battle, unit, entry.pool, part, front, target)
    return Strike(
        unit.seat,
        unit.id,
        entry.pool,
        True,
        True,
        int(strength.value),
        int(ap.value),
        keys=found,
        multiple=borne(part_traits(battle, entry.pool, part)).multiple,
        side=side,
        rule="t9a:15.D.e",
    )


def might(battle: Battle, unit: Unit, pool: str, part: Part, front: bool, target: str = "") -> tuple[Tally, Tally]:
    """t9a:7.A.c, 21.F.a  Strength and AP of a part's Close Combat Attacks on a pool, and what makes them up."""
    weapon = weapons.weapon_of(battle, pool, part)
    power: list[stats.Change] = []
    pierce: list[stats.Change] = []
    devastating = unit.charging and not (target and immune(battle, target, "devastating-charge"))
    if devastating:
        power += charge_changes(battle, unit, pool, part, "str")
        pierce += charge_changes(battle, unit, pool, part, "ap")
    if weapon is not None:
        if weapon.strength:
            power.append(("add", weapon.strength, weapon.name, weapon.rule))
        if weapon.ap:
            pierce.append(("add", weapon.ap, weapon.name, weapon.rule))
        if weapon.name == "Spear" and braced(battle, unit):
            pierce.append(("add", 1, weapon.name, weapon.rule))
        if weapon.name in LANCES and devastating and front:
            power.append(("add", LANCES[weapon.name], weapon.name, weapon.rule))
            pierce.append(("add", LANCES[weapon.name], weapon.name, weapon.rule))
        battle.cite(weapon.rule, "t9a:21.F.a", "t9a:21.F")
    strength = stats.offensive(battle, pool, part, "str", power, _held(weapon))
    ap = stats.offensive(battle, pool, part, "ap", pierce, _held(weapon))
    battle.cite(*strength.rules, *ap.rules)
    if part.ap is not None and ap.value - sum(amount for op, amount, *_ in pierce if op == "add") < 0:
        battle.cite("t9a:6.D-limits-zero")
    return strength, ap


def special_strike(battle: Battle, unit: Unit, pool: str, part: Part, rule: str) -> Strike:
    """t9a:21.H  A Special Attack with the part's own Strength and AP; weapons and attributes do not touch it."""
    strength = stats.offensive(battle, pool, part, "str")
    ap = stats.offensive(battle, pool, part, "ap")
    found = ("magical-attacks",) if battle.has(pool, "supernal") else ()
    battle.cite("t9a:21.H", "t9a:7.D")
    return Strike(unit.seat, unit.id, pool, True, False, int(strength.value), int(ap.value), keys=found, rule=rule)
