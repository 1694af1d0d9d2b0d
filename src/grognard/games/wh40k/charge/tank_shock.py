"""wh40k:13.2.6-tank-shock  Tank Shock: what a VEHICLE does to whom it rams."""

from __future__ import annotations

from grognard.games.wh40k.army import amounts
from grognard.games.wh40k.army.amounts import Amount
from grognard.games.wh40k.army.profiles import Weapon
from grognard.games.wh40k.attacks import casualties
from grognard.games.wh40k.battle import Battle
from grognard.games.wh40k.command import stratagems
from grognard.games.wh40k.forces import Unit
from grognard.games.wh40k.rolls import rerolls, steps
from grognard.games.wh40k.rolls.toughness import rolled_toughness, toughness
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Pick, Script, option

RULE = "wh40k:13.2.6-tank-shock"


def offer(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:13.2.6-tank-shock  Ruling: it may be paid for until the Charge move is made, the roll being known."""
    if unit.seat != battle.active or unit.phase.tank_shock or not battle.is_kind(unit, "VEHICLE"):
        return
    if not stratagems.usable(battle, unit.seat, "tank-shock", unit):
        return
    use = Pick(
        unit.seat, "tank-shock.use", [option("use", text="option.use")], optional=True, rule=RULE, about=(unit.id,),
        notes=(stratagems.note("tank-shock"),),
    )  # fmt: skip
    if (yield use) is not None:
        stratagems.pay(battle, unit.seat, "tank-shock", unit.id)
        unit.phase = unit.phase.but(tank_shock=True)


def rams(battle: Battle, unit: Unit) -> list[Weapon]:
    """The melee weapons with which a unit that paid for Tank Shock may ram, if it is in combat."""
    if not unit.phase.tank_shock or not battle.engaged(unit):
        return []
    return list(dict.fromkeys(w for m in battle.members(unit) for w in m.weapons if w.melee))


def ram(battle: Battle, unit: Unit) -> Script[None]:
    """wh40k:13.2.6-tank-shock  D6 by a melee weapon's Strength; each 5+ a mortal wound, six at most."""
    foes, weapons = battle.engaged_with(unit), rams(battle, unit)
    unit.phase = unit.phase.but(tank_shock=False)
    target = yield Pick(
        unit.seat, "tank-shock.target", [option(e.id, e, about=e.named) for e in foes], rule=RULE, about=(unit.id,),
        barred={
            e.id: Refusal("refuse.not-rammed", RULE, {"unit": unit.id, "target": e.id})
            for e in battle.army(battle.other(unit.seat)) if e not in foes
        },
    )  # fmt: skip
    if target.shocked:
        battle.cite("wh40k:23.28-opponent-stratagem")
    options = [option(w.name, w, text="option.weapon", data={"weapon": w.name}) for w in weapons]
    weapon = yield Pick(unit.seat, "tank-shock.weapon", options, rule=RULE, about=(unit.id,))
    tough = toughness(battle, target)
    battle.cite(*tough.rules)
    who = rerolls.Roller(unit.seat, (unit.id, target.id))
    battle.cite(*amounts.rules(weapon.strength))
    strength, _ = yield from rerolls.total(who, "strength", weapon.strength, rerolls.RANDOM)
    dice = rolled_toughness(battle, target) or Amount(plus=int(tough.value))
    against, _ = yield from rerolls.total(who, "toughness", dice, rerolls.RANDOM)
    wounds = yield from steps.ram(who, steps.ram_dice(strength, against))
    yield from casualties.mortal_wounds(battle, target, wounds, RULE)
