"""Chapters 19.6, 19.7, 19.9, 15.4: machines fire: bolts that pierce ranks, stones and shells that are lobbed."""

from __future__ import annotations

import msgspec

from grognard.games.wfb3.army.weapons import Missile
from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.buildings import building_shooting
from grognard.games.wfb3.chariots import chariots
from grognard.games.wfb3.combat import casualties
from grognard.games.wfb3.forces import PRESENT, Model, Unit
from grognard.games.wfb3.machines import blasts, cannons, machine_targets, misfires, scatter, shots_at_buildings
from grognard.games.wfb3.machines.blasts import Shell
from grognard.games.wfb3.monsters import monsters
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.rolls import notes, steps
from grognard.games.wfb3.shooting import aiming, missiles, targeting, volleys
from grognard.games.wfb3.table import flyers, machines
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.arcs import located_arc
from grognard.kernel.formation.block import Place as Stand
from grognard.kernel.formation.sweeps import gap
from grognard.kernel.geometry.base import Pose, rect_base
from grognard.kernel.geometry.units import inches
from grognard.kernel.questions import Number, Option, Pick, Place, Script
from grognard.kernel.words.tally import Tally


def choices(battle: Battle) -> tuple[list[Option], dict[str, Refusal]]:
    """Machines of the active side that may fire, and why others may not."""
    options, barred = [], {}
    for machine in battle.machines.values():
        holder = battle.units.get(machine.holder)
        if holder is None or holder.seat != battle.active:
            continue
        machines.shoulder(battle, machine)
        if not machine.stands:
            continue
        if battle.clock in (machine.fired, machine.passed):
            continue
        refusal = machines.fire_refusal(battle, machine)
        if refusal is None:
            several = len(machines.of_unit(battle, holder)) > 1  # then its crew is no name for it
            options.append(Option(machine.id, machine, about=(machine.id,) if several else (machine.id, holder.id)))
        else:
            barred[machine.id] = refusal
    return options, barred


def fire(battle: Battle, machine: Machine) -> Script[None]:
    """wfb3:19.3.3-crew-loss, wfb3:19.3.2-crew-win  One machine's shot: its crew, its target, the heat of its barrel."""
    unit = battle.units[machine.holder]
    battle.cite("wfb3:19.1-profile", machine.engine.rule("table"))
    if unit.combat.won != -99 and unit.combat.won >= battle.clock - 2:
        battle.cite("wfb3:19.3.2-crew-win")
    machine.passed = battle.clock
    machine.hands = yield from _manned(battle, unit, machine)
    often = machines.rate(machine, machine.hands)
    if machines.reloading(battle, machine, often):
        battle.cite("wfb3:19.3.3-crew-loss")
        return
    kind = machine.engine.kind
    if kind == "ballista":
        yield from _ballista(battle, unit, machine)
    elif kind == "cannon":
        yield from cannons.fire(battle, unit, machine)
    else:
        yield from _lob(battle, unit, machine)


def _manned(battle: Battle, unit: Unit, machine: Machine) -> Script[int]:
    """wfb3:19.2-units, wfb3:19.3.3-crew-loss  How many of a crew work this machine, where they are too few for all."""
    free = machines.at_hand(battle, machine)
    most = min(machine.engine.crew, free)
    lost = machine.engine.crew - most
    if lost:
        battle.cite("wfb3:19.3.3-crew-loss")
    waiting = [
        m for m in machines.of_unit(battle, unit)
        if m is not machine and m.fired != battle.clock and machines.fire_refusal(battle, m) is None
    ]  # fmt: skip
    if not waiting or free >= machine.engine.crew + sum(m.engine.crew for m in waiting) or most <= 1:
        return most
    battle.cite("wfb3:19.2-units")
    chosen: int = yield Number(
        unit.seat, "machine.crew", 1, most, rule="wfb3:19.2-units", about=(machine.id, unit.id),
        data={"needed": machine.engine.crew},
    )  # fmt: skip
    return int(chosen)


def supervise(battle: Battle, unit: Unit, machine: Machine) -> Script[bool]:
    """wfb3:15.4-supervise, wfb3:15.4-rocket  Once a turn an engineer sees to one machine's shot himself.

    The rocket launchers he could see to as well are in another volume.
    """
    chief = machines.engineer(battle, unit)
    if chief is None:
        return False
    if battle.units[chief.home].troops.supervised == battle.clock:
        battle.cite("wfb3:15.4-supervise")
        return False
    options = [Option("alone", False, "option.machine.alone"), Option("supervise", True, "option.machine.supervise")]
    wants = yield Pick(
        unit.seat, "machine.supervise", options, optional=True, nay="alone", rule="wfb3:15.4-supervise",
        about=(machine.id, chief.id),
    )  # fmt: skip
    if wants:
        battle.units[chief.home].troops = battle.units[chief.home].troops.but(supervised=battle.clock)
    return bool(wants)


