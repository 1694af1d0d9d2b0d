"""wfb3:7.1.3-short  Stepped lines: models who cannot come up, and models who press on to another enemy."""

from __future__ import annotations

import math

import msgspec

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.charge import impact
from grognard.games.wfb3.combat import overlap
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres
from grognard.games.wfb3.table import contacts, ground, seating
from grognard.kernel.formation.block import Block, Place, Seat
from grognard.kernel.formation.changes import refiled
from grognard.kernel.formation.charging.align import flush_turn
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.sweeps import Shift, blocked, first_contact
from grognard.kernel.geometry.units import heading
from grognard.kernel.questions import Option, Pick, Script


def late(battle: Battle, unit: Unit, before: Block, after: Block, left: float) -> bool:
    """wfb3:7.1.3-short  Files that have not move enough left to swing into line do not fight in the first round."""
    files = []
    for old, new in zip(before.places, after.places, strict=True):
        if old.rank == 0 and math.dist((old.pose.x, old.pose.y), (new.pose.x, new.pose.y)) > left + EPS:
            files.append(old.file)
    if not files or len(files) >= after.files:
        return False
    unit.charge = unit.charge.but(late=(battle.clock, tuple(files)))
    battle.tell("charge.stepped", "wfb3:7.1.3-short", (unit.id,), files=len(files))
    return True


# ---------------------------------------------------------------------- pressing on


class _Step:
    """Files of one flank and how far each goes on, towards one enemy."""

    def __init__(self, other: Unit, forward: dict[int, float]) -> None:
        self.other, self.forward = other, forward
        self.left = 0 in forward


def press(battle: Battle, unit: Unit, target: Unit, left: float) -> Script[None]:
    """wfb3:7.1.6-continue  Files that met nobody may go on with what is left of the charge, without letting go."""
    block = unit.block
    if block is None or block.guests or block.seats or manoeuvres.free_turner(unit) or left < 1.0:
        return
    if unit.drill.formation != "ranks" or not battle.engaged(unit):
        return
    steps, taken = _steps(battle, unit, target, left), list[_Step]()
    while steps:
        options = [Option(key, step, about=(step.other.id,)) for key, step in steps.items()]
        step = yield Pick(
            unit.seat, "charge.press", options, optional=True, rule="wfb3:7.1.6-continue", about=(unit.id, target.id)
        )
        if step is None:
            break
        taken.append(step)
        steps = {key: other for key, other in steps.items() if all(other.left != one.left for one in taken)}
    if not taken:
        return
    unit.block = _stepped(block, {file: far for step in taken for file, far in step.forward.items()})
    seating.swap_in(battle, unit)
    for step in taken:
        yield from _reached(battle, unit, block, step)


def _reached(battle: Battle, unit: Unit, block: Block, step: _Step) -> Script[None]:
    """wfb3:7.1.6-continue  Files that pressed on stand against another enemy."""
    other = step.other
    side = min(
        Edge, key=lambda s: (round(abs(flush_turn(block.boundary, battle.block_of(other).boundary, s)), 3), s.value)
    )
    already = battle.engaged(other)
    battle.engage(unit, Edge.FRONT, other, side)
    battle.tell("charge.pressed", "wfb3:7.1.6-continue", (unit.id, other.id), files=len(step.forward))
    yield from impact.received(battle, unit, other, side, oblique=False, already=already)


def _steps(battle: Battle, unit: Unit, target: Unit, left: float) -> dict[str, _Step]:
    """The enemies either flank can reach, nearest first."""
    block = battle.block_of(unit)
    busy = sorted({block.places[t.number].file for t in contacts.of_unit(battle, unit) if t.foe == target.id})
    if not busy:
        return {}
    flanks = (list(range(busy[0] - 1, -1, -1)), list(range(busy[-1] + 1, block.files)))
    found: dict[str, _Step] = {}
    for files in flanks:
        for other in battle.enemies(unit):
            if other is target or other.rout.routed or other.id in found:
                continue
            forward = _forward(battle, unit, other, files, left)
            if forward:
                found[other.id] = _Step(other, forward)
    return found


def _forward(battle: Battle, unit: Unit, other: Unit, files: list[int], left: float) -> dict[int, float]:
    """How far each free file goes on to reach an enemy: each next one at most a base further than its neighbour."""
    block = battle.block_of(unit)
    hx, hy = heading(block.facing)
    shape = battle.block_of(other).outline
    front = {p.file: p for p in block.places if p.rank == 0}
    far: float | None = None
    for step, file in enumerate(files, 1):
        most = min(left, step * block.base.length - 0.5)
        at = first_contact(front[file].outline, Shift(hx * most, hy * most), shape)
        if at is not None and (far is None or at < far):
            far = at
    if far is None or far < 1.0:
        return {}
    things = [t for t in ground.things(battle, unit, near=0.0) if t.name not in (unit.id, other.id)]
    found: dict[int, float] = {}
    for step, file in enumerate(files, 1):
        reach = min(far, step * block.base.length - 0.5)
        way = Shift(hx * reach, hy * reach)
        if any(blocked(front[file].outline, way, t.outline) for t in things):
            break
        found[file] = reach
    return found if any(abs(reach - far) < 0.01 for reach in found.values()) else {}


def _stepped(block: Block, forward: dict[int, float]) -> Block:
    """The block with whole files of its flanks gone forward; their models stand at seats."""
    left = next(file for file in range(block.files) if file not in forward)
    narrow = refiled(block, -left, left - len(forward))
    gone = [p for p in block.places if p.file in forward]
    return msgspec.structs.replace(narrow, seats=tuple(_seat(narrow, p, forward[p.file]) for p in gone))


def _seat(narrow: Block, place: Place, ahead: float) -> Seat:
    right, out = narrow.boundary.local((place.pose.x, place.pose.y))
    return Seat(right, narrow.boundary.length / 2 - out - ahead, 0.0, overlap.STEP, place.rank)
