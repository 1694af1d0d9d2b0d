"""Chapter 1.1.2.2, 1.1.9  A fighter's characteristics as they stand, with their account."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grognard.games.ades.battle import Battle
from grognard.games.ades.forces import Fighter, Thing
from grognard.kernel.citing import cites
from grognard.kernel.elsewhere import elsewhere
from grognard.kernel.geometry.units import TOUCH, cm
from grognard.kernel.words.tally import Tally

WOUNDED = "ades:1.1.8-wounded"
IN_MELEE = ("INI", "ATT", "DEF")
#: ades:5.4.1-zone  What leaders lift.
GALVANISED = ("DIS", "COU", "PEU")
Value = Callable[[Fighter, str], float]


@elsewhere
def galvanise(battle: Battle, fighter: Fighter, stat: str, total: Tally, value: Value) -> Tally:
    """What the leaders near a fighter add; `value` is what a leader's own characteristic counts as."""
    raise NotImplementedError


def has_stat(battle: Battle, fighter: Fighter, name: str) -> bool:
    """ades:1.1.2.2, ades:13.2-construct  Whether it has the characteristic at all; absent is not 0."""
    if name == "DIS" and battle.has(fighter, "construct"):
        return False
    return name in fighter.profile.stats


def stat(
    battle: Battle, fighter: Fighter, name: str, *, foes: Sequence[Fighter] | None = None, chiefs: bool = True
) -> Tally:
    """ades:1.1.9-types, ades:1.1.2.2-mou, ades:1.1.2.2-ini, ades:1.1.2.2-cou, ades:1.1.2.2-peu, ades:1.1.2.2-dis,
    ades:1.1.9-negative, ades:7.1
    The current value; `foes` are the adversaries of the combat it is in."""
    rule = f"ades:1.1.2.2-{name.lower()}"
    base: float = fighter.profile.stats.get(name, 0)
    if name == "MOU" and fighter.on_table and battle.pose(fighter).level > 0:
        base, rule = fighter.profile.air, "ades:7.1"
        battle.cite("ades:7.2")
    total = Tally(base, name, rule)
    if battle.has(fighter, "inalterable"):
        battle.cite("ades:13.2.1-inalterable")
        return total
    _lifted(battle, fighter, name, total, aloft=rule == "ades:7.1")
    if name == "MOU":
        return _movement(battle, fighter, total)
    _states(battle, fighter, name, total)
    if name in IN_MELEE:
        _alone(battle, fighter, total, foes)
    if name == "MYS" and battle.foes_of(fighter):
        _distracted(battle, fighter, total)
    if name in GALVANISED and has_stat(battle, fighter, name):

        def own(chief: Fighter, of: str) -> float:
            return stat(battle, chief, of, chiefs=False).value

        if chiefs:
            galvanise(battle, fighter, name, total, own)
        else:
            _band_only(battle, fighter, name, total)
    if total.value < 0:
        battle.cite("ades:1.1.9-negative")
    return total


def _lifted(battle: Battle, fighter: Fighter, name: str, total: Tally, *, aloft: bool) -> None:
    """ades:1.1.11-bonus, ades:13.2-ennemi-personnel-kill, ades:13.2-selenite
    Points put into it, personal enemies killed, and effects; the moon lifts nobody who is in the air already."""
    for of, points, why in fighter.effort.points:
        if of == name:
            total.add(points, "points", why)
            if name == "MOU":
                battle.cite("ades:1.1.11-bonus")
    total.add(fighter.marks.hardened, "enemy killed", "ades:13.2-ennemi-personnel-kill")
    for effect in battle.effects:
        if effect.target == fighter.id and not (aloft and effect.rule == "ades:13.2-selenite"):
            for of, amount in effect.stats:
                if of == name:
                    total.add(amount, effect.name, effect.rule)


def _distracted(battle: Battle, fighter: Fighter, total: Tally) -> None:
    """ades:8.7-deconcentration, ades:8.9-skills  MYS in melee, which does not distract warrior-mystics."""
    if not battle.immune(fighter, "Deconcentration"):
        total.add(-1, "in melee", "ades:8.7-deconcentration")
    elif battle.has(fighter, "mystique-guerrier"):
        battle.cite("ades:8.9-skills")


def _band_only(battle: Battle, fighter: Fighter, name: str, total: Tally) -> None:
    """ades:5.4.2-cap  A commandant's own value counts his musician and standard, not another commandant."""
    galvanise(battle, fighter, name, total, lambda chief, of: -99.0)


