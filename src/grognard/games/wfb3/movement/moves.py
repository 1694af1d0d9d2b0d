"""Chapters 5.6, B.1: A unit's move as a player orders it: judged before, carried out after."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.hooks import AFTER_MOVE, MOVE_REFUSAL
from grognard.games.wfb3.movement import carrying, manoeuvres, mixed, move_warnings, paths
from grognard.games.wfb3.rolls import stats
from grognard.games.wfb3.table import ground, machines
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation import preview
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, turn_between
from grognard.kernel.formation.steps import (
    Advance,
    Pay,
    Pivot,
    Refile,
    Step,
    Tariff,
    Turn,
    Wheel,
    afforded,
    rotation_cost,
)  # fmt: skip
from grognard.kernel.geometry.units import bearing, inches
from grognard.kernel.questions import Note, Place, Script

FREE = Tariff(wheel=Pay.FREE, pivot=Pay.FREE)


class MoveJudge:
    """Chapters 5.6.1, 5.6.2: orders for one unit's move: what it may attempt; how far it gets the table tells."""

    def __init__(self, battle: Battle, unit: Unit, allowance: float, rule: str = "wfb3:3-profile") -> None:
        self.battle, self.unit, self.allowance, self.rule = battle, unit, allowance, rule

    def decode(self, wire: Any) -> Manoeuvre:
        path = paths.parse(wire, self.rule)
        if (found := self.refusal(path)) is not None:
            raise Refused(found)
        return path

    def encode(self, wire: Any) -> Any:
        return paths.write(paths.parse(wire, self.rule))

    def refusal(self, path: Manoeuvre) -> Refusal | None:
        if (found := manoeuvres.refusal(self.battle, self.unit, path)) is not None:
            return found
        block = self.battle.block_of(self.unit)
        for refuses in MOVE_REFUSAL if self.rule != "wfb3:7.1-double" else ():
            if (held := refuses(self.battle, self.unit, path.end(block).centre)) is not None:
                return held
        try:
            cost = self._cost(path)
        except ValueError:
            return Refusal("refuse.manoeuvre.files", "wfb3:5.3.3-formations", {"unit": self.unit.id})
        if cost > self.allowance + EPS:
            return Refusal("refuse.move.too-far", self.rule, {"unit": self.unit.id}, self._limits(path))
        return None

    def _cost(self, path: Manoeuvre) -> float:
        """What of its allowance a path takes (mm)."""
        block = self.battle.block_of(self.unit)
        if mixed.partner(self.battle, self.unit) is not None:
            block = mixed.combined(self.battle, self.unit)
        if manoeuvres.free_turner(self.unit):
            return path.cost(block, FREE)
        twice = sum(s.cost(block, carrying.TARIFF) for s in path.steps if isinstance(s, Pivot))
        return path.cost(block, carrying.TARIFF) + twice

    def _limits(self, path: Manoeuvre) -> tuple[str, ...]:
        """The rules that make a move as short as it is."""
        found = ["wfb3:5.1-encumbrance", "wfb3:5.6.1-wheel"]
        if any(isinstance(s, Advance) and s.distance < 0 for s in path.steps):
            found.append("wfb3:5.6.2-back")
        if any(isinstance(s, Wheel) and s.degrees < 0 for s in path.steps):
            found.append("wfb3:5.6.2-wheel-back")
        if any(isinstance(s, Pivot) for s in path.steps):
            found.append("wfb3:5.6.2-wheel-centre")
        if self.unit.drill.formation == "testudo":
            found.append("wfb3:5.7.7-testudo")
        return tuple(found)

    # -- carrying by hand -----------------------------------------------------------------------

    def carry(self, to: Point, facing: float | None, files: int | None = None) -> Any:
        block = self.battle.block_of(self.unit)
        refiled = carrying.refiles(block, files) if files in self.file_counts() else ()
        return paths.write(carrying.carried(self, Manoeuvre(refiled).end(block), to, facing, refiled))

    def carry_on(self, kept: Any, to: Point, facing: float | None, files: int | None = None) -> Any:
        before = paths.parse(kept, self.rule)
        if not before.steps or self.refusal(before) is not None:
            return self.carry(to, facing, files)
        return paths.write(carrying.carried_on(self, before, to, facing, files))

    def file_counts(self) -> tuple[int, ...]:
        """wfb3:5.6.1-formation  The fronts it may take up as it moves."""
        block, most = self.battle.block_of(self.unit), self.battle.size(self.unit)
        wide = range(max(1, block.files - 12), min(most, block.files + 12) + 1)
        return tuple(n for n in wide if self.refusal(Manoeuvre(carrying.refiles(block, n))) is None)

    def stages(self, wire: Any) -> list[Block]:
        path = paths.parse(wire, self.rule)
        if manoeuvres.free_turner(self.unit):  # about the middle, as they turn on the table
            path = Manoeuvre(tuple(Pivot(s.degrees) if isinstance(s, Pivot) else s for s in path.steps))
        return preview.stages(self.battle.block_of(self.unit), path)

    def spent(self, wire: Any) -> float:
        return self._cost(paths.parse(wire, self.rule))

    # -- proposing ----------------------------------------------------------------------------

    def proposals(self) -> list[str]:
        foes = [f"toward:{e.id}" for e in self.battle.enemies(self.unit)]
        if manoeuvres.free_turner(self.unit):
            return [*foes, "forward", "stay"]
        return [*foes, "forward", "half", "about", "right", "left", "wider", "narrower", "back", "stay"]

    def propose(self, name: str) -> Any:
        path = self._proposed(name)
        if path is None:
            return None
        wire = paths.write(path)  # what is written is rounded, and that is what will be judged
        return wire if self.refusal(paths.parse(wire, self.rule)) is None else None

    def warns(self, wire: Any) -> tuple[Note, ...]:
        """Chapters 5.4, 5.5, 5.6: what may keep the unit from getting there, so far as the table shows it."""
        return move_warnings.notes(self.battle, self.unit, paths.parse(wire, self.rule))

    def _proposed(self, name: str) -> Manoeuvre | None:
        word, _, key = name.partition(":")
        block, far = self.battle.block_of(self.unit), self.allowance
        wider = min(2, (self.battle.size(self.unit) - block.files) // 2)
        simple: dict[str, tuple[Step, ...]] = {
            "stay": (), "forward": (Advance(far),), "half": (Advance(far / 2),), "about": (Turn(2),),
            "right": (Turn(1), Advance(far)), "left": (Turn(3), Advance(far)), "back": (Advance(-far / 2),),
            "wider": (Refile(wider, wider),), "narrower": (Refile(-1, -1),),
        }  # fmt: skip
        if word in simple:
            return Manoeuvre(simple[word])
        other = self.battle.units.get(key)
        if other is None or other.block is None:
            return None
        return toward(block, other.block.centre, far, free=manoeuvres.free_turner(self.unit))


def toward(block: Block, goal: Point, far: float, *, free: bool) -> Manoeuvre:
    """Facing a point as far as the move allows, then straight on."""
    turn = turn_between(block.facing, bearing(goal[0] - block.centre[0], goal[1] - block.centre[1]))
    if free:
        first: tuple[Step, ...] = (Pivot(turn),) if abs(turn) > 0.01 else ()
        return Manoeuvre((*first, Advance(round(far, 3))))
    if abs(turn) > 135:
        return Manoeuvre((Turn(2), Advance(round(far, 3))))
    wheel = carrying.facing_wheel(block, goal, afforded(Pay.ARC, block.width, far) * 0.999)
    if wheel is None or wheel.degrees < 0.5:
        return Manoeuvre((Advance(round(far, 3)),))
    spent = rotation_cost(Pay.ARC, block.width, wheel.degrees)
    return Manoeuvre((wheel, Advance(round(max(0.0, far - spent - 0.01), 3))))


def along(battle: Battle, unit: Unit, used: float = 0.0) -> Script[None]:
    """wfb3:5.1-encumbrance  A normal move, or what of it is left when so many inches are used up."""
    value = stats.move(battle, unit)
    battle.cite(*value.rules)
    allowance = inches(max(0.0, float(value.value) - _short(battle, unit) - used))
    unit.march = unit.march.but(edged=False)
    judge = MoveJudge(battle, unit, allowance)
    path = yield Place(
        unit.seat, "move.path", (unit.id,), judge, optional=True, rule="wfb3:3-profile", about=(unit.id,),
        data={"inches": value.value if not used else round(allowance / inches(1), 2)},
        notes=note(*(("loose", "14.6.1-pivot") if manoeuvres.free_turner(unit) else ("manoeuvres", "5.6-list"))),
    )  # fmt: skip
    unit.march = unit.march.but(done=True)
    if path is None or not path.steps:
        return
    before = unit.block
    things = [*ground.things(battle, unit, climb=True), *machines.in_the_way(battle, unit)]
    walk = manoeuvres.begin(battle, unit, allowance, things)
    yield from manoeuvres.carry_out(battle, unit, walk, path)
    manoeuvres.settle(battle, unit, walk)
    battle.tell(
        "unit.moved", "wfb3:3-profile", (unit.id,), inches=round(walk.travelled / inches(1), 2), stopped=walk.stopped
    )
    yield from after_move(battle, unit, before)


def after_move(battle: Battle, unit: Unit, before: Block | None) -> Script[None]:
    """What a finished move sets off: traps and trains, characters who have come up to a unit."""
    for what in AFTER_MOVE:
        yield from what(battle, unit, before)


def _short(battle: Battle, unit: Unit) -> float:
    """wfb3:25.2.2-rest  By how much the first move of a unit placed at the edge is shorter: it counts from the edge."""
    if not unit.march.edged:
        return 0.0
    battle.cite("wfb3:25.2.2-rest")
    return battle.block_of(unit).depth / inches(1)


def note(name: str, rule: str) -> tuple[Note, ...]:
    return (Note(f"note.{name}", {}, f"wfb3:{rule}"),)
