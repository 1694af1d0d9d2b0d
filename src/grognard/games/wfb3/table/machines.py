"""Chapters 19.1 to 19.4:
War machines on the table: who holds and works them, how they are moved, taken and destroyed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grognard.games.wfb3.abilities.trades import Engineer
from grognard.games.wfb3.army import machine_table
from grognard.games.wfb3.army.machine_table import WORKS, Engine
from grognard.games.wfb3.forces import Model, Unit
from grognard.games.wfb3.pieces import Machine
from grognard.games.wfb3.records import NEVER
from grognard.games.wfb3.table import ground, seating
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Point, Rect
from grognard.kernel.formation.sweeps import gap, overlap
from grognard.kernel.geometry.units import heading, inches

if TYPE_CHECKING:
    from grognard.games.wfb3.battle import Battle

#: wfb3:19.2-units, 19.1-full-crew  How far machines of a unit may stand apart, and crew from their machines.
APART = inches(2)
#: Base contact with a machine (mm).
TOUCHING = 1.0


def of_unit(battle: Battle, unit: Unit) -> list[Machine]:
    """The machines a unit holds."""
    return [m for m in battle.machines.values() if m.holder == unit.id and m.stands]


def beside(battle: Battle, unit: Unit) -> list[Machine]:
    """wfb3:19.3.1-shoot-crew  Machines that shelter their crew."""
    if unit.kind != "machine" or unit.block is None:
        return []
    return [m for m in of_unit(battle, unit) if gap(unit.block.outline, m.outline) <= inches(1)]


def deploy(battle: Battle, unit: Unit, *, ahead: bool) -> None:
    """A unit's machines in a row before its crew, an inch apart."""
    if unit.block is None:
        return
    block, places = row(battle, unit, unit.block, ahead=ahead)
    if not places:
        return
    if block != unit.block:
        battle.form(unit, block)
    for machine, x, y in places:
        machine.put(x, y, block.facing)
    battle.cite("wfb3:19.2-units")


def row(battle: Battle, unit: Unit, block: Block, *, ahead: bool) -> tuple[Block, list[tuple[Machine, float, float]]]:
    """wfb3:19.2-units  Where the machines of a crew are set out, and where it stands itself: behind them if it can."""
    own = [m for m in battle.machines.values() if m.unit == unit.id and not m.placed]
    if not own:
        return block, []
    deep = max(m.base[1] for m in own)
    hx, hy = heading(block.facing)
    if not ahead:
        back = block.placed((block.x - hx * deep, block.y - hy * deep), block.facing)
        block = block if ground.fits(battle, unit, back) else back
    places = []
    at = -(sum(m.base[0] for m in own) + inches(1) * (len(own) - 1)) / 2
    for machine in own:
        across, far = at + machine.base[0] / 2, machine.base[1] / 2
        places.append((machine, block.x + hy * across + hx * far, block.y - hx * across + hy * far))
        at += machine.base[0] + inches(1)
    return block, places


def crowded(battle: Battle, unit: Unit, block: Block) -> tuple[str, str] | None:
    """wfb3:5.5-base, wfb3:19.2-units
    Who would stand on whom where a unit and its machines are set up; None for nobody.

    Ruling: machines are set up where there is room for them, as models are.
    """
    standing = [m for m in battle.machines.values() if m.stands and not m.engine.portable]
    behind, places = row(battle, unit, block, ahead=False)
    for machine in standing:
        if overlap(behind.outline.shrunk(1.0), machine.outline):
            return unit.id, machine.id
    others = [(u.id, battle.block_of(u).outline) for u in battle.here() if u.id != unit.id]
    others += [(m.id, m.outline) for m in standing]
    for machine, x, y in places:
        if machine.engine.portable:
            continue
        spot = Rect(x, y, behind.facing, machine.base[0] / 2, machine.base[1] / 2).outline.shrunk(1.0)
        if (met := next((name for name, outline in others if overlap(spot, outline)), "")) != "":
            return machine.id, met
    return None


def shoulder(battle: Battle, machine: Machine) -> None:
    """wfb3:19.5-portable  A portable weapon is where its team is: the first man of each two carries it."""
    unit = battle.units.get(machine.holder)
    if unit is None or unit.block is None or not machine.engine.portable:
        return
    battle.cite("wfb3:19.5-portable-team" if unit.kind == "team" else "wfb3:19.5-portable")
    teams = [m.id for m in battle.machines.values() if m.holder == unit.id and m.engine.portable]
    number = min(2 * teams.index(machine.id), len(unit.models) - 1)
    pose = unit.block.places[number].pose
    machine.put(pose.x, pose.y, pose.facing)