def shot(battle: Battle, unit: Unit, machine: Machine) -> None:
    """The machine has fired, or tried to: wfb3:19.8-heat counts every shot but the first."""
    machine.fired = battle.clock
    unit.shooting = unit.shooting.but(fired=battle.clock)
    if machine.engine.powder:
        if machine.shots:
            machine.heat += 1
            battle.cite(machine.engine.rule("heat"))
        machine.shots += 1


# ---------------------------------------------------------------------- ballistas


def _ballista(battle: Battle, unit: Unit, machine: Machine) -> Script[None]:
    """wfb3:19.6-fire, wfb3:15.4-ballista  A target by the usual rules, then 4+ up to half range and 5+ beyond."""
    options, barred = machine_targets.targets(battle, unit, machine)
    options += shots_at_buildings.marks(battle, machine)
    if not options and not barred:
        return
    if any(isinstance(o.value, Unit) and o.value.air.height for o in options):
        battle.cite("wfb3:21.3.1-machines")
    target = yield Pick(
        unit.seat, "machine.target", options, optional=True, barred=barred, rule="wfb3:19.6-fire",
        about=(machine.id,), notes=notes.engine(machine.engine),
    )  # fmt: skip
    if target is None:
        return
    mark: Model | None = None
    if isinstance(target, Unit):
        if not (yield from volleys.dares(battle, unit, target)):
            return
        shown = target.where == "building"
        seen = building_shooting.in_view_of(battle, machine_targets.stand(machine), unit, target) if shown else None
        mark = yield from targeting.choose_leader(battle, unit, target, seen)
        if mark is not None and not (yield from volleys.dares(battle, unit, target, mark)):
            return
    aid = yield from supervise(battle, unit, machine)
    shot(battle, unit, machine)
    battle.cite("wfb3:19.6-arc")
    if not isinstance(target, Unit):
        yield from shots_at_buildings.shot_at(battle, Shell(machine, unit.seat, rule="wfb3:22.4-toughness"), target, 3)
        return
    yield from chariots.announce(battle, unit, target)
    need = _aim(battle, unit, machine, target, mark)
    if need is None:
        return
    if aid:
        need.add(-1, "engineer", "wfb3:15.4-ballista").at_least(2, "best", "wfb3:6.2.5-floor")
    hits, _ = yield from steps.missile_hits(unit.seat, 1, need, "wfb3:19.6-fire", (machine.id, target.id))
    for struck, _ in (yield from missiles.spread(battle, unit, target, hits)):
        if struck.kind == "chariot":
            yield from chariots.shot(battle, unit, struck, 1)
        else:
            yield from pierce(battle, machine, unit, struck, mark if struck is target else None)


def _aim(battle: Battle, unit: Unit, machine: Machine, target: Unit, mark: Model | None) -> Tally | None:
    """wfb3:19.6-fire, wfb3:22.3-shoot-in  What a bolt needs to hit; None where it does not carry so far."""
    gunner, bolt = _gunner(battle, unit), _bolt(machine)
    if target.where == "building":
        aimed = building_shooting.through_openings(
            battle, unit, target, bolt, gunner, machine_targets.stand(machine), mark
        )
        if aimed and aimed[0].shot is not None:
            return aimed[0].shot.tally
        battle.tell("machine.wasted", "wfb3:19.6-fire", (machine.id, target.id))
        return None
    far = gap(machine.outline, battle.block_of(target).outline) + flyers.added(battle, unit, target)
    limit = targeting.limit(battle, unit, target, bolt) or targeting.limit_of_mark(battle, target, gunner, mark, bolt)
    if far > min(machine.engine.reach, limit or machine.engine.reach) + 0.03:
        rule = "wfb3:19.6-fire" if far > machine.engine.reach + 0.03 else "wfb3:14.6.2-half-range"
        if rule != "wfb3:19.6-fire" and mark is not None and mark.role != "character":
            rule = "wfb3:11.2.1-target-leader"
        battle.tell("machine.wasted", rule, (machine.id, target.id))
        return None
    return aiming.need(battle, unit, _stand(machine), gunner, target, bolt, far, mark=mark)


def _stand(machine: Machine) -> Stand:
    base = rect_base(*machine.base)
    return Stand(0, 0, 0, 1, 1, base, Pose(machine.x, machine.y, machine.facing))


def _bolt(machine: Machine) -> Missile:
    engine = machine.engine
    return Missile("ballista", "wfb3:19.6-fire", "wfb3:19.6-table", engine.range, engine.strength, engine.points)


def _gunner(battle: Battle, unit: Unit) -> Model:
    """wfb3:19.6-fire  Every ballista shoots with BS 3."""
    one = battle.members(unit)[0]
    profile = msgspec.structs.replace(one.profile, BS=3)
    return Model(one.id, unit.seat, unit.id, one.body, profile, one.kit, None, "")


