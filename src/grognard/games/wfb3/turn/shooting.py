"""Chapter 6: the shooting phase: one unit after another, one target each."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_shooting, storming
from grognard.games.wfb3.chariots import chariot_damage
from grognard.games.wfb3.fire import fire_missiles, fires
from grognard.games.wfb3.flying import bombing
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.machines import artillery
from grognard.games.wfb3.pieces import Machine, Room
from grognard.games.wfb3.psychology import hatred
from grognard.games.wfb3.rolls import notes
from grognard.games.wfb3.rout import rout
from grognard.games.wfb3.shooting import aiming, grenades, missiles, targeting, volleys, who_may_shoot
from grognard.games.wfb3.shooting.volley_progress import Salvo
from grognard.games.wfb3.table import sight
from grognard.games.wfb3.troops import assassins
from grognard.kernel.citing import cites
from grognard.kernel.questions import Option, Pick, Script


def phase(battle: Battle) -> Script[None]:
    """wfb3:4-phases, wfb3:6.2-procedure
    The active side's units shoot in any order; then units that lost a quarter test."""
    if battle.stage == 0:
        yield from bombing.phase(battle)
        battle.stage = 1
    yield from assassins.shots(battle)
    while True:
        options, barred = who_may_shoot.choices(battle)
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
    yield from chariot_damage.after_phase(battle)
    yield from rout.missile_tests(battle)
    yield from storming.missile_tests(battle)


def _spared(battle: Battle, options: Sequence[Option]) -> Unit | None:
    """wfb3:10.6-shoot  A unit that could shoot at an enemy it hates and has not been asked to."""
    for unit in (o.value for o in options if isinstance(o.value, Unit)):
        usable = [w for w in who_may_shoot.weapons(battle, unit) if aiming.weapon_refusal(battle, unit, w) is None]
        if any(hatred.in_range(battle, unit, who_may_shoot.targets(battle, unit), w) for w in usable):
            return unit
    return None


def shoot(battle: Battle, unit: Unit) -> Script[None]:
    """One unit's volley."""
    salvo = yield from readied(battle, unit)
    if salvo is not None:
        yield from finished(battle, salvo)


def finished(battle: Battle, salvo: Salvo) -> Script[None]:
    """A volley made ready, to its end."""
    yield from volleys.loosed(battle, salvo)
    unit, target = battle.units[salvo.unit], battle.units[salvo.target]
    if salvo.weapon.fire:
        yield from fires.attacked(battle, unit, target, salvo.wounds)
    yield from _others(battle, unit, target, salvo.weapon, salvo.aside, twice=salvo.twice)


@cites
def readied(battle: Battle, unit: Unit) -> Script[Salvo | None]:
    """wfb3:13.2-one-missile-weapon
    What a unit shoots with and at whom, up to the first die to hit; None where there is no such volley."""
    usable = [w for w in who_may_shoot.weapons(battle, unit) if aiming.weapon_refusal(battle, unit, w) is None]
    weapon = yield Pick(
        unit.seat,
        "shoot.weapon",
        [Option(w.name, w, notes=notes.missile(w, unit.profile)) for w in usable],
        rule="wfb3:13.2-one-missile-weapon",
        about=(unit.id,),
    )
    weapon = yield from fire_missiles.choose(battle, unit, weapon)
    found = who_may_shoot.targets(battle, unit)
    options = [Option(t.id, t, about=(t.id,)) for t in found] + building_shooting.walls_in_sight(battle, unit, weapon)
    target = yield Pick(
        unit.seat, "shoot.target", options, optional=True, rule="wfb3:6.2.1-one-target", about=(unit.id,),
        barred=who_may_shoot.hidden(battle, unit),
    )  # fmt: skip
    unit.march = unit.march.but(done=True)
    if not isinstance(target, Unit) or not hatred.hates(battle, unit, target):
        target = (yield from hatred.must_shoot(battle, unit, found, weapon)) or target
    if target is None:
        return None
    if isinstance(target, Room):
        unit.shooting = unit.shooting.but(fired=battle.clock)
        yield from building_shooting.at_wall(battle, unit, target, weapon)
        return None
    walled = "building" in (unit.where, target.where)
    if weapon.name == "grenade" and not walled:
        yield from grenades.throw(battle, unit, target)
        return None
    if not (yield from volleys.dares(battle, unit, target)):
        return None
    seen = building_shooting.in_view(battle, unit, target, weapon) if target.where == "building" else None
    mark = yield from targeting.choose_leader(battle, unit, target, seen)
    if mark is not None and not (yield from volleys.dares(battle, unit, target, mark)):
        return None
    twice = yield from missiles.rate_of_fire(battle, unit, weapon)
    unit.shooting = unit.shooting.but(fired=battle.clock, fired_at=target.id)
    aside = elsewhere(battle, unit, target) if not walled else ()
    salvo = yield from volleys.levelled(battle, unit, target, weapon, twice=twice, mark=mark)
    salvo.aside = aside
    return salvo


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
        for foe in [f for f in who_may_shoot.targets(battle, unit) if f.where == "table"]:
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
        if (yield from volleys.dares(battle, unit, other)):
            yield from volleys.volley(battle, unit, other, weapon, twice=twice, only=who)