def join(battle: Battle, team: Unit, host: Unit) -> None:
    """wfb3:19.5-portable-team  A team joins a unit as a character would; its weapon goes with it."""
    for model in battle.members(team):
        model.unit = host.id
    host.models = (*host.models, *team.models)
    for machine in battle.machines.values():
        if machine.holder == team.id:
            machine.holder = host.id
    host.troops = host.troops.but(crews=tuple(dict.fromkeys((*host.troops.crews, *team.troops.crews))))
    assert host.block is not None
    team.models, team.where, team.block = (), "attached", None
    battle.form(host, seating.settle(battle, host, host.block.files))
    battle.tell("team.joins", "wfb3:19.5-portable-team", (team.id, host.id))


# ---------------------------------------------------------------------- crews


def engineer(battle: Battle, unit: Unit) -> Model | None:
    """wfb3:15.4-battery, wfb3:19.2-units
    The engineer who leads a unit of machines, is with it, or has it in his battery.

    He goes from one machine of his battery to the next.
    """
    chiefs = [u.id for u in battle.units.values() if unit.id in u.troops.battery and u.seat == unit.seat]
    for model in (*battle.characters(unit), *(battle.models[key] for key in chiefs)):
        home = battle.units[model.home]
        trade = any(isinstance(t, Engineer) for t in (*model.profile.abilities, *home.traits))
        if trade and (model.unit == unit.id or model.on_table):
            return model
    return None


def trained(battle: Battle, unit: Unit, engine: Engine) -> bool:
    """wfb3:19.3.3-replace, wfb3:19.6-crew, wfb3:19.7-crew, wfb3:19.8-crew, wfb3:19.9-crew
    Whether a unit's men were trained on machines of this kind."""
    for kind in unit.troops.crews:
        if engine.kind in WORKS[kind]:
            battle.cite(f"wfb3:{engine_chapter(kind)}-crew")
            return True
    return False


def engine_chapter(kind: str) -> str:
    return machine_table.CHAPTER[kind]


def hands(battle: Battle, machine: Machine) -> list[Model]:
    """wfb3:19.3.3-replace, wfb3:19.4.3-use  Who of its holder can work a machine: trained crew, and characters.

    Ruling: under an engineer's eye everybody can.
    """
    unit = battle.units.get(machine.holder)
    if unit is None or unit.where != "table":
        return []
    guided = engineer(battle, unit) is not None
    able = trained(battle, unit, machine.engine) or guided
    found = [m for m in battle.members(unit) if able or m.role == "character"]
    if any(m.role == "character" for m in found):
        battle.cite("wfb3:19.3.3-replace")
    return found


def at_hand(battle: Battle, machine: Machine) -> int:
    """wfb3:19.2-units  How many may work it now: those of the unit who do not work another this turn."""
    busy = sum(
        m.hands for m in of_unit(battle, battle.units[machine.holder]) if m is not machine and m.fired == battle.clock
    )
    return max(0, len(hands(battle, machine)) - busy)


def rate(machine: Machine, manned: int) -> int:
    """wfb3:19.3.3-crew-loss  Every how many turns a machine fires with so many men; 0 for never."""
    if manned <= 0:
        return 0
    return max(1, machine.engine.crew - manned)


def reloading(battle: Battle, machine: Machine, often: int) -> bool:
    """wfb3:19.3.3-crew-loss  Whether fewer than so many turns of its own have gone by since a machine's last shot."""
    return machine.fired != NEVER and battle.clock - machine.fired < 2 * often - 1


