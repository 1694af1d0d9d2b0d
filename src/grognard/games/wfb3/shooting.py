"""wfb3:6  The shooting phase: one unit after another, one target each."""

from __future__ import annotations

from grognard.games.wfb3 import aiming, fear, hatred, missiles, rout, targeting
from grognard.games.wfb3.aiming import Shot
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.weapons import MISSILES, Missile
from grognard.kernel.errors import Refusal
from grognard.kernel.questions import Option, Pick, Script


def phase(battle: Battle) -> Script[None]:
    """wfb3:4-phases, 6.2-procedure  The active side's units shoot in any order; then units that lost a quarter test."""
    while True:
        options, barred = choices(battle)
        if not options:
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
            break
        yield from shoot(battle, unit)
    yield from rout.missile_tests(battle)


def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """Units that may shoot, and why others may not."""
    options, barred = [], {}
    for unit in battle.army(battle.active):
        if not any(battle.models[m].kit.missiles for m in unit.models) or unit.done:
            continue
        refusal = unit_refusal(battle, unit)
        if refusal is not None:
            barred[unit.id] = refusal
        elif targets(battle, unit):
            options.append(Option(unit.id, unit, about=(unit.id,)))
    return options, barred


def unit_refusal(battle: Battle, unit: Unit) -> Refusal | None:
    facts = {"unit": unit.id}
    if unit.routed or unit.pursuing:
        return Refusal("refuse.shoot.routed", "wfb3:8.4-state", facts)
    if battle.engaged(unit):
        return Refusal("refuse.shoot.engaged", "wfb3:7-contact", facts)
    if unit.formation in ("shield-wall", "testudo"):
        return Refusal("refuse.shoot.formation", "wfb3:5.7.6-shield-wall", facts)
    if unit.stupid:
        return Refusal("refuse.shoot.stupid", "wfb3:10.9-out", facts)
    if unit.frozen >= battle.clock and unit.frozen_why == "fear":
        return Refusal("refuse.shoot.fear", "wfb3:10.8-charge", facts)
    found = [aiming.weapon_refusal(battle, unit, w) for w in weapons(battle, unit)]
    return found[0] if found and all(f is not None for f in found) else None


def weapons(battle: Battle, unit: Unit) -> tuple[Missile, ...]:
    """wfb3:13.1-mixed-missiles, 13.2-one-missile-weapon  What the unit may shoot with, one of them at a time."""
    own = unit.kit.missiles or next(
        (battle.models[m].kit.missiles for m in unit.models if battle.models[m].kit.missiles), ()
    )
    return tuple(MISSILES[name] for name in own if name != "grenade")


def targets(battle: Battle, unit: Unit) -> list[Unit]:
    """wfb3:6.2.2-los  Enemies somebody in the front rank sees in its arc; distances are judged by eye."""
    found = []
    for foe in battle.enemies(unit):

        def aims(foe: Unit = foe) -> bool:
            return _aims(battle, unit, foe)

        if battle.remember(("aims", unit.id, foe.id), aims):
            found.append(foe)
    return found


def _aims(battle: Battle, unit: Unit, foe: Unit) -> bool:
    if foe.kind == "character" and targeting.exposure(battle, foe) == "none":
        return False
    return bool(aiming.shooters(battle, unit, foe)) and not missiles.past_a_unit(battle, unit, foe)


def shoot(battle: Battle, unit: Unit) -> Script[None]:
    """One unit's volley."""
    usable = [w for w in weapons(battle, unit) if aiming.weapon_refusal(battle, unit, w) is None]
    battle.cite("wfb3:13.2-one-missile-weapon")
    weapon = yield Pick(
        unit.seat,
        "shoot.weapon",
        [Option(w.name, w) for w in usable],
        rule="wfb3:13.2-one-missile-weapon",
        about=(unit.id,),
    )
    found = targets(battle, unit)
    forced = yield from hatred.must_shoot(battle, unit, found, weapon)
    options = [Option(t.id, t, about=(t.id,)) for t in ([forced] if forced is not None else found)]
    target = yield Pick(
        unit.seat, "shoot.target", options, optional=forced is None, rule="wfb3:6.2.1-one-target", about=(unit.id,),
        barred={f.id: Refusal("refuse.shoot.hatred", "wfb3:10.6-shoot", {"unit": unit.id}) for f in found if forced},
    )  # fmt: skip
    unit.done = True
    if target is None:
        return
    if battle.house["revised_fear"]:
        battle.cite("wfb3:27.7-fear-charging")
    elif fear.dread(battle, unit, target) and battle.gap(unit, target) <= fear.charge_reach(battle, target):
        stood = yield from fear.test(battle, unit, target, "wfb3:10.8-shoot")
        if not stood:
            battle.tell("shoot.afraid", "wfb3:10.8-shoot", (unit.id, target.id))
            return
    twice = yield from missiles.rate_of_fire(battle, unit, weapon)
    unit.fired, unit.fired_at = battle.clock, target.id
    mark = yield from targeting.choose_leader(battle, unit, target)
    yield from volley(battle, unit, target, weapon, twice=twice, mark=mark)


def volley(
    battle: Battle, unit: Unit, target: Unit, weapon: Missile, *, twice: bool = False, at_chargers: bool = False,
    hasty: bool = False, mark: Model | None = None,
) -> Script[int]:  # fmt: skip
    """wfb3:6.2-procedure, B.3

    Everybody who can shoots; hits, wounds, saves, losses; how many wounds were inflicted.
    """
    groups: dict[tuple[int, int, int, bool], tuple[Shot, int]] = {}
    wasted = 0
    far = targeting.limit(battle, unit, target, weapon)
    for model, place in aiming.shooters(battle, unit, target):
        if weapon.name not in model.kit.missiles:
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
            limit=far or (weapon.half if mark is not None and model.role != "character" else None),
            single=mark is not None,
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
    battle.cite("wfb3:6.1-ranges", weapon.table, weapon.rule)
    total = 0
    for made, count in groups.values():
        total += yield from missiles.resolve(battle, unit, target, weapon, made, count, mark)
    return total
