"""wfb3:6  The shooting phase: one unit after another, one target each."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3 import (
    advice,
    aiming,
    artillery,
    assassins,
    crews,
    fear,
    fire_missiles,
    fires,
    grenades,
    hatred,
    missiles,
    orders,
    rooms,
    rout,
    sight,
    storming,
    targeting,
    unseen,
    windows,
)
from grognard.games.wfb3.aiming import Shot
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.machines import Machine
from grognard.games.wfb3.rooms import Room
from grognard.games.wfb3.salvo import Salvo
from grognard.games.wfb3.weapons import MISSILES, Missile
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script


def phase(battle: Battle) -> Script[None]:
    """wfb3:4-phases, 6.2-procedure  The active side's units shoot in any order; then units that lost a quarter test."""
    from grognard.games.wfb3 import bombing

    if battle.stage == 0:
        yield from bombing.phase(battle)
        battle.stage = 1
    yield from assassins.shots(battle)
    while True:
        options, barred = choices(battle)
        engines, cold = artillery.choices(battle)
        options, barred = [*options, *engines], {**barred, **cold}
        if not options and not barred:
            break
        unit = yield Pick(
            battle.active,
            "shoot.unit",
            options,
            optional=True,
            barred=barred,
            rule="wfb3:6.2-procedure",
            checkpoint=True,
        )
        if unit is None:
            unit = _spared(battle, options)
        if unit is None:
            break
        if isinstance(unit, Machine):
            yield from artillery.fire(battle, unit)
        else:
            yield from shoot(battle, unit)
    yield from aftermath(battle)


def aftermath(battle: Battle) -> Script[None]:
    """wfb3:8.1-shooting  What all the shooting came to, at the end of the phase."""
    from grognard.games.wfb3 import chariot_damage

    yield from chariot_damage.after_phase(battle)
    yield from rout.missile_tests(battle)
    yield from storming.missile_tests(battle)


def _spared(battle: Battle, options: Sequence[Option]) -> Unit | None:
    """wfb3:10.6-shoot  A unit that could shoot at an enemy it hates and has not been asked to."""
    for unit in (o.value for o in options if isinstance(o.value, Unit)):
        usable = [w for w in weapons(battle, unit) if aiming.weapon_refusal(battle, unit, w) is None]
        if any(hatred.in_range(battle, unit, targets(battle, unit), w) for w in usable):
            return unit
    return None


def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """Units that may shoot, and why others may not."""
    options, barred = [], {}
    for unit in [*battle.army(battle.active), *rooms.inside(battle, battle.active)]:
        if not any(battle.models[m].kit.missiles for m in unit.models) or unit.done:
            continue
        refusal = unit_refusal(battle, unit)
        if refusal is not None:
            barred[unit.id] = refusal
        elif targets(battle, unit) or windows.any_wall(battle, unit, weapons(battle, unit)):
            options.append(Option(unit.id, unit, about=(unit.id,)))
        elif why := hidden(battle, unit):
            barred[unit.id] = min(why.values(), key=lambda refusal: refusal.rule == "wfb3:6.2.1-arc")
    return options, barred


def unit_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    facts = {"unit": unit.id}
    if unit.routed or unit.pursuing:
        return Refusal("refuse.shoot.routed", "wfb3:8.4-state", facts)
    if battle.engaged(unit):
        return Refusal("refuse.shoot.engaged", "wfb3:7-contact", facts, ("wfb3:7.14-continue",))
    if unit.formation == "shield-wall":
        return Refusal("refuse.shoot.formation", "wfb3:5.7.6-shield-wall", facts)
    if (held := orders.held(battle, unit, "shoot")) is not None:
        return held
    if unit.stupid:
        return Refusal("refuse.shoot.stupid", "wfb3:10.9-out", facts)
    if unit.frozen >= battle.clock and unit.frozen_why == "fear":
        return Refusal("refuse.shoot.fear", "wfb3:10.8-charge", facts)
    if unit.kind in ("monster", "chariot"):
        idle = [crews.idle(battle, carrier) for carrier in battle.members(unit)]
        if idle and all(idle):
            battle.cite(*idle)
            return Refusal("refuse.shoot.unable", idle[0], facts)
    found = [aiming.weapon_refusal(battle, unit, w) for w in weapons(battle, unit)]
    return found[0] if found and all(f is not None for f in found) else None


def weapons(battle: Battle, unit: Unit) -> tuple[Missile, ...]:
    """wfb3:13.1-mixed-missiles, 13.2-one-missile-weapon  What the unit may shoot with, one of them at a time."""
    own = unit.kit.missiles or next(
        (battle.models[m].kit.missiles for m in unit.models if battle.models[m].kit.missiles), ()
    )
    battle.cite(*(rule for rule in unit.assorted if rule == "wfb3:13.1-mixed-missiles"))
    return tuple(MISSILES[name] for name in own)


