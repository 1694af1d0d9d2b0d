"""Chapter 7.2: receiving a charge: hold, stand and shoot, or flee."""

from __future__ import annotations

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.charge import spiking
from grognard.games.wfb3.chariots import anchors, chariot_damage
from grognard.games.wfb3.combat import withdrawal
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import mixed
from grognard.games.wfb3.psychology import character_psychology, fear
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.rolls import tests
from grognard.games.wfb3.rout import flight, pursuit, rout
from grognard.games.wfb3.shooting import aiming, missiles, volley_progress, volleys, who_may_shoot
from grognard.games.wfb3.table import crews, flyers, ground, machines, seating
from grognard.games.wfb3.troops import skirmish, weres
from grognard.kernel.errors import Refusal
from grognard.kernel.geometry.units import heading, inches
from grognard.kernel.questions import Note, Option, Pick, Script

#: wfb3:10.8-charged  What lets a unit do nothing but hold when it is charged, but does not keep it where it is in fear.
SHAKEN = (
    "wfb3:7.2-responses", "wfb3:7.4.1-hold", "wfb3:8.5.3-charged", "wfb3:8.2-through", "wfb3:5.7.4-wedge-breakthrough",
)  # fmt: skip


def respond(battle: Battle, charger: Unit, target: Unit) -> Script[None]:
    """wfb3:7.2-responses, wfb3:10.8-charged  The charged side answers for its unit."""
    yield from shot_at(battle, charger, target, (yield from answered(battle, charger, target)))


def answered(battle: Battle, charger: Unit, target: Unit) -> Script[volley_progress.Salvo | None]:
    """wfb3:7.2-responses, wfb3:10.8-charged, wfb3:7.2-multiple
    The answer, up to the first die of a volley at the chargers, if it is one."""
    battle.cite("wfb3:7.2-responses")
    if target.charge.answered:
        battle.cite("wfb3:7.2-multiple")
    if target.rout.routed or target.charge.answered == "flee":
        return None
    if (yield from shrinks(battle, target, charger)):
        return None
    yield from character_psychology.terror(battle, target, charger, charging=False)
    if target.troops.weres and not battle.engaged(target):
        yield from weres.roll(battle, target, stays=True)
    options, barred = choices(battle, charger, target)
    if spiking.can_spike(battle, target):
        rule = spiking.can_spike(battle, target)[0].engine.rule("spike")
        battle.cite(rule)
        options.append(Option("spike", "spike", "option.answer.spike"))
    answer = yield Pick(
        target.seat, "charge.answer", options, barred=barred, rule="wfb3:7.2-responses", about=(target.id, charger.id)
    )
    if answer == "hold":
        target.charge = target.charge.but(answered=target.charge.answered or "hold")
        battle.tell("charge.held", "wfb3:7.2.1-hold", (target.id, charger.id))
        stop_pursuing(battle, target)
        yield from mixed.charged(battle, charger, target)
    elif answer == "spike":
        target.charge = target.charge.but(answered=target.charge.answered or "hold")
        yield from spiking.spike(battle, target, charger)
    elif answer == "shoot":
        salvo = yield from stand_and_shoot(battle, charger, target)
        if salvo is None:
            yield from mixed.charged(battle, charger, target)
        return salvo
    else:
        yield from flee(battle, target, charger)
    return None


def shrinks(battle: Battle, target: Unit, charger: Unit) -> Script[bool]:
    """wfb3:10.8-charged, wfb3:8.5.4-new-fight
    A unit tests its fear of whoever charges it; True where it flees from them.

    Who can only hold tests and flees like others. Ruling: who fights already leaves the fight as by a withdrawal.
    """
    if (
        fear.dread(battle, target, charger) is None
        or not fear.near_enough(battle, charger, target)
        or target.rout.routed
    ):
        return False
    if (yield from fear.test(battle, target, charger, "wfb3:10.8-charged")):
        return False
    if battle.house["revised_fear"] and not fear.outnumbered(battle, target, charger):
        battle.cite("wfb3:27.7-fear")
        return False
    held = bound(battle, target)
    pinned = anchors.anchored(battle, target) is not None or withdrawal.surrounded(battle, target)
    if held is not None and (held.rule not in SHAKEN or pinned):
        battle.cite(held.rule)
        return False
    battle.tell("charge.feared", "wfb3:10.8-charged", (target.id, charger.id))
    stop_pursuing(battle, target)
    target.rout = target.rout.but(fresh_pursuit="")
    if battle.engaged(target):
        yield from withdrawal.leave(battle, target, [charger], "flee", "wfb3:7.2.3-flee")
    else:
        yield from flee(battle, target, charger)
    return True


