"""wfb3:19.7-scatter, wfb3:19.7-speculative, wfb3:19.9-fire, wfb3:19.9-speculative  The dice of lobbed shots.

Written once: the battle rolls them, the odds desk weighs them.
"""

from __future__ import annotations

import math

from grognard.games.wfb3.army.machine_table import Engine
from grognard.games.wfb3.pieces import Machine
from grognard.kernel.formation.shapes import Point
from grognard.kernel.geometry.units import bearing, heading, inches
from grognard.kernel.questions import Roll, Script

#: wfb3:19.7-scatter  A D20 up to this is an hour of the clock; wfb3:19.9-fire  a mortar's misfire.
HOURS, MISFIRE = 12, 20
#: wfb3:19.7-speculative  How near to the machine a blind shot may fall.
NEAREST = inches(4)


def score(seat: str, engine: Engine, about: tuple[str, ...] = ()) -> Script[int]:
    """wfb3:19.7-scatter  A D20: an hour up to twelve, above that on target."""
    rule = engine.rule("scatter" if engine.kind == "catapult" else "fire")
    (face,) = yield Roll(seat, "machine.scatter", 20, rule=rule, about=about, sense="value")
    return int(face)


def drift(seat: str, engine: Engine, far: float, blind: bool, about: tuple[str, ...] = ()) -> Script[float]:
    """wfb3:19.7-scatter, wfb3:19.7-speculative, wfb3:19.9-speculative
    Inches of a drift: 2D6, at most half the distance shot; blindly 2D12. -1 is a mortar's misfire.
    """
    if blind:
        faces = yield Roll(
            seat, "machine.drift-blind", 12, 2, rule=engine.rule("speculative"), about=about, sense="value"
        )
        return -1.0 if engine.kind == "mortar" and faces[0] == faces[1] else float(sum(faces))
    rule = engine.rule("scatter" if engine.kind == "catapult" else "fire")
    faces = yield Roll(seat, "machine.drift", 6, 2, rule=rule, about=about, sense="value")
    return min(float(sum(faces)), far / 2 / inches(1))


def landing(machine: Machine, aim: Point, hour: int, off: float, *, blind: bool) -> Point:
    """wfb3:19.7-scatter, wfb3:19.7-speculative
    Where a shot comes down: twelve is straight on, away from the machine."""
    mx, my = machine.muzzle
    if off <= 0.0:
        return aim
    hx, hy = heading(bearing(aim[0] - mx, aim[1] - my) + 30.0 * hour)
    x, y = aim[0] + hx * off, aim[1] + hy * off
    away = math.hypot(x - mx, y - my)
    if blind and away < NEAREST:
        ux, uy = ((x - mx) / away, (y - my) / away) if away > 0.01 else heading(machine.facing)
        return mx + ux * NEAREST, my + uy * NEAREST
    return x, y