def targets(battle: Battle, unit: Unit) -> list[Unit]:
    """wfb3:6.2.2-los  Enemies somebody in the front rank sees in its arc; distances are judged by eye."""
    indoors = [f for f in rooms.inside(battle, battle.other(unit.seat)) if f.revealed]
    if unit.where == "building":
        every = [*battle.enemies(unit), *indoors]
        return [f for f in every if any(windows.may_aim(battle, unit, f, w) for w in weapons(battle, unit))]
    seen = [f for f in indoors if any(windows.may_aim(battle, unit, f, w) for w in weapons(battle, unit))]
    return [foe for foe in battle.enemies(unit) if target_refusal(battle, unit, foe) is None] + seen


def target_refusal(battle: Battle, unit: Unit, foe: Unit) -> Refusal | None:
    def work() -> Refusal | None:
        return unseen.refusal(battle, unit, foe)

    made: Refusal | None = battle.remember(("aims", unit.id, foe.id), work)
    return made


def hidden(battle: Battle, unit: Unit) -> dict[str, Refusal]:
    """Enemies that cannot be shot at, and why."""
    if unit.where == "building":
        return {}
    found = ((foe.id, target_refusal(battle, unit, foe)) for foe in battle.enemies(unit))
    return {key: refusal for key, refusal in found if refusal is not None}


def shoot(battle: Battle, unit: Unit) -> Script[None]:
    """One unit's volley."""
    salvo = yield from readied(battle, unit)
    if salvo is not None:
        yield from finished(battle, salvo)


def finished(battle: Battle, salvo: Salvo) -> Script[None]:
    """A volley made ready, to its end."""
    yield from loosed(battle, salvo)
    unit, target = battle.units[salvo.unit], battle.units[salvo.target]
    if salvo.weapon.fire:
        yield from fires.attacked(battle, unit, target, salvo.wounds)
    yield from _others(battle, unit, target, salvo.weapon, salvo.aside, twice=salvo.twice)


def readied(battle: Battle, unit: Unit) -> Script[Salvo | None]:
    """What a unit shoots with and at whom, up to the first die to hit; None where there is no such volley."""
    usable = [w for w in weapons(battle, unit) if aiming.weapon_refusal(battle, unit, w) is None]
    battle.cite("wfb3:13.2-one-missile-weapon")
    weapon = yield Pick(
        unit.seat,
        "shoot.weapon",
        [Option(w.name, w, notes=advice.missile(w, unit.profile)) for w in usable],
        rule="wfb3:13.2-one-missile-weapon",
        about=(unit.id,),
    )
    weapon = yield from fire_missiles.choose(battle, unit, weapon)
    found = targets(battle, unit)
    options = [Option(t.id, t, about=(t.id,)) for t in found] + windows.walls_in_sight(battle, unit, weapon)
    target = yield Pick(
        unit.seat, "shoot.target", options, optional=True, rule="wfb3:6.2.1-one-target", about=(unit.id,),
        barred=hidden(battle, unit),
    )  # fmt: skip
    unit.done = True
    if not isinstance(target, Unit) or not hatred.hates(battle, unit, target):
        target = (yield from hatred.must_shoot(battle, unit, found, weapon)) or target
    if target is None:
        return None
    if isinstance(target, Room) or "building" in (unit.where, target.where):
        yield from windows.shoot(battle, unit, target, weapon)
        return None
    if weapon.name == "grenade":
        yield from grenades.throw(battle, unit, target)
        return None
    if not (yield from dares(battle, unit, target)):
        return None
    mark = yield from targeting.choose_leader(battle, unit, target)
    if mark is not None and not (yield from dares(battle, unit, target, mark)):
        return None
    twice = yield from missiles.rate_of_fire(battle, unit, weapon)
    unit.fired, unit.fired_at = battle.clock, target.id
    aside = elsewhere(battle, unit, target)
    salvo = yield from levelled(battle, unit, target, weapon, twice=twice, mark=mark)
    salvo.aside = aside
    return salvo


def dares(battle: Battle, unit: Unit, target: Unit, mark: Model | None = None) -> Script[bool]:
    """wfb3:10.8-shoot, 27.7-fear-charging  Whether a unit may shoot at what it fears, or at one it picks out."""
    if battle.house["revised_fear"]:
        battle.cite("wfb3:27.7-fear-charging")
        return True
    feared = fear.dread(battle, unit, target) is not None
    if mark is not None:
        feared = any(m is mark for m, _ in fear.followers(battle, unit, target))
    if feared and battle.gap(unit, target) <= fear.charge_reach(battle, target) + EPS:
        stood = yield from fear.test(battle, unit, target, "wfb3:10.8-shoot", mark)
        if not stood:
            battle.tell("shoot.afraid", "wfb3:10.8-shoot", (unit.id, mark.id if mark is not None else target.id))
            return False
    return True