def stop_pursuing(battle: Battle, target: Unit) -> None:
    """wfb3:8.5.3-charged  Pursuers who are charged let their quarry go, in order, and rout if they are pushed back."""
    if not target.rout.pursuing:
        return
    pursuit.let_go(battle, target)
    target.rout = target.rout.but(fresh_pursuit="charged")
    battle.cite("wfb3:8.5.3-charged")


def bound(battle: Battle, target: Unit) -> Refusal | None:
    """wfb3:7.2.3-flee  Why a unit cannot flee a charge: it can only hold, or it cannot leave the spot."""
    return must_hold(battle, target) or anchors.anchored(battle, target)


def must_hold(battle: Battle, target: Unit) -> Refusal | None:
    """wfb3:7.4.1-hold, wfb3:8.5.3-charged, wfb3:8.2-through, wfb3:10.9-out  Why a unit can only hold."""
    facts = {"unit": target.id}
    for held, code, rule in (
        (battle.engaged(target), "engaged", "wfb3:7.2-responses"),
        (target.combat.disordered, "disordered", "wfb3:7.4.1-hold"),
        (bool(target.rout.pursuing), "pursuing", "wfb3:8.5.3-charged"),
        (target.march.frozen >= battle.clock and target.march.frozen_why == "through", "through", "wfb3:8.2-through"),
        (
            target.march.frozen >= battle.clock and target.march.frozen_why == "pierced",
            "pierced",
            "wfb3:5.7.4-wedge-breakthrough",
        ),
        (target.minds.stupid, "stupid", "wfb3:10.9-out"),
        (target.troops.wild, "wild", "wfb3:15.1-pack-wild"),
        (bool(target.baggage.pillaging), "pillaging", "wfb3:17.3-pillage"),
        (target.kind == "altar", "altar", "wfb3:16.2-altar-guards"),
    ):
        if held:
            return Refusal(f"refuse.answer.{code}", rule, facts)
    return None


def _answer(kind: str) -> Option:
    """wfb3:7.2.1-hold, wfb3:7.2.2-test, wfb3:7.2.3-flee  One answer to a charge, and what comes of it."""
    rule = {"hold": "wfb3:7.2.1-hold", "shoot": "wfb3:7.2.2-test", "flee": "wfb3:7.2.3-flee"}[kind]
    return Option(kind, kind, f"option.answer.{kind}", notes=(Note(f"note.answer.{kind}", {}, rule),))


def choices(battle: Battle, charger: Unit, target: Unit) -> tuple[list[Option], dict[str, Refusal]]:
    """What a charged unit may do, and why not the rest."""
    barred: dict[str, Refusal] = {}
    hold = _answer("hold")
    if (held := must_hold(battle, target)) is not None:
        battle.cite(held.rule)
        return [hold], {"shoot": held, "flee": held}
    fast = anchors.anchored(battle, target)
    must = _must_flee(battle, charger, target) if fast is None else None
    if must is not None:
        battle.cite(must.rule)
        return [_answer("flee")], {"hold": must, "shoot": must}
    options = [hold]
    if fast is not None:
        battle.cite(fast.rule)
        barred["flee"] = fast
    elif target.minds.frenzied:
        barred["flee"] = Refusal("refuse.answer.frenzied", "wfb3:10.5-immune", {"unit": target.id})
    else:
        options.append(_answer("flee"))
    refusal = shoot_refusal(battle, charger, _shooter(battle, charger, target))
    if refusal is None:
        battle.cite("wfb3:7.2.2-test")
        options.append(_answer("shoot"))
    else:
        barred["shoot"] = refusal
    return options, barred


