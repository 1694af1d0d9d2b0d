"""Chapters 13.5, 13.6: what the weapon in hand does to a blow: initiative, strength, to hit, the enemy's save."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from grognard.games.wfb3.abilities.elements import FireElemental, WaterElemental
from grognard.games.wfb3.abilities.trades import Civilians, Ethereal
from grognard.games.wfb3.abilities.troops import Daemon, Undead
from grognard.games.wfb3.army.profiles import Kit, Profile
from grognard.games.wfb3.army.weapons import WEAPONS, Weapon
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.rolls import notes
from grognard.kernel.questions import Option, Pick, Script


class Arms(NamedTuple):
    """What one weapon gives in this round against this enemy; each with its rule."""

    rule: str
    initiative: tuple[tuple[int, str, str], ...] = ()
    strength: tuple[tuple[int, str, str], ...] = ()
    hit: tuple[tuple[int, str, str], ...] = ()  # changes of the die
    modifier: int = 0
    generous: str = ""


def choose(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:13.2-one-melee-weapon  Once engaged a unit fights on with the weapon in hand, and so do its characters."""
    if not unit.combat.weapon:
        yield from _troops(battle, unit)
    if unit.kind in ("infantry", "cavalry", "skirmishers"):
        for model in battle.characters(unit):
            if not model.fight.weapon:
                yield from _character(battle, model)


def _troops(battle: Battle, unit: Unit) -> Script[None]:
    """wfb3:13.2-one-melee-weapon, wfb3:13.3-two-weapons  What a unit, or a character by himself, takes in hand.

    Who says nothing fights with the first weapon he has bought.
    """
    carried = [w for w in unit.kit.melee() if w.name != "net"]
    if any(isinstance(t, Civilians) for t in unit.traits):
        carried = [WEAPONS["improvised"]]
        battle.cite("wfb3:17.2-civilians")
    if unit.mount is None:
        carried = [w for w in carried if w.name != "lance"]
    carried += [WEAPONS[name] for name in unit.kit.missiles if name in ("throwing axe", "throwing knives")]
    if unit.kit.shield and any(w.two_handed for w in carried):
        carried.append(WEAPONS["improvised"])  # a two-handed weapon in one hand, wfb3:13.5.2-improvised
    battle.cite("wfb3:13.2-one-melee-weapon", *(r for r in unit.drill.assorted if r == "wfb3:13.1-mixed-arms"))
    if any(m.role in ("standard", "musician") or m.hero.champion for m in battle.members(unit)):
        battle.cite("wfb3:13.1-command-equipment")
    if unit.kit.weapons:
        battle.cite("wfb3:13.2-several-weapons")
    said = yield Pick(
        unit.seat,
        "combat.weapon",
        [Option(w.name, w, notes=notes.weapon(w, mounted=unit.mount is not None)) for w in carried],
        optional=len(carried) > 1,
        rule="wfb3:13.2-one-melee-weapon",
        about=(unit.id,),
    )
    weapon = said or carried[0]
    unit.combat = unit.combat.but(weapon=weapon.name)
    battle.tell("weapon", weapon.mounted if unit.mount is not None else weapon.rule, (unit.id,), weapon=weapon.name)
    if unit.kit.two_weapons and weapon.name == "hand weapon":
        one_hand = yield from _one_hand(unit.seat, unit.id)
        unit.combat = unit.combat.but(one_hand=one_hand)


def _character(battle: Battle, model: Model) -> Script[None]:
    """wfb3:13.2-one-melee-weapon  A character among troops has the first weapon of his own in hand unless he says.

    Ruling: he chooses when his unit comes to blows, and keeps to it like the unit.
    """
    mounted = model.mount is not None
    usual = best(model.kit, mounted)
    carried = [w for w in model.kit.melee() if w.name != "net" and (mounted or w.name != "lance")]
    model.fight = model.fight.but(weapon=usual.name)
    if len(carried) > 1:
        weapon = yield Pick(
            model.seat,
            "character.weapon",
            [Option(w.name, w, notes=notes.weapon(w, mounted=mounted)) for w in carried],
            optional=True,
            rule="wfb3:13.2-one-melee-weapon",
            about=(model.id,),
        )
        if weapon is not None and weapon is not usual:
            model.fight = model.fight.but(weapon=weapon.name)
            battle.tell("weapon", weapon.mounted if mounted else weapon.rule, (model.id,), weapon=weapon.name)
    if model.kit.two_weapons and model.fight.weapon == "hand weapon":
        one_hand = yield from _one_hand(model.seat, model.id)
        model.fight = model.fight.but(one_hand=one_hand)


