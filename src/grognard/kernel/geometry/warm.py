"""Compile the kernels by using each once: `python -m grognard.kernel.geometry.warm`."""

from __future__ import annotations

import numpy as np

from grognard.kernel.geometry.moving.paths import Area, Ground, Line
from grognard.kernel.geometry.moving.slots import assign_contacts
from grognard.kernel.geometry.sight.lanes import any_part, every_part
from grognard.kernel.geometry.sight.sight import Blocking, SightRules, clear_line, figures, see
from grognard.kernel.geometry.terrain import Piece, Table, rectangle


def warm() -> None:
    """One small question of every kind."""
    wood = Piece("wood", "wood", rectangle(40.0, 40.0, 30.0, 30.0), height=50.0, sight="area")
    table = Table(300.0, 300.0, (wood,))
    crowd = figures([10.0, 100.0, 60.0], [10.0, 100.0, 20.0], [10.0, 10.0, 10.0], height=20.0, size=[1.0, 1.0, 1.0])
    for blocking in (Blocking.TALLER, Blocking.RAYS):
        see(crowd, [0], [1], table, SightRules(models=blocking, terrain=blocking))
    clear_line((10.0, 10.0), (100.0, 100.0), table, SightRules(), crowd)
    any_part(crowd, [0], [1], table)
    every_part(crowd, [0], [1], table)
    ground = Ground.of(
        10.0, bases=[(60.0, 60.0, 12.0)], zones=[(150.0, 150.0, 10.0, 30.0)],
        polygons=[rectangle(90.0, 10.0, 10.0, 60.0)], size=(300.0, 300.0), areas=[Area(np.asarray(wood.points), 2.0)],
        lines=[Line(np.array([(0.0, 120.0), (100.0, 120.0)]), 10.0)],
    )  # fmt: skip
    ground.shortest((20.0, 20.0), (120.0, 90.0))
    ground.reach((20.0, 20.0), 50.0, (60.0, 60.0))
    ground.stop_along((20.0, 20.0), 45.0, 100.0)
    ground.check([(20.0, 20.0), (30.0, 20.0)], 20.0)
    assign_contacts([(20.0, 20.0), (30.0, 150.0)], [(200.0, 200.0, 10.0)], ground, 400.0, gap=0.01, through=False)


if __name__ == "__main__":
    warm()
