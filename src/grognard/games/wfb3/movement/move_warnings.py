"""Chapters 5.2, 5.4, 5.5, 5.6: what may come of a move that is allowed: tests, slow ground, others in the way.

Nothing is measured beforehand (wfb3:5.4.1-no-premeasure): only what the way is seen to lead over is told, never how
far anything is.
"""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres
from grognard.games.wfb3.movement.crossing import stops
from grognard.games.wfb3.table import ground, machines, terrain
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.steps import Step
from grognard.kernel.formation.sweeps import overlap
from grognard.kernel.geometry.terrain import Piece
from grognard.kernel.questions import Note


def notes(battle: Battle, unit: Unit, path: Manoeuvre) -> tuple[Note, ...]:
    """All there is to say of a way: its tests, and what lies on it, kind by kind."""
    met: dict[str, dict[str, str]] = {}
    for kind, name, rule in _ways(battle.copy(), unit, path):
        met.setdefault(kind, {}).setdefault(name, rule)
    told = [Note(f"note.{kind}", {"others": list(names)}, next(iter(names.values()))) for kind, names in met.items()]
    return (*_tests(unit, path), *told)


def _tests(unit: Unit, path: Manoeuvre) -> Iterator[Note]:
    """wfb3:5.6.1-second-third, wfb3:5.6.2-complex"""
    count = manoeuvres.tests(unit, path)
    if count:
        hard = any(manoeuvres.is_complex(step) for step in path.steps)
        yield Note("note.tests", {"tests": count}, "wfb3:5.6.2-complex" if hard else "wfb3:5.6.1-second-third")


def _ways(battle: Battle, unit: Unit, path: Manoeuvre) -> Iterator[tuple[str, str, str]]:
    """wfb3:5.5-base, wfb3:5.2.2-impassable, wfb3:5.2.3-cost, wfb3:5.2.1-half
    What lies on the way: how it hinders, its name, why."""
    loose = manoeuvres.free_turner(unit)
    things = [
        Obstacle(thing.name, thing.outline)
        for thing in (*ground.things(battle, unit, climb=True), *machines.in_the_way(battle, unit))
        if not (loose and thing.name in battle.units and battle.units[thing.name].seat == unit.seat)
    ]
    tread = ground.tread(unit)
    slow = [
        piece for piece in terrain.of_ground(battle.table, "difficult", "very")
        if ground.slows(battle, unit, piece, tread) > 1
    ]  # fmt: skip
    linear = [piece for piece in terrain.of_ground(battle.table, "linear") if piece.id != unit.drill.split]
    for step, before, after in path.stages(battle.block_of(unit)):
        for thing in things:
            if _meets(before, step, after, thing):
                yield "in-the-way", thing.name, _why(battle, thing.name)
        if step.motion(before) is None:
            continue
        for piece in slow:
            if _meets(before, step, after, _obstacle(battle, piece)):
                yield "slow", piece.id, terrain.kind(piece).rule
        for piece in linear:
            if _meets(before, step, after, _obstacle(battle, piece)):
                yield "crossing", piece.id, "wfb3:5.2.3-cost"


def _why(battle: Battle, name: str) -> str:
    if name in battle.units:
        return "wfb3:5.5-base"
    return "wfb3:5.5.4-engines" if name in battle.machines else "wfb3:5.2.2-impassable"


def _obstacle(battle: Battle, piece: Piece) -> Obstacle:
    return Obstacle(piece.id, terrain.outline(piece, battle.table))


def _meets(before: Block, step: Step, after: Block, thing: Obstacle) -> bool:
    """Whether a step sweeps over a thing, or, taken in place, ends on it."""
    motion = step.motion(before)
    if motion is None:
        return overlap(after.outline.shrunk(1.0), thing.outline)
    return stops(before.outline, motion, [thing]).obstacle is not None