def elsewhere(battle: Battle, unit: Unit, target: Unit) -> tuple[str, ...]:
    """wfb3:6.2.1-one-target  Models in whose arc the target does not lie."""
    outline, around = battle.block_of(target).outline, aiming.all_round(battle, unit)
    places = aiming.ranked(battle, unit, target)
    return tuple(unit.models[p.number] for p in places if not sight.in_arc(p, outline, around))


def _others(
    battle: Battle, unit: Unit, first: Unit, weapon: Missile, aside: tuple[str, ...], *, twice: bool
) -> Script[None]:
    """wfb3:6.2.1-one-target  Those in whose arc the common target does not lie may choose another."""
    while aside := tuple(m for m in aside if m in unit.models):
        able: dict[str, tuple[str, ...]] = {}
        for foe in [f for f in targets(battle, unit) if f.where == "table"]:
            who = tuple(m.id for m, _ in aiming.shooters(battle, unit, foe) if m.id in aside)
            if foe.id != first.id and who:
                able[foe.id] = who
        if not able:
            return
        options = [Option(key, battle.units[key], about=(key,), data={"shooters": len(able[key])}) for key in able]
        other = yield Pick(
            unit.seat, "shoot.other", options, optional=True, rule="wfb3:6.2.1-one-target", about=(unit.id, first.id)
        )
        if other is None:
            return
        who, aside = able[other.id], tuple(m for m in aside if m not in able[other.id])
        if (yield from dares(battle, unit, other)):
            yield from volley(battle, unit, other, weapon, twice=twice, only=who)


def volley(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, *, twice: bool = False, at_chargers: bool = False,
    hasty: bool = False, mark: Model | None = None, only: tuple[str, ...] | None = None,
) -> Script[int]:  # fmt: skip
    """wfb3:6.2-procedure, B.3

    Everybody who can shoots; hits, wounds, saves, losses; how many wounds were inflicted.
    """
    salvo = yield from levelled(
        battle, unit, target, weapon, twice=twice, at_chargers=at_chargers, hasty=hasty, mark=mark, only=only
    )
    return (yield from loosed(battle, salvo))


def loosed(battle: Battle, salvo: Salvo) -> Script[int]:
    """All shots of a volley, those alike together."""
    while salvo.going:
        yield from loose(battle, salvo)
    return salvo.wounds


def loose(battle: Battle, salvo: Salvo) -> Script[None]:
    """wfb3:6.2-procedure  The next shots alike of a volley."""
    (made, count), *rest = salvo.groups
    salvo.groups = tuple(rest)
    unit, target, mark = battle.units[salvo.unit], battle.units[salvo.target], battle.models.get(salvo.mark)
    salvo.wounds += yield from missiles.resolve(battle, unit, target, salvo.weapon, made, count, mark)


def levelled(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, *, twice: bool = False, at_chargers: bool = False,
    hasty: bool = False, mark: Model | None = None, only: tuple[str, ...] | None = None,
) -> Script[Salvo]:  # fmt: skip
    """wfb3:6.2.2-rear-ranks, 6.2.5-modifiers  Everybody who can takes aim: what each needs to hit."""
    from grognard.games.wfb3 import chariots

    yield from chariots.announce(battle, unit, target)
    groups: dict[tuple[int, int, int, bool], tuple[Shot, int]] = {}
    wasted = 0
    far = targeting.limit(battle, unit, target, weapon)
    for model, place in aiming.shooters(battle, unit, target):
        if weapon.name not in model.kit.missiles or (only is not None and model.id not in only):
            continue
        made = aiming.shot(
            battle,
            unit,
            place,
            model,
            target,
            weapon,
            at_chargers=at_chargers,
            twice=twice,
            hasty=hasty,
            limit=far or targeting.limit_of_mark(battle, target, model, mark, weapon),
            mark=mark,
        )
        if made is None:
            wasted += 1
            continue
        kept = groups.get(made.key)
        groups[made.key] = (made, (kept[1] if kept else 0) + (2 if twice else 1))
    battle.tell(
        "shoot.volley",
        "wfb3:6.2-procedure",
        (unit.id, target.id),
        weapon=weapon.name,
        shots=sum(n for _, n in groups.values()),
        out_of_range=wasted,
    )
    if wasted:
        battle.cite("wfb3:5.4.1-no-premeasure")
    battle.cite("wfb3:6.1-ranges", weapon.table, weapon.rule)
    salvo = Salvo(unit, target, weapon, list(groups.values()), mark)
    salvo.twice = twice
    return salvo
