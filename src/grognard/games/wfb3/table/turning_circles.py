"""wfb3:20.4-turning, wfb3:21.2.2-turns  Ways of things that turn only along circles: chariots, wagons, flyers.

{"distance": 200, "steps": [{"forward": 50}, {"arc": "left", "angle": 30}, {"forward": 20}]}: the distance declared for
the move, which sets the radius of its arcs, and its straights and arcs in order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.shapes import Point, turn_between
from grognard.kernel.formation.sweeps import Motion, Shift, Spin
from grognard.kernel.geometry.units import bearing, heading


class Leg(NamedTuple):
    """A straight of so many mm, or (radius > 0) an arc of so many degrees, to the right where positive."""

    far: float
    degrees: float = 0.0

    def length(self, radius: float) -> float:
        return self.far + radius * math.radians(abs(self.degrees))


class Way(NamedTuple):
    """What was ordered: the distance declared (0: none) and the legs."""

    distance: float
    legs: tuple[Leg, ...]

    @property
    def straight(self) -> float:
        return sum(leg.far for leg in self.legs)

    def length(self, radius: float) -> float:
        return sum(leg.length(radius) for leg in self.legs)


def _bad(rule: str, why: str) -> Refused:
    return Refused(Refusal("refuse.not-a-path", rule, {"why": why}))


def number(value: Any, rule: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > 1e5:
        raise _bad(rule, "number")
    if value < 0:
        raise _bad(rule, "negative")
    return float(value)


def parse(wire: Any, rule: str, more: tuple[str, ...] = ()) -> Way:
    """A way from its written form, or a single step; steps that troops make are refused by the rule of turning."""
    if isinstance(wire, dict) and ("forward" in wire or "arc" in wire):
        wire = {"steps": [wire]}
    if not isinstance(wire, dict) or not set(wire) <= {"distance", "steps", *more}:
        raise _bad(rule, "keys")
    steps = wire.get("steps", [])
    if not isinstance(steps, list) or len(steps) > 20:
        raise _bad(rule, "steps")
    return Way(number(wire.get("distance", 0.0), rule), tuple(_leg(s, rule) for s in steps))


def _leg(said: Any, rule: str) -> Leg:
    if not isinstance(said, dict):
        raise _bad(rule, "step")
    if set(said) == {"forward"}:
        return Leg(number(said["forward"], rule))
    if set(said) == {"arc", "angle"} and said["arc"] in ("left", "right"):
        turn = number(said["angle"], rule)
        return Leg(0.0, turn if said["arc"] == "right" else -turn)
    raise Refused(Refusal("refuse.drive.turn", rule, {}))


def write(way: Way) -> dict[str, Any]:
    """The written form."""
    steps: list[dict[str, Any]] = []
    for leg in way.legs:
        if leg.degrees:
            steps.append({"arc": "right" if leg.degrees > 0 else "left", "angle": round(abs(leg.degrees), 6)})
        else:
            steps.append({"forward": round(leg.far, 4)})
    return {"distance": round(way.distance, 4), "steps": steps}


def motion(block: Block, leg: Leg, radius: float) -> Motion:
    """A leg as a motion of a block: an arc is driven by its centre."""
    if not leg.degrees:
        hx, hy = heading(block.facing)
        return Shift(hx * leg.far, hy * leg.far)
    hx, hy = heading(block.facing + (90.0 if leg.degrees > 0 else -90.0))
    x, y = block.centre
    return Spin((x + hx * radius, y + hy * radius), leg.degrees)


def moved(block: Block, leg: Leg, radius: float) -> Block:
    """A block after a whole leg."""
    if not leg.degrees:
        hx, hy = heading(block.facing)
        return block.placed((block.x + hx * leg.far, block.y + hy * leg.far), block.facing)
    turn = motion(block, leg, radius)
    assert isinstance(turn, Spin)
    return block.on(block.boundary.rotated(turn.pivot, turn.degrees))


def stages(block: Block, way: Way, radius: float) -> list[Block]:
    """A block before a way and after each of its legs."""
    found = [block]
    for leg in way.legs:
        found.append(moved(found[-1], leg, radius))
    return found


def part(block: Block, way: Way, low: float, high: float) -> tuple[Block, tuple[Leg, ...]]:
    """A stretch of a way, from so far along it to so far: the block where it begins, and its legs."""
    gone, radius = 0.0, way.distance
    legs: list[Leg] = []
    for leg in way.legs:
        whole = leg.length(radius)
        begin, stop = max(low, gone) - gone, min(high, gone + whole) - gone
        if not legs:
            share = min(1.0, max(0.0, begin / whole)) if whole else 1.0
            block = moved(block, Leg(leg.far * share, leg.degrees * share), radius)
        if whole and stop > begin:
            share = (stop - begin) / whole
            legs.append(Leg(leg.far * share, leg.degrees * share))
        gone += whole
    return block, tuple(legs)


def cut(leg: Leg, radius: float, left: float) -> Leg:
    """As much of a leg as a length allows."""
    whole = leg.length(radius)
    if whole <= left + 0.03:
        return leg
    share = max(0.0, left / whole) if whole else 0.0
    return Leg(leg.far * share, leg.degrees * share)


def toward(block: Block, goal: Point, far: float, radius: float, most: float = 180.0) -> tuple[Leg, ...]:
    """An arc and a straight that lead towards a point, no longer than `far`."""
    best: tuple[float, tuple[Leg, ...]] | None = None
    turn = turn_between(block.facing, bearing(goal[0] - block.centre[0], goal[1] - block.centre[1]))
    sign = 1.0 if turn > 0 else -1.0
    for degrees in range(0, int(min(most, 180.0)) + 1, 5):
        leg = Leg(0.0, sign * degrees)
        spent = leg.length(radius)
        if spent > far:
            break
        after = moved(block, leg, radius) if degrees else block
        off = abs(turn_between(after.facing, bearing(goal[0] - after.centre[0], goal[1] - after.centre[1])))
        if best is None or off < best[0]:
            best = off, ((leg, Leg(far - spent)) if degrees else (Leg(far),))
    return best[1] if best is not None else (Leg(far),)
