"""Chapter 7.1.2: orders for a charge: what its player may have it do on the way."""

from __future__ import annotations

from typing import Any

from grognard.games.wfb3.battle import Battle
from grognard.games.wfb3.forces import Unit
from grognard.games.wfb3.movement import manoeuvres, moves
from grognard.games.wfb3.movement.walking import Walk
from grognard.kernel.errors import Refusal
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.charge import best_charge
from grognard.kernel.formation.charging.scene import ChargeRules
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance, Pay, Refile, Step, Turn, Wheel

#: wfb3:7.1.1-align
ALIGN = 22.5


class ChargeJudge(moves.MoveJudge):
    """wfb3:7.1.2-manoeuvre  Orders for a charge: manoeuvres on the way; the last stretch goes on until contact."""

    def __init__(
        self, battle: Battle, unit: Unit, target: Unit, allowance: float, things: list[Obstacle], *,
        straight: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(battle, unit, allowance, "wfb3:7.1-double")
        self.target = target
        self.things = things
        self.straight = straight

    def refusal(self, path: Manoeuvre) -> Refusal | None:
        """wfb3:5.7.1-file-charge, wfb3:7.2.4-redirect
        No file is formed, and after a quarry that flees all run straight."""
        found = super().refusal(path)
        if found is not None or manoeuvres.free_turner(self.unit):
            return found
        if self.straight and any(manoeuvres.is_manoeuvre(step) for step in path.steps):
            return Refusal("refuse.charge.straight", "wfb3:7.2.4-redirect", {"unit": self.unit.id})
        if self.battle.size(self.unit) < 3:
            return None
        if any(isinstance(step, Turn | Refile) for step in path.steps):
            block = self.battle.block_of(self.unit)
            if any(after.files == 1 for _, _, after in path.stages(block)):
                return Refusal("refuse.charge.into-file", "wfb3:5.7.1-file-charge", {"unit": self.unit.id})
        return None

    # -- what a screen shows: the way as ordered, and the last stretch until something is met ------------

    def stages(self, wire: Any) -> list[Block]:
        ordered = super().stages(wire)
        return [*ordered, self._last(ordered[-1], wire).block]

    def spent(self, wire: Any) -> float:
        return super().spent(wire) + self._last(super().stages(wire)[-1], wire).travelled

    def _last(self, block: Block, wire: Any) -> Walk:
        battle = self.battle.copy()
        left = max(0.0, self.allowance - super().spent(wire))
        walk = Walk(battle, battle.units[self.unit.id], left, self.things, block=block)
        walk.advance(left)
        return walk

    def proposals(self) -> list[str]:
        return ["best", "toward", "straight"]

    def _proposed(self, name: str) -> Manoeuvre | None:
        block, other = self.battle.block_of(self.unit), self.battle.block_of(self.target)
        if name == "straight":
            return Manoeuvre(())
        if name == "best" and not manoeuvres.free_turner(self.unit) and not self.unit.march.halted:
            rules = ChargeRules(wheel=Pay.ARC, budget=self.allowance, max_turn=ALIGN)
            side = Edge[self.unit.charge.face]
            others = [t for t in self.things if t.name != self.target.id and not t.name.endswith(" edge")]
            made = best_charge(block, other, side=side, obstacles=others, rules=rules, field=self.battle.board)
            if made is not None:
                return Manoeuvre(tuple(_rounded(s) for s in made.path.steps))
        path = moves.toward(block, other.centre, self.allowance, free=manoeuvres.free_turner(self.unit))
        return Manoeuvre(path.steps[:-1])


def _rounded(step: Step) -> Step:
    if isinstance(step, Advance):
        return Advance(round(step.distance, 3))
    return Wheel(step.corner, round(step.degrees, 4)) if isinstance(step, Wheel) else step