def _one_hand(seat: str, who: str) -> Script[bool]:
    """wfb3:13.3-two-weapons  Who carries two weapons may strike with both; with one alone nothing is lost but blows."""
    options = [Option("one", True, "option.hands.one")]
    one = yield Pick(seat, "combat.hands", options, optional=True, rule="wfb3:13.3-two-weapons", about=(who,))
    return bool(one)


def both_hands(unit: Unit, model: Model | None) -> bool:
    """wfb3:13.3-two-weapons  Whether a unit's troops, or a character, strike with a weapon in each hand."""
    troops = model is None or model.role != "character" or unit.kind == "character"
    kit, one_hand = (unit.kit, unit.combat.one_hand) if troops or model is None else (model.kit, model.fight.one_hand)
    return kit.two_weapons and not one_hand and wielded(unit, model).name == "hand weapon"


def wielded(unit: Unit, model: Model | None) -> Weapon:
    """wfb3:13.2-one-melee-weapon  The weapon in the hands of a unit's troops, or of one model that has its own."""
    if model is None or not (model.role in ("character", "handler", "were") or model.ride.aboard):
        return WEAPONS[unit.combat.weapon or "hand weapon"]
    if unit.kind == "character" and unit.combat.weapon:
        return WEAPONS[unit.combat.weapon]
    return WEAPONS[model.fight.weapon] if model.fight.weapon else best(model.kit, model.mount is not None)


def drop_flails(battle: Battle, unit: Unit, *, pursued: bool) -> Script[None]:
    """wfb3:13.5.5-flail-rout  Routers with pursuers drop their flails; others may keep them and run slower."""
    if unit.mount is not None or "flail" not in unit.kit.weapons:
        return
    rule = "wfb3:13.5.5-flail-rout"
    if not pursued:
        options = [Option("keep", False, "option.flails.keep"), Option("drop", True, "option.flails.drop")]
        if not (yield Pick(unit.seat, "flails", options, rule=rule, about=(unit.id,))):
            return
    unit.kit = msgspec.structs.replace(unit.kit, weapons=tuple(w for w in unit.kit.weapons if w != "flail"))
    unit.combat = unit.combat.but(weapon="")
    for model in battle.ordinary(unit):
        model.kit = unit.kit
    battle.tell("flails.dropped", rule, (unit.id,))


def best(kit: Kit, mounted: bool) -> Weapon:
    """What a character fights with: the first weapon of his own, else his hand weapon."""
    names = [n for n in kit.weapons if n != "net" and (mounted or n != "lance")]
    return WEAPONS[names[0]] if names else WEAPONS["hand weapon"]


def arms(battle: Battle, unit: Unit, model: Model | None, foe: Unit) -> Arms:
    """The weapon in the hands of a unit's troops, or of one character, against an enemy."""
    if (
        model is not None
        and model.ride.aboard
        and not model.fight.duel
        and battle.models[model.ride.aboard].ride.car is not None
    ):
        return Arms("wfb3:20.5-crew-weapons")
    charged = unit.charge.charged == battle.clock and unit.charge.bonus_lost != battle.clock
    return with_weapon(battle, unit, model, wielded(unit, model), foe, charged=charged)


def with_weapon(battle: Battle, unit: Unit, model: Model | None, weapon: Weapon, foe: Unit, *, charged: bool) -> Arms:
    """wfb3:7.5-attack-types, wfb3:13.4-poison  A weapon in the hands of a unit's troops or of one of its models.

    `charged`: with the bonuses of a charge.
    """
    profile, kit = (model or unit).profile, (model or unit).kit
    mount: Profile | None = (model or unit).mount
    made = (
        Arms("wfb3:7.5-attack-types", modifier=profile.modifier)
        if profile.natural
        else _mounted(battle, unit, weapon, profile, foe, charged)
        if mount is not None
        else _foot(battle, unit, weapon, profile, foe)
    )
    if kit.poisoned and not immune_to_poison(battle, foe):
        made = made._replace(strength=(*made.strength, (1, "poison", "wfb3:13.4-poison")))
    return made


