"""t9a:15.D.e, t9a:21.F.a, t9a:21.G  What a Close Combat Attack is: attacks, to-hit roll, Strength, AP, attributes."""

from __future__ import annotations

from grognard.games.t9a.abilities import borne
from grognard.games.t9a.army.gear import LANCES, CloseWeapon
from grognard.games.t9a.army.profiles import Part
from grognard.games.t9a.battle import Battle
from grognard.games.t9a.forces import Unit
from grognard.games.t9a.losses import psychology
from grognard.games.t9a.losses.attacks import Strike, immune
from grognard.games.t9a.melee import attributes_in_use
from grognard.games.t9a.melee.initiative import Entry, braced
from grognard.games.t9a.rolls import stats, steps, weapons_in_use
from grognard.games.t9a.table import terrain
from grognard.kernel.citing import cites
from grognard.kernel.data.amounts import Amount
from grognard.kernel.words.tally import Tally


def attack_value(battle: Battle, unit: Unit, pool: str, part: Part) -> tuple[int, Amount]:
    """t9a:15.D.d  A part's Attack Value: what is fixed of it, and dice where it has any."""
    tally, dice = attacks_of(battle, unit, pool, part)
    battle.cite(*tally.rules)
    return int(tally.value), dice


def attacks_of(battle: Battle, unit: Unit, pool: str, part: Part) -> tuple[Tally, Amount]:
    """t9a:5.A.c, t9a:15.D.d  The account of a part's Attack Value, and the dice it may have besides."""
    assert part.att is not None
    weapon = weapons_in_use.weapon_of(battle, pool, part)
    more: list[stats.Change] = attributes_in_use.charge_changes(battle, unit, pool, part, "att")
    if weapon is not None and weapon.attacks:
        more.append(("add", weapon.attacks, weapon.name, weapon.rule))
    model = battle.models.get(pool)
    if leads(battle, pool, part):
        more.append(("add", 1, "First Among Equals", "t9a:21.C.a.2"))
    if (
        model is not None
        and model.lost
        and any(t.key == "rage" for t in attributes_in_use.part_traits(battle, pool, part))
    ):
        more.append(("add", model.lost, "Rage", "t9a:21.G.b.21"))
    base = part.att.plus if part.att.fixed else 0
    tally = Tally(base, "att", "t9a:5.A.c")
    changes = [*stats.changes(battle, pool, "att", part, attributes_in_use._held(weapon)), *more]
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
    weapon = weapons_in_use.weapon_of(battle, pool, part)
    more = attributes_in_use.charge_changes(battle, unit, pool, part, "off")
    if weapon is not None and weapon.offence:
        more.append(("add", weapon.offence, weapon.name, weapon.rule))
    return stats.offensive(battle, pool, part, "off", more, attributes_in_use._held(weapon))


def defence(battle: Battle, target: str, off: int, weapon: CloseWeapon | None, side: str) -> Tally:
    """t9a:21.D.b.7  Defensive Skill; Parry, against attacks from the front, adds 1 or equals the attacker's Offensive
    Skill.
    """
    tally = stats.value(battle, target, "def")
    if weapon is not None and weapon.name == "Paired Weapons":
        battle.cite("t9a:21.F.a-paired")
        return tally
    rule = weapons_in_use.parries(battle, target)
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
    weapon = None if crush else weapons_in_use.weapon_of(battle, entry.pool, part)
    off = stats.offensive(battle, entry.pool, part, "off") if crush else offence(battle, unit, entry.pool, part)
    skill = defence(battle, target, int(off.value), weapon, side)
    battle.cite(*off.rules, *skill.rules)
    need = Tally(4, "to hit", "t9a:15.D.e")
    need.add(steps.to_hit(int(off.value), int(skill.value)) - 4, "offence against defence", "t9a:15.D.e")
    foe = battle.pool_unit(target)
    worse = stats.for_roll(
        battle, need, stats.changes(battle, entry.pool, "to-hit", part, attributes_in_use._held(weapon))
    )
    if unit.nerve.afraid and psychology.fearing(battle, entry.pool):
        need.add(1, "Fear", "t9a:21.A.b.33")
        worse += 1
    if foe.nerve.afraid and psychology.fearing(battle, target):
        need.add(-1, "their Fear", "t9a:21.A.b.33")
    quick = not crush and any(
        t.key == "lightning-reflexes" for t in attributes_in_use.part_traits(battle, entry.pool, part)
    )
    quick = quick and "lightning-reflexes" in attributes_in_use.keys(battle, unit, entry.pool, part, target, front)
    if quick and (weapon is None or not weapon.last):
        need.add(-1, "Lightning Reflexes", "t9a:21.G.b.23")
    if distracting(battle, unit, foe, target, side):
        battle.cite("t9a:21.D.b.8", "t9a:21.D")
        need.add(0 if worse else 1, "Distracting", "t9a:21.D.b.8")
    if need.value < 2:
        need.at_least(2, "a natural 1 misses", "t9a:15.D.e")
    return need.at_most(6, "a natural 6 hits", "t9a:15.D.e")


def distracting(battle: Battle, unit: Unit, foe: Unit, target: str, side: str) -> bool:
    """t9a:21.D.b.8, t9a:20.B.e-fortified
    Distracting: printed, or by defending a Wall against a charge on the front."""
    if battle.has(target, "distracting"):
        return True
    if side == "front" and unit.charge.charging and foe.block is not None and terrain.defends(battle, foe) is not None:
        battle.cite("t9a:20.B.e-fortified")
        return True
    return False


def strike(
    battle: Battle, unit: Unit, entry: Entry, part: Part, target: str, front: bool, found: tuple[str, ...], side: str
) -> Strike:
    """t9a:7.A.c, t9a:21.F.a  Strength and AP of a Close Combat Attack, with weapon, charge and attributes."""
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
        multiple=borne(attributes_in_use.part_traits(battle, entry.pool, part)).multiple,
        side=side,
        rule="t9a:15.D.e",
    )


def might(battle: Battle, unit: Unit, pool: str, part: Part, front: bool, target: str = "") -> tuple[Tally, Tally]:
    """t9a:7.A.c, t9a:21.F.a  Strength and AP of a part's Close Combat Attacks on a pool, and what makes them up."""
    weapon = weapons_in_use.weapon_of(battle, pool, part)
    power: list[stats.Change] = []
    pierce: list[stats.Change] = []
    devastating = unit.charge.charging and not (target and immune(battle, target, "devastating-charge"))
    if devastating:
        power += attributes_in_use.charge_changes(battle, unit, pool, part, "str")
        pierce += attributes_in_use.charge_changes(battle, unit, pool, part, "ap")
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
    strength = stats.offensive(battle, pool, part, "str", power, attributes_in_use._held(weapon))
    ap = stats.offensive(battle, pool, part, "ap", pierce, attributes_in_use._held(weapon))
    battle.cite(*strength.rules, *ap.rules)
    if part.ap is not None and ap.value - sum(amount for op, amount, *_ in pierce if op == "add") < 0:
        battle.cite("t9a:6.D-limits-zero")
    return strength, ap


@cites
def special_strike(battle: Battle, unit: Unit, pool: str, part: Part, rule: str) -> Strike:
    """t9a:21.H, t9a:7.D
    A Special Attack with the part's own Strength and AP; weapons and attributes do not touch it."""
    strength = stats.offensive(battle, pool, part, "str")
    ap = stats.offensive(battle, pool, part, "ap")
    found = ("magical-attacks",) if battle.has(pool, "supernal") else ()
    return Strike(unit.seat, unit.id, pool, True, False, int(strength.value), int(ap.value), keys=found, rule=rule)