def _must_flee(battle: Battle, charger: Unit, target: Unit) -> Refusal | None:
    """wfb3:5.7.1-file-charge, wfb3:15.10-must-flee  Why a unit may do nothing but flee from a charge."""
    facts = {"unit": target.id}
    if target.drill.formation == "file":
        return Refusal("refuse.answer.file", "wfb3:5.7.1-file-charge", facts)
    weak = 4 * battle.size(charger) < battle.size(target) and not battle.large(charger)
    if target.kind != "skirmishers" or skirmish.scouts(battle, target):
        return None
    battle.cite("wfb3:15.10-must-flee")
    if charger.kind != "skirmishers" and not weak:
        return Refusal("refuse.answer.skirmishers", "wfb3:15.10-must-flee", facts)
    return None


def counter_weapon(battle: Battle, target: Unit) -> tuple[Missile | None, Refusal | None]:
    """wfb3:7.2.2-distance, wfb3:13.7.4-crossbow-charged, wfb3:13.7.9-sling-charged, wfb3:13.8.1-arquebus-charged,
    wfb3:13.8.2-blunderbuss-limits, wfb3:13.8.3-pistol-charged
    The weapon a unit may shoot at chargers with, or why it has none ready."""
    found: Refusal | None = Refusal("refuse.answer.unarmed", "wfb3:7.2.2-distance", {"unit": target.id})
    moved = (target.march.moved != NEVER and target.march.moved >= battle.clock - 1) or target.march.reserve_inches > 0
    fired = target.shooting.fired != NEVER and target.shooting.fired >= battle.clock - 1
    for weapon in who_may_shoot.weapons(battle, target):
        facts = {"unit": target.id, "weapon": weapon.name}
        rules = {
            "crossbow": "wfb3:13.7.4-crossbow-charged", "arquebus": "wfb3:13.8.1-arquebus-charged",
            "blunderbuss": "wfb3:13.8.2-blunderbuss-limits", "pistol": "wfb3:13.8.3-pistol-charged",
        }  # fmt: skip
        if weapon.name == "grenade":
            found = Refusal("refuse.answer.grenade", "wfb3:13.8.4-grenade", facts)
        elif weapon.thrown:
            found = Refusal("refuse.answer.thrown", "wfb3:13.7.6-contact-throw", facts)
        elif target.drill.formation == "testudo" and weapon.no_shield:
            found = aiming.weapon_refusal(battle, target, weapon)
        elif weapon.name in rules and (fired or (moved and weapon.name != "pistol")):
            found = Refusal("refuse.answer.reloading", rules[weapon.name], facts)
        elif weapon.name == "sling":
            battle.cite("wfb3:13.7.9-sling-charged")
            return weapon, None
        else:
            return weapon, None
    return None, found


def shoot_refusal(battle: Battle, charger: Unit, target: Unit) -> Refusal | None:
    """wfb3:7.2.2-distance  Only if the charger starts more than half its charge away, in sight and arc."""
    facts = {"unit": target.id, "charger": charger.id}
    if rule := crews.silenced(battle, target):
        return Refusal("refuse.answer.helpless", rule, facts)
    weapon, refusal = counter_weapon(battle, target)
    if weapon is None:
        return refusal
    if target.shooting.shot_at_chargers == battle.clock:
        return Refusal("refuse.answer.once", "wfb3:7.2-multiple", facts)
    if battle.gap(charger, target) <= fear.charge_reach(battle, charger) / 2 + EPS:
        return Refusal("refuse.answer.near", "wfb3:7.2.2-distance", facts)
    if target.drill.formation == "shield-wall":
        return Refusal("refuse.answer.wall", "wfb3:5.7.6-shield-wall", facts)
    if not aiming.shooters(battle, target, charger):
        return Refusal("refuse.answer.unseen", "wfb3:6.2.1-arc", facts, ("wfb3:7.2.5-face",))
    return None


def _shooter(battle: Battle, charger: Unit, target: Unit) -> Unit:
    return mixed.shooter(battle, target, lambda part: shoot_refusal(battle, charger, part) is None)


