"""t9a:12.E  Moves of a block as they are written: a list of steps, each with its length or angle.

{"steps": [{"forward": 50}, {"wheel": "left", "angle": 30}, {"pivot": "centre", "angle": 90}]}
"""

from __future__ import annotations

import math
from typing import Any

from grognard.kernel.errors import Refusal, Refused
from grognard.kernel.formation.block import Block
from grognard.kernel.formation.manoeuvre import Manoeuvre
from grognard.kernel.formation.shapes import Side as Edge
from grognard.kernel.formation.steps import Advance, Pivot, Reform, Sidestep, Step, Wheel
from grognard.kernel.geometry.units import bearing, heading, snap

_STRAIGHT = ("forward", "back", "left", "right")
_NEARLY = 0.3  # mm: points are written with two decimals of an inch
_STEP = {*_STRAIGHT, "wheel", "pivot", "angle", "reform", "files", "facing"}


def _bad(rule: str, why: str) -> Refused:
    return Refused(Refusal("refuse.not-a-path", rule, {"why": why}))


def _number(value: Any, rule: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > 1e5:
        raise _bad(rule, "number")
    return float(value)


def step(said: Any, rule: str) -> Step:
    """One step from its written form."""
    if not isinstance(said, dict):
        raise _bad(rule, "step")
    if len(said) == 1 and next(iter(said)) in _STRAIGHT:
        word, far = next(iter(said.items()))
        length = _number(far, rule)
        if length < 0:
            raise _bad(rule, "negative")
        if word in ("forward", "back"):
            return Advance(length if word == "forward" else -length)
        return Sidestep(length if word == "right" else -length)
    if set(said) == {"wheel", "angle"} and said["wheel"] in ("left", "right"):
        return Wheel(Edge.LEFT if said["wheel"] == "left" else Edge.RIGHT, _number(said["angle"], rule))
    if set(said) == {"pivot", "angle"}:
        return Pivot(_number(said["angle"], rule))
    if set(said) <= {"reform", "facing", "files"} and {"files", "facing"} <= set(said):
        files = said["files"]
        if not isinstance(files, int) or isinstance(files, bool) or files < 1:
            raise _bad(rule, "files")
        return Reform(files, _number(said["facing"], rule) % 360.0)
    raise _bad(rule, "step")


def parse(wire: Any, rule: str, extra: tuple[str, ...] = ()) -> Manoeuvre:
    """A path from its written form, its steps, or one step alone; `extra` keys are the caller's."""
    if isinstance(wire, list):
        wire = {"steps": wire}
    elif isinstance(wire, dict) and "steps" not in wire and set(wire) & _STEP:
        wire = {"steps": [{k: v for k, v in wire.items() if k in _STEP}]} | {
            k: v for k, v in wire.items() if k not in _STEP
        }
    if not isinstance(wire, dict) or not set(wire) <= {"steps", *extra}:
        raise _bad(rule, "keys")
    steps = wire.get("steps", [])
    if not isinstance(steps, list) or len(steps) > 40:
        raise _bad(rule, "steps")
    return Manoeuvre(tuple(step(s, rule) for s in steps))


def write(path: Manoeuvre) -> dict[str, Any]:
    """The written form of a path."""
    return {"steps": [_written(s) for s in path.steps]}


def _written(s: Step) -> dict[str, Any]:
    if isinstance(s, Advance):
        return {"forward": round(s.distance, 4)} if s.distance >= 0 else {"back": round(-s.distance, 4)}
    if isinstance(s, Sidestep):
        return {"right": round(s.distance, 4)} if s.distance >= 0 else {"left": round(-s.distance, 4)}
    if isinstance(s, Wheel):
        return {"wheel": "left" if s.corner is Edge.LEFT else "right", "angle": round(s.degrees, 6)}
    if isinstance(s, Pivot):
        return {"pivot": "centre", "angle": round(s.degrees, 6)}
    if isinstance(s, Reform):
        return {"reform": True, "files": s.files, "facing": round(s.facing, 6)}
    raise TypeError(type(s).__name__)


def _within(length: float, most: float) -> float:
    whole = next((n for n in (most, most / 2) if 0 < abs(length) - n < _NEARLY), abs(length))
    return math.copysign(whole, length)


def meant(wire: Any, unit: str, block: Block, most: float, *, turns: bool) -> Any:
    """A move that is not written in steps but by the unit's name, or by the point its centre goes to: straight ahead,
    back or aside, or anywhere for one that `turns` as it likes. Points have two decimals; a hair beyond what may be
    gone is not meant.
    """
    if isinstance(wire, dict) and set(wire) == {unit}:
        wire = wire[unit]
    said = wire["at"] if isinstance(wire, dict) and set(wire) == {"at"} else wire
    goal = point(said)
    if goal is None:
        return wire
    hx, hy = heading(block.facing)
    dx, dy = goal[0] - block.centre[0], goal[1] - block.centre[1]
    side, far = (_within(n, most) for n in (dx * hy - dy * hx, dx * hx + dy * hy))
    if abs(side) < _NEARLY:
        return {"steps": [{"forward": far} if far >= 0 else {"back": -far}]}
    if abs(far) < _NEARLY and not turns:
        return {"steps": [{"right": side} if side >= 0 else {"left": -side}]}
    if turns:
        return {"steps": [{"pivot": "centre", "angle": bearing(side, far)}, {"forward": math.hypot(side, far)}]}
    return wire


def point(said: Any) -> tuple[float, float] | None:
    """A point from its written form, [x, y] or a path of one point, as it is recorded; None where it is none."""
    if isinstance(said, dict) and set(said) == {"path"} and isinstance(said["path"], list) and len(said["path"]) == 1:
        said = said["path"][0]
    if not isinstance(said, list | tuple) or len(said) != 2:
        return None
    if not all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < 1e5 for n in said):
        return None
    return snap(float(said[0])), snap(float(said[1]))