def immune_to_poison(battle: Battle, foe: Unit) -> bool:
    """wfb3:13.4-poison  Undead, ethereal beings, daemons and elementals feel nothing of it."""
    return any(
        battle.trait(foe, kind) is not None for kind in (Undead, Ethereal, Daemon, WaterElemental, FireElemental)
    )


def _plain(weapon: Weapon, rule: str) -> Arms:
    def one(n: int) -> tuple[tuple[int, str, str], ...]:
        return ((n, weapon.name, rule),) if n else ()

    generous = rule if weapon.generous else ""
    return Arms(rule, one(weapon.initiative), one(weapon.strength), one(weapon.hit), weapon.modifier, generous)


def _improvised(rule: str) -> Arms:
    return _plain(WEAPONS["improvised"], rule)


def _foot(battle: Battle, unit: Unit, weapon: Weapon, profile: Profile, foe: Unit) -> Arms:
    """wfb3:13.5.2-improvised, wfb3:13.5.4-two-handed, wfb3:13.5.5-flail, wfb3:13.5.6-halberd, wfb3:13.5.8-spear,
    wfb3:13.5.9-pike, wfb3:13.7.6-thrown-melee
    What each weapon does in the hands of men on foot."""
    rule = weapon.rule
    riders = battle.mounted(foe)
    steady = not unit.combat.ever_pushed
    made = _plain(weapon, rule)
    faster: list[tuple[int, str, str]] = list(made.initiative)
    if foe.air.height and not unit.air.height and weapon.name in ("halberd", "spear", "pike"):
        faster.append((1, f"{weapon.name}-flyers", rule))
    if weapon.name == "flail":
        if profile.WS < 3:
            battle.cite("wfb3:13.5.2-improvised")
            return _improvised(rule)
        if unit.combat.pushed == battle.clock - 1:
            faster.append((-1, "flail", rule))
    elif weapon.name == "halberd" and riders and steady:
        faster.append((1, "halberd", rule))
    elif weapon.name == "spear":
        if unit.combat.rounds == 0:
            faster.append((1, "spear", rule))
        if riders and steady:
            faster.append((2, "spear-mounted", rule))
    elif weapon.name == "pike" and steady:
        faster.append((3, "pike", rule))
        if riders:
            faster.append((3, "pike-mounted", rule))
    return made._replace(initiative=tuple(faster))


def _mounted(battle: Battle, unit: Unit, weapon: Weapon, profile: Profile, foe: Unit, charged: bool) -> Arms:
    """wfb3:13.6.1-mounted-hand-weapon, wfb3:13.6.2-mounted-improvised, wfb3:13.6.3-mounted-dagger,
    wfb3:13.6.4-mounted-flail, wfb3:13.6.5-mounted-spear, wfb3:13.6.6-cavalry-lance
    What each weapon does in the saddle."""
    rule = weapon.mounted
    on_foot = not battle.mounted(foe) and not battle.large(foe)
    pushed_last = unit.combat.pushed == battle.clock - 1
    down = ((1, "mounted", rule),) if on_foot and not pushed_last else ()
    if weapon.name in ("two-handed weapon", "halberd", "pike"):
        return _improvised(rule)
    if weapon.name == "lance":
        if charged and unit.combat.rounds == 0:
            return Arms(rule, ((2, "lance", rule),), ((2, "lance", rule),), (), -1)
        return Arms(
            "wfb3:13.6.1-mounted-hand-weapon", hit=tuple((n, w, "wfb3:13.6.1-mounted-hand-weapon") for n, w, _ in down)
        )
    if weapon.name == "spear":
        first = ((1, "spear", rule),) if unit.combat.rounds == 0 else ()
        return Arms(rule, first, ((1, "spear-charge", rule),) if charged else (), down)
    if weapon.name == "flail":
        if profile.WS < 4:
            battle.cite("wfb3:13.6.2-mounted-improvised")
            return _improvised(rule)
        return Arms(rule, ((-1, "flail", rule),) if unit.combat.rounds > 0 else (), ((1, "flail", rule),))
    if weapon.name == "hand weapon":
        return Arms(rule, hit=down)
    return _plain(weapon, rule)