def fire_refusal(battle: Battle, machine: Machine) -> Refusal | None:
    """wfb3:19.3.3-crew-loss, wfb3:19.4.3-use, wfb3:19.6-arc, wfb3:19.7-move, wfb3:19.8-move, wfb3:19.9-fire,
    wfb3:19.3.2-melee
    Why a machine may not fire now."""
    engine = machine.engine
    unit = battle.units[machine.holder]
    facts: dict[str, Any] = {"machine": machine.id, "unit": unit.id}
    if machine.status == "spiked":
        return Refusal("refuse.machine.spiked", engine.rule("spike"), facts)
    if machine.stuck:
        return Refusal("refuse.machine.stuck", "wfb3:19.9-misfire", facts)
    if unit.where != "table" or unit.rout.routed:
        return Refusal("refuse.machine.crew", "wfb3:19.3.3-crew-loss", facts)
    if battle.engaged(unit):
        return Refusal("refuse.machine.engaged", "wfb3:7-contact", facts, ("wfb3:19.3.2-melee",))
    if unit.baggage.defends:
        return Refusal("refuse.special.garrison", "wfb3:17.2-garrison", facts)
    if unit.baggage.pillaging:
        return Refusal("refuse.special.pillaging", "wfb3:17.3-pillage", facts)
    if machine.moved == battle.clock or (engine.portable and unit.march.moved == battle.clock):
        name = {"ballista": "arc", "catapult": "move", "cannon": "move", "mortar": "fire"}[engine.kind]
        return Refusal("refuse.machine.moved", engine.rule(name), facts, (engine.rule("move"),))
    if not hands(battle, machine):
        return Refusal("refuse.machine.untrained", "wfb3:19.4.3-use", facts, ("wfb3:19.3.3-replace",))
    if not engine.portable and gap(battle.block_of(unit).outline, machine.outline) > APART + 0.05:
        return Refusal("refuse.machine.far", "wfb3:19.2-units", facts, ("wfb3:19.1-full-crew",))
    often = rate(machine, min(engine.crew, at_hand(battle, machine)))
    if not often:
        return Refusal("refuse.machine.crew", "wfb3:19.3.3-crew-loss", facts)
    if reloading(battle, machine, often):
        return Refusal("refuse.machine.slow", "wfb3:19.3.3-crew-loss", {**facts, "turns": often})
    return None


# ---------------------------------------------------------------------- losing and taking machines


def in_the_way(battle: Battle, unit: Unit) -> list[Obstacle]:
    """wfb3:5.5.4-engines, wfb3:5.5-base
    Machines a formed unit does not march over; single models and skirmishers do."""
    found = [m for m in battle.machines.values() if m.stands and m.holder != unit.id and not m.engine.portable]
    if found and unit.kind in ("character", "skirmishers", "team"):
        battle.cite("wfb3:5.5.4-engines")
        return []
    return [Obstacle(m.id, m.outline) for m in found]


def destroy(battle: Battle, machine: Machine, rule: str, by: Sequence[str] = ()) -> None:
    machine.status = "destroyed"
    machine.holder, machine.captors, machine.stuck = "", (), False
    battle.tell("machine.destroyed", rule, (machine.id, *by))
    battle.version += 1


def unmanned(battle: Battle, machine: Machine) -> bool:
    """wfb3:19.3.2-take, wfb3:19.3.2-abandoned  Whether nobody of its own is there to defend it."""
    unit = battle.units.get(machine.holder)
    if unit is None or unit.where != "table" or unit.rout.routed or unit.block is None:
        return True
    return gap(unit.block.outline, machine.outline) > APART + 0.05 and machine.unit != unit.id


def touching(battle: Battle, unit: Unit, machine: Machine) -> bool:
    return unit.block is not None and gap(unit.block.outline, machine.outline) <= TOUCHING


def spread(battle: Battle, machines: Sequence[Machine]) -> bool:
    """wfb3:19.2-units  Whether machines keep within two inches of one another."""
    left = list(machines[1:])
    group = list(machines[:1])
    while left:
        near = [m for m in left if any(gap(m.outline, g.outline) <= APART + 0.05 for g in group)]
        if not near:
            return False
        group += near
        left = [m for m in left if m not in near]
    return True


def cool(battle: Battle) -> None:
    """wfb3:19.8-heat, wfb3:19.9-heat
    A turn without a shot takes a point of heat away; told as its owner's turn begins."""
    for machine in battle.machines.values():
        if machine.seat == battle.active and machine.heat and machine.fired < battle.clock - 2:
            machine.heat -= 1
            battle.tell("machine.cools", machine.engine.rule("heat"), (machine.id,), heat=machine.heat)


def far_from(machine: Machine, point: Point) -> float:
    """Millimetres from a machine's muzzle."""
    x, y = machine.muzzle
    return math.hypot(point[0] - x, point[1] - y)