def stand_and_shoot(battle: Battle, charger: Unit, charged: Unit) -> Script[volley_progress.Salvo | None]:
    """wfb3:7.2.2-test, wfb3:7.2.2-shoot
    A test, then a hurried volley at where the charger starts; None if it fails."""
    charged.charge = charged.charge.but(answered="shoot")
    target = _shooter(battle, charger, charged)
    passed = yield from tests.ld(battle, target, "stand", "wfb3:7.2.2-test", (charger.id,))
    if not passed:
        battle.tell("charge.held", "wfb3:7.2.2-test", (target.id, charger.id))
        return None
    weapon, _ = counter_weapon(battle, target)
    assert weapon is not None
    battle.tell("charge.shot-at", "wfb3:7.2.2-shoot", (target.id, charger.id), weapon=weapon.name)
    twice = weapon.name == "repeating crossbow" and (yield from missiles.rate_of_fire(battle, target, weapon))
    target.shooting = target.shooting.but(shot_at_chargers=battle.clock, fired=battle.clock)
    return (yield from volleys.levelled(battle, target, charger, weapon, at_chargers=True, twice=twice))


def shot_at(battle: Battle, charger: Unit, target: Unit, salvo: volley_progress.Salvo | None) -> Script[None]:
    """wfb3:7.1.2-losses, wfb3:8.1-shooting  The volley, if there is one; then chargers that lost a quarter test."""
    if salvo is None:
        return
    yield from volleys.loosed(battle, salvo)
    battle.cite("wfb3:7.1.2-losses", "wfb3:4-out-of-turn")
    yield from chariot_damage.settle_hits(battle, charger, missiles=True)
    if charger.where == "table":
        yield from rout.missile_test(battle, charger, (target.id,))
    yield from mixed.charged(battle, charger, target)


def _get_clear(battle: Battle, unit: Unit, direction: float) -> None:
    """wfb3:7.2.3-flee  Who leaves the other part of a formation behind runs on until it is past it, or stops before."""
    block, (hx, hy) = battle.block_of(unit), heading(direction)
    for half in (0, *range(1, 49), *range(-1, -49, -1)):
        far = half * inches(0.5)
        spot = block.placed((block.x + hx * far, block.y + hy * far), block.facing)
        if not ground.fits(battle, unit, spot):
            if half:
                battle.form(unit, spot)
            return


def flee(battle: Battle, unit: Unit, charger: Unit) -> Script[None]:
    """wfb3:7.2.3-flee, wfb3:4-out-of-turn  A test: in order or in rout, but away it goes, at double move."""
    unit.charge = unit.charge.but(answered="flee")
    seating.unwall(battle, unit)
    battle.cite("wfb3:4-out-of-turn")
    if unit.kind == "machine" and machines.engineer(battle, unit) is not None:
        battle.cite("wfb3:15.4-battery")
    passed = yield from tests.ld(battle, unit, "flee", "wfb3:7.2.3-flee", (charger.id,))
    direction = flight.away(battle, unit, [charger])
    if passed:
        unit.rout = unit.rout.but(fled=battle.clock)
        battle.tell("charge.fled", "wfb3:7.2.3-flee", (unit.id, charger.id))
        before = battle.block_of(unit)
        yield from flight.run(battle, unit, direction, orderly=True)
        if unit.block is not None:
            mixed.carry(battle, unit, before, unit.block)
            _get_clear(battle, unit, direction)
        battle.cite("wfb3:7.2.3-after")
        return
    battle.tell("charge.broke", "wfb3:7.2.3-flee", (unit.id, charger.id))
    yield from rout.begin(battle, unit, (charger.id,), melee=False)
    yield from flight.run(battle, unit, direction, orderly=False)


def flyers_answer(battle: Battle, flyer: Unit, charger: Unit) -> Script[bool]:
    """wfb3:21.4.1-charge-flyers  Flyers at attack level accept a charge, or climb to +10 out of its reach."""
    options = [Option("accept", True, "option.answer.accept"), Option("climb", False, "option.answer.climb")]
    rule = "wfb3:21.4.1-charge-flyers"
    accepts: bool = yield Pick(flyer.seat, "charge.answer", options, rule=rule, about=(flyer.id, charger.id))
    if not accepts:
        flyer.air = flyer.air.but(height=flyer.air.height + 1)
        flyer.charge = flyer.charge.but(answered="flee")
        battle.tell("fly.climbs", rule, (flyer.id, charger.id), height=flyers.name(flyer.air.height))
    else:
        flyer.charge = flyer.charge.but(answered="hold")
    return accepts
