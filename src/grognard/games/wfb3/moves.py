"""wfb3:5.6, B.1  A unit's move as a player orders it: judged before, carried out after."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from grognard.games.wfb3 import manoeuvres, mixed, paths
from grognard.games.wfb3.battle import EPS, Battle
from grognard.games.wfb3.forces import Unit
from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation import preview
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Point, Side, turn_between
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
from grognard.kernel.geometry.units import bearing

#: wfb3:5.6.1-wheel pays the outer corner's arc, wfb3:5.6.2 the half rate of complex manoeuvres.
TARIFF = Tariff(wheel=Pay.ARC, pivot=Pay.ARC, back=2.0, wheel_back=2.0)
FREE = Tariff(wheel=Pay.FREE, pivot=Pay.FREE)


class MoveJudge:
    """wfb3:5.6.1, 5.6.2  Orders for one unit's move: what it may attempt; how far it gets the table tells."""

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
        if self.unit.kind == "character" and self.unit.great and self.rule != "wfb3:7.1-double":
            from grognard.games.wfb3 import great_standards

            if (held := great_standards.path_refusal(self.battle, self.unit, path.end(block).centre)) is not None:
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
        twice = sum(s.cost(block, TARIFF) for s in path.steps if isinstance(s, Pivot))
        return path.cost(block, self._tariff(path, block)) + twice

    def _limits(self, path: Manoeuvre) -> tuple[str, ...]:
        """The rules that make a move as short as it is."""
        found = ["wfb3:5.1-encumbrance", "wfb3:5.6.1-wheel"]
        if any(isinstance(s, Advance) and s.distance < 0 for s in path.steps):
            found.append("wfb3:5.6.2-back")
        if any(isinstance(s, Wheel) and s.degrees < 0 for s in path.steps):
            found.append("wfb3:5.6.2-wheel-back")
        if any(isinstance(s, Pivot) for s in path.steps):
            found.append("wfb3:5.6.2-wheel-centre")
        if self.unit.formation == "testudo":
            found.append("wfb3:5.7.7-testudo")
        return tuple(found)

    def _tariff(self, path: Manoeuvre, block: Block) -> Tariff:
        return TARIFF

    # -- carrying by hand -----------------------------------------------------------------------

    def carry(self, to: Point, facing: float | None) -> Any:
        return preview.nearest(self, (paths.write(path) for path in self._ways(to, facing)), to)

    def stages(self, wire: Any) -> list[Block]:
        return preview.stages(self.battle.block_of(self.unit), paths.parse(wire, self.rule))

    def spent(self, wire: Any) -> float:
        return self._cost(paths.parse(wire, self.rule))

    def _ways(self, to: Point, facing: float | None) -> Iterator[Manoeuvre]:
        """wfb3:5.6.1, 5.6.2  Straight on, with a wheel or a turn, back, or sideways by a turn."""
        block, free = self.battle.block_of(self.unit), manoeuvres.free_turner(self.unit)
        ahead, right = preview.offsets(block, to)
        if facing is not None:
            yield from self._turned(block, to, turn_between(block.facing, facing), free)
            return
        yield Manoeuvre(())
        if free:
            yield toward(block, to, min(self.allowance, math.hypot(ahead, right)), free=True)
            return
        for share in (1.0, 0.75, 0.5, 0.25, 0.0):
            yield self._wheeled(block, to, share)
        half = self.allowance / 2
        yield Manoeuvre((Advance(round(max(-half, min(ahead, 0.0)), 3)),))
        for quarters, way in ((1, right), (2, -ahead), (3, -right)):
            if way > 0:
                yield Manoeuvre((Turn(quarters), Advance(round(min(way, self.allowance), 3))))

    def _turned(self, block: Block, to: Point, turn: float, free: bool) -> Iterator[Manoeuvre]:
        """Turned as wished, on the spot, before going on to a point or after it."""
        most = min(abs(turn), afforded(Pay.ARC, block.width, self.allowance) * 0.999, 90.0)
        wheel = Wheel(Side.RIGHT if turn > 0 else Side.LEFT, round(most, 4))
        step = Pivot(turn) if free else wheel
        left = self.allowance - (0.0 if free else rotation_cost(Pay.ARC, block.width, wheel.degrees)) - 0.01
        yield Manoeuvre((step,))
        ahead, after = (preview.offsets(b, to)[0] for b in (block, Manoeuvre((step,)).end(block)))
        if min(after, left) > 0:
            yield Manoeuvre((step, Advance(round(min(after, left), 3))))
        if min(ahead, left) > 0:
            yield Manoeuvre((Advance(round(min(ahead, left), 3)), step))

    def _wheeled(self, block: Block, to: Point, share: float) -> Manoeuvre:
        """A share of the wheel that looks at a point, and straight on until level with it."""
        wheel = facing_wheel(block, to, afforded(Pay.ARC, block.width, self.allowance) * 0.999)
        first = (Wheel(wheel.corner, round(wheel.degrees * share, 4)),) if wheel is not None and share else ()
        spent = sum(rotation_cost(Pay.ARC, block.width, step.degrees) for step in first)
        level = preview.offsets(Manoeuvre(first).end(block), to)[0]
        far = round(max(0.0, min(level, self.allowance - spent - 0.01)), 3)
        return Manoeuvre((*first, Advance(far)) if far else first)

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
    wheel = facing_wheel(block, goal, afforded(Pay.ARC, block.width, far) * 0.999)
    if wheel is None or wheel.degrees < 0.5:
        return Manoeuvre((Advance(round(far, 3)),))
    spent = rotation_cost(Pay.ARC, block.width, wheel.degrees)
    return Manoeuvre((wheel, Advance(round(max(0.0, far - spent - 0.01), 3))))


def facing_wheel(block: Block, goal: Point, most: float) -> Wheel | None:
    """The wheel after which the middle of the front looks straight at a point, no further than `most` degrees."""
    turn = turn_between(block.facing, bearing(goal[0] - block.x, goal[1] - block.y))
    if abs(turn) < 0.01:
        return None
    corner = Side.RIGHT if turn > 0 else Side.LEFT
    low, high = 0.0, min(most, 90.0)
    for _ in range(30):
        middle = (low + high) / 2
        after = Wheel(corner, middle).apply(block)
        left = turn_between(after.facing, bearing(goal[0] - after.x, goal[1] - after.y))
        low, high = (middle, high) if left * turn > 0 else (low, middle)
    return Wheel(corner, round(low, 4))
