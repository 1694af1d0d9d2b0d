"""Compile the kernels by using each once: `python -m grognard.kernel.warm`."""

from __future__ import annotations

from grognard.kernel.formation.block import Block
from grognard.kernel.formation.charging.charge import best_charge, can_charge
from grognard.kernel.formation.charging.scene import ChargeRules
from grognard.kernel.formation.lines import Front, line_of_sight
from grognard.kernel.formation.obstacles import Obstacle
from grognard.kernel.formation.outlook import sees
from grognard.kernel.formation.sweeps import Spin, blocked, gap
from grognard.kernel.geometry import warm as geometry
from grognard.kernel.geometry.base import rect_base


def warm() -> None:
    """One small question of every kind."""
    geometry.warm()
    base = rect_base(20.0, 20.0)
    charger, target = Block(0.0, 0.0, 0.0, 5, 10, base), Block(60.0, 200.0, 170.0, 5, 10, base)
    others = [Obstacle("friend", Block(-140.0, 150.0, 0.0, 5, 10, base).outline, 10.0, 20.0)]
    can_charge(charger, target, obstacles=others)
    best_charge(charger, target, obstacles=others)
    walls = [Obstacle(f"wall {n}", Block(n * 70.0 - 180.0, 120.0, 0.0, 3, 6, base).outline) for n in range(6)]
    can_charge(charger, target, obstacles=walls)
    best_charge(charger, target, obstacles=walls)
    best_charge(charger, target, obstacles=walls, rules=ChargeRules(target_may_turn=True))
    blocked(charger.outline, Spin((0.0, 0.0), 40.0), target.outline, 5.0)
    gap(charger.outline, target.outline)
    sees([(0.0, 0.0)], [(60.0, 200.0)], [(tuple(others[0].outline.points), True), (target.boundary.corners, False)])
    row = [(w.outline.points, False) for w in walls]
    line_of_sight(Front((0.0, 0.0), (20.0, 0.0)), target.boundary.corners, row)
    line_of_sight(Front((0.0, 0.0), (0.0, 0.0), 30.0), target.boundary.corners, row)


if __name__ == "__main__":
    warm()