def _states(battle: Battle, fighter: Fighter, name: str, total: Tally) -> None:
    """ades:1.1.9-types, ades:7.4.1  Wounds, rout, charges and dives change characteristics directly."""
    if battle.wounded(fighter) and not battle.immune(fighter, "Wounds"):
        total.add(-1, "wounded", WOUNDED)
        battle.cite("ades:1.1.9-types")
    if fighter.fear.routed:
        total.add(-1, "routed", "ades:6.2-effects")
        battle.cite("ades:1.1.9-types")
    if fighter.stance.charged and name in IN_MELEE:
        total.add(-1, "charged", "ades:4.2.4.2-charge-malus")
    if fighter.assault.dived and name in ("INI", "ATT", "FOR"):
        total.add(2, "dive", "ades:7.4.1")
    if name == "FOR":
        total.add(fighter.assault.charge_force, "charge", "ades:13.1-for-en-charge")


def _alone(battle: Battle, fighter: Fighter, total: Tally, foes: Sequence[Fighter] | None) -> None:
    """ades:13.2-desespere, 13.2-farouche"""
    if foes and battle.has(fighter, "desespere") and sum(f.val for f in foes) > fighter.val:
        battle.cite(*battle.skills(fighter).rules("desespere"))
        total.add(1, "desperate", "ades:13.2-desespere")
        battle.cite("ades:1.1.9-types")
        if fighter.marks.bereft:
            battle.cite("ades:13.2-frere-de-sang-death")
    if battle.has(fighter, "farouche"):
        far = cm(stat(battle, fighter, "MOU").value)
        others = [f for f in battle.friends(fighter) if f.profile.name != fighter.profile.name]
        if all(battle.gap(fighter, f) > far + TOUCH for f in others):
            total.add(1, "alone", "ades:13.2-farouche")
            battle.cite("ades:1.1.9-types")


def _movement(battle: Battle, fighter: Fighter, total: Tally) -> Tally:
    """ades:9.2.2-bulky  Bulky tokens slow their bearer down."""
    bulky = [t for t in battle.things.values() if t.kind == "token" and t.bearer == fighter.id and t.bulky]
    if bulky:
        total.add(-2.5 * len(bulky), "bulky token", "ades:9.2.2-bulky").at_least(0, "never below 0", "ades:9.2.2-bulky")
    return total


def value(battle: Battle, fighter: Fighter, name: str) -> float:
    return stat(battle, fighter, name).value


def tested(battle: Battle, fighter: Fighter, name: str, foes: Sequence[Fighter] | None = None) -> Tally:
    """ades:1.1.11-test, ades:1.1.12  The value as tests use it: MOU counts a point per full 2.5 cm."""
    total = stat(battle, fighter, name, foes=foes)
    if name == "MOU":
        whole = int(total.value // 2.5)
        battle.cite("ades:1.1.12")
        return total.set(whole, "per 2.5 cm", "ades:1.1.11-test")
    return total


def discipline(battle: Battle, fighter: Fighter) -> Tally:
    """ades:4.3.2-nodis, ades:13.2-mort-vivant-split  DIS for splitting melees: -1 without; the undead may use PEU."""
    if undead(battle, fighter) and has_stat(battle, fighter, "PEU"):
        battle.cite("ades:13.2-mort-vivant-split")
        own = stat(battle, fighter, "DIS") if has_stat(battle, fighter, "DIS") else None
        fear = stat(battle, fighter, "PEU")
        return own if own is not None and own.value >= fear.value else fear
    if not has_stat(battle, fighter, "DIS"):
        if battle.has(fighter, "construct"):
            battle.cite("ades:13.2-construct")
        return Tally(-1, "no DIS", "ades:4.3.2-nodis")
    return stat(battle, fighter, "DIS")


def undead(battle: Battle, fighter: Fighter) -> bool:
    """ades:13.2-mort-vivant, ades:13.2-immortel-tenebres  Undead, or one whose fear works like theirs."""
    return battle.uses(fighter, "mort-vivant") or battle.uses(fighter, "immortel-tenebres")


def resistance(battle: Battle, target: Fighter | Thing) -> Tally:
    """ades:1.1.2.2-res, ades:9.2.6-stats  RES of a fighter, or of scenery, which suffers no malus."""
    if isinstance(target, Thing):
        return Tally(target.res, "RES", "ades:9.2.6-stats")
    return stat(battle, target, "RES")


@cites
def pui(battle: Battle, fighter: Fighter) -> int:
    """ades:1.1.2.9  Power; neither wounds nor rout touch it."""
    return fighter.profile.pui
