"""Chapters 6.4, 6.5, 7.10: armour saves: what the target wears, what the weapon takes away."""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.wfb3.army.profiles import ARMOUR
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import arms
from grognard.kernel.words.tally import Tally


class Blow(NamedTuple):
    """How an attack comes: its save modifier and why, from where, whether shields serve, whether in close combat."""

    modifier: int = 0
    rule: str = "wfb3:6.5-save-mods"
    melee: bool = False
    rear: bool = False
    shields: bool = True
    generous: str = ""  # a rule by which an armoured target saves better


def save(battle: Battle, unit: Unit, model: Model | None, blow: Blow) -> Tally | None:
    """wfb3:6.4-saves, wfb3:6.4.1-mounted, wfb3:27.5-max-save
    The number a target needs to save, or None without armour."""
    profile, kit, mount = (model or unit).profile, (model or unit).kit, (model or unit).mount
    tally = Tally(profile.save, "unarmoured", "wfb3:6.4-saves")
    battle.cite(*(rule for rule in unit.drill.assorted if rule == "wfb3:13.1-mixed-armour"))
    battle.cite("wfb3:3.3-equipment")
    if kit.armour:
        tally.add(-ARMOUR[kit.armour], kit.armour, "wfb3:5.1-foot-table")
    if kit.shield and _shield(battle, unit, model, blow):
        tally.add(-1, "shield", "wfb3:5.1-foot-table")
    if mount is not None and mount.rides == "animal":
        tally.add(-1, "mounted", "wfb3:6.4.1-mounted")
        if kit.barding:
            tally.add(-1, "barding", "wfb3:5.1-mounted-table")
    if model is not None and model.ride.aboard and battle.models[model.ride.aboard].ride.howdah:
        tally.add(-1, "howdah", "wfb3:18.4.1-howdah")
    if blow.melee and "net" in kit.weapons:
        tally.add(-1, "net", "wfb3:13.5.7-net")
    if tally.value > 6:
        return None
    _circumstances(battle, unit, tally)
    if model is not None and model.fight.frenzied and not unit.minds.frenzied:
        tally.add(-1, "frenzied", "wfb3:10.5-bonus")
    if blow.generous:
        tally.add(-1, "weapon", blow.generous)
    if battle.house["max_save"]:
        tally.at_least(1, "best", "wfb3:27.5-max-save")
    tally.add(-blow.modifier, "modifier", blow.rule)
    if battle.house["max_save"]:
        return tally.at_least(1, "best", "wfb3:27.5-max-save")
    return tally.at_least(2, "best", "wfb3:6.4-saves")


def _circumstances(battle: Battle, unit: Unit, tally: Tally) -> None:
    if unit.drill.formation == "shield-wall":
        tally.add(-1, "shield-wall", "wfb3:5.7.6-shield-wall")
    if unit.drill.formation == "testudo":
        tally.add(-2, "testudo", "wfb3:5.7.7-testudo")
    if unit.minds.frenzied:
        tally.add(-1, "frenzied", "wfb3:10.5-bonus")


def _shield(battle: Battle, unit: Unit, model: Model | None, blow: Blow) -> bool:
    """wfb3:6.4.2-shield-hands, wfb3:6.4.2-shield-rear, wfb3:7.10.1-shields, wfb3:7.2.2-shield
    Whether shields are of use against an attack."""
    if not blow.shields:
        battle.cite("wfb3:8.3-free")
        return False
    if blow.rear:
        battle.cite("wfb3:7.10.1-shields" if blow.melee else "wfb3:6.4.2-shield-rear")
        return False
    if not blow.melee:
        return True
    if unit.shooting.shot_at_chargers == battle.clock and any(m.no_shield for m in unit.kit.shooting()):
        battle.cite("wfb3:7.2.2-shield", "wfb3:6.4.2-shield-hands")
        return False
    hero = model if model is not None and model.role == "character" else None
    if (unit.combat.pistols if hero is None else hero.fight.pistol) == "fires":
        battle.cite("wfb3:13.8.3-pistol-melee")
        return False
    if arms.wielded(unit, model).two_handed and (hero is not None or unit.combat.weapon):
        battle.cite("wfb3:6.4.2-shield-hands", "wfb3:7.10.1-shields")
        return False
    if arms.both_hands(unit, model):
        battle.cite("wfb3:13.3-two-weapons")
        return False
    return True