def pierce(battle: Battle, machine: Machine, unit: Unit, target: Unit, mark: Model | None = None) -> Script[None]:
    """wfb3:19.6-pierce, wfb3:14.6.2-no-stray  One model a rank, a point of strength less for each rank gone through.

    Ruling: one who was picked out is struck first, and the bolt goes on from the rank he stands in. Those who look out
    of windows stand one deep.
    """
    before = battle.size(target)
    through = 0
    for rank in range(_ranks(battle, machine, target, mark)):
        shell = Shell(machine, unit.seat, strength=machine.engine.strength - rank, rule="wfb3:19.6-pierce")
        if target.where not in PRESENT or shell.strength < 1:
            break
        alone = target.kind == "character" or not battle.ordinary(target)
        if mark is not None and rank == 0:
            hurt = yield from blasts.hit_model(battle, shell, target, mark)
        elif target.kind == "monster":
            hurt = yield from _beast(battle, shell, target)
        elif alone:
            hurt = yield from blasts.hit_model(battle, shell, target, battle.members(target)[0])
        else:
            battle.cite("wfb3:14.6.2-no-stray") if battle.characters(target) else None
            hurt = yield from blasts.hit_troops(battle, shell, target, 1)
        if not hurt:
            break
        through += 1
    lost = casualties.shot_down(battle, target, before)
    battle.tell("machine.pierces", "wfb3:19.6-pierce", (machine.id, target.id), ranks=through, dead=lost)


def _ranks(battle: Battle, machine: Machine, target: Unit, mark: Model | None) -> int:
    """wfb3:19.6-pierce  How many ranks a bolt may go through, from the first it strikes."""
    if target.where == "building":
        return 1
    block = battle.block_of(target)
    flank = located_arc(block.boundary, (machine.x, machine.y)).is_flank
    ranks = block.files if flank else block.ranks
    if mark is not None and mark.id in target.models:
        place = block.places[target.models.index(mark.id)]
        ranks -= place.file if flank else place.rank
    return ranks


def _beast(battle: Battle, shell: Shell, target: Unit) -> Script[int]:
    """wfb3:18.1-shooting, wfb3:18.3-units  A bolt strikes one beast, or somebody on its back."""
    hurt = 0
    for model, _ in (yield from monsters.shared(battle, shell.seat, target, 1)):
        hurt += yield from blasts.hit_model(battle, shell, target, model)
    return hurt


# ---------------------------------------------------------------------- catapults and mortars


def _lob(battle: Battle, unit: Unit, machine: Machine) -> Script[None]:
    """wfb3:19.7-target, wfb3:19.9-fire  A point is chosen, the template laid on it, and the shot drifts or not."""
    judge = machine_targets.AimJudge(battle, unit, machine)
    rule = machine.engine.rule("target" if machine.engine.kind == "catapult" else "fire")
    aim = yield Place(
        unit.seat, "machine.aim", (machine.id,), judge, optional=True, rule=rule, about=(machine.id,),
        notes=notes.engine(machine.engine),
    )  # fmt: skip
    if aim is None:
        return
    aid = yield from supervise(battle, unit, machine)
    if machine.engine.powder and (yield from misfires.overheats(battle, unit, machine)):
        return
    shot(battle, unit, machine)
    far = machines.far_from(machine, aim.point)
    if not inches(machine.engine.least) - 0.03 <= far <= machine.engine.reach + 0.03:
        battle.tell("machine.wasted", rule, (machine.id,), inches=round(far / inches(1), 2))
        return
    if aim.blind:
        battle.tell("machine.blind", machine.engine.rule("speculative"), (machine.id,))
    score = yield from scatter.score(unit.seat, machine.engine, (machine.id,))
    if score == scatter.MISFIRE and machine.engine.kind == "mortar":
        yield from misfires.misfire(battle, unit, machine, aim.point)
        return
    drift = 0.0
    if score <= scatter.HOURS:
        drift = yield from _drift(battle, unit, machine, far, aim.blind, aid)
        if drift < 0.0:
            yield from misfires.misfire(battle, unit, machine, aim.point)
            return
    shell = Shell(machine, unit.seat)
    if aim.room:
        yield from shots_at_buildings.thrown(battle, shell, aim, score, drift)
        return
    yield from blasts.burst(battle, shell, scatter.landing(machine, aim.point, score, drift, blind=aim.blind))


def _drift(battle: Battle, unit: Unit, machine: Machine, far: float, blind: bool, aid: bool) -> Script[float]:
    """wfb3:19.7-scatter, wfb3:19.9-speculative, wfb3:15.4-indirect  How far a shot drifts (mm); -1 misfires."""
    off = yield from scatter.drift(unit.seat, machine.engine, far, blind, (machine.id,))
    if off < 0.0:
        battle.cite("wfb3:19.9-speculative")
        return -1.0
    if aid:
        options = [Option(str(n), n, "option.engineer.drift", data={"inches": n}) for n in (2, 1)]
        off -= yield Pick(unit.seat, "engineer.drift", options, rule="wfb3:15.4-indirect", about=(machine.id,))
    return inches(max(0.0, off))
